// What the provider bills: every message of the model says how much was sent to it. And what is taken away without a
// record, which only the bill tells.
import { nameOf, sentBytes } from "./mind.mjs";

const FALL = 0.8; // SPEC.md, T15

/** Models count in tokens of their own. */
const MODELS = [
	{ provider: "one", model: "small", size: 4 },
	{ provider: "two", model: "large", size: 2.7 },
];

const sum = ({ input = 0, cacheRead = 0, cacheWrite = 0 }) => input + cacheRead + cacheWrite;

/** TOTAL in parts, as a provider has them: with a cache, without one, all of it new. */
function split(total, rng) {
	const output = rng.from(10, 400);
	const input = rng.from(0, Math.min(total, 60));
	const how = rng.below(4);
	if (how === 0) return { input: total, output };
	if (how === 1) return { input: total, output, cacheRead: 0, cacheWrite: 0 };
	if (how === 2) return { input, output, cacheRead: total - input, cacheWrite: 0 };
	const read = rng.from(0, total - input);
	return { input, output, cacheRead: read, cacheWrite: total - input - read };
}

export class Bill {
	constructor(rng) {
		this.base = rng.from(40, 600); // the prompt and the tools
		this.gaps = rng.weighted({ 0: 6, 0.15: 2, 1: 1 }) * 1; // messages without usage
		this.noise = 0.01; // a bill that says less for another reason
		this.switches = rng.weighted({ 0: 2, 0.06: 1 }) * 1;
		this.model = MODELS[0];
	}

	/** What the next message of this model costs. */
	total(history, { size } = this.model) {
		return this.base + Math.ceil(sentBytes(history) / size);
	}

	/** The fields of an assistant's next message. Some have no usage, or a false one: that costs the optimisation. */
	next(history, rng) {
		if (rng.chance(this.switches)) this.model = MODELS.find((other) => other !== this.model);
		const { provider, model } = this.model;
		if (rng.chance(this.gaps)) return rng.chance(0.5) ? {} : { provider, model };
		if (rng.chance(this.noise)) return { provider, model, usage: split(0, rng) };
		const total = this.total(history);
		return { provider, model, usage: split(rng.chance(this.noise) ? Math.ceil(total / 2) : total, rng) };
	}

	/** The message that the next one of this model is compared with; undefined where a fall has another reason. */
	#reference(session) {
		for (const { type, message } of session.branch().reverse()) {
			if (type === "compaction" || type === "context_edit") return undefined;
			if (message?.role !== "assistant" || message.model !== this.model.model) continue;
			if (["error", "aborted"].includes(message.stopReason) || !message.usage) continue;
			if (sum(message.usage) > 0) return message;
		}
		return undefined;
	}

	/**
	 * The fields of a message for which the calls DROPPED are not sent any more. WITNESS is its name. Gives undefined,
	 * and nothing is lost, if the bill would not tell it: nobody could know then.
	 */
	lose(history, { witness, dropped }, rng) {
		const reference = this.#reference(history.session);
		if (!reference) return undefined;
		// The message is not yet on the branch, and what it does not see is not sent.
		const hidden = { witness: nameOf(reference), dropped };
		const total = this.total({ session: history.session, losses: [...history.losses, hidden] });
		if (total >= FALL * sum(reference.usage)) return undefined;
		history.losses.push({ witness, dropped, reference: nameOf(reference) });
		const { provider, model } = this.model;
		return { provider, model, usage: split(total, rng) };
	}
}
