/**
 * A quick look at a request in one of the formats we know. Mostly it is as it should be. If not, or if that is not sure,
 * payload.ts looks closely, at requests in any format.
 */
import { isCall, isGiven, type Wanted } from "./payload.ts";
import { hasClaim } from "./request.ts";
import { namesOf } from "./tree.ts";

/** How our answers begin. */
const BRACKET = 0x5b;

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

/** What is looked for, one after the other. */
class Search {
	#at = 0;
	#names: string[] | undefined; // of the next one
	/** The names of the calls that were found. */
	#found = new Set<unknown>();

	constructor(private readonly wanted: readonly Wanted[]) {}

	get isOver(): boolean {
		return this.#at === this.wanted.length;
	}

	/** A call: is it the next one, or at least none that was found already? */
	isCallFine(callId: unknown, given: unknown): boolean {
		const next = this.wanted[this.#at];
		if (next === undefined || !isCall(next) || !this.#isNext(next, callId)) return !this.#found.has(callId);
		if (!isGiven(given, next)) return false;
		this.#found.add(callId);
		this.#advance();
		return true;
	}

	/** A result: is it the next one, or at least none of our answers? */
	isResultFine(callId: unknown, content: unknown): boolean {
		const text = typeof content === "string" ? content : onlyText(content);
		const next = this.wanted[this.#at];
		if (next !== undefined && !isCall(next) && text === next.sent && this.#isNext(next, callId)) {
			this.#advance();
			return true;
		}
		if (typeof text === "string") return text.charCodeAt(0) !== BRACKET || !hasClaim(text);
		return !textsIn(content).some(hasClaim);
	}

	#isNext(next: Wanted, callId: unknown): boolean {
		return callId === next.callId || (this.#names ??= namesOf(next.callId)).includes(callId as string);
	}

	#advance(): void {
		this.#at++;
		this.#names = undefined;
	}
}

/** The calls of an assistant's message, in chat completions or in messages. */
function hasFineCalls({ tool_calls: calls, content }: Item, search: Search): boolean {
	const isFine = ({ id, function: made }: Item) => search.isCallFine(id, (made as Item | undefined)?.arguments);
	if (Array.isArray(calls) && !calls.every(isFine)) return false;
	if (!Array.isArray(content)) return true;
	return content.every((block: Item | null) => block?.type !== "tool_use" || search.isCallFine(block.id, block.input));
}

/**
 * Are all of WANTED in the request, in their order and beside their ids, the calls once, and no other compact answers?
 * False says nothing: look closely then.
 */
export function hasAll(payload: unknown, wanted: readonly Wanted[]): boolean {
	const { messages, input } = (payload ?? {}) as Item;
	const items = Array.isArray(messages) ? messages : input;
	if (!Array.isArray(items)) return wanted.length === 0;
	const search = new Search(wanted);
	const hasCalls = wanted.some(isCall);
	for (const item of items as Item[]) {
		if (item.role === "assistant") {
			if (hasCalls && !hasFineCalls(item, search)) return false;
		} else if (item.tool_call_id !== undefined) {
			if (!search.isResultFine(item.tool_call_id, item.content)) return false; // chat completions
		} else if (item.call_id !== undefined) {
			const isFine = item.arguments === undefined ? search.isResultFine(item.call_id, item.output) : search.isCallFine(item.call_id, item.arguments);
			if (!isFine) return false; // responses
		} else if (item.role === "user" && Array.isArray(item.content)) {
			for (const block of item.content as Item[])
				if (block?.tool_use_id !== undefined && !search.isResultFine(block.tool_use_id, block.content)) return false; // messages
		}
	}
	return search.isOver;
}
