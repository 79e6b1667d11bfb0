// What a file must be by what the model was shown of it and has written itself: its own calls are done once more, on
// the lines that it knows. No rule of the engine's is in here, and no version of the file: only texts and arguments.
import { editsOf } from "../matrix/edits.mjs";

/*
 * A line is its text, if it was shown, or {text, own, edited, fresh, cut}:
 *   own     the model wrote it, or some of it
 *   edited  by an edit
 *   fresh   and no answer has spoken of it since
 *   cut     whole lines were removed by the model just before it: "must" an answer say so, or "may" it
 */
const textOf = (line) => (typeof line === "string" ? line : line?.text);
const asObject = (line) => (typeof line === "string" ? { text: line } : line);
const withLf = (text) => text.replaceAll("\r\n", "\n");

/** The edits of a call that is whole, as [{what: lines, to: lines}]; undefined if it is not. */
function replacementsOf(args) {
	try {
		const edits = editsOf(args ?? {});
		const whole = edits.length > 0 && edits.every((edit) => typeof edit?.oldText === "string" && typeof edit.newText === "string" && edit.oldText !== "");
		return whole ? edits.map(({ oldText, newText }) => ({ what: withLf(oldText).split("\n"), to: withLf(newText).split("\n") })) : undefined;
	} catch {
		return undefined; // JSON in a string that is none
	}
}

/** The old text is there once in BEFORE, the file as the host had it: its line. */
function lineIn(before, what) {
	const text = withLf(before ?? "").replace(/^\ufeff/, "");
	const at = text.indexOf(what.join("\n"));
	return at === -1 ? undefined : text.slice(0, at).split("\n").length;
}

/** A line of the new text, as it is put together of pieces. */
class Joined {
	pieces = []; // of old lines: {line, text, zero: no letter of it, all: from end to end}
	made = ""; // what is known of its text
	written = false;
	cut = undefined;

	/** Letters FROM to TO of the old LINE, which has the number AT and the letters BARE; undefined: to its end. */
	keep(line, bare, from, to) {
		const end = to === undefined || to === bare?.length;
		const text = bare?.slice(from, to);
		this.pieces.push({ line, text, zero: text === "" || from === to, all: from === 0 && end });
		this.made += text ?? "";
	}

	write(text) {
		this.made += text;
		this.written ||= text !== "";
	}

	/** The old line that is all of it; undefined if there is none. */
	#kept() {
		if (this.written) return undefined;
		const solid = this.pieces.filter(({ zero }) => !zero);
		if (solid.length === 0) return this.pieces.findLast(({ all }) => all);
		return solid.length === 1 && solid[0].all ? solid[0] : undefined;
	}

	/** The line as the model knows it; undefined if something is left in it that it does not know. */
	close() {
		const kept = this.#kept();
		if (kept) return this.cut && kept.line !== undefined ? { ...asObject(kept.line), cut: this.cut } : kept.line;
		if (this.pieces.some(({ text }) => text === undefined)) return undefined;
		const cut = this.cut ?? (this.pieces.some(({ line }) => line?.cut) ? "may" : undefined);
		return { text: this.made, own: true, edited: true, fresh: true, cut };
	}
}

/** How many of the states that it believed in, before it saw that somebody else has changed the file. */
const PASTS_MAX = 8;

export class Sketch {
	#loose;

	/** LOOSE: an own call that does not fit is left out. */
	constructor(loose = false) {
		this.#loose = loose;
		this.reset();
	}

	reset() {
		this.pasts = []; // newest last
		this.shown = []; // by number: the text that was shown under it last
		this.lines = []; // by number: what stands there now
		this.end = undefined; // how many there are
		this.cutEnd = undefined; // lines were removed at the end: "must" or "may" be said
		this.written = undefined; // what the model has written as a whole, and nothing since
	}

	/** An answer has shown LINES from FIRST on, or has spoken of them; undefined for those that nobody can know by it. */
	show({ first, lines, toEnd, total }) {
		const others = lines.some((text, i) => ![undefined, text].includes(textOf(this.lines[first + i])));
		if (others || ![undefined, total].includes(this.end)) this.#keep();
		if (this.end !== total) this.written = undefined;
		lines.forEach((text, i) => {
			const old = this.lines[first + i];
			if (textOf(old) !== text) this.written = undefined;
			this.shown[first + i] = text;
			const told = (old?.own || old?.cut) && old.text === text;
			this.lines[first + i] = told ? { text, own: old.own, edited: old.edited, cut: old.cut && "may" } : text;
		});
		this.end = total;
		this.lines.length = Math.min(this.lines.length, total + 1);
		if (!toEnd) return;
		this.shown.length = Math.min(this.shown.length, first + lines.length);
		if (this.cutEnd) this.cutEnd = "may";
	}

