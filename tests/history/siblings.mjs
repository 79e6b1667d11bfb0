// One message with reads and other calls beside them, in any order: the host does them one after the other or at the
// same time, so that the file may change before, between and after what the engine sees of it.
import { linkSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { againAsk, anyAsk, makeAsk } from "./asks.mjs";
import { HARMLESS, landing } from "./beside.mjs";
import { describe } from "./report.mjs";
import { edited } from "./world.mjs";

const TOOLS = { edit: 6, write: 5, bash: 2, apply_patch: 1, grep: 1, ls: 1, find: 0.5, readcache_refresh: 0.5 };

/** A link that is made for one call. */
function made(make, target, path) {
	rmSync(path, { force: true });
	try {
		make(target, path);
		return path;
	} catch {
		return undefined; // a hard link to nothing
	}
}

/** Ways to write the path of the file at TARGET: each gives what stands in the call, relative to CWD. */
const SPELLINGS = {
	plain: ({ name }) => name,
	dot: ({ name }) => `./${name}`,
	absolute: ({ target }) => target,
	slashes: ({ target }) => target.replace(/\//g, "//"),
	up: ({ name }) => `src/../${name}`,
	nowhere: ({ name }) => `no/such/../../${name}`,
	at: ({ name }) => `@${name}`,
	link: ({ target, cwd, count }) => basename(made(symlinkSync, target, join(cwd, `alias-${count}`))),
	// Of the file itself: a second name of a link with a relative text would lead to another file from here.
	hard: ({ target, cwd, count, name }) => (made(linkSync, landing(target), join(cwd, `hard-${count}`)) ? `hard-${count}` : name),
	folder: ({ target, cwd, count }) => join(basename(made(symlinkSync, dirname(target), join(cwd, `folder-${count}`))), basename(target)),
};

/** A path for the file NAME, in some spelling. */
function spell(h, name, rng) {
	const { cwd } = h.world;
	const how = rng.chance(0.3) ? "plain" : rng.pick(Object.keys(SPELLINGS));
	return { how, path: SPELLINGS[how]({ name, cwd, target: join(cwd, name), count: h.count }) };
}

/** The file that a call is about: that of a read beside it, or another one. */
function aim(h, asks, rng) {
	return rng.chance(0.7) ? rng.pick(asks).name : rng.pick(h.world.names);
}

/** Edit and write name a file; sometimes under an argument that we do not know. */
function fileCall(h, tool, name, rng) {
	const { path, how } = spell(h, name, rng);
	const odd = rng.chance(0.06) ? rng.pick([{ file_path: path }, { path: [path] }, {}]) : undefined;
	const more = tool === "edit" ? { edits: [{ oldText: "a", newText: "b" }] } : { content: "x" };
	const args = { ...(odd ?? { path }), ...more };
	if (odd) return { args, touches: name, what: `${tool} ${JSON.stringify(odd)}` };
	const named = resolve(h.world.cwd, path.replace(/^@/, "")); // by a link: its own name
	return { args, target: join(h.world.cwd, name), named, touches: name, what: `${tool} ${path} (${how})` };
}

function makeSibling(h, asks, rng) {
	const tool = rng.weighted(TOOLS);
	const id = h.newCall();
	const name = aim(h, asks, rng);
	if (tool === "edit" || tool === "write") return { id, tool, ...fileCall(h, tool, name, rng), fails: tool === "edit" && rng.chance(0.2) };
	const args = tool === "bash" ? { command: "make" } : { path: name };
	return { id, tool, args, touches: HARMLESS.includes(tool) || rng.chance(0.3) ? undefined : name, what: tool };
}

/** What the call does to the disk. */
function act(h, { tool, touches, fails }, rng) {
	if (touches === undefined || fails) return;
	const file = h.world.look(touches);
	const isNew = !file.bytes || (tool === "write" && rng.chance(0.5));
	if (rng.chance(0.15) && file.bytes) return; // the same again
	const bytes = isNew ? h.world.fresh(h.world.kindOf(touches), rng) : edited(file.bytes, h.world.kindOf(touches), rng.from(1, 20), rng).bytes;
	h.world.write(file.real, bytes);
	if (!h.world.names.includes(touches)) h.world.names.push(touches);
}

/** Its result on the branch: from now on it is no sibling any more. */
function store(h, { id, tool, named, touches, fails }) {
	h.live.delete(id);
	const text = fails ? "Could not find the exact text." : "Done.";
	if (tool === "edit" || tool === "write") {
		const target = named ?? (fails ? undefined : join(h.world.cwd, touches)); // nobody is told of what it was refused
		return h.changed(id, { tool, target, isError: fails === true, text });
	}
	return h.session.result({ content: [{ type: "text", text }], details: {} }, id, { toolName: tool });
}

/** The steps of a read: the engine is asked, and if it says so the host reads, then or later. */
function readSteps(h, call, rng) {
	const look = async () => {
		call.answer = await h.ask(call.ask, rng, { callId: call.id });
		if (!call.answer.response.delegate) call.outcome = h.outcome(call.answer, call.ask);
	};
	const read = () => {
		if (call.outcome) return;
		const { ask, answer } = call;
		const file = h.world.look(ask.name);
		Object.assign(h.calls.get(call.id), { real: file.real, hash: file.hash });
		call.outcome = h.outcome({ ...answer, file }, ask);
	};
	return [look, read];
}

/** All steps in the order in which they happen: call by call, or mixed. */
function schedule(calls, oneByOne, rng) {
	const open = calls.map((call) => ({ call, left: [...call.steps] }));
	const order = [];
	while (open.some(({ left }) => left.length > 0)) {
		const some = open.filter(({ left }) => left.length > 0);
		const next = oneByOne ? some[0] : rng.pick(some);
		order.push({ call: next.call, step: next.left.shift(), isLast: next.left.length === 0 });
	}
	return order;
}

const block = ({ id, tool, ask, args }) => ({ type: "toolCall", id, name: ask ? "read" : tool, arguments: ask ? ask.params : args });

/** Play the message: reads of ASKS and SIBLINGS as they stand in CALLS. */
export async function playMessage(h, calls, { oneByOne, atOnce }, rng) {
	h.assistant(calls.map(block), rng);
	const others = calls.filter(({ ask }) => !ask);
	for (const { id, tool, target } of others) h.siblings.set(id, { tool, target });
	for (const { id } of others) h.live.add(id);
	for (const call of calls) call.steps = call.ask ? readSteps(h, call, rng) : [call.does ?? (() => act(h, call, rng))];
	const put = (call) => (call.ask ? h.append(call.id, call.outcome) : store(h, call));
	try {
		for (const { call, step, isLast } of schedule(calls, oneByOne, rng)) {
			await step();
			if (!call.ask) h.say(`  ${call.id} ${call.what} is done`);
			if (isLast && atOnce) put(call);
		}
	} finally {
		h.live.clear();
	}
	if (!atOnce) for (const call of calls) put(call);
}

/** A name that is not there yet. */
const newName = (h) => `new-${h.count}.txt`;

export async function mixed(h, rng) {
	const missing = rng.chance(0.08) ? makeAsk(newName(h), newName(h)) : undefined;
	const first = missing ?? (rng.chance(0.75) ? againAsk(h, rng) : anyAsk(h, rng));
	const near = () => (rng.chance(0.5) ? first : anyAsk(h, rng));
	const asks = [first, ...Array.from({ length: rng.weighted({ 0: 3, 1: 2, 2: 1 }) * 1 }, near)];
	const reads = asks.map((ask) => ({ id: h.newCall(), ask }));
	const siblings = Array.from({ length: rng.weighted({ 1: 4, 2: 2, 3: 1 }) * 1 }, () => makeSibling(h, asks, rng));
	const calls = rng.shuffle([...reads, ...siblings]);
	const oneByOne = rng.chance(0.35);
	await playMessage(h, calls, { oneByOne, atOnce: oneByOne || rng.chance(0.3) }, rng);
	h.recent = [...asks, ...h.recent].slice(0, 5);
	return `${calls.map(({ ask, what }) => (ask ? describe(ask) : what)).join("; ")}, ${oneByOne ? "one by one" : "at the same time"}`;
}

/** A call whose answer never came. Whoever asks before the user has said something may think it is at work. */
export async function orphan(h, rng) {
	const call = rng.chance(0.4) ? { id: h.newCall(), ask: anyAsk(h, rng) } : makeSibling(h, [againAsk(h, rng)], rng);
	h.assistant([block(call)], rng);
	if (!call.ask) h.siblings.set(call.id, call);
	if (rng.chance(0.3)) h.session.user("what is it?");
	if (rng.chance(0.5)) await h.ask(againAsk(h, rng), rng); // not in the session
	return `${call.what ?? "read"} without result`;
}
