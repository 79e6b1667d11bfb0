// What a compact answer says it rests on: these texts and own calls, and what they rest on themselves, must do without
// any other.
import { hashOf } from "./door.mjs";
import { parseCompact } from "./grammar.mjs";

const MOST = 32; // that many can be named, and none of an older session
const HASH = /^[0-9a-f]{32}$/;

/** The texts of the file in sight, oldest first: what a request is searched for. */
function textsOf(events, file) {
	const texts = [];
	for (const { view } of events) {
		if (!view || view.hidden || view.altered || view.image || view.call.name !== file.name || view.call.real !== file.real) continue;
		texts.push({ view, hash: hashOf(view), place: texts.length });
	}
	return texts;
}

/** A diff or a marker that could not say on what it rests, when it was given: it was judged then. */
const isUntold = ({ text, call }) => call.rests === undefined && parseCompact(text) !== undefined;

/** Was a text of FILE shown as other lines, too, so that its hash does not tell them apart? */
function hasTwins(events, file) {
	const first = new Map(); // hash -> the line with which it began
	return events.some(({ view }) => {
		if (!view || view.image || view.call.name !== file.name || view.call.real !== file.real) return false;
		const [hash, begin] = [hashOf(view), view.call.offset ?? 1];
		if (!first.has(hash)) first.set(hash, begin);
		return first.get(hash) !== begin;
	});
}

/**
 * The views that RESTS name, to the end of all chains. A text rests on what stands before it: the same diff may stand
 * there twice, once for each time the file went to and fro. A hash that is not there is put into LOST.
 */
function closure(rests, texts, lost) {
	const views = new Set();
	const open = rests.map((hash) => ({ hash, before: texts.length }));
	while (open.length > 0) {
		const { hash, before } = open.pop();
		const found = texts.findLast((text) => text.place < before && text.hash === hash);
		if (!found) lost.push(hash);
		if (!found || views.has(found.view)) continue;
		views.add(found.view);
		if (found.view.mended) continue; // a text now, which needs no other
		for (const one of found.view.call.rests ?? []) open.push({ hash: one, before: found.place });
	}
	return views;
}

/**
 * What speaks against the RESTS of an answer about FILE: [[rule, why]]. EVENTS are what is sent, with what had to be
 * repaired; SUPPORTED judges the answer by the events it is
 * given, as [[rule, why]].
 */
export function restsWrong({ rests, calls, pieces } = {}, { events, file, supported }) {
	const texts = textsOf(events, file);
	if (rests === undefined && pieces === undefined && (texts.length > MOST || texts.some(({ view }) => view.nameless) || hasTwins(events, file))) return [];
	if (!Array.isArray(rests) || (rests.length === 0 && !calls)) return [["rests", "it says of nothing that it rests on it"]];
	if (!rests.every((hash) => HASH.test(hash))) return [["rests", "not all of them are hashes"]];
	const lost = [];
	const views = closure(rests, texts, lost);
	if ([...views].some(isUntold)) return [];
	if (lost.length > 0) return [["rests", `no text in sight is ${lost[0]}`]];
	const made = new Set([calls ?? [], ...[...views].filter(({ mended }) => !mended).map(({ call }) => call.owns ?? [])].flat());
	const sight = events.filter(({ view, own }) => views.has(view) || (own && made.has(own.id)));
	// Of which version lines are that are known, the texts need not tell.
	const wrong = supported(sight).filter(([rule]) => rule !== "wording");
	return wrong.map(([rule, why, belief]) => ["rests", `by these texts alone, ${rule}: ${why}`, belief]);
}
