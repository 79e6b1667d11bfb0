// Long workflows: what a run costs grows with the number of nodes, and what was done survives a kill.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { counting, World } from "./world.mjs";

/** A line of N nodes, each of which says what the one before it said. */
const line = (n, last = []) => [{ id: "n0", run: "echo 0" }, ...Array.from({ length: n - 1 }, (_, i) => ({ id: `n${i + 1}`, run: ["echo", `\${n${i}.stdout}`] })), ...last];

/** Nodes a, b, c that count, then one that kills the run. */
const KILLED = ["a", "b", "c"].map((id) => ({ id, run: counting(`${id}.count`) }));

function killed(context) {
	const world = new World(context);
	world.flow([...KILLED, { id: "kill", run: "kill -9 $PPID; sleep 1" }]);
	assert.equal(world.run("flow.json").status, "SIGKILL");
	world.flow([...KILLED, { id: "kill", run: "true" }]);
	return world;
}

const journalOf = (world) => join(world.session(), "journal");

/** N nodes that copy a file each; all is done. */
function copies(context, n) {
	const world = new World(context);
	for (let i = 0; i < n; i++) world.write(`in${i}`, `${i}\n`);
	world.nodes = Array.from({ length: n }, (_, i) => ({ id: `n${i}`, run: ["cp", `in${i}`, `out${i}`], deps: [`in${i}`], outs: [`out${i}`], needs: [] }));
	world.flow(world.nodes);
	world.good("flow.json", "-q");
	return world;
}

