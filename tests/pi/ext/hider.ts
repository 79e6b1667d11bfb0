// Test only: takes the first read result out of what is sent to the provider; the session knows nothing of it.
// E2E_HIDE says where: in the messages ("context") or in the request itself ("payload"); in the messages too with
// "on command", which is `/e2e-hide on` and `/e2e-hide off`.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const GONE = "[hider: gone]";

export default function (pi: ExtensionAPI) {
	let hides = process.env.E2E_HIDE === "context";
	pi.registerCommand("e2e-hide", {
		description: "test: hide or show",
		handler: async (word) => {
			hides = word.trim() === "on";
		},
	});
	if (process.env.E2E_HIDE !== "payload")
		pi.on("context", (event: any): any => {
			if (!hides) return undefined;
			const first = event.messages.findIndex(
				(message: any) => message.role === "toolResult" && message.toolName === "read",
			);
			if (first === -1) return undefined;
			const content = [{ type: "text", text: GONE }];
			return {
				messages: event.messages.map((message: any, i: number) =>
					i === first ? { ...message, content } : message,
				),
			};
		});
	if (process.env.E2E_HIDE === "payload")
		pi.on("before_provider_request", (event: any): any => {
			const first = event.payload.messages.findIndex((message: any) => message.role === "tool");
			if (first === -1) return undefined;
			const hide = (message: any, i: number) => (i === first ? { ...message, content: GONE } : message);
			return { ...event.payload, messages: event.payload.messages.map(hide) };
		});
}
