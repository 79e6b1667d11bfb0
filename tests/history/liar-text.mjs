// What the engine of liar.mjs says of its compact answers: on which texts they rest, and the text they stand for.
import { readFileSync } from "node:fs";
import { plainRead } from "./plain.mjs";

export const TEXT_LIES = {
	rests_none: {},
	rests_empty: {},
	rests_nobody: {},
	rests_own: {},
	rests_chain: { edit: 30, full: 40 },
	rests_small: { paging: 10, near: 20, edit: 20, full: 30 },
	rests_newest: { edit: 20, range: 20, again: 20 },
	expand_now: { edit: 20 },
	expand_whole: { range: 20, again: 20 },
	expand_notice: { range: 20, again: 20 },
	expand_unverified: { damage: 20, again: 30 },
	expand_never: {},
	marker_longer: { near: 30, range: 20, again: 20 },
};

/** The RESTS that are told of an answer with the hash OWN and the mode MODE. */
export function toldRests(rests, { own, mode, newest }, lie) {
	if (lie === "rests_none") return undefined;
	if (lie === "rests_empty") return [];
	if (lie === "rests_nobody") return ["0".repeat(32)];
	if (lie === "rests_own") return [own];
	if (lie === "rests_chain" && mode === "diff") return undefined;
	if (lie === "rests_small") return rests.slice(1);
	if (lie === "rests_newest") return newest ? [newest] : rests;
	return rests;
}

/** The plain read of TEXT that METADATA was made of: the one that has its size. */
function plainOf(text, { scopeKey, rangeStart, rangeEnd, bytes }) {
	const limit = rangeEnd - rangeStart + 1;
	const asks = scopeKey === "full" ? [{}] : [{ offset: rangeStart, limit }, { offset: rangeStart }];
	const texts = asks.map((ask) => plainRead(text, { path: "", ...ask }).text);
	return texts.find((one) => one !== undefined && Buffer.byteLength(one) === bytes);
}

/** The answer to "expand". */
export function expandText({ metadata }, store, lie) {
	const missing = { ok: false, error: { code: "object_missing", message: "the text is not in the store" } };
	const object = store.get(metadata.servedHash, lie === "expand_unverified");
	if (lie === "expand_never" || object === undefined) return missing;
	if (lie === "expand_now") return { ok: true, text: plainOf(readFileSync(metadata.pathKey, "utf8"), metadata) ?? "" };
	if (lie === "expand_whole") return { ok: true, text: object };
	const text = plainOf(object, metadata) ?? object;
	return { ok: true, text: lie === "expand_notice" ? text.replace(/\n\n\[[^\n]*\]$/, "") : text };
}
