// What the host's `edit` makes of a file, written again from its description (../parity/edits.mjs compares the engine
// with the host itself).
import { editsOf } from "../matrix/edits.mjs";

const withLf = (text) => text.replace(/\r\n?/g, "\n");

const PLAIN = [
	[/[\u2018-\u201b]/g, "'"],
	[/[\u201c-\u201f]/g, '"'],
	[/[\u2010-\u2015\u2212]/g, "-"],
	[/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "],
];

/** How the host looks at a text where it is not found as it is, and where it counts. */
function nearly(text) {
	const lines = text.normalize("NFKC").split("\n");
	return PLAIN.reduce((all, [odd, plain]) => all.replace(odd, plain), lines.map((line) => line.trimEnd()).join("\n"));
}

/** Where the edits are in BASE: [{at, end, to}] in their order; undefined if one of them is not there once. */
function find(base, edits) {
	const spots = [];
	for (const { what, to } of edits) {
		const exact = base.indexOf(what);
		const word = exact === -1 ? nearly(what) : what;
		const at = exact === -1 ? nearly(base).indexOf(word) : exact;
		if (what === "" || at === -1 || nearly(base).split(nearly(what)).length > 2) return undefined;
		spots.push({ at, end: at + word.length, to });
	}
	spots.sort((a, b) => a.at - b.at);
	return spots.some((spot, i) => i > 0 && spots[i - 1].end > spot.at) ? undefined : spots;
}

function replaced(text, spots) {
	let [out, at] = ["", 0];
	for (const spot of spots) {
		out += text.slice(at, spot.at) + spot.to;
		at = spot.end;
	}
	return out + text.slice(at);
}

/** Found in a nearly equal text, the lines that are touched become those of that text, the others stay. */
function overlaid(text, near, spots) {
	const old = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
	const lines = near.match(/[^\n]*\n|[^\n]+/g) ?? [];
	if (old.length !== lines.length) return undefined;
	let [out, start] = ["", 0];
	for (let i = 0; i < lines.length; ) {
		let end = start + lines[i].length;
		let next = i + 1;
		const hit = (spot) => spot.at >= start && spot.at < end;
		for (let more = true; more; ) {
			const far = Math.max(end, ...spots.filter(hit).map((spot) => spot.end));
			more = far > end && next < lines.length;
			for (; far > end && next < lines.length; next++) end += lines[next].length;
		}
		const here = spots.filter(hit);
		const moved = here.map((spot) => ({ ...spot, at: spot.at - start, end: spot.end - start }));
		out += here.length > 0 ? replaced(near.slice(start, end), moved) : old.slice(i, next).join("");
		[i, start] = [next, end];
	}
	return out;
}

/** The text after a call of `edit` with ARGS; undefined where the host refuses it. */
export function hostEdit(text, args) {
	const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
	const whole = text.slice(mark.length);
	const crlf = /^[^\n]*\r\n/.test(whole);
	const old = withLf(whole);
	const edits = editsOf(args).map(({ oldText, newText }) => ({ what: withLf(oldText), to: withLf(newText) }));
	const exact = edits.every(({ what }) => old.includes(what));
	const spots = edits.length > 0 ? find(exact ? old : nearly(old), edits) : undefined;
	const made = spots && (exact ? replaced(old, spots) : overlaid(old, nearly(old), spots));
	if (made === undefined || made === old) return undefined;
	return mark + (crlf ? made.replaceAll("\n", "\r\n") : made);
}
