// Somebody who uses pi and knows nothing of this checkout: no READCACHE_BIN, no readcache on PATH, no -e.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cli, node22 } from "../host/paths.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import { same } from "./lib/expect.mjs";
import { Provider, reads, toolTexts } from "./lib/provider.mjs";
import { Sandbox } from "./lib/sandbox.mjs";

/** Run a program to its end without blocking this process, in which the scripted provider lives. */
export function run(command, args, options = {}) {
	const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], timeout: PATIENCE, ...options });
	const said = { stdout: "", stderr: "" };
	for (const name of Object.keys(said)) child[name].setEncoding("utf8").on("data", (part) => (said[name] += part));
	return new Promise((done, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) => {
			if (code === 0) return done(said);
			const all = said.stdout + said.stderr;
			return reject(new Error(`${[command, ...args].join(" ")}\nended with ${signal ?? code} and said\n${all}`));
		});
	});
}

export class User {
	/** A user of this version of pi. */
	static async arrive(version) {
		const user = new User();
		user.provider = await new Provider().start();
		user.sandbox = new Sandbox({ version, baseUrl: user.provider.baseUrl });
		const { READCACHE_BIN: _, ...others } = user.sandbox.env;
		user.env = { ...others, PATH: join(user.sandbox.root, "nothing-on-path") };
		mkdirSync(user.env.PATH);
		user.text = Array.from({ length: 40 }, (_, i) => `line ${i + 1} of a poem that is read twice\n`).join("");
		writeFileSync(join(user.sandbox.work, "poem.txt"), user.text);
		return user;
	}

	/** What is typed behind `pi`. */
	pi(...args) {
		const { sandbox, env } = this;
		return run(node22(), [cli(sandbox.version), ...args], { cwd: sandbox.work, env });
	}

	/** A session that reads the file twice; gives what the model got, and what the user saw on stderr. */
	async readTwice() {
		const { provider } = this;
		provider.play(reads({ path: "poem.txt" }), reads({ path: "poem.txt" }), { text: "Done." });
		const { stdout, stderr } = await this.pi("-p", "--offline", "--no-context-files", "Read it twice.");
		same(stdout, "Done.\n", "the answer of pi -p");
		same(provider.problems, [], "the provider's complaints");
		return { texts: [...toolTexts(provider.requests.at(-1)).values()], stderr };
	}

	/** The packages in pi's own settings. */
	packages() {
		return JSON.parse(readFileSync(join(this.sandbox.agent, "settings.json"), "utf8")).packages ?? [];
	}

	async leave() {
		await this.provider.close();
		this.sandbox.remove();
	}
}
