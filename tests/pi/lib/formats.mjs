// The scripted model behind other interfaces than OpenAI's chat completions: each request is put into that form for the
// provider of the world, and its answer into the form that was asked for. So turns, requests and the oracle are the same.
import { createServer } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const USAGE = { input_tokens: 100, output_tokens: 10 };

const asCall = (id, name, args) => ({ id, type: "function", function: { name, arguments: args } });

/** Anthropic's messages: calls and results are blocks. */
function fromMessages({ messages }) {
	return messages.flatMap(({ role, content }) => {
		if (typeof content === "string") return [{ role, content }];
		const results = content.filter(({ type }) => type === "tool_result");
		const calls = content.filter(({ type }) => type === "tool_use");
		const text = content.filter(({ type }) => type === "text");
		const tool_calls = calls.map(({ id, name, input }) => asCall(id, name, JSON.stringify(input)));
		const said = text.length + calls.length > 0 ? [{ role, content: text, ...(calls.length > 0 ? { tool_calls } : {}) }] : [];
		return [...results.map((one) => ({ role: "tool", tool_call_id: one.tool_use_id, content: one.content })), ...said];
	});
}

/** OpenAI's responses: calls and results are items beside the messages. */
function fromResponses({ input }) {
	return input.map((item) => {
		const { type, call_id: id } = item;
		if (type === "function_call") return { role: "assistant", tool_calls: [asCall(id, item.name, item.arguments)] };
		if (type !== "function_call_output") return { role: item.role, content: item.content };
		const { output } = item;
		const content = typeof output === "string" ? output : output.map(({ text }) => ({ type: "text", text }));
		return { role: "tool", tool_call_id: id, content };
	});
}

/** What a streamed answer of the provider says: {number, text, calls: [{id, name, args}]}. */
function heard(stream) {
	const answer = { number: "", text: "", calls: [] };
	for (const line of stream.split("\n\n").filter((each) => each.startsWith("data: {"))) {
		const { id, choices } = JSON.parse(line.slice("data: ".length));
		answer.number = id;
		const { content = "", tool_calls: calls = [] } = choices[0]?.delta ?? {};
		answer.text += content;
		for (const { index, id, function: call } of calls) {
			const known = (answer.calls[index] ??= { id, name: call.name, args: "" });
			known.args += call.arguments;
		}
	}
	return answer;
}

function sayMessages({ number, text, calls }, send) {
	const message = { id: number, type: "message", role: "assistant", model: "scripted", content: [], stop_reason: null };
	send("message_start", { message: { ...message, usage: USAGE } });
	const block = (index, content_block, delta) => {
		send("content_block_start", { index, content_block });
		send("content_block_delta", { index, delta });
		send("content_block_stop", { index });
	};
	for (const [i, { id, name, args }] of calls.entries())
		block(i, { type: "tool_use", id, name, input: {} }, { type: "input_json_delta", partial_json: args });
	if (text) block(calls.length, { type: "text", text: "" }, { type: "text_delta", text });
	send("message_delta", { delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" }, usage: USAGE });
	send("message_stop", {});
}

function sayResponses({ number, text, calls }, send) {
	const output = calls.map(({ id, name, args }, i) => {
		return { type: "function_call", id: `fc_${number}_${i}`, call_id: id, name, arguments: args, status: "completed" };
	});
	const content = [{ type: "output_text", text, annotations: [] }];
	if (text) output.push({ type: "message", id: `msg_${number}`, role: "assistant", status: "completed", content });
	send("response.created", { response: { id: number, status: "in_progress", output: [] } });
	for (const [output_index, item] of output.entries()) {
		const empty = item.type === "message" ? { content: [] } : { arguments: "" };
		send("response.output_item.added", { output_index, item: { ...item, ...empty, status: "in_progress" } });
		send("response.output_item.done", { output_index, item });
	}
	const usage = { ...USAGE, total_tokens: USAGE.input_tokens + USAGE.output_tokens };
	send("response.completed", { response: { id: number, status: "completed", output, usage } });
}

const FORMATS = {
	"anthropic-messages": { path: "/v1/messages", base: "", hear: fromMessages, say: sayMessages },
	"openai-responses": { path: "/v1/responses", base: "/v1", hear: fromResponses, say: sayResponses },
};

/** Hear one request, ask the provider, say its answer. */
async function translate({ path, hear, say }, provider, request, response) {
	const parts = [];
	for await (const part of request) parts.push(part);
	if (!request.url.startsWith(path)) throw new Error(`unexpected request ${request.method} ${request.url}`);
	const body = JSON.parse(Buffer.concat(parts).toString());
	const chat = JSON.stringify({ model: body.model, tools: body.tools, messages: hear(body) });
	const answer = await fetch(`${provider.baseUrl}/chat/completions`, { method: "POST", body: chat });
	const spoken = heard(await answer.text());
	response.writeHead(200, { "content-type": "text/event-stream" });
	say(spoken, (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`));
	response.end();
}

/** From the next start on pi speaks API with the world's provider, until RUN is done and pi is stopped. */
export async function speaking(api, world, run) {
	if (!(api in FORMATS)) return run(); // the provider's own
	const { provider, sandbox } = world;
	const format = FORMATS[api];
	const server = createServer((request, response) =>
		translate(format, provider, request, response).catch((error) => {
			provider.problems.push(`${api}: ${error.stack}`);
			response.destroy();
		}),
	);
	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	const file = join(sandbox.agent, "models.json");
	const models = JSON.parse(readFileSync(file, "utf8"));
	Object.assign(models.providers.fake, { api, baseUrl: `http://127.0.0.1:${server.address().port}${format.base}` });
	writeFileSync(file, JSON.stringify(models));
	try {
		await run();
		await world.stop();
	} finally {
		server.closeAllConnections();
		server.close();
	}
}
