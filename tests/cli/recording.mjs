// Sessions for the tests of the commands: a project in which a model reads, and what pi would have written of that.
//
// Every read is recorded twice: in `live` as the engine really answered it, with the session as it was then, and in
// `plain` as pi alone would have answered it.
import assert from "node:assert/strict";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../lib/session.mjs";

/** A file of COUNT lines that are long enough for a diff to be worth it. */
export const lines = (count, word = "line") =>
	Array.from({ length: count }, (_, i) => `${word} number ${i + 1} of a file that somebody reads\n`).join("");

/** TEXT with line NUMBER changed. */
export function changeLine(text, number, to = "changed") {
	const all = text.split("\n");
	all[number - 1] = to;
	return all.join("\n");
}

export const bytes = (text) => Buffer.byteLength(text);

export class Recording {
	constructor(context, name = "project", { policy } = {}) {
		this.context = context;
		this.policy = policy; // undefined: the default
		this.cwd = join(realpathSync(context.dir), name);
		mkdirSync(this.cwd);
		this.live = new Session();
		this.plain = new Session();
		this.reads = []; // {path, mode, baselineBytes, servedBytes} as they really were
		this.count = 0;
	}

	write(name, text) {
		writeFileSync(join(this.cwd, name), text);
	}

	unlink(name) {
		rmSync(join(this.cwd, name));
	}

	/** One request of the protocol. */
	ask(request) {
		const input = JSON.stringify({ v: 1, cwd: this.cwd, policy: this.policy, ...request });
		const { stdout } = this.context.run([], { cwd: this.cwd, input });
		return JSON.parse(stdout);
	}

	/** The same to both sessions; gives the entry's id, which is the same in both. */
	both(append) {
		const [a, b] = [append(this.live), append(this.plain)];
		assert.equal(a.id, b.id);
		return a.id;
	}

	user(text = "Go on.") {
		return this.both((session) => session.user(text));
	}

	compact() {
		return this.both((session) => session.compaction(this.live.entries[0].id));
	}

	edit(target, replacement = null) {
		return this.both((session) => session.contextEdit(target, replacement));
	}

	navigate(id) {
		this.live.navigate(id);
		this.plain.navigate(id);
	}

	refresh(params) {
		const { entry } = this.ask({ op: "refresh", params });
		return this.both((session) => session.custom(entry));
	}

	/** Calls of one assistant message, which do not see each other's results; gives the ids of their results. */
	batch(list, { stopReason = "toolUse" } = {}) {
		const calls = list.map((args) => ({ args, id: `call_${++this.count}` }));
		const content = calls.map(({ args, id }) => ({ type: "toolCall", id, name: "read", arguments: args }));
		const message = { role: "assistant", content, stopReason };
		this.asked = this.both((session) => session.append({ type: "message", message }));
		const answers = calls.map(({ args, id }) => {
			const session = this.live.inline();
			const live = this.ask({ op: "read", params: args, session, toolCallId: id });
			const plain = this.ask({ op: "read", params: { ...args, bypass_cache: true } });
			assert.ok(live.result, JSON.stringify(live));
			return { id, args, live, plain };
		});
		return answers.map((answer) => this.#store(answer));
	}

	#store({ id, args, live, plain }) {
		const { mode, baselineBytes, servedBytes } = live.decision;
		this.reads.push({ path: args.path, mode, baselineBytes, servedBytes });
		const { truncation } = plain.result.details ?? {};
		const host = { content: plain.result.content, ...(truncation ? { details: { truncation } } : {}) };
		const stored = this.live.result(live.result, id);
		assert.equal(this.plain.result(host, id).id, stored.id);
		return stored.id;
	}

	/** One read; gives the id of its result. */
	read(path, range = {}) {
		const [id] = this.batch([{ path, ...range }]);
		return id;
	}

	/** What the last read gave. */
	get last() {
		return this.reads.at(-1);
	}

	/** Write the session file; gives its path. */
	save(which = "live", name = `${which}.jsonl`) {
		const file = join(this.cwd, "..", name);
		this[which].save(file, this.cwd);
		return file;
	}

	/** The sums of what really was served. */
	sums(reads = this.reads) {
		const sum = { reads: reads.length, baselineBytes: 0, servedBytes: 0, modes: {} };
		for (const { mode, baselineBytes, servedBytes } of reads) {
			sum.baselineBytes += baselineBytes;
			sum.servedBytes += servedBytes;
			sum.modes[mode] = (sum.modes[mode] ?? 0) + 1;
		}
		return sum;
	}
}

/** What a run printed as JSON; it has to end with STATUS and say nothing else. */
export function parsed(run, status = 0) {
	assert.equal(run.stderr, "");
	assert.equal(run.status, status, run.stdout);
	assert.ok(run.stdout.endsWith("\n"), "a line");
	assert.equal(run.stdout.trimEnd().includes("\n"), false, "one line");
	return JSON.parse(run.stdout);
}

/** No byte of OUTPUT may be taken for a command by a terminal. */
export function harmless(output) {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
	assert.doesNotMatch(output, /[\x00-\x08\x0b-\x1f\x7f]/);
}
