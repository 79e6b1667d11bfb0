// Test only: another extension with a `read` of its own, registered when it is loaded.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { rivalRead } from "./rival-read.ts";

export default function (pi: ExtensionAPI) {
	pi.registerTool(rivalRead());
}
