// A random walk through a session: files change, the model reads and edits, the user moves about, other extensions take
// texts away, pi ends and begins again, with us or without us, here or in another directory. Only the oracle judges.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Rng } from "../../history/rng.mjs";
import { Caller } from "./calls.mjs";
import { same } from "./expect.mjs";
import { usage } from "./provider.mjs";
import { Tally } from "./tally.mjs";
import { Objection } from "./world.mjs";

const MEDDLING = ["rewrite-result", "drop-details", "rewrite-message", "omit", "replace", "compact"];
const FOREIGN = /^\[(meddler|pruner|dedup): /;
const OURS = ["readcache", "driver", "meddler", "slow"];
const MANY_ENTRIES = 250;
const KEPT = [1, 200, 1000]; // tokens behind a compaction

/** Who is there from one start of pi to its end. */
const COMPANIES = {
	alone: { weight: 4, extensions: OURS },
	pruner: { weight: 3, extensions: ["pruner", ...OURS] },
	prunerAfter: { weight: 1, extensions: [...OURS, "pruner"] },
	dedup: { weight: 2, extensions: ["dedup", ...OURS] },
	dedupAfter: { weight: 2, extensions: [...OURS, "dedup"] },
	dedupBare: { weight: 1, extensions: ["dedup", ...OURS], env: { E2E_DEDUP_BARE: "1" } },
	caller: { weight: 2, extensions: ["caller", ...OURS] },
	callerAfter: { weight: 1, extensions: [...OURS, "caller"] },
	annotator: { weight: 1, extensions: ["dedup", "annotator", ...OURS] },
	annotatorBlock: { weight: 1, extensions: ["pruner", "annotator", ...OURS], env: { E2E_ANNOTATE: "block" } },
	dedupLast: { weight: 1, extensions: [...OURS, "dedup"], env: { E2E_DEDUP: "context_with_system" } },
	dedupPayload: { weight: 2, extensions: ["dedup", ...OURS], env: { E2E_DEDUP: "payload" } },
	off: { weight: 1, extensions: OURS, env: { READCACHE_MODE: "off" } },
	without: { weight: 1, extensions: OURS.filter((name) => name !== "readcache") },
};

export class Walker {
	#lost = new Set(); // calls before the store was lost

	/** COMPANY: who is there all the time; else it changes. QUIET: see calls.mjs. */
	constructor(world, seed, { company, quiet, policy } = {}) {
		if (policy) world.choosePolicy(policy);
		Object.assign(this, { world, seed, always: company });
		this.rng = new Rng(seed);
		this.sessions = new Map(); // file -> the directory it is of
		this.log = [];
		this.stories = [];
		world.tally = new Tally(true);
		world.foreign.push(FOREIGN);
		world.lost = (id) => this.#lost.has(id) || world.provider.calls.get(id)?.cwd !== world.cwd;
		this.directories = [world.sandbox.work, join(world.sandbox.root, "other")];
		mkdirSync(this.directories[1]);
		this.caller = new Caller(world, this.rng, { log: this.log, directories: this.directories, quiet });
	}

	async start() {
		await this.#start({});
	}

	/**
	 * As many STEPS, or until the provider has received so many REQUESTS; PROGRESS is told of every thousand. Throws what
	 * the oracle has found.
	 */
	async walk({ steps, requests = Infinity, progress = () => {} }) {
		const { counts, reports } = this.world.tally;
		let thousands = 0;
		for (let i = 0; i < steps && counts.requests < requests; i++) {
			const told = reports.length;
			await this.step();
			const { provider } = this.world;
			same([provider.problems, provider.left], [[], 0], "the provider was asked for all turns and nothing else");
			provider.letGo();
			if (Math.floor(counts.requests / 1000) > thousands) progress(`${this.world.tally}`);
			thousands = Math.floor(counts.requests / 1000);
			if (reports.length > told && told < 3) this.stories.push(`step ${i} (${this.company}):`, ...this.log.slice(-25));
			if (this.log.length > 200) this.log.splice(0, 100);
		}
		if (reports.length > 0) throw new Objection(`${this.world.tally}\n${reports.slice(0, 10).join("\n")}`);
	}

	/** The latest steps, and those before the first objections. */
	story() {
		const last = this.stories.length > 0 ? this.stories : this.log.slice(-30);
		return `the steps (seed ${this.seed}):\n${last.join("\n")}`;
	}

	/** One random step. */
	async step() {
		const { off, extensions } = this;
		const name = this.rng.weighted({
			write: 14,
			read: 20,
			run: 20,
			meddle: 5,
			navigate: 6,
			compact: 2,
			fork: 2,
			switchSession: 2,
			restart: 2,
			lose: 0.5,
			...(off ? {} : { refresh: 4 }),
			...(extensions.includes("pruner") ? { prune: 10 } : {}),
			...(extensions.includes("dedup") ? { dedup: 3 } : {}),
			...(extensions.includes("caller") ? { forget: 8 } : {}),
		});
		this.log.push(name);
		await this[name]();
		if (this.world.entries > MANY_ENTRIES) await this.world.pi.ask("new_session");
	}

	write() {
		this.caller.write();
	}

	/** The host compacts by what it is told of the context's size, mostly before the calls' results leave. */
	#turn() {
		const [writes, full] = [this.rng.chance(0.4), this.rng.chance(0.1)];
		return () => {
			if (writes) this.caller.write();
			if (full) this.log.push("  the context is full");
			return { ...this.caller.turn(), ...(full ? { usage: usage(127500) } : {}) };
		};
	}

	read() {
		return this.world.prompt(this.#turn());
	}

	run() {
		return this.world.prompt(...Array.from({ length: this.rng.from(2, 10) }, () => this.#turn()));
	}

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

	async dedup() {
		const how = this.rng.pick(["on", "on", "off"]);
		this.log.push(`  ${how}`);
		await this.world.pi.command(`/e2e-dedup ${how}`);
	}

	/** Something happens to one of the model's own calls on the way to the provider. */
	async forget() {
		const { callerAfter } = COMPANIES;
		const ways = { strip: 2, cut: 2, drop: 2, swap: 1, twice: 1, decoy: 1, last: 1, nothing: 4 };
		const how = this.rng.weighted(ways);
		// What comes after us in the request itself is seen by nobody.
		const where = this.extensions !== callerAfter.extensions && how !== "nothing" && this.rng.chance(0.5) ? "request-" : "";
		const number = this.rng.below(6);
		this.log.push(`  ${where}${how} ${number}`);
		await this.world.pi.command(`/e2e-calls ${where}${how} ${number}`);
	}

	async refresh() {
		const { path, offset, limit } = this.caller.ask();
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

	/** The present session's file, if there is one by now. */
	async #noteSession() {
		const file = await this.world.sessionFile();
		if (!file || !existsSync(file)) return undefined;
		this.sessions.set(file, this.world.cwd);
		return file;
	}

	async switchSession() {
		await this.#noteSession();
		const here = [...this.sessions].filter(([, directory]) => directory === this.world.cwd).map(([file]) => file);
		if (this.rng.chance(0.2) || here.length === 0) await this.world.pi.ask("new_session");
		else await this.world.pi.ask("switch_session", { sessionPath: this.rng.pick(here.slice(-20)) });
	}

	/** The store's objects are gone, as after a clean-up. */
	lose() {
		for (const id of this.world.provider.calls.keys()) this.#lost.add(id);
		rmSync(join(this.world.cwd, ".pi/readcache/objects"), { recursive: true, force: true });
	}

	/** pi ends and begins again; perhaps as a fork in the other directory, perhaps in other company. */
	async restart() {
		const file = await this.#noteSession();
		const { cwd } = this.world;
		if (this.rng.chance(0.5)) await this.world.stop();
		else await this.world.crash();
		if (file === undefined) return this.#start({ cwd });
		if (this.rng.chance(0.6)) return this.#start({ args: ["--session", file], cwd });
		return this.#start({ args: ["--fork", file], cwd: this.rng.pick(this.directories) });
	}

	async #start(options) {
		const weights = Object.fromEntries(Object.entries(COMPANIES).map(([name, { weight }]) => [name, weight]));
		const name = this.always ?? this.rng.weighted(weights);
		const { extensions, env } = COMPANIES[name];
		this.log.push(`start (${name}) ${options.args?.[0] ?? ""} ${options.cwd ?? ""}`);
		Object.assign(this, { extensions, company: name });
		// Where calls are doubled or moved, the host itself makes up results.
		this.world.comparesEvery = extensions.includes("caller") ? Infinity : 10;
		this.world.sandbox.configure({ compaction: { keepRecentTokens: this.rng.pick(KEPT), reserveTokens: 1000 } });
		await this.world.start({ ...options, extensions, env });
		this.off = this.world.off;
	}
}
