// Test only: keeps read results from the provider, other ones each time, and writes into stored ones.
//   /e2e-prune hide N M   of N results in turn the one with number M is sent as another text
//   /e2e-prune show       all are sent
//   /e2e-prune write N    the Nth result from the leaf is another one from now on, in the session's memory
//   /e2e-prune omit N     a context edit takes it out of the model's context
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const GONE = [{ type: "text" as const, text: "[pruner: gone]" }];
const isRead = (message: any) => message?.role === "toolResult" && message.toolName === "read";

export default function (pi: ExtensionAPI) {
	let [every, which] = [0, 0];

	pi.registerCommand("e2e-prune", {
		description: "test: hide, write into or omit read results",
		handler: async (words, ctx) => {
			const [how, ...numbers] = words.trim().split(" ");
			const [n = 0, m = 0] = numbers.map(Number);
			if (how === "show" || how === "hide") [every, which] = [n, m];
			if (how !== "write" && how !== "omit") return;
			const sessions: any = ctx.sessionManager;
			const entry = sessions.getBranch().filter(({ message }: any) => isRead(message) && !message.isError).at(-n);
			if (entry === undefined) return;
			if (how === "omit") sessions.appendContextEdit(entry.id, null);
			else entry.message.content = structuredClone(GONE);
		},
	});

	pi.on("context", (event: any): any => {
		let seen = 0;
		const hides = (message: any) => every > 0 && isRead(message) && seen++ % every === which;
		return { messages: event.messages.map((message: any) => (hides(message) ? { ...message, content: GONE } : message)) };
	});
}
