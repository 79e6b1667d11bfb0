// A recorded session, answered once more by the engine itself: its files are rebuilt (rebuilt.mjs) and written to disk
// as they were at each read, and the engine is asked as the host asks it, with the session as it is so far.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Engine } from "../tests/lib/engine.mjs";
import { editsOf } from "../tests/matrix/edits.mjs";
import { everyPlace, Files, shownBy, textOf } from "./rebuilt.mjs";

/** The entries of a session file as pi has them, each with an id and a parent; and the directory it begins in. */
export function readSession(file) {
	const entries = [];
	let cwd = "/";
	let before = null;
	for (const [i, line] of readFileSync(file, "utf8").split("\n").entries()) {
		let entry;
		try {
			entry = JSON.parse(line);
		} catch {
			continue; // as for the host, such a line is no entry
		}
		if (entry.type === "session") {
			cwd = entry.cwd ?? cwd;
			continue;
		}
		const old = entry.id === undefined; // version 1 has no ids
		entries.push({ ...entry, id: entry.id ?? `#${i + 1}`, parentId: old ? before : entry.parentId });
		before = entries.at(-1).id;
	}
	return { cwd, entries };
}

const contentOf = ({ message }) => (Array.isArray(message?.content) ? message.content : []);
const onlyText = (entry) => (contentOf(entry).length === 1 ? contentOf(entry)[0].text : undefined);

/** For each result of a tool: the call, and the entry that made it. */
function callsOf(entries) {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const calls = new Map();
	for (const entry of entries) {
		if (entry.message?.role !== "toolResult") continue;
		for (let asker = byId.get(entry.parentId), n = 0; asker && n < 64; asker = byId.get(asker.parentId), n++) {
			const call = contentOf(asker).find(({ type, id }) => type === "toolCall" && id === entry.message.toolCallId);
			if (call) calls.set(entry.id, { call, asker });
			if (call) break;
		}
	}
	return calls;
}

/** How another host says that it has replaced every place of a text. */
const EVERY_PLACE = /\bAll occurrences\b/;

/**
 * What each read found: by the id of its result {path, version}. Entries go by in the order in which they were written.
 * MEANT gets the edits of a call, by its id, that this host would have needed for the same.
 */
function rebuild({ cwd, entries }, calls, meant) {
	const files = new Files();
	const found = new Map();
	const steps = entries.flatMap((entry) => {
		const { call } = calls.get(entry.id) ?? {};
		if (!call || entry.message.isError || typeof call.arguments?.path !== "string") return [];
		const text = call.name === "read" ? onlyText(entry) : undefined;
		const shown = text === undefined ? undefined : shownBy(text, call.arguments);
		return [{ entry, call, path: resolve(cwd, call.arguments.path.replace(/^@/, "")), shown }];
	});
	for (const [i, { entry, call, path, shown }] of steps.entries()) {
		if (call.name === "write") files.write(path, String(call.arguments.content));
		if (call.name === "edit") {
			let edits = editsOf(call.arguments);
			if (files.now(path) && edits.length === 1 && EVERY_PLACE.test(onlyText(entry) ?? "")) {
				edits = everyPlace(files.now(path), edits[0]);
				meant.set(call.id, edits);
			}
			files.edit(path, edits);
		}
		if (!shown) continue;
		files.show(path, shown, steps.slice(i).flatMap((step) => (step.path === path && step.shown ? [step.shown] : [])));
		found.set(entry.id, { path, version: files.now(path) });
	}
	return found;
}

/** Paths of the recording lie below ROOT. */
class Place {
	constructor() {
		this.root = mkdtempSync(join(tmpdir(), "readcache-savings-"));
		this.store = join(this.root, "store");
		this.home = join(this.root, "home");
		mkdirSync(this.home);
	}

	path(recorded) {
		return join(this.root, "files", recorded);
	}

	/** ENTRY with the paths of its calls here. */
	moved(entry, meant) {
		const at = (path) => (typeof path === "string" && path.startsWith("/") ? this.path(path) : path);
		const edits = ({ id }) => (meant.has(id) ? { edits: meant.get(id), oldText: undefined, newText: undefined } : {});
		const block = (one) => (one.type === "toolCall" && one.arguments ? { ...one, arguments: { ...one.arguments, ...edits(one), path: at(one.arguments.path) } } : one);
		return entry.message?.role === "assistant" ? { ...entry, message: { ...entry.message, content: contentOf(entry).map(block) } } : entry;
	}

