/**
 * The door: what leaves for the provider (SPEC.md section 15).
 *
 * In every request each marker and each diff stands beside the text it speaks of, all of it, or it is sent as the text
 * that the plain read gave at that time. Who took the text away does not matter: a compaction, another extension, a
 * context edit. The session is not changed, and what was put in the place of an answer stays the same in the requests
 * that follow, so that the provider's prompt cache breaks at most once.
 *
 * A long session costs no more than one look at each read result: a request mostly is the one before it and something
 * at its end, and only that is judged.
 */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Engine } from "./engine.ts";
import { expand, type Expansion, NOTHING_TO_SEE } from "./expand.ts";
import { missingIn, type Replacement, replaceIn } from "./payload.ts";
import { isCompact } from "./protocol.ts";
import { type Delivered, deliveredBy, eachResult, isReadResult, onlyText } from "./request.ts";
import { Sight } from "./sight.ts";
import { isClaim, Shelf, type Standing } from "./support.ts";
import { Trail } from "./trail.ts";

export class Door {
	readonly #trail = new Trail();
	readonly #sight = new Sight(this.#trail);
	#shelf = new Shelf();
	/** The read results of the last request, in order, as they were before any repair. */
	#known: Standing[] = [];
	/** Of those, what an extension took out of the payload of the last request. */
	#missing: ReadonlySet<Standing> = new Set();
	/** What answers are sent as, once they had to be: by answer. */
	#repairs = new Map<string, Promise<Expansion>>();

	constructor(private readonly engine: Engine) {}

	/** The ids of results that were kept from the model when it was last asked, or that it was sent as something else. */
	get hidden(): ReadonlySet<string> {
		return this.#sight.hidden;
	}

	/** A request as the host's messages: gives what is sent in their place, undefined if nothing has to be changed. */
	async messages<T>(messages: T[], ctx: ExtensionContext): Promise<T[] | undefined> {
		const { places, fresh } = this.#recognise(messages);
		if (this.#known.length === 0) this.#trail.forget();
		const added = this.#trail.follow(ctx.sessionManager);
		for (const delivered of fresh) this.#known.push(await this.#judge(delivered, ctx));
		this.#missing = new Set();
		this.#sight.look(this.#known, fresh.length, added);
		if (!this.#known.some(({ repair }) => repair !== undefined)) return undefined;
		const repaired = messages.slice();
		this.#known.forEach(({ repair }, i) => {
			const at = places[i]!;
			if (repair !== undefined)
				repaired[at] = { ...messages[at]!, content: [{ type: "text", text: repair }] } as T;
		});
		return repaired;
	}

	/**
	 * The same request as what is about to leave. Handlers of extensions that come after the host's messages may have
	 * taken something away, and the host itself leaves out what belongs to a failed message.
	 */
	async payload(payload: unknown, ctx: ExtensionContext): Promise<unknown> {
		if (this.#missing.size === 0 && this.#isAllIn(payload)) return undefined;
		const sent = this.#known.map((one) => ({ ...one, text: one.repair ?? one.text, standing: one }));
		const missing = new Set(missingIn(payload, sent).map(({ standing }) => standing));
		const broken = this.#known.filter((one) => !missing.has(one) && needsRepair(one, missing));
		const replacements: Replacement[] = [];
		for (const one of broken) {
			const { text } = await this.#expand(one, ctx);
			const isAlone = sent.filter((other) => other.text === one.text).length === 1;
			replacements.push({ callId: one.callId, from: one.text, to: text, unnamed: isAlone ? text : NOTHING_TO_SEE });
		}
		this.#missing = missing;
		this.#sight.hide([...missing, ...broken]);
		return replacements.length > 0 ? replaceIn(payload, replacements) : undefined;
	}

	/**
	 * Is it the last request with something at its end? Gives where its read results stand, and those that are not known
	 * yet; if one that was known is gone or is another by now, nothing is known.
	 */
	#recognise(messages: readonly unknown[]): { places: number[]; fresh: Delivered[] } {
		const places: number[] = [];
		const fresh: Delivered[] = [];
		for (let i = 0; i < messages.length; i++) {
			const message = messages[i];
			if (!isReadResult(message)) continue;
			const known = this.#known[places.length];
			if (known !== undefined) {
				if (message.toolCallId === known.callId && onlyText(message.content) === known.text) {
					places.push(i);
					continue;
				}
				if (deliveredBy(message) === undefined) continue;
				return this.#forget(messages);
			}
			const delivered = deliveredBy(message);
			if (delivered === undefined) continue;
			places.push(i);
			fresh.push(delivered);
		}
		return places.length < this.#known.length ? this.#forget(messages) : { places, fresh };
	}

	#forget(messages: readonly unknown[]): { places: number[]; fresh: Delivered[] } {
		this.#known = [];
		this.#shelf = new Shelf();
		return this.#recognise(messages);
	}

	/** The next result of the request, and what it is sent as. */
	async #judge(delivered: Delivered, ctx: ExtensionContext): Promise<Standing> {
		const standing: Standing = { ...delivered, rests: [], repair: undefined, tells: undefined };
		if (isCompact(delivered.meta)) {
			standing.tells = false;
			const wanted = this.#trail.restsOf(delivered);
			const rests = wanted && this.#shelf.find(wanted);
			if (rests !== undefined) {
				standing.rests = rests;
				standing.tells = isClaim(delivered);
			} else if (isClaim(delivered)) {
				const { text, isWhole } = await this.#expand(standing, ctx);
				standing.repair = text;
				standing.tells = isWhole;
			}
		}
		this.#shelf.add(standing);
		return standing;
	}

	/** Are all results where the provider's format has them, and nothing to be repaired there? */
	#isAllIn(payload: unknown): boolean {
		let at = 0;
		const known = this.#known;
		const inOrder = eachResult(payload, (callId, text) => {
			const next = known[at];
			if (next !== undefined && callId === next.callId && text === (next.repair ?? next.text)) at++;
			return true;
		});
		return inOrder && at === known.length;
	}

	/** The text that the plain read gave when ANSWER was given; the same one however often it is asked for. */
	#expand({ callId, meta }: Delivered, ctx: ExtensionContext): Promise<Expansion> {
		const answer = JSON.stringify([callId, meta]);
		let expansion = this.#repairs.get(answer);
		if (expansion === undefined) this.#repairs.set(answer, (expansion = expand(this.engine, meta, ctx)));
		return expansion;
	}
}

/** Is it a compact answer, sent as such, of which some text is MISSING? */
function needsRepair(standing: Standing, missing: ReadonlySet<Standing>): boolean {
	const isMissing = (one: Standing): boolean => missing.has(one) || (one.repair === undefined && one.rests.some(isMissing));
	return standing.repair === undefined && standing.rests.some(isMissing);
}
