// The world of one case: a directory, a session as pi keeps it, and the executable.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Engine, oneshot } from "../lib/engine.mjs";
import { Session } from "../lib/session.mjs";
import { within } from "../lib/wait.mjs";
import { edited, editsOf } from "./edits.mjs";

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** How a request reaches the executable, and the session with it. */
export const ways = ["serve", "calls", "files"];

/** Lines FIRST to LAST of BYTES, counted as the host counts them; without LAST to the end. */
export function slice(bytes, first = 1, last = Infinity) {
	return bytes.toString("utf8").split("\n").slice(first - 1, last).join("\n");
}

/** RFC 7396: objects are merged, null removes. */
export function merge(target, patch) {
	if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
	const result = target !== null && typeof target === "object" && !Array.isArray(target) ? target : {};
	for (const [key, value] of Object.entries(patch)) {
		if (value === null) delete result[key];
		else result[key] = merge(result[key], value);
	}
	return result;
}

/** An expectation that was not met. */
export class Mismatch extends Error {
	constructor(what, expected, actual) {
		super(what);
		this.expected = expected;
		this.actual = actual;
	}
}

/** A line of the session file that is no entry. */
class Junk {
	constructor(text) {
		this.text = text;
	}
	toJSON() {
		return this.text;
	}
}

/** A session with damage: lines that cannot be read, forks with ids of their own. */
class CaseSession extends Session {
	constructor(name) {
		super();
		this.name = name;
		this.resumed = false;
	}

	append(entry) {
		const stored = super.append(entry);
		// A fork keeps the ids it copied, so its own ones must be others.
		if (this.name !== "main") stored.id = `${this.name}-${stored.id}`;
		this.leafId = stored.id;
		this.resumed = false;
		return stored;
	}

	navigate(entryId) {
		super.navigate(entryId);
		this.resumed = false;
	}

	find(id) {
		return this.entries.find((entry) => entry.id === id);
	}

	junk(text) {
		this.entries.push(new Junk(text));
	}

	damage(id, text) {
		this.entries[this.entries.indexOf(this.find(id))] = new Junk(text);
	}

	save(file, cwd, parentSession) {
		const field = super.save(file, cwd, parentSession);
		if (this.entries.some((entry) => entry instanceof Junk)) {
			const [header] = readFileSync(file, "utf8").split("\n");
			const lines = this.entries.map((entry) => (entry instanceof Junk ? entry.text : JSON.stringify(entry)));
			writeFileSync(file, [header, ...lines].map((line) => line + "\n").join(""));
		}
		// After a restart pi has no leaf but the last line.
		if (this.resumed) delete field.leafId;
		return field;
	}

	/** What another process knows of it: the entries, and the last one as the leaf. */
	resume() {
		this.entries = this.entries.map((entry) => (entry instanceof Junk ? entry : JSON.parse(JSON.stringify(entry))));
		this.leafId = this.entries.findLast((entry) => !(entry instanceof Junk))?.id ?? null;
		this.resumed = this.entries.length > 0 && !(this.entries.at(-1) instanceof Junk);
	}
}

export class World {
	#engine;
	#requests = 0;
	#calls = 0;

	constructor(directory, way) {
		mkdirSync(directory, { recursive: true });
		this.way = way;
		this.directory = realpathSync(directory);
		this.cwd = join(this.directory, "work");
		this.store = join(this.cwd, ".pi/readcache");
		this.sessionFile = join(this.directory, "session.jsonl");
		mkdirSync(this.cwd);
		this.versions = new Map(); // name -> bytes
		this.contents = new Map(); // hash -> bytes: everything that ever was a file's content
		this.sessions = new Map();
		this.marks = new Map(); // name -> entry id
		this.with = {}; // fields for the next request
		this.policy = "strict"; // of all requests from here on
		this.held = undefined; // results that are not stored yet
		this.beside = []; // calls that stand in the next read's message: {call, after, done}
		this.bill = undefined; // tokens and model of the next message of the model
		this.dirs = undefined; // where else calls were made, null: nobody knows
		this.lastCall = undefined; // entry of the latest read call
		this.lastResult = undefined; // entry of the latest read result
		this.answer = undefined; // the latest response
		this.transcript = []; // for the comparison of the ways
		this.open("main");
	}

	open(name) {
		if (!this.sessions.has(name)) this.sessions.set(name, new CaseSession(name));
		this.session = this.sessions.get(name);
	}

