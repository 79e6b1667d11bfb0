/**
 * A request in a provider's own format, of which nothing is known but that it is a tree: read results are found in it
 * by the ids of their calls, their texts, and their order, which is that of the messages.
 */

/** A read result that is looked for, in the order of the request. */
export interface Wanted {
	callId: string;
	/** What was to be sent. */
	sent: string;
}

/** The ids by which providers know a call: some cut the host's, some allow few letters. */
function namesOf(callId: string): string[] {
	const first = callId.split("|", 1)[0]!;
	const plain = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, "_");
	return [callId, first, plain(callId), plain(first), plain(callId).slice(0, 64), plain(first).slice(0, 64)];
}

/** A string in the request that may be a result's text. */
interface Place {
	text: string;
	/** The call it stands beside. */
	callId: string | undefined;
}

/**
 * Go through the strings of a request in order, with the call whose id stands in the same object or in one around it; gives
 * a copy in which those are replaced for which `at` gives another. A request is a tree that becomes JSON; where it is none,
 * the walk ends at an object that is inside itself.
 */
function walk(
	payload: unknown,
	calls: ReadonlyMap<string, string>,
	at: (text: string, callId: string | undefined) => string | undefined,
): unknown {
	const longest = Math.max(0, ...[...calls.keys()].map(({ length }) => length));
	const above: object[] = [];
	const step = (part: unknown, callId: string | undefined): unknown => {
		if (typeof part === "string") return at(part, callId) ?? part;
		if (typeof part !== "object" || part === null || ArrayBuffer.isView(part) || above.includes(part)) return part;
		let here = callId;
		for (const value of Object.values(part)) {
			const named = typeof value === "string" && value.length <= longest ? calls.get(value) : undefined;
			if (named !== undefined) here = named;
		}
		above.push(part);
		let copy: unknown = part;
		for (const key of Object.keys(part)) {
			const value = (part as Record<string, unknown>)[key];
			const changed = step(value, here);
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
	return walk(request, new Map(), by);
}

/** More than this is not compared pair by pair: what is in doubt is missing. */
const MAX_PAIRS = 4_000_000;

/**
 * Which of WANTED stand at which of PLACES: as many as possible, both in their order. Gives the place of each, -1 for what
 * is missing.
 */
function align<T, U>(wanted: readonly T[], places: readonly U[], isSame: (one: T, place: U) => boolean): number[] {
	const found = wanted.map(() => -1);
	let from = 0;
	while (from < wanted.length && from < places.length && isSame(wanted[from]!, places[from]!)) found[from] = from++;
	let wantedEnd = wanted.length;
	let placesEnd = places.length;
	while (wantedEnd > from && placesEnd > from && isSame(wanted[wantedEnd - 1]!, places[placesEnd - 1]!))
		found[--wantedEnd] = --placesEnd;
	const rows = wantedEnd - from;
	const columns = placesEnd - from;
	if (rows === 0 || columns === 0 || rows * columns > MAX_PAIRS) return found;
	// The longest common subsequence of what is left, from its end.
	const best = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
	for (let i = rows - 1; i >= 0; i--)
		for (let k = columns - 1; k >= 0; k--)
			best[i]![k] = isSame(wanted[from + i]!, places[from + k]!)
				? best[i + 1]![k + 1]! + 1
				: Math.max(best[i + 1]![k]!, best[i]![k + 1]!);
	for (let i = 0, k = 0; i < rows && k < columns; ) {
		if (isSame(wanted[from + i]!, places[from + k]!)) found[from + i++] = from + k++;
		else if (best[i + 1]![k]! >= best[i]![k + 1]!) i++;
		else k++;
	}
	return found;
}

/** A request, and where in it the read results stand. */
export class Payload<T extends Wanted> {
	readonly #calls = new Map<string, string>();
	readonly #texts: ReadonlySet<string>;
	readonly #places: Place[] = [];
	readonly #found = new Map<T, number>();

	constructor(
		private readonly payload: unknown,
		wanted: readonly T[],
	) {
		for (const { callId } of wanted) for (const name of namesOf(callId)) this.#calls.set(name, callId);
		this.#texts = new Set(wanted.map(({ sent }) => sent));
		let isNamed = false;
		walk(payload, this.#calls, (text, callId) => {
			isNamed ||= callId !== undefined;
			if (this.#isPlace(text, callId)) this.#places.push({ text, callId });
			return undefined;
		});
		// Where calls have names a text counts beside its own; where they have none, by its order alone.
		const isSame = (one: T, { text, callId }: Place) =>
			(text === one.sent || (callId !== undefined && text.includes(one.sent))) && (!isNamed || callId === one.callId);
		align(wanted, this.#places, isSame).forEach((place, i) => place >= 0 && this.#found.set(wanted[i]!, place));
	}

	/** A result's text, or one of our answers to which somebody has added something. */
	#isPlace(text: string, callId: string | undefined): boolean {
		return this.#texts.has(text) || (callId !== undefined && text.includes("[readcache: "));
	}

	has(wanted: T): boolean {
		return this.#found.has(wanted);
	}

	/** A copy of it with other texts; what is not changed is shared. */
	with(replacements: ReadonlyMap<T, string>): unknown {
		const byPlace = new Map<number, [string, string]>();
		for (const [wanted, to] of replacements) {
			const place = this.#found.get(wanted);
			if (place !== undefined) byPlace.set(place, [wanted.sent, to]);
		}
		let place = 0;
		return walk(this.payload, this.#calls, (text, callId) => {
			if (!this.#isPlace(text, callId)) return undefined;
			const change = byPlace.get(place++);
			return change && text.replace(change[0], () => change[1]);
		});
	}
}

type Item = Record<string, unknown>;

/** The text of a tool result: a string, or one block of text. */
function textOf(content: unknown): unknown {
	return Array.isArray(content) && content.length === 1 ? (content[0] as Item | null)?.text : content;
}

const isResult = ({ callId, sent }: Wanted, id: unknown, content: unknown) =>
	textOf(content) === sent && (id === callId || namesOf(callId).includes(id as string));

/** Which part of ITEM, from part FROM on, is the result? -1 if none is. */
function partOf(item: Item, from: number, wanted: Wanted): number {
	if (item.tool_call_id !== undefined) return from === 0 && isResult(wanted, item.tool_call_id, item.content) ? 0 : -1; // chat completions
	if (item.call_id !== undefined) return from === 0 && isResult(wanted, item.call_id, item.output) ? 0 : -1; // responses
	if (item.role !== "user" || !Array.isArray(item.content)) return -1;
	return (item.content as Item[]).findIndex(
		(block, at) => at >= from && block?.tool_use_id !== undefined && isResult(wanted, block.tool_use_id, block.content),
	); // messages
}

/** Where results stand in a request: the item, and the part of it. */
export type Spots = Map<Wanted, readonly [item: number, part: number]>;

/**
 * The same for the formats we know, quickly: are all of WANTED in the request, in their order and beside their ids? A no is
 * no answer. SPOTS are where they stood in the request before, where they mostly stand again.
 */
export function hasAll(payload: unknown, wanted: readonly Wanted[], spots: Spots): boolean {
	const { messages, input } = (payload ?? {}) as Item;
	const items = Array.isArray(messages) ? (messages as Item[]) : input;
	if (!Array.isArray(items)) return wanted.length === 0;
	let [item, part] = [0, 0];
	for (const one of wanted) {
		const [before, partBefore] = spots.get(one) ?? [-1, 0];
		const isAhead = before > item || (before === item && partBefore >= part);
		if (isAhead && before < items.length && partOf(items[before], partBefore, one) === partBefore) {
			[item, part] = [before, partBefore];
		} else {
			let at = -1;
			while (item < items.length && (at = partOf(items[item], part, one)) < 0) [item, part] = [item + 1, 0];
			if (at < 0) return false;
			part = at;
			spots.set(one, [item, part]);
		}
		part++;
	}
	return true;
}
