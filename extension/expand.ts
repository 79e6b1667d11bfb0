/** What a compact answer is sent as when the text it speaks of is not in the request. */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Engine } from "./engine.ts";
import type { Metadata } from "./protocol.ts";

export interface Expansion {
	text: string;
	/** It is the text that the plain read gave; else it is a line that says how to get it. */
	isWhole: boolean;
}

/** For the model, where nobody can tell the text. */
export const NOTHING_TO_SEE =
	"[readcache: the text this stood for is no longer in context; read the file again to see it]";

/** Never fails: a request must not leave without it. */
export async function expand(engine: Engine, metadata: Metadata, ctx: ExtensionContext): Promise<Expansion> {
	try {
		const answer = await engine.ask({ op: "expand", cwd: ctx.cwd, metadata }, ctx);
		if (answer.kind === "expand") return { text: answer.text, isWhole: true };
		if (answer.kind === "error" && answer.code === "object_missing") return { text: answer.message, isWhole: false };
	} catch {
		// There is no engine, or it gave no answer: the user has been told.
	}
	return { text: NOTHING_TO_SEE, isWhole: false };
}
