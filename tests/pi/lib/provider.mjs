// A scripted model behind an OpenAI-compatible interface on loopback. It plays turns and keeps every request:
// what is in `requests` is what the model really saw.
import { createServer } from "node:http";

const SUMMARY = "A summary of what happened so far.";

/** A turn that calls `read` once for every argument object. */
export const reads = (...args) => ({ calls: args.map((each) => ({ name: "read", args: each })) });

/** What pi is told about the context's size, by default four bytes a token: a large one makes it compact. */
export const usage = (tokens) => ({ prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 });

/**
 * Turns are played one per request:
 *   {text}                               the answer
 *   {calls: [{name, args, id?, changes?}]}  tool calls, perhaps with text; `changes` {path, to} tells what a command
 *                                        makes of a file, nothing without `to`
 *   {hang: true}                         begins and never ends
 *   {status, body}                       an HTTP error
 *   {usage: usage(n)}, {finish}          with any of them
 *   (request, number) => turn            computed; may write files before the model "decides"
 * Summaries (compaction, branch summary) offer no tools; they are answered with a fixed text and use up no turn.
 */
export class Provider {
	#turns = [];
	#open = new Set();
	#count = 0;
	#unanswered = [];

	/**
	 * `clock` tells the time by which file versions are known; `began` is told the calls of every turn as they are
	 * sent, `ended` that the host has done them; both are called before the clock is asked.
	 */
	constructor({ clock = () => 0, began = () => {}, ended = () => {} } = {}) {
		Object.assign(this, { clock, began, ended });
		this.requests = [];
		this.summaries = [];
		this.calls = new Map(); // id -> {name, args, sentAt, answeredAt, and what `began` has put there}
		this.answers = new Map(); // id -> the text in the first request that had one
		this.problems = [];
		this.server = createServer((request, response) => this.#receive(request, response));
	}

	async start() {
		await new Promise((done) => this.server.listen(0, "127.0.0.1", done));
		this.baseUrl = `http://127.0.0.1:${this.server.address().port}/v1`;
		return this;
	}

	play(...turns) {
		this.#turns.push(...turns);
	}

	/** Let go of the requests before the latest ones: a long walk has too many of them. */
	letGo() {
		this.requests.fill(undefined, 0, Math.max(0, this.requests.length - 2));
	}

	/** Turns that nobody asked for yet. */
	get left() {
		return this.#turns.length;
	}

	forget() {
		this.#turns.length = 0;
	}

	async close() {
		for (const response of this.#open) response.destroy();
		this.server.closeAllConnections();
		await new Promise((done) => this.server.close(done));
	}

	#receive(request, response) {
		const parts = [];
		request.on("data", (part) => parts.push(part));
		request.on("end", () => {
			this.#answer(request, response, Buffer.concat(parts)).catch((error) => {
				this.problems.push(`the scripted provider failed: ${error.stack}`);
				response.destroy();
			});
		});
	}

	async #answer(request, response, bytes) {
		if (request.method !== "POST" || !request.url.endsWith("/chat/completions")) {
			this.problems.push(`unexpected request ${request.method} ${request.url}`);
			response.writeHead(404).end();
			return;
		}
		const body = JSON.parse(bytes.toString());
		const turn = await this.#turnFor(body);
		if (turn.status) {
			const error = turn.body ?? { error: { message: `scripted ${turn.status}`, type: "server_error" } };
			response.writeHead(turn.status, { "content-type": "application/json" }).end(JSON.stringify(error));
			return;
		}
		this.#stream(response, body, turn);
	}

	async #turnFor(body) {
		this.ended();
		for (const call of this.#unanswered.splice(0)) call.answeredAt = this.clock();
		if (!body.tools?.length) {
			this.summaries.push(body);
			return { text: SUMMARY };
		}
		const number = this.requests.push(body);
		for (const [id, text] of toolTexts(body)) if (!this.answers.has(id)) this.answers.set(id, text);
		const turn = this.#turns.shift();
		if (turn === undefined) {
			this.problems.push(`request ${number} came when the script was over`);
			return { text: "The script is over." };
		}
		return typeof turn === "function" ? turn(body, number) : turn;
	}

	#stream(response, request, turn) {
		const number = ++this.#count;
		response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
		this.#open.add(response);
		response.on("close", () => this.#open.delete(response));
		const chunk = { id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 0, model: request.model };
		const send = (fields) => response.write(`data: ${JSON.stringify({ ...chunk, ...fields })}\n\n`);
		const delta = (value, finish = null) => send({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
		delta({ role: "assistant", content: "" });
		if (turn.text) delta({ content: turn.text });
		if (turn.hang) return;
		const calls = (turn.calls ?? []).map((call, index) => ({ id: `call_${number}_${index}`, ...call }));
		this.#send(calls);
		for (const [index, call] of calls.entries()) {
			const { id } = call;
			delta({ tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }] });
			delta({ tool_calls: [{ index, function: { arguments: JSON.stringify(call.args ?? {}) } }] });
		}
		delta({}, turn.finish ?? (turn.calls?.length ? "tool_calls" : "stop"));
		send({ choices: [], usage: turn.usage ?? usage(Math.ceil(JSON.stringify(request).length / 4)) });
		response.end("data: [DONE]\n\n");
	}

	#send(calls) {
		const records = calls.map(({ name, args }) => ({ name, args, sentAt: this.clock() }));
		calls.forEach(({ id }, i) => this.calls.set(id, records[i]));
		this.#unanswered.push(...records);
		this.began(calls, records);
	}
}

/** The text of a message's content as the provider receives it. */
export function contentText(content) {
	if (typeof content === "string") return content;
	return (content ?? [])
		.filter((part) => part.type === "text")
		.map((part) => part.text)
		.join("");
}

/** The same of a tool's message: the host puts these words where a result is empty. */
export function toolText(content) {
	const text = contentText(content);
	return text === "(no tool output)" ? "" : text;
}

/** The tool messages of a request, by call id. */
export function toolTexts(request) {
	const texts = new Map();
	for (const message of request.messages)
		if (message.role === "tool") texts.set(message.tool_call_id, toolText(message.content));
	return texts;
}
