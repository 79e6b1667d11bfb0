// An engine in JavaScript that follows SPEC.md, except for one lie. The oracle must catch every lie;
// without a lie it must find nothing. Used by --self-test only.
import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { findCover, isVoid, ownEdit, pagedBase, pause } from "./cover.mjs";
import { place, realOf, Store } from "./liar-files.mjs";
import { fallAt, placesOf, SESSION_LIES, siblingOf } from "./liar-session.mjs";
import { expandText, TEXT_LIES, toldRests } from "./liar-text.mjs";
import { isAnchor, Trust } from "./liar-trust.mjs";
import { sha256 } from "./oracle.mjs";
import { kindOf, plainRead } from "./plain.mjs";

const MODES = ["full", "baseline_fallback", "unchanged", "unchanged_range", "diff"];
const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** Every lie under the strict policy, with the actions that give it an occasion. */
export const LIES = {
	own_edit_never: { ownEdit: 10, revert: 10, again: 30 },
	truncated_as_full: { full: 30, range: 30 },
	ignore_edits: { contextEdit: 12 },
	ignore_aborted: { abort: 8 },
	ignore_totals: { burst: 20, revert: 20, bypass: 20 },
	ignore_newer: { revert: 20, range: 30 },
	ignore_compaction: { compaction: 5 },
	ignore_rewritten: { rewrite: 12 },
	ignore_refresh: { refresh: 12 },
	ignore_bare: { binary: 8, bare: 8 },
	ignore_moved: { link: 15 },
	ignore_turned: { link: 25, again: 40 },
	any_name: { link: 8 },
	ignore_nested: { nested: 10 },
	ignore_bypass: { bypass: 10 },
	ignore_guards: { contextEdit: 12, revert: 15 },
	ignore_leaf: { blind: 8 },
	any_branch: { navigate: 10 },
	invalid_metadata: { invalid: 25 },
	foreign_metadata: { foreign: 12 },
	damaged_store: { damage: 20, edit: 40, full: 40 },
	wrong_diff: { edit: 20 },
	wrong_count: {},
	wrong_total: {},
	wrong_wording: { edit: 20 },
	wrong_hash: {},
	stale_text: { edit: 20 },
	stale_unchanged: { edit: 20 },
	final_newline: { edit: 30 },
	shifted_range: { edit: 30 },
	range_as_full: { range: 30 },
	no_notice: { full: 30 },
	own_memory: { navigate: 8, compaction: 4 },
	overlay_ignored_order: { batch: 60 },
	ignore_tail: { near: 20, edit: 20 },
	coverage_always: { near: 20 },
	ignore_long: {},
	ignore_mended: { contextEdit: 15, edit: 20, full: 30 },
	...SESSION_LIES,
	...TEXT_LIES,
};

// --- session

function readEntries(session) {
	if (!session) return undefined;
	if (session.entries) return session.entries.some((entry) => typeof entry?.id !== "string") ? [] : session.entries;
	if (!existsSync(session.file)) return undefined;
	const entries = [];
	for (const line of readFileSync(session.file, "utf8").split("\n").slice(1)) {
		try {
			if (line !== "") entries.push(JSON.parse(line));
		} catch {
			entries.length = 0; // nothing before it counts
		}
		if (entries.length > 0 && typeof entries.at(-1)?.id !== "string") entries.length = 0;
	}
	return entries;
}

function walk(session, lie) {
	const entries = readEntries(session) ?? [];
	const leafId = session?.leafId === undefined && session?.file ? entries.at(-1)?.id : session?.leafId;
	if (lie === "any_branch") return entries;
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const twice = new Set(entries.map(({ id }) => id).filter((id, i, all) => all.indexOf(id) !== i));
	const path = [];
	const start = lie === "ignore_leaf" && !byId.has(leafId) ? entries.at(-1)?.id : leafId;
	for (let entry = byId.get(start); entry && !path.includes(entry); entry = byId.get(entry.parentId)) {
		if (twice.has(entry.id) || (entry.type === "compaction" && lie !== "ignore_compaction")) break;
		path.unshift(entry);
	}
	return path;
}

// --- evidence

