// What can happen between two reads. Each action gives a line for the log.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../lib/session.mjs";
import { sha256 } from "./oracle.mjs";
import { kindOf, plainRead } from "./plain.mjs";
import { describe, Unsupported } from "./report.mjs";
import { requestLine } from "./wire.mjs";
import { edited } from "./world.mjs";

// --- requests

function spell(h, name, rng) {
	if (rng.chance(0.85)) return name;
	return rng.pick([`./${name}`, join(h.world.cwd, name), `src/../${name}`, `@${name}`]);
}

/** NAME is the file's name in the workspace, offset and limit are what the request means. */
export function makeAsk(name, path, { offset, limit, suffix, ...more } = {}) {
	const params = suffix ? { path: `${path}${suffix}` } : { path, offset, limit };
	if (more.bypass) params.bypass_cache = true;
	return { name, path, offset, limit, suffix, params, ...more };
}

function fullAsk(h, rng, more) {
	const name = rng.pick(h.world.names);
	return makeAsk(name, spell(h, name, rng), more);
}

function rangeAsk(h, rng, more) {
	const name = rng.pick(h.world.names);
	const range = rng.chance(0.85) ? h.world.favourite(name, rng) : { offset: rng.from(1, 30), limit: rng.from(1, 20) };
	const { offset, limit } = range;
	const path = spell(h, name, rng);
	if (offset === undefined || !rng.chance(0.25)) return makeAsk(name, path, { ...range, ...more });
	const suffix = limit === undefined ? `:${offset}` : `:${offset}-${offset + limit - 1}`;
	return makeAsk(name, path, { ...range, suffix, ...more });
}

const anyAsk = (h, rng, more) => (rng.chance(0.5) ? fullAsk(h, rng, more) : rangeAsk(h, rng, more));

/** The same request again, or another one of the same file. */
function againAsk(h, rng) {
	return h.recent.length === 0 ? anyAsk(h, rng) : h.recent[Math.min(rng.below(4), rng.below(h.recent.length))];
}

async function read(h, rng, ask) {
	await h.read(ask, rng);
	return describe(ask);
}

// --- files

/** The real file that is most worth a change: one that was just read. */
function target(h, rng) {
	const name = h.recent.length > 0 && rng.chance(0.7) ? rng.pick(h.recent).name : rng.pick(h.world.names);
	return { name, file: h.world.look(name) };
}

function edit(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes) return `${name} is missing`;
	const range = h.world.favourite(name, rng);
	const start = range.offset ?? 1;
	const edge = rng.chance(0.5) ? start - 1 : start + (range.limit ?? 10) - 1;
	const { bytes, what } = edited(file.bytes, h.world.kindOf(name), edge, rng);
	h.world.write(file.real, bytes);
	return `${name}: ${what}`;
}

function revert(h, rng) {
	const { name, file } = target(h, rng);
	const versions = h.world.versions.get(file.real) ?? [];
	const olds = versions.filter((bytes) => !file.bytes || !bytes.equals(file.bytes));
	if (olds.length === 0) return `${name}: no other version`;
	const back = rng.chance(0.6) ? 1 : rng.from(1, olds.length);
	h.world.write(file.real, olds[olds.length - back]);
	return `${name}: to ${sha256(olds[olds.length - back]).slice(0, 8)}`;
}

function renew(h, rng) {
	const { name, file } = target(h, rng);
	h.world.write(file.real, rng.chance(0.1) ? Buffer.alloc(0) : h.world.fresh(h.world.kindOf(name), rng));
	return name;
}

/** Gone, asked for, and there again with the same or another content. */
async function vanish(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes) return `${name} is missing`;
	rmSync(file.real);
	if (rng.chance(0.7)) await h.read(makeAsk(name, name), rng);
	h.world.write(file.real, rng.chance(0.6) ? file.bytes : h.world.fresh(h.world.kindOf(name), rng));
	return name;
}

/** For some reads the file is an image or no UTF-8; the host then reads itself. */
async function binary(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes || file.bytes.length === 0) return `${name} has nothing to spoil`;
	const at = rng.below(file.bytes.length);
	const spoilt = rng.chance(0.3)
		? Buffer.concat([Buffer.from("GIF89a"), file.bytes])
		: Buffer.concat([file.bytes.subarray(0, at), Buffer.from([0xff]), file.bytes.subarray(at)]);
	h.world.write(file.real, spoilt);
	const range = rng.chance(0.5) ? {} : h.world.favourite(name, rng);
	await h.read(makeAsk(name, name, range), rng);
	if (rng.chance(0.75)) h.world.write(file.real, file.bytes);
	return name;
}

