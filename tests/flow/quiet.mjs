// The glance: a run that finds nothing to do leaves a note, and the next one looks at nothing else. It must see every
// change all the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { World } from "./world.mjs";

const NODES = [
	{ id: "one", run: "echo x >> one.count; cat in.txt helper.sh > one.txt; echo ${inputs.i}", deps: ["in.txt"], code: ["helper.sh"], outs: ["one.txt"], env: ["MODE"] },
	{ id: "two", run: "echo x >> two.count; cp one.txt two.txt; echo said", deps: ["one.txt"], outs: ["two.txt"] },
];

const pause = () => new Promise((done) => setTimeout(done, 40));

/** A workflow that has left its note. */
async function quiet(context, nodes = NODES) {
	const world = new World(context, { env: { MODE: "a" } });
	world.write("in.txt", "in\n");
	world.write("helper.sh", "helper\n");
	world.flow(nodes, { inputs: { i: "1" } });
	for (let round = 0; round < 3; round++) {
		world.good("flow.json");
		await pause();
	}
	world.note = join(world.session(), "quiet");
	return world;
}

/** What a run says, without times. */
function said(text) {
	return text.replaceAll(/\d+(\.\d)?(ms|s|m)/g, "T");
}

/** Each makes something different from what was noted; gives the nodes that must then run, or come back. */
const CHANGES = {
	"a dependency": (world) => (world.write("in.txt", "IN\n"), ["one", "two"]),
	"a dependency, of the same size and with its old time": (world) => {
		const { atime, mtime } = statSync(world.path("in.txt"));
		world.write("in.txt", "on\n");
		utimesSync(world.path("in.txt"), atime, mtime);
		return ["one", "two"];
	},
	"a dependency, by another file in its place": (world) => {
		world.write("new.txt", "on\n");
		renameSync(world.path("new.txt"), world.path("in.txt"));
		return ["one", "two"];
	},
	"a dependency that is a link now": (world) => {
		world.write("other.txt", "on\n");
		rmSync(world.path("in.txt"));
		symlinkSync("other.txt", world.path("in.txt"));
		return ["one", "two"];
	},
	"code": (world) => (world.write("helper.sh", "HELPER\n"), ["one", "two"]),
	"a variable": (world) => ((world.env.MODE = "b"), ["one"]),
	"a variable that is gone": (world) => (delete world.env.MODE, ["one"]),
	"the workflow": (world) => {
		world.flow([NODES[0], { ...NODES[1], run: `${NODES[1].run} again` }], { inputs: { i: "1" } });
		return ["two"];
	},
	"an input's default": (world) => (world.flow(NODES, { inputs: { i: "2" } }), ["one"]),
};

/** Nodes that copy a file each, and one that puts them together. */
const COPIES = ["a", "b", "c"].map((id) => ({ id, run: ["./copy.sh", `${id}.in`, `${id}.out`], deps: [`${id}.in`], outs: [`${id}.out`], needs: [] }));
const TOGETHER = { id: "all", run: "cat a.out b.out c.out > all.out; echo all", deps: ["a.out", "b.out", "c.out"], outs: ["all.out"] };

async function copies(context, nodes = [...COPIES, TOGETHER], prepare = () => {}) {
	const world = new World(context);
	prepare(world);
	world.write("copy.sh", '#!/bin/sh\necho "$1" >> ran\ncp "$1" "$2"\n');
	chmodSync(world.path("copy.sh"), 0o755);
	for (const id of ["a", "b", "c"]) world.write(`${id}.in`, `${id}\n`);
	world.flow(nodes);
	for (let round = 0; round < 3; round++) {
		await pause();
		world.good("flow.json");
	}
	await pause();
	rmSync(world.path("ran"));
	return world;
}

const ran = (world) => (existsSync(world.path("ran")) ? world.text("ran").trim().split("\n") : []);

