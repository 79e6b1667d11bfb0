/**
 * Where the calls of a session were made. A fork into another directory keeps the calls of its parent, and their
 * relative paths are of the parent's directory, which only the parent's file knows.
 */
import { closeSync, openSync, readSync } from "node:fs";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

type Sessions = ExtensionContext["sessionManager"];

interface Header {
	cwd?: unknown;
	parentSession?: unknown;
	/** Its name in older sessions. */
	branchedFrom?: unknown;
}

/** How many parents are looked at. */
const MAX_FORKS = 32;
/** What is longer was not written by pi. */
const MAX_HEADER = 64 * 1024;

/** undefined if the file has none, or cannot be read. */
function headerOf(file: string): Header | undefined {
	let fd: number | undefined;
	try {
		fd = openSync(file, "r");
		const buffer = Buffer.alloc(MAX_HEADER);
		const line = buffer.toString("utf8", 0, readSync(fd, buffer, 0, MAX_HEADER, 0)).split("\n", 1)[0]!;
		const header = JSON.parse(line);
		return header?.type === "session" ? header : undefined;
	} catch {
		return undefined;
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

function find(header: Header | null | undefined): (string | null)[] {
	const dirs: (string | null)[] = [];
	for (let forks = 0; header; forks++) {
		dirs.push(typeof header.cwd === "string" && header.cwd.startsWith("/") ? header.cwd : null);
		const parent = header.parentSession ?? header.branchedFrom;
		if (parent === undefined || parent === null) return dirs;
		header = typeof parent === "string" && forks < MAX_FORKS ? headerOf(parent) : undefined;
	}
	return [...dirs, null];
}

/** By the session's header, which never changes. */
const known = new WeakMap<object, (string | null)[]>();

/** The directories besides CWD; null for one that nobody knows any more. */
export function dirsOf(sessions: Sessions, cwd: string): (string | null)[] {
	const header = sessions.getHeader() as Header | null;
	if (header === null) return [];
	const dirs = known.get(header) ?? find(header);
	known.set(header, dirs);
	return [...new Set(dirs)].filter((dir) => dir !== cwd);
}
