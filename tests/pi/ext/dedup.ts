// Test only: a pruner that keeps the newest of equal calls, as some do by default: the text of each older one is
// replaced on the way to the provider, and the session knows nothing of it.
// E2E_DEDUP says where: in the messages ("context", default; "context_with_system", which comes later) or in the request
// itself ("payload").
// With E2E_DEDUP_BARE it makes all results anew, without their details.
// `/e2e-dedup on` and `/e2e-dedup off`; it is on at the start, or off with E2E_DEDUP_OFF.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const TEXT = "[dedup: a later call is the same]";

/** The ids of calls [id, what it asks] that a later one repeats. */
function repeated(calls: [string, string][]): Set<string> {
	const later = new Set<string>();
	const older = new Set<string>();
	for (const [id, what] of calls.reverse()) {
		if (later.has(what)) older.add(id);
		later.add(what);
	}
	return older;
}

export default function (pi: ExtensionAPI) {
	let on = process.env.E2E_DEDUP_OFF === undefined;
	pi.registerCommand("e2e-dedup", {
		description: "test: drop the texts of repeated calls, or do not",
		handler: async (word) => {
			on = word.trim() === "on";
		},
	});

	const where: any = process.env.E2E_DEDUP ?? "context";
	if (where !== "payload")
		pi.on(where, (event: any): any => {
			if (!on) return undefined;
			const blocks = event.messages.flatMap(({ role, content }: any) => (role === "assistant" ? content : []));
			const calls = blocks.filter(({ type }: any) => type === "toolCall");
			const older = repeated(calls.map((call: any) => [call.id, JSON.stringify([call.name, call.arguments])]));
			for (const message of event.messages)
				if (message.role === "toolResult" && older.has(message.toolCallId)) message.content = [{ type: "text", text: TEXT }];
			if (process.env.E2E_DEDUP_BARE === undefined) return { messages: event.messages };
			return { messages: event.messages.map(({ details, ...message }: any) => message) };
		});
	if (where === "payload")
		pi.on("before_provider_request", (event: any): any => {
			if (!on) return undefined;
			const { messages } = event.payload;
			const calls = messages.flatMap((message: any) => message.tool_calls ?? []);
			const older = repeated(calls.map(({ id, function: call }: any) => [id, call.name + call.arguments]));
			const drop = (message: any) => (older.has(message.tool_call_id) ? { ...message, content: TEXT } : message);
			return { ...event.payload, messages: messages.map(drop) };
		});
}
