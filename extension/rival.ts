/** Another extension's read tool. Two cannot be in force, and it is not for us to take somebody else's away. */
import type { ExtensionAPI, ToolDefinition } from "@earendil-works/pi-coding-agent";

/** Who has `read` now, if it is neither the host nor `mine`: the place it was loaded from. */
export function rivalOf(pi: ExtensionAPI, mine: ToolDefinition | undefined): string | undefined {
	const inForce = pi.getAllTools().find(({ name }) => name === "read");
	if (inForce === undefined || inForce.sourceInfo.source === "builtin") return undefined;
	// The list is made anew for every definition, so it tells whose this is.
	if (mine !== undefined && inForce.promptGuidelines === mine.promptGuidelines) return undefined;
	return inForce.sourceInfo.path;
}

export function rivalMessage(rival: string): string {
	return (
		`${rival} provides the tool "read" too, so readcache steps back and that one is used. ` +
		'Remove one of the two, or set READCACHE_BIND=tool_result to let readcache shorten what it delivers.'
	);
}
