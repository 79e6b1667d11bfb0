// What leaves for the model when the host looks at every request: a diff or a marker that has lost what it rests on is
// sent as the text that it stood for.
import { createHash } from "node:crypto";
import { parseCompact } from "./grammar.mjs";

const known = new WeakMap(); // by call: the text and its hash

/** The name of the text of a view. */
export function hashOf({ call, text }) {
	if (known.get(call)?.text !== text) known.set(call, { text, hash: createHash("sha256").update(text).digest("hex").slice(0, 32) });
	return known.get(call).hash;
}

/** Of the same file, by the same name. */
const fileOf = ({ name, real }) => `${real}\0${name}`;

function isLeft({ call, text, altered }, here) {
	return altered || call.rests === undefined || !parseCompact(text) || call.rests.every((hash) => here.has(hash));
}

/** The EVENTS as they are sent; the same list if nothing had to be repaired. */
export function repaired(events) {
	const files = new Map(); // file -> the hashes of its texts so far
	let all = true;
	const sent = events.map((event) => {
		const { view } = event;
		if (!view || view.hidden || view.image) return event;
		const file = fileOf(view.call);
		if (!files.has(file)) files.set(file, new Set());
		const left = isLeft(view, files.get(file));
		files.get(file).add(hashOf(view)); // as it is, or by a text that tells more
		all &&= left;
		return left ? event : { view: { ...view, text: view.call.plain } };
	});
	return all ? events : sent;
}
