// What others do to a session: edits of the context, rewritten results, metadata that lies, junk.
import { target } from "./asks.mjs";
import { nameOf } from "./mind.mjs";
import { sha256 } from "./oracle.mjs";
import { kindOf, plainRead } from "./plain.mjs";

const blocks = (text) => [{ type: "text", text }];

/** A text that stands for a result, or pretends to be one. */
function otherText(h, entry, rng) {
	const text = entry.message.content[0]?.text ?? "";
	const call = h.calls.get(entry.message.toolCallId);
	const olds = (h.world.versions.get(call.real) ?? []).filter((bytes) => kindOf(bytes) === "text");
	const how = rng.pick(["redacted", "masked", "note", "older", "older"]);
	if (how === "masked") return text.replace(/[a-z]+ \d+/, "****");
	if (how === "note") return `${text}\n(checked by a policy)`;
	const plain = how === "older" && olds.length > 0 ? plainRead(rng.pick(olds).toString("utf8"), call) : {};
	return plain.text ?? "[redacted by policy]";
}

export function contextEdit(h, rng) {
	const branch = h.session.branch();
	const results = h.results(branch);
	if (results.length === 0) return "nothing to edit";
	if (rng.chance(0.03)) return h.session.append({ type: "context_edit", replacement: null }), "of nobody knows what";
	const entry = rng.chance(0.6) ? results.at(-1 - rng.below(Math.min(3, results.length))) : rng.pick(results);
	if (rng.chance(0.25)) return editCall(h, branch, entry);
	const text = rng.chance(0.6) ? null : otherText(h, entry, rng);
	h.session.contextEdit(entry.id, text === null || rng.chance(0.5) ? text : blocks(text));
	return `${text === null ? "omits" : `replaces by ${JSON.stringify(text.slice(0, 40))}`} ${entry.message.toolCallId}`;
}

function callOf(entries, result) {
	return entries.find(({ message }) => message?.role === "assistant" && message.content.some(({ id }) => id === result.message.toolCallId));
}

/** The model's message ended badly; the host does not send it again. */
export function abort(h, rng) {
	const result = h.results(h.session.branch()).at(-1);
	const call = result && callOf(h.session.branch(), result);
	if (!call) return "nothing to abort";
	if (h.losses.some(({ witness, reference }) => [witness, reference].includes(nameOf(call.message)))) return "not this one: its bill was seen";
	// With the reason, as the host writes it. So the entry is longer than it was: nobody who follows a file sees one in
	// its middle that was exchanged for another of the same length, if the file has grown before he looks (SPEC 2.5).
	h.replace(call, { ...call, message: { ...call.message, stopReason: rng.pick(["error", "aborted"]), errorMessage: "ended" } });
	return `the call of ${result.message.toolCallId}`;
}

function editCall(h, branch, entry) {
	const call = callOf(branch, entry);
	if (!call) return "the call is not on the branch"; // a twin cut it off
	h.session.contextEdit(call.id);
	return `omits the call of ${entry.message.toolCallId}`;
}

/** Without its fingerprint a marker proves nothing of its own text: that it was rewritten cannot be seen. */
const isMarker = (meta) => ["unchanged", "unchanged_range"].includes(meta?.mode);

/** A result that may be tampered with: mostly the last one, as an extension does before it is stored. */
function someResult(h, rng) {
	const results = h.results();
	return rng.chance(0.8) ? results.at(-1) : rng.pick(results);
}

/** Another extension rewrites the text and leaves the details. */
export function rewrite(h, rng) {
	const entry = someResult(h, rng);
	const meta = entry?.message.details?.readcache;
	if (!meta) return "nothing to rewrite";
	if (h.stripped.has(entry) && isMarker(meta)) return "not detectable, left out";
	const text = rng.chance(0.12) ? undefined : otherText(h, entry, rng);
	if (text === entry.message.content[0]?.text) return "no other text";
	const content = text === undefined ? [] : blocks(text);
	h.replace(entry, { ...entry, message: { ...entry.message, content } });
	return `${entry.message.toolCallId} is now ${JSON.stringify(text?.slice(0, 40))}`;
}

function withMeta(h, entry, meta) {
	return h.replace(entry, { ...entry, message: { ...entry.message, details: { ...entry.message.details, readcache: meta } } });
}

/** An older session had no fingerprint of the text, and did not say by which name a file was read. */
export function strip(h, rng) {
	const entry = someResult(h, rng);
	const meta = entry?.message.details?.readcache;
	if (!meta || (h.isAltered(entry) && isMarker(meta))) return "nothing to strip";
	const { textHash, textBytes, name, ...rest } = meta;
	const old = name !== undefined && rng.chance(0.5) ? { ...rest, name } : rest;
	h.stripped.add(withMeta(h, entry, old));
	return `${entry.message.toolCallId}${name && !old.name ? " and its name" : ""}`;
}

/** An extension that puts its own details in the place of ours. */
export function bare(h, rng) {
	const entry = someResult(h, rng);
	if (!entry) return "nothing to bare";
	h.replace(entry, { ...entry, message: { ...entry.message, details: rng.chance(0.5) ? {} : undefined } });
	h.calls.get(entry.message.toolCallId).bare = true;
	return entry.message.toolCallId;
}

