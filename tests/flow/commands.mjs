// What is told, and the commands around a run: status, validate, save, clear, settings.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counting, World } from "./world.mjs";

const NODES = [
	{ id: "fetch", run: counting("fetch.count") },
	{ id: "process", run: counting("process.count", "${fetch.stdout} ${params.p}"), params: { p: "1" } },
	{ id: "file", run: "cp in.txt out.txt", deps: ["in.txt"], outs: ["out.txt"] },
];

function project(context, nodes = NODES) {
	const world = new World(context);
	world.write("in.txt", "1");
	world.flow(nodes);
	return world;
}

export const tests = [
	{
		name: "B13 cache status and cache clear of a file are those of flow; clear alone is everything",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "a", run: counting("a.count") }]);
			world.good("flow.json");
			const cache = (...args) => context.run(["cache", ...args], { cwd: world.cwd, env: world.env });
			const without = ({ stdout, ...rest }) => ({ ...rest, stdout: stdout.replace(/\(\S+ ago\)/g, "(ago)") });
			assert.deepEqual(without(cache("status", "flow.json")), without(world.run("status", "flow.json")));
			assert.equal(cache("status", "flow.json", "--exit-code").status, 0);
			assert.equal(cache("--store", world.store, "clear", "flow.json").stdout, "cleared 1 node\n");
			assert.equal(cache("status", "flow.json", "--exit-code").status, 1);
			world.good("flow.json");
			assert.equal(cache("clear", "--all").stdout, "cleared 1 session\n");
			world.good("flow.json");
			assert.equal(world.times("a.count"), 3);
			assert.equal(cache("clear").status, 0);
			world.good("flow.json");
			assert.equal(world.times("a.count"), 4);
		},
	},
	{
		name: "--help begins with examples and tells the exit statuses",
		run(context) {
			const { status, stdout, stderr } = context.run(["flow", "--help"]);
			assert.equal(status, 0);
			assert.equal(stderr, "");
			assert.match(stdout, /^Examples:\n {2}readcache flow/);
			assert.match(stdout, /Exit status:\n {2}0 {2}/);
		},
	},
	{
		name: "what cannot be meant is refused with a sentence",
		run(context) {
			const world = project(context);
			const wrong = {
				"": /say which workflow/,
				"status": /say which workflow/,
				"flow.json other": /"other" is one argument too many; inputs are given as name=value/,
				"statsu flow.json": /"flow.json" is one argument too many\. Did you mean "status"\?/,
				"flow.json --only": /--only needs a value/,
				"flow.json --jobs 0": /"0" is not a number of jobs/,
				"flow.json --jobs many": /"many" is not a number of jobs/,
				"flow.json --rerun nobody": /--rerun: there is no node "nobody"/,
				"flow.json --approve nobody": /--approve: there is no node "nobody"/,
				"flow.json --fast": /there is no option --fast/,
				"save flow.json": /say which file to save, and under which name/,
				"save flow.json status": /is not a command of flow/,
				"save flow.json ../x": /letters, digits/,
			};
			for (const [line, message] of Object.entries(wrong)) {
				const run = world.run(...line.split(" ").filter(Boolean));
				assert.equal(run.status, 2, line);
				assert.match(run.stderr, message);
				assert.match(run.stderr, /^readcache: [^\n]*[.?] See readcache flow --help\.\n$/);
			}
			for (const name of ["absent.json", "./absent", "absent"]) {
				const run = world.run(name);
				assert.equal(run.status, 2);
				assert.match(run.stderr, /absent.*: No such file/);
			}
		},
	},
	{
		name: "W13 the lines of a run, and NO_COLOR or not: no colours without a terminal",
		run(context) {
			const world = project(context);
			const first = world.good("flow.json");
			assert.match(first, /^✓ Node 'fetch' completed \(\d+ms\)\n✓ Node 'process' completed \(\d+ms\)\n✓ Node 'file' completed \(\d+ms\)\n3 nodes: 0 cached, 3 executed \(\d+ms\)\n$/);
			const second = world.good("flow.json");
			assert.match(second, /^✓ Node 'fetch' completed \(cached, \d+ms\) · age /);
			assert.match(second, /\n3 nodes: 3 cached, 0 executed \(\d+ms\)\n$/);
			world.flow(NODES.map((node) => (node.id === "fetch" ? { ...node, run: counting("fetch.count", "new") } : node)));
			const third = world.good("flow.json");
			assert.match(third, /^ℹ Node 'fetch' config changed, re-executing\.\.\..*\n✓ Node 'fetch' completed \(\d+ms\)\nℹ Node 'process' invalidated \(upstream changed\)\n/);
			for (const text of [first, second, third]) assert.doesNotMatch(text, /\x1b/);
		},
	},
	{
		name: "--quiet: only what the last node says",
		run(context) {
			const world = project(context, NODES.slice(0, 2));
			assert.equal(world.good("flow.json", "-q"), "fetch.count 1\n");
			assert.equal(world.good("flow.json", "--quiet"), "fetch.count 1\n");
		},
	},
	{
		name: "W14 status tells of each node whether it is kept, since when, or why not",
		run(context) {
			const world = project(context, [...NODES, { id: "bad", run: "exit 1" }]);
			const before = world.good("status", "flow.json");
			assert.match(before, /^ {2}Workflow: flow\.json\n {2}Cache: .*\/flows\/[0-9a-f]{64}\n\n {2}Nodes:\n {4}✗ fetch {4}not cached \(no record of it yet\)\n/);
			world.run("flow.json");
			const after = world.good("status", "flow.json");
			assert.match(after, / {4}✓ fetch {4}cached \(\d+(ms|s) ago\)\n {4}✓ process {2}cached \(\d+(ms|s) ago\)\n {4}✓ file {5}cached \(\d+(ms|s) ago\)\n {4}✗ bad {6}not cached \(failed\)\n/);
			world.write("in.txt", "2");
			assert.match(world.good("status", "flow.json"), /✗ file {5}not cached \(dep in\.txt: [0-9a-f]+ -> [0-9a-f]+\)/);
		},
	},
	{
		name: "status --exit-code: 1 if something would be done",
		run(context) {
			const world = project(context);
			assert.equal(world.run("status", "flow.json", "--exit-code").status, 1);
			world.good("flow.json");
			assert.equal(world.run("status", "flow.json", "--exit-code").status, 0);
			assert.equal(world.run("flow.json", "--dry-run", "--exit-code").status, 0);
			world.write("in.txt", "2");
			assert.equal(world.run("status", "flow.json", "--exit-code").status, 1);
			assert.equal(world.run("flow.json", "--dry-run", "--exit-code").status, 1);
			assert.equal(world.run("status", "flow.json").status, 0);
		},
	},
	{
		name: "status, validate, --explain and --dry-run change nothing, and are right afterwards too",
		run(context) {
			const world = project(context);
			const asking = [["status", "flow.json"], ["validate", "flow.json"], ["flow.json", "--explain"], ["flow.json", "--dry-run", "--json"], ["status", "flow.json", "--json"]];
			const check = (when) => {
				const before = world.listing();
				const answers = asking.map((args) => world.good(...args));
				assert.deepEqual(world.listing(), before, when);
				return answers;
			};
			check("before the first run");
			assert.ok(!existsSync(world.path(".pi")));
			world.good("flow.json");
			check("just after a run");
			world.write("in.txt", "2");
			check("after an edit");
			assert.match(world.good("flow.json", "--explain"), /file: would run/);
			assert.deepEqual(world.statuses("flow.json"), { fetch: "cached", process: "cached", file: "executed" });
			writeFileSync(world.database(), "junk");
			check("with a damaged state");
		},
	},
	{
		name: "--explain names the file, the parameter, the input, the variable: old and new, but no secrets",
		run(context) {
			const world = new World(context, { env: { TOKEN: "s3cret-old" } });
			const nodes = (p) => [
				{ id: "param", run: ["echo", "${params.lr}"], params: { lr: p }, needs: [] },
				{ id: "input", run: ["echo", "${inputs.topic}"] },
				{ id: "prompt", run: ["echo", "${params.p}"], params: { p: "@./prompt.md" } },
				{ id: "env", run: ["true"], env: ["TOKEN"] },
				{ id: "same", run: ["true"] },
				{ id: "below", run: ["echo", "${param.stdout}"] },
			];
			world.write("prompt.md", "old");
			world.flow(nodes(0.1), { inputs: { topic: "cats" } });
			world.good("flow.json");
			world.flow(nodes(0.2), { inputs: { topic: "cats" } });
			world.write("prompt.md", "new");
			world.env.TOKEN = "s3cret-new";
			const text = world.good("flow.json", "topic=dogs", "--explain");
			assert.match(text, /^ {2}param: would run \(param lr: 0\.1 -> 0\.2\)$/m);
			assert.match(text, /^ {2}input: would run \(param input topic changed\)$/m);
			assert.match(text, /^ {2}prompt: would run \(dep \.\/prompt\.md: [0-9a-f]+ -> [0-9a-f]+\)$/m);
			assert.match(text, /^ {2}env: would run \(env TOKEN changed\)$/m);
			assert.match(text, /^ {2}same: cached · age \S+ \(nothing changed\)$/m);
			assert.match(text, /^ {2}below: would run \(upstream param changed\)$/m);
			assert.doesNotMatch(text, /s3cret/);
		},
	},
	{
		name: "--explain follows what would run: through values, files and workflows inside",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "in", run: ["echo", "${inputs.x}"] }], { file: "inner.json", inputs: { x: null } });
			const nodes = (text) => [
				{ id: "v", run: ["echo", text], needs: [] },
				{ id: "make", run: "echo ${v.stdout} > made.txt", outs: ["made.txt"] },
				{ id: "use", run: ["cat", "made.txt"], deps: ["made.txt"] },
				{ id: "sub", type: "flow", run: "./inner.json", params: { x: "${v.stdout}" } },
				{ id: "free", run: ["true"] },
			];
			world.flow(nodes("1"));
			world.good("flow.json");
			const cached = world.good("flow.json", "--explain");
			for (const id of ["v", "make", "use", "sub", "free"]) assert.match(cached, new RegExp(`^ {2}${id}: cached`, "m"));
			world.flow(nodes("2"));
			const text = world.good("flow.json", "--explain");
			assert.match(text, /^ {2}make: would run \(upstream v changed\)$/m);
			assert.match(text, /^ {2}use: would run \(upstream make changed\)$/m);
			assert.match(text, /^ {2}sub: would run/m);
			assert.match(text, /^ {2}free: cached/m);
			assert.doesNotMatch(text, /not known|failed/);
		},
	},
	{
		name: "--explain and status look at what would be brought back, not at what is gone",
		run(context) {
			const world = new World(context);
			world.write("in.txt", "1\n");
			world.flow([
				{ id: "make", run: "cp in.txt made.txt; mkdir -p tree/sub; cp in.txt tree/sub/a; cp in.txt tree/b", deps: ["in.txt"], outs: ["made.txt", "tree"] },
				{ id: "file", run: "cp made.txt copy.txt", deps: ["made.txt"], outs: ["copy.txt"] },
				{ id: "last", run: "cat copy.txt", deps: ["copy.txt"] },
				{ id: "dir", run: "ls tree", deps: ["tree"] },
				{ id: "below", run: "cat tree/sub/a", deps: ["tree/sub/a"] },
			]);
			world.good("flow.json");
			const cached = { make: "cached", file: "cached", last: "cached", dir: "cached", below: "cached" };
			const spoil = [
				() => {},
				() => rmSync(world.path("made.txt")),
				() => rmSync(world.path("tree"), { recursive: true }),
				() => {
					rmSync(world.path("copy.txt")); // it may be a link to the blob
					world.write("copy.txt", "edited\n");
				},
				() => ["made.txt", "copy.txt", "tree"].forEach((name) => rmSync(world.path(name), { recursive: true })),
			];
			for (const [i, wrong] of spoil.entries()) {
				rmSync(world.path("made.txt"));
				rmSync(world.path("copy.txt"));
				assert.deepEqual(world.statuses("flow.json"), cached);
				wrong();
				const before = world.listing();
				assert.deepEqual(world.statuses("flow.json", "--explain"), cached, `${i}`);
				assert.equal(world.run("status", "flow.json", "--exit-code").status, 0, `${i}`);
				assert.deepEqual(world.listing(), before, "and changes nothing");
				assert.deepEqual(world.statuses("flow.json"), cached, "the run agrees");
			}
			// what cannot be brought back would be made again, and what is behind it
			rmSync(world.path("made.txt"));
			rmSync(join(world.store, "objects"), { recursive: true });
			assert.deepEqual(world.statuses("flow.json", "--explain"), { make: "stale", file: "stale", last: "stale", dir: "stale", below: "stale" });
		},
	},
	{
		name: "what a file says is shown without what a terminal might take for commands",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "a", run: ["true", "\u001b[31mred\n"] }]);
			world.good("flow.json");
			world.flow([{ id: "a", run: ["true", "\u001b[32mgreen\n"] }]);
			for (const text of [world.good("flow.json", "--explain"), world.good("status", "flow.json"), world.good("flow.json")]) assert.doesNotMatch(text, /\x1b/);
		},
	},
	{
		name: "--json: how each node ended, why, and what it said",
		run(context) {
			const world = project(context);
			const first = world.json("flow.json");
			assert.equal(first.status, "completed");
			assert.match(first.run, /^\d{8}-\d{6}-[0-9a-f]{8}$/);
			assert.deepEqual(first.list.map((node) => node.id), ["fetch", "process", "file"]);
			assert.equal(first.nodes.process.stdout, "fetch.count 1\n");
			const second = world.json("flow.json");
			assert.equal(second.nodes.fetch.decision, "reuse");
			assert.equal(second.nodes.fetch.cacheHit, "run");
			assert.equal(typeof second.nodes.fetch.age_ms, "number");
			world.flow([{ id: "bad", run: "echo no >&2; exit 9" }]);
			const bad = world.json("flow.json");
			assert.deepEqual([bad.exit, bad.status, bad.nodes.bad.status, bad.nodes.bad.exit, bad.nodes.bad.stderr], [1, "failed", "failed", 9, "no\n"]);
		},
	},
	{
		name: "validate: all mistakes at once, with file, line and node; exit 2 and nothing on standard output",
		run(context) {
			const world = new World(context);
			world.write("bad.json", '{"nodes":[\n{"id":"a","rum":"x","run":"y"},\n{"id":"b","run":"${c.stdout}"}]}');
			const run = world.run("validate", "bad.json");
			assert.deepEqual([run.status, run.stdout], [2, ""]);
			assert.match(run.stderr, /^readcache: bad\.json:2: node 'a': "rum" is nothing that a node can have\. Did you mean "run"\?$/m);
			world.flow(NODES);
			assert.equal(world.good("validate", "flow.json"), "flow.json: valid, 3 nodes\n");
			assert.deepEqual(JSON.parse(world.good("validate", "flow.json", "--json")), { valid: true, nodes: 3 });
		},
	},
	{
		name: "a bad ttl and members that mean two things are refused",
		run(context) {
			const world = new World(context);
			for (const [node, message] of [
				['{"id":"a","run":"x","cache":{"ttl":"soon"}}', /node 'a': the ttl "soon": /],
				['{"id":"a","run":"x","params":{"p":1,"p":2}}', /node 'a': "params": /],
				['{"id":"a","run":"x","params":{"p":"\\u0000"}}', /node 'a': "params": /],
			]) {
				world.write("flow.json", `{"nodes":[${node}]}`);
				const run = world.run("flow.json");
				assert.equal(run.status, 2, node);
				assert.match(run.stderr, message);
			}
		},
	},
	{
		name: "save keeps a file under a name, and replaces one only if it is told to",
		run(context) {
			const world = project(context, [{ id: "a", run: "echo first" }]);
			assert.match(world.good("save", "flow.json", "mine"), /readcache flow mine\n$/);
			assert.equal(statSync(world.path(".pi/flows/mine.json")).isFile(), true);
			world.flow([{ id: "a", run: "echo second" }]);
			const run = world.run("save", "flow.json", "mine");
			assert.equal(run.status, 2);
			assert.match(run.stderr, /--force replaces it/);
			assert.match(world.good("mine"), /first\n$/);
			world.good("save", "flow.json", "mine", "--force");
			assert.match(world.good("mine"), /second\n$/);
			world.write("flow.json", "{}");
			assert.equal(world.run("save", "flow.json", "broken").status, 2);
			assert.ok(!existsSync(world.path(".pi/flows/broken.json")));
		},
	},
	{
		name: "W15 settings: how long results are used, and sessions turned off",
		run(context) {
			const world = project(context, NODES.slice(0, 2));
			const settings = (value) => {
				mkdirSync(join(world.env.XDG_CONFIG_HOME, "readcache"), { recursive: true });
				writeFileSync(join(world.env.XDG_CONFIG_HOME, "readcache", "config.json"), JSON.stringify(value));
			};
			world.good("flow.json");
			settings({ iterationMode: "off" });
			assert.deepEqual(world.statuses("flow.json"), { fetch: "executed", process: "executed" });
			assert.deepEqual(world.statuses("flow.json"), { fetch: "executed", process: "executed" });
			settings({ iterationMode: "on" });
			assert.deepEqual(world.statuses("flow.json"), { fetch: "cached", process: "cached" });
			settings({ ttl: "1ms" });
			assert.deepEqual(world.statuses("flow.json"), { fetch: "executed", process: "executed" });
			settings({ ttl: "48h" });
			assert.deepEqual(world.statuses("flow.json"), { fetch: "cached", process: "cached" });
		},
	},
	{
		name: "what a failed command wrote is shown without what a terminal might take for commands",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "bad", run: "printf '\\033[31mred\\n' >&2; exit 1" }]);
			const run = world.run("flow.json");
			assert.doesNotMatch(run.stdout, /\x1b/);
			assert.match(run.stdout, /\\x1b\[31mred/);
		},
	},
	{
		name: "only the last lines of what a failed command wrote are shown",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "bad", run: "seq 1 100 >&2; exit 1" }]);
			const lines = world.run("flow.json").stdout.split("\n").filter((line) => line.startsWith("    "));
			assert.deepEqual(lines, Array.from({ length: 20 }, (_, i) => `    ${81 + i}`));
			world.flow([{ id: "bad", run: "printf 'no newline'; exit 1" }]);
			assert.match(world.run("flow.json").stdout, /\n {4}no newline\n/);
		},
	},
];
