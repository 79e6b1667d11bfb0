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

/** How many ways of placing edits are tried for one read. */
const TRIES = 500;

/** Could LINES stand in VERSION from line I + 1 on? The first and the last one may be parts of lines. */
function fits(version, i, lines) {
	return lines.every((text, j) => {
		const there = version[i + j].text;
		if (there === undefined || there === text) return true;
		if (j > 0 && j < lines.length - 1) return false;
		return lines.length === 1 ? there.includes(text) : j === 0 ? there.endsWith(text) : there.startsWith(text);
	});
}

/** Where LINES are in a later read that shows one of them, and nothing else like it: the number before their first one. */
function seenAt(later, lines) {
	for (const { first, lines: shown } of later)
		for (const [k, line] of lines.entries()) {
			const at = line.trim() === "" ? -1 : shown.indexOf(line);
			if (at !== -1 && !shown.includes(line, at + 1)) return first - 1 + at - k;
		}
	return undefined;
}

/** Where LINES can have stood in VERSION, some of them never shown: after NEAR lines, or else of places in a row the first. */
function placesFor(version, lines, near = -1) {
	const places = [];
	if (near >= 0 && near + lines.length <= version.length && fits(version, near, lines)) return [near];
	let unseen = 0; // lines in a row up to the end of the window
	for (let end = 1; end <= version.length; end++) {
		unseen = version[end - 1].text === undefined ? unseen + 1 : 0;
		const i = end - lines.length;
		if (i < 0 || !version.slice(i, end).some(({ text }) => text === undefined) || !fits(version, i, lines)) continue;
		if (unseen <= lines.length) places.push(i);
	}
	return places;
}

/** VERSION with EDIT done, in each way in which that is possible: {version, filled: lines that are known now}. */
function waysOf(version, edit, later) {
	const known = edited(version, [edit]);
	if (known) return [{ version: known, filled: [] }];
	const lines = edit.oldText.replace(/^\n|\n$/g, "").split("\n");
	const ways = [];
	for (const place of placesFor(version, lines, seenAt(later, edit.newText.split("\n")))) {
		const there = version.slice(place, place + lines.length).map((was, i) => (was.text === undefined ? { text: lines[i], was } : was));
		const made = edited([...version.slice(0, place), ...there, ...version.slice(place + lines.length)], [edit]);
		if (made) ways.push({ version: made, filled: there.filter(({ was }) => was) });
	}
	return ways;
}

/** How well SHOWN agrees with VERSION: how many lines; Infinity if that is all of them. */
function agreement(version, { first, lines, total }) {
	const same = lines.filter((text, i) => [undefined, text].includes(version[first - 1 + i]?.text)).length;
	return same === lines.length && version.length === total ? Infinity : same;
}

/**
 * EDITS were made in BEFORE, some of them in lines that were never shown. Tries where these can have been, and gives what
 * agrees best with the first read of LATER: {version, filled}. An edit that fits nowhere is left out: somebody else has
 * changed the file, too.
 */
function placed(before, edits, later) {
	let best;
	let tries = 0;
	const go = (version, filled, rest) => {
		if (best?.score === Infinity || tries === TRIES) return;
		if (rest.length === 0) {
			tries++;
			const score = agreement(version, later[0]);
			if (!best || score > best.score) best = { score, version, filled };
			return;
		}
		const ways = waysOf(version, rest[0], later);
		if (ways.length === 0) ways.push({ version, filled: [] });
		for (const way of ways) go(way.version, [...filled, ...way.filled], rest.slice(1));
	};
	go(before, [], edits);
	return best;
}

/** The files of one session, by absolute path, while its entries go by. */
export class Files {
	#versions = new Map();
	#open = new Map(); // path -> {before, edits} of edits in lines that were never shown

	/** What is at PATH now; undefined where nobody knows. */
	now(path) {
		return this.#versions.get(path);
	}

	/** A read showed LINES from FIRST on, of TOTAL. LATER: this read and those that come after it. */
	show(path, shown, later = [shown]) {
		const { first, lines, total, cut } = shown;
		const known = this.#settled(path, later);
		const version = known && agreement(known, shown) === Infinity ? known : this.#changed(known, shown);
		lines.forEach((text, i) => (version[first - 1 + i].text = text));
		if (cut && first + lines.length <= total) version[first - 1 + lines.length].room = 51200; // it did not fit
		this.#versions.set(path, version);
	}

	/** What the file is, now that reads may tell where edits were made in lines that were never shown. */
	#settled(path, later) {
		const { before, edits } = this.#open.get(path) ?? {};
		this.#open.delete(path);
		const found = before && placed(before, edits, later);
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
