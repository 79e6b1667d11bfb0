// The files of a recorded session, as far as it shows them: what they were when each call was answered.
//
// A session tells of a file what its reads showed and what its own calls wrote. The rest is taken to have stood still: a
// line that was never shown keeps its place, and where a later read shows it, it has had that text since it was first
// counted. Where a read shows something else than was expected, somebody has changed the file before it.
//
// A line is an object {text}, shared by all versions that have it. A version is an array of lines.

const NOTICES = [
	{ words: /^\[(\d+) more lines in file\. Use offset=(\d+) to continue\.?\]$/, total: ([rest, next]) => next - 1 + rest },
	{ words: /^\[Showing lines \d+-\d+ of (\d+)(?: \(50\.0KB limit\))?\. Use offset=(\d+) to continue\.?\]$/, total: ([total]) => total },
];
const TOO_LONG = /^\[Line \d+ is [^\n]*, exceeds 50\.0KB limit\./;

/** What the host's read showed: {first, lines, total, cut: by its limit of bytes}; undefined where that is not lines. */
export function shownBy(text, { offset, limit }) {
	if (TOO_LONG.test(text)) return undefined;
	const first = offset ?? 1;
	const at = text.lastIndexOf("\n\n[");
	for (const { words, total } of at === -1 ? [] : NOTICES) {
		const found = words.exec(text.slice(at + 2));
		const lines = text.slice(0, at).split("\n");
		if (found && first + lines.length === Number(found[2] ?? 0))
			return { first, lines, total: total(found.slice(1).map(Number)), cut: text.includes("(50.0KB limit)", at) };
	}
	const lines = text.split("\n");
	return limit !== undefined && lines.length > limit ? undefined : { first, lines, total: first + lines.length - 1 };
}

let counted = 0;
const unknown = (count) => Array.from({ length: Math.max(0, count) }, () => ({ number: ++counted }));

/** The text of VERSION. Lines that nobody has seen are texts that are in no file, each another one. */
export function textOf(version) {
	return version.map(({ text, number, room = 0 }) => text ?? `\u0001${number} was never shown\u0001`.padEnd(room, ".")).join("\n");
}

/** Where EDITS are made in TEXT, first to last: [{at, end, newText}]; undefined where the host would not. */
function spotsOf(text, edits) {
	const spots = edits.map(({ oldText, newText }) => {
		const at = oldText === "" ? -1 : text.indexOf(oldText);
		return at === -1 || text.includes(oldText, at + 1) ? undefined : { at, end: at + oldText.length, newText };
	});
	if (spots.length === 0 || spots.includes(undefined)) return undefined;
	spots.sort((a, b) => a.at - b.at);
	return spots.some((spot, i) => i > 0 && spots[i - 1].end > spot.at) ? undefined : spots;
}

/** VERSION with EDITS done, its other lines the same objects; undefined where they are not found in what is known. */
function edited(version, edits) {
	const texts = version.map((line) => textOf([line]));
	const spots = spotsOf(texts.join("\n"), edits);
	if (!spots) return undefined;
	const starts = [0];
	for (const text of texts) starts.push(starts.at(-1) + text.length + 1);
	const lineAt = (place) => starts.findLastIndex((start) => start <= place);
	const lines = [...version];
	for (const { at, end, newText } of spots.reverse()) {
		// What stands before a place has not been touched yet: the last one comes first.
		const [first, last] = [lineAt(at), lineAt(end)];
		const head = texts[first].slice(0, at - starts[first]);
		const tail = (lines[last] === version[last] ? texts[last] : lines[last].text).slice(end - starts[last]);
		const old = new Map([[texts[last], version[last]], [texts[first], version[first]]]);
		const made = `${head}${newText}${tail}`.split("\n").map((text) => (lines[last] === version[last] && old.get(text)) || { text });
		lines.splice(first, last - first + 1, ...made);
	}
	return lines.some(({ text }) => text?.includes("\u0001")) ? undefined : lines;
}

/** The lines around TEXT from AT to END, more and more of them until no other place has the same. */
function widened(text, at, end) {
	let [from, to] = [at, end];
	do {
		from = from === 0 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
		to = text.indexOf("\n", to + 1);
		if (to === -1) to = text.length;
	} while (text.indexOf(text.slice(from, to)) !== text.lastIndexOf(text.slice(from, to)));
	return { from, to };
}

/**
 * Edits of which each is found once, for one that is meant for every place of OLDTEXT in VERSION: other hosts have that.
 * Places whose lines overlap are one edit.
 */
export function everyPlace(version, { oldText, newText }) {
	const text = textOf(version);
	const areas = [];
	for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + oldText.length)) {
		const area = widened(text, at, at + oldText.length);
		if (areas.length > 0 && area.from <= areas.at(-1).to) areas.at(-1).to = Math.max(area.to, areas.at(-1).to);
		else areas.push(area);
	}
	return areas.map(({ from, to }) => ({ oldText: text.slice(from, to), newText: text.slice(from, to).replaceAll(oldText, () => newText) }));
}

