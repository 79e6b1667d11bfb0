// What the model does to files itself: edits and writes with real arguments, done as the host does them; and what may
// come between that and its next read.
import { join } from "node:path";
import { anyAsk, linesOf, makeAsk, nearAsk, target } from "./asks.mjs";
import { hostEdit } from "./hostedit.mjs";
import { nameOf } from "./mind.mjs";
import { kindOf } from "./plain.mjs";
import { edited } from "./world.mjs";

const textOf = ({ bytes }) => (bytes && kindOf(bytes) === "text" ? bytes.toString("utf8") : undefined);

// --- what is edited

const fresh = (h, name, rng) => (h.world.fresh(h.world.kindOf(name), rng).toString("utf8").split("\n")[0] || "more").slice(0, 300);

/** N new lines, each with its end. */
const lines = (h, name, rng, n) => Array.from({ length: n }, () => `${fresh(h, name, rng)} ${h.count}\n`).join("");

/** Lines FIRST and N - 1 more of ALL, with their ends; the last one of a file has none. */
const cut = (all, first, n) => all.slice(first, first + n).join("\n") + (first + n < all.length ? "\n" : "");

/** By kind: an edit {oldText, newText} of the lines ALL at line AT (from 0 on), or several. */
const EDITS = {
	word: ({ all, at, h }) => {
		const [from, to] = [all[at].length >> 2, (all[at].length >> 1) + 1];
		return { oldText: all[at].slice(from, to), newText: `w${h.count}` };
	},
	line: ({ all, at, more }) => ({ oldText: cut(all, at, 1), newText: more(1) }),
	lines: ({ all, at, more, rng }) => ({ oldText: cut(all, at, rng.from(1, 3)), newText: more(rng.from(1, 4)) }),
	within: ({ all, at, more }) => ({ oldText: cut(all, at, 3), newText: cut(all, at, 1) + more(1) + cut(all, at + 2, 1) }),
	before: ({ all, at, more, rng }) => ({ oldText: cut(all, at, 1), newText: more(rng.from(1, 3)) + cut(all, at, 1) }),
	after: ({ all, at, more, rng }) => ({ oldText: cut(all, at, 1), newText: cut(all, at, 1) + more(rng.from(1, 3)) }),
	remove: ({ all, at, rng }) => ({ oldText: cut(all, at, rng.from(1, 4)), newText: "" }),
	removeBehind: ({ all, at, rng }) => ({ oldText: `\n${all.slice(at, at + rng.from(1, 3)).join("\n")}`, newText: "" }),
	end: ({ all, rng }) => ({ oldText: `\n${all.slice(-rng.from(1, 4)).join("\n")}`, newText: "" }),
	join: ({ all, at }) => ({ oldText: `${all[at].slice(-3)}\n${(all[at + 1] ?? "").slice(0, 3)}`, newText: " - " }),
	split: ({ all, at }) => ({ oldText: all[at], newText: `${all[at].slice(0, 4)}\n${all[at].slice(4)}` }),
	move: ({ all, at, rng }) => {
		const to = rng.below(all.length);
		const n = rng.from(1, 5);
		if (to >= at - 1 && to <= at + n) return { oldText: cut(all, at, n), newText: "" };
		return [{ oldText: cut(all, at, n), newText: "" }, { oldText: cut(all, to, 1), newText: cut(all, to, 1) + cut(all, at, n) }];
	},
	double: ({ all, at, rng }) => {
		const block = cut(all, at, rng.from(1, 3));
		return { oldText: block, newText: block + block };
	},
	nearly: ({ all, at, more }) => ({ oldText: `${all[at].replaceAll("-", "\u2010")}  \n`, newText: more(1) }),
	ends: ({ all, at }) => ({ oldText: cut(all, at, 2).replaceAll("\n", "\r\n"), newText: `${all[at]} \r\n` }),
};

const WEIGHTS = { word: 4, line: 5, lines: 5, within: 3, before: 4, after: 4, remove: 3, removeBehind: 1, end: 0.7, join: 1, split: 1, move: 1.5, double: 1, nearly: 0.7, ends: 0.5 };

