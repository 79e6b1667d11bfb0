/**
 * Which compact answers of a request stand beside the texts they speak of. Results are added in the order of the
 * request, and each is judged by those before it.
 */
import { hash } from "node:crypto";
import { isCompact, type Metadata } from "./protocol.ts";
import type { Delivered } from "./request.ts";

/** A result of a request, and what became of it. */
export interface Standing extends Delivered {
	/** The results that it rests on directly. */
	rests: Standing[];
	/** What is sent in its place; undefined: itself. */
	repair: string | undefined;
	/** Does the model know by it, and by what it rests on, what it says? undefined: not asked yet. */
	tells: boolean | undefined;
}

/** Is the text what was delivered? Into another one somebody has written: nothing can rest on it. */
export function isIntact({ text, meta }: Delivered): boolean {
	return meta.textHash !== undefined && text.isWellFormed() && hash("sha256", text).startsWith(meta.textHash);
}

/** Is it one of our markers or diffs, and nobody has written into it? */
export function isClaim(delivered: Delivered): boolean {
	return isCompact(delivered.meta) && isIntact(delivered);
}

/** A file under one of its names: texts that were read by another name are no base (T11). */
export function fileOf({ pathKey, name }: Metadata): string {
	return `${pathKey}\0${name ?? pathKey}`;
}

/** One result: ids of calls may be used again. */
export const keyOf = ({ callId, meta }: Delivered) => `${callId}\0${meta.textHash}\0${fileOf(meta)}`;

/** The results of one request, as far as it has been looked at. */
export class Shelf {
	#standing = new Map<string, Standing>();

	/** The same results in this request; undefined if one is not there, or tells nothing. */
	find(results: readonly Delivered[]): Standing[] | undefined {
		const found = results.map((one) => this.#standing.get(keyOf(one)));
		return found.every((one) => one !== undefined && (one.tells ??= isIntact(one))) ? (found as Standing[]) : undefined;
	}

	/** The next result of the request. */
	add(standing: Standing): void {
		this.#standing.set(keyOf(standing), standing);
	}
}