	/** An answer has said that lines are as they were shown under their numbers, which is news if an own change was between. */
	confirm({ first, last }) {
		for (let n = first; n <= last; n++) this.lines[n] ??= this.shown[n];
	}

	/** What was shown of line N is gone. What the model wrote itself is still there. */
	hide(n) {
		this.shown[n] = undefined;
		if (!this.lines[n]?.own) this.lines[n] = undefined;
	}

	/** Somebody else has changed the file: what it had made of it by then it still has. */
	#keep() {
		if (this.#loose) return;
		const past = new Sketch(true);
		Object.assign(past, { lines: [...this.lines], end: this.end });
		this.pasts.push(past);
		if (this.pasts.length > PASTS_MAX) this.pasts.shift();
	}

	/** The model's own call {tool, args, before: the file that the host had}. */
	change({ tool, args, before }) {
		for (const past of this.pasts) past.change({ tool, args, before });
		if (tool === "write") return typeof args?.content === "string" ? this.#write(args.content) : this.#lose(1);
		const edits = replacementsOf(args);
		if (!edits) return this.#lose(1);
		const spots = edits.map((edit) => this.#find(edit, before));
		const sorted = spots.includes(undefined) ? [] : spots.sort((a, b) => a.a - b.a || a.ca - b.ca);
		const apart = ({ b, cb }, next) => next === undefined || b < next.a || (b === next.a && cb <= next.ca);
		if (sorted.length === 0 || !sorted.every((spot, i) => apart(spot, sorted[i + 1]))) return this.#lose(this.#gap());
		return this.#replace(sorted);
	}

	#write(content) {
		this.pasts = [];
		this.lines = [, ...content.split("\n").map((text) => ({ text, own: true, fresh: true }))];
		this.end = this.lines.length - 1;
		this.written = content;
		this.cutEnd = undefined;
	}

	/** Something was changed where the model does not know the text: from line FIRST on it does not know what stands there. */
	#lose(first) {
		if (this.#loose) return;
		this.#keep();
		this.lines.length = Math.min(this.lines.length, first);
		this.end = this.written = this.cutEnd = undefined;
	}