/** An old text that is there once: with more of the lines around it, if need be. */
function lengthened({ oldText, newText }, all, at) {
	const text = all.join("\n");
	for (let n = 1; n < 6; n++) {
		if (oldText === "" || text.split(oldText).length === 2 || at - n < 0) break;
		const line = `${all[at - n]}\n`;
		[oldText, newText] = [line + oldText, line + newText];
	}
	return { oldText, newText };
}

/** A line near the edge of what is asked for, or anywhere. */
function place(h, name, all, rng) {
	const { offset = 1, limit = 8 } = h.recent.find((ask) => ask.name === name && ask.offset) ?? h.world.favourite(name, rng);
	const edge = rng.chance(0.5) ? offset - 1 : offset + limit - 1;
	const at = rng.chance(0.6) ? edge + rng.from(-4, 4) : rng.below(all.length);
	return Math.max(0, Math.min(at, all.length - 1));
}

/** The arguments of an edit of TEXT, in one of the ways in which models write them. */
function editArgs(h, name, text, rng) {
	const all = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").split("\n");
	const one = () => {
		const at = place(h, name, all, rng);
		const kind = rng.weighted(WEIGHTS);
		const more = (n) => lines(h, name, rng, n);
		const made = EDITS[kind]({ all, at, more, h, rng });
		return Array.isArray(made) ? made : [lengthened(made, all, kind === "word" || kind === "split" ? 0 : at)];
	};
	const edits = Array.from({ length: rng.weighted({ 1: 6, 2: 2, 3: 1, 6: 0.6 }) * 1 }, one).flat();
	if (edits.length > 1 || rng.chance(0.8)) return { edits: rng.chance(0.05) ? JSON.stringify(edits) : edits };
	return rng.pick([{ edits: edits[0] }, edits[0]]);
}

// --- how it is called

function spelled(h, name, rng) {
	return rng.chance(0.75) ? name : rng.pick([`./${name}`, join(h.world.cwd, name), `@${name}`, `src/../${name}`]);
}

/** A call of `edit` or `write` of the file NAME; it is done when the host does it. */
function makeCall(h, rng, name) {
	const text = textOf(h.world.look(name));
	const path = spelled(h, name, rng);
	const tool = text === undefined || rng.chance(0.22) ? "write" : "edit";
	const call = { id: h.newCall(), tool, name, what: `${tool} ${name}` };
	if (tool === "edit") return { ...call, args: { path, ...editArgs(h, name, text, rng) } };
	const other = () => (text === undefined || rng.chance(0.3) ? h.world.fresh(h.world.kindOf(name), rng) : edited(Buffer.from(text), h.world.kindOf(name), rng.below(40), rng).bytes);
	const content = rng.chance(0.1) && text !== undefined ? text : other().toString("utf8");
	return { ...call, args: { path, content } };
}

/** What CALL does to the file; it may be refused. */
function act(h, call) {
	const file = h.world.look(call.name);
	const text = textOf(file);
	h.befores.set(call.id, { real: file.real, before: text });
	const made = call.tool === "write" ? call.args.content : text === undefined ? undefined : hostEdit(text, call.args);
	call.fails = made === undefined;
	if (!call.fails) h.world.write(file.real, Buffer.from(made));
}

function result(h, { id, tool, name, args, fails }) {
	const text = fails ? `Could not find the exact text in ${args.path}.` : tool === "write" ? `Successfully wrote to ${args.path}.` : `Successfully replaced in ${args.path}.`;
	return h.changed(id, { tool, target: join(h.world.cwd, name), isError: fails, text });
}

/** A message with CALLS, done one after the other. */
export function ownMessage(h, calls, rng) {
	h.assistant(calls.map(({ id, tool, args }) => ({ type: "toolCall", id, name: tool, arguments: args })), rng);
	for (const call of calls) act(h, call);
	for (const call of calls) result(h, call);
	return calls.map(({ what, id, fails }) => `${id} ${what}${fails ? " refused" : ""}`).join(", ");
}

/** Somebody else changes the file behind the model: a formatter, or one who takes it back. */
function meddle(h, name, rng) {
	const file = h.world.look(name);
	const versions = h.world.versions.get(file.real) ?? [];
	if (!file.bytes) return "nothing";
	if (rng.chance(0.3) && versions.length > 1) return h.world.write(file.real, versions.at(-2)), "takes it back";
	const { bytes, what } = edited(file.bytes, h.world.kindOf(name), rng.below(40), rng);
	h.world.write(file.real, bytes);
	return what;
}

