// Test only: tells the model how full its context is, behind the last result of every request.
// E2E_ANNOTATE says how: "line" adds a line to its text (default), "block" a text of its own.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const NOTE = "[annotator: 43% used]";

export default function (pi: ExtensionAPI) {
	const isBlock = process.env.E2E_ANNOTATE === "block";
	pi.on("context", (event: any): any => {
		const at = event.messages.findLastIndex(({ role }: any) => role === "toolResult");
		if (at === -1) return undefined;
		const { content, ...message } = event.messages[at];
		const last = content.at(-1);
		if (last?.type !== "text") return undefined;
		const noted = { ...last, text: `${last.text}\n${NOTE}` };
		const whole = isBlock ? [...content, { type: "text", text: NOTE }] : [...content.slice(0, -1), noted];
		return { messages: event.messages.with(at, { ...message, content: whole }) };
	});
}