	fork(name) {
		const branch = this.session.branch();
		this.open(name);
		this.session.entries = structuredClone(branch);
		this.session.leafId = branch.at(-1)?.id ?? null;
	}

	path(name) {
		return resolve(this.cwd, name);
	}

	write(name, bytes) {
		mkdirSync(dirname(this.path(name)), { recursive: true });
		writeFileSync(this.path(name), bytes);
		this.contents.set(sha256(bytes), Buffer.from(bytes));
	}

	read(name) {
		return readFileSync(this.path(name));
	}

	/** The content called NAME: a version, or the file as it is. */
	content(name) {
		return this.versions.get(name) ?? this.read(name);
	}

	mark(name) {
		if (!this.marks.has(name)) throw new Error(`there is no mark "${name}"`);
		return this.marks.get(name);
	}

	object(name) {
		return join(this.store, "objects", `sha256-${sha256(this.content(name))}.txt`);
	}

	/** Names in a directory of the store; none if it is not there. */
	stored(directory) {
		const path = join(this.store, directory);
		return existsSync(path) ? readdirSync(path) : [];
	}

	/** Go on in another directory with a session forked from this one, as `pi --fork` does. */
	forkTo(directory, lost) {
		const parent = join(this.directory, "parent.jsonl");
		if (!lost) this.session.save(parent, this.cwd, this.parent);
		this.parent = lost ? join(this.directory, "gone.jsonl") : parent;
		this.dirs = [...(this.dirs ?? []), lost ? null : this.cwd];
		this.cwd = resolve(this.cwd, directory);
		mkdirSync(this.cwd, { recursive: true });
	}

