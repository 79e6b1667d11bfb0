// Test only: what others may do to the model's own calls (edit and write) on the way to the provider, in each of the three
// formats of a request. `/e2e-calls HOW N` says what from now on; N is the number of such a call in the request, from 0.
//   strip N          its arguments are the path alone, in the messages
//   cut N            its longest argument ends with "..."
//   swap N           its arguments are in another order, which is no other
//   twice N          its message stands there twice
//   decoy N          a call with its id and other arguments stands before it
//   last N           its message and what answers it are moved to the end
//   drop N           its message and what answers it are left out
//   request-HOW N    strip, cut, swap, twice, decoy, last and drop in the request itself
//   write N          somebody writes other arguments into the session's memory; once, and nothing is done to requests
//   omit N           a context edit takes the call's message out of the context; the same
//   reword N         a context edit puts a text in its place
//   execute          the next write is done with another content than the model gave
//   nothing          and nothing of that
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const isOwn = ({ name }: any) => /^(edit|write)$/i.test(name);

/** Other arguments by HOW. */
function changed(how: string, args: any): any {
	if (how === "strip") return { path: args.path };
	if (how === "swap") return Object.fromEntries(Object.entries(args).reverse());
	if (how === "decoy") return { ...args, content: "a decoy", edits: undefined };
	const cut = (value: any): any => {
		if (typeof value === "string") return `${value.slice(0, 20)}...`;
		return Array.isArray(value) ? value.map((one) => ({ ...one, newText: cut(one.newText) })) : value;
	};
	return { ...args, ...(args.content ? { content: cut(args.content) } : { edits: cut(args.edits) }) };
}

/** Calls in one of the formats: in which items they are, and what answers them. */
interface Format {
	callsOf(item: any): any[];
	answers(item: any): string[];
	/** The item with the call with that id as BY makes its arguments. */
	with(item: any, id: string, by: (args: any) => any): any;
}

const inWords = (by: (args: any) => any) => (text: string) => JSON.stringify(by(JSON.parse(text)));
const mapped = (list: any[], id: string, by: (one: any) => any) => list.map((one) => (one.id === id ? by(one) : one));

const MESSAGES: Format = {
	callsOf: ({ role, content }) => (role === "assistant" ? content.filter(({ type }: any) => type === "toolCall") : []),
	answers: ({ toolCallId }) => [toolCallId],
	with: (item, id, by) => ({ ...item, content: mapped(item.content, id, (one) => ({ ...one, arguments: by(one.arguments) })) }),
};

const CHAT: Format = {
	callsOf: ({ tool_calls: calls = [] }) => calls.map(({ id, function: { name } }: any) => ({ id, name })),
	answers: ({ tool_call_id: id }) => [id],
	with: (item, id, by) => ({
		...item,
		tool_calls: mapped(item.tool_calls, id, (one) => ({
			...one,
			function: { ...one.function, arguments: inWords(by)(one.function.arguments) },
		})),
	}),
};

const ANTHROPIC: Format = {
	callsOf: ({ content }) => (Array.isArray(content) ? content.filter(({ type }: any) => type === "tool_use") : []),
	answers: ({ content }) => (Array.isArray(content) ? content.map(({ tool_use_id: id }: any) => id) : []),
	with: (item, id, by) => ({ ...item, content: mapped(item.content, id, (one) => ({ ...one, input: by(one.input) })) }),
};

const RESPONSES: Format = {
	callsOf: ({ type, call_id: id, name }) => (type === "function_call" ? [{ id, name }] : []),
	answers: ({ type, call_id: id }) => (type === "function_call_output" ? [id] : []),
	with: (item, _id, by) => ({ ...item, arguments: inWords(by)(item.arguments) }), // it is one call
};

/** ITEMS as HOW makes them. */
function meddle(items: any[], { callsOf, answers, with: change }: Format, how: string, number: number): any[] {
	const own = items.flatMap((item) => callsOf(item).filter(isOwn).map(({ id }) => ({ id, item })));
	const { id, item } = own[number] ?? {};
	if (item === undefined) return items;
	if (["strip", "cut", "swap"].includes(how)) return items.map((one) => (one === item ? change(one, id, (args) => changed(how, args)) : one));
	const at = items.indexOf(item);
	if (how === "decoy") return items.toSpliced(at, 0, change(item, id, (args) => changed(how, args)));
	if (how === "twice") return items.toSpliced(at, 0, item);
	const pair = items.filter((one) => one === item || answers(one).includes(id));
	const others = items.filter((one) => !pair.includes(one));
	return how === "last" ? others.toSpliced(-1, 0, ...pair) : others;
}

export default function (pi: ExtensionAPI) {
	let [how, number] = ["nothing", 0];

	/** What is done once, to the session. */
	const once = (sessions: any) => {
		const entry = sessions
			.getBranch()
			.filter(({ message }: any) => message?.role === "assistant" && message.content.some((one: any) => one.type === "toolCall" && isOwn(one)))[number];
		if (how === "omit") sessions.appendContextEdit(entry.id, null);
		else if (how === "reword") sessions.appendContextEdit(entry.id, { content: [{ type: "text", text: "It was something else." }] });
		else for (const one of entry.message.content) if (isOwn(one)) Object.assign(one.arguments, changed("cut", one.arguments));
	};

	pi.registerCommand("e2e-calls", {
		description: "test: what happens to the model's own calls",
		handler: async (words, ctx) => {
			const [first, n = "0"] = words.trim().split(" ");
			[how, number] = [first!, Number(n)];
			if (["write", "omit", "reword"].includes(how)) once(ctx.sessionManager);
		},
	});

	pi.on("context", (event: any): any =>
		/^(strip|cut|swap|twice|decoy|last|drop)$/.test(how) ? { messages: meddle(event.messages, MESSAGES, how, number) } : undefined,
	);

	pi.on("tool_call", (event: any): any => {
		if (how !== "execute" || event.toolName !== "write") return;
		event.input.content = event.input.content.replace("line 9\n", "another\n");
		how = "nothing";
	});

	pi.on("before_provider_request", ({ payload }: any): any => {
		const what = /^request-(.*)$/.exec(how)?.[1];
		if (what === undefined) return undefined;
		const key = payload.input ? "input" : "messages";
		const isAnthropic = payload.messages?.some(({ content }: any) => Array.isArray(content) && content.some(({ type }: any) => type === "tool_use"));
		const format = payload.input ? RESPONSES : isAnthropic ? ANTHROPIC : CHAT;
		return { ...payload, [key]: meddle(payload[key], format, what, number) };
	});
}
