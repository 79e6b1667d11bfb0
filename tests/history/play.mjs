// What the fixed histories are played with: a file or two, and what a host, a model and others do, in few words.
import { linkSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeAsk } from "./asks.mjs";
import { parseCompact } from "./grammar.mjs";
import { ownMessage } from "./own.mjs";
import { childOf } from "./places.mjs";
import { Unsupported } from "./report.mjs";
import { Rng } from "./rng.mjs";
import { playMessage } from "./siblings.mjs";
import { writeSession } from "./wire.mjs";

export const OLD = Array.from({ length: 40 }, (_, i) => `line ${i + 1} of the old text`);
export const NEW = OLD.map((line, i) => (i === 11 ? "line 12 is new" : line));
export const R = { offset: 10, limit: 6 };
export const OVERLAPPING = { offset: 12, limit: 9 };
// Two pages: the host shows 2000 lines at once.
export const BIG = Array.from({ length: 2600 }, (_, i) => `line ${i + 1}`);
export const REST = { offset: 2001 };

/** LINES with other texts: {number: text}. */
export const changed = (lines, texts) => lines.map((line, i) => texts[i + 1] ?? line);

/** What a case needs of a history, in few words. */
export class Play {
	constructor(history) {
		this.history = history;
		this.rng = new Rng(1);
		Object.assign(history.bill, { base: 40, gaps: 0, noise: 0, switches: 0 });
	}

	path(name) {
		return join(this.history.world.cwd, name);
	}

	write(lines, name = "a.txt") {
		this.history.world.write(this.path(name), Buffer.from(lines.join("\n"))); // no final newline
	}

	spoil(name = "a.txt") {
		this.history.world.write(this.path(name), Buffer.from([0x61, 0xff, 0x0a]));
	}

	link(name, target) {
		rmSync(this.path(name), { force: true });
		symlinkSync(target, this.path(name));
	}

	read(range = {}, name = "a.txt", billed = undefined) {
		return this.history.read(makeAsk(name, name, range), this.rng, undefined, billed);
	}

	omit(entry) {
		this.history.session.contextEdit(entry.id);
	}

	replaceInContext(entry, text) {
		this.history.session.contextEdit(entry.id, [{ type: "text", text }]);
	}

	rewrite(entry, content) {
		this.history.replace(entry, { ...entry, message: { ...entry.message, content } });
	}

	strip(entry) {
		const { textHash, textBytes, name, ...rest } = entry.message.details.readcache;
		this.history.replace(entry, { ...entry, message: { ...entry.message, details: { readcache: rest } } });
	}

	forge(entry, changes) {
		const { textHash, textBytes, baseHash, ...rest } = entry.message.details.readcache;
		const details = { ...entry.message.details, readcache: { ...rest, ...changes } };
		this.history.replace(entry, { ...entry, message: { ...entry.message, details } });
	}

	bare(entry) {
		this.history.replace(entry, { ...entry, message: { ...entry.message, details: {} } });
		this.history.calls.get(entry.message.toolCallId).bare = true;
	}

	/** The model's message was not finished; the host does not send it again. */
	abort(entry) {
		const { entries } = this.history.session;
		const call = entries.find(({ message }) => message?.role === "assistant" && message.content.some(({ id }) => id === entry.message.toolCallId));
		this.history.replace(call, { ...call, message: { ...call.message, stopReason: "aborted" } });
	}

	edit(isError, name = "a.txt") {
		return this.history.edit(name, name, isError, this.rng);
	}

	/** The model's own call, done as the host does it; gives its result. */
	own(tool, args, name = "a.txt") {
		ownMessage(this.history, [{ id: this.history.newCall(), tool, name, args: { path: name, ...args }, what: tool }], this.rng);
		return this.result("last-own");
	}

	/** The "last" result, or the last one of the model's own calls. */
	result(which) {
		const results = this.history.session.branch().filter(({ message }) => message?.role === "toolResult");
		return results.findLast(({ message }) => which === "last" || this.history.befores.has(message.toolCallId));
	}

