// What pi's edit makes of a text, and of which letters every new line is made. Slow and simple: one place for each letter.

/** The edits in the arguments of a call, as pi takes them: an array, JSON of one, or one; the older form comes last. */
export function editsOf(args) {
	let { edits } = args;
	if (typeof edits === "string") edits = JSON.parse(edits);
	if (!Array.isArray(edits)) edits = edits ? [edits] : [];
	return args.oldText === undefined ? edits : [...edits, { oldText: args.oldText, newText: args.newText }];
}

const withLf = (text) => text.replaceAll("\r\n", "\n");

/**
 * TEXT with EDITS done, or undefined if pi would not. Gives {text, lines}, of each line of the new text:
 *   from    the numbers of the old lines of which letters are in it
 *   kept    it is all of one old line, and nothing else; an empty line is of no line
 */
export function edited(text, edits) {
	const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
	const crlf = /^[^\n]*\r\n/.test(text);
	const old = withLf(text.slice(mark.length));
	const spots = [];
	for (const { oldText, newText } of edits) {
		const what = withLf(oldText);
		const at = old.indexOf(what);
		if (what === "" || at === -1 || old.indexOf(what, at + 1) !== -1) return undefined;
		spots.push({ at, end: at + what.length, to: withLf(newText) });
	}
	spots.sort((a, b) => a.at - b.at);
	if (spots.length === 0 || spots.some((spot, i) => i > 0 && spots[i - 1].end > spot.at)) return undefined;

	// The new text as letters and the place of each in the old one, -1 for a new letter.
	const letters = [];
	const put = (piece, place) => {
		for (let i = 0; i < piece.length; i++) letters.push([piece[i], place < 0 ? -1 : place + i]);
	};
	let at = 0;
	for (const spot of spots) {
		put(old.slice(at, spot.at), at);
		put(spot.to, -1);
		at = spot.end;
	}
	put(old.slice(at), at);

	const lineOf = []; // by place
	const begins = [0, 0]; // by line
	for (let i = 0; i < old.length; i++) {
		lineOf.push(begins.length - 1);
		if (old[i] === "\n") begins.push(i + 1);
	}
	begins.push(old.length + 1);
	const lines = [[]];
	for (const [letter, place] of letters) {
		if (letter === "\n") lines.push([]);
		else lines.at(-1).push(place);
	}
	const made = letters.map(([letter]) => letter).join("");
	if (made === old) return undefined;
	return {
		text: mark + (crlf ? made.replaceAll("\n", "\r\n") : made),
		lines: lines.map((places) => {
			const from = [...new Set(places.filter((place) => place >= 0).map((place) => lineOf[place]))];
			const [one] = from;
			const all = from.length === 1 && places.length === begins[one + 1] - 1 - begins[one];
			return { from, kept: all && places.every((place, i) => place === begins[one] + i) };
		}),
	};
}
