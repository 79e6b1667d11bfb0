// The model's mind: what the texts it can see prove, and nothing else. It never looks at the engine's metadata.
import { parseCompact, parseText } from "./grammar.mjs";
import { applyDiff, shownByDiff } from "./patch.mjs";
import { Sketch } from "./sketch.mjs";

/**
 * The entries from the leaf back to the boundary, oldest first. The latest compaction hides what was before it;
 * so does a gap. Nothing is visible where the session does not say what the branch is.
 */
function visibleEntries(entries, leafId) {
	const byId = new Map();
	const twice = new Set();
	for (const entry of entries) {
		if (typeof entry.id !== "string") continue;
		if (byId.has(entry.id)) twice.add(entry.id);
		byId.set(entry.id, entry);
	}
	const path = [];
	const seen = new Set();
	for (let id = leafId; id !== null; ) {
		const entry = byId.get(id);
		if (seen.has(id) || (!entry && path.length === 0)) return [];
		if (!entry || twice.has(id) || entry.type === "compaction") break;
		seen.add(id);
		path.unshift(entry);
		id = entry.parentId;
	}
	return path;
}

/**
 * Context edits: target -> replacement (null: omitted), and the calls whose assistant message is edited, or failed
 * and is not sent again.
 */
function contextEdits(path) {
	const targets = new Map();
	for (const entry of path) if (entry.type === "context_edit") targets.set(entry.targetId, entry.replacement);
	const calls = new Set();
	for (const entry of path) {
		if (entry.message?.role !== "assistant") continue;
		if (!targets.has(entry.id) && !["error", "aborted"].includes(entry.message.stopReason)) continue;
		for (const block of entry.message.content) if (block.type === "toolCall") calls.add(block.id);
	}
	return { targets, calls };
}

/** What the model reads of a message's content; undefined for nothing. */
export function textOf(content) {
	if (typeof content === "string") return content;
	const texts = content.filter((block) => block.type === "text");
	return texts.length > 0 ? texts.map((block) => block.text).join("") : undefined;
}

/**
 * The calls that were taken away without a record, with their results. A loss has its place in the session: the
 * message that was asked for without them is its witness, and where that one is not on the branch nothing is lost.
 */
function lostCalls(path, losses = []) {
	const lost = new Set();
	const isOn = (witness) => path.some(({ message }) => message?.role === "assistant" && nameOf(message) === witness);
	for (const { witness, dropped } of losses) if (isOn(witness)) for (const call of dropped) lost.add(call);
	return lost;
}

/** What an assistant's message can be told by: nobody else has its calls, or its words. */
export const nameOf = ({ content }) => content?.[0]?.id ?? content?.[0]?.text;

const sizes = new WeakMap(); // entries never change in place

function sizeOf(entry) {
	if (!sizes.has(entry)) sizes.set(entry, JSON.stringify(entry.message?.content ?? entry.summary ?? "").length);
	return sizes.get(entry);
}

/** How many bytes the model is sent, about: what counts is that less is sent where something is gone. */
export function sentBytes({ session, losses }) {
	const path = visibleEntries(session.entries, session.leafId);
	const edits = contextEdits(path);
	const lost = lostCalls(path, losses);
	const callOf = ({ message }) => message?.toolCallId ?? (message?.role === "assistant" ? message.content?.[0]?.id : undefined);
	let bytes = 0;
	for (const entry of path) {
		const call = callOf(entry);
		if (lost.has(call) || edits.calls.has(call)) continue;
		const replacement = edits.targets.get(entry.id);
		if (replacement !== null) bytes += replacement ? JSON.stringify(replacement.content).length : sizeOf(entry);
	}
	return bytes;
}

/** The view a read result gives; `hidden` when an edit or a loss takes it from the model. */
function viewOf(entry, edits, calls, lost) {
	const { message } = entry;
	if (message?.role !== "toolResult" || message.toolName !== "read" || message.isError) return undefined;
	const call = calls.get(message.toolCallId);
	if (!call) return undefined;
	const edited = edits.targets.has(entry.id);
	const replacement = edits.targets.get(entry.id);
	const hidden = edits.calls.has(message.toolCallId) || (edited && !replacement) || lost.has(message.toolCallId);
	const content = replacement ? replacement.content : message.content;
	const image = !replacement && content.some((block) => block.type === "image");
	const text = textOf(content);
	if (text === undefined && !image) return undefined;
	const nameless = message.details?.readcache?.textHash === undefined; // nobody can say that an answer rests on it
	return { call, text, image, hidden, nameless, edited, altered: text !== call.delivered };
}

