/**
 * The model's own calls of `edit` and `write`. Their arguments are in its context, so it knows what it wrote as well as
 * what it was shown, and answers may rest on them as they do on results.
 */
import { hash } from "node:crypto";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { isBoundary } from "./branch.ts";
import { copyOf, isSameJson } from "./json.ts";

export const hashOfCall = (json: string) => hash("sha256", json).slice(0, 32);

/** Such a call, as it was when it was seen first: others may write into the session's memory. */
export class OwnCall {
	#json: string | undefined;
	#hash: string | undefined;

	constructor(
		/** Its message's entry. */
		readonly id: string,
		readonly callId: string,
		readonly name: string,
		readonly args: unknown,
	) {}

	/** The arguments as most providers are sent them. */
	get json(): string {
		return (this.#json ??= JSON.stringify(this.args) ?? "");
	}

	get hash(): string {
		return (this.#hash ??= hashOfCall(this.json));
	}
}

/** A call in an assistant's message. */
export interface CallBlock {
	type?: unknown;
	id: string;
	name: string;
	arguments?: unknown;
}

const isCall = (block: unknown): block is CallBlock => (block as CallBlock | null)?.type === "toolCall";

/** Does such a call say itself what it makes of a file? */
export const isOwn = ({ name }: CallBlock) => name === "edit" || name === "write";

const NONE: readonly never[] = [];

/** The calls in a message; CONTENT is any role's. */
export function callsIn(content: unknown): readonly CallBlock[] {
	return Array.isArray(content) && content.some(isCall) ? content.filter(isCall) : NONE;
}

/** By entry: what is written into the entry later does not count. */
const seen = new WeakMap<SessionEntry, readonly OwnCall[]>();

function ownCallsOf(entry: SessionEntry, calls: readonly CallBlock[]): readonly OwnCall[] {
	const known = seen.get(entry);
	if (known !== undefined) return known;
	const own = calls.filter(isOwn).map(({ id, name, arguments: args }) => new OwnCall(entry.id, id, name, copyOf(args)));
	seen.set(entry, own);
	return own;
}

interface Message {
	role?: unknown;
	content?: unknown;
}

/** The place of each call in a request. */
export type CallPlaces = ReadonlyMap<OwnCall, number>;

const NOWHERE: CallPlaces = new Map();

/** The calls on the way from the session's root to its leaf. */
export class OwnCalls {
	/** Of every call, of whatever tool. */
	#ids = new Set<string>();
	/** By id; undefined: two calls have the id, and nobody can tell which one is meant. */
	#byId = new Map<string, OwnCall | undefined>();
	/** Oldest first, those with such ids too. */
	#all: OwnCall[] = [];
	/** How many of them stand before the latest compaction. */
	#compacted = 0;

	/** The next entry of the way. */
	add(entry: SessionEntry): void {
		if (isBoundary(entry)) this.#compacted = this.#all.length;
		if (entry.type !== "message" || entry.message.role !== "assistant") return;
		const { content, stopReason } = entry.message;
		const calls = callsIn(content);
		if (calls.length === 0) return;
		// The host does not send again what failed.
		const own = stopReason === "error" || stopReason === "aborted" ? NONE : ownCallsOf(entry, calls);
		for (const call of own) this.#byId.set(call.callId, call);
		this.#all.push(...own);
		for (const { id } of calls) {
			if (this.#ids.has(id)) this.#byId.set(id, undefined);
			this.#ids.add(id);
		}
	}

	clear(): void {
		this.#ids.clear();
		this.#byId.clear();
		this.#all = [];
		this.#compacted = 0;
	}

	/** The calls with these ids; undefined if one is not there, or is there twice. */
	find(callIds: readonly string[]): OwnCall[] | undefined {
		const found = callIds.map((id) => this.#byId.get(id));
		return found.includes(undefined) ? undefined : (found as OwnCall[]);
	}

	/** The entries after the latest compaction of which not all calls are in PLACES. */
	notIn(places: CallPlaces): Set<string> {
		const gone = new Set<string>();
		for (let i = this.#compacted; i < this.#all.length; i++)
			if (!places.has(this.#all[i]!)) gone.add(this.#all[i]!.id);
		return gone;
	}

	/** Where in MESSAGES they stand: each once, and with the arguments that the session has. */
	placesIn(messages: readonly unknown[]): CallPlaces {
		if (this.#all.length === 0) return NOWHERE;
		const places = new Map<OwnCall, number>();
		const met = new Set<OwnCall>();
		for (let i = 0; i < messages.length; i++) {
			const { role, content } = messages[i] as Message;
			if (role !== "assistant" || !Array.isArray(content)) continue;
			for (const block of content) {
				const call = isCall(block) ? this.#byId.get(block.id) : undefined;
				if (call === undefined) continue;
				const isIt = block.name === call.name && isSameJson(block.arguments, call.args);
				if (isIt && !met.has(call)) places.set(call, i);
				else places.delete(call);
				met.add(call);
			}
		}
		return places;
	}
}
