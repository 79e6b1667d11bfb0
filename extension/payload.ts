/**
 * Where in a request in a provider's own format the read results and the model's own calls stand: they are found by the ids
 * of the calls, by their texts and arguments, and by their order, which is that of the messages.
 */
import { align } from "./align.ts";
import { isSameJson, objectIn } from "./json.ts";
import { hasClaim } from "./request.ts";
import { namesOf, walk } from "./tree.ts";

/** A read result that is looked for. */
export interface WantedResult {
	callId: string;
	/** What was to be sent. */
	sent: string;
	/** The words of a compact answer in it, by which it is known wherever a provider puts the rest; undefined: all count. */
	claim?: string | undefined;
}

/** A call of the model's that is looked for. */
export interface WantedCall {
	callId: string;
	args: unknown;
	/** The same as most providers are sent it. */
	json: string;
}

export type Wanted = WantedResult | WantedCall;

export const isCall = (wanted: Wanted): wanted is WantedCall => "args" in wanted;

/** Is that what the call is given? Some formats have it as JSON. */
export function isGiven(given: unknown, { args, json }: WantedCall): boolean {
	if (typeof given !== "string") return isSameJson(given, args);
	return given === json || isSameJson(objectIn(given), args);
}

/** A string in the request that may be a result's text. */
interface Place {
	text: string;
	/** The name of the call it stands beside. */
	name: string | undefined;
	/** It is what a call is given. */
	given?: unknown;
}

/** A compact text that is none of those that were to be sent: put there, or moved, by somebody else. */
export interface Stray extends Place {
	/** Its number among the places. */
	at: number;
}

/** In these the formats we know have what a call is given; of a result none has one. */
const GIVEN = ["function", "arguments", "args", "input", "custom"];

/** The calls that are looked for, as they may be met. */
class Calls {
	readonly names = new Set<string>();
	#jsons = new Set<string>();
	/** By the path in their arguments. */
	#byPath = new Map<unknown, WantedCall[]>();
	/** How often each name is that of a call. */
	#met = new Map<string, number>();

	constructor(wanted: readonly Wanted[]) {
		for (const call of wanted.filter(isCall)) {
			for (const name of namesOf(call.callId)) this.names.add(name);
			this.#jsons.add(call.json);
			const path = pathIn(call.args);
			this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), call]);
		}
	}

	/** An object that holds the NAME of a call. */
	meet(part: object, name: string | undefined): void {
		if (name === undefined || !this.names.has(name) || !GIVEN.some((key) => key in part)) return;
		this.#met.set(name, (this.#met.get(name) ?? 0) + 1);
	}

	/** Is this what one of them is given, in words? */
	hasJson(text: string, name: string | undefined): boolean {
		if (this.#jsons.has(text)) return name === undefined || this.names.has(name);
		const given = name !== undefined && this.names.has(name) ? objectIn(text) : undefined;
		return given !== undefined && this.hasArgs(given, name);
	}

	/** The same as an object. */
	hasArgs(part: object, name: string | undefined): boolean {
		if (name !== undefined && !this.names.has(name)) return false;
		return this.#byPath.get(pathIn(part))?.some((call) => isGiven(part, call)) === true;
	}

	/** Is there one call at most that could be this one? */
	isOne({ callId }: WantedCall): boolean {
		let met = 0;
		for (const name of new Set(namesOf(callId))) met += this.#met.get(name) ?? 0;
		return met <= 1;
	}
}

function pathIn(args: unknown): unknown {
	return (args as { path?: unknown } | null | undefined)?.path;
}

/** A request, and where in it they stand. */
export class Payload<T extends Wanted> {
	readonly #names = new Set<string>();
	readonly #texts = new Set<string>();
	readonly #calls: Calls;
	readonly #places: Place[] = [];
	readonly #found = new Map<T, number>();
	/** Does the format name the calls? */
	#isNamed = false;

