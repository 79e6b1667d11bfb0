/**
 * The door: what leaves for the provider (SPEC.md section 15).
 *
 * In every request a compact answer stands after all of the text it speaks of, and after the model's own calls that it
 * speaks of; if it does not, it is sent as the text that the plain read gave at that time. It does not matter who took
 * something away: a compaction, another extension, a context edit. The session is not changed. What was put in the place
 * of an answer stays the same on its branch, so that the provider's prompt cache breaks at most once.
 *
 * Mostly a request is the one before it with something more at its end, and only that is judged. What was judged before
 * is recognised, so a long session costs no more than a glance at each of its read results.
 */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Engine } from "./engine.ts";
import { expand, type Expansion, NOTHING_TO_SEE } from "./expand.ts";
import { type Content, Known, standBefore } from "./known.ts";
import { type CallPlaces, OwnCall } from "./own.ts";
import { Payload, type Stray } from "./payload.ts";
import { isAnchor, isPieced, type Metadata } from "./protocol.ts";
import { hasAll } from "./quick.ts";
import { type Delivered, deliveredBy, isClaim, isOnlyClaim, isReadResult, replaceClaim, textsOf } from "./request.ts";
import { isSealed } from "./seal.ts";
import { Sight } from "./sight.ts";
import { claimIn, isIntact, isWholeFile, Shelf, type Standing } from "./support.ts";
import { Trail } from "./trail.ts";
import { namesOf, replaceStrings } from "./tree.ts";

/** A request: where its read results stand, and those that are not known yet. */
interface Seen {
	places: Uint32Array;
	fresh: Delivered[];
}

export class Door {
	readonly #trail: Trail;
	readonly #sight: Sight;
	#shelf = new Shelf();
	#known = new Known();
	/** Where the model's own calls stand in the request. */
	#calls: CallPlaces = new Map();
	/** How many of them are sent as something else. */
	#repaired = 0;
	/** What answers are sent as, once they had to be: by answer. */
	#expansions = new Map<string, Promise<Expansion>>();
	/** The answers that were sent as something else on this branch. To send them as they are again would help nobody. */
	#repairs = new Set<string>();

	constructor(private readonly engine: Engine) {
		this.#trail = new Trail((callId) => engine.served.get(callId) ?? []);
		this.#sight = new Sight(this.#trail);
	}

	/**
	 * The ids of results that were kept from the model when it was last asked, or that it was sent as something else, and of
	 * messages with such calls.
	 */
	get hidden(): ReadonlySet<string> {
		return this.#sight.hidden;
	}

	/** A request as the host's messages: gives what is sent in their place, undefined if nothing has to be changed. */
	async messages<T>(messages: T[], ctx: ExtensionContext): Promise<T[] | undefined> {
		try {
			return await this.#lookAtMessages(messages, ctx);
		} catch {
			this.#forget([]);
			return lastResort(messages) as T[];
		}
	}

	/**
	 * The same request as what is about to leave. Handlers of extensions that come after the host's messages may have
	 * taken something away, and the host itself leaves out what belongs to a failed message.
	 */
	async payload(payload: unknown, ctx: ExtensionContext): Promise<unknown> {
		try {
			return await this.#lookAtPayload(payload, ctx);
		} catch {
			return lastResort(payload);
		}
	}