/**
 * The edit in ENTRY of the file that NAMES has for it: {id, name, tool, args, twice: its id is not its own, hidden}. Its
 * call must be visible too.
 */
function editOf({ id, message }, path, edits, names, lost) {
	if (message?.role !== "toolResult" || !["edit", "write"].includes(message.toolName)) return undefined;
	const name = names.get(message.toolCallId);
	const blocks = path.flatMap((entry) => (entry.message?.role === "assistant" ? entry.message.content : []));
	const calls = blocks.filter((block) => block.id === message.toolCallId);
	if (name === undefined || calls.length === 0) return undefined;
	const hidden = edits.targets.has(id) || edits.calls.has(message.toolCallId) || lost.has(message.toolCallId);
	return { id: message.toolCallId, name, tool: message.toolName, args: calls[0].arguments, twice: calls.length > 1, hidden };
}

/** Everything visible, oldest first: views, edits refused or done, refreshes, and points that void what was before. */
export function visible({ session, leafId, pending, calls, refused, done, befores, losses }) {
	const path = visibleEntries(session.entries, leafId);
	const edits = contextEdits(path);
	const lost = lostCalls(path, losses);
	const events = [];
	for (const entry of path) {
		const edit = editOf(entry, path, edits, refused, lost);
		if (edit) events.push({ edit });
		const own = editOf(entry, path, edits, done, lost);
		if (own) events.push({ own: { ...own, ...befores.get(own.id) } });
		const data = entry.type === "custom" && entry.customType === "pi-readcache" ? entry.data : undefined;
		if (data?.kind === "invalidate") events.push({ refresh: data });
		if (entry.type === "context_edit" && typeof entry.targetId !== "string") events.push({ refresh: {} });
		const view = viewOf(entry, edits, calls, lost);
		if (view) events.push({ view });
	}
	for (const { callId, result } of pending) {
		const text = textOf(result.content);
		events.push({ view: { call: calls.get(callId), text, image: false, altered: false } });
	}
	return events;
}

/** The LINES, [first, last] each, that are not in first to last. */
export function without(lines, first, last) {
	const parts = lines.flatMap(([from, to]) => [[from, Math.min(to, first - 1)], [Math.max(from, last + 1), to]]);
	return parts.filter(([from, to]) => from <= to);
}

export const isRange = (scopeKey) => /^r:\d+:\d+$/.test(scopeKey);

/** What the mind holds about one file. */
class Belief {
	/** With DRAWN it follows lines and own calls too, as pieced answers speak of them. */
	constructor(relax, drawn = false) {
		this.relax = relax;
		this.sketch = drawn ? new Sketch() : undefined;
		this.hashes = new Set(); // versions the model had an answer about; for the wording of a range marker only
		this.forget();
	}

	forget() {
		this.texts = []; // by line number: the text seen last
		this.from = []; // by line number: the view it comes from
		this.snapshot = undefined; // the last whole file, which a diff speaks of
		this.origin = undefined; // the view that gave it
		this.since = new Set(); // lines seen after the snapshot
		this.ended = undefined; // a later view showed that the file ended here
		this.told = undefined; // the number of lines a text or notice told last
		this.refreshed = new Set(); // scopes, as the strict policy takes a refresh
		this.void = []; // [first, last] of lines, as the policy coverage does
		this.hashes.clear();
		this.sketch?.reset();
	}

