// Test only: an extension that does to a read result what others may do. `/e2e-meddle KIND` arms it once.
//   rewrite-result   tool_result replaces the text and leaves the details
//   drop-details     tool_result replaces the details
//   rewrite-message  message_end replaces the text and leaves the details
//   omit             turn_end takes the result out of the model's context
//   replace          turn_end puts another text in its place
//   compact          turn_end compacts and keeps nothing
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const text = (value: string) => [{ type: "text" as const, text: value }];

export default function (pi: ExtensionAPI) {
	let armed = "";
	const fires = (kind: string) => {
		if (armed !== kind) return false;
		armed = "";
		return true;
	};

	pi.registerCommand("e2e-meddle", {
		description: "test: arm the meddler",
		handler: async (kind) => {
			armed = kind.trim();
		},
	});

	pi.on("tool_result", (event: any): any => {
		if (event.toolName !== "read") return undefined;
		if (fires("rewrite-result")) return { content: text("[meddler: rewritten by tool_result]") };
		if (fires("drop-details")) return { details: { meddler: true } };
		return undefined;
	});

	pi.on("message_end", (event: any): any => {
		if (event.message.role !== "toolResult" || event.message.toolName !== "read") return undefined;
		if (!fires("rewrite-message")) return undefined;
		return { message: { ...event.message, content: text("[meddler: rewritten by message_end]") } };
	});

	pi.on("turn_end", (event: any): any => {
		const [targetId] = event.toolResultEntryIds;
		if (targetId === undefined) return undefined;
		const draft = (entry: object) => ({ entries: [...event.entries, entry] });
		if (fires("omit")) return draft({ type: "context_edit", targetId, replacement: null });
		if (fires("replace"))
			return draft({ type: "context_edit", targetId, replacement: { content: "[meddler: pruned]" } });
		if (fires("compact"))
			return draft({ type: "compaction", summary: "The meddler's summary.", firstKeptEntryId: null });
		return undefined;
	});
}
