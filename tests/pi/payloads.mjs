// What the door finds in a request, in every format that pi 0.87.1 knows: the host itself makes the requests, and what
// others may have done to a call is done before that. Run by node 22 with --experimental-transform-types, for it
// imports the extension's own modules.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hostDir } from "../host/paths.mjs";
import { extension } from "./lib/sandbox.mjs";
import { lines, unchanged } from "./lib/texts.mjs";

const ours = (name) => import(pathToFileURL(join(extension, name)).href);
const { OwnCall } = await ours("own.ts");
const { Payload } = await ours("payload.ts");
const { hasAll } = await ours("quick.ts");

const api = (name) => import(join(hostDir(), "pi-0.87.1/node_modules/@earendil-works/pi-ai/dist/api", `${name}.js`));
const FORMATS = [
	// those that are looked at quickly, and others
	{ name: "openai-completions", isKnown: true },
	{ name: "anthropic-messages", isKnown: true },
	{ name: "openai-responses", isKnown: true },
	{ name: "azure-openai-responses", isKnown: true },
	{ name: "google-generative-ai", hasNoNames: true },
	{ name: "google-generative-ai", model: "claude-named" }, // with ids
	{ name: "google-vertex", model: "gemini", hasNoNames: true },
	{ name: "bedrock-converse-stream" },
	{ name: "mistral-conversations" },
	{ name: "pi-messages", keepsFailed: true }, // its server leaves them out
];

const text = lines(12);
const wrote = "[readcache: unchanged since you wrote it, 13 lines]";
const edit = { path: "a.txt", edits: [{ oldText: "line 2\n", newText: "line two\n" }, { oldText: "line 9\n", newText: "" }] };
const inPlace = "[readcache: your edits are in place: line 2, removed before line 9; nothing else changed; 12 lines]";

const about = { api: "scripted", provider: "scripted", model: "scripted", stopReason: "toolUse", timestamp: 1 };
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: {} };
const call = (id, name, args) => ({ role: "assistant", content: [{ type: "toolCall", id, name, arguments: args }], usage, ...about });
const result = (toolCallId, toolName, said) => ({ role: "toolResult", toolCallId, toolName, content: [{ type: "text", text: said }], isError: false, timestamp: 1 });

/** A conversation: a file is written, read, edited, read. */
const talk = () => [
	{ role: "user", content: "Go on.", timestamp: 1 },
	call("write0001", "write", { path: "a.txt", content: text }),
	result("write0001", "write", "Successfully wrote 1 bytes to a.txt"),
	call("read00001", "read", { path: "a.txt" }),
	result("read00001", "read", wrote),
	call("edit00001", "edit", edit),
	result("edit00001", "edit", "Successfully replaced 2 block(s) in a.txt."),
	call("read00002", "read", { path: "a.txt" }),
	result("read00002", "read", inPlace),
	{ role: "user", content: "Go on.", timestamp: 2 },
];

const own = { write0001: new OwnCall("x", "write0001", "write", { path: "a.txt", content: text }), edit00001: new OwnCall("y", "edit00001", "edit", edit) };
const read = { r1: { callId: "read00001", sent: wrote, claim: wrote }, r2: { callId: "read00002", sent: inPlace, claim: inPlace } };
const wanted = [own.write0001, read.r1, own.edit00001, read.r2];

/** The request that MESSAGES become in the format. */
async function requestOf({ name, model = "gemini-pro" }, messages) {
	const { stream } = await api(name);
	const made = { id: model, provider: name, api: name, baseUrl: "http://127.0.0.1:9", input: ["text"], maxTokens: 100, contextWindow: 1e5, reasoning: false, cost: {}, headers: {} };
	let payload;
	const answer = stream(made, { messages, systemPrompt: "Be good.", tools: [] }, {
		apiKey: "none",
		project: "none",
		location: "none",
		onPayload: (one) => {
			payload = structuredClone(one);
			throw new Error("that is all");
		},
	});
	await answer.result?.();
	if (payload === undefined) throw new Error(`${name}: no request; ${JSON.stringify((await answer.result())?.errorMessage)}`);
	return payload;
}

const withArgs = (id, args) => (message) =>
	message.content[0]?.id === id ? { ...message, content: [{ ...message.content[0], arguments: args }] } : message;
