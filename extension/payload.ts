/**
 * A request in a provider's own format, of which nothing is known but that it is a tree: read results are found in it
 * by the ids of their calls and their texts.
 *
 * Where the request names the call, the text must stand beside that name; where it names no calls, the text must be
 * there as often as there are results with it. A provider that wraps or encodes texts costs savings, never truth.
 */

/** A read result that is looked for. */
export interface Wanted {
	callId: string;
	text: string;
}

/** A text that takes the place of another one. */
export interface Replacement {
	callId: string;
	from: string;
	to: string;
	/** The same, in a format that names no calls. */
	unnamed: string;
}

/** One call's results: ids may be used again. */
class Call<T extends Wanted> {
	/** Is its id in the request? */
	isNamed = false;
	/** Those whose text was not found beside it. */
	missing: T[] = [];

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

/** Which of the names in `known` stands among the values of an object? */
function nameIn<T>(parts: unknown[], known: ReadonlyMap<string, T>, longest: number): T | undefined {
	for (const part of parts) {
		const found = typeof part === "string" && part.length <= longest ? known.get(part) : undefined;
		if (found !== undefined) return found;
	}
	return undefined;
}

const longestOf = (names: Iterable<string>) => Math.max(0, ...[...names].map(({ length }) => length));

/** Look for RESULTS beside the ids of their calls; gives the calls. Long strings are compared, never hashed. */
function callsIn<T extends Wanted>(payload: unknown, results: T[]): Call<T>[] {
	const calls = new Map<string, Call<T>>();
	for (const shown of results) {
		const call = calls.get(shown.callId) ?? new Call<T>();
		call.missing.push(shown);
		calls.set(shown.callId, call);
	}
	const longest = longestOf(calls.keys());
	const named = (parts: unknown[], above: Call<T> | undefined) => {
		const call = nameIn(parts, calls, longest);
		if (call === undefined) return above;
		call.isNamed = true;
		return call;
	};
	walk(payload, undefined as Call<T> | undefined, named, (text, call) => call?.found(text));
	return [...calls.values()];
}

/** The texts of RESULTS that the request has less often than there are results with them. */
function scarceIn(payload: unknown, results: Wanted[]): Set<string> {
	const wanted = new Map<string, number>();
	for (const { text } of results) wanted.set(text, (wanted.get(text) ?? 0) + 1);
	const nothing = () => undefined;
	walk(payload, undefined, nothing, (text) => {
		const often = wanted.get(text);
		if (often !== undefined) wanted.set(text, often - 1);
	});
	return new Set([...wanted].filter(([, often]) => often > 0).map(([text]) => text));
}

/** Those of RESULTS that the request does not have. */
export function missingIn<T extends Wanted>(payload: unknown, results: T[]): T[] {
	if (results.length === 0) return [];
	const calls = callsIn(payload, results);
	const missing = calls.flatMap((call) => (call.isNamed ? call.missing : []));
	const unnamed = calls.flatMap((call) => (call.isNamed ? [] : call.missing));
	if (unnamed.length === 0) return missing;
	const scarce = scarceIn(payload, results);
	return [...missing, ...unnamed.filter(({ text }) => scarce.has(text))];
}

/** A copy of the request with other texts in it; what is not changed is shared. */
export function replaceIn(payload: unknown, replacements: Replacement[]): unknown {
	const byCall = new Map<string, Replacement[]>();
	for (const one of replacements) byCall.set(one.callId, [...(byCall.get(one.callId) ?? []), one]);
	const longest = longestOf(byCall.keys());
	const done = new Set<Replacement>();
	const above: object[] = [];
	const step = (part: unknown, below: Replacement[] | undefined, unnamed: Replacement[]): unknown => {
		if (typeof part === "string") {
			const found = below?.find(({ from }) => from === part);
			if (found === undefined) return unnamed.find(({ from }) => from === part)?.unnamed ?? part;
			done.add(found);
			return found.to;
		}
		if (typeof part !== "object" || part === null || ArrayBuffer.isView(part) || above.includes(part)) return part;
		const inside = nameIn(Array.isArray(part) ? part : Object.values(part), byCall, longest) ?? below;
		above.push(part);
		let copy: unknown = part;
		for (const key of Object.keys(part)) {
			const value = (part as Record<string, unknown>)[key];
			const changed = step(value, inside, unnamed);
			if (changed === value) continue;
			if (copy === part) copy = Array.isArray(part) ? part.slice() : { ...part };
			(copy as Record<string, unknown>)[key] = changed;
		}
		above.pop();
		return copy;
	};
	const named = step(payload, undefined, []);
	// A format that names no calls: every text that is the answer's.
	const left = replacements.filter((one) => !done.has(one));
	return left.length > 0 ? step(named, undefined, left) : named;
}
