// Values: templates, what they become in commands, agents, workflows inside.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { counting, World } from "./world.mjs";

const NASTY = "$(touch pwned) `touch pwned`; touch pwned # ' \" \\ * ${HOME} é";

export const tests = [
	{
		name: "a value is data in a shell's text, in every kind of quotes",
		run(context) {
			const world = new World(context);
			world.write("nasty", NASTY);
			world.flow([
				{ id: "v", run: ["cat", "nasty"] },
				{ id: "double", run: 'printf %s "<${v.stdout}>"' },
				{ id: "single", run: "printf %s '<${v.stdout}>'" },
				{ id: "argv", run: ["printf", "%s", "<${v.stdout}>"] },
				{ id: "inside", run: "f() { printf '%s' \"<${v.stdout}>\"; }; f other" },
				{ id: "bare", run: "set -f; printf '%s|' ${v.stdout}" },
			]);
			const { nodes } = world.json("flow.json");
			for (const id of ["double", "single", "argv", "inside"]) assert.equal(nodes[id].stdout, `<${NASTY}>`, id);
			assert.equal(nodes.bare.stdout, NASTY.split(" ").map((word) => `${word}|`).join(""));
			assert.throws(() => world.text("pwned"));
		},
	},
	{
		name: "what a reference can stand for: stdout without its last newlines, stderr, exit, values in JSON",
		run(context) {
			const world = new World(context);
			world.flow(
				[
					{ id: "v", run: "printf '{\"a\":[10,{\"b\":\"x y\"}],\"t\":true}\\n\\n'; echo oops >&2" },
					{ id: "use", run: ["echo", "${v.exit}", "${v.stderr}", "${v.json.a.1.b}", "${v.json.a.0}", "${v.json.a}", "${v.json.t}", "${inputs.i}", "${params.p.q}", "$${v.exit}"], params: { p: { q: "deep ${inputs.i}" } } },
				],
				{ inputs: { i: "in" } },
			);
			assert.equal(world.json("flow.json").nodes.use.stdout, '0 oops x y 10 [10,{"b":"x y"}] true in deep in ${v.exit}\n');
		},
	},
	{
		name: "a reference that leads nowhere fails the node, with a sentence",
		run(context) {
			const world = new World(context);
			for (const [reference, message] of [
				["${v.json.nothing}", /\$\{v\.json\.nothing\}: there is nothing of that name in it/],
				["${w.json.a}", /\$\{w\.json\.a\}: what was said is not valid JSON/],
			]) {
				world.flow([{ id: "v", run: "echo '{}'" }, { id: "w", run: "echo text" }, { id: "use", run: ["echo", reference] }]);
				const run = world.run("flow.json");
				assert.equal(run.status, 1, reference);
				assert.match(run.stdout, message);
			}
		},
	},
	{
		name: "a file that a parameter names and that is not there fails the node",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "use", run: ["echo", "${params.p}"], params: { p: "@./absent.md" } }]);
			const run = world.run("flow.json");
			assert.equal(run.status, 1);
			assert.match(run.stdout, /cannot read \.\/absent\.md/);
			world.write("absent.md", "here");
			assert.match(world.good("flow.json"), /here\n$/);
		},
	},
	{
		name: "inputs: a missing one, an unknown one with what was meant, one given twice",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "a", run: "echo ${inputs.topic}" }], { inputs: { topic: null } });
			for (const [args, message] of [
				[[], /the input "topic" has no default: give it as name=value/],
				[["topik=x"], /has no input "topik"\. Did you mean "topic"\?/],
				[["topic=1", "topic=2"], /the input "topic" is given twice/],
			]) {
				const run = world.run("flow.json", ...args);
				assert.equal(run.status, 2);
				assert.match(run.stderr, message);
			}
			assert.match(world.good("flow.json", "topic=a=b c"), /a=b c\n$/);
		},
	},
	{
		name: "an agent is answered by its command, which reads the request; or by the host's",
		run(context) {
			const world = new World(context);
			world.write("answer", '#!/bin/sh\necho x >> asked\nsed "s/.*\\"prompt\\":\\"\\([^\\"]*\\)\\".*/answer to \\1/"\n');
			chmodSync(world.path("answer"), 0o755);
			world.flow([{ id: "ask", type: "agent", params: { prompt: "why ${inputs.x}" } }], { inputs: { x: "a" } });
			const run = world.run("flow.json");
			assert.equal(run.status, 1);
			assert.match(run.stdout, /nobody answers it.*READCACHE_AGENT/);

			world.env.READCACHE_AGENT = "./answer";
			assert.match(world.good("flow.json"), /answer to why a\n$/);
			world.good("flow.json");
			assert.equal(world.times("asked"), 1);
			world.good("flow.json", "x=b");
			assert.equal(world.times("asked"), 2);
			world.env.READCACHE_AGENT = "echo other";
			assert.match(world.good("flow.json", "x=b"), /other\n$/);

			world.flow([{ id: "ask", type: "agent", run: ["./answer"], params: { prompt: "own" } }]);
			assert.match(world.good("flow.json"), /answer to own\n$/);
		},
	},
	{
		name: "B13 the context of an agent is read into its request, and asked about again when it changed",
		run(context) {
			const world = new World(context);
			for (const [name, text] of [["a.md", "one"], ["b.md", "two"], ["c.txt", "three"]]) world.write(name, text);
			const node = { id: "ask", type: "agent", run: "echo x >> asked; cat", context: ["*.md", "./a.md", "none/**"] };
			world.flow([node]);
			const request = () => JSON.parse(world.json("flow.json").nodes.ask.stdout);
			assert.deepEqual(request().context, [{ path: "a.md", text: "one" }, { path: "b.md", text: "two" }]);
			world.write("c.txt", "other");
			assert.equal(request().context.length, 2);
			assert.equal(world.times("asked"), 1);
			world.write("b.md", "other");
			assert.match(world.good("flow.json", "--explain"), /ask: would run \(glob!:\*\.md: /);
			assert.equal(request().context[1].text, "other");
			world.write("d.md", "four");
			assert.equal(request().context.length, 3);
			assert.equal(world.times("asked"), 3);
			// what another node makes is made first
			world.flow([{ ...node, context: ["./made/*"], needs: [] }, { id: "make", run: "mkdir made; echo hi > made/x", outs: ["made"] }]);
			assert.deepEqual(request().context, [{ path: "made/x", text: "hi\n" }]);
			world.flow([{ id: "no", run: "true", context: ["*.md"] }]);
			assert.match(world.run("flow.json").stderr, /node 'no': "context" is for nodes of type "agent"/);
		},
	},
	{
		name: "a workflow inside: params are its inputs, its last node is its value, its failure is the node's",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "x", run: counting("x.count", "[${inputs.who}]") }, { id: "y", run: "echo y ${x.stdout}" }], { file: "inner.json", inputs: { who: null } });
			world.flow([{ id: "sub", type: "flow", run: "./inner.json", params: { who: "${inputs.me}" } }, { id: "end", run: "echo end ${sub.stdout}" }], { inputs: { me: "cat" } });
			const text = world.good("flow.json");
			assert.match(text, /✓ Node 'sub\/x' completed/);
			assert.match(text, /end y \[cat\]\n$/);
			assert.match(world.good("flow.json"), /✓ Node 'sub' completed \(cached/);
			assert.equal(world.times("x.count"), 1);

			world.flow([{ id: "x", run: "exit 5" }], { file: "inner.json" });
			world.flow([{ id: "sub", type: "flow", run: "./inner.json" }]);
			const run = world.run("flow.json");
			assert.equal(run.status, 1);
			assert.match(run.stdout, /✗ Node 'sub\/x' failed \(exit status 5/);
			assert.match(run.stdout, /✗ Node 'sub' failed \(the workflow inside failed/);
		},
	},
	{
		name: "a workflow that runs itself, also through others, is refused",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "b", type: "flow", run: "./b.json" }], { file: "a.json" });
			world.flow([{ id: "a", type: "flow", run: "./a.json" }], { file: "b.json" });
			const run = world.run("validate", "a.json");
			assert.equal(run.status, 2);
			assert.match(run.stderr, /node 'a': a workflow cannot run itself/);
		},
	},
	{
		name: "a workflow inside whose nodes read files is entered in every run: they decide",
		run(context) {
			const world = new World(context);
			world.write("in.txt", "1");
			world.flow([{ id: "copy", run: "cp in.txt out.txt; echo copied", deps: ["in.txt"], outs: ["out.txt"] }], { file: "inner.json" });
			world.flow([{ id: "sub", type: "flow", run: "./inner.json" }, { id: "end", run: counting("end.count") }]);
			world.good("flow.json");
			assert.deepEqual(world.statuses("flow.json"), { sub: "cached", "sub/copy": "cached", end: "cached" });
			world.write("in.txt", "2");
			assert.deepEqual(world.statuses("flow.json"), { sub: "executed", "sub/copy": "executed", end: "executed" });
			assert.equal(world.text("out.txt"), "2");
		},
	},
	{
		name: "a value that no command can take is told",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "v", run: "printf 'a\\000b'" }, { id: "use", run: ["echo", "${v.stdout}"] }]);
			assert.match(world.run("flow.json").stdout, /holds a NUL, which no command can take/);
			world.flow([{ id: "v", run: "head -c 200000 /dev/zero | tr '\\0' x" }, { id: "use", run: ["echo", "${v.stdout}"] }]);
			assert.match(world.run("flow.json").stdout, /larger than 128 KiB.*use "stdin", or \$\{node\.stdout\.file\}/);
		},
	},
	{
		name: "B10 a value of any size and of any bytes reaches a command as a file, byte for byte",
		run(context) {
			const world = new World(context);
			const nodes = (make) => [
				{ id: "v", run: make },
				{ id: "words", run: ["wc", "-c", "${v.stdout.file}"] },
				{ id: "shell", run: "wc -c < '${v.stdout.file}'; echo x >> shell.count" },
				{ id: "err", run: ["cat", "${v.stderr.file}"] },
				{ id: "stage", run: "cp ${v.stdout.file} copy", outs: ["copy"] },
				{ id: "shared", run: ["sha256sum", "${v.stdout.file}"], cache: { scope: "cross-run" } },
			];
			const make = "head -c 300000 /dev/zero; printf 'end\\n\\n'; echo oops >&2";
			world.flow(nodes(make));
			const { nodes: first } = world.json("flow.json");
			assert.match(first.words.stdout, /^300005 \.pi\/readcache\/tmp\/[0-9a-f]+\n$/);
			assert.equal(first.shell.stdout, "300005\n");
			assert.equal(first.err.stdout, "oops\n");
			assert.equal(readFileSync(world.path("copy")).length, 300005);
			// the same value is the same command, in another run too; looking makes no file
			for (const name of readdirSync(join(world.store, "tmp"))) rmSync(join(world.store, "tmp", name));
			const before = world.listing();
			assert.deepEqual(new Set(Object.values(world.statuses("flow.json", "--explain"))), new Set(["cached"]));
			assert.deepEqual(world.listing(), before);
			const again = world.statuses("flow.json", "--rerun", "v");
			assert.deepEqual([again.v, again.stage, again.shared, world.times("shell.count")], ["executed", "cached", "cached", 2]);
			world.flow(nodes(make.replace("end", "END")));
			assert.equal(world.json("flow.json").nodes.stage.status, "executed");
			world.flow([{ id: "v", run: "true" }, { id: "w", run: ["echo", "${v.exit.file}"] }]);
			assert.equal(world.run("flow.json").status, 2);
		},
	},
	{
		name: "commands run in the current directory, wherever the workflow lies",
		run(context) {
			const world = new World(context);
			mkdirSync(world.path("flows"));
			world.flow([{ id: "where", run: "pwd" }], { file: "flows/f.json" });
			assert.equal(world.json("flows/f.json").nodes.where.stdout, `${world.cwd}\n`);
		},
	},
];
