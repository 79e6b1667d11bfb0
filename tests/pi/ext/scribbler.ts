// Test only: does to the first read result of the branch what nobody should, long after it was stored.
//   /e2e-scribble write   another text is written into the entry
//   /e2e-scribble omit    a context edit takes it out of the model's context
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	pi.registerCommand("e2e-scribble", {
		description: "test: write into an entry, or edit it away",
		handler: async (how, ctx) => {
			const sessions: any = ctx.sessionManager;
			const result = sessions
				.getBranch()
				.find(({ type, message }: any) => type === "message" && message.toolName === "read");
			if (how.trim() === "omit") sessions.appendContextEdit(result.id, null);
			else result.message.content[0].text = "[scribbler: was here]";
		},
	});
}
