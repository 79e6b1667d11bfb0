// Test only: another extension with a `read` of its own, registered when the session starts.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { rivalRead } from "./rival-read.ts";

export default function (pi: ExtensionAPI) {
	pi.on("session_start", () => pi.registerTool(rivalRead()));
}
