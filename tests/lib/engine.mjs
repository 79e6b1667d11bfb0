// The executable under test, as a host sees it: requests in, responses out.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PATIENCE } from "./wait.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Absolute path of the executable: READCACHE_BIN, or the one in build/. */
export function binary() {
	const bin = process.env.READCACHE_BIN ?? join(root, "build/readcache");
	if (!existsSync(bin)) throw new Error(`no executable at ${bin}: build it, or set READCACHE_BIN`);
	return resolve(bin);
}

/** One process, one request. INPUT is text, bytes, or a value to be sent as JSON. */
export function oneshot(input, { args = [], env, timeout = PATIENCE } = {}) {
	const raw = typeof input === "string" || Buffer.isBuffer(input);
	const run = spawnSync(binary(), args, {
		input: raw ? input : JSON.stringify(input),
		env: { ...process.env, ...env },
		timeout,
		maxBuffer: 1 << 30,
	});
	if (run.error) throw run.error;
	const stdout = run.stdout.toString();
	let response;
	try {
		response = JSON.parse(stdout);
	} catch {
		response = undefined; // the caller sees it in stdout
	}
	return { status: run.status, signal: run.signal, stdout, stderr: run.stderr.toString(), response };
}

/** `readcache serve`: answers come back in the order of the requests. */
export class Engine {
	#waiting = [];
	#pending = [];
	#exit;

	constructor({ args = ["serve"], env } = {}) {
		this.stderr = "";
		this.child = spawn(binary(), args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
		this.child.stderr.on("data", (chunk) => (this.stderr += chunk));
		this.child.stdin.on("error", () => {}); // a dead child is reported by its exit
		this.child.stdout.on("data", (chunk) => this.#receive(chunk));
		this.#exit = new Promise((done) => {
			this.child.on("close", (code, signal) => {
				for (const { reject } of this.#waiting.splice(0))
					reject(new Error(`the engine ended (${signal ?? code}): ${this.stderr}`));
				done({ code, signal });
			});
		});
	}

	#receive(chunk) {
		let from = 0;
		for (let at; (at = chunk.indexOf(10, from)) !== -1; from = at + 1) {
			const line = Buffer.concat([...this.#pending.splice(0), chunk.subarray(from, at)]).toString();
			this.#waiting.shift()?.resolve(line);
		}
		if (from < chunk.length) this.#pending.push(chunk.subarray(from));
	}

	/** Send one line as it is; gives the response line. */
	line(text) {
		return new Promise((resolve, reject) => {
			this.#waiting.push({ resolve, reject });
			this.child.stdin.write(text + "\n");
		});
	}

	/**
	 * The same, when all that comes of it is done: what the engine keeps it keeps when the answer is out, and a blank
	 * line is refused only after that.
	 */
	async settled(text) {
		return (await Promise.all([this.line(text), this.line("")]))[0];
	}

	async request(value) {
		return JSON.parse(await this.settled(JSON.stringify(value)));
	}

	/** End of input; gives {code, signal}. */
	close() {
		this.child.stdin.end();
		return this.#exit;
	}
}