const isOf = (id) => (message) => message.toolCallId === id || message.content[0]?.id === id;
const doubled = (all, change) => all.flatMap((one) => (isOf("write0001")(one) && one.role === "assistant" ? [change(one), one] : [one]));
const moved = (id, messages) => [...messages.filter((one) => !isOf(id)(one)).slice(0, -1), ...messages.filter(isOf(id)), messages.at(-1)];

/** [what is done to the messages, the calls that are still there, in which formats] */
const DONE = [
	["nothing", (all) => all, ["write0001", "edit00001"]],
	["the members in another order", (all) => all.map(withArgs("write0001", { content: text, path: "a.txt" })), ["write0001", "edit00001"]],
	["the content cut off", (all) => all.map(withArgs("write0001", { path: "a.txt", content: `${text.slice(0, 20)}...` })), ["edit00001"]],
	["only the path left", (all) => all.map(withArgs("edit00001", { path: "a.txt" })), ["write0001"]],
	["nothing left", (all) => all.map(withArgs("edit00001", {})), ["write0001"]],
	["an edit less", (all) => all.map(withArgs("edit00001", { ...edit, edits: edit.edits.slice(1) })), ["write0001"]],
	["another path", (all) => all.map(withArgs("write0001", { path: "b.txt", content: text })), ["edit00001"]],
	["the call twice", (all) => doubled(all, (one) => one), ["edit00001"], "named"],
	["a call with its id before it", (all) => doubled(all, withArgs("write0001", { path: "a.txt", content: "a decoy" })), ["edit00001"], "named"],
	["the call left out", (all) => all.filter((one) => !isOf("write0001")(one)), ["edit00001"]],
	["the call at the end", (all) => moved("edit00001", all), ["write0001"]],
	["the call said to be failed", (all) => all.map((one) => (isOf("edit00001")(one) && one.role === "assistant" ? { ...one, stopReason: "error" } : one)), ["write0001"]],
];

let [passed, failed] = [0, 0];
function check(name, right, details) {
	if (right) passed += 1;
	else {
		failed += 1;
		console.log(`not ok ${name}\n    ${JSON.stringify(details)?.slice(0, 2000)}`);
	}
}

for (const format of FORMATS) {
	const named = `${format.name}${format.model ? ` (${format.model})` : ""}`;
	for (const [what, change, left, only] of DONE) {
		if (format.hasNoNames && only === "named") continue;
		if (format.keepsFailed && what === "the call said to be failed") continue;
		const payload = await requestOf(format, change(talk()));
		const found = new Payload(payload, wanted, ["read00001", "read00002"]);
		const there = Object.keys(own).filter((id) => found.has(own[id]));
		// What is moved behind an answer leaves the place to that, or takes it.
		const isRight = what === "the call at the end" ? !(found.has(own.edit00001) && found.has(read.r2)) : JSON.stringify(there) === JSON.stringify(left);
		check(`${named}: the calls, with ${what}`, isRight, { there, payload });
		const isAll = left.length === 2;
		check(`${named}: quickly, with ${what}`, format.isKnown ? hasAll(payload, wanted) === isAll : !hasAll(payload, wanted) || isAll, payload);
		if (!isAll) continue;
		check(`${named}: the answers, with ${what}`, found.has(read.r1) && found.has(read.r2), payload);
		const sent = JSON.stringify(found.with(new Map([[read.r2, text]]), new Map()));
		const swapped = JSON.stringify(payload).replace(JSON.stringify(inPlace).slice(1, -1), JSON.stringify(text).slice(1, -1));
		check(`${named}: an answer is sent as its text, and nothing else changes`, sent === swapped, sent);
	}

	// The same is said twice, by calls with different ids.
	const again = talk();
	again.splice(7, 0, call("edit00002", "edit", edit), result("edit00002", "edit", "Successfully replaced 2 block(s) in a.txt."));
	const second = new OwnCall("z", "edit00002", "edit", edit);
	const both = new Payload(await requestOf(format, again), [own.write0001, read.r1, own.edit00001, second, read.r2], ["read00001", "read00002"]);
	check(`${named}: two calls that say the same`, [own.write0001, own.edit00001, second, read.r2].every((one) => both.has(one)));

	// What the model has written is its own, whatever it looks like.
	const marker = unchanged(13);
	const written = talk().map(withArgs("write0001", { path: "a.txt", content: marker }));
	const like = new Payload(await requestOf(format, written), wanted, ["read00001", "read00002"]);
	check(`${named}: nothing in a call is taken for an answer`, !like.strays.some((stray) => stray.text.includes(marker)), like.strays);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
