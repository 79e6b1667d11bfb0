// Long workflows: what a run costs grows with the number of nodes, and what was done survives a kill.
import assert from "node:assert/strict";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

export const tests = [
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