	/** Put hash(..), path(..), id(..) and lines(..) into the strings of VALUE. */
	fill(value) {
		if (typeof value === "string")
			return value.replace(/\b(hash|path|id|lines)\(([^)]*)\)/g, (_, what, of) => {
				if (what === "hash") return sha256(this.content(of));
				if (what === "path") return this.path(of);
				if (what === "id") return this.mark(of);
				const [name, first, last] = of.split(/[ -]/);
				return slice(this.content(name), Number(first), Number(last));
			});
		if (Array.isArray(value)) return value.map((item) => this.fill(item));
		if (value === null || typeof value !== "object") return value;
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.fill(item)]));
	}

	/** A request as the host would make it now. */
	request(op, params) {
		this.#requests += 1;
		const request = { v: 1, id: this.#requests, op, cwd: this.cwd };
		if (op === "read") request.toolCallId = this.callId;
		if (params) request.params = params;
		request.policy = this.policy;
		request.session = this.way === "files" ? this.session.save(this.sessionFile, this.cwd, this.parent) : this.session.inline();
		if (this.dirs && this.way !== "files") request.session.dirs = this.dirs;
		if (this.held) request.overlay = this.held.flatMap(({ result }) => result.details?.readcache ?? []);
		const extra = this.with;
		this.with = {};
		return merge(request, extra);
	}

	get #options() {
		return { env: { HOME: this.directory } };
	}

	/** One more process, as the way wants it. */
	start() {
		const engine = new Engine({ ...this.#options, args: this.way === "serve" ? ["serve"] : [] });
		engine.child.on("error", (error) => (engine.stderr += error.message)); // the answer will not come
		return engine;
	}

	/** One request in a process of its own: gives {answer, child} at once, so that many can run. */
	alone(text) {
		const engine = this.start();
		const answer = within(engine.line(text).then(JSON.parse), "an answer");
		const ended = engine.close();
		return { answer, ended, child: engine.child };
	}

	async ask(request, { transcribe = true } = {}) {
		let answer;
		if (this.way === "serve") {
			this.#engine ??= this.start();
			answer = await within(this.#engine.request(request), "an answer");
		} else {
			const run = oneshot(request, this.#options);
			answer = run.response;
			if (answer === undefined)
				throw new Mismatch("no JSON came back", "one response", run.stdout || run.stderr || `nothing, ${run.signal ?? run.status}`);
			const unusable = ["bad_request", "too_large"].includes(answer.error?.code);
			const status = answer.ok ? 0 : unusable ? 2 : 1;
			if (run.status !== status || run.stdout.indexOf("\n") !== run.stdout.length - 1)
				throw new Mismatch("exit status and output", `status ${status}, one line`, `status ${run.signal ?? run.status}, ${run.stdout}`);
		}
		this.answer = answer;
		if (transcribe) this.transcript.push(JSON.stringify(answer, (key, value) => (key === "at" ? 0 : value)));
		return answer;
	}

	/** What the provider counted for the request of this message. */
	#billed(entry) {
		if (this.bill) Object.assign(entry.message, { usage: { input: 1, output: 7, cacheRead: this.bill.tokens - 1, cacheWrite: 0 }, model: this.bill.model });
		this.bill = undefined;
		return entry;
	}

	/** The assistant's call stands in the session before the tool runs, and so do those beside it. */
	call(params) {
		this.callId = `call_${++this.#calls}`;
		this.lastCall = this.#billed(this.session.call(params, this.callId));
		const { content } = this.lastCall.message;
		for (const one of this.beside) {
			one.call = { type: "toolCall", id: `call_${++this.#calls}`, ...one.call };
			if (one.after) content.push(one.call);
			else content.splice(content.findIndex(({ id }) => id === this.callId), 0, one.call);
		}
		// In a sequential batch a result is stored before the next call runs.
		for (const one of this.beside) if (one.done) this.#resultBeside(one);
	}

	#resultBeside({ call }) {
		this.session.result({ content: [{ type: "text", text: `${call.name} is done` }], details: {} }, call.id, { toolName: call.name });
	}

	result(result, options) {
		this.lastResult = this.session.result(result, this.callId, options);
	}

	/** Store what the model got, as pi does: the results of a message in the order of its calls. */
	deliver(answer) {
		const beside = this.beside.filter(({ done }) => !done);
		this.beside = [];
		for (const one of beside) if (!one.after) this.#resultBeside(one);
		this.#deliverRead(answer);
		for (const one of beside) if (one.after) this.#resultBeside(one);
	}

	#deliverRead(answer) {
		if (answer.result) return this.result(answer.result);
		if (answer.delegate) return this.result({ content: [{ type: "text", text: "(what the host's own read gave)" }] });
		return this.result({ content: [{ type: "text", text: answer.error.message }], details: {} }, { isError: true });
	}

	/** The model's call of `edit` or `write`, and what came of it; the file stays as it is. */
	edit(path, outcome, args = {}) {
		const callId = `call_${++this.#calls}`;
		const refused = outcome === "refused";
		const name = outcome === "written" ? "write" : "edit";
		const call = { type: "toolCall", id: callId, name, arguments: { path, ...args } };
		this.lastCall = this.#billed(this.session.append({ type: "message", message: { role: "assistant", content: [call], stopReason: "toolUse" } }));
		const text = refused ? `Could not find the exact text in ${path}.` : `Successfully replaced 1 block(s) in ${path}.`;
		this.lastResult = this.session.result({ content: [{ type: "text", text }], details: {} }, callId, { toolName: name, isError: refused });
	}

	/** The model's `edit` with these arguments, done as pi does it. */
	edits(path, args) {
		const file = path.replace(/^@/, "");
		const made = edited(this.read(file).toString(), editsOf(args));
		if (!made) throw new Error(`pi would not do this edit of ${path}`);
		this.write(file, Buffer.from(made.text));
		this.edit(path, "done", args);
	}

	/** The model's `write`. */
	writes(path, bytes) {
		this.write(path.replace(/^@/, ""), bytes);
		this.edit(path, "written", { content: bytes.toString() });
	}

	/** What was held back is stored as the results of one batch of calls. */
	release() {
		const [first, ...more] = this.held;
		this.held = undefined;
		if (!first) return;
		this.call(first.params);
		const ids = [this.callId];
		for (const { params } of more) {
			ids.push(`call_${++this.#calls}`);
			this.lastCall.message.content.push({ type: "toolCall", id: ids.at(-1), name: "read", arguments: params });
		}
		[first, ...more].forEach(({ result }, i) => {
			this.callId = ids[i];
			this.result(result);
		});
	}

	/** The end of the process, if there is one; it must have gone well. */
	async stop() {
		if (!this.#engine) return;
		const { code, signal } = await within(this.#engine.close(), "the engine's end");
		this.#engine = undefined;
		if (code !== 0) throw new Mismatch("exit status of serve", 0, signal ?? code);
	}

	kill() {
		this.#engine?.child.kill("SIGKILL");
		this.#engine = undefined;
	}
}