export const tests = [
	{
		name: "B5 of a long workflow in which little was done a line is written, and the whole when the lines are many or its text is another",
		run(context) {
			const world = copies(context, 300);
			const file = join(world.session(), "metadata.json");
			const whole = readFileSync(file, "utf8");
			assert.ok(!existsSync(journalOf(world)));
			for (const round of [1, 2]) {
				world.write("in7", `changed ${round}\n`);
				world.good("flow.json", "-q");
				assert.equal(world.text("out7"), `changed ${round}\n`);
				assert.equal(readFileSync(file, "utf8"), whole);
				assert.equal(readFileSync(journalOf(world), "utf8").split("\n").length - 1, 1 + round);
			}
			assert.equal(world.statuses("flow.json", "--explain").n7, "cached");
			// a failure is a line, too
			rmSync(world.path("in7"));
			assert.equal(world.run("flow.json", "-q").status, 1);
			assert.match(readFileSync(journalOf(world), "utf8").trim().split("\n").at(-1), /^\{"n7":.*"status":"failed"/);
			world.write("in7", "7\n");
			for (let i = 0; i < 60; i++) world.write(`in${i}`, `many ${i}\n`);
			world.good("flow.json", "-q");
			assert.ok(!existsSync(journalOf(world)));
			assert.equal(world.metadata().nodes.n7.status, "completed");
			world.write("in7", "again\n");
			world.good("flow.json", "-q");
			assert.ok(existsSync(journalOf(world)));
			const before = world.metadata().workflow_hash;
			world.flow(world.nodes, { name: "other" });
			world.good("flow.json", "-q");
			assert.notEqual(world.metadata().workflow_hash, before);
			assert.ok(!existsSync(journalOf(world)));
		},
	},
	{
		name: "what the state remembers of blobs is on the disk before it",
		run(context) {
			const world = new World(context);
			world.write("in", "bytes\n");
			world.flow([{ id: "a", run: "cp in out", deps: ["in"], outs: ["out"] }]);
			const trace = join(context.dir, "trace");
			execFileSync("strace", ["-f", "-y", "-e", "trace=renameat,renameat2,linkat,syncfs,pwrite64", "-o", trace, binary(), "flow", "flow.json", "-q"], { cwd: world.cwd, env: { PATH: process.env.PATH, ASAN_OPTIONS: "detect_leaks=0", ...world.env }, stdio: "ignore" });
			const calls = readFileSync(trace, "utf8").split("\n");
			const kept = calls.findLastIndex((call) => call.includes("/objects/"));
			const remembered = calls.findLastIndex((call) => /pwrite64\(\d+<[^>]*state\.mdb>/.test(call));
			assert.ok(kept > 0 && remembered > kept, calls.join("\n"));
			const first = calls.findIndex((call, i) => i > kept && /pwrite64\(\d+<[^>]*state\.mdb>/.test(call));
			assert.ok(calls.slice(kept, first).some((call) => /syncfs\(.*= 0/.test(call)), calls.slice(kept).join("\n"));
		},
	},
	{
		name: "B5 the memory of a run grows with the number of its nodes, not with its square",
		run(context) {
			if (readFileSync(context.binary).includes("__asan_init")) context.skip("a sanitizer has its own memory");
			const world = new World(context);
			world.flow(line(1000, [{ id: "last", run: "sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$PPID/status" }]));
			const kib = Number(world.good("flow.json", "-q"));
			assert.ok(kib > 0 && kib < 12 * 1024, `${kib} KiB`);
			assert.deepEqual(new Set(Object.values(world.statuses("flow.json"))), new Set(["cached"]));
		},
	},
	{
		name: "B5 a run that is killed has noted each node in the journal; the next one does the rest and saves the whole",
		run(context) {
			const world = killed(context);
			assert.ok(!existsSync(join(world.session(), "metadata.json")));
			assert.equal(readFileSync(journalOf(world), "utf8").split("\n").length - 1, 1 + 3);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "cached", c: "cached", kill: "executed" });
			assert.ok(!existsSync(journalOf(world)));
			assert.deepEqual(Object.keys(world.metadata().nodes), ["a", "b", "c", "kill"]);
		},
	},
	{
		name: "B5 a journal that is cut anywhere costs work, never an answer",
		run(context) {
			const world = killed(context);
			const journal = readFileSync(journalOf(world));
			for (let cut = journal.length - 1; cut > 0; cut -= 97) {
				world.run("clear", "--all");
				world.flow([...KILLED, { id: "kill", run: "kill -9 $PPID; sleep 1" }]);
				assert.equal(world.run("flow.json").status, "SIGKILL");
				truncateSync(journalOf(world), Math.min(cut, readFileSync(journalOf(world)).length - 1));
				// another kill: what is appended after half a line is found
				assert.equal(world.run("flow.json").status, "SIGKILL");
				assert.deepEqual(world.statuses("flow.json", "--explain"), { a: "cached", b: "cached", c: "cached", kill: "stale" });
				world.flow(KILLED);
				assert.deepEqual(world.json("flow.json").list.map(({ stdout }) => stdout), ["a.count\n", "b.count\n", "c.count\n"]);
				assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "cached", c: "cached" });
			}
		},
	},
	{
		name: "H3 a line of the journal that somebody has changed, made up or moved is skipped",
		run(context) {
			const world = killed(context);
			const [word, ...lines] = readFileSync(journalOf(world), "utf8").trim().split("\n");
			const recordOf = (line) => line.match(/"record":"([0-9a-f]+)"/)[1];
			const changed = lines[0].replace(recordOf(lines[0]), recordOf(lines[1]));
			const bare = changed.slice(0, changed.lastIndexOf("}") + 1);
			world.flow(KILLED);
			const session = new Map(readdirSync(world.session()).map((name) => [name, readFileSync(join(world.session(), name))]));
			for (const line of [changed, bare, `${bare} ${"0".repeat(32)}`, bare + lines[1].slice(lines[1].lastIndexOf("}") + 1)]) {
				rmSync(world.session(), { recursive: true });
				mkdirSync(world.session(), { mode: 0o700 });
				for (const [name, bytes] of session) writeFileSync(join(world.session(), name), bytes, { mode: 0o600 });
				writeFileSync(journalOf(world), [word, line, ...lines.slice(1), ""].join("\n"), { mode: 0o600 });
				const { nodes } = world.json("flow.json");
				assert.deepEqual([nodes.a.status, nodes.a.stdout], ["executed", "a.count\n"], line);
			}
		},
	},
	{
		name: "B5 the journal of an older whole is void",
		run(context) {
			const world = killed(context);
			const journal = readFileSync(journalOf(world));
			world.good("flow.json");
			world.flow([{ ...KILLED[0], run: "echo new" }, ...KILLED.slice(1)]);
			world.good("flow.json");
			writeFileSync(journalOf(world), journal);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "cached", c: "cached" });
			assert.equal(world.json("flow.json").nodes.a.stdout, "new\n");
		},
	},
];