function link(h, rng) {
	if (!h.world.linkTargets) return "no links";
	if (rng.chance(0.15)) return h.world.usurp();
	return h.world.turn(rng.pick(Object.keys(h.world.linkTargets)));
}

// --- the session

function navigate(h, rng) {
	const ids = h.session.entries.filter((entry) => entry.id);
	if (ids.length === 0 || rng.chance(0.02)) return h.session.navigate(null), "to nothing";
	const recent = rng.chance(0.6) ? ids.slice(-12) : ids;
	const entry = rng.pick(recent);
	h.session.navigate(entry.message?.role === "user" ? entry.parentId : entry.id); // as pi does
	return `to ${h.session.leafId}`;
}

/** A new session with the path so far: same ids, and new ones that do not clash. */
function fork(h, rng) {
	if (h.sessions.length > 1 && rng.chance(0.4)) {
		h.session = rng.pick(h.sessions);
		return `switch to session ${h.sessions.indexOf(h.session)}`;
	}
	const entry = rng.pick(h.session.branch());
	const child = new Session();
	const path = entry ? h.session.branch(entry.id) : [];
	const top = Math.max(0, ...h.session.entries.map(({ id }) => Number(id?.slice(1)) || 0));
	for (let n = 0; n < top; n++) child.append({ type: "label" });
	child.entries = [...path];
	child.leafId = entry?.id ?? null;
	h.session = child;
	h.sessions.push(child);
	return `session ${h.sessions.length - 1} from ${child.leafId}`;
}

function compaction(h, rng) {
	const kept = rng.chance(0.5) ? rng.pick(h.session.branch())?.id ?? null : null;
	h.session.compaction(kept);
	return `kept from ${kept}`;
}

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

