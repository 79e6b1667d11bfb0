// The policy coverage for the engine of liar.mjs, honest except for one lie.
import { SESSION_LIES } from "./liar-session.mjs";
import { TEXT_LIES } from "./liar-text.mjs";

/** The lies of this policy, with the actions that give them an occasion; and those of liar.mjs that matter here too. */
export const COVER_LIES = {
	cover_older: { near: 20, edit: 20, revert: 15 },
	cover_gaps: { near: 20, paging: 8 },
	cover_shifted: { near: 20, edit: 30 },
	cover_past_end: { near: 20, edit: 20, revert: 20 },
	cover_totals: { paging: 8, full: 20, edit: 20 },
	cover_any_name: { link: 8, near: 15, full: 20 },
	cover_markers: { contextEdit: 15, near: 15 },
	cover_refreshed: { renewal: 8 },
	cover_refreshed_scope: { renewal: 8 },
	cover_refreshed_full: { renewal: 8, full: 15 },
	cover_wording: { near: 15 },
	cover_costly: { near: 30 },
	paged_mixed: { paging: 25, edit: 20 },
	paged_missing: { paging: 25, edit: 20 },
	paged_older: { paging: 25, edit: 20, revert: 10 },
	paged_refreshed: { paging: 25, edit: 20, refresh: 15 },
	repeat_never: { insist: 10 },
	repeat_early: { insist: 5 },
	own_edit_never: { ownEdit: 10, revert: 10, again: 30 },
	failed_edit_never: { failEdit: 10, again: 30 },
	failed_edit_omitted: { failEdit: 12, again: 30, contextEdit: 12 },
	ignore_compaction: { compaction: 5, near: 20 },
	ignore_edits: { contextEdit: 12, near: 20 },
	ignore_rewritten: { rewrite: 12, near: 20 },
	ignore_bare: { binary: 8, bare: 8, near: 20 },
	ignore_moved: { link: 15, near: 20 },
	ignore_turned: { link: 25, near: 30 },
	any_branch: { navigate: 10, near: 20 },
	removed_newer: { contextEdit: 15, edit: 20, revert: 20 },
	ignore_long: {},
	ignore_mended: { contextEdit: 15, edit: 20, full: 30 },
	...SESSION_LIES,
	...TEXT_LIES,
};

const isMarker = ({ mode }) => mode === "unchanged" || mode === "unchanged_range";
const isOf = (view, file) => view.pathKey === file.real || view.name === file.name;

/** What was shown of FILE, newest first. */
function viewsOf(trust, file) {
	const counts = (view) => isOf(view, file) && (!isMarker(view) || view.veiled || trust.lie === "cover_markers");
	return trust.shown.filter(counts).reverse();
}

function isEvidence(view, file, lie) {
	if (isMarker(view)) return lie === "cover_markers" && !view.veiled;
	return view.shows && view.pathKey === file.real && (view.name === file.name || lie === "cover_any_name");
}

/** Take out of NEED the lines that VIEW shows. */
function strike(need, { rangeStart, rangeEnd }) {
	for (const line of need) if (line >= rangeStart && line <= rangeEnd) need.delete(line);
}

const linesFrom = (first, last) => new Set(Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i));

/** Were lines from first to last shown as text after SEQ? Behind the file's end there is nothing to show. */
function shownSince(trust, file, seq, first, last, byDiff = false) {
	let open = [[first, last]];
	for (const view of trust.shown) {
		const told = view.anchor || (byDiff && view.mode === "diff");
		if (view.seq <= seq || !told || !isEvidence(view, file)) continue;
		const end = view.rangeEnd === view.totalLines ? Infinity : view.rangeEnd;
		const cut = ([from, to]) => [[from, Math.min(to, view.rangeStart - 1)], [Math.max(from, end + 1), to]];
		open = open.flatMap(cut).filter(([from, to]) => from <= to);
	}
	return open.length === 0;
}

/** Was a line of first to last, or one behind where that is the end, refreshed, or seen in an unknown state, and not shown since? */
export function isVoid(trust, file, scope, { first, last, toEnd }) {
	const { lie } = trust;
	return trust.holes.some((hole) => {
		if (hole.pathKey !== undefined && hole.pathKey !== file.real && hole.pathKey !== file.name) return false;
		if (lie === "cover_refreshed" || (lie === "cover_refreshed_full" && scope === "full")) return false;
		if (lie === "cover_refreshed_scope" && hole.scopeKey !== scope) return false;
		const [from, to] = [Math.max(first, hole.first), Math.min(toEnd ? Infinity : last, hole.last)];
		return from <= to && !shownSince(trust, file, hole.seq, from, to);
	});
}