/** Metadata that claims a version of the file, whole. */
function claim(h, file, bytes) {
	const text = bytes.toString("utf8");
	const total = text.split("\n").length;
	return {
		v: 1,
		pathKey: file.real,
		scopeKey: "full",
		servedHash: sha256(bytes),
		mode: "full",
		totalLines: total,
		rangeStart: 1,
		rangeEnd: total,
		bytes: bytes.length,
	};
}

const SPOIL = [
	(meta) => ({ ...meta, v: 2 }),
	(meta) => ({ ...meta, v: "1" }),
	(meta) => ({ ...meta, servedHash: meta.servedHash.slice(1) }),
	(meta) => ({ ...meta, servedHash: `${meta.servedHash.slice(1)}g` }),
	(meta) => ({ ...meta, servedHash: undefined }),
	(meta) => ({ ...meta, mode: "everything" }),
	(meta) => ({ ...meta, mode: "unchanged" }),
	(meta) => ({ ...meta, mode: "diff", baseHash: null }),
	(meta) => ({ ...meta, rangeStart: 2 }),
	(meta) => ({ ...meta, rangeEnd: meta.totalLines + 1 }),
	(meta) => ({ ...meta, totalLines: 0, rangeEnd: 0 }),
	(meta) => ({ ...meta, totalLines: String(meta.totalLines) }),
	(meta) => ({ ...meta, scopeKey: "r:5:2", rangeStart: 5, rangeEnd: 2 }),
	(meta) => ({ ...meta, scopeKey: "all" }),
	(meta) => ({ ...meta, textHash: "beef" }),
	(meta) => ({ ...meta, pathKey: 7 }),
	(meta) => [meta],
];

/** The last result gets metadata that would be a lie if it were taken: it has a fault, or a fitting textHash of no use. */
export function invalid(h, rng) {
	const entry = h.results().at(-1);
	const meta = entry?.message.details?.readcache;
	if (!meta) return "nothing to spoil";
	const truncation = entry.message.details.truncation;
	const file = h.world.look(h.calls.get(entry.message.toolCallId).name);
	if (!file.bytes) return "the file is missing";
	if (truncation && rng.chance(0.7)) return withMeta(h, entry, { ...meta, scopeKey: "full", rangeStart: 1, rangeEnd: meta.totalLines }), "full though truncated";
	const spoilt = rng.pick(SPOIL)(claim(h, file, file.bytes));
	withMeta(h, entry, spoilt);
	h.calls.get(entry.message.toolCallId).bare = true;
	return `${entry.message.toolCallId} has ${JSON.stringify(spoilt)}`;
}

/** Metadata where it means nothing. */
export function foreign(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes) return `${name} is missing`;
	const details = { readcache: claim(h, file, file.bytes) };
	const content = blocks(file.bytes.toString("utf8"));
	const result = { role: "toolResult", toolCallId: "x1", toolName: "bash", content: blocks("done"), details, isError: false };
	const entry = rng.pick([
		{ type: "message", message: result },
		{ type: "message", message: { ...result, toolName: "read", isError: true } },
		{ type: "message", message: { role: "user", content: blocks("look"), details } },
		{ type: "message", message: { role: "assistant", content: [], details } },
		{ type: "custom", customType: "pi-readcache", data: details },
		{ type: "custom", customType: "pi-readcache", data: details.readcache },
		{ type: "custom_message", customType: "read", content, display: true, details },
		{ type: "branch_summary", summary: "s", details },
		{ type: "label", details, message: { ...result, toolName: "read" } },
	]);
	h.session.append(entry);
	return `${entry.type} ${entry.message?.role ?? ""} claims ${name}`;
}

export function other(h, rng) {
	h.session.append(
		rng.pick([
			{ type: "message", message: { role: "toolResult", toolCallId: "b", toolName: "bash", content: blocks("ok"), isError: false } },
			{ type: "message", message: { role: "toolResult", toolCallId: "e", toolName: "grep", content: blocks("found"), details: { diff: "-a\n+b" } } },
			{ type: "thinking_level_change", thinkingLevel: "high" },
			{ type: "custom", customType: "todo", data: { list: [1, 2, 3] } },
			{ type: "branch_summary", fromId: "e0000001", summary: "before" },
		]),
	);
	return "an entry of no interest";
}

const JUNK = ["17", "null", '"x"', "[]", "{}", '{"type":"message"}', '{"id":5}', '{"type":"message","id":"e00', "garbage", "\u0000"];

export function junk(h, rng) {
	if (rng.chance(0.25)) return h.session.append({ type: "message", message: rng.pick([5, null, {}, [], { role: 3 }]) }), "a message that is none";
	if (rng.chance(0.2) && ["all", "file", "file-last"].includes(h.way)) return twin(h, rng); // others send the branch only
	const raw = rng.pick(JUNK);
	h.session.entries.splice(rng.below(h.session.entries.length + 1), 0, { junk: raw });
	return raw;
}

/** A second entry with an id that is taken. */
function twin(h, rng) {
	const entry = rng.pick(h.session.branch().slice(-6));
	if (!entry) return "no twin";
	h.session.entries.push({ ...entry, parentId: null });
	return `twin of ${entry.id}`;
}