	/** The message that asked for it. */
	callOf(which) {
		const { toolCallId } = this.result(which).message;
		return this.history.session.branch().find(({ message }) => message?.role === "assistant" && message.content.some(({ id }) => id === toolCallId));
	}

	/** A read whose answer must have that FORM, under the policy pieces. */
	async says(form, range, name = "a.txt") {
		const entry = await this.read(range, name);
		const said = parseCompact(entry.message.content[0].text);
		if (this.history.policy === "pieces") this.#demand(form, said?.form ?? said?.kind, { range, name, entry });
		return entry;
	}

	refresh(scopeKey, name = "a.txt") {
		const data = { v: 1, kind: "invalidate", pathKey: this.path(name), scopeKey, at: 1 };
		this.history.session.custom({ customType: "pi-readcache", data });
	}

	// --- at the moment of use

	/** A read that must have that MODE: what is careful for no reason is wrong too. */
	async expect(mode, range, name = "a.txt") {
		const entry = await this.read(range, name);
		return this.#demand(mode, entry.message.details?.readcache?.mode, { range, name, entry });
	}

	#demand(mode, given, { range, name, entry }) {
		if (given === mode) return entry;
		const ask = makeAsk(name, name, range);
		throw new Unsupported({ wrong: [["expect", `${given} instead of ${mode}`]], ask, response: entry?.message ?? {}, policy: this.history.policy, history: this.history });
	}

	hardLink(name, target) {
		linkSync(this.path(target), this.path(name));
	}

	/** A call beside a read. TARGET is the file that it is really about, DOES what it does to it. */
	call(tool, args, { target = "a.txt", named = target, does = () => this.write(NEW, target), fails } = {}) {
		const known = target !== undefined && (tool === "edit" || tool === "write");
		return { id: this.history.newCall(), tool, args, what: `${tool} ${JSON.stringify(args)}`, touches: target, fails, does, target: known ? this.path(target) : undefined, named: this.path(named) };
	}

	/** A read among the calls of a message. */
	ask(range = {}, name = "a.txt") {
		return { id: this.history.newCall(), ask: makeAsk(name, name, range) };
	}

	/** A message with CALLS, done in their order; the results are stored behind all of them, or each at once. */
	async message(calls, { atOnce = false } = {}) {
		await playMessage(this.history, calls, { oneByOne: true, atOnce }, this.rng);
		return calls;
	}

	/** The text of ENTRIES is taken away without a record; then RANGE is read, and the bill of that message tells. */
	lose(entries, range, between = () => {}) {
		between();
		const callId = this.history.newCall();
		const dropped = new Set(entries.map(({ message }) => message.toolCallId));
		const billed = this.history.bill.lose(this.history, { witness: callId, dropped }, this.rng);
		if (!billed) throw new Error("the bill does not tell the loss");
		return this.history.read(makeAsk("a.txt", "a.txt", range), this.rng, callId, billed);
	}

	/** Every object of the store gets another text. */
	damage() {
		const objects = join(this.history.storeDir(), "objects");
		this.history.expansions.harm(this.history.world.contents.keys());
		for (const name of readdirSync(objects)) writeFileSync(join(objects, name), "another text");
	}

	/** The model says something; BILLED are the fields of its message. */
	say(billed) {
		this.history.assistant([{ type: "text", text: `so far ${this.history.newCall()}` }], this.rng, { stopReason: "stop", ...billed });
	}

	/** The same, with the bill of all that is sent now. */
	bill() {
		this.say(this.history.bill.next(this.history, this.rng));
	}

	/** The session is forked into another directory, where files of the same names may be. LOST: nobody can tell from where. */
	fork(lost = false) {
		const { history } = this;
		const file = history.sessionFile();
		writeSession(history.session, file);
		const cwd = history.world.place("else");
		const child = childOf(history.session, history.session.branch().at(-1), { cwd, file: lost ? `${file}.gone` : file });
		history.sessions.push(Object.assign(child, { parentLost: lost }));
		history.world.places.set(cwd, {});
		history.enter(child);
	}
}