	#whole(text, view) {
		const lines = text.split("\n");
		this.sketch?.show({ first: 1, lines, toEnd: true, total: lines.length });
		this.snapshot = text;
		this.origin = view;
		this.texts = [, ...text.split("\n")];
		this.from = this.texts.map(() => view);
		this.since.clear();
		this.ended = undefined;
		this.told = this.texts.length - 1;
	}

	show({ first, lines, toEnd, total }, view) {
		const last = first + lines.length - 1;
		this.void = without(this.void, first, toEnd ? Infinity : last);
		if (first === 1 && toEnd) this.refreshed.clear();
		return this.#lines({ first, lines, toEnd, total }, view);
	}

	/** An answer in pieces: its lines are known from now on, by their numbers. It does not show the text of what was refreshed. */
	piece(said, view) {
		if (said.broken) return this.forget();
		const { first, last, total } = said;
		const read = this.sketch.read(said);
		const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => read[i]);
		if (lines.includes(undefined)) this.sketch.written = undefined;
		return this.#lines({ first, lines, toEnd: last === total, total }, view);
	}

	#lines({ first, lines, toEnd, total }, view) {
		const last = first + lines.length - 1;
		if (first === 1 && toEnd && !lines.includes(undefined)) return this.#whole(lines.join("\n"), view);
		this.sketch?.show({ first, lines, toEnd, total });
		lines.forEach((line, i) => {
			this.texts[first + i] = line;
			this.from[first + i] = view;
			this.since.add(first + i);
			if (line === undefined) this.snapshot = undefined;
		});
		this.refreshed.delete(`r:${first}:${last}`);
		if (!this.relax.has("eof")) this.told = total;
		if (!toEnd || this.relax.has("eof")) return undefined;
		this.ended = last;
		this.texts.length = Math.min(this.texts.length, last + 1); // the lines behind are seen to be gone
		return undefined;
	}

	hide(line) {
		this.sketch?.hide(line);
		delete this.texts[line];
		this.snapshot = undefined;
	}

	diff({ diff, total }, view) {
		if (!diff) return this.forget();
		const text = this.#after(diff, total);
		if (text !== undefined) return this.#whole(text, view);
		const shown = shownByDiff(diff);
		this.sketch?.reset(); // of a base that it does not know
		for (const { first, texts } of shown) this.sketch?.show({ first, lines: texts, toEnd: false, total });
		if (this.#isNewer(shown, total)) this.#add(shown, view);
		else this.#moved(diff, shown, view);
		this.told = total; // its first line says so
		return undefined;
	}

	/** The file as it was seen line by line, page after page; undefined while a line is unknown. */
	pages() {
		const total = this.texts.length - 1;
		if (total < 1 || this.told !== total) return undefined;
		for (let line = 1; line <= total; line++) if (this.texts[line] === undefined) return undefined;
		return this.texts.slice(1).join("\n");
	}

	/** The whole file after a diff; undefined when the diff's base is not what the model saw. */
	#after(diff, total) {
		for (const base of [() => this.snapshot, () => this.pages()]) {
			try {
				const text = base() === undefined ? undefined : applyDiff(base(), diff);
				if (text?.split("\n").length === total) return text;
			} catch {
				// it speaks of something else
			}
		}
		return undefined;
	}

	/** Were the lines of a diff seen since its base: some hunk as a whole, and no line of it otherwise? */
	#isNewer(shown, total) {
		if (this.snapshot !== undefined && this.texts.length - 1 !== total) return false;
		const seen = ({ first, texts }) => texts.map((text, i) => (this.texts[first + i] ?? text) === text);
		const known = ({ first, texts }) => texts.length > 0 && texts.every((text, i) => this.texts[first + i] === text);
		return shown.some(known) && shown.every((hunk) => !seen(hunk).includes(false));
	}

	#add(shown, view) {
		for (const { first, texts } of shown) {
			texts.forEach((text, i) => {
				if (this.texts[first + i] !== undefined) return;
				this.texts[first + i] = text;
				this.from[first + i] = view;
			});
		}
	}

	/**
	 * A diff to an unseen base: its own lines are known, others have moved by what it tells. The whole file seen
	 * before may still be a later diff's base, if that one agrees with what this one showed.
	 */
	#moved(diff, shown, view) {
		const [texts, from] = [[], []];
		let [shift, old] = [0, 1];
		const keep = (end) => {
			for (; old < end; old++) {
				if (this.texts[old] === undefined) continue;
				texts[old + shift] = this.texts[old];
				from[old + shift] = this.from[old];
			}
		};
		for (const { oldStart, rows } of diff.hunks) {
			keep(oldStart);
			old = oldStart + rows.filter(([sign]) => sign !== "+").length;
			shift += rows.filter(([sign]) => sign === "+").length - rows.filter(([sign]) => sign === "-").length;
		}
		keep(this.texts.length);
		for (const { first, texts: lines } of shown) {
			lines.forEach((line, i) => {
				texts[first + i] = line;
				from[first + i] = view;
			});
		}
		const since = new Set(from.keys()); // every line that is not the whole file's own any more
		for (const line of since) if (from[line] === undefined || from[line] === this.origin) since.delete(line);
		Object.assign(this, { texts, from, since, ended: undefined });
	}

	refresh({ scopeKey }) {
		this.sketch?.reset(); // SPEC.md 16: nothing before it counts for pieces
		if (!isRange(scopeKey)) return this.forget();
		const [, first, last] = scopeKey.split(":").map(Number);
		this.void.push([first, last]);
		return this.refreshed.add(scopeKey);
	}

	/** A line of first to last that was refreshed and not shown as text since. */
	voided(first, last) {
		const hit = this.void.find(([from, to]) => from <= last && to >= first);
		return hit && Math.max(hit[0], first);
	}

	/** Why FILE (its lines) is not what was seen last in lines first to last; undefined when it is. */
	disagree(file, first, last) {
		for (let line = first; line <= last; line++) {
			if (this.texts[line] === file[line - 1]) continue;
			if (this.texts[line] === undefined) return `line ${line} was not seen`;
			const seen = JSON.stringify(this.texts[line]).slice(0, 120);
			return `line ${line} was last seen as ${seen} in ${this.from[line].call.what}`;
		}
		return undefined;
	}

	/** The same for the whole file, which must also end where it was seen to end, or last said to. */
	disagreeWhole(file) {
		const why = this.disagree(file, 1, file.length);
		if (why) return why;
		const last = Math.min(this.texts.length - 1, this.told ?? Infinity);
		return last > file.length ? `line ${last} was seen, the file has ${file.length}` : undefined;
	}

	describe() {
		const parts = [];
		for (let line = 1; line < this.texts.length; line++) {
			const view = this.texts[line] === undefined ? undefined : this.from[line];
			if (parts.length === 0 || parts.at(-1).view !== view) parts.push({ view, first: line });
			parts.at(-1).last = line;
		}
		const say = ({ view, first, last }) => `  lines ${first}-${last}: ${view ? view.call.what : "unknown"}${view?.altered ? " (altered)" : ""}`;
		const whole = this.snapshot === undefined ? "none" : `${this.snapshot.split("\n").length} lines`;
		const refreshed = `refreshed ${[...this.refreshed].join(" ") || "-"}, void ${this.void.map((lines) => lines.join("-")).join(" ") || "-"}`;
		const marks = `ended ${this.ended ?? "-"}, told ${this.told ?? "-"}, ${refreshed}`;
		return [`  whole file: ${whole}; ${marks}`, ...parts.map(say)].join("\n");
	}
}

