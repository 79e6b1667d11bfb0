// Several runs at the same time, and many nodes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { until } from "../lib/wait.mjs";
import { counting, World } from "./world.mjs";

/** Start a run; gives {status, stdout, stderr} when it has ended. */
function start(world, ...args) {
	return launch(world, ...args).ended;
}

/** The same, with what it has SAID so far. */
function launch(world, ...args) {
	const child = spawn(world.context.binary, ["flow", ...args], { cwd: world.cwd, env: { PATH: process.env.PATH, ...world.env }, stdio: ["ignore", "pipe", "pipe"] });
	const said = { stdout: "", stderr: "" };
	for (const name of ["stdout", "stderr"]) child[name].on("data", (bytes) => (said[name] += bytes));
	return { said, ended: new Promise((done) => child.on("close", (status) => done({ status, ...said }))) };
}

export const tests = [
	{
		name: "W17 two runs at once: the second waits for a node the first is at, and does not do it again",
		async run(context) {
			const world = new World(context);
			world.flow([{ id: "slow", run: "echo x >> slow.count; while [ ! -e go ]; do sleep 0.02; done; echo done" }, { id: "end", run: counting("end.count", "${slow.stdout}") }]);
			const launched = Array.from({ length: 3 }, () => launch(world, "flow.json"));
			const waiting = () => launched.filter(({ said }) => /slow: waiting for process \d+, which is at it/.test(said.stderr));
			await until(() => waiting().length === 2, "two wait for the one that is at it", { seen: () => launched.map(({ said }) => said) });
			world.write("go", "");
			const runs = await Promise.all(launched.map(({ ended }) => ended));
			for (const run of runs) assert.equal(run.status, 0, run.stdout + run.stderr);
			assert.deepEqual([world.times("slow.count"), world.times("end.count")], [1, 1]);
		},
	},
	{
		name: "W17 runs of the same file at once lose nothing of each other",
		async run(context) {
			const world = new World(context);
			const nodes = (from) => Array.from({ length: 10 }, (_, i) => ({ id: `n${from + i}`, run: counting("count"), needs: [] }));
			const all = nodes(0).concat(nodes(10), nodes(20), nodes(30));
			world.flow(all);
			const runs = await Promise.all(Array.from({ length: 8 }, () => start(world, "flow.json", "--jobs", "4")));
			for (const run of runs) assert.equal(run.status, 0, run.stdout + run.stderr);
			assert.equal(world.times("count"), 40);
			assert.equal(Object.keys(world.metadata().nodes).length, 40);
			assert.ok(Object.values(world.statuses("flow.json")).every((status) => status === "cached"));
		},
	},
	{
		name: "W17 cross-run: two files at once do the same work once",
		async run(context) {
			const world = new World(context);
			const nodes = [{ id: "shared", run: "echo x >> count; sleep 0.3; echo done", cache: { scope: "cross-run" } }];
			world.flow(nodes, { file: "one.json" });
			world.flow(nodes, { file: "two.json" });
			for (const run of await Promise.all([start(world, "one.json"), start(world, "two.json")])) assert.equal(run.status, 0, run.stderr);
			assert.equal(world.times("count"), 1);
		},
	},
	{
		name: "--jobs: as many at once as it says, and no node before those it waits for",
		async run(context) {
			const world = new World(context);
			const busy = "touch run.$$; ls run.* | wc -l; sleep 0.1; rm run.$$";
			world.flow([...Array.from({ length: 6 }, (_, i) => ({ id: `n${i}`, run: busy, needs: [] })), { id: "end", run: "ls run.* 2>/dev/null | wc -l", needs: ["n0", "n1", "n2", "n3", "n4", "n5"] }]);
			const { list, nodes } = world.json("flow.json", "--jobs", "3");
			const seen = list.slice(0, 6).map((node) => Number(node.stdout));
			assert.ok(Math.max(...seen) <= 3, String(seen));
			assert.equal(nodes.end.stdout.trim(), "0");
			world.good("flow.json", "--no-cache");
			assert.ok(world.json("flow.json", "--no-cache").list.slice(0, 6).every((node) => node.stdout.trim() === "1"));
		},
	},
	{
		name: "a failure among several lets the others end, begins no more, and keeps what was done",
		run(context) {
			const world = new World(context);
			world.flow([
				{ id: "bad", run: "echo $$ > bad.new; mv bad.new bad.pid; while [ ! -e begun ]; do sleep 0.02; done; exit 1", needs: [] },
				// It ends when the run has taken notice of the other one's end.
				{ id: "good", run: "touch begun; until [ -e bad.pid ]; do sleep 0.02; done; while kill -0 $(cat bad.pid) 2>/dev/null; do sleep 0.02; done; echo x >> good.count" },
				{ id: "later", run: counting("later.count") },
			]);
			assert.equal(world.run("flow.json", "--jobs", "2").status, 1);
			assert.deepEqual([world.times("good.count"), world.times("later.count")], [1, 0]);
			assert.equal(world.json("flow.json", "--jobs", "2").nodes.good.status, "cached");
		},
	},
	{
		name: "W18 a workflow of 100 nodes: all are kept, all are found",
		run(context) {
			const world = new World(context);
			world.flow(Array.from({ length: 100 }, (_, i) => ({ id: `n${i}`, run: i === 0 ? "echo 0" : ["echo", `${"$"}{n${i - 1}.stdout}+${i}`] })));
			assert.match(world.good("flow.json"), /100 nodes: 0 cached, 100 executed/);
			const text = world.good("flow.json");
			assert.match(text, /100 nodes: 100 cached, 0 executed/);
			assert.match(text, /\n0\+1\+2\+.*\+99\n$/);
		},
	},
];
