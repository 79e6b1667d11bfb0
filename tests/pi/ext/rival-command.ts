// Test only: another extension that registers a `read` of its own in the middle of a session, by /e2e-rival.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { rivalRead } from "./rival-read.ts";

export default function (pi: ExtensionAPI) {
	pi.registerCommand("e2e-rival", {
		description: "test: register read",
		handler: async () => pi.registerTool(rivalRead()),
	});
}
