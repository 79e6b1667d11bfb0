/**
 * A request in a provider's own format, of which nothing is known but that it is a tree that becomes JSON, and that calls
 * have names in most of them.
 */

/** The ids by which providers know a call: some cut the host's, some allow few letters. */
export function namesOf(callId: string): string[] {
	const first = callId.split("|", 1)[0]!;
	const plain = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, "_");
	return [callId, first, plain(callId), plain(first), plain(callId).slice(0, 64), plain(first).slice(0, 64)];
}

export interface Visitor {
	/** A string, and the name of the call that it stands beside: gives what takes its place; undefined: it stays. */
	text(text: string, name: string | undefined): string | undefined;
	/** An object beside that name, and the name that it holds itself: is that all, and not what is in it? */
	object?(part: object, name: string | undefined, own: string | undefined): boolean;
}

/**
 * Go through the strings of a request in order, with the name of a call that stands in the same object or in one around it;
 * gives a copy with what the visitor has changed. Where it is no tree, the walk ends at an object that is inside itself.
 */
export function walk(payload: unknown, names: ReadonlySet<string>, visitor: Visitor): unknown {
	let longest = 0;
	for (const { length } of names) longest = Math.max(longest, length);
	const above: object[] = [];
	const step = (part: unknown, name: string | undefined): unknown => {
		if (typeof part === "string") return visitor.text(part, name) ?? part;
		if (typeof part !== "object" || part === null || ArrayBuffer.isView(part) || above.includes(part)) return part;
		let own: string | undefined;
		for (const value of Object.values(part))
			if (typeof value === "string" && value.length <= longest && names.has(value)) own = value;
		if (visitor.object?.(part, name, own)) return part;
		above.push(part);
		let copy: unknown = part;
		for (const key of Object.keys(part)) {
			const value = (part as Record<string, unknown>)[key];
			const changed = step(value, own ?? name);
			if (changed === value) continue;
			if (copy === part) copy = Array.isArray(part) ? part.slice() : { ...part };
			(copy as Record<string, unknown>)[key] = changed;
		}
		above.pop();
		return copy;
	};
	return step(payload, undefined);
}

/** A copy of a request in which strings are others; what is not changed is shared. */
export function replaceStrings(request: unknown, by: (text: string) => string | undefined): unknown {
	return walk(request, new Set(), { text: by });
}
