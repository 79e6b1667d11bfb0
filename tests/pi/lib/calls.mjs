// Random calls of a model: reads, and batches in which other calls change the file that is read.
import { join } from "node:path";
import { lines } from "./texts.mjs";

const LENGTHS = { "a.txt": 30, "b.txt": 60, "long.txt": 2300 };

export class Caller {
	#count = 0;
	#olds = new Map(); // path -> the texts it had

	/**
	 * LOG gets a line for what is done; DIRECTORIES have the same files, with other texts. QUIET: no command changes a file
	 * while it may be read.
	 */
	constructor(world, rng, { log, directories, quiet = false }) {
		Object.assign(this, { world, rng, log, directories, quiet });
		for (const [i, directory] of directories.entries()) {
			for (const [name, count] of Object.entries(LENGTHS)) this.#write(join(directory, name), lines(count, `${name}${i}`));
			world.ledger.link(join(directory, "link.txt"), join(directory, "a.txt"));
		}
	}

	#write(path, text) {
		if (!this.#olds.has(path)) this.#olds.set(path, []);
		this.#olds.get(path).push(text);
		this.world.write(path, text);
	}

	#text(path) {
		return this.world.ledger.latest(path)?.toString() ?? "";
	}

	/** A file, mostly of the directory where pi is. */
	#path(names = { "a.txt": 5, "b.txt": 4, "long.txt": 2 }) {
		const directory = this.rng.chance(0.9) ? this.world.cwd : this.rng.pick(this.directories);
		return join(directory, this.rng.weighted(names));
	}

	/** How a call may name the file at PATH. */
	#spell(path) {
		const name = path.slice(path.lastIndexOf("/") + 1);
		if (!path.startsWith(`${this.world.cwd}/`)) return path;
		const ways = { [name]: 12, [`./${name}`]: 2, [path]: 2, ...(name === "a.txt" ? { "link.txt": 2 } : {}) };
		return this.rng.weighted(ways);
	}

	/** Another text for the file at PATH: a line changed, or one of those it had. */
	#another(path) {
		const all = this.#text(path).split("\n");
		const at = this.rng.below(all.length);
		const fresh = `new ${this.rng.below(1000)}`;
		const how = this.rng.weighted({ change: 5, insert: 2, remove: 2, back: 2, final: 1 });
		if (how === "change") all[at] = fresh;
		if (how === "insert") all.splice(at, 0, fresh);
		if (how === "remove") all.splice(at, 1);
		if (how === "final") all.push(all.pop() === "" ? "no newline" : "");
		const text = how === "back" ? this.rng.pick(this.#olds.get(path)) : all.join("\n");
		this.log.push(`  ${how} line ${at + 1} of ${path}`);
		return text || "one line";
	}

	/** Somebody else changes a file. */
	write() {
		const path = this.#path();
		this.#write(path, this.#another(path));
	}

	/** Arguments of a read of PATH: whole, a range, by suffix, or from where a cut one ended. */
	ask(path = this.#path()) {
		const spelled = this.#spell(path);
		const count = this.#text(path).split("\n").length;
		const offset = 1 + this.rng.below(count);
		const limit = 1 + this.rng.below(8);
		const how = this.rng.weighted({ whole: 6, range: 3, suffix: 1, rest: 1, fixed: 3 });
		if (how === "whole") return { path: spelled };
		if (how === "range") return { path: spelled, offset, limit };
		if (how === "suffix") return { path: `${spelled}:${offset}-${offset + limit}` };
		if (how === "rest") return { path: spelled, offset: Math.min(2001, count) };
		return { path: spelled, offset: 3, limit: 4 };
	}

	/** A line for another one, which may be there no longer when the edit is made. */
	#edit(path) {
		const line = this.rng.pick(this.#text(path).split("\n").slice(1, -1)) ?? "none";
		const newText = `\nedited ${this.rng.below(1000)}\n`;
		return { name: "edit", args: { path: this.#spell(path), edits: [{ oldText: `\n${line}\n`, newText }] } };
	}

	/** Some lines for others, once or twice in a file. */
	#edits(path) {
		const all = this.#text(path).split("\n");
		const edits = [];
		for (let at = this.rng.below(all.length); at < all.length - 1 && edits.length < 2; at += 2 + this.rng.below(all.length)) {
			const count = this.rng.from(1, 3);
			const olds = all.slice(at, Math.min(at + count, all.length - 1));
			const news = Array.from({ length: this.rng.below(4) }, () => `edited ${this.rng.below(1000)}`);
			const kept = this.rng.chance(0.3) ? [olds[0]] : [];
			edits.push({ oldText: `${olds.join("\n")}\n`, newText: [...kept, ...news].map((line) => `${line}\n`).join("") });
			at += count;
		}
		return { name: "edit", args: { path: this.#spell(path), edits: edits.length > 0 ? edits : [{ oldText: "nowhere", newText: "" }] } };
	}

	/** The model changes a file, and nothing runs beside that. */
	#own() {
		const path = this.#path();
		if (this.rng.chance(0.3)) return [{ name: "write", args: { path: this.#spell(path), content: this.#another(path) } }];
		return [this.rng.chance(0.3) ? this.#edit(path) : this.#edits(path)];
	}

	/** A new file takes the place of the old one at once: nobody finds a half of it. */
	#bash(path) {
		const to = this.#another(path);
		const part = `${path}.${++this.#count}`;
		const command = `printf %s '${to}' >'${part}' && mv '${part}' '${path}'`;
		return { name: "bash", args: { command }, changes: { path, to } };
	}

	#call(path) {
		const how = this.rng.weighted({ read: 9, edit: 4, write: 3, bash: this.quiet ? 0 : 3, other: 1 });
		if (how === "edit") return this.#edit(path);
		if (how === "write") return { name: "write", args: { path: this.#spell(path), content: this.#another(path) } };
		if (how === "bash") return this.#bash(path);
		return { name: "read", args: how === "read" ? this.ask(path) : this.ask() };
	}

	/** Calls of any kind, in any order, most of them of one file. */
	#mixed() {
		const path = this.#path({ "a.txt": 3, "b.txt": 2 });
		return Array.from({ length: this.rng.from(2, 5) }, () => this.#call(path));
	}

	#reads() {
		const count = this.rng.weighted({ 1: 6, 2: 2, 3: 1 });
		return Array.from({ length: count }, () => ({ name: "read", args: this.ask() }));
	}

	/** A turn of the model. */
	turn() {
		const how = this.rng.weighted({ mixed: 5, own: 5, reads: 11 });
		const calls = how === "mixed" ? this.#mixed() : how === "own" ? this.#own() : this.#reads();
		const [{ args }] = calls;
		if (this.rng.chance(0.1)) calls.splice(this.rng.below(calls.length + 1), 0, { name: "slow", args: { ms: 1 } });
		const refresh = { name: "readcache_refresh", args: { path: args.path ?? "a.txt" } };
		if (!this.world.off && this.rng.chance(0.04)) calls.unshift(refresh);
		const say = ({ path, command, offset, limit }) => [path ?? command?.slice(-20), offset, limit];
		this.log.push(`  ${JSON.stringify(calls.map((call) => [call.name, ...say(call.args)]))}`);
		return { calls };
	}
}