/** Where COUNT lines in a row of VERSION were never shown: the first line of each such place. */
function gapsOf(version, count) {
	const gaps = [];
	for (let i = 0, n = 0; i < version.length; i++) {
		n = version[i].text === undefined ? n + 1 : 0;
		if (n === count || (n > count && gaps.length > 0 && i === version.length - 1)) gaps.push(i - count + 1);
	}
	return gaps;
}

/** Does SHOWN agree with VERSION, where that is known? */
const agrees = (version, { first, lines, total }) =>
	version.length === total && lines.every((text, i) => [undefined, text].includes(version[first - 1 + i].text));

/**
 * EDITS were made in lines of BEFORE that were never shown. Tries where these can have been, and gives what SHOWN agrees
 * with: {version, filled: [[line, text]]}; undefined where there is no such place.
 */
function placed(before, edits, shown) {
	if (edits.length === 0) return agrees(before, shown) ? { version: before, filled: [] } : undefined;
	const [edit, ...others] = edits;
	const known = edited(before, [edit]);
	if (known) return placed(known, others, shown);
	const lines = edit.oldText.replace(/^\n|\n$/g, "").split("\n");
	for (const gap of gapsOf(before, lines.length)) {
		const there = lines.map((text, i) => ({ text, was: before[gap + i] }));
		const version = edited([...before.slice(0, gap), ...there, ...before.slice(gap + lines.length)], [edit]);
		const found = version && placed(version, others, shown);
		if (found) return { ...found, filled: [...found.filled, ...there] };
	}
	return undefined;
}

/** The files of one session, by absolute path, while its entries go by. */
export class Files {
	#versions = new Map();
	#open = new Map(); // path -> {before, edits} of edits in lines that were never shown

	/** What is at PATH now; undefined where nobody knows. */
	now(path) {
		return this.#versions.get(path);
	}

	/** A read showed LINES from FIRST on, of TOTAL. */
	show(path, shown) {
		const { first, lines, total, cut } = shown;
		const known = this.#settled(path, shown);
		const version = known && agrees(known, shown) ? known : this.#changed(known, shown);
		lines.forEach((text, i) => (version[first - 1 + i].text = text));
		if (cut && first + lines.length <= total) version[first - 1 + lines.length].room = 51200; // it did not fit
		this.#versions.set(path, version);
	}

	/** What the file is, now that SHOWN may tell where edits were made in lines that were never shown. */
	#settled(path, shown) {
		const { before, edits } = this.#open.get(path) ?? {};
		this.#open.delete(path);
		const found = before && placed(before, edits, shown);
		if (!found) return this.now(path);
		for (const { text, was } of found.filled) was.text = text;
		return found.version.map((line) => line.was ?? line);
	}

	/** Somebody has changed the file: what is seen now, and around it what was there, counted from the nearer end. */
	#changed(known, { first, lines, total }) {
		if (!known) known = [];
		const after = Math.max(0, Math.min(total - (first - 1 + lines.length), known.length - (first - 1)));
		const before = [...known.slice(0, first - 1), ...unknown(first - 1 - known.length)];
		const seen = lines.map((text, i) => (known[first - 1 + i]?.text === text ? known[first - 1 + i] : { text }));
		const rest = total - (first - 1 + lines.length);
		return [...before, ...seen, ...unknown(rest - after), ...known.slice(known.length - after)];
	}

	write(path, text) {
		this.#open.delete(path);
		this.#versions.set(path, text.split("\n").map((line) => ({ text: line })));
	}

	edit(path, edits) {
		const { before = this.now(path), edits: earlier = [] } = this.#open.get(path) ?? {};
		const version = before && earlier.length === 0 ? edited(before, edits) : undefined;
		if (before && !version) this.#open.set(path, { before, edits: [...earlier, ...edits] });
		this.#versions.set(path, version);
	}
}
