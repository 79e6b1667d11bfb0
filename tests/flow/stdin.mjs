// A node's standard input is what another node said: every byte, of any size.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { counting, World } from "./world.mjs";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** A line of the status of the readcache that runs this, in KiB. */
const kib = (line) => `sed -n 's/^${line}:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$PPID/status`;

export const tests = [
	{
		name: "B10 stdin is what was said, with its last newlines and of any bytes",
		run(context) {
			const world = new World(context);
			world.flow([
				{ id: "v", run: "printf 'a\\000b\\n\\n\\n'; printf 'err\\n' >&2" },
				{ id: "out", run: "od -An -c", stdin: "${v.stdout}" },
				{ id: "words", run: ["cat"], stdin: "${v.stderr}" },
				{ id: "stage", run: "cat >copy", stdin: "${v.stdout}", outs: ["copy"] },
				{ id: "gate", type: "gate", run: "grep -q err", stdin: "${v.stderr}" },
				{ id: "none", run: "cat", stdin: "${gate.stdout}" },
				{ id: "items", run: "echo ${batch.item}; cat", stdin: "${words.stdout}", batch: { items: ["1", "2"] } },
			]);
			const { nodes, exit } = world.json("flow.json");
			assert.equal(exit, 0, JSON.stringify(nodes));
			assert.equal(nodes.out.stdout.replace(/ +/g, " "), " a \\0 b \\n \\n \\n\n");
			assert.equal(nodes.words.stdout, "err\n");
			assert.equal(world.text("copy"), "a\0b\n\n\n");
			assert.equal(nodes.none.stdout, "");
			assert.equal(nodes.items.stdout, "1\nerr\n2\nerr\n");
		},
	},
	{
		name: "B10 stdin is an edge, and an input of the key",
		run(context) {
			const world = new World(context);
			const nodes = (text) => [
				{ id: "use", run: counting("use.count", "$(cat)"), stdin: "${v.stdout}" },
				{ id: "stage", run: "cat >copy; echo x >>stage.count", stdin: "${v.stdout}", outs: ["copy"], needs: [] },
				{ id: "shared", run: counting("shared.count", "$(cat)"), stdin: "${v.stdout}", cache: { scope: "cross-run" } },
				{ id: "errs", run: counting("errs.count", "$(cat)"), stdin: "${v.stderr}", cache: { scope: "cross-run" } },
				{ id: "items", run: `${counting("items.count", "$(cat)")} \${batch.item}`, stdin: "${v.stderr}", batch: { items: ["1"] }, cache: { scope: "cross-run" } },
				{ id: "v", run: `echo ${text}; echo E${text} >&2` },
			];
			const counts = () => ["use", "stage", "shared", "errs", "items"].map((id) => world.times(`${id}.count`));
			world.flow(nodes("one"));
			assert.equal(world.json("flow.json").nodes.use.stdout, "one\n", "v comes first");
			assert.deepEqual(new Set(Object.values(world.statuses("flow.json"))), new Set(["cached"]));
			world.flow(nodes("two"));
			const { nodes: two } = world.json("flow.json");
			assert.deepEqual([two.use.stdout, two.shared.stdout, two.errs.stdout, two.items.stdout, world.text("copy")], ["two\n", "two\n", "Etwo\n", "Etwo 1\n", "two\n"]);
			assert.deepEqual(counts(), [2, 2, 2, 2, 2]);
			world.flow(nodes("one"));
			assert.equal(world.json("flow.json").nodes.shared.cacheHit, "cross-run");
			assert.deepEqual(counts(), [3, 2, 2, 2, 2], "what any run may use is found again");
			world.flow(nodes("one").map((node) => (node.id === "use" ? { ...node, stdin: "${v.stderr}" } : node)));
			assert.match(world.good("flow.json", "--explain"), / use: would run \(stdin: \$\{v\.stdout\} -> \$\{v\.stderr\}\)\n/);
			assert.equal(world.json("flow.json").nodes.use.stdout, "Eone\n", "another stream is another node");
			world.flow(nodes("one").map(({ stdin, ...node }) => node));
			assert.equal(world.json("flow.json").nodes.use.stdout, "\n", "and so is none");
		},
	},
	{
		name: "B10 a stdin that is no whole output of a node is refused, with one sentence",
		run(context) {
			const world = new World(context);
			const whole = /"stdin" must be all that one node said, such as "\$\{fetch\.stdout\}" or "\$\{fetch\.stderr\}"\./;
			const refused = (more, pattern, before = [{ id: "v", run: "echo" }]) => {
				world.flow([...before, { id: "use", run: "cat", ...more }]);
				const { status, stdout, stderr } = world.run("flow.json");
				assert.equal(status, 2, stdout);
				assert.match(stderr, pattern);
				assert.equal(stderr.match(/flow\.json:/g).length, 1, stderr);
			};
			for (const stdin of ["v", "", "text", "x ${v.stdout}", "${v.stdout} ", "${v.stdout}${v.stdout}", "${v.stdout.file}", "${v.json}", "${v.json.a}", "${v.exit}", "${HOME}", "$${v.stdout}"])
				refused({ stdin }, whole);
			refused({ stdin: "${params.x}", params: { x: "1" } }, whole);
			for (const stdin of [null, 1, ["${v.stdout}"], { from: "v" }]) refused({ stdin }, /"stdin" must be a string/);
			refused({ stdin: "${w.stdout}" }, /there is no node "w"/);
			refused({ stdin: "${use.stdout}" }, /does not come before|circle/);
			refused({ stdin: "${v.stdout}", type: "agent" }, /"stdin" is for nodes of type "shell" and "gate", this one is "agent"/);
			refused({ stdin: "${v.stdout}", type: "approval", run: undefined }, /this one is "approval"/);
			refused({ stdn: "${v.stdout}" }, /Did you mean "stdin"\?/);
		},
	},
	{
		name: "B10 50 MB pass by stdin unharmed, and take no memory; nothing is left of them",
		run(context) {
			const world = new World(context);
			const asan = readFileSync(context.binary).includes("__asan_init");
			const where = "readlink /proc/self/fd/0 | cut -c1-6";
			world.flow([
				{ id: "v", run: "head -c 50000000 /dev/urandom | tee sent" },
				{ id: "peak", run: kib("VmHWM") },
				{ id: "before", run: `echo 5 >/proc/$PPID/clear_refs; ${kib("VmRSS")}` }, // forgets what was the most
				{ id: "use", run: `cat >got; ${where}`, stdin: "${v.stdout}" },
				{ id: "stage", run: `cat >out; ${where}`, stdin: "${v.stdout}", outs: ["out"] },
				{ id: "most", run: kib("VmHWM") },
				{ id: "end", run: "printf '%s ' ${peak.stdout} ${before.stdout} ${most.stdout} ${use.stdout} ${stage.stdout}" },
			]);
			const [peak, before, most, ...files] = world.good("flow.json", "-q").trim().split(" ");
			const sent = sha256(readFileSync(world.path("sent")));
			assert.deepEqual([sha256(readFileSync(world.path("got"))), sha256(readFileSync(world.path("out")))], [sent, sent]);
			if (!asan) assert.ok(peak < 150_000, `${peak} KiB when it was said and kept: less than three times its size`);
			if (!asan) assert.ok(most - before < 4096, `${before} KiB before, ${most} KiB at most`);
			for (const file of files) assert.notEqual(file, "/memfd", "nor is it in memory elsewhere");
			assert.deepEqual(readdirSync(join(world.store, "tmp")), []);
		},
	},
	{
		name: "B10 a command that does not read its stdin, or not all of it, ends as it ends",
		run(context) {
			const world = new World(context);
			for (const bytes of [100, 300_000, 20_000_000]) {
				world.flow([
					{ id: "v", run: `head -c ${bytes} /dev/zero | tr '\\0' x` },
					{ id: "not", run: "true", stdin: "${v.stdout}" },
					{ id: "some", run: "head -c 3", stdin: "${v.stdout}" },
					{ id: "closed", run: "exec <&-; echo closed", stdin: "${v.stdout}" },
					{ id: "late", run: "sleep .1; wc -c", stdin: "${v.stdout}" },
				]);
				const { nodes, exit } = world.json("flow.json");
				assert.deepEqual([exit, nodes.some.stdout, nodes.closed.stdout, nodes.late.stdout], [0, "xxx", "closed\n", `${bytes}\n`]);
			}
		},
	},
	{
		name: "B10 a store that cannot be written does not keep stdin from a command",
		run(context) {
			const world = new World(context);
			world.write("no-store", "");
			world.flow([{ id: "v", run: "head -c 3000000 /dev/zero" }, { id: "use", run: "wc -c", stdin: "${v.stdout}" }]);
			const { stdout } = context.run(["flow", "flow.json", "-q", "--store", world.path("no-store")], { cwd: world.cwd, env: world.env });
			assert.equal(stdout, "3000000\n");
			rmSync(world.path("no-store"));
		},
	},
];