/** What is asked after that: all of it, lines around it, lines elsewhere. */
function lookAt(h, name, rng) {
	const total = Math.max(1, linesOf(h, name));
	const how = rng.weighted({ whole: 4, near: 4, favourite: 3, wide: 3, any: 1 });
	if (how === "whole") return makeAsk(name, name);
	if (how === "near") return nearAsk(h, rng);
	if (how === "favourite") return makeAsk(name, name, h.world.favourite(name, rng));
	if (how === "any") return anyAsk(h, rng);
	const first = rng.from(1, total);
	return makeAsk(name, name, { offset: first, limit: rng.from(5, 40) });
}

/** The model changes a file and looks what became of it. */
export async function ownWork(h, rng) {
	const { name } = target(h, rng);
	if (rng.chance(0.45)) await h.read(rng.chance(0.6) ? makeAsk(name, name) : makeAsk(name, name, h.world.favourite(name, rng)), rng);
	h.recent = [makeAsk(name, name, h.world.favourite(name, rng)), ...h.recent].slice(0, 5);
	const done = [];
	for (let n = rng.weighted({ 1: 5, 2: 3, 3: 1 }) * 1; n > 0; n--) {
		const calls = Array.from({ length: rng.weighted({ 1: 6, 2: 1 }) * 1 }, () => makeCall(h, rng, rng.chance(0.9) ? name : rng.pick(h.world.names)));
		h.say(`  ${ownMessage(h, calls, rng)}`);
		done.push(...calls);
		if (rng.chance(0.12)) h.say(`  meanwhile: ${meddle(h, name, rng)}`);
		if (rng.chance(0.15)) await h.read(lookAt(h, name, rng), rng);
	}
	for (let n = rng.weighted({ 1: 4, 2: 3, 3: 2 }) * 1; n > 0; n--) await h.read(lookAt(h, name, rng), rng);
	return `${done.length} calls`;
}

/** Lines of a file that was read move: what the model looks at then stands elsewhere. */
export async function moving(h, rng) {
	const { name } = target(h, rng);
	if (rng.chance(0.7)) await h.read(rng.chance(0.7) ? makeAsk(name, name) : makeAsk(name, name, h.world.favourite(name, rng)), rng);
	const file = h.world.look(name);
	if (!file.bytes) return `${name} is missing`;
	const all = file.bytes.toString("latin1").split("\n");
	const at = rng.below(all.length);
	const block = all.slice(at, at + rng.from(1, 12));
	const more = () => Array.from({ length: rng.from(1, 4) }, () => `moved ${rng.below(1000)}`);
	const how = rng.pick(["insert", "insert", "above", "remove", "move", "double"]);
	if (how === "above") all.unshift(...more());
	if (how === "insert") all.splice(at, 0, ...more());
	if (how === "remove" || how === "move") all.splice(at, block.length);
	if (how === "move" || how === "double") all.splice(rng.below(all.length + 1), 0, ...block);
	h.world.write(file.real, Buffer.from(all.join("\n"), "latin1"));
	h.recent = [makeAsk(name, name, h.world.favourite(name, rng)), ...h.recent].slice(0, 5);
	for (let n = rng.from(1, 2); n > 0; n--) await h.read(lookAt(h, name, rng), rng);
	return `${name}: ${how} at ${at + 1}`;
}

/** By kind: what a formatter does to the lines ALL at line AT; OWN are lines that were there before. */
const FORMATS = {
	end: ({ all, at }) => (all[at] = `${all[at].replace(/\r$/, "")};${all[at].endsWith("\r") ? "\r" : ""}`),
	insert: ({ all, at, rng }) => all.splice(at, 0, `formatted ${rng.below(1000)}`),
	remove: ({ all, at, rng }) => all.splice(at, rng.from(1, 3)),
	move: ({ all, at, rng }) => all.splice(rng.below(all.length), 0, ...all.splice(at, rng.from(1, 6))),
	exchange: ({ all, at, rng }) => {
		const to = rng.below(all.length);
		[all[at], all[to]] = [all[to], all[at]];
	},
	again: ({ all, at, rng, own }) => all.splice(at, rng.below(2), rng.pick(own)),
};

