/** Messages to the user that must neither be missed nor repeated. */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { visible } from "./visible.ts";

type Level = "info" | "warning" | "error";

/** Show `message` now: in the host's interface, or on stderr where it has none. */
export function tell(ctx: ExtensionContext, message: string, level: Level = "info"): void {
	try {
		if (ctx.hasUI) ctx.ui.notify(visible(message), level);
		else process.stderr.write(`${visible(message)}\n`);
	} catch {
		// The session it belonged to has been replaced meanwhile.
	}
}

/** Sessions of one pi come and go in this module; what was said once in any of them has been said. */
const told = new Set<string>();

export function tellOnce(ctx: ExtensionContext, message: string, level: Level = "warning"): void {
	if (told.has(message)) return;
	told.add(message);
	tell(ctx, `readcache: ${message}`, level);
}