function isValid(meta, lie) {
	if (typeof meta !== "object" || meta === null || typeof meta.pathKey !== "string") return false;
	if (!isHash(meta.servedHash)) return false;
	if (lie === "invalid_metadata") return true;
	if (meta.v !== 1 || !MODES.includes(meta.mode) || (!isAnchor(meta.mode) && !isHash(meta.baseHash))) return false;
	if (![meta.totalLines, meta.rangeStart, meta.rangeEnd].every((n) => Number.isInteger(n) && n > 0)) return false;
	if (meta.textHash !== undefined && !/^[0-9a-f]{32}$/.test(meta.textHash)) return false;
	const range = `r:${meta.rangeStart}:${meta.rangeEnd}`;
	if (meta.rangeStart > meta.rangeEnd || meta.rangeEnd > meta.totalLines) return false;
	return meta.scopeKey === range || (meta.scopeKey === "full" && meta.rangeStart === 1 && meta.rangeEnd === meta.totalLines);
}

function isIntact(message, meta) {
	if (message.content === undefined) return true; // the host has looked
	const text = message.content.map((block) => block.text).join("");
	if (meta.textHash !== undefined) return sha256(text).slice(0, 32) === meta.textHash;
	if (meta.mode.startsWith("unchanged")) return true; // it shows nothing
	return meta.scopeKey === "full" && isAnchor(meta.mode) && sha256(text) === meta.servedHash;
}

function truncationAgrees({ truncation }, meta) {
	return !truncation || !isAnchor(meta.mode) || truncation.outputLines === meta.rangeEnd - meta.rangeStart + 1;
}

function callsOf(path) {
	const calls = new Map();
	for (const { id, message } of path) {
		if (message?.role !== "assistant") continue;
		const failed = ["error", "aborted"].includes(message.stopReason); // such a message is not sent again
		for (const block of message.content ?? []) calls.set(block.id, { path: block.arguments?.path, entry: id, failed });
	}
	return calls;
}

/** An edit, refused or done: into the one map or the other. Of an unknown file, it voids all if it was done. */
function noteEdit(map, trust, call, places) {
	const given = typeof call?.path === "string" ? call.path.replace(/^@/, "") : undefined;
	const unknown = given === undefined || (!isAbsolute(given) && places.includes(null));
	if (unknown && map === trust.edited) trust.clear();
	if (given === undefined) return;
	for (const cwd of places) {
		if (cwd === null) continue;
		const name = resolve(cwd, given);
		for (const key of [name, realOf(name)]) map.set(key, trust.seq);
	}
}

/**
 * The name by which META's file was read: it says so itself, or, in an older session, its call does; null where that
 * may be in several places.
 */
function nameIn(meta, call, places) {
	if (meta?.textHash !== undefined || meta?.name !== undefined || call?.path === undefined) return meta?.name ?? meta?.pathKey;
	if (!isAbsolute(call.path) && places.length > 1) return null;
	return place(call.path, places[0]).path;
}

/** Is there still an answer on the branch that rests on the text HASH? */
function isRestedOn(path, edits, hash) {
	return path.some(({ id, message }) => edits.get(id) !== null && message?.details?.readcache?.rests?.includes(hash));
}

/** With the fingerprint of its text, which older sessions do not have. */
function withHash(meta, { content }) {
	if (!meta || meta.textHash !== undefined || content === undefined) return meta;
	return { ...meta, textHash: sha256(content.map((block) => block.text).join("")).slice(0, 32) };
}

/** A notice in the place of a line that is over the limit shows nothing. */
function isTooLong({ content, details }) {
	return !details?.readcache && details?.truncation?.firstLineExceedsLimit === true && content?.[0]?.text?.startsWith("[Line ") === true;
}

