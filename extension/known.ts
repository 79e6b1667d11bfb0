/**
 * The read results of the last request, in order, so that the next request can be compared with them: mostly it is the
 * same one with something at its end. Every message of every request comes by, and the host has just copied them all, so
 * what is touched costs: thousands of texts are not compared where nothing depends on them.
 */
import { isAnchor } from "./protocol.ts";
import type { CallPlaces, OwnCall } from "./own.ts";
import { textsOf } from "./request.ts";
import type { Standing } from "./support.ts";

/** The length of a text that is compared itself. */
const WHOLE = -1;

/** So many of the latest results are looked at; an older one only if something rests on it, or if they have moved. */
const GLANCES = 500;

export type Content = { text?: unknown }[];

interface Message {
	content?: Content;
}

function textOf({ content }: Message): unknown {
	return content?.length === 1 ? content[0]?.text : textsOf(content);
}

/** Are these CALLS at places before PLACE? */
export function standBefore(calls: readonly OwnCall[], places: CallPlaces, place: number): boolean {
	return calls.every((call) => (places.get(call) ?? place) < place);
}

export class Known {
	readonly results: Standing[] = [];
	/** Where each of them stood among the messages of the last request. */
	places = new Uint32Array();
	/** What is compared of each. */
	readonly #ids: string[] = [];
	readonly #lengths: number[] = [];
	/** Those that rest on calls. */
	readonly #onCalls: Standing[] = [];

	add(standing: Standing): void {
		standing.at = this.results.length;
		this.results.push(standing);
		this.#ids.push(standing.callId);
		// What is compact, or may be, must be seen whenever it is sent.
		const isText = standing.meta !== undefined && isAnchor(standing.meta);
		this.#lengths.push(isText ? standing.text.length : WHOLE);
		if (standing.calls.length > 0) this.#onCalls.push(standing);
	}

	/** Have all of them, at PLACES in a request, the calls before them that they rest on? */
	follow(calls: CallPlaces, places: ArrayLike<number>): boolean {
		return this.#onCalls.every((one) => standBefore(one.calls, calls, places[one.at]!));
	}

	/** Is the result at AT in MESSAGE, which is the answer to the call with that ID? */
	isIn(at: number, id: unknown, message: Message): boolean {
		if (id !== this.#ids[at]) return false;
		const length = this.#lengths[at]!;
		if (length === WHOLE) return textOf(message) === this.results[at]!.text;
		return (textOf(message) as string | undefined)?.length === length;
	}

	/**
	 * Something rests on STANDING from now on. False if that was recognised by its length, and the request has another
	 * text: MESSAGES are its messages, PLACES those of the results.
	 */
	rely(standing: Standing, messages: readonly unknown[], places: ArrayLike<number>): boolean {
		const { at } = standing;
		if (this.#lengths[at] === WHOLE) return true;
		if (textOf(messages[places[at]!] as Message) !== standing.text) return false;
		this.#lengths[at] = WHOLE;
		return true;
	}

	/** The latest results, and of the others those that are compact, or on which one of those rests. */
	get watched(): readonly Standing[] {
		const latest = Math.max(0, this.results.length - GLANCES);
		const watched: Standing[] = [];
		for (let at = 0; at < latest; at++) if (this.#lengths[at] === WHOLE) watched.push(this.results[at]!);
		return watched.concat(this.results.slice(latest));
	}

	/** Are there so many that not all of them are looked at, and do those that are stand where they stood? */
	standIn(messages: readonly unknown[]): boolean {
		if (this.results.length <= GLANCES) return false;
		return this.watched.every(({ at }) => {
			const message = messages[this.places[at]!] as (Message & { toolCallId?: unknown }) | undefined;
			return message !== undefined && this.isIn(at, message.toolCallId, message);
		});
	}
}
