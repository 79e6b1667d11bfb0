// When a compact answer would leave the model where it is (policies coverage and pieces): the same marker again and
// again, or a marker after a refused edit. Told from what the model can see, as in mind.mjs.
import { basename } from "node:path";
import { believe, isRange, meaningOf, without } from "./mind.mjs";
import { isWhole } from "./pieced.mjs";

const REPEAT = 3; // the answer in a row that is a text

/** The scope that a view speaks of, and whether it is a marker. */
function scopeOf(view) {
	if (view.image) return { scope: "full", marker: false };
	const meaning = meaningOf(view);
	if (meaning.kind === "unchanged") return { scope: "full", marker: true };
	if (meaning.kind === "range") return { scope: `r:${meaning.first}:${meaning.last}`, marker: true };
	if (meaning.kind === "pieced") return { scope: isWhole(meaning) ? "full" : `r:${meaning.first}:${meaning.last}`, marker: true };
	if (meaning.kind === "too_long") return { scope: "none", marker: false };
	if (meaning.kind === "diff" || (meaning.first === 1 && meaning.toEnd)) return { scope: "full", marker: false };
	return { scope: `r:${meaning.first}:${meaning.first + meaning.lines.length - 1}`, marker: false };
}

/**
 * Markers for the present version of SCOPE: those in a row, which the engine must have counted, and all of them, which
 * it may have: what became of a text in between is not always known to it. Where all lines were shown anew, in whatever
 * parts, there is no loop to be left.
 */
function markersFor(events, file, scope) {
	const lines = isRange(scope) ? [scope.split(":").slice(1).map(Number)] : [[1, Number.MAX_SAFE_INTEGER]];
	let [row, all, open] = [0, 0, lines];
	for (const { view, refresh } of events) {
		if (refresh && (refresh.pathKey === file.real || typeof refresh.pathKey !== "string") && !isRange(refresh.scopeKey)) row = 0;
		if (!view || view.hidden || view.altered || (view.call.name !== file.name && view.call.real !== file.real)) continue;
		// Nobody can tell what it was, or by which name.
		const untold = view.call.bare || view.edited || (view.nameless && (file.roaming || (!view.image && meaningOf(view).kind === "pieced")));
		if (untold) row = 0;
		if (view.call.bare || view.call.name !== file.name || view.call.real !== file.real) continue;
		const said = scopeOf(view);
		open = unseen(open, view);
		if (open.length === 0) [row, open] = [0, lines];
		if (said.marker ? said.scope !== scope : said.scope !== scope && said.scope !== "full") continue;
		const counts = said.marker && view.call.hash === file.hash;
		row = counts && !untold ? row + 1 : 0;
		if (row < 2) open = lines;
		if (counts) all++;
	}
	return { row, all };
}

/**
 * Was an edit of the file refused, or done, by KIND? `since`: and some of the lines were not seen since, so that the
 * engine must know; `ever`: it may say so, as not all that was seen helps.
 */
function editsOf(kind, events, file, { first, last }) {
	let ever = false;
	let open = []; // lines that were not seen since, [first, last] each
	for (const { view, [kind]: edit } of events) {
		// Of an edit by another last name the engine is not told what it was of.
		const near = kind === "edit" || (edit && [file.name, file.real].some((name) => basename(name) === basename(edit.name)));
		const same = edit && (edit.name === file.name || file.still(edit.name));
		const hit = same && near;
		ever ||= same || (edit && file.roaming); // by a relative path, and the directory cannot be told
		if (hit && !edit.hidden) open = [[first, last]];
		if (!view || view.hidden || open.length === 0 || (view.call.name !== file.name && view.call.real !== file.real)) continue;
		open = kind === "own" ? untold(open, view) : unseen(open, view);
	}
	return { since: open.length > 0, ever };
}

/** What VIEW leaves of the lines in OPEN of which nothing was said. A marker was judged when it was given. */
function untold(open, view) {
	const { kind, first, last, total } = view.image ? {} : meaningOf(view);
	if (kind === "unchanged") return [];
	return ["range", "pieced"].includes(kind) ? without(open, first, last === total ? Infinity : last) : unseen(open, view);
}

/** What VIEW leaves of the lines in OPEN that it has not shown. */
function unseen(open, view) {
	if (view.image) return [];
	const meaning = meaningOf(view);
	if (meaning.kind === "diff") return []; // some of it was seen, let that do
	if (meaning.kind !== "text") return open;
	return without(open, meaning.first, meaning.toEnd ? Infinity : meaning.first + meaning.lines.length - 1);
}

/**
 * What speaks against an answer: [[rule, why]]. Where a directory is lost (`adrift`), of which file an edit was refused
 * cannot be told. SCOPE and LINES are the request's, REASON the engine's own.
 */
export function pausesWrong({ events, file, scope, lines, compact, reason, policy }) {
	const { row, all } = markersFor(events, file, scope);
	const refused = editsOf("edit", events, file, lines);
	const wrong = [];
	if (compact && row >= REPEAT - 1) wrong.push(["repeat", `after ${row} markers for ${scope}`]);
	if (compact && refused.since && !file.adrift) wrong.push(["failed_edit", "after a refused edit"]);
	const marker = compact && compact.kind !== "diff" && policy === "pieces";
	if (marker && compact.again && all < REPEAT - 2) wrong.push(["again", `the way out after ${all} markers for ${scope}`]);
	if (marker && !compact.again && row >= REPEAT - 2) wrong.push(["again", `no way out after ${row} markers for ${scope}`]);
	if (reason === "repeat" && all < REPEAT - 1) wrong.push(["repeat", `called so after ${all} markers for ${scope}`]);
	if (reason === "failed_edit" && !refused.ever) wrong.push(["failed_edit", "called so without a refused edit"]);
	return wrong;
}

/** Is a marker for LINES that the model has not edited, as far as it knows what it did? That is P5 of SPEC.md 9. */
function isBeside({ events, file, plain }) {
	const { sketch } = believe(events, { ...file, byName: true, drawn: true }).belief;
	for (let n = plain.shown.first; n <= plain.shown.last; n++) if (sketch.line(n).fresh) return false;
	return true;
}

/** T13, under every policy: a marker after the model's own edit. */
export function ownEditWrong({ events, file, plain, compact, reason, policy }) {
	const own = editsOf("own", events, file, plain.shown);
	const marker = compact && !["diff", "pieced"].includes(compact.kind);
	const beside = () => policy === "pieces" && compact.kind === "range" && isBeside({ events, file, plain });
	if (marker && own.since && !beside()) return [["own_edit", "a marker after the model's own edit"]];
	return reason === "own_edit" && !own.ever ? [["own_edit", "called so without one"]] : [];
}