function replay(request, lie) {
	const trust = new Trust(lie);
	const path = walk(request.session, lie);
	const calls = callsOf(path);
	const edits = new Map(path.filter(({ type }) => type === "context_edit").map((edit) => [edit.targetId, edit.replacement]));
	if (lie === "ignore_edits") edits.clear();
	const places = placesOf(request, lie);
	const fall = fallAt(path, lie);
	for (const [index, entry] of path.entries()) {
		if (entry.customType === "pi-readcache" && entry.data?.kind === "invalidate") trust.invalidate(entry.data);
		if (entry.type === "context_edit" && typeof entry.targetId !== "string") trust.clear();
		const { message } = entry;
		if (message?.role === "toolResult" && message.toolName === "edit")
			noteEdit(message.isError ? trust.refused : trust.edited, trust, calls.get(message.toolCallId), places);
		if (message?.role === "toolResult" && message.toolName === "write" && !message.isError)
			noteEdit(trust.edited, trust, calls.get(message.toolCallId), places);
		const wanted = lie === "foreign_metadata" ? message?.details?.readcache : message?.role === "toolResult" && message.toolName === "read" && !message.isError;
		if (!wanted || (entry.type !== "message" && lie !== "foreign_metadata")) continue;
		const meta = message.details?.readcache;
		const call = calls.get(message.toolCallId);
		const removed = edits.get(entry.id) === null;
		const gone = removed || index < fall || edits.has(call?.entry) || (call?.failed && lie !== "ignore_aborted");
		const hidden = gone || edits.has(entry.id);
		const name = nameIn(meta, call, places);
		const spoilt = lie === "invalid_metadata" && !isValid(meta);
		const intact = () => lie === "ignore_rewritten" || spoilt || (isIntact(message, meta) && truncationAgrees(message.details, meta));
		if (isTooLong(message)) {
			trust.tooLong(message.content[0].text, call?.path ?? "", places);
			continue;
		}
		// Before a fall too, the same marker is not given again and again.
		if (index < fall && isValid(meta) && !edits.has(entry.id) && intact()) trust.count(meta, name);
		if (!isValid(meta, lie) || name === null) trust.forget(call?.path ?? "", places);
		else if (!hidden && intact()) trust.take(withHash(meta, message), name);
		else if (!removed || (lie !== "removed_newer" && isRestedOn(path, edits, withHash(meta, message).textHash))) trust.doubt(meta, name, gone);
	}
	for (const meta of lie === "overlay_ignored_order" ? (request.overlay ?? []).slice().reverse() : request.overlay ?? []) trust.take(meta);
	return trust;
}

// --- the answer

