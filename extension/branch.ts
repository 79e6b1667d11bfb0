/** The session's tree, seen from its leaf: live entries of the session manager's memory. */
import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";

type Sessions = ExtensionContext["sessionManager"];

/** The session as the model sees it now. */
export interface View {
	sessions: Sessions;
	/** The ids of results that were kept from the model when it was last asked. */
	hidden: ReadonlySet<string>;
	/** Where calls of the branch may have been made, besides the present directory; null: nobody knows. */
	dirs: readonly (string | null)[];
}

/** Does nothing count that is before such an entry (SPEC 5)? The engine's word for it: src/session/entry.h. */
export function isBoundary({ type }: SessionEntry): boolean {
	return type === "compaction";
}

/** Does such an entry change what earlier ones mean? */
export function reachesBack(entry: SessionEntry): boolean {
	return isBoundary(entry) || entry.type === "context_edit";
}

/** From the leaf towards the root. */
export function* upwards(sessions: Sessions): Generator<SessionEntry> {
	let entry = sessions.getLeafEntry();
	while (entry !== undefined) {
		yield entry;
		entry = entry.parentId === null ? undefined : sessions.getEntry(entry.parentId);
	}
}

/** From the leaf up to the latest boundary, and that one too. */
export function* branchOf(sessions: Sessions): Generator<SessionEntry> {
	for (const entry of upwards(sessions)) {
		yield entry;
		if (isBoundary(entry)) return;
	}
}

/**
 * Did the model itself make this call? Its id is then in the nearest assistant message above the leaf. Calls made by
 * other tools, or by a program through the SDK, are nowhere on the branch; nor are their results.
 */
export function issuedByModel(sessions: Sessions, toolCallId: string): boolean {
	for (const entry of upwards(sessions)) {
		if (entry.type !== "message" || entry.message.role !== "assistant") continue;
		return entry.message.content.some((block) => block.type === "toolCall" && block.id === toolCallId);
	}
	return false;
}
