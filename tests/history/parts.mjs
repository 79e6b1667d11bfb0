// The judge of a pieced answer (SPEC.md 9, P1 to P7): whoever has seen the texts in sight, and made the calls in sight,
// must be able to put the requested lines together from it, and must get those of the file.
import { AGAIN, isWhole } from "./pieced.mjs";

const PARTS_MAX = 4;
const PLACES_MAX = 8;
const SMALL = 64; // bytes that are better sent as text

const WHOLES = ["written", "edited"];
const RANGES = ["writtenRange", "editedRange", "moved"];
const short = (text) => JSON.stringify(text)?.slice(0, 120) ?? "unknown";

/** Why what the mind makes of the answer is not the file; undefined if it is. */
export function misread(said, sketch, plain) {
	const lines = sketch.read(said);
	for (let n = said.first; n <= said.last; n++) {
		const text = lines[n - said.first];
		if (text === plain.lines[n - 1]) continue;
		return text === undefined ? `line ${n} of it cannot be known` : `line ${n} is understood as ${short(text)}, and is ${short(plain.lines[n - 1])}`;
	}
	return lines.length > said.last - said.first + 1 ? "it speaks of lines that are not there" : undefined;
}

// --- forms

/** The parts have no gaps, no part goes on with what is in the one before it, and no small one is left out. */
function partsWrong({ runs, count, first, last }, plain) {
	const wrong = [];
	if (count > PARTS_MAX) wrong.push(`it has ${count} parts`);
	if (runs.every(({ kind }) => kind === "text")) wrong.push("it is all text");
	let next = first;
	for (const [i, run] of runs.entries()) {
		const before = runs[i - 1];
		if (run.first !== next) wrong.push(`a part begins at line ${run.first}, not ${next}`);
		next = run.first + run.n;
		const goesOn = before?.kind === run.kind && (run.kind !== "shown" || before.former + before.n === run.former);
		if (goesOn) wrong.push(`two parts at line ${run.first} are one`);
		const bytes = Buffer.byteLength(plain.lines.slice(run.first - 1, next - 1).join("\n"));
		if (run.kind !== "text" && bytes <= SMALL) wrong.push(`the part at line ${run.first} has ${bytes} bytes`);
	}
	if (next !== last + 1) wrong.push(`the parts end at line ${next - 1}, not ${last}`);
	return wrong;
}

/** The places of an answer in their order, none twice, and lines that stand together in one. */
function orderWrong({ places, first, last }) {
	if (places.length > PLACES_MAX) return `it has ${places.length} places`;
	let before = { last: first - 1, apart: true }; // the place before, and whether it may be next to another
	for (const { first: from, last: to, removed, words } of places) {
		if (removed !== undefined) {
			if (before.removed >= removed || removed <= before.last || removed < first || (removed > last && removed !== Infinity)) return "a removal is out of order";
			before = { last: before.last, apart: true, removed };
			continue;
		}
		if (words !== (from === to ? `line ${from}` : `lines ${from}-${to}`) || to < from) return `the place ${words}`;
		if (from <= before.last || to > last || from < (before.removed ?? 0)) return `the place ${words} is out of order`;
		if (from === before.last + 1 && !before.apart) return `the place ${words} goes on with the one before`;
		before = { last: to, apart: false };
	}
	return undefined;
}

/** Every place is one of the model's edits, and no edit that no answer has spoken of since is missing. */
function placesWrong(said, sketch, plain) {
	const why = orderWrong(said);
	if (why) return [why];
	const wrong = [];
	const lines = new Set(said.places.flatMap(({ first, last }) => (first ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : [])));
	const removals = new Set(said.places.map(({ removed }) => removed).filter(Boolean));
	for (let n = said.first; n <= said.last; n++) {
		const { own, edited, fresh, cut } = sketch.line(n);
		if (lines.has(n) && !(own && edited)) wrong.push(`line ${n} is not of an edit`);
		if (!lines.has(n) && edited && fresh) wrong.push(`the edit of line ${n} is missing`);
		if (removals.has(n) && !cut) wrong.push(`nothing was removed before line ${n}`);
		if (!removals.has(n) && cut === "must") wrong.push(`what was removed before line ${n} is missing`);
	}
	const atEnd = said.last === plain.total;
	if (removals.has(Infinity) && !(atEnd && sketch.cutEnd)) wrong.push("nothing was removed at the end");
	if (!removals.has(Infinity) && atEnd && sketch.cutEnd === "must") wrong.push("what was removed at the end is missing");
	return wrong.slice(0, 3);
}

