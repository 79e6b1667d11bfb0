/** Values that JSON can say. */

/** A copy into which nobody else can write; the strings in it are the same. */
export function copyOf(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(copyOf);
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}

/** What TEXT says, if it is an object's JSON. */
export function objectIn(text: string): object | undefined {
	if (!text.startsWith("{")) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Are they equal, all the way down? Members that are undefined count as not there, as in JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
	if (Array.isArray(one) !== Array.isArray(other)) return false;
	if (Array.isArray(one)) {
		const others = other as unknown[];
		return one.length === others.length && one.every((value, i) => isSameJson(value, others[i]));
	}
	const [members, others] = [one as Record<string, unknown>, other as Record<string, unknown>];
	for (const key of Object.keys(members)) if (!isSameJson(members[key], others[key])) return false;
	for (const key of Object.keys(others)) if (members[key] === undefined && others[key] !== undefined) return false;
	return true;
}
