/**
 * What the model was really sent. Extensions may drop or shorten messages on the way to the provider, which leaves no
 * trace in the session: a read result of the branch that is not in the request as it is stored is no evidence for the
 * reads that the model makes in answer to it. Nor are the calls of a message that is not there with all of them. This can
 * only take trust away.
 */
import type { CallPlaces, OwnCall } from "./own.ts";
import type { Delivered } from "./request.ts";
import type { Standing } from "./support.ts";
import type { Stored, Trail } from "./trail.ts";

function isSame(stored: Stored, { callId, text }: Delivered): boolean {
	return stored.callId === callId && stored.text === text;
}

export class Sight {
	/** By the host's messages, and by what became of them in the provider's format. */
	#hidden = new Set<string>();
	#alsoHidden = new Set<string>();
	/** Messages with calls of which not all were sent as they are. */
	#withoutCalls: ReadonlySet<string> = new Set();

	constructor(private readonly trail: Trail) {}

	/** The ids of results, and of messages with calls, that were kept from the model when it was last asked. */
	get hidden(): ReadonlySet<string> {
		if (this.#alsoHidden.size + this.#withoutCalls.size === 0) return this.#hidden;
		return new Set([...this.#hidden, ...this.#alsoHidden, ...this.#withoutCalls]);
	}

	/** The same request has the model's own calls at PLACES. */
	lookAtCalls(places: CallPlaces): void {
		this.#withoutCalls = this.trail.calls.notIn(places);
	}

	/**
	 * A request with the results `sent` leaves, of which the last `fresh` were not in the one before it. `added` are
	 * those that the branch has more than it had then; undefined: it is not the same one.
	 */
	look(sent: readonly Standing[], fresh: number, added: readonly Stored[] | undefined): void {
		this.#alsoHidden.clear();
		const last = fresh === 0 ? [] : sent.slice(-fresh);
		if (added?.length !== fresh || !added.every((one, i) => isSame(one, last[i]!))) return this.#lookAtAll(sent);
		added.forEach(({ id, text }, i) => {
			const one = last[i]!;
			// The session's own string: its copy can go.
			if (one.sent === one.text) one.sent = text;
			one.text = text;
			if (one.isRepaired) this.#hidden.add(id);
		});
	}

	/** These of the results and calls that were sent are not in what leaves. */
	hide(gone: readonly Standing[], calls: readonly OwnCall[]): void {
		for (const stored of this.trail.counting)
			if (gone.some((one) => isSame(stored, one))) this.#alsoHidden.add(stored.id);
		for (const { id } of calls) this.#alsoHidden.add(id);
	}

	#lookAtAll(sent: readonly Standing[]): void {
		const byCall = new Map<string, Standing[]>();
		for (const one of sent) {
			if (one.isRepaired) continue;
			const others = byCall.get(one.callId);
			if (others === undefined) byCall.set(one.callId, [one]);
			else others.push(one);
		}
		const isThere = (stored: Stored) => byCall.get(stored.callId)?.some((one) => isSame(stored, one)) === true;
		this.#hidden = new Set(this.trail.counting.filter((stored) => !isThere(stored)).map(({ id }) => id));
	}
}
