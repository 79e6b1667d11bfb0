// Calls of the same message that stand beside a read: which of them may change the file before the host reads it.
import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export const HARMLESS = ["read", "grep", "find", "ls", "readcache_refresh"];

/** The place that a write to PATH would fall into, also where nothing is yet; undefined for a circle of links. */
export function landing(path, depth = 0) {
	if (depth > 20) return undefined;
	let folder;
	try {
		folder = realpathSync(dirname(path));
	} catch {
		return path; // no such directory yet
	}
	const place = join(folder, basename(path));
	try {
		return lstatSync(place).isSymbolicLink() ? landing(resolve(folder, readlinkSync(place)), depth + 1) : place;
	} catch {
		return place;
	}
}

function inode(path) {
	try {
		const { dev, ino } = statSync(path);
		return `${dev}:${ino}`;
	} catch {
		return undefined;
	}
}

const changesFiles = ({ tool }) => tool === "edit" || tool === "write";

/** May CALL {tool, target: the file's absolute path, undefined for any} change the file NAME? */
export function mayChange({ tool, target }, name) {
	if (HARMLESS.includes(tool)) return false;
	if (!changesFiles({ tool }) || target === undefined) return true;
	const node = inode(target);
	return landing(target) === landing(name) || (node !== undefined && node === inode(name));
}

/** It is certain that CALL is about another file: that is there, and is not this one. */
function isElsewhere(call, name) {
	if (HARMLESS.includes(call.tool)) return true;
	return call.target !== undefined && inode(call.target) !== undefined && !mayChange(call, name);
}

/** The calls of the newest message that have no result on the branch, except OWN. */
function unanswered(branch, own) {
	const answered = new Set();
	for (const { message } of [...branch].reverse()) {
		if (message?.role === "toolResult") answered.add(message.toolCallId);
		if (message?.role === "user") return [];
		if (message?.role !== "assistant") continue;
		return message.content.filter(({ type, id }) => type === "toolCall" && id !== own && !answered.has(id));
	}
	return [];
}

/** Junk, a torn line, or an id that is there twice: such a session may not tell what the newest message is. */
function isBlurred({ entries, isTorn }) {
	if (isTorn) return true;
	const ids = entries.map(({ id }) => id);
	return ids.includes(undefined) || new Set(ids).size < ids.length;
}

/**
 * What stands beside the call OWN for the file NAME: `must`, the host is at work on an edit or a write that may be of it,
 * and must read it itself; `unsure`, it is at work on something that may change any file; `may`, a careful engine can
 * think so; `blurred`, it may not be able to know. SIBLINGS knows calls by id, LIVE are the ids that the host is at work on.
 */
export function besideOf({ session, own, name, siblings, live, roaming }) {
	const open = unanswered(session.branch(), own).map(({ id, name: tool }) => siblings.get(id) ?? { tool });
	const working = [...live].map((id) => siblings.get(id)).filter((call) => mayChange(call, name));
	const must = working.some(changesFiles);
	// Where calls were made in several directories, a relative path may be meant for any of them.
	const may = working.length > 0 || open.some((call) => (roaming && !HARMLESS.includes(call.tool)) || !isElsewhere(call, name));
	return { must, unsure: working.length > 0, may, blurred: must && isBlurred(session) };
}