/** Why VIEW stops the search for NEED, or undefined. */
function stops(view, need, { file, plain, store, lie }) {
	const same = view.servedHash === file.hash;
	const old = same ? plain.lines : store.get(view.servedHash)?.split("\n");
	if (view.veiled || !old) return "unknown";
	for (const line of need) {
		if (!same && line > view.totalLines && lie !== "cover_past_end") return "there was no such line";
		if (line < view.rangeStart || line > view.rangeEnd || old[line - 1] === plain.lines[line - 1]) continue;
		if (lie === "cover_shifted" && old.slice(view.rangeStart - 1, view.rangeEnd).includes(plain.lines[line - 1])) continue;
		return "it differs";
	}
	return undefined;
}

/** Are all lines known as they are? Gives {covered, outside: the marker should speak of changes elsewhere, rests}. */
export function findCover(trust, store, { file, plain, lines }) {
	const { lie } = trust;
	const need = lie === "cover_gaps" ? new Set([lines.first, lines.last]) : linesFrom(lines.first, lines.last);
	let told = lines.last !== plain.total || lie === "cover_totals";
	let outside = false;
	const rests = new Set();
	for (const view of viewsOf(trust, file)) {
		if (need.size === 0 || (!told && view.totalLines !== plain.total)) break;
		const evidence = isEvidence(view, file, lie);
		told ||= evidence;
		const why = stops(view, need, { file, plain, store, lie });
		if (why === "it differs" && lie === "cover_older") continue;
		if (why) break;
		const before = need.size;
		if (evidence) strike(need, view);
		if (need.size < before) rests.add(view.textHash);
		if (need.size < before && view.servedHash !== file.hash) outside ||= differsOutside(store.get(view.servedHash), plain, lines);
	}
	return { covered: need.size === 0, outside: outside || lie === "cover_wording", rests: [...rests] };
}

function differsOutside(text, plain, { first, last }) {
	const around = (all) => JSON.stringify([all.slice(0, first - 1), all.slice(last)]);
	return around(text.split("\n")) !== around(plain.lines);
}

/** Does the reader know version HASH line for line, and nothing newer? Gives the hashes of the texts, or undefined. */
export function knowsVersion(trust, file, hash) {
	const { lie } = trust;
	const rests = new Set();
	let need;
	for (const view of viewsOf(trust, file)) {
		if (view.veiled) return undefined;
		if (view.servedHash !== hash && lie === "paged_older") continue;
		if (view.servedHash !== hash && lie !== "paged_mixed") return undefined;
		if (!isEvidence(view, file)) continue;
		if (!need && lie !== "paged_refreshed" && isVoid(trust, file, "", { first: 1, toEnd: true })) return undefined;
		need ??= linesFrom(1, view.totalLines);
		strike(need, view);
		rests.add(view.textHash);
		if (need.size === 0 || (lie === "paged_missing" && view.rangeStart === 1)) return [...rests];
	}
	return undefined;
}

/** The version that a diff for a truncated read may speak of, {hash, rests}. */
export function pagedBase(trust, file) {
	const views = viewsOf(trust, file);
	const hashes = trust.lie === "paged_older" ? views.map((view) => view.servedHash).reverse() : views.slice(0, 1).map((view) => view.servedHash);
	const hash = hashes.find((one) => one !== file.hash && knowsVersion(trust, file, one));
	return hash && { hash, rests: knowsVersion(trust, file, hash) };
}

/** T13: has the reader changed the file itself, and not been told of these lines since? */
export function ownEdit(trust, file, { first, last }) {
	const edited = Math.max(trust.edited.get(file.name) ?? -1, trust.edited.get(file.real) ?? -1);
	return edited >= 0 && trust.lie !== "own_edit_never" && !shownSince(trust, file, edited, first, last, true);
}

/** Why a compact answer would leave the reader where it is; undefined if it would not. */
export function pause(trust, file, scope, { first, last }) {
	const { lie } = trust;
	const row = trust.rows.get(JSON.stringify([file.real, file.name, scope]));
	const count = row?.hash === file.hash ? row.count : 0;
	const refused = Math.max(trust.refused.get(file.name) ?? -1, trust.refused.get(file.real) ?? -1);
	const gone = (view) => view.seq > refused && isOf(view, file) && !isMarker(view) && !view.shows;
	const helped = lie === "failed_edit_omitted" && trust.shown.some(gone);
	if (refused >= 0 && lie !== "failed_edit_never" && !helped && !shownSince(trust, file, refused, first, last)) return "failed_edit";
	if (count >= (lie === "repeat_early" ? 1 : 2) && lie !== "repeat_never") return "repeat";
	return undefined;
}
