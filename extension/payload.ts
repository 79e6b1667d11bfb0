/**
 * A request in a provider's own format, of which nothing is known but that it is a tree: read results are found in it
 * by the ids of their calls, their texts, and their order, which is that of the messages.
 */

import { hasClaim } from "./request.ts";

/** With it our answers begin. */
const BRACKET = 0x5b;

/** A read result that is looked for, in the order of the request. */
export interface Wanted {
	callId: string;
	/** What was to be sent. */
	sent: string;
	/** The words of a compact answer in it, by which it is known wherever a provider puts the rest; undefined: all count. */
	claim?: string | undefined;
}

/** The ids by which providers know a call: some cut the host's, some allow few letters. */
export function namesOf(callId: string): string[] {
	const first = callId.split("|", 1)[0]!;
	const plain = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, "_");
	return [callId, first, plain(callId), plain(first), plain(callId).slice(0, 64), plain(first).slice(0, 64)];
}

/** A string in the request that may be a result's text. */
interface Place {
	text: string;
	/** The name of the call it stands beside. */
	name: string | undefined;
}

/**
 * Go through the strings of a request in order, with the name of a call that stands in the same object or in one around it;
 * gives a copy in which those are replaced for which `at` gives another. A request is a tree that becomes JSON; where it is
 * none, the walk ends at an object that is inside itself.
 */
function walk(
	payload: unknown,
	names: ReadonlySet<string>,
	at: (text: string, name: string | undefined) => string | undefined,
): unknown {
	let longest = 0;
	for (const { length } of names) longest = Math.max(longest, length);
	const above: object[] = [];
	const step = (part: unknown, name: string | undefined): unknown => {
		if (typeof part === "string") return at(part, name) ?? part;
		if (typeof part !== "object" || part === null || ArrayBuffer.isView(part) || above.includes(part)) return part;
		let here = name;
		for (const value of Object.values(part))
			if (typeof value === "string" && value.length <= longest && names.has(value)) here = value;
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
	return walk(request, new Set(), by);
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

/** A compact text that is none of those that were to be sent: put there, or moved, by somebody else. */
export interface Stray extends Place {
	/** Its number among the places. */
	at: number;
}

/** A request, and where in it the read results stand. */
export class Payload<T extends Wanted> {
	readonly #names = new Set<string>();
	readonly #texts: ReadonlySet<string>;
	readonly #places: Place[] = [];
	readonly #found = new Map<T, number>();
	/** Does the format name the calls? */
	#isNamed = false;

	/** CALLS are the ids of all calls whose results are ours, sent or not. */
	constructor(
		private readonly payload: unknown,
		wanted: readonly T[],
		calls: Iterable<string>,
	) {
		const namesOfCall = new Map<string, readonly string[]>();
		for (const callId of calls) namesOfCall.set(callId, namesOf(callId));
		for (const { callId } of wanted) namesOfCall.set(callId, namesOf(callId));
		for (const names of namesOfCall.values()) for (const name of names) this.#names.add(name);
		this.#texts = new Set(wanted.map(({ sent }) => sent));
		walk(payload, this.#names, (text, name) => {
			this.#isNamed ||= name !== undefined;
			if (this.#isPlace(text, name)) this.#places.push({ text, name });
			return undefined;
		});
		// Where calls have names a text counts beside its own; where they have none, by its order alone.
		const isSame = ({ callId, sent, claim }: T, { text, name }: Place) =>
			(text === sent || (name !== undefined && text.includes(claim ?? sent))) &&
			(!this.#isNamed || (name !== undefined && namesOfCall.get(callId)!.includes(name)));
		align(wanted, this.#places, isSame).forEach((place, i) => place >= 0 && this.#found.set(wanted[i]!, place));
	}

	/** A result's text, or one of our answers to which somebody has added something. */
	#isPlace(text: string, name: string | undefined): boolean {
		return this.#texts.has(text) || (name !== undefined && text.includes("[readcache: "));
	}

	has(wanted: T): boolean {
		return this.#found.has(wanted);
	}

	/** The places with the words of a compact answer that are no result's. */
	get strays(): Stray[] {
		const taken = new Set(this.#found.values());
		const isStray = ({ text, name }: Place, at: number) => !taken.has(at) && (name !== undefined || !this.#isNamed) && hasClaim(text);
		return this.#places.flatMap((place, at) => (isStray(place, at) ? [{ ...place, at }] : []));
	}

	/** A copy of it with other texts; what is not changed is shared. */
	with(replacements: ReadonlyMap<T, string>, strays: ReadonlyMap<Stray, string>): unknown {
		const byPlace = new Map<number, [string, string]>();
		for (const [{ at, text }, to] of strays) byPlace.set(at, [text, to]);
		for (const [wanted, to] of replacements) {
			const place = this.#found.get(wanted);
			if (place === undefined) continue;
			const { sent, claim } = wanted;
			const whole = this.#places[place]!.text.includes(sent);
			byPlace.set(place, whole || claim === undefined ? [sent, to] : [claim, claimOnly(sent, claim, to)]);
		}
		let place = 0;
		return walk(this.payload, this.#names, (text, name) => {
			if (!this.#isPlace(text, name)) return undefined;
			const change = byPlace.get(place++);
			return change && text.replace(change[0], () => change[1]);
		});
	}
}

/** Of TO, which stands for SENT: what stands for the CLAIM in it. */
function claimOnly(sent: string, claim: string, to: string): string {
	const at = sent.indexOf(claim);
	return to.slice(at, to.length - (sent.length - at - claim.length));
}

type Item = Record<string, unknown>;

/** The text of a tool result that is one block. */
function onlyText(content: unknown): unknown {
	return Array.isArray(content) && content.length === 1 ? (content[0] as Item | null)?.text : undefined;
}

/** The texts of all its blocks. */
function textsIn(content: unknown): string[] {
	const texts = Array.isArray(content) ? content.map((block: Item | null) => block?.text) : [];
	return texts.filter((text) => typeof text === "string");
}

/**
 * The same for the formats we know, quickly: are all of WANTED in the request, in their order and beside their ids, and no
 * compact answers besides? A no is no answer.
 */
export function hasAll(payload: unknown, wanted: readonly Wanted[]): boolean {
	const { messages, input } = (payload ?? {}) as Item;
	const items = Array.isArray(messages) ? messages : input;
	if (!Array.isArray(items)) return wanted.length === 0;
	let at = 0;
	let names: string[] | undefined; // of the next one
	/** Is it the next one, or at least none of our answers? */
	const isFine = (callId: unknown, content: unknown): boolean => {
		const text = typeof content === "string" ? content : onlyText(content);
		const next = wanted[at];
		if (next !== undefined && text === next.sent && (callId === next.callId || (names ??= namesOf(next.callId)).includes(callId as string))) {
			at++;
			names = undefined;
			return true;
		}
		return typeof text === "string" ? text.charCodeAt(0) !== BRACKET || !hasClaim(text) : !textsIn(content).some(hasClaim);
	};
	for (const item of items as Item[]) {
		if (item.role === "assistant") continue;
		if (item.tool_call_id !== undefined) {
			if (!isFine(item.tool_call_id, item.content)) return false; // chat completions
		} else if (item.call_id !== undefined) {
			if (!isFine(item.call_id, item.output)) return false; // responses
		} else if (item.role === "user" && Array.isArray(item.content)) {
			for (const block of item.content as Item[])
				if (block?.tool_use_id !== undefined && !isFine(block.tool_use_id, block.content)) return false; // messages
		}
	}
	return at === wanted.length;
}
