// Nodes with files: they are compared by content, whatever ran before them.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counting, World } from "./world.mjs";

/** From in.txt by upper.txt to end.txt. */
const TWO = [
	{ id: "upper", run: "echo x >> upper.count; tr a-z A-Z < in.txt > upper.txt", deps: ["in.txt"], outs: ["upper.txt"] },
	{ id: "end", run: "echo x >> end.count; (cat upper.txt; echo end) > end.txt", deps: ["upper.txt"], outs: ["end.txt"] },
];

function project(context, nodes = TWO, rest = {}) {
	const world = new World(context);
	world.write("in.txt", "one\n");
	world.flow(nodes, rest);
	world.good("flow.json");
	return world;
}

const CACHED = { upper: "cached", end: "cached" };

export const tests = [
	{
		name: "unchanged files: nothing runs, also in a saved workflow",
		run(context) {
			const world = project(context);
			assert.deepEqual(world.statuses("flow.json"), CACHED);
			world.good("save", "flow.json", "saved");
			world.good("saved");
			assert.deepEqual(world.statuses("saved"), CACHED);
		},
	},
	{
		name: "W20 every hit tells its age, however it was found",
		run(context) {
			const world = project(context);
			const aged = () => assert.match(world.good("flow.json"), /^✓ Node 'upper' completed \(cached, \d+ms\) · age \S+\n✓ Node 'end' completed \(cached, \d+ms\) · age \S+\n/);
			for (let round = 0; round < 4; round++) aged();
			rmSync(world.database());
			aged();
			rmSync(world.path("upper.txt"));
			assert.match(world.good("flow.json"), /'upper' completed \(cached, \d+ms\)( · restored)? · age/);
		},
	},
	{
		name: "a changed file runs what reads it; the same output again stops it there",
		run(context) {
			const world = project(context);
			world.write("in.txt", "ONE\n");
			assert.deepEqual(world.statuses("flow.json"), { upper: "executed", end: "cached" });
			world.write("in.txt", "two\n");
			const text = world.good("flow.json");
			assert.match(text, /ℹ Node 'upper' dep in\.txt: [0-9a-f]{8} -> [0-9a-f]{8}, re-executing/);
			assert.equal(world.text("end.txt"), "TWO\nend\n");
		},
	},
	{
		name: "A, B and back to A through two nodes ends consistent, without running",
		run(context) {
			const world = project(context);
			world.write("in.txt", "two\n");
			world.good("flow.json");
			world.write("in.txt", "one\n");
			assert.deepEqual(world.statuses("flow.json"), CACHED);
			assert.equal(world.text("upper.txt"), "ONE\n");
			assert.equal(world.text("end.txt"), "ONE\nend\n");
			assert.deepEqual([world.times("upper.count"), world.times("end.count")], [2, 2]);
			assert.deepEqual(world.statuses("flow.json"), CACHED);
		},
	},
	{
		name: "a touched file is no change, an output that is gone comes back, one that was edited too",
		run(context) {
			const world = project(context);
			utimesSync(world.path("in.txt"), 1, 1);
			assert.deepEqual(world.statuses("flow.json"), CACHED);
			rmSync(world.path("upper.txt"));
			rmSync(world.path("end.txt"));
			assert.deepEqual(world.statuses("flow.json"), CACHED);
			assert.equal(world.text("end.txt"), "ONE\nend\n");
			rmSync(world.path("end.txt"));
			writeFileSync(world.path("end.txt"), "mine\n");
			assert.match(world.run("flow.json").stderr, /^readcache: end: the old end\.txt was not made by readcache, so it is kept: \.end\.txt\.readcache-old\.\n$/);
			assert.equal(world.text("end.txt"), "ONE\nend\n");
			assert.equal(world.text(".end.txt.readcache-old"), "mine\n");
			assert.deepEqual([world.times("upper.count"), world.times("end.count")], [1, 1]);
		},
	},
	{
		name: "W23 two projects with one store: the directory is a part of a node with files",
		run(context) {
			const world = new World(context);
			const flow = JSON.stringify({ nodes: [{ id: "here", run: "pwd > here.txt; pwd", outs: ["here.txt"] }] });
			for (const name of ["a", "b", "a"]) {
				const cwd = world.path(name);
				mkdirSync(cwd, { recursive: true });
				writeFileSync(join(cwd, "flow.json"), flow);
				const run = context.run(["flow", "-q", "--store", join(context.dir, "shared"), "./flow.json"], { cwd, env: world.env });
				assert.equal(run.stdout, `${cwd}\n`, run.stderr);
				assert.equal(readFileSync(join(cwd, "here.txt"), "utf8"), `${cwd}\n`);
			}
		},
	},
	{
		name: "W24 files that cannot be meant are told with the workflow, before anything runs",
		run(context) {
			const world = new World(context);
			const first = { id: "first", run: counting("first.count") };
			const MANY = Array.from({ length: 20 }, (_, i) => `m/${i}`);
			mkdirSync(join(world.cwd, "to"));
			symlinkSync("to", join(world.cwd, "lies"));
			for (const [files, told] of [
				[{ outs: ["../x"] }, /is outside of the project/],
				[{ outs: ["."] }, /the project itself cannot be an output/],
				[{ outs: [".pi/readcache/x"] }, /overlaps with the store/],
				[{ deps: ["d"], outs: ["./d"] }, /the output d is also an input/],
				[{ outs: ["d", "d/x"] }, /named twice, or lies in another/],
				[{ outs: [...MANY, "d/x", "d"] }, /the output d is named twice, or lies in another one, or around it: d\/x\./],
				[{ outs: [...MANY, "m/3/x"] }, /the output m\/3\/x is named twice, or lies in another one, or around it: m\/3\./],
				[{ deps: ["m/3/x"], outs: MANY }, /the output m\/3 has an input in it, or on the way to it, .*: m\/3\/x\./],
				[{ deps: MANY, outs: ["m/3/x"] }, /the output m\/3\/x is also an input, or in one: m\/3\./],
				[{ code: ["x/../m/7"], outs: MANY }, /the output m\/7 is also an input, or in one: x\/\.\.\/m\/7\./],
				[{ deps: ["lies/in"], outs: [...MANY, "to"] }, /the output to has an input in it, or on the way to it, .*: lies\/in\./],
				[{ deps: ["lies/in"], outs: [...MANY, "lies"] }, /the output lies has an input in it, or on the way to it, .*: lies\/in\./],
				[{ outs: [...MANY, "lies/x", "to/x"] }, /the output to\/x is named twice, .*: lies\/x\./],
				[{ outs: [...MANY, "lies/x", "lies"] }, /the output lies is named twice, .*: lies\/x\./],
			]) {
				world.flow([first, { id: "bad", run: "true", ...files }], { file: "inner.json" });
				world.flow([first, { id: "sub", type: "flow", run: "./inner.json" }]);
				for (const args of [["inner.json"], ["validate", "inner.json"], ["validate", "flow.json"], ["flow.json"]]) {
					const run = world.run(...args);
					assert.equal(run.status, 2, JSON.stringify(files) + run.stdout);
					assert.match(run.stderr, told);
					assert.match(run.stderr, /inner\.json:1: node 'bad': /);
				}
			}
			assert.equal(world.times("first.count"), 0);
		},
	},
	{
		name: "W25 a look knows that an output with a name like a pattern would be brought back",
		run(context) {
			const world = project(context, [
				{ id: "a", run: "cp in.txt 'o[1]'", deps: ["in.txt"], outs: ["o[1]"] },
				{ id: "b", run: "cp 'o[1]' z", deps: ["o[1]"], outs: ["z"] },
			]);
			for (const name of ["o[1]", "z"]) rmSync(join(world.cwd, name));
			assert.match(world.good("flow.json", "--explain"), / b: cached .*\(output z is gone\)/);
			world.good("flow.json");
			assert.equal(world.text("z"), "one\n");
		},
	},
	{
		name: "W6 params, inputs and values of other nodes are part of a node with files",
		run(context) {
			const nodes = [
				{ id: "v", run: "echo v1" },
				{ id: "make", run: "echo x >> make.count; echo ${params.p} ${inputs.i} ${v.stdout} > out.txt", params: { p: "p1" }, outs: ["out.txt"] },
			];
			const world = project(context, nodes, { inputs: { i: "i1" } });
			assert.equal(world.text("out.txt"), "p1 i1 v1\n");
			world.good("flow.json", "i=i2");
			assert.equal(world.text("out.txt"), "p1 i2 v1\n");
			world.flow([nodes[0], { ...nodes[1], params: { p: "p2" } }], { inputs: { i: "i1" } });
			assert.match(world.good("flow.json", "--explain"), /make: would run \(.*param p: "p1" -> "p2"/);
			world.good("flow.json");
			assert.equal(world.text("out.txt"), "p2 i1 v1\n");
			world.flow([{ id: "v", run: "echo v2" }, { ...nodes[1], params: { p: "p2" } }], { inputs: { i: "i1" } });
			world.good("flow.json");
			assert.equal(world.text("out.txt"), "p2 i1 v2\n");
			assert.equal(world.times("make.count"), 4);
		},
	},
	{
		name: "W7 a node without files behind one with files is done again when that one was",
		run(context) {
			const nodes = [TWO[0], { id: "tell", run: counting("tell.count") }];
			const world = project(context, nodes);
			assert.deepEqual(world.statuses("flow.json"), { upper: "cached", tell: "cached" });
			world.write("in.txt", "two\n");
			assert.deepEqual(world.statuses("flow.json"), { upper: "executed", tell: "executed" });
			world.write("in.txt", "one\n");
			assert.deepEqual(world.statuses("flow.json"), { upper: "cached", tell: "executed" });
			assert.deepEqual(world.statuses("flow.json"), { upper: "cached", tell: "cached" });
		},
	},
	{
		name: "W20 --only of a node with files does not fire the others",
		run(context) {
			const world = project(context);
			world.write("in.txt", "two\n");
			world.good("flow.json", "--only", "end");
			assert.deepEqual([world.times("upper.count"), world.times("end.count")], [1, 2]);
		},
	},
	{
		name: "an output that a command does not make fails the node",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "lazy", run: "true", outs: ["missing.txt"] }]);
			const run = world.run("flow.json");
			assert.equal(run.status, 1);
			assert.match(run.stdout, /✗ Node 'lazy' failed \(.*output/);
			assert.deepEqual(world.metadata().nodes.lazy.status, "failed");
		},
	},
	{
		name: "needs order nodes with files; --jobs runs several at once",
		run(context) {
			const world = new World(context);
			const wait = (mine, other) => `touch ${mine}; n=0; while [ ! -e ${other} ] && [ $n -lt 6000 ]; do sleep 0.01; n=$((n+1)); done; test -e ${other} && echo ok > ${mine}.out`;
			world.flow([
				{ id: "p", run: wait("p", "q"), outs: ["p.out"], needs: [] },
				{ id: "q", run: wait("q", "p"), outs: ["q.out"] },
				{ id: "r", run: ["cat", "p.out", "q.out"], deps: ["p.out", "q.out"] },
			]);
			const { nodes, exit } = world.json("flow.json", "--jobs", "2");
			assert.equal(exit, 0);
			assert.equal(nodes.r.stdout, "ok\nok\n");
		},
	},
	{
		name: "checkout brings outputs back; a file that differs is an error unless it is told what to do",
		run(context) {
			const world = project(context);
			rmSync(world.path("upper.txt"));
			assert.match(world.good("checkout", "flow.json"), /upper\.txt: restored\nend\.txt: unchanged\n/);
			rmSync(world.path("end.txt"));
			writeFileSync(world.path("end.txt"), "mine\n");
			const refused = world.run("checkout", "flow.json");
			assert.equal(refused.status, 1);
			assert.match(refused.stdout, /end\.txt: differs.*--force.*--only-missing/);
			assert.equal(world.text("end.txt"), "mine\n");
			assert.match(world.good("checkout", "flow.json", "--only-missing"), /end\.txt: differs, left alone/);
			const forced = world.run("checkout", "flow.json", "end", "--force");
			assert.deepEqual([forced.status, forced.stdout], [0, "end.txt: restored\n"]);
			assert.equal(forced.stderr, "readcache: end: the old end.txt was not made by readcache, so it is kept: .end.txt.readcache-old.\n");
			assert.equal(world.text(".end.txt.readcache-old"), "mine\n");
			assert.equal(world.text("end.txt"), "ONE\nend\n");
			assert.equal(world.run("checkout", "flow.json", "--force", "--only-missing").status, 2);
			assert.equal(world.run("checkout", "flow.json", "nobody").status, 2);
		},
	},
	{
		name: "B3 checkout --force keeps what is not ours beside what it brings back, and says so",
		run(context) {
			const world = new World(context);
			const said = (name, old) => `readcache: m: the old ${name} was not made by readcache, so it is kept: ${old}.\n`;
			world.write("dep", "d\n");
			world.flow([{ id: "m", run: "mkdir od; cat dep >od/x; sed s/^/f/ dep >of; sed s/^/l/ dep >ol", deps: ["dep"], outs: ["od", "of", "ol"] }]);
			world.good("flow.json");
			writeFileSync(world.path("od/notes"), "my own notes\n");
			rmSync(world.path("of"));
			writeFileSync(world.path("of"), "edited\n");
			let run = world.run("checkout", "flow.json", "--force");
			assert.deepEqual([run.status, run.stdout], [0, "od: restored\nof: restored\nol: unchanged\n"]);
			assert.equal(run.stderr, said("od", ".od.readcache-old") + said("of", ".of.readcache-old"));
			assert.equal(world.text(".od.readcache-old/notes") + world.text(".of.readcache-old"), "my own notes\nedited\n");
			assert.deepEqual([readdirSync(world.path("od")), world.text("of")], [["x"], "fd\n"]);
			// A link that leads to nothing is somebody's too, and needs no --force; what is ours is replaced without a word.
			rmSync(world.path("ol"));
			symlinkSync("nowhere", world.path("ol"));
			run = world.run("checkout", "flow.json");
			assert.deepEqual([run.status, run.stderr], [0, said("ol", ".ol.readcache-old")]);
			assert.deepEqual([readlinkSync(world.path(".ol.readcache-old")), world.text("ol")], ["nowhere", "ld\n"]);
			world.write("dep", "e\n");
			world.good("flow.json");
			const now = world.text("of");
			writeFileSync(world.path("dep"), "d\n");
			world.good("flow.json");
			rmSync(world.path("of"));
			writeFileSync(world.path("of"), now);
			run = world.run("checkout", "flow.json", "--force");
			assert.deepEqual([run.status, run.stderr, world.text("of")], [0, "", "fd\n"]);
			assert.deepEqual(readdirSync(world.cwd).filter((name) => name.includes(".readcache-")).sort(), [".od.readcache-old", ".of.readcache-old", ".ol.readcache-old"]);
		},
	},
	{
		name: "checkout of a node that never ran: a sentence, exit 1",
		run(context) {
			const world = new World(context);
			world.flow(TWO);
			const run = world.run("checkout", "flow.json");
			assert.equal(run.status, 1);
			assert.match(run.stdout, /upper: it has not been run yet/);
		},
	},
	{
		name: "commit takes files as they are; without names the stale ones, one that is missing does not stop the others",
		run(context) {
			const world = project(context);
			assert.equal(world.good("commit", "flow.json"), "");
			world.write("in.txt", "hand\n");
			rmSync(world.path("upper.txt"));
			writeFileSync(world.path("upper.txt"), "BY HAND\n");
			assert.equal(world.good("commit", "flow.json", "upper"), "upper: committed\n");
			assert.deepEqual(world.statuses("flow.json"), { upper: "cached", end: "executed" });
			assert.equal(world.text("end.txt"), "BY HAND\nend\n");

			world.write("in.txt", "again\n");
			rmSync(world.path("upper.txt"));
			const run = world.run("commit", "flow.json", "upper", "end");
			assert.equal(run.status, 1);
			assert.match(run.stderr, /upper: /);
		},
	},
	{
		name: "locks are text for git: sorted, relative, without times; another checkout finds them",
		run(context) {
			const world = project(context);
			const lock = readFileSync(join(world.store, "stages", "flow", "upper.lock"), "utf8");
			assert.match(lock, /in\.txt/);
			assert.ok(!lock.includes(world.cwd));
			assert.ok(existsSync(join(world.store, "stages", "flow", "end.lock")));
		},
	},
];