function formWrong(said, sketch, plain) {
	if (said.form === "parts") return partsWrong(said, plain);
	if (said.form === "moved") return said.formerLast - said.former !== said.last - said.first || said.former === said.first ? ["the numbers that they had"] : [];
	return said.form.startsWith("edited") ? placesWrong(said, sketch, plain) : [];
}

/** What is wrong in an answer by what the model can know: [[rule, why]]. */
export function piecedWrong(said, { belief, plain }) {
	if (said.broken) return [["pieced", said.broken]];
	const wrong = [];
	const { first, last } = plain.shown;
	const say = (why) => wrong.push(["pieced", why]);
	if (said.first !== first || said.last !== last) wrong.push(["scope", `the host shows lines ${first}-${last}`]);
	if (said.total !== plain.total) wrong.push(["count", `the file has ${plain.total} lines`]);
	if (said.notice !== (plain.truncated ? plain.notice : "")) wrong.push(["notice", `the host's notice is ${JSON.stringify(plain.notice)}`]);
	if (wrong.length > 0) return wrong;
	if (isWhole(said) ? RANGES.includes(said.form) : WHOLES.includes(said.form)) say("the form is of another scope");
	formWrong(said, belief.sketch, plain).forEach(say);
	const why = misread(said, belief.sketch, plain);
	if (why) say(why);
	return wrong;
}

// --- what it says beside the text

/** It is measured with the words of the way out, whether it has them or not. */
export function priceWrong(said, text, plain) {
	const bytes = Buffer.byteLength(text) + (said.again ? 0 : Buffer.byteLength(AGAIN));
	const whole = Buffer.byteLength(plain.text);
	const most = said.form === "parts" ? Math.floor(whole / 2) : whole - 1;
	return bytes <= most ? [] : [["cost", `it has ${bytes} bytes with the way out, the text ${whole}`]];
}

const isCount = (value) => Number.isInteger(value) && value >= 1;

/** The metadata and the reason of an answer in pieces, which P5 is too; the fields are of no other. */
export function fieldsWrong(said, { meta, reason, own }) {
	const pieced = said?.kind === "pieced" || meta?.pieces !== undefined;
	const wrong = [];
	const check = (good, why) => good || wrong.push(["pieces", why]);
	const byReason = ["own_text", "pieces"].includes(reason);
	if (!pieced) {
		check(!byReason, `the reason ${reason} for an answer that is not in pieces`);
		check(meta?.calls === undefined, "calls of an answer that is not in pieces");
		return wrong;
	}
	check(said?.kind === "pieced" || said?.kind === "range", `pieces of an answer of another kind, ${said?.kind}`);
	if (meta) {
		const { pieces, calls, rests } = meta;
		check(isCount(pieces) && (said?.form !== "parts" || pieces === said.count), `${pieces} pieces`);
		check(Array.isArray(rests) && rests.length <= 32 && new Set(rests).size === rests.length, "it does not say which texts it rests on");
		const known = (calls ?? []).map((id) => own.indexOf(id));
		check(calls === undefined || (calls.length > 0 && calls.length <= 32), "calls that are none");
		check(known.every((place, i) => place >= 0 && (i === 0 || place > known[i - 1])), `the calls ${calls} are not of ${own}, oldest first`);
	}
	if (reason === undefined) return wrong;
	const alone = reason === "own_text";
	check(byReason, `the reason ${reason} for an answer in pieces`);
	check(!alone || meta?.calls !== undefined, "its reason are own calls, and it has none");
	if (said?.kind === "pieced") check(alone === !["moved", "parts"].includes(said.form) || said.form === "writtenRange", `the reason ${reason} for this form`);
	return wrong;
}