const parsed = new WeakMap(); // by call: an answer is looked at in every later step

/** What the answer of a view says. */
export function meaningOf(view) {
	const known = parsed.get(view.call);
	if (known?.text === view.text) return known.meaning;
	const meaning = parseCompact(view.text) ?? parseText(view.text, view.call.offset ?? 1);
	parsed.set(view.call, { text: view.text, meaning });
	return meaning;
}

function look(belief, view) {
	belief.hashes.add(view.call.hash);
	if (view.image) return belief.forget();
	const meaning = meaningOf(view);
	if (meaning.kind === "text") return belief.show(meaning, view);
	if (meaning.kind === "too_long") return belief.hide(meaning.line);
	if (meaning.kind === "diff") return belief.diff(meaning, view);
	if (meaning.kind === "pieced") return belief.piece(meaning, view);
	if (meaning.kind === "range" && view.call.pieces !== undefined) belief.sketch?.confirm(meaning); // P5
	return undefined; // a marker shows nothing
}

/** Is there an answer in pieces among what is seen? */
const hasPieces = (events) => events.some(({ view }) => view && !view.image && meaningOf(view).kind === "pieced");

/** A call of the model's by which it knows what it wrote: its arguments and its success are there, and its id is its own. */
export const isKnown = (own) => !own.hidden && !own.twice && own.args !== undefined;

/**
 * The belief about the real file REAL, and the real file that was last seen under NAME.
 * With `byName` the mind knows names only: what was seen under NAME, whichever file it was.
 * STILL tells whether a name means the file now. A view stored without metadata, under a name that has left the
 * file since, can be told by nobody to have been of this file.
 * RELAX takes demands away, to tell what a violation comes from: "altered" texts are no views, the end of the file
 * ("eof") is not seen, "omitted" results are still seen, "bare" ones (stored without metadata) are not, a name that
 * "moved" is the same. DRAWN: an answer in pieces is judged, or seen.
 */
export function believe(events, { real, name, still, byName = false, relax = new Set(), drawn = hasPieces(events) }) {
	const belief = new Belief(relax, drawn);
	let lastReal;
	for (const { view, refresh, own } of events) {
		const same = drawn && own && isKnown(own) && (byName ? own.name === name : own.name === name || still(own.name));
		if (same) belief.sketch.change(own);
		if (same && own.tool === "write" && own.name === name && own.real) lastReal = own.real; // whatever was read before
		if (refresh && (refresh.pathKey === real || typeof refresh.pathKey !== "string")) belief.refresh(refresh);
		if (!view || (view.altered && relax.has("altered")) || (view.hidden && !relax.has("omitted"))) continue;
		const { call } = view;
		if (call.bare && (relax.has("bare") || (call.name !== name && !still(call.name)))) continue;
		if (call.name === name && !relax.has("moved")) lastReal = call.real;
		if (byName ? call.name === name : call.real === real) look(belief, view);
	}
	return { belief, lastReal };
}
