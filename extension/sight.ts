/**
 * What the model was really sent. Extensions may drop or shorten messages on the way to the provider, which leaves no
 * trace in the session: so every request is looked at as it leaves, and a read result whose text is not in it is no
 * evidence for the reads that the model makes in answer to it.
 *
 * This can only take trust away. Where the request names the call, the text must stand beside that name; where it names
 * no calls, the text must be there as often as there are results with it. A provider that wraps or encodes texts would
 * cost savings, never truth.
 */
import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import { branchOf } from "./branch.ts";
import { metadataOf } from "./protocol.ts";

/** The strings of a request. */
class Strings {
	/** How often each occurs. */
	readonly count = new Map<string, number>();
	/** Those in the same object as the id of a call, or below it. */
	readonly ofCall = new Map<string, Set<string>>();

	constructor(
		payload: unknown,
		private readonly callIds: Set<string>,
	) {
		this.#walk(payload, undefined, new Set());
	}

	#walk(value: unknown, call: Set<string> | undefined, seen: Set<object>): void {
		if (typeof value === "string") {
			this.count.set(value, (this.count.get(value) ?? 0) + 1);
			call?.add(value);
		}
		if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || seen.has(value)) return;
		seen.add(value);
		const parts = Object.values(value);
		const id = parts.find((part) => typeof part === "string" && this.callIds.has(part)) as string | undefined;
		const here = id === undefined ? call : this.#textsOf(id);
		for (const part of parts) this.#walk(part, here, seen);
	}

	#textsOf(id: string): Set<string> {
		const texts = this.ofCall.get(id) ?? new Set();
		this.ofCall.set(id, texts);
		return texts;
	}
}

interface Shown {
	id: string;
	callId: string;
	text: string;
}

/** A read result with metadata, as far as it was shown; undefined for any other entry. */
function shownBy(entry: SessionEntry): Shown | undefined {
	if (entry.type !== "message" || entry.message.role !== "toolResult") return undefined;
	const { toolName, toolCallId, content, details } = entry.message;
	if (toolName !== "read" || metadataOf(details) === undefined) return undefined;
	const [block, ...others] = content;
	if (block?.type !== "text" || others.length > 0) return undefined;
	return { id: entry.id, callId: toolCallId, text: block.text };
}

export class Sight {
	#hidden = new Set<string>();

	/** A new request is being made. */
	clear(): void {
		this.#hidden.clear();
	}

	/** Look at a request, as messages or as what is about to leave. */
	look(payload: unknown, sessions: ExtensionContext["sessionManager"]): void {
		const results = [...branchOf(sessions)].flatMap((entry) => shownBy(entry) ?? []);
		if (results.length === 0) return;
		const strings = new Strings(payload, new Set(results.map(({ callId }) => callId)));
		const wanted = new Map<string, number>();
		for (const { text } of results) wanted.set(text, (wanted.get(text) ?? 0) + 1);
		for (const { id, callId, text } of results) {
			const often = (strings.count.get(text) ?? 0) >= wanted.get(text)!;
			if (!(strings.ofCall.get(callId)?.has(text) ?? often)) this.#hidden.add(id);
		}
	}

	/** Was this result kept from the model when it was last asked? */
	hides(entry: SessionEntry): boolean {
		return this.#hidden.has(entry.id);
	}
}
