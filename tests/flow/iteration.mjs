// The session of a workflow file: what is done again from run to run, and what is not.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counting, World } from "./world.mjs";

const THREE = [
	{ id: "a", run: counting("a.count") },
	{ id: "b", run: counting("b.count", "${a.stdout}-b") },
	{ id: "c", run: counting("c.count", "${b.stdout}-c") },
];

/** A workflow that has been run once. */
function done(context, nodes = THREE, rest = {}, world = new World(context)) {
	world.flow(nodes, rest);
	world.good("./flow.json");
	return world;
}

/** The same nodes with some of them changed. */
function changed(nodes, changes) {
	return nodes.map((node) => ({ ...node, ...changes[node.id] }));
}

const ALL_CACHED = { a: "cached", b: "cached", c: "cached" };

export const tests = [
	{
		name: "W1 a workflow given as a path is remembered, in every spelling; a saved name is not",
		run(context) {
			const world = done(context);
			for (const spelling of ["flow.json", "./flow.json", world.path("flow.json")])
				assert.deepEqual(world.statuses(spelling), ALL_CACHED, spelling);
			assert.equal(world.times("a.count"), 1);

			world.good("save", "flow.json", "nightly");
			for (let round = 2; round <= 3; round++) {
				assert.deepEqual(world.statuses("nightly"), { a: "executed", b: "executed", c: "executed" });
				assert.equal(world.times("c.count"), round);
			}
			assert.deepEqual(world.statuses("flow.json"), ALL_CACHED);
		},
	},
	{
		name: "W1 a file without .json is a path only with a slash",
		run(context) {
			const world = done(context);
			copyFileSync(world.path("flow.json"), world.path("flow"));
			world.good("./flow");
			assert.deepEqual(world.statuses("./flow"), ALL_CACHED);
			const run = world.run("flow");
			assert.equal(run.status, 2);
			assert.match(run.stderr, /flow: .*no saved workflow of that name.*\.\/flow\.json/);
		},
	},
	{
		name: "W2 a link leads to the same session, a moved file has a new one",
		run(context) {
			const world = done(context);
			symlinkSync("flow.json", world.path("link.json"));
			assert.deepEqual(world.statuses("link.json"), ALL_CACHED);
			renameSync(world.path("flow.json"), world.path("moved.json"));
			assert.deepEqual(world.statuses("moved.json"), { a: "executed", b: "executed", c: "executed" });
		},
	},
	{
		name: "W3 the metadata: path, hash, times, and of each node its hash, how and when it ended",
		run(context) {
			const before = Date.now();
			const world = new World(context);
			world.flow([...THREE, { id: "bad", run: "echo why >&2; exit 3" }]);
			assert.equal(world.run("flow.json").status, 1);
			const metadata = world.metadata();
			assert.equal(metadata.workflow_path, world.path("flow.json"));
			assert.match(metadata.workflow_hash, /^[0-9a-f]{64}$/);
			for (const time of ["created_at", "last_accessed"]) {
				const ms = Date.parse(metadata[time]);
				assert.ok(ms >= before && ms <= Date.now(), metadata[time]);
			}
			assert.deepEqual(Object.keys(metadata.nodes), ["a", "b", "c", "bad"]);
			for (const id of ["a", "b", "c"]) {
				const node = metadata.nodes[id];
				assert.equal(node.status, "completed");
				assert.match(node.config_hash, /^[0-9a-f]{64}$/);
				assert.ok(Date.parse(node.cached_at) >= before);
			}
			assert.equal(metadata.nodes.bad.status, "failed");
			assert.match(metadata.nodes.bad.error, /exit status 3/);
		},
	},
	{
		name: "W4 a record has the node, its type, what it said and how long it took; any bytes come back",
		run(context) {
			const world = done(context, [
				{ id: "binary", run: "printf 'a\\000\\377\\n'; printf err >&2" },
				{ id: "size", run: ["true"] },
			]);
			const node = world.metadata().nodes.binary;
			assert.equal(node.type, "shell");
			assert.equal(typeof node.execution_time_ms, "number");
			const record = JSON.parse(readFileSync(join(world.store, "memo", `${node.record}.json`), "utf8"));
			assert.equal(record.phase, "binary");
			assert.equal(record.stderr ?? record.errors, "err");
			for (let round = 0; round < 2; round++) {
				const { nodes } = world.json("flow.json");
				assert.equal(nodes.binary.status, "cached");
				assert.deepEqual(Buffer.from(nodes.binary.stdout_base64, "base64"), Buffer.from([0x61, 0, 0xff, 0x0a]));
				assert.equal(nodes.binary.stderr, "err");
			}
		},
	},
	{
		name: "W5 order of members, purpose, declarations and lines of the file do not count; type, params and batch do",
		run(context) {
			const node = { id: "a", type: "shell", run: counting("count", "${params.x}"), params: { x: "1", y: { p: 1, q: 2 } } };
			const world = done(context, [node], { inputs: { unused: "1" } });
			const config = () => world.metadata().nodes.a.config_hash;
			const before = config();

			world.write("flow.json", `\n\n{"inputs":{"other":{"default":"2","purpose":"p"}},"nodes":[\n{"params":{"y":{"q":2,"p":1},"x":"1"},\n"purpose":"new","run":${JSON.stringify(node.run)},"id":"a"}]}`);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached" });
			assert.equal(config(), before);

			for (const change of [{ params: { x: "2", y: { p: 1, q: 2 } } }, { params: { x: "1", y: { p: 1, q: 3 } } }, { batch: { items: [1] } }, { type: "agent" }]) {
				world.flow([{ ...node, ...change }]);
				assert.deepEqual(world.statuses("flow.json"), { a: "executed" }, JSON.stringify(change));
				assert.notEqual(config(), before);
			}
			assert.equal(world.times("count"), 5);
		},
	},
	{
		name: "W6 another input value, an edited prompt file and an edited workflow inside are changes",
		run(context) {
			const world = new World(context);
			world.write("prompt.md", "Say it.");
			world.flow([{ id: "in", run: counting("in.count", "v1") }], { file: "inner.json" });
			world.flow(
				[
					{ id: "input", run: counting("input.count", "${inputs.topic}"), needs: [] },
					{ id: "prompt", run: ["sh", "-c", 'echo x >> prompt.count; printf %s "$1"', "sh", "${params.p}"], params: { p: "@./prompt.md" } },
					{ id: "sub", type: "flow", run: "./inner.json" },
					{ id: "other", run: counting("other.count") },
				],
				{ inputs: { topic: "cats" } },
			);
			world.good("flow.json");
			assert.deepEqual(world.statuses("flow.json"), { input: "cached", prompt: "cached", sub: "cached", other: "cached" });

			assert.deepEqual(world.statuses("flow.json", "topic=dogs"), { input: "executed", prompt: "cached", sub: "cached", other: "cached" });
			assert.equal(world.json("flow.json", "topic=dogs").nodes.input.stdout, "dogs\n");

			world.write("prompt.md", "Shout it.");
			const answer = world.json("flow.json", "topic=dogs");
			assert.equal(answer.nodes.prompt.status, "executed");
			assert.equal(answer.nodes.prompt.stdout, "Shout it.");
			assert.equal(answer.nodes.other.status, "cached");

			world.flow([{ id: "in", run: counting("in.count", "v2") }], { file: "inner.json" });
			const after = world.json("flow.json", "topic=dogs");
			assert.equal(after.nodes.sub.status, "executed");
			assert.equal(after.nodes.sub.stdout, "v2\n");
			assert.equal(after.nodes.other.status, "cached");
		},
	},
	{
		name: "W7 what comes behind a change is done again, what comes before is not",
		run(context) {
			const world = done(context);
			world.flow(changed(THREE, { b: { run: counting("b.count", "new") } }));
			const text = world.good("flow.json");
			assert.match(text, /✓ Node 'a' completed \(cached, /);
			assert.match(text, /ℹ Node 'b' config changed, re-executing\.\.\./);
			assert.match(text, /ℹ Node 'c' invalidated \(upstream changed\)\n✓ Node 'c' completed \(\d/);
			assert.deepEqual([world.times("a.count"), world.times("b.count"), world.times("c.count")], [1, 2, 2]);

			world.flow(changed(THREE, { b: { run: counting("b.count", "new") }, c: { run: counting("c.count", "z") } }));
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "cached", c: "executed" });
		},
	},
	{
		name: "W7 a node that is added, removed or moved before others is a change for them",
		run(context) {
			const plain = ["a", "b", "c"].map((id) => ({ id, run: counting(`${id}.count`) }));
			const [a, b, c] = plain;
			const world = done(context, plain);
			world.flow([a, { id: "new", run: "true" }, b, c]);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", new: "executed", b: "executed", c: "executed" });
			world.flow([a, c]);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", c: "executed" });
			world.flow([c, a]);
			assert.deepEqual(world.statuses("flow.json"), { c: "executed", a: "executed" });
		},
	},
	{
		name: "W7 with needs only the nodes above count",
		run(context) {
			const nodes = [
				{ id: "a", run: counting("a.count"), needs: [] },
				{ id: "b", run: counting("b.count") },
				{ id: "c", run: counting("c.count"), needs: ["a"] },
			];
			const world = done(context, nodes);
			world.flow(changed(nodes, { b: { run: "echo new" } }));
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "executed", c: "cached" });
			world.flow([nodes[2], nodes[0]]);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", c: "cached" });
			world.flow(changed([nodes[0], nodes[2]], { a: { run: "echo new" } }));
			assert.deepEqual(world.statuses("flow.json"), { a: "executed", c: "executed" });
		},
	},
	{
		name: "W22 with cutoff other errors are another result",
		run(context) {
			const world = new World(context);
			world.flow([
				{ id: "a", run: "echo same; cat errors >&2", cutoff: true, cache: { fingerprint: ["file:errors"] } },
				{ id: "b", run: "echo ${a.stderr}" },
			]);
			for (const text of ["one", "two"]) {
				world.write("errors", text);
				assert.equal(world.good("flow.json", "-q"), `${text}\n`);
			}
		},
	},
	{
		name: "W7 with cutoff the same result again changes nothing behind it",
		run(context) {
			const nodes = [
				{ id: "a", run: "echo 1; true first" },
				{ id: "b", run: counting("b.count", "${a.stdout}") },
			];
			const world = done(context, changed(nodes, { a: { cutoff: true } }));
			world.flow(changed(nodes, { a: { cutoff: true, run: "echo 1; true second" } }));
			assert.deepEqual(world.statuses("flow.json"), { a: "executed", b: "cached" });
			world.flow(changed(nodes, { a: { cutoff: true, run: "echo 2" } }));
			assert.deepEqual(world.statuses("flow.json"), { a: "executed", b: "executed" });

			const other = done({ ...context, dir: `${context.dir}/project` }, nodes);
			other.flow(changed(nodes, { a: { run: "echo 1; true second" } }));
			assert.deepEqual(other.statuses("flow.json"), { a: "executed", b: "executed" });
		},
	},
	{
		name: "W8 a result is used for 24 hours, or as long as its ttl says",
		run(context) {
			const nodes = [
				{ id: "day", run: counting("day.count"), needs: [] },
				{ id: "hour", run: counting("hour.count"), needs: [], cache: { ttl: "1h" } },
			];
			const world = done(context, nodes, {}, new World(context).nameStore());
			const age = (id, hours) => {
				const file = join(world.store, "memo", `${world.metadata().nodes[id].record}.json`);
				const record = JSON.parse(readFileSync(file, "utf8"));
				const { sum: _, ...rest } = record;
				writeFileSync(file, JSON.stringify({ ...rest, createdAt: record.createdAt - hours * 3600 * 1000 }));
			};
			age("day", 23);
			age("hour", 2);
			assert.deepEqual(world.statuses("flow.json"), { day: "cached", hour: "executed" });
			age("day", 2);
			const text = world.good("flow.json");
			assert.match(text, /ℹ Node 'day' its record is older than the ttl, re-executing/);
			assert.deepEqual([world.times("day.count"), world.times("hour.count")], [2, 2]);
		},
	},
	{
		name: "W9 only success is kept; after a failure the nodes before it are not done again",
		run(context) {
			const world = new World(context);
			const fails = { id: "c", run: "echo x >> c.count; echo cause >&2; exit 7" };
			world.flow([...THREE.slice(0, 2), fails, { id: "d", run: counting("d.count") }]);
			for (let round = 1; round <= 2; round++) {
				const run = world.run("flow.json");
				assert.equal(run.status, 1);
				assert.match(run.stdout, /✗ Node 'c' failed \(exit status 7, \d+ms\)\n {4}cause\n/);
				assert.match(run.stdout, /1 not reached/);
				assert.equal(world.times("c.count"), round);
			}
			assert.deepEqual([world.times("a.count"), world.times("b.count"), world.times("d.count")], [1, 1, 0]);
			world.flow([...THREE.slice(0, 2), { id: "c", run: "echo fine" }, { id: "d", run: counting("d.count") }]);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "cached", c: "executed", d: "executed" });
		},
	},
	{
		name: "W9 a run that is killed keeps what was done before",
		run(context) {
			const world = new World(context);
			world.flow([THREE[0], { id: "kill", run: "kill -9 $PPID; sleep 1" }]);
			assert.equal(world.run("flow.json").status, "SIGKILL");
			world.flow([THREE[0], { id: "kill", run: "true" }]);
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", kill: "executed" });
		},
	},
	{
		name: "W10 a node with effects is not repeated",
		run(context) {
			const world = done(context, [{ id: "mail", run: counting("sent"), effects: true }, { id: "after", run: "echo ${mail.stdout}" }]);
			for (let round = 0; round < 3; round++) world.good("flow.json");
			assert.equal(world.times("sent"), 1);
			world.flow([{ id: "mail", run: counting("sent"), effects: true }, { id: "after", run: "echo changed ${mail.stdout}" }]);
			world.good("flow.json");
			assert.equal(world.times("sent"), 1);
		},
	},
	{
		name: "W11 a batch is kept as a whole; a change of its items does all of them again",
		run(context) {
			const batch = (items) => [
				{ id: "list", run: "echo '[\"p\",\"q\"]'" },
				{ id: "each", run: counting("each.count", "${batch.index}:${batch.item}"), batch: { items } },
				{ id: "join", run: ["echo", "${each.json.1}", "${each.stdout}"] },
			];
			const world = done(context, batch(["a", { k: 2 }, "c d"]));
			let answer = world.json("flow.json");
			assert.equal(answer.nodes.each.status, "cached");
			assert.deepEqual(answer.nodes.each.json, ["0:a", '1:{"k":2}', "2:c d"]);
			assert.equal(answer.nodes.join.stdout, '1:{"k":2} 0:a\n1:{"k":2}\n2:c d\n');
			assert.equal(world.times("each.count"), 3);

			world.flow(batch(["a", { k: 2 }, "c d", "e"]));
			assert.equal(world.json("flow.json").nodes.each.status, "executed");
			assert.equal(world.times("each.count"), 7);

			world.flow(batch("${list.json}"));
			answer = world.json("flow.json");
			assert.deepEqual(answer.nodes.each.json, ["0:p", "1:q"]);
		},
	},
	{
		name: "W11 a batch whose item fails has failed, and is not kept",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "each", run: "echo x >> n; test ${batch.item} != 2", batch: { items: [1, 2, 3] } }]);
			assert.equal(world.run("flow.json").status, 1);
			assert.equal(world.run("flow.json").status, 1);
			assert.equal(world.times("n"), 4);
		},
	},
	{
		name: "W12 a node with a new id is new; the old one is kept until the session is cleared",
		run(context) {
			const world = done(context);
			world.flow(THREE.map((node) => (node.id === "c" ? { ...node, id: "renamed" } : node)));
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "cached", renamed: "executed" });
			assert.deepEqual(Object.keys(world.metadata().nodes).sort(), ["a", "b", "c", "renamed"]);
			world.flow(THREE);
			assert.deepEqual(world.statuses("flow.json"), ALL_CACHED);
			assert.match(world.good("clear", "flow.json"), /^cleared 4 nodes\n$/);
			assert.deepEqual(world.statuses("flow.json"), { a: "executed", b: "executed", c: "executed" });
		},
	},
	{
		name: "W16 everything that is kept is private, whatever the umask",
		run(context) {
			const world = done(context);
			const look = (dir) => {
				for (const entry of readdirSync(dir, { withFileTypes: true })) {
					const path = join(dir, entry.name);
					const mode = statSync(path).mode & 0o777;
					assert.equal(mode & 0o077, 0, `${path} ${mode.toString(8)}`);
					if (entry.isDirectory()) look(path);
				}
			};
			assert.equal(statSync(world.store).mode & 0o777, 0o700);
			look(join(world.store, "flows"));
			look(join(world.store, "memo"));
			assert.equal(statSync(join(world.session(), "metadata.json")).mode & 0o777, 0o600);
		},
	},
	{
		name: "W16 a damaged session or record costs work, never an answer",
		run(context) {
			const world = done(context);
			const file = join(world.session(), "metadata.json");
			for (const damage of ["", "{", "[]", '{"v":1}', '{"v":99,"nodes":{}}', '{"v":1,"nodes":{"a":{"status":"completed"}}}']) {
				writeFileSync(file, damage);
				assert.deepEqual(world.statuses("flow.json"), { a: "executed", b: "executed", c: "executed" }, damage);
				assert.deepEqual(world.statuses("flow.json"), ALL_CACHED);
			}
			const record = join(world.store, "memo", `${world.metadata().nodes.b.record}.json`);
			writeFileSync(record, readFileSync(record, "utf8").replace("-b", "-X"));
			assert.deepEqual(world.statuses("flow.json"), { a: "cached", b: "executed", c: "executed" });
		},
	},
	{
		name: "W19 a circle is refused before anything runs",
		run(context) {
			const world = new World(context);
			world.flow([
				{ id: "first", run: counting("first.count") },
				{ id: "a", run: counting("a.count"), needs: ["c"] },
				{ id: "b", run: "true", needs: ["a"] },
				{ id: "c", run: "true", needs: ["b"] },
			]);
			for (const args of [["flow.json"], ["validate", "flow.json"], ["status", "flow.json"]]) {
				const run = world.run(...args);
				assert.equal(run.status, 2);
				assert.match(run.stderr, /in a circle: [abc] -> [abc] -> [abc] -> [abc]\./);
			}
			assert.equal(world.times("first.count"), 0);
		},
	},
	{
		name: "W20 --rerun does a node again and what comes behind it, --no-cache all; both keep the results",
		run(context) {
			const world = done(context);
			assert.deepEqual(world.statuses("flow.json", "--rerun", "b"), { a: "cached", b: "executed", c: "executed" });
			assert.deepEqual(world.statuses("flow.json", "--no-cache"), { a: "executed", b: "executed", c: "executed" });
			assert.deepEqual(world.statuses("flow.json"), ALL_CACHED);
			assert.equal(world.times("b.count"), 3);
		},
	},
	{
		name: "W20 a node with scope off is done in every run, and nothing of it is kept",
		run(context) {
			const nodes = [
				{ id: "queue", run: counting("queue.count"), cache: { scope: "off" }, needs: [] },
				{ id: "alone", run: counting("alone.count"), needs: [] },
				{ id: "behind", run: counting("behind.count"), needs: ["queue"] },
			];
			const world = done(context, nodes);
			assert.deepEqual(world.statuses("flow.json"), { queue: "executed", alone: "cached", behind: "executed" });
			assert.equal(world.metadata().nodes.queue, undefined);
			assert.match(world.good("flow.json", "--explain"), /queue: would run \(its scope is off\)/);
		},
	},
	{
		name: "W20 every hit tells its age",
		run(context) {
			const world = done(context);
			const text = world.good("flow.json");
			for (const id of ["a", "b", "c"]) assert.match(text, new RegExp(`✓ Node '${id}' completed \\(cached, \\d+ms\\) · age \\d+(ms|s|m)\n`));
		},
	},
	{
		name: "W20 --only runs one node on the results of the others and never fires them",
		run(context) {
			const world = done(context);
			world.flow(changed(THREE, { a: { run: counting("a.count", "changed") } }));
			const { nodes, exit } = world.json("flow.json", "--only", "c");
			assert.equal(exit, 0);
			assert.equal(nodes.c.stdout, "a.count-b-c\n");
			assert.deepEqual([world.times("a.count"), world.times("b.count"), world.times("c.count")], [1, 1, 2]);
			assert.equal(world.run("flow.json", "--only", "nobody").status, 2);
		},
	},
	{
		name: "W20 --only says so if there is no result to work on",
		run(context) {
			const world = new World(context);
			world.flow(THREE);
			const run = world.run("flow.json", "--only", "c");
			assert.equal(run.status, 2);
			assert.match(run.stderr, /no result of 'b' in the session; run the whole workflow first/);
			assert.equal(world.times("c.count"), 0);
			world.good("save", "flow.json", "saved");
			assert.match(world.run("saved", "--only", "a").stderr, /a saved workflow has none/);
		},
	},
	{
		name: "the state database is only an accelerator: without it the answers are the same",
		run(context) {
			const world = done(context);
			const file = world.database();
			writeFileSync(file, "junk");
			assert.deepEqual(world.statuses("flow.json"), ALL_CACHED);
			rmSync(file, { force: true });
			assert.deepEqual(world.statuses("flow.json"), ALL_CACHED);
		},
	},
];