/** The copies that a run asks for: a glance does not follow links. Leaks cannot be looked for in a traced process. */
function asked(world) {
	const trace = world.path("trace");
	execFileSync("strace", ["-f", "-qq", "-e", "trace=newfstatat", "-o", trace, binary(), "flow", "flow.json"], { cwd: world.cwd, env: { PATH: process.env.PATH, ASAN_OPTIONS: "detect_leaks=0", ...world.env }, stdio: "ignore" });
	const names = readFileSync(trace, "utf8").matchAll(/"(\w)\.in", [^"]*, 0\) = 0/g);
	rmSync(trace);
	return [...new Set([...names].map(([, name]) => name))].sort();
}

export const tests = [
	{
		name: "of a changed leaf only those are asked that may have to do with it",
		async run(context) {
			const world = await copies(context);
			for (const round of [1, 2]) {
				world.write("b.in", `changed ${round}\n`);
				await pause();
				assert.deepEqual(asked(world), ["b"], `round ${round}`);
				assert.equal(world.text("all.out"), `a\nchanged ${round}\nc\n`);
			}
			assert.deepEqual(ran(world), ["b.in", "b.in"]);
			await pause();
			// It is noted when a run has not even read it.
			let last = ["b"];
			for (let round = 0; round < 5 && last.length > 0; round++) {
				last = asked(world);
				await pause();
			}
			assert.deepEqual(last, [], "nothing is asked any more");
		},
	},
	{
		name: "a program that is another one: whoever has it is asked, also after a run that did not come to it",
		async run(context) {
			const broken = { id: "broken", run: "test ! -e stop && cp a.in broken.out", deps: ["a.in"], outs: ["broken.out"], needs: ["c"] };
			const later = { ...COPIES[1], run: ["./other.sh", "b.in", "b.out"], needs: ["broken"] };
			const script = (how) => `#!/bin/sh\n${how} < b.in > b.out\n`;
			writeFileSync(join(context.dir, "other.sh"), script("cat"), { mode: 0o755 });
			const world = await copies(context, [COPIES[2], broken, later, { id: "end", run: "cp b.out end.out", deps: ["b.out"], outs: ["end.out"] }], (world) => {
				copyFileSync(join(context.dir, "other.sh"), world.path("other.sh"));
			});
			// c is noted anew by a run that fails before it comes to b.
			world.write("c.in", "c\n");
			await pause();
			world.good("flow.json");
			world.write("stop", "");
			world.write("a.in", "changed\n");
			await pause();
			assert.notEqual(world.run("flow.json").status, 0);
			rmSync(world.path("stop"));
			world.write("other.sh", script("tr a-z A-Z"));
			await pause();
			world.good("flow.json");
			assert.equal(world.text("end.out"), "B\n");
		},
	},
	{
		name: "B6 a program that a node of the same run makes: who runs it is asked, also if another node comes between",
		async run(context) {
			const script = (text) => `#!/bin/sh\necho ${text} >out\n`;
			const ways = { program: "./tool", interpreter: "./start", PATH: "named" };
			for (const [what, word] of Object.entries(ways)) {
				const dir = join(context.dir, what);
				mkdirSync(dir);
				const world = new World({ ...context, dir });
				world.env.PATH = `${world.path("first")}:${world.path("second")}:${process.env.PATH}`;
				for (const name of ["first", "second"]) mkdirSync(world.path(name));
				writeFileSync(world.path("start"), "#!./tool\n", { mode: 0o755 });
				writeFileSync(world.path("second/named"), script("one"), { mode: 0o755 });
				world.write("other.in", "x\n");
				world.flow([
					{ id: "make", run: "cat in >tool; chmod 755 tool; ! grep -q two in || cp tool first/named", deps: ["in"], outs: ["tool"] },
					{ id: "other", run: "cat other.in >other.out", deps: ["other.in"], outs: ["other.out"], needs: ["make"] },
					{ id: "use", run: [word], outs: ["out"], needs: ["other"] },
					{ id: "end", run: "cat out >end", deps: ["out"], outs: ["end"] },
				]);
				for (const text of ["one", "two"]) {
					world.write("in", script(text));
					for (let round = 0; round < 3; round++) {
						world.good("flow.json", "--jobs", "2");
						assert.equal(world.text("end"), `${text}\n`, `${what}, round ${round}`);
						await pause();
					}
				}
			}
		},
	},
	{
		name: "B6 a program that PATH finds first since then: it may be run now, its link leads to it, it is in an empty entry",
		async run(context) {
			const changes = {
				"a file that may be run now": (world) => chmodSync(world.path("first/tool"), 0o755),
				"a link that leads to it now": (world) => writeFileSync(world.path("target"), program("first"), { mode: 0o755 }),
				"an empty entry": (world) => writeFileSync(world.path("tool"), program("first"), { mode: 0o755 }),
			};
			const program = (text) => `#!/bin/sh\necho ${text} >o\n`;
			for (const [what, change] of Object.entries(changes)) {
				const dir = join(context.dir, what);
				mkdirSync(dir);
				const world = new World({ ...context, dir });
				for (const name of ["first", "second"]) mkdirSync(world.path(name));
				writeFileSync(world.path("second/tool"), program("second"), { mode: 0o755 });
				if (what === "a file that may be run now") writeFileSync(world.path("first/tool"), program("first"));
				if (what === "a link that leads to it now") symlinkSync("../target", world.path("first/tool"));
				world.env.PATH = `${world.path("first")}:${what === "an empty entry" ? ":" : ""}${world.path("second")}:${process.env.PATH}`;
				world.write("dep", "d\n");
				world.flow([{ id: "m", run: ["tool"], deps: ["dep"], outs: ["o"] }]);
				for (let round = 0; round < 3; round++) {
					await pause();
					world.good("flow.json");
				}
				assert.equal(world.text("o"), "second\n");
				change(world);
				world.good("flow.json");
				assert.equal(world.text("o"), "first\n", what);
			}
		},
	},
	{
		name: "what a run saw when it began counts until it does something: a node may write what another one reads, unsaid",
		async run(context) {
			// Its record is lost, so a works again although its files are as noted; c has changed.
			const sly = { ...COPIES[0], run: ["./sly.sh", "a.in", "a.out"] };
			const taking = { ...COPIES[2], params: { v: "${a.stdout}" }, needs: ["a", "b"] };
			const world = await copies(context, [sly, { ...COPIES[1], needs: ["a"] }, taking, TOGETHER], (world) => {
				writeFileSync(world.path("sly.sh"), '#!/bin/sh\necho "$1" >> ran\ncp "$1" "$2"\ntest ! -e now || echo sly > b.in\n', { mode: 0o755 });
			});
			assert.ok(existsSync(join(world.session(), "quiet")));
			for (const name of readdirSync(join(world.store, "memo"))) rmSync(join(world.store, "memo", name));
			world.write("now", "");
			world.write("c.in", "changed\n");
			await pause();
			world.good("flow.json");
			assert.deepEqual(ran(world), ["a.in", "b.in", "c.in"]);
			assert.equal(world.text("all.out"), "a\nsly\nchanged\n");
		},
	},
	{
		name: "a file with a time to come is asked for in every run",
		async run(context) {
			const world = await copies(context, COPIES);
			const soon = new Date(Date.now() + 3_600_000);
			utimesSync(world.path("b.in"), soon, soon);
			for (let round = 0; round < 4; round++) {
				await pause();
				assert.ok(asked(world).includes("b"), `round ${round}`);
			}
			assert.deepEqual(ran(world), []);
		},
	},
	{
		name: "a session that is lost is noted again, also by nodes that are passed at a glance",
		async run(context) {
			const world = await copies(context);
			rmSync(join(world.session(), "metadata.json"));
			world.write("b.in", "changed\n");
			await pause();
			world.good("flow.json");
			assert.deepEqual(Object.keys(world.metadata().nodes).sort(), ["a", "all", "b", "c"]);
			assert.deepEqual(ran(world), ["b.in"]);
		},
	},
	{
		name: "a node that failed when it was done again has ended well when a run says so",
		async run(context) {
			const world = await copies(context, [...COPIES, { id: "check", run: "test ! -e stop", deps: ["a.out"] }]);
			world.write("stop", "");
			assert.equal(world.run("flow.json", "--rerun", "check").status, 1);
			assert.equal(world.metadata().nodes.check.status, "failed");
			rmSync(world.path("stop"));
			assert.match(world.good("flow.json"), /✓ Node 'check' completed/);
			assert.equal(world.metadata().nodes.check.status, "completed");
		},
	},
	{
		name: "a value that is another one reaches a node whose files are the same",
		async run(context) {
			const value = { id: "value", run: "cat v.txt", cache: { fingerprint: ["file:v.txt"] } };
			const taking = { id: "taking", run: "echo x >> taking.count; echo $READCACHE_PARAM_V > t.out", params: { v: "${value.stdout}" }, deps: ["in.txt"], outs: ["t.out"] };
			const end = { id: "end", run: "cp t.out end.out", deps: ["t.out"], outs: ["end.out"] };
			const world = new World(context);
			world.write("v.txt", "one\n");
			world.write("in.txt", "in\n");
			world.flow([value, taking, end]);
			for (let round = 0; round < 3; round++) {
				await pause();
				world.good("flow.json");
			}
			assert.equal(world.times("taking.count"), 1);
			world.write("v.txt", "two\n");
			await pause();
			world.good("flow.json");
			assert.equal(world.times("taking.count"), 2);
		},
	},
	{
		name: "the note is left, and the run that uses it says the same",
		async run(context) {
			const world = await quiet(context);
			assert.ok(existsSync(world.note));
			const glanced = world.good("flow.json");
			rmSync(world.note);
			assert.equal(said(glanced), said(world.good("flow.json")));
			assert.match(glanced, /^✓ Node 'one' completed \(cached, \d+ms\) · age \d+(ms|s)\n✓ Node 'two' .*\n2 nodes: 2 cached, 0 executed \(\d+ms\)\nsaid\n$/);
			assert.equal(world.good("flow.json", "-q"), "said\n");
			assert.deepEqual([world.times("one.count"), world.times("two.count")], [1, 1]);
		},
	},
	{
		name: "a run with the note changes nothing",
		async run(context) {
			const world = await quiet(context);
			// But for the table of who reads the state now.
			const files = () => world.listing().filter((line) => !line.includes("/state.mdb-lock "));
			world.good("flow.json");
			const before = files();
			world.good("flow.json");
			assert.deepEqual(files(), before);
		},
	},
	...Object.entries(CHANGES).map(([what, change]) => ({
		name: `the glance sees ${what}`,
		async run(context) {
			const world = await quiet(context);
			const ran = change(world);
			const text = world.good("flow.json");
			for (const id of ["one", "two"]) assert.equal(/completed \(cached/.test(text.match(new RegExp(`✓ Node '${id}'.*`))[0]), !ran.includes(id), `${id}: ${text}`);
			assert.equal(world.text("two.txt"), world.text("in.txt") + world.text("helper.sh"));
		},
	})),
	{
		name: "the glance sees an input that is given",
		async run(context) {
			const world = await quiet(context);
			assert.match(world.good("flow.json", "i=3"), /✓ Node 'one' completed \(\d+ms\)/);
			assert.match(world.good("flow.json", "i=1"), /✓ Node 'one' completed \(cached/);
		},
	},
	{
		name: "the glance sees outputs that are gone or edited, and locks that are gone",
		async run(context) {
			const world = await quiet(context);
			rmSync(world.path("one.txt"));
			world.good("flow.json");
			assert.equal(world.text("one.txt"), "in\nhelper\n");
			for (let round = 0; round < 3; round++) {
				await pause();
				world.good("flow.json");
			}
			rmSync(world.path("two.txt"));
			world.write("two.txt", "edited by hand\n");
			assert.equal(world.run("flow.json").status, 0);
			assert.equal(world.text("two.txt"), "in\nhelper\n");
			await pause();
			world.good("flow.json");
			rmSync(join(world.store, "stages"), { recursive: true });
			world.good("flow.json");
			assert.ok(existsSync(join(world.store, "stages", "flow", "one.lock")));
		},
	},
	{
		name: "the glance sees that the record of what was said is gone",
		async run(context) {
			const world = await quiet(context);
			for (const name of readdirSync(join(world.store, "memo"))) rmSync(join(world.store, "memo", name));
			assert.match(world.good("flow.json"), /✓ Node 'two' completed \(\d+ms\)/);
		},
	},
	{
		name: "--no-cache, --rerun and --explain do not glance",
		async run(context) {
			const world = await quiet(context);
			assert.match(world.good("flow.json", "--rerun", "two"), /✓ Node 'two' completed \(\d+ms\)/);
			assert.match(world.good("flow.json", "--no-cache"), /2 nodes: 0 cached, 2 executed/);
			assert.match(world.good("flow.json", "--explain"), /one: cached/);
		},
	},
	{
		name: "a note that is damaged, cut or another workflow's is none",
		async run(context) {
			const world = await quiet(context);
			const whole = readFileSync(world.note);
			const notes = [Buffer.alloc(0), whole.subarray(0, whole.length - 1), Buffer.concat([whole, Buffer.from([0])])];
			for (const at of [0, 20, 60, whole.length - 3]) {
				const flipped = Buffer.from(whole);
				flipped[at] ^= 1;
				notes.push(flipped);
			}
			for (const note of notes) {
				writeFileSync(world.note, note);
				assert.match(world.good("flow.json"), /2 nodes: 2 cached, 0 executed/);
			}
			copyFileSync(world.path("flow.json"), world.path("copy.json"));
			const other = world.session(world.path("copy.json"));
			mkdirSync(other);
			writeFileSync(join(other, "quiet"), whole);
			assert.match(world.good("copy.json"), /2 nodes: 0 cached, 2 executed/);
		},
	},
	{
		name: "no note for a workflow whose nodes must be asked: without files, with patterns, a ttl or a fingerprint",
		async run(context) {
			for (const [i, change] of [{ deps: ["*.txt"] }, { cache: { ttl: "1h" } }, { cache: { fingerprint: ["env:X"] } }, { cache: { scope: "off" } }, { deps: [], code: [], outs: [] }].entries()) {
				const dir = `${context.dir}/${i}`;
				mkdirSync(dir);
				const world = await quiet({ ...context, dir }, [{ ...NODES[0], ...change }]);
				assert.ok(!existsSync(world.note), JSON.stringify(change));
			}
		},
	},
	{
		name: "clearing the session clears the note",
		async run(context) {
			const world = await quiet(context);
			world.good("clear", "flow.json");
			assert.ok(!existsSync(world.session()));
		},
	},
];
