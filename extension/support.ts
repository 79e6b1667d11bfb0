/**
 * Which compact answers of a request stand beside the texts they speak of. Results are added in the order of the
 * request, and each is judged by those before it.
 */
import { hash } from "node:crypto";
import type { OwnCall } from "./own.ts";
import { isAnchor, type Metadata } from "./protocol.ts";
import type { Delivered } from "./request.ts";

/** A result of a request, and what became of it. */
export interface Standing extends Delivered {
	/** The results that it rests on directly. */
	rests: Standing[];
	/** The model's own calls that it rests on. */
	calls: readonly OwnCall[];
	/** Is it sent as something else than it is stored? */
	isRepaired: boolean;
	/** What is sent. */
	sent: string;
	/** Of a compact answer that is sent as such: its very words, once they were asked for. */
	claim?: string | undefined;
	/** Its number among the results of the request. */
	at: number;
	/** Does the model know by it, and by what it rests on, what it says? undefined: not asked yet. */
	tells: boolean | undefined;
}

const sha256 = (text: string) => (text.isWellFormed() ? hash("sha256", text) : "");

/** Is it the file that the metadata speaks of, whole? */
export function isWholeFile(text: string, { servedHash }: Metadata): boolean {
	return servedHash !== undefined && sha256(text) === servedHash;
}

/** Is the text what was delivered? If not, somebody has written into it, and nothing can rest on it. */
export function isIntact({ text, meta }: Pick<Delivered, "text" | "meta">): boolean {
	if (meta === undefined) return false;
	if (meta.textHash !== undefined) return sha256(text).slice(0, 32) === meta.textHash;
	return isAnchor(meta) && meta.scopeKey === "full" && isWholeFile(text, meta); // an older session (T9)
}

/** The very words of a compact answer, with which others may have put more; undefined if they cannot be found. */
export function claimIn({ text, meta }: Pick<Delivered, "text" | "meta">): string | undefined {
	if (meta?.textHash === undefined || meta.textBytes === undefined) return undefined;
	for (let at = text.indexOf("[readcache: "); at >= 0; at = text.indexOf("[readcache: ", at + 1)) {
		const claim = Buffer.from(text.slice(at)).toString("utf8", 0, meta.textBytes);
		if (sha256(claim).slice(0, 32) === meta.textHash) return claim;
	}
	return undefined;
}

/** A file under one of its names: texts that were read by another name are no base (T11). */
export function fileOf({ pathKey, name }: Metadata): string {
	return `${pathKey}\0${name ?? pathKey}`;
}

/** One result: ids of calls may be used again. */
export const keyOf = ({ callId, meta }: Delivered) => `${callId}\0${meta?.textHash}\0${meta && fileOf(meta)}`;

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
