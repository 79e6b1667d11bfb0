// The executable with something going wrong in it: inject/inject.c, from here.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";

/** Absolute path of the tool: READCACHE_INJECT, or the one built beside the executable. */
export function injector() {
	const tool = process.env.READCACHE_INJECT ?? join(dirname(binary()), "tests/torture/inject");
	if (!existsSync(tool)) throw new Error(`no tool at ${tool}: build the target inject, or set READCACHE_INJECT`);
	return resolve(tool);
}

/** The executable; of a sanitized build the one beside the tool, in which the sanitizers' calls can be told apart. */
function subject() {
	const apart = join(dirname(injector()), "readcache");
	return existsSync(apart) ? apart : binary();
}

/**
 * Run the executable with ARGS on INPUT, or through STEPS, lines of which each
 * waits for the answer to the last; at its system call or allocation NUMBER
 * happens FAULT (see inject.c). Gives what the program printed, how it ended,
 * and the call that was hit.
 */
export async function inject(fault, number, { args, input, steps, env, cwd }) {
	const child = spawn(injector(), [fault, String(number), subject(), ...args], {
		cwd,
		env: { ...process.env, ...env, ...sanitizer(fault) },
		stdio: ["pipe", "pipe", "pipe", "pipe"],
	});
	const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
	child.stdin.on("error", () => {}); // it may be killed before it has read
	if (steps) walk(child, steps);
	else child.stdin.end(input);
	const [stdout, stderr, report] = await Promise.all([1, 2, 3].map((fd) => collect(child.stdio[fd])));
	clearTimeout(late);
	if (report === "") throw new Error(`the tool gave up, or waited too long: ${stderr}`);
	const { calls, counted, fired, exit, signal } = JSON.parse(report);
	return { stdout, stderr, exit, signal, fired, counted, calls, hit: fired ? (calls[0] ?? { call: "malloc" }) : undefined };
}

/** One step after the other, as far as it answers. */
async function walk({ stdin, stdout }, steps) {
	let [seen, wake] = [0, () => {}];
	stdout.on("data", (chunk) => {
		seen += chunk.toString().split("\n").length - 1;
		wake();
	});
	stdout.on("close", () => {
		seen = Infinity;
		wake();
	});
	for (const [index, { line, before }] of steps.entries()) {
		before?.();
		stdin.write(line);
		while (seen <= index) await new Promise((done) => (wake = done));
	}
	stdin.end();
}

/** How many there are; of system calls, which. */
export function count(what, play) {
	return inject("count", what, play);
}

/** Leaks can be looked for only where nobody holds the process to its end. */
function sanitizer(fault) {
	const held = fault === "count" || fault === "full" || fault.endsWith("+");
	return { ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ""}:detect_leaks=${held ? 0 : 1}` };
}

function collect(stream) {
	const chunks = [];
	stream.on("data", (chunk) => chunks.push(chunk));
	return new Promise((done) => stream.on("close", () => done(Buffer.concat(chunks).toString())));
}
