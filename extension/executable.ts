/** Where the engine is, and whether it speaks our protocol. */
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve as resolvePath } from "node:path";
import { PROTOCOL } from "./protocol.ts";

/** Why there is no engine: a sentence for the user, what to do included. */
export class NoExecutable extends Error {}

/** Beside the package: packed with it, installed by `cmake --install`, or built in the checkout it lies in. */
const BESIDE = ["bin/readcache", "../../../bin/readcache", "../build/readcache"];

function canRun(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

/** The explicit one, and no other; else beside the package; else on PATH. */
export function findExecutable(explicit: string | undefined, packageDir: string, path: string | undefined): string {
	if (explicit !== undefined) {
		// Helpers are started in another directory: what is looked at here must be what runs there.
		if (canRun(explicit)) return resolvePath(explicit);
		throw new NoExecutable(`READCACHE_BIN is ${explicit}, which is no program that can be run.`);
	}
	const beside = BESIDE.map((file) => join(packageDir, file));
	// A relative entry of PATH would let the project decide what runs.
	const onPath = (path ?? "").split(delimiter).filter(isAbsolute).map((dir) => join(dir, "readcache"));
	const found = [...beside, ...onPath].find(canRun);
	if (found !== undefined) return found;
	throw new NoExecutable("The program readcache was not found. Install it, or set READCACHE_BIN to it.");
}

/** How long the words of a program that has left may be on the way. */
const DRAIN_MS = 250;

/** Ask the program for its version and refuse another protocol than ours. */
function checkExecutable(file: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const refuse = (why: string) => reject(new NoExecutable(`${file} cannot be used: ${why}`));
		const options = { timeout: timeoutMs, killSignal: "SIGKILL", cwd: "/", signal } as const;
		const child = execFile(file, ["--version"], options, (error, stdout) => {
			const said = /^readcache \S+ \(protocol (\d+)\)\s*$/.exec(stdout);
			if (error || said === null) refuse("it does not tell its version.");
			else if (Number(said[1]) !== PROTOCOL)
				refuse(`it speaks protocol ${said[1]}, this extension ${PROTOCOL}. Install the two together.`);
			else resolve();
		});
		// A child of its own may hold the pipes: do not wait for those.
		child.once("exit", () => setTimeout(() => refuse("it does not tell its version."), DRAIN_MS).unref());
	});
}

/** A program that was checked, and is checked again when another one has taken its place. */
export class Checked {
	#stamp: string | undefined;

	constructor(
		private readonly file: string,
		private readonly timeoutMs: number,
		private readonly signal: AbortSignal,
	) {}

	async check(): Promise<void> {
		const stamp = this.#look();
		if (stamp !== undefined && stamp === this.#stamp) return;
		await checkExecutable(this.file, this.timeoutMs, this.signal);
		this.#stamp = stamp;
	}

	#look(): string | undefined {
		try {
			const { dev, ino, size, mtimeMs, ctimeMs } = statSync(this.file);
			return [dev, ino, size, mtimeMs, ctimeMs].join();
		} catch {
			return undefined;
		}
	}
}
