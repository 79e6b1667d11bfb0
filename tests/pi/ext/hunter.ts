// Test only: what others may do to read results on the way to the provider, in each of the three formats of a request.
// `/e2e-hunt HOW N ...` says what from now on; N are numbers of results in the request, from 0.
//   messages N ...   these are sent as another text
//   blur N ...       these are sent as another text of the same length
//   drop N ...       these are left out
//   bare N ...       as `messages`, and all results are made anew, without details
//   request N ...    the same as `messages`, in the request itself
//   stamp N ...      the same, and each result of the request begins with the time
//   pair             the first call and its result are left out of the request
//   note             nothing is taken away, but a line is added to each result before it is stored
//   nothing          and nothing of that
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const GONE = "[pruner: gone]";
const STAMP = "[stamp: 12:01] ";

const textOf = (content: any) => (typeof content === "string" ? content : content.map(({ text }: any) => text).join("\n"));

/** The request with other results: BY gets each text and its number. */
function withResults(payload: any, by: (text: string, number: number) => string): any {
	let count = 0;
	const change = (one: any, key: string) => ({ ...one, [key]: by(textOf(one[key]), count++) });
	const item = (one: any): any => {
		if (one.role === "tool" || one.type === "tool_result") return change(one, "content");
		if (one.type === "function_call_output") return change(one, "output");
		return Array.isArray(one.content) ? { ...one, content: one.content.map(item) } : one;
	};
	const key = payload.input ? "input" : "messages";
	return { ...payload, [key]: payload[key].map(item) };
}

/** The request without its first call and what belongs to that. */
function withoutFirstPair(payload: any): any {
	let first: string | undefined;
	const keep = (one: any): any[] => {
		const called = one.tool_calls?.[0].id ?? (one.type === "tool_use" ? one.id : one.call_id);
		first ??= called;
		const id = called ?? one.tool_call_id ?? one.tool_use_id;
		if (id !== undefined && id === first) return [];
		if (!Array.isArray(one.content)) return [one];
		const content = one.content.flatMap(keep);
		return content.length > 0 ? [{ ...one, content }] : [];
	};
	const key = payload.input ? "input" : "messages";
	return { ...payload, [key]: payload[key].flatMap(keep) };
}

export default function (pi: ExtensionAPI) {
	let how = "nothing";
	let numbers: number[] = [];
	pi.registerCommand("e2e-hunt", {
		description: "test: what happens to read results",
		handler: async (words) => {
			const [first, ...others] = words.trim().split(" ");
			[how, numbers] = [first!, others.map(Number)];
		},
	});

	pi.on("tool_result", (event: any): any => {
		if (how !== "note") return undefined;
		return { content: [{ type: "text", text: `${textOf(event.content)}\n[hunter: noted]` }] };
	});

	/** Items of requests, as they were when `/e2e-hunt keep` was said: the last call and its result. */
	let kept: any[] = [];
	const itemsOf = (payload: any): any[] => payload.input ?? payload.messages;
	const lastPair = (payload: any) => {
		const items = itemsOf(payload);
		const at = items.findLastIndex((one: any) => one.role === "tool");
		return at < 0 ? [] : [items[at - 1], items[at]];
	};
	const withItems = (payload: any, at: number, more: any[]) => {
		const key = payload.input ? "input" : "messages";
		return { ...payload, [key]: payload[key].toSpliced(at, 0, ...more) };
	};

	pi.on("context", (event: any): any => {
		let count = 0;
		// of equal calls the first one's place has the last one's content, and the others are left out
		if (how === "fold" || how === "fold-all") {
			const results = event.messages.filter(({ role }: any) => role === "toolResult");
			const [to, from] = numbers.map((n) => results[n]);
			if (!from) return undefined;
			const folded = how === "fold" ? { ...to, content: from.content } : { ...to, content: from.content, details: from.details };
			const id = from.toolCallId;
			return {
				messages: event.messages.flatMap((one: any) => {
					if (one === to) return [folded];
					if (one === from) return [];
					if (one.role !== "assistant") return [one];
					const content = one.content.filter((block: any) => block.type !== "toolCall" || block.id !== id);
					return content.length > 0 ? [{ ...one, content }] : [];
				}),
			};
		}
		if (how === "drop")
			return { messages: event.messages.filter(({ role }: any) => role !== "toolResult" || !numbers.includes(count++)) };
		if (!["messages", "bare", "blur"].includes(how)) return undefined;
		const change = (message: any) => {
			if (message.role !== "toolResult") return message;
			const { details, ...bare } = message;
			const made = how === "bare" ? bare : message;
			const text = how === "blur" ? textOf(message.content).replace(/[a-z]/g, "x") : GONE;
			return numbers.includes(count++) ? { ...made, content: [{ type: "text", text }] } : made;
		};
		return { messages: event.messages.map(change) };
	});

	pi.on("before_provider_request", (event: any): any => {
		if (how === "keep") kept = lastPair(event.payload);
		if (how === "pin") return withItems(event.payload, 1, lastPair(event.payload)); // the last pair also stands at the top
		if (how === "top") {
			const pair = lastPair(event.payload);
			const key = event.payload.input ? "input" : "messages";
			const others = event.payload[key].filter((one: any) => !pair.includes(one));
			return { ...event.payload, [key]: others.toSpliced(1, 0, ...pair) };
		}
		if (how === "unhide") return withItems(event.payload, itemsOf(event.payload).length - 1, kept); // what was kept comes back
		if (how === "pair") return withoutFirstPair(event.payload);
		if (how !== "request" && how !== "stamp") return undefined;
		const stamp = how === "stamp" ? STAMP : "";
		return withResults(event.payload, (text, number) => (numbers.includes(number) ? GONE : stamp + text));
	});
}
