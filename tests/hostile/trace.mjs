// The system calls of one command, by strace: which names it took, below which
// directories, and what it changed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import { skip } from "./harness.mjs";

/** All calls that take a name, those that change an open file, and those that make descriptors and processes. */
const TRACED = "%file,fchmod,fchown,ftruncate,fallocate,fsetxattr,write,pwrite64,writev,pwritev,pwritev2,copy_file_range,sendfile,dup,dup2,dup3,fcntl,clone,clone3,fork,vfork,execve";

let works;

/** Leave the current check where nothing can be traced. */
export function needStrace() {
	works ??= spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
	if (!works) skip("strace cannot trace here");
}

/** The calls of `readcache ARGS` and of its own children, in their order; not those of the commands that it runs. */
export function traced(clone, args, input = "v") {
	const file = join(clone.dir, "trace");
	const { status, stderr } = spawnSync("strace", ["-f", "-y", "-v", "-s", "4096", "-o", file, "-e", `trace=${TRACED}`, binary(), ...args], {
		cwd: clone.cwd,
		input,
		// The leak checker traces, too, and nothing can be traced twice.
		env: { PATH: process.env.PATH, HOME: clone.home, ASAN_OPTIONS: "detect_leaks=0" },
		encoding: "utf8",
		timeout: PATIENCE,
	});
	assert.ok([0, 1].includes(status), `${args.join(" ")}: ${status} ${stderr}`);
	return calls(readFileSync(file, "utf8"), clone.cwd);
}

/** One line for each call, also where strace has cut it in two. */
function* wholeLines(text) {
	const begun = new Map();
	for (const line of text.split("\n")) {
		const [, pid, rest] = line.match(/^(\d+) +(.*)$/) ?? [];
		if (!pid) continue;
		const unfinished = rest.match(/^(.*?)\s*<unfinished \.\.\.>$/);
		const resumed = rest.match(/^<\.\.\. \w+ resumed>(.*)$/);
		if (unfinished) begun.set(pid, unfinished[1]);
		else if (resumed) yield { pid, text: (begun.get(pid) ?? "") + resumed[1] };
		else yield { pid, text: rest };
	}
}

/** The descriptor that a call is about. */
const FIRST = /^(\d+)<([^>]*)>/;
const INTO = /^\d+<[^>]*>, \w+, (\d+)<([^>]*)>/;

const PAIR = /(?:AT_FDCWD|(\d+))(?:<([^>]*)>)?, ("(?:[^"\\]|\\.)*"|NULL)/g;

/** The names that a call took: below which descriptor, which directory that is, and the name itself. */
function namesOf(name, args, cwd) {
	if (/at\d?$|^statx$/.test(name)) return [...args.matchAll(PAIR)].filter(([, , , text]) => text !== "NULL").map(([, fd, at, text]) => ({ fd, at: at ?? cwd, name: JSON.parse(text) }));
	const plain = args.match(/^(?:"(?:[^"\\]|\\.)*"(?:, )?)+/)?.[0] ?? "";
	const texts = [...plain.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]) => JSON.parse(text));
	return (name === "symlink" ? texts.slice(1) : texts).map((text) => ({ fd: undefined, at: cwd, name: text }));
}

function calls(text, cwd) {
	const foreign = new Set(); // processes that run a command
	const found = [];
	let first;
	for (const { pid, text: line } of wholeLines(text)) {
		const [, name, args, result] = line.match(/^(\w+)\((.*)\) += (.*)$/) ?? [];
		if (!name) continue;
		first ??= pid;
		if (name === "execve" && result === "0" && found.length > 0) foreign.add(pid);
		if (foreign.has(pid)) continue;
		const [, number, got] = result.match(/^(\d+)(?:<(.*)>)?/) ?? [];
		// "" is the descriptor itself.
		const names = namesOf(name, args, cwd).filter((taken) => taken.name !== "").map((taken) => ({ ...taken, path: resolve(taken.at, taken.name) }));
		const [, fd, path] = args.match(name === "copy_file_range" ? INTO : FIRST) ?? [];
		found.push({ pid, line, name, args, names, fd, path, failed: number === undefined, number, got });
	}
	return found;
}