	async #lookAtMessages<T>(messages: T[], ctx: ExtensionContext): Promise<T[] | undefined> {
		let added = this.#trail.follow(ctx.sessionManager);
		// Ids and words tell results apart only on one branch, and only where no id was used again.
		const isAnother = added === undefined || this.#trail.hasTwins;
		if (!this.#trail.goesOn) this.#repairs.clear();
		this.#calls = this.#trail.calls.placesIn(messages);
		let seen = isAnother ? this.#forget(messages) : this.#recognise(messages);
		if (this.#known.results.length === 0) {
			this.#trail.forget();
			added = this.#trail.follow(ctx.sessionManager);
			this.#calls = this.#trail.calls.placesIn(messages);
		}
		if (!(await this.#judgeAll(messages, seen, ctx))) {
			seen = this.#forget(messages);
			await this.#judgeAll(messages, seen, ctx);
		}
		const { places, fresh } = seen;
		this.#sight.lookAtCalls(this.#calls);
		if (this.#repaired === 0) {
			this.#sight.look(this.#known.results, fresh.length, added);
			return undefined;
		}
		const repaired = messages.slice();
		for (const [i, standing] of this.#known.results.entries()) {
			if (!standing.isRepaired) continue;
			const at = places[i]!;
			const { text } = await this.#expand(standing, ctx);
			const content = replaceClaim((messages[at] as { content: unknown }).content, claimIn(standing), text);
			standing.sent = textsOf(content)!;
			repaired[at] = { ...messages[at]!, content } as T;
		}
		this.#sight.look(this.#known.results, fresh.length, added);
		return repaired;
	}

	/** Judge what is new. False if something it rests on has changed, although it was taken for unchanged. */
	async #judgeAll(messages: readonly unknown[], { places, fresh }: Seen, ctx: ExtensionContext): Promise<boolean> {
		for (const delivered of fresh) {
			const standing = await this.#judge(delivered, places[this.#known.results.length]!, ctx);
			if (!standing.rests.every((rest) => this.#known.rely(rest, messages, places))) return false;
			this.#known.add(standing);
			if (standing.isRepaired) this.#repaired++;
		}
		return true;
	}

	async #lookAtPayload(payload: unknown, ctx: ExtensionContext): Promise<unknown> {
		if (hasAll(payload, this.#withCalls(this.#known.watched))) return undefined;
		const sent = this.#known.results;
		for (const one of sent) if (!one.isRepaired && isClaim(one)) one.claim ??= claimIn(one);
		const wanted = this.#withCalls(sent);
		const found = new Payload(payload, wanted, this.#trail.callIds);
		const missing = new Set(wanted.filter((one) => !found.has(one)));
		const broken = brokenOf(sent, missing);
		const replacements = new Map<Standing, string>();
		for (const one of broken) {
			const { text } = await this.#expand(one, ctx);
			const claim = claimIn(one);
			replacements.set(one, claim === undefined ? text : one.sent.replace(claim, () => text));
		}
		const strays = new Map<Stray, string>();
		for (const stray of found.strays) {
			const text = await this.#standInFor(stray, ctx);
			if (text !== undefined) strays.set(stray, text);
		}
		const gone = [...missing];
		const results = gone.filter((one): one is Standing => !(one instanceof OwnCall));
		const calls = gone.filter((one) => one instanceof OwnCall);
		this.#sight.hide([...results, ...broken], calls);
		return replacements.size + strays.size > 0 ? found.with(replacements, strays) : undefined;
	}

	/** These results of the request, and the calls in it, in order. */
	#withCalls(results: readonly Standing[]): readonly (Standing | OwnCall)[] {
		if (this.#calls.size === 0) return results;
		const { places } = this.#known;
		const merged: (Standing | OwnCall)[] = [];
		let next = 0;
		for (const [call, place] of this.#calls) {
			while (next < results.length && places[results[next]!.at]! < place) merged.push(results[next++]!);
			merged.push(call);
		}
		return merged.concat(results.slice(next));
	}

	/** What is sent for a compact text that somebody else has put there; undefined: it is not one of ours. */
	async #standInFor({ text, name }: Stray, ctx: ExtensionContext): Promise<string | undefined> {
		const isIt = (callId: string) => name !== undefined && namesOf(callId).includes(name);
		if (this.#trail.isForeign(text, isIt)) return undefined;
		const own = this.#trail.results.filter(({ callId }) => isIt(callId));
		const told = new Map(own.flatMap(({ callId, meta }) => {
			const claim = meta && !isAnchor(meta) ? claimIn({ text, meta }) : undefined;
			return claim === undefined ? [] : [[answerOf({ callId, meta }), { callId, meta, claim }] as const];
		}));
		const [one, ...others] = told.values();
		if (one === undefined || others.length > 0) return isOnlyClaim(text) ? NOTHING_TO_SEE : undefined;
		const { text: whole } = await this.#expand(one, ctx);
		return text.replace(one.claim, () => whole);
	}

	/**
	 * Is it the last request with something more at its end? Gives where its read results stand, and which of them are not
	 * known yet. If one that was known is gone or has changed, none is known.
	 *
	 * A text on which nothing rests is known by its call and its length, and compared as soon as something is to rest on
	 * it. In the longest sessions old ones are not looked at: if a compact answer stands in the place of one, that is seen
	 * in what leaves (#lookAtPayload).
	 */
	#recognise(messages: readonly unknown[]): Seen {
		const known = this.#known;
		const count = known.results.length;
		const places = new Uint32Array(messages.length);
		const fresh: Delivered[] = [];
		let [n, i] = [0, 0];
		if (known.standIn(messages)) {
			places.set(known.places.subarray(0, count));
			[n, i] = [count, places[count - 1]! + 1];
		}
		for (; i < messages.length; i++) {
			const message = messages[i] as { toolCallId?: unknown; content?: Content };
			const id = message.toolCallId;
			if (id === undefined) continue;
			if (!known.isIn(n, id, message)) {
				const delivered = isReadResult(message) ? deliveredBy(message, this.#trail.lookUp) : undefined;
				if (delivered === undefined) continue;
				if (n < count) return this.#forget(messages);
				fresh.push(delivered);
			}
			places[n++] = i;
		}
		if (n < count || !known.follow(this.#calls, places)) return this.#forget(messages);
		known.places = places;
		return { places, fresh };
	}

	#forget(messages: readonly unknown[]): Seen {
		this.#known = new Known();
		this.#repaired = 0;
		this.#shelf = new Shelf();
		return this.#recognise(messages);
	}

	/** What a compact answer rests on, if all of it stands before it at PLACE; undefined: not all does, or it is nothing. */
	#restsOf(delivered: Delivered, place: number): Pick<Standing, "rests" | "calls"> | undefined {
		// A text that became a marker's words has nothing to rest on.
		if (this.#repairs.has(answerOf(delivered)) || (delivered.meta && isAnchor(delivered.meta))) return undefined;
		const wanted = this.#trail.restsOf(delivered);
		const rests = wanted && this.#shelf.find(wanted);
		const calls = this.#trail.calls.find(delivered.meta?.calls ?? []);
		if (rests === undefined || calls === undefined || !standBefore(calls, this.#calls, place)) return undefined;
		if (!isSealed(delivered.meta ?? {}, calls)) return undefined;
		return rests.length + calls.length > 0 ? { rests, calls } : undefined;
	}

	/** The next result of the request, at PLACE: may it be sent as it is? */
	async #judge(delivered: Delivered, place: number, ctx: ExtensionContext): Promise<Standing> {
		const nothing = { rests: [], calls: [], isRepaired: false, tells: undefined };
		const standing: Standing = { ...delivered, sent: delivered.text, at: -1, ...nothing };
		if (isClaim(delivered)) {
			const found = this.#restsOf(delivered, place);
			if (found !== undefined) {
				Object.assign(standing, found);
				standing.tells = isIntact(delivered);
			} else {
				standing.isRepaired = true;
				this.#repairs.add(answerOf(delivered));
				const { text, isWhole } = await this.#expand(standing, ctx);
				standing.tells = isWhole && delivered.meta !== undefined && hasAllLines(text, delivered.meta);
			}
		}
		this.#shelf.add(standing);
		return standing;
	}

	/** The text that the plain read gave when the answer was given; the same one however often it is asked for. */
	#expand({ callId, meta }: Pick<Delivered, "callId" | "meta">, ctx: ExtensionContext): Promise<Expansion> {
		const answer = answerOf({ callId, meta });
		let expansion = this.#expansions.get(answer);
		if (expansion === undefined) this.#expansions.set(answer, (expansion = expand(this.engine, meta, ctx)));
		return expansion;
	}
}

const answerOf = ({ callId, meta }: Pick<Delivered, "callId" | "meta">) => JSON.stringify([callId, meta]);

/** Has the plain TEXT all lines that others may rest on? Those of a diff are the file's, and a page need not have them. */
function hasAllLines(text: string, meta: Metadata): boolean {
	return meta.mode === "diff" ? isWholeFile(text, meta) : isPieced(meta);
}

/** Something is wrong with us or with what we are shown. Nothing compact leaves then: whatever looks so is one line. */
function lastResort(request: unknown): unknown {
	return replaceStrings(request, (text) => (isOnlyClaim(text) ? NOTHING_TO_SEE : undefined));
}

/** The compact answers, sent as such, that rest on something MISSING; what they rest on stands before them. */
function brokenOf(sent: readonly Standing[], missing: ReadonlySet<Standing | OwnCall>): Standing[] {
	const gone = new Set(missing);
	const broken = sent.filter((one) => {
		const isBroken = !one.isRepaired && [...one.rests, ...one.calls].some((each) => gone.has(each));
		if (isBroken) gone.add(one);
		return isBroken;
	});
	return broken;
}