	write(recorded, text) {
		mkdirSync(dirname(this.path(recorded)), { recursive: true });
		writeFileSync(this.path(recorded), text);
	}

	remove() {
		rmSync(this.root, { recursive: true, force: true });
	}
}

/** The branch that ends with the entry ID. */
function branchOf(byId, id) {
	const branch = [];
	for (let entry = byId.get(id); entry; entry = byId.get(entry.parentId)) branch.push(entry);
	return branch.reverse();
}

/** The engine with one session: entries that it has been sent are not sent again. */
class Asking {
	#sent = new Set();

	constructor(place, cwd, policy) {
		this.engine = new Engine({ env: { HOME: place.home } });
		this.fields = { v: 1, op: "read", cwd, store: place.store, policy };
	}

	async read(branch, { id, args }) {
		const known = branch.findLastIndex((entry) => this.#sent.has(entry));
		const some = known < 0 ? branch : branch.slice(known + 1);
		const session = { id: "recorded", leafId: branch.at(-1).id, entries: some, ...(known < 0 ? {} : { after: branch[known].id }) };
		const response = await this.engine.request({ ...this.fields, toolCallId: id, params: args, session });
		if (response.error?.code === "unknown_leaf") {
			this.#sent.clear();
			return this.read(branch, { id, args });
		}
		this.#sent = new Set(branch);
		return response;
	}
}

/** The host's words of today; older versions had no period. */
const today = (text) => text.replace(/to continue\]$/, "to continue.]");

/**
 * Answer every read of SESSION under POLICY. Gives {answers: [{entryId, mode, reason, baselineBytes, servedBytes}], file:
 * the session as it would have been, PLACE: where it is; remove it}. A read whose file cannot be rebuilt, or whose plain
 * answer would not be what was recorded, is `plain`.
 */
export async function replay(session, policy) {
	const calls = callsOf(session.entries);
	const meant = new Map();
	const found = rebuild(session, calls, meant);
	const place = new Place();
	const cwd = place.path(session.cwd);
	mkdirSync(cwd, { recursive: true });
	const asking = new Asking(place, cwd, policy);
	const byId = new Map();
	const answers = [];
	for (const recorded of session.entries) {
		const entry = place.moved(recorded, meant);
		byId.set(entry.id, entry);
		const { call, asker } = calls.get(entry.id) ?? {};
		if (call?.name !== "read" || entry.message.isError) continue;
		const size = Buffer.byteLength(contentOf(entry).map(({ text }) => text ?? "").join(""));
		const answer = { entryId: entry.id, mode: "plain", baselineBytes: size, servedBytes: size };
		answers.push(answer);
		const { details: { readcache, ...details } = {} } = entry.message;
		const plain = { ...entry, message: { ...entry.message, details } };
		byId.set(entry.id, plain);
		const file = found.get(entry.id);
		if (!file) continue;
		place.write(file.path, textOf(file.version));
		const args = contentOf(byId.get(asker.id)).find(({ id }) => id === call.id).arguments;
		const nested = await asking.engine.request({ ...asking.fields, params: args, nested: true });
		if (nested.result?.content[0].text !== today(onlyText(entry))) continue;
		const { result, decision } = await asking.read(branchOf(byId, asker.id), { id: call.id, args });
		if (!result) continue; // the host reads by itself
		byId.set(entry.id, { ...plain, message: { ...plain.message, content: result.content, details: { ...details, ...result.details } } });
		Object.assign(answer, { path: file.path, mode: decision.mode, reason: decision.reason, servedBytes: decision.servedBytes, baselineBytes: decision.baselineBytes });
	}
	await asking.engine.close();
	const file = join(place.root, "session.jsonl");
	const header = { type: "session", version: 3, id: "recorded", timestamp: "2026-01-01T00:00:00.000Z", cwd };
	writeFileSync(file, [header, ...byId.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
	return { answers, file, remove: () => place.remove() };
}
