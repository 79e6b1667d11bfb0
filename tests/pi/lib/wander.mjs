// A random walk through a session: files change, the model reads, the user moves about. Only the oracle judges.
import { existsSync } from "node:fs";
import { Rng } from "../../history/rng.mjs";
import { reads, usage } from "./provider.mjs";
import { lines } from "./texts.mjs";

const MEDDLING = ["rewrite-result", "drop-details", "rewrite-message", "omit", "replace", "compact"];
const LENGTHS = { "a.txt": 30, "b.txt": 60, "long.txt": 2300 };
const EXTENSIONS = ["readcache", "driver", "meddler", "slow"];

export class Walker {
	/** PRUNED: there is somebody who takes texts away after they were shown. */
	constructor(world, seed, { pruned = false } = {}) {
		this.world = world;
		this.extensions = pruned ? ["pruner", ...EXTENSIONS] : EXTENSIONS;
		world.pruned = pruned;
		this.rng = new Rng(seed);
		this.files = new Map();
		this.olds = new Map(Object.keys(LENGTHS).map((name) => [name, []]));
		this.sessions = new Set();
		this.log = [];
	}

	async start() {
		this.world.foreign.push(/^\[(meddler|pruner): /);
		for (const [name, count] of Object.entries(LENGTHS)) this.#write(name, lines(count, name));
		await this.world.start({ extensions: this.extensions });
	}

	/** One random step. */
	async step() {
		const actions = {
			write: 14,
			read: 30,
			run: 8,
			meddle: 5,
			refresh: 4,
			navigate: 6,
			compact: 2,
			fork: 2,
			switchSession: 2,
			restart: 1,
			...(this.world.pruned ? { prune: 8 } : {}),
		};
		const name = this.rng.weighted(actions);
		this.log.push(name);
		await this[name]();
	}

	#write(name, text) {
		this.files.set(name, text);
		this.olds.get(name).push(text);
		this.world.write(name, text);
	}

	write() {
		const name = this.rng.pick([...this.files.keys()]);
		const all = this.files.get(name).split("\n");
		const at = this.rng.below(all.length);
		const fresh = `${name} new ${this.rng.below(1000)}`;
		const how = this.rng.weighted({ change: 5, insert: 2, remove: 2, back: 2, final: 1 });
		if (how === "change") all[at] = fresh;
		if (how === "insert") all.splice(at, 0, fresh);
		if (how === "remove") all.splice(at, 1);
		if (how === "final") all.push(all.pop() === "" ? "no newline" : "");
		const text = how === "back" ? this.rng.pick(this.olds.get(name)) : all.join("\n");
		this.log.push(`  ${how} line ${at + 1} of ${name}`);
		this.#write(name, text || "one line");
	}

	/** Arguments of a read: whole, a range, by suffix, or from where a cut one ended. */
	#ask() {
		const path = this.rng.weighted({ "a.txt": 5, "b.txt": 4, "long.txt": 2 });
		const count = this.files.get(path).split("\n").length;
		const offset = 1 + this.rng.below(count);
		const limit = 1 + this.rng.below(8);
		const how = this.rng.weighted({ whole: 6, range: 3, suffix: 1, rest: 1, fixed: 3 });
		if (how === "whole") return { path };
		if (how === "range") return { path, offset, limit };
		if (how === "suffix") return { path: `${path}:${offset}-${offset + limit}` };
		if (how === "rest") return { path, offset: Math.min(2001, count) };
		return { path, offset: 3, limit: 4 };
	}

	#batch() {
		const asks = Array.from({ length: this.rng.weighted({ 1: 6, 2: 2, 3: 1 }) }, () => this.#ask());
		const { calls } = reads(...asks);
		if (this.rng.chance(0.1)) calls.unshift({ name: "slow", args: { ms: 1 } });
		if (this.rng.chance(0.05)) calls.unshift({ name: "readcache_refresh", args: asks[0] });
		this.log.push(`  ${JSON.stringify(calls.map(({ name, args }) => [name, args]))}`);
		return { calls };
	}

	read() {
		return this.world.prompt(this.#batch());
	}

	/** Several turns, perhaps with writes between them and a compaction in the middle. */
	run() {
		const turns = Array.from({ length: this.rng.from(2, 4) }, () => {
			const writes = this.rng.chance(0.4);
			const full = this.rng.chance(0.15);
			return () => {
				if (writes) this.write();
				return { ...this.#batch(), ...(full ? { usage: usage(this.contextWindow - 500) } : {}) };
			};
		});
		return this.world.prompt(...turns);
	}

	contextWindow = 128000;

	async meddle() {
		const kind = this.rng.pick(MEDDLING);
		this.log.push(`  ${kind}`);
		await this.world.pi.command(`/e2e-meddle ${kind}`);
		await this.read();
	}

	async prune() {
		const how = this.rng.weighted({ hide: 4, show: 2, write: 2, omit: 1 });
		const every = this.rng.from(1, 4);
		this.log.push(`  ${how} ${every}`);
		await this.world.pi.command(`/e2e-prune ${how} ${every} ${this.rng.below(every)}`);
	}

	async refresh() {
		const { path, offset, limit } = this.#ask();
		const range = offset === undefined ? "" : ` ${offset}-${offset + (limit ?? 1) - 1}`;
		this.log.push(`  ${path}${range}`);
		await this.world.pi.command(`/readcache-refresh "${path}"${range}`);
	}

	async navigate() {
		const { entries } = await this.world.pi.ask("get_entries");
		if (entries.length === 0) return;
		const { id, type, message } = this.rng.pick(entries);
		this.log.push(`  to ${type} ${message?.role ?? ""}`);
		await this.world.navigate(id);
	}

	/** It may refuse: too little to compact. */
	async compact() {
		await this.world.pi.send("compact");
	}

	async fork() {
		await this.#noteSession();
		const { messages } = await this.world.pi.ask("get_fork_messages");
		if (messages.length === 0 || this.rng.chance(0.3)) await this.world.pi.send("clone");
		else await this.world.pi.ask("fork", { entryId: this.rng.pick(messages).entryId });
	}

	async #noteSession() {
		const file = await this.world.sessionFile();
		if (file && existsSync(file)) this.sessions.add(file);
	}

	async switchSession() {
		await this.#noteSession();
		if (this.rng.chance(0.2) || this.sessions.size === 0) await this.world.pi.ask("new_session");
		else await this.world.pi.ask("switch_session", { sessionPath: this.rng.pick([...this.sessions]) });
	}

	async restart() {
		await this.#noteSession();
		const file = await this.world.sessionFile();
		if (this.rng.chance(0.5)) await this.world.stop();
		else await this.world.crash();
		await this.world.start({ extensions: this.extensions, args: existsSync(file) ? ["--session", file] : [] });
	}
}
