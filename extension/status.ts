/** /readcache-status: for the person at the terminal, never for the model. */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Engine } from "./engine.ts";
import { tell } from "./tell.ts";

export async function statusCommand(engine: Engine, ctx: ExtensionContext): Promise<void> {
	try {
		const answer = await engine.ask({ op: "status", cwd: ctx.cwd }, ctx);
		if (answer.kind === "status") return tell(ctx, answer.text);
		throw new Error(answer.kind === "error" ? answer.message : "It gave another answer.");
	} catch (error) {
		tell(ctx, `readcache: there is no status. ${error instanceof Error ? error.message : error}`, "error");
	}
}