	/** The first line that it does not know; the first of all if it knows them all, as one of them is wrong then. */
	#gap() {
		const gap = Array.from(this.lines).indexOf(undefined, 1);
		if (gap !== -1) return gap;
		return this.lines.length - 1 === this.end ? 1 : Math.max(1, this.lines.length);
	}

	#isCrlf() {
		return textOf(this.lines.find((line, i) => i > 0 && line !== undefined))?.endsWith("\r") === true;
	}

	/** The letters of line N without its end and without a byte order mark. */
	#bare(n) {
		const text = textOf(this.lines[n])?.replace(/\r$/, "");
		return n === 1 ? text?.replace(/^\ufeff/, "") : text;
	}

	/** Where the old lines WHAT may stand, of which the first is a line that it knows: [{a, ca, b, cb}]. */
	*#spots(what) {
		const [head, tail] = [what[0], what.at(-1)];
		const last = what.length - 1;
		for (let n = 1; n + last <= (this.end ?? this.lines.length - 1); n++) {
			const text = this.#bare(n);
			if (text === undefined) continue;
			if (last === 0) {
				for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + 1)) yield { a: n, ca: at, b: n, cb: at + head.length };
				continue;
			}
			// Only by lines that it knows: an old text that goes on in others could be anywhere. It may end where one begins.
			const fits = (word, i) => i === 0 || i === last || this.#bare(n + i) === word;
			if (text.endsWith(head) && (tail === "" || this.#bare(n + last)?.startsWith(tail)) && what.every(fits))
				yield { a: n, ca: text.length - head.length, b: n + last, cb: tail.length };
		}
	}

	/** The place that an edit is about. Where there are several, the file tells which: so will the number in the answer. */
	#find({ what, to }, before) {
		const spots = [...this.#spots(what)];
		const one = spots.length === 1 ? spots[0] : spots.find(({ a }) => a === lineIn(before, what));
		return one && { ...one, to };
	}

	#replace(spots) {
		const crlf = this.#isCrlf();
		const marked = textOf(this.lines[1])?.startsWith("\ufeff");
		const end = this.end ?? this.lines.length - 1;
		const out = [,];
		let now = new Joined();
		let next; // the removal that the next line tells of
		const close = () => {
			out.push(now.close());
			now = new Joined();
			[now.cut, next] = [next, undefined];
		};
		const keep = (from, column, to, until) => {
			for (let n = from; n <= to; n++) {
				now.keep(this.lines[n], this.#bare(n), n === from ? column : 0, n === to ? until : undefined);
				if (n < to) close();
			}
		};
		let [line, column] = [1, 0];
		for (const { a, ca, b, cb, to } of spots) {
			keep(line, column, a, ca);
			const cut = this.#removes({ a, ca, b, cb, to });
			if (cut === "here") now.cut = "must";
			else if (cut === "next") next = "must";
			else if (this.lines.slice(a + 1, b + 1).some((old) => old?.cut)) next ??= "may";
			to.forEach((text, i) => {
				if (i > 0) close();
				now.write(text);
			});
			[line, column] = [b, cb];
		}
		keep(line, column, end, undefined);
		out.push(now.close());
		this.cutEnd = next ?? (this.cutEnd && "may");
		this.written = undefined;
		if (this.end !== undefined) this.end = out.length - 1;
		this.lines = this.#finished(out, { crlf, marked });
	}

	/** Does an edit do nothing but remove whole lines? Then the line "here" tells it, or the "next" one. */
	#removes({ a, ca, b, cb, to }) {
		const words = to.join("\n");
		const behind = ca === this.#bare(a)?.length;
		if (b === a) return undefined;
		if (words === "" && ca === 0 && cb === 0) return "here";
		if (words === "" && behind && cb === this.#bare(b)?.length) return "next";
		return words === "\n" && behind && cb === 0 && b > a + 1 ? "next" : undefined;
	}

	/** The ends of lines, and the mark at the beginning, are as they were. */
	#finished(out, { crlf, marked }) {
		return out.map((line, n) => {
			const text = textOf(line);
			if (text === undefined) return line;
			const isLast = n === this.end;
			let whole = crlf ? text.replace(/\r$/, "") + (isLast ? "" : "\r") : text;
			if (n === 1 && marked && !whole.startsWith("\ufeff")) whole = `\ufeff${whole}`;
			return whole === text ? line : { own: true, ...asObject(line), text: whole };
		});
	}

	/** What a pieced answer says its lines are, by what is known: [text or undefined]. */
	read(said) {
		const { form, first, last, total } = said;
		const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
		const own = (n) => (this.lines[n]?.own ? this.lines[n].text : undefined);
		if (form === "written") return this.written === undefined ? [] : this.written.split("\n");
		if (form === "writtenRange") return numbers.map(own);
		if (form === "edited") return this.end === total ? numbers.map((n) => textOf(this.lines[n])) : [];
		if (form === "editedRange") return numbers.map((n) => textOf(this.lines[n]));
		if (form === "moved") return numbers.map((n) => this.shown[said.former + n - first]);
		return (said.runs ?? []).flatMap(({ kind, first: at, n, former, text }, i) => {
			if (kind === "text") return text;
			if (kind === "shown") return Array.from({ length: n }, (_, k) => this.shown[former + k]);
			const before = said.runs[i - 1]?.text?.at(-1);
			return this.#ownAfter(before, n) ?? Array.from({ length: n }, (_, k) => own(at + k));
		});
	}

	/** N own lines that stood right after the own line BEFORE, which it wrote once; undefined if there are none. */
	#ownAfter(before, n) {
		if (before === undefined) return undefined;
		for (const { lines } of [this, ...this.pasts.toReversed()]) {
			const places = [...lines.keys()].filter((k) => lines[k]?.own && lines[k].text === before);
			const after = lines.slice(places[0] + 1, places[0] + 1 + n);
			if (places.length === 1 && after.length === n && Array.from(after).every((line) => line?.own)) return after.map(({ text }) => text);
		}
		return undefined;
	}

	/** What the places in SAID must be: line -> {edited, fresh, cut}, and `cutEnd`. */
	line(n) {
		return typeof this.lines[n] === "string" ? {} : this.lines[n] ?? {};
	}
}
