// What leaves for the model when the host looks at every request: a compact answer that has lost a text or an own call
// that it rests on is sent as the text that it stood for.
import { createHash } from "node:crypto";
import { parseCompact } from "./grammar.mjs";
import { isKnown } from "./mind.mjs";

const known = new WeakMap(); // by call: texts and their hashes

/** The name of TEXT, which is or was the answer of CALL. */
function nameOf(call, text) {
	const names = known.get(call) ?? new Map();
	if (!names.has(text)) names.set(text, createHash("sha256").update(text).digest("hex").slice(0, 32));
	known.set(call, names);
	return names.get(text);
}

/** The name of the text that was delivered for a view, by which others say that they rest on it. */
export const hashOf = ({ call, text, mended }) => nameOf(call, call.delivered ?? mended ?? text);

/** Does it show no line, and tell of none that it did not need? */
const isMarker = ({ call, text }) => call.pieces === undefined && ["unchanged", "range"].includes(parseCompact(text)?.kind);

/** Of the same file, by the same name. */
const fileOf = ({ name, real }) => `${real}\0${name}`;

/**
 * Is all there that it rests on? What stands there must be the latest result that had that text, as it was delivered.
 * If it does not say on what it rests, it is every text before it.
 */
function isLeft({ call, text, altered }, here, made, all) {
	if (altered || !parseCompact(text)) return true;
	if (call.rests === undefined) return all;
	return call.rests.every((hash) => here.get(hash) === true) && (call.owns ?? []).every((id) => made.has(id));
}

/** The EVENTS as they are sent; the same list if nothing had to be repaired. */
export function repaired(events) {
	const files = new Map(); // file -> the hash of each text so far -> is the latest result with it in sight?
	const whole = new Map(); // file -> are all of its texts so far?
	const made = new Set(); // the own calls so far that are in sight
	let all = true;
	const sent = events.map((event) => {
		const { view, own } = event;
		if (own && isKnown(own)) made.add(own.id);
		if (!view || view.image) return event;
		const file = fileOf(view.call);
		if (!files.has(file)) files.set(file, new Map());
		const left = view.hidden || isLeft(view, files.get(file), made, whole.get(file) ?? true);
		files.get(file).set(hashOf(view), !view.hidden && !view.altered);
		if ((view.hidden || view.altered) && !isMarker(view)) whole.set(file, false);
		all &&= left;
		return left ? event : { view: { ...view, text: view.call.plain, mended: view.text } };
	});
	return all ? events : sent;
}
