/**
 * What one process of the engine knows of the session: the branch that it was sent last. It is sent only what has come
 * since, so that a call costs the same on a long branch as on a short one.
 *
 * Under one id entries never change. When one that was sent is another by now (its text was kept from the model, or
 * somebody has written into it), the whole branch goes out under a new id. So whichever of several requests on the way
 * the engine could use, it never takes an entry for what it is no more.
 */
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { branchOf, type View } from "./branch.ts";
import {
	answeredFieldsOf,
	callsOf,
	fieldsOf,
	hiddenFieldsOf,
	isAsBefore,
	ownCallsOf,
	type Parts,
	partsOf,
} from "./projection.ts";
import { type Answer, isCompact, metadataOf } from "./protocol.ts";

interface Link {
	entry: SessionEntry;
	/** The last entry that was sent, from the first one up to this. */
	sentId: string | undefined;
	/** What it is evidence of: the names of the file that it shows, or the calls that it makes. */
	shows: string[];
}

/** A result of a read, or a message with calls, and what it was made of when it was sent. */
interface Shown {
	entry: SessionEntry;
	sent: Parts;
}

/** By name of a file the results that show it, oldest first; by own call its message. */
type Evidence = Map<string, Shown[]>;

/** A request's session, and what an answer to it may rest on. */
export interface Told {
	/** undefined: it is about no session. */
	json: string | undefined;
	evidence: Evidence;
}

/** Under which names a result's file is known. */
function filesOf(details: unknown): string[] {
	const { pathKey, name } = (metadataOf(details) ?? {}) as { pathKey?: unknown; name?: unknown };
	return [...new Set([pathKey, name])].filter((file) => typeof file === "string");
}

/** A key that no file's name is. */
const keyOfCall = (id: string) => `\0${id}`;

/** What an entry is evidence of. */
function shownBy(entry: SessionEntry): string[] {
	if (entry.type !== "message") return [];
	return entry.message.role === "toolResult" ? filesOf(entry.message.details) : ownCallsOf(entry).map(keyOfCall);
}

/**
 * Can this answer be used? Not if the engine has no such memory, not if it rests on nothing that it was sent, and not if
 * it rests on something that somebody has written into since it was sent with this very request: a later one may have been
 * sent what was written.
 */
export function supports({ evidence }: Told, answer: Answer): boolean {
	if (answer.kind === "error") return answer.code !== "unknown_leaf";
	const metadata = answer.kind === "read" ? metadataOf(answer.details) : undefined;
	if (answer.kind !== "read" || metadata === undefined || !isCompact(metadata)) return true;
	const calls = (metadata.calls ?? []).map((id) => evidence.get(keyOfCall(id)) ?? []);
	if (calls.some(({ length }) => length !== 1)) return false;
	const shown = filesOf(answer.details).flatMap((file) => evidence.get(file) ?? []).concat(...calls);
	return shown.length > 0 && shown.every(({ entry, sent }) => isAsBefore(sent, partsOf(entry)));
}

export class Memory {
	/** How often all was forgotten. */
	#generation = 0;
	/** The branch from its first entry that counts to its leaf, those that are not sent included. */
	#chain: Link[] = [];
	/** Where in the chain an entry is, by its id. */
	#places = new Map<string, number>();
	/** All that was put into the chain since then, those included that are no longer on it. */
	#sent = new Set<string>();
	/** Those of them that were sent as hidden. */
	#hidden = new Set<string>();
	/** The calls of messages that read or change files: their results count, whatever tool they are of. */
	#calls = new Set<string>();
	/** The results of the chain. Requests on the way hold it too: nothing is taken out of it, another takes its place. */
	#evidence: Evidence = new Map();

	/** The request's `session`, which is known from now on. */
	session(view: View): Told {
		if (this.#isOutdated(view.hidden)) this.forget();
		const fresh = this.#follow(view);
		const after = this.#chain.at(-1)?.sentId;
		const entries = fresh.flatMap((entry) => this.#add(entry, view.hidden) ?? []);
		const leafId = this.#chain.at(-1)?.sentId ?? null;
		const id = JSON.stringify(`${view.sessions.getSessionId()}/${this.#generation}`);
		const known = after === undefined ? "" : `"after":${JSON.stringify(after)},`;
		const dirs = view.dirs.length === 0 ? "" : `"dirs":${JSON.stringify(view.dirs)},`;
		const json = `{"id":${id},${known}${dirs}"leafId":${JSON.stringify(leafId)},"entries":[${entries.join(",")}]}`;
		return { json, evidence: this.#evidence };
	}

	/** Begin anew: the next session is the whole one. */
	forget(): void {
		this.#generation++;
		this.#chain = [];
		this.#places.clear();
		this.#sent.clear();
		this.#hidden.clear();
		this.#calls.clear();
		this.#evidence = new Map();
	}

	/** Has the model got what it had not when the entry was sent, or the other way round? */
	#isOutdated(hidden: ReadonlySet<string>): boolean {
		for (const id of this.#hidden) if (!hidden.has(id)) return true;
		for (const id of hidden) if (this.#sent.has(id) && !this.#hidden.has(id)) return true;
		return false;
	}

	/** Keep of the chain what is still on the branch; gives the entries that come after it, oldest first. */
	#follow({ sessions }: View): SessionEntry[] {
		const fresh: SessionEntry[] = [];
		let kept = 0;
		for (const entry of branchOf(sessions)) {
			const place = this.#places.get(entry.id);
			if (place !== undefined && this.#chain[place]!.entry === entry) {
				kept = place + 1;
				break;
			}
			fresh.push(entry);
		}
		if (this.#chain.length > kept)
			this.#evidence = new Map([...this.#evidence].map(([key, shown]) => [key, [...shown]]));
		while (this.#chain.length > kept) this.#drop(this.#chain.pop()!);
		return fresh.reverse();
	}

	#drop({ entry, shows }: Link): void {
		this.#places.delete(entry.id);
		for (const key of shows) this.#evidence.get(key)!.pop();
	}

	/** A result that only matters because its call stands beside a read. */
	#answered(entry: SessionEntry): string | undefined {
		if (entry.type !== "message" || entry.message.role !== "toolResult") return undefined;
		return this.#calls.has(entry.message.toolCallId) ? answeredFieldsOf(entry) : undefined;
	}

	/** The entry becomes the chain's end; gives its JSON if it is sent. */
	#add(entry: SessionEntry, hidden: ReadonlySet<string>): string | undefined {
		const parentId = this.#chain.at(-1)?.sentId;
		const isHidden = hidden.has(entry.id);
		for (const id of callsOf(entry)) this.#calls.add(id);
		const fields = (isHidden ? hiddenFieldsOf(entry) : fieldsOf(entry)) ?? this.#answered(entry);
		const shows = isHidden ? [] : shownBy(entry);
		const sent = partsOf(entry);
		this.#sent.add(entry.id);
		if (isHidden) this.#hidden.add(entry.id);
		for (const key of shows) {
			const shown = this.#evidence.get(key);
			if (shown === undefined) this.#evidence.set(key, [{ entry, sent }]);
			else shown.push({ entry, sent });
		}
		this.#places.set(entry.id, this.#chain.length);
		this.#chain.push({ entry, shows, sentId: fields === undefined ? parentId : entry.id });
		return fields && `{"id":${JSON.stringify(entry.id)},"parentId":${JSON.stringify(parentId ?? null)},${fields}`;
	}
}
