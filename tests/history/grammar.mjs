// What an answer says, by its visible text alone (SPEC.md 9 and 10, and the host's notices).
import { parseDiff } from "./patch.mjs";
import { AGAIN, parsePieced } from "./pieced.mjs";

const WAY = `(${AGAIN})?\\]`;
const NOTICE = "(?:\\n\\n(\\[.*\\]))?$";
const WHOLE = new RegExp(`^\\[readcache: unchanged, (\\d+) lines${WAY}$`);
const SAME = new RegExp(`^\\[readcache: unchanged in lines (\\d+)-(\\d+) of (\\d+)${WAY}${NOTICE}`);
const OUTSIDE = new RegExp(`^\\[readcache: unchanged in lines (\\d+)-(\\d+); changes exist outside this range${WAY}${NOTICE}`);
const CHANGED = /^\[readcache: (\d+) lines changed of (\d+)\]\n\n?(--- [^]*)$/;
const SHOWING = /\n\n\[Showing lines (\d+)-(\d+) of (\d+)(?: \(50\.0KB limit\))?\. Use offset=(\d+) to continue\.\]$/;
const MORE = /\n\n\[(\d+) more lines in file\. Use offset=(\d+) to continue\.\]$/;
const TOO_LONG = /^\[Line (\d+) is [^\n]*, exceeds 50\.0KB limit\. Use bash: sed -n '\d+p' [^\n]* \| head -c 51200\]$/;

/**
 * A compact answer, or undefined when TEXT is none. A broken diff has `broken`, and so have broken parts. `again`: it
 * says how to see the text. P5 of SPEC.md 9 has the words of a marker, and is one here.
 */
export function parseCompact(text) {
	let hit = WHOLE.exec(text);
	if (hit) return { kind: "unchanged", total: Number(hit[1]), again: hit[2] !== undefined };
	hit = SAME.exec(text);
	if (hit) return { kind: "range", first: Number(hit[1]), last: Number(hit[2]), total: Number(hit[3]), again: hit[4] !== undefined, notice: hit[5] ?? "" };
	hit = OUTSIDE.exec(text);
	if (hit) return { kind: "range", first: Number(hit[1]), last: Number(hit[2]), outside: true, again: hit[3] !== undefined, notice: hit[4] ?? "" };
	hit = CHANGED.exec(text);
	if (!hit) return parsePieced(text);
	const answer = { kind: "diff", changed: Number(hit[1]), total: Number(hit[2]) };
	try {
		answer.diff = parseDiff(hit[3]);
	} catch (error) {
		answer.broken = error.message;
	}
	return answer;
}

/** A notice that agrees with the lines before it; else the words are taken for the file's own. */
function takeNotice(text, first) {
	let hit = SHOWING.exec(text);
	if (hit) {
		const lines = text.slice(0, hit.index).split("\n");
		const last = Number(hit[2]);
		if (Number(hit[1]) === first && last === first + lines.length - 1) return { lines, total: Number(hit[3]), toEnd: false };
	}
	hit = MORE.exec(text);
	if (hit) {
		const lines = text.slice(0, hit.index).split("\n");
		const next = Number(hit[2]);
		if (next === first + lines.length) return { lines, total: next - 1 + Number(hit[1]), toEnd: false };
	}
	return undefined;
}

/** An answer with the file's text: the lines it shows, from FIRST, and whether they go to the file's end. */
export function parseText(text, first) {
	const long = TOO_LONG.exec(text);
	if (long) return { kind: "too_long", line: Number(long[1]) };
	const lines = text.split("\n");
	return { kind: "text", first, ...(takeNotice(text, first) ?? { lines, total: first + lines.length - 1, toEnd: true }) };
}
