/** Another extension's read tool. Two cannot be in force, and it is not for us to take somebody else's away. */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** Is `path`, from which an extension was loaded, `own` or the package it is in? */
function isOwn(path: string, own: string): boolean {
	try {
		const real = realpathSync(path);
		return real === realpathSync(own) || real === realpathSync(dirname(own));
	} catch {
		return false; // no file: "<inline:...>", "<sdk:...>"
	}
}

/** Who has `read` now, if it is neither the host nor the extension `own`: the place it was loaded from. */
export function rivalOf(pi: ExtensionAPI, own: string): string | undefined {
	const inForce = pi.getAllTools().find(({ name }) => name === "read");
	if (inForce === undefined || inForce.sourceInfo.source === "builtin") return undefined;
	return isOwn(inForce.sourceInfo.path, own) ? undefined : inForce.sourceInfo.path;
}

export function rivalMessage(rival: string): string {
	return (
		`${rival} provides the tool "read" too, so readcache steps back and that one is used. ` +
		'Remove one of the two, or set READCACHE_BIND=tool_result to let readcache shorten what it delivers.'
	);
}
