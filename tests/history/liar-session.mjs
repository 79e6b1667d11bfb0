// What the engine of liar.mjs takes from a session besides the views: calls that are not done, the bill, directories.
// Honest except for one lie; it shares nothing with the oracle's own account of these.
import { existsSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The lies told here, with the actions that give them an occasion. */
export const SESSION_LIES = {
	sibling_never: { mixed: 25, again: 20 },
	sibling_text: { mixed: 25 },
	sibling_edits: { mixed: 40 },
	sibling_writes: { mixed: 40 },
	sibling_shell: { mixed: 40 },
	sibling_stranger: { mixed: 60 },
	sibling_spelling: { mixed: 40 },
	sibling_links: { mixed: 60 },
	sibling_hard: { mixed: 90 },
	sibling_odd: { mixed: 90 },
	sibling_before: { mixed: 40 },
	sibling_one: { mixed: 60 },
	sibling_new: { mixed: 60 },
	sibling_always: { mixed: 25 },
	sibling_answered: { mixed: 40 },
	sibling_user: { orphan: 25 },
	bill_never: { loss: 15 },
	bill_deep: { loss: 25 },
	bill_input: { loss: 15 },
	bill_failed: { loss: 30 },
	bill_free: { loss: 30 },
	bill_other_model: { loss: 30 },
	bill_unbilled: { loss: 30 },
	bill_older: { loss: 25 },
	dirs_ignored: { emigrate: 4, ownEdit: 10, bare: 6, again: 30 },
	dirs_unknown: { emigrate: 8, ownEdit: 10, bare: 6, again: 30 },
};

const HARMLESS = ["read", "grep", "find", "ls", "readcache_refresh"];

// --- calls that are not done

/** Where a write to PATH ends up. */
function goal(path, depth = 0) {
	try {
		return realpathSync(path);
	} catch {
		// not there yet
	}
	try {
		return depth < 20 ? goal(resolve(dirname(path), readlinkSync(path)), depth + 1) : path;
	} catch {
		// no link
	}
	const folder = dirname(path);
	return folder === path ? path : join(goal(folder, depth + 1), basename(path));
}

function sameInode(a, b) {
	try {
		const [x, y] = [statSync(a), statSync(b)];
		return x.ino === y.ino && x.dev === y.dev;
	} catch {
		return false;
	}
}

function isSameFile(given, name, { cwd }, lie) {
	if (lie === "sibling_spelling") return given === name || join(cwd, given) === name;
	const path = resolve(cwd, given.replace(/^@/, ""));
	if (path === name) return true;
	if (lie === "sibling_links") return false;
	return goal(path) === goal(name) || (lie !== "sibling_hard" && sameInode(path, name));
}

function mayChange({ name: tool, arguments: args }, name, request, lie) {
	if (HARMLESS.includes(tool)) return lie === "sibling_always";
	if ((tool === "bash" && lie === "sibling_shell") || (tool === "apply_patch" && lie === "sibling_stranger")) return false;
	if ((tool === "edit" && lie === "sibling_edits") || (tool === "write" && lie === "sibling_writes")) return false;
	if (tool !== "edit" && tool !== "write") return true;
	if (typeof args?.path !== "string") return lie !== "sibling_odd";
	return lie === "sibling_always" || isSameFile(args.path, name, request, lie);
}

/** The calls of the newest message without result; those before OWN only, by a lie. */
function openCalls(path, own, lie) {
	const answered = new Set();
	for (const { message } of [...path].reverse()) {
		if (message?.role === "toolResult" && lie !== "sibling_answered") answered.add(message.toolCallId);
		if (message?.role === "user" && lie !== "sibling_user") return [];
		if (message?.role !== "assistant") continue;
		const calls = message.content.filter(({ type }) => type === "toolCall");
		const at = calls.findIndex(({ id }) => id === own);
		const some = lie === "sibling_before" && at >= 0 ? calls.slice(0, at) : calls;
		const open = some.filter(({ id }) => id !== own && !answered.has(id));
		return lie === "sibling_one" ? open.slice(0, 1) : open;
	}
	return [];
}

/** T14: what a call beside the one asked for may do to the file NAME: "change" it, or nobody knows ("unsure"). */
export function siblingOf(path, request, name, lie) {
	if (lie === "sibling_never" || (lie === "sibling_new" && !existsSync(name))) return undefined;
	const calls = openCalls(path, request.toolCallId, lie).filter((call) => mayChange(call, name, request, lie));
	const changes = calls.some(({ name: tool }) => tool === "edit" || tool === "write" || lie === "sibling_always");
	return changes ? "change" : calls.length > 0 ? "unsure" : undefined;
}

// --- the bill

const sum = ({ input = 0, cacheRead = 0, cacheWrite = 0 }, lie) => (lie === "bill_input" ? input : input + cacheRead + cacheWrite);

/** T15: the index of the last message on PATH that was asked for without something; 0 if there is none. */
export function fallAt(path, lie) {
	let last = new Map(); // model -> {tokens, index}
	let [fall, shallow] = [0, 0];
	const key = ({ model }) => (lie === "bill_other_model" ? "any" : model);
	for (const [index, { type, message }] of path.entries()) {
		if (type === "compaction" || type === "context_edit") last = new Map();
		if (message?.role !== "assistant") continue;
		if (!message.usage && lie === "bill_unbilled") last = new Map();
		if (!message.usage || (["error", "aborted"].includes(message.stopReason) && lie !== "bill_failed")) continue;
		const tokens = sum(message.usage, lie);
		const before = last.get(key(message));
		if (tokens === 0 && lie !== "bill_free") continue;
		if (before && tokens < (lie === "bill_deep" ? 0.4 : 0.8) * before.tokens) [fall, shallow] = [index, before.index];
		last.set(key(message), { tokens, index });
	}
	if (lie === "bill_never") return 0;
	return lie === "bill_older" ? shallow : fall;
}

// --- directories

function headers(file) {
	const list = [];
	for (let next = file; next !== undefined && list.length < 50; ) {
		if (!existsSync(next)) return [...list, null];
		const { cwd, parentSession } = JSON.parse(readFileSync(next, "utf8").split("\n", 1)[0]);
		list.push(cwd);
		next = parentSession;
	}
	return list;
}

/** The directories in which calls may have been made; null for one that cannot be told. */
export function placesOf({ cwd, session }, lie) {
	const told = session?.file && existsSync(session.file) ? headers(session.file) : session?.dirs ?? [];
	if (lie === "dirs_ignored") return [cwd];
	const all = [...new Set([cwd, ...told])];
	return lie === "dirs_unknown" ? all.filter((dir) => dir !== null) : all;
}