function contextEdit(h, rng) {
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
function abort(h, rng) {
	const result = h.results(h.session.branch()).at(-1);
	const call = result && callOf(h.session.branch(), result);
	if (!call) return "nothing to abort";
	h.replace(call, { ...call, message: { ...call.message, stopReason: rng.pick(["error", "aborted"]) } });
	return `the call of ${result.message.toolCallId}`;
}

function editCall(h, branch, entry) {
	const call = callOf(branch, entry);
	if (!call) return "the call is not on the branch"; // a twin cut it off
	h.session.contextEdit(call.id);
	return `omits the call of ${entry.message.toolCallId}`;
}

const isFullAnchor = (meta) => meta?.scopeKey === "full" && ["full", "baseline_fallback"].includes(meta.mode);

/** A result that may be tampered with: mostly the last one, as an extension does before it is stored. */
function someResult(h, rng) {
	const results = h.results();
	return rng.chance(0.8) ? results.at(-1) : rng.pick(results);
}

/** Another extension rewrites the text and leaves the details. */
function rewrite(h, rng) {
	const entry = someResult(h, rng);
	const meta = entry?.message.details?.readcache;
	if (!meta) return "nothing to rewrite";
	if (h.stripped.has(entry) && !isFullAnchor(meta)) return "not detectable, left out";
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
function strip(h, rng) {
	const entry = someResult(h, rng);
	const meta = entry?.message.details?.readcache;
	if (!meta || (h.isAltered(entry) && !isFullAnchor(meta))) return "nothing to strip";
	const { textHash, textBytes, name, ...rest } = meta;
	const old = name !== undefined && rng.chance(0.5) ? { ...rest, name } : rest;
	h.stripped.add(withMeta(h, entry, old));
	return `${entry.message.toolCallId}${name && !old.name ? " and its name" : ""}`;
}

/** An extension that puts its own details in the place of ours. */
function bare(h, rng) {
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
function invalid(h, rng) {
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
function foreign(h, rng) {
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

function other(h, rng) {
	h.session.append(
		rng.pick([
			{ type: "message", message: { role: "toolResult", toolCallId: "b", toolName: "bash", content: blocks("ok"), isError: false } },
			{ type: "message", message: { role: "toolResult", toolCallId: "e", toolName: "edit", content: blocks("edited"), details: { diff: "-a\n+b" } } },
			{ type: "thinking_level_change", thinkingLevel: "high" },
			{ type: "custom", customType: "todo", data: { list: [1, 2, 3] } },
			{ type: "branch_summary", fromId: "e0000001", summary: "before" },
		]),
	);
	return "an entry of no interest";
}

const JUNK = ["17", "null", '"x"', "[]", "{}", '{"type":"message"}', '{"id":5}', '{"type":"message","id":"e00', "garbage", "\u0000"];

function junk(h, rng) {
	if (rng.chance(0.25)) return h.session.append({ type: "message", message: rng.pick([5, null, {}, [], { role: 3 }]) }), "a message that is none";
	if (rng.chance(0.2) && h.way !== "branch") return twin(h, rng);
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

// --- the engine

/** The scopes a refresh of ASK may name: two where a range is the whole file. */
function refreshScopes(ask, file) {
	if (ask.offset === undefined && ask.limit === undefined) return ["full"];
	const { shown, total, truncated } = plainRead(file.bytes.toString("utf8"), ask);
	const range = `r:${shown.first}:${shown.last}`;
	return !truncated && shown.first === 1 && shown.last === total ? ["full", range] : [range];
}

async function refresh(h, rng) {
	const ask = h.recent.length > 0 && rng.chance(0.7) ? againAsk(h, rng) : anyAsk(h, rng);
	const response = JSON.parse(await h.engine.line(requestLine(h.fields("refresh", ask))));
	const file = h.world.look(ask.name);
	const plain = file.bytes && kindOf(file.bytes) === "text" ? plainRead(file.bytes.toString("utf8"), ask) : {};
	const data = response.entry?.data;
	if (plain.shown) {
		const right = data?.v === 1 && data.kind === "invalidate" && data.pathKey === file.real && refreshScopes(ask, file).includes(data.scopeKey);
		if (!right) throw new Unsupported({ wrong: [["refresh", "not the entry it should be"]], ask, file, response, history: h });
	}
	if (!response.entry) return `${describe(ask)}: nothing`;
	h.session.custom(response.entry);
	return `${describe(ask)}: ${data.scopeKey}`;
}

/** An invalidation that nobody understands. */
function badRefresh(h, rng) {
	const data = rng.pick([{ v: 1, kind: "invalidate" }, { v: 9, kind: "invalidate", pathKey: 4 }, { kind: "invalidate", scopeKey: [] }]);
	h.session.custom({ customType: "pi-readcache", data });
	return JSON.stringify(data);
}

const DAMAGE = {
	delete: (path) => rmSync(path, { recursive: true }),
	flip: (path) => {
		const bytes = readFileSync(path);
		if (bytes.length > 0) bytes[bytes.length >> 1] ^= 1;
		writeFileSync(path, bytes);
	},
	truncate: (path) => writeFileSync(path, readFileSync(path).subarray(0, -1)),
	empty: (path) => writeFileSync(path, ""),
	swap: (path, other) => {
		renameSync(path, `${path}.x`);
		renameSync(other, path);
		renameSync(`${path}.x`, other);
	},
	link: (path, other) => {
		rmSync(path);
		symlinkSync(other, path);
	},
	directory: (path) => {
		rmSync(path);
		mkdirSync(path);
	},
};

function damage(h, rng) {
	const objects = join(h.storeDir(), "objects");
	if (rng.chance(0.1)) return rmSync(h.storeDir(), { recursive: true, force: true }), "the whole store";
	let names = [];
	try {
		names = readdirSync(objects, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
	} catch {
		return "no store";
	}
	if (names.length < 2) return "too few objects";
	const how = rng.pick(Object.keys(DAMAGE));
	const done = [];
	// Half of the objects, so that the next comparison meets one.
	for (const name of rng.shuffle(names).slice(0, Math.ceil(names.length / 2))) {
		const other = rng.pick(names.filter((one) => one !== name));
		try {
			DAMAGE[how](join(objects, name), join(objects, other));
			done.push(name.slice(7, 15));
		} catch {
			// the other one was damaged before
		}
	}
	return `${how} ${done.join(" ")}`;
}

// --- kinds of reads

async function nested(h, rng) {
	const ask = rng.chance(0.7) ? { ...againAsk(h, rng), nested: true } : anyAsk(h, rng, { nested: true });
	await h.ask(ask, rng, { callId: `${h.newCall()}/1` });
	return "not in the session";
}

async function blind(h, rng) {
	const ask = { ...againAsk(h, rng), blind: rng.pick(["none", "leaf", "lost"]) };
	await h.ask(ask, rng);
	return "not in the session";
}

async function beyond(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes) return `${name} is missing`;
	const lines = file.bytes.toString("utf8").split("\n").length;
	if (rng.chance(0.3)) return read(h, rng, makeAsk(name, name, { suffix: rng.pick([":9-3", ":x", ":0-4"]), badRange: true }));
	return read(h, rng, makeAsk(name, name, { offset: lines + rng.from(1, 9) }));
}

/** A call whose answer never came. */
function orphan(h, rng) {
	h.session.call(anyAsk(h, rng).params, h.newCall());
	return "a call without result";
}

/**
 * Calls of one message. With an overlay each sees the results before it, and files may change in between.
 * Without, they see only what was there before the batch.
 */
async function batch(h, rng) {
	const shared = rng.chance(0.7);
	const first = rng.chance(0.6) ? againAsk(h, rng) : anyAsk(h, rng);
	const near = () => (rng.chance(0.5) ? first : rng.chance(0.5) ? makeAsk(first.name, first.path) : anyAsk(h, rng));
	const asks = [first, ...Array.from({ length: rng.from(1, 3) }, near)];
	const ids = asks.map(() => h.newCall());
	const content = asks.map((ask, i) => ({ type: "toolCall", id: ids[i], name: "read", arguments: ask.params }));
	h.session.append({ type: "message", message: { role: "assistant", content, stopReason: "toolUse" } });
	const done = [];
	for (const [i, ask] of asks.entries()) {
		if (shared && i > 0 && rng.chance(0.4)) h.say(`  between: ${rng.chance(0.5) ? edit(h, rng) : revert(h, rng)}`);
		const overlay = shared ? done.map(({ result }) => result.details.readcache) : undefined;
		h.pending = shared ? done : [];
		const answer = await h.ask(ask, rng, { callId: ids[i], overlay });
		done.push({ callId: ids[i], ...h.outcome(answer, ask) });
		// An overlay cannot tell of a view without metadata: such a host waits until it is stored.
		if (shared && !done.at(-1).result.details?.readcache) break;
	}
	h.pending = [];
	for (const { callId, ...outcome } of done) h.append(callId, outcome);
	h.recent = [...asks, ...h.recent].slice(0, 5);
	return `${done.length} calls, ${shared ? "overlay" : "parallel"}`;
}

/** One file, its whole and two overlapping ranges, back and forth: where old and new views meet. */
async function burst(h, rng) {
	const name = rng.pick(h.world.names);
	const wholes = makeAsk(name, name);
	const ranges = [0, 1].map(() => makeAsk(name, name, h.world.favourite(name, rng)));
	const steps = { full: 3, first: 3, second: 2, edit: 2, revert: 3, omit: 2 };
	const touch = (how) => {
		h.recent = [wholes]; // the file to be changed
		h.say(`  ${how(h, rng)}`);
	};
	for (let n = rng.from(6, 12); n > 0; n--) {
		const step = rng.weighted(steps);
		if (step === "full") await h.read(wholes, rng);
		if (step === "first") await h.read(ranges[0], rng);
		if (step === "second") await h.read(ranges[1], rng);
		if (step === "edit") touch(edit);
		if (step === "revert") touch(revert);
		if (step === "omit") h.say(`  ${contextEdit(h, rng)}`);
	}
	return name;
}

export const ACTIONS = {
	full: { weight: 12, run: (h, rng) => read(h, rng, fullAsk(h, rng)) },
	range: { weight: 12, run: (h, rng) => read(h, rng, rangeAsk(h, rng)) },
	again: { weight: 22, run: (h, rng) => read(h, rng, againAsk(h, rng)) },
	batch: { weight: 4, run: batch },
	burst: { weight: 2, run: burst },
	nested: { weight: 1.5, run: nested },
	bypass: { weight: 2, run: (h, rng) => read(h, rng, anyAsk(h, rng, { bypass: true })) },
	blind: { weight: 1, run: blind },
	beyond: { weight: 1, run: beyond },
	orphan: { weight: 0.5, run: orphan },
	abort: { weight: 0.7, run: abort },
	edit: { weight: 12, run: edit },
	revert: { weight: 7, run: revert },
	renew: { weight: 1.5, run: renew },
	vanish: { weight: 1, run: vanish },
	binary: { weight: 1.5, run: binary },
	link: { weight: 2, run: link },
	user: { weight: 2, run: (h) => h.session.user("and then?").id },
	other: { weight: 1, run: other },
	compaction: { weight: 0.7, run: compaction },
	navigate: { weight: 3, run: navigate },
	fork: { weight: 0.8, run: fork },
	contextEdit: { weight: 3, run: contextEdit },
	rewrite: { weight: 2, run: rewrite },
	strip: { weight: 2, run: strip },
	bare: { weight: 0.7, run: bare },
	invalid: { weight: 1, run: invalid },
	foreign: { weight: 1, run: foreign },
	junk: { weight: 0.5, run: junk },
	refresh: { weight: 2.5, run: refresh },
	badRefresh: { weight: 0.2, run: badRefresh },
	damage: { weight: 1.5, run: damage },
};
