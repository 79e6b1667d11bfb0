// Gates and approvals: decisions that every run must have for itself.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { counting, World } from "./world.mjs";

const GATED = [
	{ id: "work", run: counting("work.count") },
	{ id: "gate", type: "gate", run: "echo x >> gate.count; test -e open" },
	{ id: "after", run: counting("after.count") },
];

const APPROVED = [
	{ id: "work", run: counting("work.count") },
	{ id: "ok", type: "approval" },
	{ id: "after", run: counting("after.count", "${work.stdout}") },
];

function world(context, nodes, rest) {
	const made = new World(context);
	made.flow(nodes, rest);
	return made;
}

/** The run to go on with, from what was printed. */
function runIn(text) {
	return text.match(/--resume (\S+) --approve (\S+)/)[1];
}

export const tests = [
	{
		name: "T5 gate and approval with cross-run are refused, with id, type and the word cross-run; run-only is allowed",
		run(context) {
			const made = new World(context);
			for (const node of [{ id: "decide", type: "gate", run: "echo x >> gate.count" }, { id: "decide", type: "approval" }]) {
				made.flow([{ ...node, cache: { scope: "cross-run" } }]);
				for (const args of [["flow.json"], ["validate", "flow.json"]]) {
					const run = made.run(...args);
					assert.equal(run.status, 2);
					assert.match(run.stderr, new RegExp(`node 'decide': an? ${node.type} cannot be cross-run`));
				}
				made.flow([{ ...node, cache: { scope: "run-only" } }]);
				made.good("validate", "flow.json");
			}
			assert.equal(made.times("gate.count"), 0);
		},
	},
	{
		name: "T5 a node with effects cannot be cross-run, and nothing that holds a gate or effects can",
		run(context) {
			const made = world(context, [{ id: "mail", run: "true", effects: true, cache: { scope: "cross-run" } }]);
			assert.match(made.run("flow.json").stderr, /node 'mail': a node with "effects" cannot be cross-run/);
			for (const inside of [{ id: "g", type: "gate", run: "true" }, { id: "g", run: "true", effects: true }]) {
				made.flow([inside], { file: "inner.json" });
				made.flow([{ id: "deep", type: "flow", run: "./inner.json" }], { file: "middle.json" });
				made.flow([{ id: "outer", type: "flow", run: "./middle.json", cache: { scope: "cross-run" } }]);
				const run = made.run("flow.json");
				assert.equal(run.status, 2);
				assert.match(run.stderr, /node 'outer': it cannot be cross-run: the workflow inside has the node 'g'/);
			}
		},
	},
	{
		name: "a gate that says no blocks what comes behind it: exit 4; it is asked again in every run",
		run(context) {
			const made = world(context, GATED);
			for (let round = 1; round <= 2; round++) {
				const run = made.run("flow.json");
				assert.equal(run.status, 4, run.stdout);
				assert.match(run.stdout, /Node 'gate' blocked \(the gate said no: exit status 1, /);
				assert.equal(made.times("gate.count"), round);
				assert.equal(made.times("after.count"), 0);
			}
			made.write("open", "");
			made.good("flow.json");
			made.good("flow.json");
			assert.equal(made.times("gate.count"), 4);
			assert.equal(made.times("work.count"), 1);
		},
	},
	{
		name: "a gate that lets pass again changes nothing behind it",
		run(context) {
			const made = world(context, GATED);
			made.write("open", "");
			made.good("flow.json");
			assert.deepEqual(made.statuses("flow.json"), { work: "cached", gate: "executed", after: "cached" });
		},
	},
	{
		name: "W21 a node that uses what a gate says is done again when that changed, and so is what is behind it",
		run(context) {
			const nodes = [
				{ id: "g", type: "gate", run: "cat out; cat err >&2", needs: [] },
				{ id: "out", run: counting("out.count", "${g.stdout}") },
				{ id: "err", run: counting("err.count", "${g.stderr}") },
				{ id: "behind", run: counting("behind.count", "${out.stdout}") },
				{ id: "waits", run: counting("waits.count"), needs: ["g"] },
			];
			const made = world(context, nodes);
			made.write("out", "one");
			made.write("err", "dog");
			const values = () => Object.values(made.json("flow.json").nodes).map(({ stdout }) => stdout.trim());
			assert.deepEqual(values(), ["one", "one", "dog", "one", "waits.count"]);
			assert.deepEqual(made.statuses("flow.json", "--explain"), { g: "stale", out: "cached", err: "cached", behind: "cached", waits: "cached" });
			made.write("out", "two");
			assert.deepEqual(values(), ["two", "two", "dog", "two", "waits.count"]);
			made.write("err", "cat");
			assert.deepEqual(values(), ["two", "two", "cat", "two", "waits.count"]);
			assert.deepEqual(made.statuses("flow.json"), { g: "executed", out: "cached", err: "cached", behind: "cached", waits: "cached" });
			assert.equal(made.times("waits.count"), 1);
		},
	},
	{
		name: "W21 what is done again above a gate is told to those behind it",
		run(context) {
			const made = world(context, GATED);
			made.write("open", "");
			made.good("flow.json");
			assert.deepEqual(made.statuses("flow.json", "--rerun", "work"), { work: "executed", gate: "executed", after: "executed" });
			made.good("flow.json", "--only", "after");
			assert.deepEqual(made.statuses("flow.json"), { work: "cached", gate: "executed", after: "cached" });
		},
	},
	{
		name: "W21 what a gate says as the last node of a workflow inside is that one's value",
		run(context) {
			const made = world(context, [{ id: "first", type: "gate", run: "cat noise" }, { id: "g", type: "gate", run: "cat said" }], { file: "inner.json" });
			made.flow([{ id: "sub", type: "flow", run: "./inner.json" }, { id: "end", run: counting("end.count", "${sub.stdout}") }]);
			made.write("noise", "1");
			made.write("said", "one");
			assert.equal(made.good("flow.json", "-q"), "one\n");
			made.write("noise", "2");
			assert.equal(made.good("flow.json", "-q"), "one\n");
			assert.equal(made.times("end.count"), 1);
			made.write("said", "two");
			assert.equal(made.good("flow.json", "-q"), "two\n");
		},
	},
	{
		name: "an approval blocks until it is given, and the way to go on is told",
		run(context) {
			const made = world(context, APPROVED);
			const run = made.run("flow.json");
			assert.equal(run.status, 4);
			assert.match(run.stdout, /Node 'ok' blocked \(it waits for an approval, /);
			assert.match(run.stdout, /to approve it: readcache flow flow\.json --resume \S+ --approve ok\n/);
			assert.equal(made.times("after.count"), 0);

			const resumed = made.run("flow.json", "--resume", runIn(run.stdout), "--approve", "ok");
			assert.equal(resumed.status, 0, resumed.stdout);
			assert.deepEqual([made.times("work.count"), made.times("after.count")], [1, 1]);
		},
	},
	{
		name: "a run that failed says how to go on, and that does",
		run(context) {
			const world = new World(context);
			const nodes = [
				{ id: "work", run: counting("work.count") },
				{ id: "ok", type: "approval" },
				{ id: "last", run: ["cat", "${inputs.name}"] },
			];
			world.flow(nodes, { inputs: { name: "absent" } });
			const failed = world.run("flow.json", "name=it's new", "--approve", "ok", "--store", world.path("a store"));
			assert.equal(failed.status, 1);
			const told = /^readcache: to go on when it is mended: (readcache flow flow\.json .* --resume \S+)\n$/.exec(failed.stderr);
			assert.ok(told, failed.stderr);
			assert.equal(told[1].replace(/\S+$/, "RUN"), `readcache flow flow.json 'name=it'\\''s new' --store '${world.path("a store")}' --resume RUN`);
			world.write("it's new", "mended\n");
			const script = told[1].replace(/^readcache/, `'${context.binary}'`);
			const { status, stdout } = spawnSync("sh", ["-c", script], { cwd: world.cwd, env: { ...process.env, ...world.env }, encoding: "utf8" });
			assert.equal(status, 0, stdout);
			assert.match(stdout, /\nmended\n$/);
			assert.equal(world.times("work.count"), 1);
			// of one node: that node
			world.flow([{ id: "bad", run: "exit 3" }]);
			assert.equal(world.run("flow.json").status, 1);
			assert.equal(world.run("flow.json", "--only", "bad").stderr, "readcache: to go on when it is mended: readcache flow flow.json --only bad\n");
			// for programs it is in the object
			assert.equal(world.run("flow.json", "--json").stderr, "");
		},
	},
	{
		name: "a quiet run tells on standard error what failed or is blocked",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "bad", run: "exit 3" }]);
			const failed = world.run("flow.json", "-q");
			assert.deepEqual([failed.status, failed.stdout], [1, ""]);
			assert.match(failed.stderr, /^readcache: failed: bad \(exit status 3\)\nreadcache: to go on when it is mended: readcache flow flow\.json --resume \S+\n$/);
			world.flow([{ id: "ok", type: "approval" }]);
			const blocked = world.run("flow.json", "-q");
			assert.deepEqual([blocked.status, blocked.stdout], [4, ""]);
			assert.match(blocked.stderr, /^readcache: blocked: ok \(it waits for an approval\)\nreadcache: to approve it: readcache flow flow\.json --resume \S+ --approve ok\n$/);
		},
	},
	{
		name: "an approval is not remembered by another run, but by a resumed one",
		run(context) {
			const made = world(context, APPROVED);
			const id = runIn(made.run("flow.json").stdout);
			assert.equal(made.run("flow.json", "--resume", id, "--approve", "ok").status, 0);
			assert.deepEqual(made.statuses("flow.json", "--resume", id), { work: "cached", ok: "cached", after: "cached" });
			assert.equal(made.run("flow.json").status, 4);
			const unknown = made.run("flow.json", "--resume", "another");
			assert.equal(unknown.status, 2);
			assert.match(unknown.stderr, /--resume: nothing is known of that run/);
		},
	},
	{
		name: "B9 an approval is for the very text, and the inputs, that it was given for",
		run(context) {
			const nodes = [...APPROVED, { id: "last", run: "test -e mended" }];
			const made = world(context, nodes, { inputs: { topic: "cats" } });
			const failed = made.run("flow.json", "--approve", "ok");
			assert.equal(failed.status, 1);
			const id = failed.stderr.match(/--resume (\S+)/)[1];
			made.write("mended", "");
			// another text, wherever: it is asked again, and the answer is for the new one
			made.flow([...APPROVED.slice(0, 2), { ...APPROVED[2], run: "echo something else" }, nodes[3]], { inputs: { topic: "cats" } });
			const asked = made.run("flow.json", "--resume", id);
			assert.equal(asked.status, 4, asked.stdout);
			assert.match(asked.stdout, /Node 'ok' config changed.*flow\.json: [0-9a-f]+ -> [0-9a-f]+/);
			assert.equal(made.run("flow.json", "--resume", id, "--approve", "ok").status, 0);
			assert.equal(made.json("flow.json", "--resume", id).nodes.ok.status, "cached");
			// other inputs are another question
			assert.equal(made.run("flow.json", "topic=dogs", "--resume", id).status, 4);
		},
	},
	{
		name: "B9 what was asked before the text changed cannot be approved after it: it is asked again",
		run(context) {
			const made = world(context, APPROVED);
			const id = runIn(made.run("flow.json").stdout);
			made.flow([...APPROVED.slice(0, 2), { ...APPROVED[2], run: "touch harm" }]);
			const again = made.run("flow.json", "--resume", id, "--approve", "ok");
			assert.equal(again.status, 4, again.stdout);
			assert.match(again.stdout, /Node 'ok' blocked \(the workflow has changed since it was asked; it waits for an approval again, /);
			assert.throws(() => made.text("harm"));
			assert.equal(made.run("flow.json", "--resume", runIn(again.stdout), "--approve", "ok").status, 0);
			assert.equal(made.text("harm"), "");
		},
	},
	{
		name: "B9 the text of an approval is that of all workflows of the run: outer, inner and those beside it",
		run(context) {
			const made = world(context, [{ id: "ok", type: "approval" }], { file: "inner.json" });
			const outer = (run) => made.flow([{ id: "sub", type: "flow", run: "./inner.json" }, { id: "other", type: "flow", run: "./other.json" }, { id: "end", run }], { inputs: { topic: "cats" } });
			made.flow([{ id: "x", run: "echo 1" }], { file: "other.json" });
			outer("test -e mended");
			const failed = made.run("flow.json", "--approve", "ok");
			const id = failed.stderr.match(/--resume (\S+)/)[1];
			assert.equal(made.run("flow.json", "--resume", id).status, 1);
			assert.equal(made.run("flow.json", "topic=dogs", "--resume", id).status, 4);
			assert.equal(made.run("flow.json", "--resume", id, "--approve", "ok").status, 4);
			assert.equal(made.run("flow.json", "--resume", id, "--approve", "ok").status, 1);
			made.flow([{ id: "x", run: "echo 2" }], { file: "other.json" });
			assert.equal(made.run("flow.json", "--resume", id).status, 4);
			made.flow([{ id: "x", run: "echo 1" }], { file: "other.json" });
			outer("true");
			assert.equal(made.run("flow.json", "--resume", id).status, 4);
			assert.equal(made.run("flow.json", "--resume", id, "--approve", "ok").status, 0);
		},
	},
	{
		name: "a gate is reused by the run that is resumed, and by no other",
		run(context) {
			const made = world(context, [GATED[1], { id: "ok", type: "approval" }, GATED[2]]);
			made.write("open", "");
			const id = runIn(made.run("flow.json").stdout);
			assert.equal(made.times("gate.count"), 1);
			assert.equal(made.run("flow.json", "--resume", id, "--approve", "ok").status, 0);
			assert.equal(made.times("gate.count"), 1);
			assert.equal(made.run("flow.json", "--approve", "ok").status, 0);
			assert.equal(made.times("gate.count"), 2);
		},
	},
	{
		name: "a saved workflow can be resumed: within its run nothing is done twice",
		run(context) {
			const made = world(context, APPROVED);
			made.good("save", "flow.json", "release");
			const id = runIn(made.run("release").stdout);
			assert.equal(made.run("release", "--resume", id, "--approve", "ok").status, 0);
			assert.deepEqual([made.times("work.count"), made.times("after.count")], [1, 1]);
			assert.equal(made.run("release").status, 4);
			assert.equal(made.times("work.count"), 2);
		},
	},
	{
		name: "branches that do not wait for an approval go on",
		run(context) {
			const made = world(context, [{ id: "ok", type: "approval", needs: [] }, { id: "blocked", run: counting("blocked.count"), needs: ["ok"] }, { id: "free", run: counting("free.count") }]);
			assert.equal(made.run("flow.json").status, 4);
			assert.deepEqual([made.times("blocked.count"), made.times("free.count")], [0, 1]);
		},
	},
	{
		name: "T5 a gate inside of a workflow is asked in every run, though the outer node has no gate",
		run(context) {
			const made = world(context, GATED, { file: "inner.json" });
			made.flow([{ id: "sub", type: "flow", run: "./inner.json" }, { id: "end", run: counting("end.count") }]);
			made.write("open", "");
			for (let round = 1; round <= 3; round++) {
				made.good("flow.json");
				assert.equal(made.times("gate.count"), round);
			}
			assert.deepEqual([made.times("work.count"), made.times("after.count"), made.times("end.count")], [1, 1, 1]);
		},
	},
];