/** Somebody formats the file NAME. Gives the line that was changed last, from 0 on; OWN: lines that were there before. */
function format(h, name, rng, own) {
	const text = textOf(h.world.look(name));
	if (!text) return 0;
	const all = text.split("\n");
	let at = 0;
	for (let n = rng.weighted({ 1: 4, 2: 2, 3: 1 }) * 1; n > 0; n--) {
		at = rng.below(all.length);
		const how = rng.weighted({ end: 5, insert: 2, remove: 2, move: 1, exchange: 1, again: 2 });
		FORMATS[how]({ all, at, rng, own });
		if (all.length === 0) all.push("");
		h.say(`  ${name}: formatted, ${how} at ${at + 1}`);
	}
	h.world.write(h.world.look(name).real, Buffer.from(all.join("\n")));
	return Math.min(at, all.length - 1);
}

/** An edit of what the formatter has made of line AT. */
function editFormatted(h, name, rng, at) {
	const text = textOf(h.world.look(name)) ?? "";
	const all = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").split("\n");
	const kind = rng.weighted({ word: 2, line: 3, lines: 2, after: 2, remove: 1, within: 1 });
	const made = EDITS[kind]({ all, at: Math.min(at, all.length - 1), more: (n) => lines(h, name, rng, n), h, rng });
	return { id: h.newCall(), tool: "edit", name, what: `edit ${name}`, args: { path: name, edits: [lengthened(made, all, at)] } };
}

/** The model writes a file, or has read it, and edits it; between that somebody formats it each time. */
export async function formatting(h, rng) {
	const { name, file } = target(h, rng);
	const text = textOf(file);
	if (!text) return `${name} has no text`;
	const own = text.split("\n");
	if (rng.chance(0.8)) h.say(`  ${ownMessage(h, [{ id: h.newCall(), tool: "write", name, what: `write ${name}`, args: { path: name, content: text } }], rng)}`);
	else await h.read(makeAsk(name, name), rng);
	for (let n = rng.weighted({ 1: 3, 2: 3, 3: 2 }) * 1; n > 0; n--) {
		const at = format(h, name, rng, own);
		if (rng.chance(0.3)) await h.read(makeAsk(name, name, { offset: rng.from(1, own.length), limit: rng.from(1, 3) }), rng);
		if (rng.chance(0.6)) h.say(`  ${ownMessage(h, [editFormatted(h, name, rng, at)], rng)}`);
		else if (rng.chance(0.3)) h.say(`  ${ownMessage(h, [makeCall(h, rng, name)], rng)}`);
	}
	if (rng.chance(0.3)) format(h, name, rng, own);
	for (let n = rng.weighted({ 1: 4, 2: 3 }) * 1; n > 0; n--) await h.read(lookAt(h, name, rng), rng);
	return name;
}

// --- what takes a call from the model

const callOf = (branch, id) => branch.find(({ message }) => message?.role === "assistant" && message.content.some((block) => block.id === id));

/** A context edit of one of its own calls or of the result, or its message failed. */
export function disown(h, rng) {
	const branch = h.session.branch();
	const results = branch.filter(({ message }) => message?.role === "toolResult" && h.befores.has(message.toolCallId));
	if (results.length === 0) return "no own call";
	const entry = results.at(-1 - rng.below(Math.min(4, results.length)));
	const call = callOf(branch, entry.message.toolCallId);
	if (!call) return "the call is not on the branch";
	const how = rng.pick(["call", "result", "replaced", "failed"]);
	if (how === "call") h.session.contextEdit(call.id);
	if (how === "result") h.session.contextEdit(entry.id);
	if (how === "replaced") h.session.contextEdit(entry.id, [{ type: "text", text: "done" }]);
	if (how === "failed") {
		if (h.losses.some(({ witness, reference }) => [witness, reference].includes(nameOf(call.message)))) return "not this one: its bill was seen";
		h.replace(call, { ...call, message: { ...call.message, stopReason: "error", errorMessage: "ended" } });
	}
	return `${how} of ${entry.message.toolCallId}`;
}
