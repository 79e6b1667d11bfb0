/**
 * The read results on the way from the session's root to its leaf, as they are stored, and the model's own calls. A
 * request is looked at every few seconds and the way mostly goes on where it ended, so only what is new is walked.
 */
import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import { isBoundary, reachesBack, upwards } from "./branch.ts";
import { OwnCalls } from "./own.ts";
import { isPieced } from "./protocol.ts";
import { type Delivered, deliveredBy, isReadResult, type LookUp, textsOf } from "./request.ts";
import { fileOf, keyOf } from "./support.ts";

type Sessions = ExtensionContext["sessionManager"];

/** A read result and its entry. */
export interface Stored extends Delivered {
	id: string;
}

/** What was shown of one file, oldest first. */
interface Shown {
	results: Stored[];
	/** Where a result stands among them. */
	places: Map<string, number>;
}

/** The list under KEY, which may be new. */
function listed<T>(lists: Map<string, T[]>, key: string): T[] {
	let list = lists.get(key);
	if (list === undefined) lists.set(key, (list = []));
	return list;
}

export class Trail {
	/** What the model wrote itself. */
	readonly calls = new OwnCalls();
	/** Oldest first. */
	#results: Stored[] = [];
	#byFile = new Map<string, Shown>();
	#byCall = new Map<string, Stored[]>();
	/** The texts of reads that are not ours, by call. */
	#foreign = new Map<string, string[]>();
	#leafId: string | undefined;
	/** How many of them stand before the latest compaction. */
	#compacted = 0;
	#hasTwins = false;
	#goesOn = false;

	/** `served`: the metadata of answers that were given since the process began. */
	constructor(private readonly served: LookUp) {}

	/** What is known of calls with this id: by the session, or because they were answered here. */
	readonly lookUp: LookUp = (callId, text) => {
		if (this.#foreign.get(callId)?.includes(text)) return [];
		const stored = this.#byCall.get(callId)?.flatMap(({ meta }) => meta ?? []) ?? [];
		return stored.length > 0 ? stored : this.served(callId, text);
	};

	/**
	 * Go to the session's leaf. Gives the results that came since the last time; undefined if it is another way by now,
	 * or if what came changes what was before it.
	 */
	follow(sessions: Sessions): readonly Stored[] | undefined {
		const fresh: SessionEntry[] = [];
		let goesOn = false;
		for (const entry of upwards(sessions)) {
			goesOn = entry.id === this.#leafId;
			if (goesOn) break;
			fresh.push(entry);
		}
		this.#goesOn = goesOn;
		if (!goesOn) this.#clear();
		this.#leafId = sessions.getLeafEntry()?.id;
		const before = this.#results.length;
		let isPlain = goesOn;
		for (const entry of fresh.reverse()) {
			const stored = this.#storedBy(entry);
			if (stored !== undefined) this.#add(stored);
			this.calls.add(entry);
			if (isBoundary(entry)) this.#compacted = this.#results.length;
			if (reachesBack(entry)) isPlain = false;
		}
		return isPlain ? this.#results.slice(before) : undefined;
	}

	/** Walk all of it the next time: somebody may have written into what is stored. */
	forget(): void {
		this.#leafId = undefined;
	}

	/** Did the way go on where it ended, when it was last followed? */
	get goesOn(): boolean {
		return this.#goesOn;
	}

	/** Are there calls with the same id? Some providers use ids again. */
	get hasTwins(): boolean {
		return this.#hasTwins;
	}

	/** Is TEXT what the host itself has read for a call that IS_IT? */
	isForeign(text: string, isIt: (callId: string) => boolean): boolean {
		for (const [callId, texts] of this.#foreign) if (texts.includes(text) && isIt(callId)) return true;
		return false;
	}

	/** The ids of all calls. */
	get callIds(): Iterable<string> {
		return this.#byCall.keys();
	}

	/** All of them. */
	get results(): readonly Stored[] {
		return this.#results;
	}

	/** The results after the latest compaction. */
	get counting(): readonly Stored[] {
		return this.#results.slice(this.#compacted);
	}

	/**
	 * The very results that `delivered` rests on: of those of its file before it, the latest with each of the texts that
	 * it names; all texts, diffs and pieced answers if it names none. Empty only if it rests on calls alone;
	 * undefined: nobody can tell.
	 */
	restsOf(delivered: Delivered): Stored[] | undefined {
		const { meta } = delivered;
		if (meta && isPieced(meta)) {
			if (meta.rests === undefined) return undefined;
			if (meta.rests.length === 0) return [];
		}
		const shown = meta && this.#byFile.get(fileOf(meta));
		if (shown === undefined) return undefined;
		const { results, places } = shown;
		const end = places.get(keyOf(delivered)) ?? results.length;
		const latest = (name: string) => {
			let at = end - 1;
			while (at >= 0 && results[at]!.meta?.textHash !== name) at--;
			return results[at];
		};
		const isView = ({ meta }: Stored) => meta !== undefined && (isPieced(meta) || !meta.mode.startsWith("unchanged"));
		const rests: (Stored | undefined)[] = meta?.rests?.map(latest) ?? results.slice(0, end).filter(isView);
		return rests.length > 0 && !rests.includes(undefined) ? (rests as Stored[]) : undefined;
	}

	#storedBy(entry: SessionEntry): Stored | undefined {
		if (entry.type !== "message" || !isReadResult(entry.message)) return undefined;
		const delivered = deliveredBy(entry.message, this.#notStored);
		if (delivered !== undefined) return { ...delivered, id: entry.id };
		const { toolCallId, content } = entry.message;
		const text = textsOf(content);
		if (text !== undefined) listed(this.#foreign, toolCallId).push(text);
		return undefined;
	}

	/** What was answered here, without what other results of the branch have. */
	#notStored: LookUp = (callId, text) => {
		const stored = new Set(this.#byCall.get(callId)?.map(({ meta }) => JSON.stringify(meta)));
		return this.served(callId, text).filter((meta) => !stored.has(JSON.stringify(meta)));
	};

	#add(stored: Stored): void {
		this.#results.push(stored);
		const twins = listed(this.#byCall, stored.callId);
		this.#hasTwins ||= twins.length > 0;
		twins.push(stored);
		if (stored.meta === undefined) return;
		const file = fileOf(stored.meta);
		let shown = this.#byFile.get(file);
		if (shown === undefined) this.#byFile.set(file, (shown = { results: [], places: new Map() }));
		shown.places.set(keyOf(stored), shown.results.length);
		shown.results.push(stored);
	}

	#clear(): void {
		this.calls.clear();
		this.#results = [];
		this.#byFile = new Map();
		this.#byCall = new Map();
		this.#foreign = new Map();
		this.#compacted = 0;
		this.#hasTwins = false;
	}
}
