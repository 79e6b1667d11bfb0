/**
 * What the model was really sent. Extensions may drop or shorten messages on the way to the provider, which leaves no
 * trace in the session: a read result of the branch that is not in the request as it is stored is no evidence for the
 * reads that the model makes in answer to it. This can only take trust away.
 */
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

	constructor(private readonly trail: Trail) {}

	/** The ids of results that were kept from the model when it was last asked. */
	get hidden(): ReadonlySet<string> {
		return this.#alsoHidden.size === 0 ? this.#hidden : new Set([...this.#hidden, ...this.#alsoHidden]);
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
			one.text = text; // the session's own string: its copy can go
			if (one.repair !== undefined) this.#hidden.add(id);
		});
	}

	/** These of the results that were sent are not in what leaves. */
	hide(gone: readonly Standing[]): void {
		for (const stored of this.trail.counting)
			if (gone.some((one) => isSame(stored, one))) this.#alsoHidden.add(stored.id);
	}

	#lookAtAll(sent: readonly Standing[]): void {
		const byCall = new Map<string, Standing[]>();
		for (const one of sent) {
			if (one.repair !== undefined) continue;
			const others = byCall.get(one.callId);
			if (others === undefined) byCall.set(one.callId, [one]);
			else others.push(one);
		}
		const isThere = (stored: Stored) => byCall.get(stored.callId)?.some((one) => isSame(stored, one)) === true;
		this.#hidden = new Set(this.trail.counting.filter((stored) => !isThere(stored)).map(({ id }) => id));
	}
}
