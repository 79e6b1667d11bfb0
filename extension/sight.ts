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

/** A read result with metadata, as it was shown. */
interface Shown {
	id: string;
	callId: string;
	text: string;
}

/** undefined for any entry that is none. */
function shownBy(entry: SessionEntry): Shown | undefined {
	if (entry.type !== "message" || entry.message.role !== "toolResult") return undefined;
	const { toolName, toolCallId, content, details } = entry.message;
	if (toolName !== "read" || metadataOf(details) === undefined) return undefined;
	const [block, ...others] = content;
	if (block?.type !== "text" || others.length > 0) return undefined;
	return { id: entry.id, callId: toolCallId, text: block.text };
}

/** One call's results: ids may be used again. */
class Call {
	/** Is its id in the request? */
	isNamed = false;
	/** Those whose text was not found beside it. */
	missing: Shown[] = [];

	found(text: string): void {
		if (this.missing.some((shown) => shown.text === text))
			this.missing = this.missing.filter((shown) => shown.text !== text);
	}
}

/**
 * Do something with every string of a request, and with the values of every object before those. A request is a tree
 * that becomes JSON; where it is none, the walk ends at an object that is inside itself.
 */
function walk<T>(value: unknown, here: T, into: (parts: unknown[], here: T) => T, at: (text: string, here: T) => void): void {
	const above: object[] = [];
	const step = (part: unknown, below: T): void => {
		if (typeof part === "string") return at(part, below);
		if (typeof part !== "object" || part === null || ArrayBuffer.isView(part) || above.includes(part)) return;
		const parts: unknown[] = Array.isArray(part) ? part : Object.values(part);
		const inside = into(parts, below);
		above.push(part);
		for (const one of parts) step(one, inside);
		above.pop();
	};
	step(value, here);
}

/** Look for RESULTS beside the ids of their calls; gives the calls. Long strings are compared, never hashed. */
function callsIn(payload: unknown, results: Shown[]): Call[] {
	const calls = new Map<string, Call>();
	for (const shown of results) {
		const call = calls.get(shown.callId) ?? new Call();
		call.missing.push(shown);
		calls.set(shown.callId, call);
	}
	const longest = Math.max(...[...calls.keys()].map(({ length }) => length));
	const named = (parts: unknown[], above: Call | undefined) => {
		for (const part of parts) {
			const call = typeof part === "string" && part.length <= longest ? calls.get(part) : undefined;
			if (call === undefined) continue;
			call.isNamed = true;
			return call;
		}
		return above;
	};
	walk(payload, undefined as Call | undefined, named, (text, call) => call?.found(text));
	return [...calls.values()];
}

/** The texts of RESULTS that the request has less often than there are results with them. */
function scarceIn(payload: unknown, results: Shown[]): Set<string> {
	const wanted = new Map<string, number>();
	for (const { text } of results) wanted.set(text, (wanted.get(text) ?? 0) + 1);
	const nothing = () => undefined;
	walk(payload, undefined, nothing, (text) => {
		const often = wanted.get(text);
		if (often !== undefined) wanted.set(text, often - 1);
	});
	return new Set([...wanted].filter(([, often]) => often > 0).map(([text]) => text));
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
		const calls = callsIn(payload, results);
		for (const { isNamed, missing } of calls) if (isNamed) for (const { id } of missing) this.#hidden.add(id);
		const unnamed = calls.flatMap(({ isNamed, missing }) => (isNamed ? [] : missing));
		if (unnamed.length === 0) return;
		const scarce = scarceIn(payload, results);
		for (const { id, text } of unnamed) if (scarce.has(text)) this.#hidden.add(id);
	}

	/** The ids of results that were kept from the model when it was last asked. */
	get hidden(): ReadonlySet<string> {
		return this.#hidden;
	}
}
