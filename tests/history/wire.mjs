// How a host hands the session over: its entries inline, only those that are new, or its file.
import { writeFileSync } from "node:fs";

const texts = new WeakMap(); // entries never change in place, so each is written once

function json(entry) {
	if (entry.junk !== undefined) return entry.junk;
	if (!texts.has(entry)) texts.set(entry, JSON.stringify(entry));
	return texts.get(entry);
}

function isJson(text) {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Without the text, which the host has checked. */
function slimJson(entry) {
	const { content, ...message } = entry.message;
	return JSON.stringify({ ...entry, message });
}

function inline(session, { how, checked, dirs = "" }, rng) {
	const some = how === "all" ? session.entries : session.branch();
	const sent = how === "grown" ? some : rng.shuffle(some);
	const entries = sent.map((entry) => (checked(entry) ? slimJson(entry) : json(entry))).filter(isJsonEntry);
	const id = rng.chance(0.1) ? "t" : "s"; // the same entries may be another session's
	return `{"id":"${id}",${dirs}"leafId":${JSON.stringify(session.leafId)},"entries":[${entries.join(",")}]}`;
}

// Real entries are JSON by construction; only junk has to be looked at.
const isJsonEntry = (text) => text.length > 60 || isJson(text);

/** The session's file as the host keeps it. */
export function writeSession(session, file, last = "") {
	const { cwd, parentFile: parentSession } = session;
	const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd, parentSession };
	session.isTorn = last !== "";
	writeFileSync(file, [JSON.stringify(header), ...session.entries.map(json), last].join("\n"));
}

function inFile(session, { how, file }, rng) {
	const torn = rng.chance(0.03) ? `{"type":"message","id":"torn","parentId":${JSON.stringify(session.leafId)},"mess` : "";
	writeSession(session, file, torn);
	const isLast = session.leafId !== null && session.entries.at(-1)?.id === session.leafId;
	const leaf = how === "file-last" && isLast ? "" : `,"leafId":${JSON.stringify(session.leafId)}`;
	return `{"file":${JSON.stringify(file)}${leaf}}`;
}

/**
 * What a host has sent of a session, so that it sends only what is new (session.after). ID is the session's.
 */
export class Sent {
	#branch = [];

	constructor(id) {
		this.id = id;
	}

	/** The session with what is new only; undefined if all of it is sent, as a host always may. Sometimes it goes further back. */
	news(session, { checked, dirs }, rng) {
		const branch = session.branch();
		let known = 0;
		while (known < branch.length && branch[known] === this.#branch[known]) known++;
		if (known > 0 && rng.chance(0.1)) known = rng.from(1, known);
		if (known === 0 || rng.chance(0.15)) return undefined;
		return this.#text(session, branch[known - 1].id, branch.slice(known), { checked, dirs });
	}

	whole(session, { checked, dirs }) {
		return this.#text(session, undefined, session.branch(), { checked, dirs });
	}

	#text(session, after, entries, { checked, dirs = "" }) {
		const list = entries.map((entry) => (checked(entry) ? slimJson(entry) : json(entry)));
		const known = after === undefined ? "" : `"after":${JSON.stringify(after)},`;
		return `{"id":${JSON.stringify(this.id)},${known}${dirs}"leafId":${JSON.stringify(session.leafId)},"entries":[${list.join(",")}]}`;
	}

	/** The engine has taken it. */
	taken(session) {
		this.#branch = session.branch();
	}
}

/** "grown": the branch in its order, so that it begins as it did the last time. */
export const WAYS = ["all", "branch", "grown", "file", "file-last", "after"];

/** The JSON text of a request's "session". CHECKED tells whose text the host has looked at and leaves out. */
export function sessionText(session, way, rng) {
	if (way.how === "after") return way.sent.news(session, way, rng) ?? way.sent.whole(session, way);
	return way.how.startsWith("file") ? inFile(session, way, rng) : inline(session, way, rng);
}

/** One request line; SESSION is JSON text or undefined. */
export function requestLine(fields, session) {
	const text = JSON.stringify({ v: 1, ...fields });
	return session === undefined ? text : `${text.slice(0, -1)},"session":${session}}`;
}
