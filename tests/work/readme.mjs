// The examples of README.md and of the manual, typed as they stand there.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** The indented blocks of a section of README.md. */
function blocks(title) {
	const text = readFileSync(join(root, "README.md"), "utf8");
	const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
	assert.ok(section, `README.md has no section "${title}"`);
	return [...section.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replace(/^ {4}/gm, ""));
}

/** In one shell with readcache in its PATH: what it says, and how it ends. */
function type(context, script) {
	const bin = join(context.dir, "bin");
	mkdirSync(bin, { recursive: true });
	try {
		symlinkSync(context.binary, join(bin, "readcache"));
	} catch {}
	const env = { PATH: `${bin}:${process.env.PATH}`, HOME: context.dir };
	const { status, stdout, stderr } = spawnSync("sh", ["-c", script], { cwd: context.dir, env, encoding: "utf8" });
	return { status, stdout, stderr };
}

export const tests = [
	{
		name: "the first minute: one request, one response line",
		run(context) {
			const [request] = blocks("The first minute");
			mkdirSync(join(context.dir, "build"));
			symlinkSync(context.binary, join(context.dir, "build", "readcache"));
			const { status, stdout, stderr } = type(context, request);
			assert.deepEqual([status, stderr], [0, ""]);
			const { result, decision } = JSON.parse(stdout);
			assert.equal(decision.mode, "full");
			assert.equal(result.content[0].text, readFileSync("/etc/hosts", "utf8"));
		},
	},
	{
		name: "an agent's answer is asked for once",
		run(context) {
			const [memo] = blocks("Work that need not be done again");
			const first = type(context, memo);
			assert.deepEqual(first, { status: 0, stdout: "Looks good.\n", stderr: "" });
			const again = type(context, memo);
			assert.deepEqual(again, { status: 0, stdout: "Looks good.\nLooks good.\n", stderr: "" });
		},
	},
	{
		name: "a host keeps a phase and finds it",
		run(context) {
			const [, phases] = blocks("Work that need not be done again");
			const { status, stdout, stderr } = type(context, phases);
			assert.deepEqual([status, stderr], [0, ""]);
			const [kept, found] = stdout.trim().split("\n").map((line) => JSON.parse(line));
			assert.equal(kept.stored, true);
			assert.deepEqual([found.hit, found.output], [true, "Looks good."]);
		},
	},
	{
		name: "a command is run once, and its output comes back",
		run(context) {
			const [, , commands] = blocks("Work that need not be done again");
			const { status, stdout, stderr } = type(context, commands);
			assert.deepEqual([status, stdout], [0, "sorted\nsorted\n"]);
			assert.match(stderr, /^readcache: run-[0-9a-f]{16}: CACHED \(unchanged · age [^)]+\): output sorted\.txt is gone\n$/);
			assert.equal(readFileSync(join(context.dir, "sorted.txt"), "utf8"), "1\n2\n3\n");
		},
	},
	{
		name: "a workflow is run once, and what would change is told",
		run(context) {
			const [, , , flow] = blocks("Work that need not be done again");
			const { status, stdout, stderr } = type(context, flow);
			assert.deepEqual([status, stderr], [0, ""]);
			assert.match(stdout, /3 nodes: 0 cached, 3 executed .*\n2\n[^]*3 nodes: 3 cached, 0 executed .*\n2\n/);
			assert.match(stdout, /\n {2}fetch: would run \(param input topic changed\)\n/);
			assert.equal(readFileSync(join(context.dir, "page.txt"), "utf8"), "On cats\n");
		},
	},
];