	/** READS are the ids of all calls whose results are ours, sent or not. */
	constructor(
		private readonly payload: unknown,
		wanted: readonly T[],
		reads: Iterable<string>,
	) {
		const namesOfCall = new Map<string, readonly string[]>();
		for (const callId of reads) namesOfCall.set(callId, namesOf(callId));
		for (const one of wanted) {
			if (isCall(one)) continue;
			namesOfCall.set(one.callId, namesOf(one.callId));
			this.#texts.add(one.sent);
		}
		for (const names of namesOfCall.values()) for (const name of names) this.#names.add(name);
		this.#calls = new Calls(wanted);
		for (const one of wanted) if (isCall(one)) namesOfCall.set(one.callId, namesOf(one.callId));
		this.#walk((place) => {
			this.#places.push(place);
			return undefined;
		});
		// Where calls have names a text counts beside its own; where they have none, by its order alone.
		const isSame = (one: T, place: Place) => {
			const isAtIts = !this.#isNamed || (place.name !== undefined && namesOfCall.get(one.callId)!.includes(place.name));
			return isAtIts && (isCall(one) ? place.given !== undefined && isGiven(place.given, one) : isResultAt(one, place));
		};
		align(wanted, this.#places, isSame).forEach((place, i) => {
			const one = wanted[i]!;
			if (place >= 0 && (!isCall(one) || this.#calls.isOne(one))) this.#found.set(one, place);
		});
	}

	/** Go through its places in order, and give a copy of it with what BY puts in their place. */
	#walk(by: (place: Place) => string | undefined): unknown {
		return walk(this.payload, new Set([...this.#names, ...this.#calls.names]), {
			text: (text, name) => {
				this.#isNamed ||= name !== undefined;
				if (this.#calls.hasJson(text, name)) by({ text, name, given: text });
				else if (this.#isText(text, name)) return by({ text, name });
				return undefined;
			},
			object: (part, name, own) => {
				this.#calls.meet(part, own);
				const isArgs = this.#calls.hasArgs(part, name);
				if (isArgs) by({ text: "", name, given: part });
				return isArgs;
			},
		});
	}

	/** A result's text, or one of our answers to which somebody has added something. */
	#isText(text: string, name: string | undefined): boolean {
		if (name !== undefined && !this.#names.has(name)) return false;
		return this.#texts.has(text) || (name !== undefined && text.includes("[readcache: "));
	}

	has(wanted: T): boolean {
		return this.#found.has(wanted);
	}

	/** The places with the words of a compact answer that are no result's. */
	get strays(): Stray[] {
		const taken = new Set(this.#found.values());
		const isStray = ({ text, name, given }: Place, at: number) =>
			given === undefined && !taken.has(at) && (name !== undefined || !this.#isNamed) && hasClaim(text);
		return this.#places.flatMap((place, at) => (isStray(place, at) ? [{ ...place, at }] : []));
	}

	/** A copy of it with other texts; what is not changed is shared. */
	with(replacements: ReadonlyMap<T & WantedResult, string>, strays: ReadonlyMap<Stray, string>): unknown {
		const byPlace = new Map<number, [string, string]>();
		for (const [{ at, text }, to] of strays) byPlace.set(at, [text, to]);
		for (const [wanted, to] of replacements) {
			const place = this.#found.get(wanted);
			if (place === undefined) continue;
			const { sent, claim } = wanted;
			const whole = this.#places[place]!.text.includes(sent);
			byPlace.set(place, whole || claim === undefined ? [sent, to] : [claim, claimOnly(sent, claim, to)]);
		}
		let at = 0;
		return this.#walk(({ text }) => {
			const change = byPlace.get(at++);
			return change && text.replace(change[0], () => change[1]);
		});
	}
}

function isResultAt({ sent, claim }: WantedResult, { text, name, given }: Place): boolean {
	return given === undefined && (text === sent || (name !== undefined && text.includes(claim ?? sent)));
}

/** Of TO, which stands for SENT: what stands for the CLAIM in it. */
function claimOnly(sent: string, claim: string, to: string): string {
	const at = sent.indexOf(claim);
	return to.slice(at, to.length - (sent.length - at - claim.length));
}