/** One hunk from the first to the last difference. */
function makeDiff(old, now, path) {
	const [a, b] = [old, now].map((text) => text.split("\n").map((line, i, all) => (i < all.length - 1 ? `${line}\n` : line)));
	for (const side of [a, b]) if (side.at(-1) === "") side.pop();
	let head = 0;
	while (head < a.length && head < b.length && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
	const [from, to] = [Math.max(0, head - 3), Math.min(3, tail)];
	const before = a.slice(from, head);
	const [minus, plus] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
	const after = a.slice(a.length - tail, a.length - tail + to);
	const put = (sign) => (piece) => `${sign}${piece}${piece.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`;
	const start = (count) => (count === 0 ? from : from + 1);
	const counts = [minus, plus].map((lines) => before.length + lines.length + after.length);
	const rows = [...before.map(put(" ")), ...minus.map(put("-")), ...plus.map(put("+")), ...after.map(put(" "))];
	const names = `--- a/${path.replace(/^\/+/, "")}\n+++ b/${path.replace(/^\/+/, "")}\n`;
	const hunk = `@@ -${start(counts[0])},${counts[0]} +${start(counts[1])},${counts[1]} @@\n`;
	return { changed: Math.max(minus.length, plus.length), text: `${names}${hunk}${rows.join("")}` };
}

export class Liar {
	/** What it can be asked under. */
	policies = ["strict", "coverage"];

	constructor(lie) {
		this.lie = lie;
		this.memory = [];
	}

	async line(text) {
		const request = JSON.parse(text);
		return JSON.stringify({ v: 1, id: request.id, ...this.#answer(request) });
	}

	settled(text) {
		return this.line(text);
	}

	async close() {}

	#answer(request) {
		const { cwd, params } = request;
		if (request.op === "expand") return expandText(request, new Store(request, this.lie), this.lie);
		if (request.session?.after) return fail("unknown_leaf", "it remembers nothing");
		const where = place(params.path, cwd);
		if (where.bad) return fail("invalid_range", "Invalid range");
		if (request.op === "read" && this.#beside(request, where.path) === "change") return besideAnswer(where, params);
		if (!existsSync(where.path)) return fail("ENOENT", `ENOENT: no such file or directory, access '${where.path}'`);
		const bytes = readFileSync(where.path);
		const ask = { path: where.given, offset: where.offset ?? params.offset, limit: where.limit ?? params.limit };
		const told = where.offset === undefined ? undefined : ask;
		if (kindOf(bytes) !== "text") return { ok: true, delegate: { reason: kindOf(bytes), params: told } };
		const plain = plainRead(bytes.toString("utf8"), ask);
		if (plain.error) return fail("offset_beyond_end", plain.error);
		const file = { name: where.path, real: realOf(where.path), hash: sha256(bytes), text: bytes.toString("utf8") };
		const scope = this.#scope(ask, plain);
		if (request.op === "refresh") return refreshEntry(file, ask, scope);
		return this.#read(request, { ask, plain, file, scope });
	}

	#beside(request, name) {
		if (request.nested || (this.lie === "sibling_text" && existsSync(name))) return undefined;
		return siblingOf(walk(request.session, this.lie), request, name, this.lie);
	}

	#scope(ask, plain) {
		if (!plain.shown) return undefined;
		const everything = plain.shown.first === 1 && plain.shown.last === plain.total;
		if ((everything && !plain.truncated) || (this.lie === "truncated_as_full" && ask.offset === undefined)) return "full";
		return `r:${plain.shown.first}:${plain.shown.last}`;
	}

	#read(request, { ask, plain, file, scope }) {
		const hidden = (request.nested && this.lie !== "ignore_nested") || !scope || /(^|\/)\.env/.test(file.name);
		const finish = (mode, reason, text, base, as = scope) => this.#result(request, { mode, reason, text, base, plain, file, scope: as, hidden });
		if (hidden) return finish("plain", "nested", plain.text);
		const store = new Store(request, this.lie);
		store.put(file.hash, file.text);
		if (request.params.bypass_cache && this.lie !== "ignore_bypass") return finish("full", "bypass", plain.text);
		const trust = replay(request, this.lie);
		if (this.lie === "own_memory") for (const meta of this.memory.filter((one) => one.cwd === request.cwd)) trust.take(meta);
		const lines = scope === "full" ? { first: 1, last: plain.total } : plain.shown;
		const about = { ask, file, plain, scope, lines };
		const strict = this.#strict(finish, trust, store, about);
		const wide = request.policy === "coverage" || this.lie === "coverage_always";
		const answer = wide ? this.#coverage(finish, trust, store, { ...about, strict }) : strict;
		const { mode, servedBytes, baselineBytes } = answer.decision;
		const marker = mode.startsWith("unchanged");
		if (!isAnchor(mode) && this.#beside(request, file.name)) return finish("baseline_fallback", "sibling", plain.text);
		if (marker && servedBytes >= baselineBytes && !["marker_longer", "cover_costly"].includes(this.lie)) return finish("baseline_fallback", "marker_not_smaller", plain.text);
		return marker && ownEdit(trust, file, lines) ? finish("baseline_fallback", "own_edit", plain.text) : answer;
	}

	#strict(finish, trust, store, { ask, file, plain, scope, lines }) {
		const base = this.#base(trust, file, scope);
		if (!base) return finish("full", "first_read", plain.text);
		if (this.lie !== "ignore_newer" && newerDisagrees(trust, store, { base, file, plain, scope, lines })) return finish("baseline_fallback", "newer_view", plain.text);
		const answer = this.#compare(finish, store, { ask, base, file, plain, scope, lines });
		const doubtful = answer.decision.mode === "diff" && this.lie !== "ignore_mended" && isMended(trust, file, base);
		return doubtful ? finish("baseline_fallback", "newer_view", plain.text) : answer;
	}

	/** The shortest of what the strict rule, the lines known and the pages known allow. */
	#coverage(finish, trust, store, { strict, ...about }) {
		const { file, plain, scope, lines } = about;
		if (isVoid(trust, file, scope, { ...lines, toEnd: lines.last === plain.total })) return finish("full", "refreshed", plain.text);
		const last = trust.names.get(file.name);
		const moved = last !== undefined && last !== file.real && this.lie !== "ignore_moved";
		const others = moved ? [] : [this.#covered(finish, trust, store, about), this.#paged(finish, trust, store, about)];
		const shorter = (a, b) => (b.decision.servedBytes < a.decision.servedBytes ? b : a);
		const best = this.lie === "cover_costly" && others[0] ? others[0] : [strict, ...others.filter(Boolean)].reduce(shorter);
		const why = isAnchor(best.decision.mode) ? undefined : pause(trust, file, scope, lines);
		return why ? finish("baseline_fallback", why, plain.text) : best;
	}

	#covered(finish, trust, store, about) {
		const { file, plain, scope, lines } = about;
		const { covered, outside, rests } = findCover(trust, store, about);
		if (!covered) return undefined;
		const base = { hash: file.hash, rests };
		if (scope === "full") return finish("unchanged", "covered", `[readcache: unchanged, ${plain.total} lines]`, base);
		const end = outside ? "; changes exist outside this range" : ` of ${plain.total}`;
		const notice = plain.truncated ? `\n\n${plain.notice}` : "";
		return finish("unchanged_range", "covered", `[readcache: unchanged in lines ${lines.first}-${lines.last}${end}]${notice}`, base);
	}

	#paged(finish, trust, store, { ask, file, plain }) {
		if (!plain.truncated || plain.shown.first !== 1) return undefined;
		const base = pagedBase(trust, file);
		const old = base && store.get(base.hash);
		if (old === undefined || old === file.text) return undefined;
		const as = (mode, reason, text, base) => finish(mode, reason, text, base, "full");
		const answer = this.#diff(as, old, { ask, base, file, plain, total: plain.total });
		return answer.decision.mode === "diff" ? answer : undefined;
	}

	#base(trust, file, scope) {
		const slots = trust.of(file.real, file.name);
		const last = trust.names.get(file.name);
		if (this.lie !== "ignore_moved" && last !== undefined && last !== file.real) return undefined;
		const [own, full] = [slots.get(scope), slots.get("full")];
		if (scope === "full") return this.lie === "range_as_full" ? [...slots.values()][0] : full;
		if (trust.refreshed.has(`${file.real} ${scope}`)) return undefined;
		return own && full ? (full.seq > own.seq ? full : own) : own ?? full;
	}

	#compare(finish, store, { ask, base, file, plain, scope, lines }) {
		const total = plain.total + (this.lie === "wrong_total" ? 1 : 0);
		const notice = plain.truncated && this.lie !== "no_notice" ? `\n\n${plain.notice}` : "";
		const marker = (end) => `[readcache: unchanged in lines ${lines.first}-${lines.last}${end}]${notice}`;
		if (base.hash === file.hash || this.lie === "stale_unchanged") {
			if (scope === "full") return finish("unchanged", "same_file", `[readcache: unchanged, ${total} lines]`, base);
			return finish("unchanged_range", "same_file", marker(` of ${total}`), base);
		}
		const old = store.get(base.hash);
		if (old === undefined) return finish("baseline_fallback", "base_missing", plain.text);
		if (scope !== "full") {
			const outside = this.lie === "wrong_wording" ? ` of ${total}` : "; changes exist outside this range";
			const text = this.lie === "stale_text" ? plainRead(old, ask).text ?? plain.text : plain.text;
			if (this.#sameLines(old, plain, lines)) return finish("unchanged_range", "same_lines", marker(outside), base);
			return finish("baseline_fallback", "lines_changed", text);
		}
		if (this.lie === "final_newline" && old.trimEnd() === file.text.trimEnd()) return finish("unchanged", "same_file", `[readcache: unchanged, ${total} lines]`, base);
		return this.#diff(finish, old, { ask, base, file, plain, total });
	}

	#sameLines(old, plain, { first, last }) {
		const before = old.split("\n");
		const now = plain.lines.slice(first - 1, last);
		if (this.lie === "shifted_range") return now.every((line) => before.includes(line));
		if (last === plain.total && before.length !== plain.total && this.lie !== "ignore_tail") return false; // it ended elsewhere
		return now.every((line, i) => before[first - 1 + i] === line);
	}

	#diff(finish, old, { ask, base, file, plain, total }) {
		const diff = makeDiff(old, file.text, ask.path);
		if (this.lie === "wrong_diff") diff.text = diff.text.replace(/\n\+(?!\+\+).*(?=\n)/, "\n+something else");
		const changed = diff.changed + (this.lie === "wrong_count" ? 1 : 0);
		const text = `[readcache: ${changed} lines changed of ${total}]\n${diff.text}`;
		if (text.length > 0.9 * plain.text.length) return finish("baseline_fallback", "diff_not_useful", plain.text);
		return finish("diff", "changed", text, base);
	}

	#result(request, { mode, reason, text, base, plain, file, scope, hidden }) {
		const details = {};
		const anchor = !["unchanged", "unchanged_range", "diff"].includes(mode);
		if (anchor && plain.truncation) details.truncation = plain.truncation;
		const full = scope === "full";
		if (!hidden) {
			details.readcache = {
				v: 1,
				pathKey: file.real,
				name: file.name === file.real ? undefined : file.name,
				scopeKey: scope,
				servedHash: this.lie === "wrong_hash" && base ? sha256(text) : file.hash,
				baseHash: base?.hash,
				mode,
				totalLines: plain.total,
				rangeStart: full ? 1 : plain.shown.first,
				rangeEnd: full ? plain.total : plain.shown.last,
				bytes: Buffer.byteLength(plain.text),
				textHash: sha256(text).slice(0, 32),
				textBytes: Buffer.byteLength(text),
			};
			const told = { own: details.readcache.textHash, mode, newest: this.memory.at(-1)?.textHash };
			if (base) details.readcache.rests = toldRests(base.rests, told, this.lie);
			this.memory.push({ ...details.readcache, cwd: request.cwd });
		}
		const decision = { mode, reason, scope, baselineBytes: Buffer.byteLength(plain.text), servedBytes: Buffer.byteLength(text) };
		const result = { content: [{ type: "text", text }], details: Object.keys(details).length > 0 ? details : undefined };
		return { ok: true, result, decision };
	}
}

