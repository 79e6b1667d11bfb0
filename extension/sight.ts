/**
 * What the model was really sent. Extensions may drop or shorten messages on the way to the provider, which leaves no
 * trace in the session: so every request is looked at as it leaves, and a read result whose text is not in it is no
 * evidence for the reads that the model makes in answer to it.
 *
 * This can only take trust away. A provider that wraps texts is searched for them; one that encodes them otherwise
 * would cost savings, never truth.
 */
import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import { branchOf } from "./branch.ts";
import { metadataOf } from "./protocol.ts";

/** Characters that may be searched for texts that are no string of their own; what is left then is not found. */
const SEARCH_LIMIT = 64 * 1024 * 1024;

function stringsIn(payload: unknown): Set<string> {
	const strings = new Set<string>();
	const pending: unknown[] = [payload];
	const seen = new Set<object>();
	while (pending.length > 0) {
		const value = pending.pop();
		if (typeof value === "string") strings.add(value);
		if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || seen.has(value)) continue;
		seen.add(value);
		for (const part of Object.values(value)) pending.push(part);
	}
	return strings;
}

/** The texts of a read result with metadata; undefined for any other entry. */
function textsOf(entry: SessionEntry): string[] | undefined {
	if (entry.type !== "message" || entry.message.role !== "toolResult") return undefined;
	if (entry.message.toolName !== "read" || metadataOf(entry.message.details) === undefined) return undefined;
	return entry.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

export class Sight {
	#hidden = new Set<string>();

	/** Look at a request that is about to leave. */
	look(payload: unknown, sessions: ExtensionContext["sessionManager"]): void {
		const results = [...branchOf(sessions)].flatMap((entry) => {
			const texts = textsOf(entry);
			return texts === undefined ? [] : [{ id: entry.id, texts }];
		});
		this.#hidden.clear();
		if (results.length === 0) return;
		const strings = stringsIn(payload);
		let left = SEARCH_LIMIT;
		const isSent = (text: string) => {
			if (strings.has(text)) return true;
			for (const string of strings) {
				if (string.length < text.length) continue;
				left -= string.length;
				if (left < 0) return false;
				if (string.includes(text)) return true;
			}
			return false;
		};
		for (const { id, texts } of results) if (!texts.every(isSent)) this.#hidden.add(id);
	}

	/** Was this result kept from the model when it was last asked? */
	hides(entry: SessionEntry): boolean {
		return this.#hidden.has(entry.id);
	}
}
