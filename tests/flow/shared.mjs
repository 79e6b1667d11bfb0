// Results for any run: scope cross-run, its keys, its limits.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counting, World } from "./world.mjs";

const SHARED = { scope: "cross-run" };

/** One workflow, in two files. */
function pair(context, nodes, rest = {}) {
	const world = new World(context);
	world.flow(nodes, { ...rest, file: "one.json" });
	world.flow(nodes, { ...rest, file: "two.json" });
	return world;
}

export const tests = [
	{
		name: "B12 a project that moves, or is cloned, finds its shared results; a directory below it has its own",
		run(context) {
			const world = new World(context);
			mkdirSync(world.path("below"));
			world.flow([{ id: "v", run: counting("v.count", "$(basename $PWD)"), cache: { scope: "cross-run" } }]);
			world.good("flow.json");
			renameSync(world.cwd, `${world.cwd}-moved`);
			world.cwd += "-moved";
			const { v } = world.json("flow.json").nodes;
			assert.deepEqual([v.status, v.cacheHit, v.stdout], ["cached", "cross-run", "project\n"]);
			const below = context.run(["flow", "../flow.json", "--json", "--store", world.path(".pi", "readcache")], { cwd: world.path("below"), env: world.env });
			assert.equal(JSON.parse(below.stdout).nodes[0].stdout, "below\n");
		},
	},
	{
		name: "T4 a cross-run node is not done again by another workflow file; the hit says so, with its age",
		run(context) {
			const world = pair(context, [{ id: "a", run: counting("count", "result"), cache: SHARED }, { id: "b", run: "echo got ${a.stdout}" }]);
			world.good("one.json");
			const text = world.good("two.json");
			assert.match(text, /✓ Node 'a' CACHED \(cross-run · age \d+(ms|s)\)\n/);
			assert.match(text, /got result\n$/);
			assert.equal(world.times("count"), 1);
			world.good("clear", "--all");
			const { nodes } = world.json("one.json");
			assert.equal(nodes.a.cacheHit, "cross-run");
			assert.equal(nodes.b.cacheHit, null);
			assert.equal(world.json("one.json").nodes.b.cacheHit, "run");
		},
	},
	{
		name: "what a batch takes from another node's errors is in its key",
		run(context) {
			const world = new World(context);
			const nodes = (text) => [{ id: "v", run: `echo ${text} >&2` }, { id: "use", run: "echo ${batch.item} ${v.stderr}", batch: { items: [1] }, cache: SHARED }];
			for (const text of ["one", "two"]) {
				world.flow(nodes(text));
				assert.equal(world.json("flow.json").nodes.use.stdout, `1 ${text}\n`);
			}
		},
	},
	{
		name: "T25 within its session it is just cached",
		run(context) {
			const world = pair(context, [{ id: "a", run: counting("count"), cache: SHARED }]);
			world.good("one.json");
			assert.match(world.good("one.json"), /✓ Node 'a' completed \(cached, \d+ms\) · age/);
		},
	},
	{
		name: "T3 a run-only node is done again by another file, a saved workflow does all again",
		run(context) {
			const world = pair(context, [{ id: "a", run: counting("count") }]);
			world.good("one.json");
			world.good("two.json");
			assert.equal(world.times("count"), 2);
		},
	},
	{
		name: "T4 cross-run works for saved workflows",
		run(context) {
			const world = pair(context, [{ id: "a", run: counting("count"), cache: SHARED }]);
			world.good("save", "one.json", "saved");
			world.good("saved");
			world.good("saved");
			assert.equal(world.times("count"), 1);
		},
	},
	{
		name: "T17 what goes into the key: id, name of the workflow, command, params, values above, environment",
		run(context) {
			const base = { id: "a", run: counting("count", "${params.p} ${top.stdout}"), params: { p: "1" }, env: ["MOOD"], cache: SHARED, needs: ["top"] };
			const top = { id: "top", run: "echo t1" };
			const variants = [
				[[top, base], {}],
				[[top, { ...base, id: "other" }], {}],
				[[top, base], { name: "named" }],
				[[top, { ...base, run: `${base.run} ` }], {}],
				[[top, { ...base, params: { p: "2" } }], {}],
				[[{ ...top, run: "echo t2" }, base], {}],
			];
			const world = new World(context);
			variants.forEach(([nodes, rest], i) => {
				world.flow(nodes, { ...rest, file: `f${i}.json` });
				world.good(`f${i}.json`);
				assert.equal(world.times("count"), i + 1, `variant ${i}`);
			});
			world.env.MOOD = "good";
			world.good("f0.json");
			assert.equal(world.times("count"), variants.length + 1);
			world.flow([top, { ...base, purpose: "x", cutoff: true, cache: { ...SHARED, ttl: "9d" } }], { file: "again.json" });
			world.good("again.json");
			assert.equal(world.times("count"), variants.length + 1);
		},
	},
	{
		name: "T14 the ttl of a cross-run node bounds the age of what it takes",
		run(context) {
			const nodes = [{ id: "a", run: counting("count"), cache: { ...SHARED, ttl: "1h" } }];
			const world = pair(context, nodes);
			world.good("one.json");
			const dir = join(world.store, "memo");
			for (const name of readdirSync(dir).filter((file) => /^[0-9a-f]{64}\.json$/.test(file))) {
				const { sum: _, ...record } = JSON.parse(readFileSync(join(dir, name), "utf8"));
				writeFileSync(join(dir, name), JSON.stringify({ ...record, createdAt: record.createdAt - 2 * 3600 * 1000 }));
			}
			world.good("two.json");
			assert.equal(world.times("count"), 2);
		},
	},
	{
		name: "T6 fingerprints: what they name is part of the key; an unknown one is refused",
		run(context) {
			const world = new World(context);
			mkdirSync(world.path("src"));
			world.write("src/x.c", "1");
			world.flow([{ id: "a", run: counting("count"), cache: { ...SHARED, fingerprint: ["glob!:src/**", "env:MODE"] } }]);
			world.good("flow.json");
			world.good("flow.json");
			assert.equal(world.times("count"), 1);
			world.write("src/x.c", "2");
			assert.match(world.good("flow.json"), /fingerprint|glob!:src/);
			assert.equal(world.times("count"), 2);
			world.env.MODE = "fast";
			world.good("flow.json");
			assert.equal(world.times("count"), 3);
			for (const wrong of ["glib:x", "glob:", "x"]) {
				world.flow([{ id: "a", run: "true", cache: { fingerprint: [wrong] } }]);
				const run = world.run("flow.json");
				assert.equal(run.status, 2, wrong);
				assert.match(run.stderr, /node 'a': the fingerprint/);
			}
		},
	},
	{
		name: "T13 a fingerprint that cannot be resolved: the node works, and nothing is kept",
		run(context) {
			const world = new World(context);
			mkdirSync(world.path("dir"));
			world.flow([{ id: "a", run: counting("count"), cache: { ...SHARED, fingerprint: ["file:dir"] } }]);
			world.good("flow.json");
			world.good("flow.json");
			assert.equal(world.times("count"), 2);
			assert.match(world.good("flow.json", "--explain"), /fingerprint file:dir cannot be resolved/);
		},
	},
	{
		name: "T24 escapes: --no-cache, scope off, clear with a count",
		run(context) {
			const world = pair(context, [{ id: "a", run: counting("count"), cache: SHARED }]);
			world.good("one.json");
			world.good("two.json", "--no-cache");
			assert.equal(world.times("count"), 2);
			world.good("two.json");
			assert.equal(world.times("count"), 2);
			assert.match(world.good("clear", "two.json"), /^cleared 1 node\n$/);
			assert.match(world.good("clear", "two.json"), /^cleared 0 nodes\n$/);
			assert.match(world.good("clear", "--all"), /^cleared 1 session\n$/);
		},
	},
	{
		name: "T26 a workflow inside that is cross-run is not entered on a hit; its content counts, to any depth",
		run(context) {
			const world = new World(context);
			const outer = (file) => world.flow([{ id: "sub", type: "flow", run: "./middle.json", params: { who: "me" }, cache: SHARED }], { file });
			world.flow([{ id: "deep", type: "flow", run: "./inner.json" }, { id: "mid", run: counting("mid.count", "${inputs.who}: ${deep.stdout}") }], { file: "middle.json", inputs: { who: null } });
			world.write("note.md", "n1");
			world.flow([{ id: "in", run: ["sh", "-c", 'echo x >> in.count; printf %s "$0"', "${params.t}"], params: { t: "@./note.md" } }], { file: "inner.json" });
			outer("one.json");
			outer("two.json");
			assert.match(world.good("one.json"), /me: n1\n$/);
			const text = world.good("two.json");
			assert.match(text, /✓ Node 'sub' CACHED \(cross-run/);
			assert.doesNotMatch(text, /sub\/mid/);
			assert.deepEqual([world.times("mid.count"), world.times("in.count")], [1, 1]);

			world.write("note.md", "n2");
			assert.match(world.good("two.json"), /me: n2\n$/);
			assert.equal(world.times("in.count"), 2);
		},
	},
	{
		name: "T23 a store that cannot be written: the work is done, and that is said",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "a", run: counting("count", "fine") }]);
			world.write("file", "");
			const run = world.run("flow.json", "--store", world.path("file"));
			assert.equal(run.status, 0, run.stderr);
			assert.match(run.stdout, /fine\n$/);
			assert.match(run.stderr, /a: its result could not be kept/);
			assert.equal(world.text("file"), "");
		},
	},
	{
		name: "T23 of many results that cannot be kept the first is told, and how many they are",
		run(context) {
			const world = new World(context);
			const stage = (id) => ({ id, run: `echo x > ${id}.out`, outs: [`${id}.out`], needs: [] });
			world.flow([stage("a"), { id: "b", run: "echo b", needs: [] }, stage("c"), { id: "d", run: "echo d", needs: [] }]);
			world.write("file", "");
			const run = world.run("flow.json", "--store", world.path("file"));
			assert.equal(run.status, 0, run.stderr);
			const told = run.stderr.trim().split("\n");
			assert.match(told[0], /^readcache: a: the output a\.out cannot be kept \(.*\), so the command will be run again\.$/);
			assert.deepEqual(told.slice(1), ["readcache: flow.json: 4 results could not be kept; they will be made again next time."]);
		},
	},
	{
		name: "T23 of many locks that cannot be written, and outputs that are secrets, a few are told",
		run(context) {
			const world = new World(context);
			const stage = (id) => ({ id: `n${id}`, run: `echo x > ${id}.pem`, outs: [`${id}.pem`], needs: [] });
			world.flow(Array.from({ length: 30 }, (_, i) => stage(i)));
			mkdirSync(world.path("kept"));
			world.write("kept/stages", "");
			const run = world.run("flow.json", "--store", world.path("kept"));
			assert.equal(run.status, 0, run.stderr);
			const told = (what) => run.stderr.split("\n").filter((line) => what.test(line)).length;
			assert.equal(told(/: the lock of n\d+ cannot be written, so its result is found by its record only\.$/), 1);
			assert.equal(told(/: the output \d+\.pem looks like a secret/), 10);
			assert.equal(told(/./), 11, run.stderr);
		},
	},
];