/** T6: something else was shown after the base, and the file is not like it. */
function newerDisagrees(trust, store, { base, file, plain, scope, lines }) {
	return trust.shown.some((view) => {
		if (view.pathKey !== file.real || view.seq <= base.seq || view.servedHash === file.hash) return false;
		if (view.rangeEnd === view.totalLines && view.rangeEnd < lines.last) return true; // it showed the file's end
		const told = lines.last === plain.total ? view.totalLines === plain.total : view.totalLines >= lines.last;
		if (!told && trust.lie !== "ignore_totals") return true;
		const first = Math.max(view.rangeStart, scope === "full" ? 1 : lines.first);
		const last = scope === "full" ? view.rangeEnd : Math.min(view.rangeEnd, lines.last);
		if (first > last) return false;
		const shown = store.get(view.servedHash)?.split("\n");
		if (!shown) return true;
		for (let line = first; line <= last; line++) if (shown[line - 1] !== plain.lines[line - 1]) return true;
		return false;
	});
}

/** A derived answer of another version stands behind the base: sent as its text, it is what the reader has seen last. */
function isMended(trust, file, base) {
	const isWhole = ({ pathKey, scopeKey, mode }) => pathKey === file.real && scopeKey === "full" && !isAnchor(mode);
	return trust.shown.some((view) => view.seq > base.seq && isWhole(view) && view.servedHash !== base.hash);
}

function fail(code, message) {
	return { ok: false, error: { code, message } };
}

function besideAnswer({ given, offset, limit }, params) {
	return { ok: true, delegate: { reason: "sibling", params: given === params.path || given === undefined ? undefined : { path: given, offset, limit } } };
}

function refreshEntry(file, ask, scope) {
	const scopeKey = ask.offset === undefined && ask.limit === undefined ? "full" : scope ?? "full";
	return { ok: true, entry: { customType: "pi-readcache", data: { v: 1, kind: "invalidate", pathKey: file.real, scopeKey, at: 1 } }, text: "" };
}
