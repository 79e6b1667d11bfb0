// A stage is killed, or a system call of it fails, at every step: the next run says "run again" or "restore", and what
// it gives is right.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, inject, injector } from "../torture/inject.mjs";
import { Project, STRIDE } from "./project.mjs";

/** The steps at which something is to happen: others in each scene. */
const steps = (n, salt) => Array.from({ length: n }, (_, i) => i + 1).filter((i) => i % STRIDE === salt % STRIDE);

/** Two stages, the second reads what the first makes: a file and a directory. */
const first = (p) => ["-n", "first", "--dep", "a", "--out", "b", "--out", "d", ...p.shell("cat a >b; mkdir -p d; cat a >d/x; cat a")];
const second = (p) => ["-n", "second", "--dep", "b", "--dep", "d", "--out", "c", ...p.shell("cat b d/x >c; cat c")];

const play = (p, args) => ({ args: ["run", ...args], input: "", cwd: p.dir, env: { HOME: p.dir, XDG_CONFIG_HOME: p.dir, XDG_STATE_HOME: p.state } });

/** What the first run after a kill may have to tell: old outputs that came back, half made ones that are kept. */
const PUT_RIGHT = /^readcache: (\S+ is back as it was before a run that was killed|the old \S+ was not made by readcache, so it is kept: \S+)\.$/;

/** After whatever has happened: both stages give what their inputs say, and the second time they need not run for it. */
function isConsistent(p, what) {
	const text = p.read("a");
	let runs;
	for (const round of [1, 2]) {
		runs = p.count();
		const { status, stdout, stderr } = p.run(first(p));
		const told = stderr.split("\n").filter((line) => line !== "" && !(round === 1 && PUT_RIGHT.test(line)));
		assert.deepEqual([status, stdout, told], [0, text, []], `${what}: first, round ${round}`);
		assert.deepEqual(p.run(second(p)), { status: 0, stdout: text + text, stderr: "" }, `${what}: second, round ${round}`);
		assert.deepEqual([p.read("b"), p.read("d/x"), p.read("c")], [text, text, text + text], what);
	}
	assert.equal(p.count(), runs, `${what}: reused`);
}

/** How the tree is when it happens, and what is asked for then. */
const scenes = {
	"a first run": (p) => p.write("a", "one\n"),
	"a run over an old result": (p) => {
		p.write("a", "one\n");
		p.does(first(p));
		p.does(second(p));
		p.write("a", "two\n");
	},
	"a result that comes back": (p) => {
		for (const text of ["one\n", "two\n"]) {
			p.write("a", text);
			p.does(first(p));
			p.does(second(p));
		}
		p.write("a", "one\n");
	},
	"an output that comes back": (p) => {
		p.write("a", "one\n");
		p.does(first(p));
		p.remove("b");
		p.remove("d");
	},
};

/** A project in a directory of its own for each step. */
async function at(context, scene, body) {
	const dir = mkdtempSync(join(tmpdir(), "readcache-crash-"));
	try {
		// The key of the stores is made there, too, and may be cut off at any step.
		const state = join(dir, "state");
		const run = (args, options) => context.run(args, { ...options, env: { XDG_STATE_HOME: state, ...options?.env } });
		const p = new Project({ ...context, dir, state, run });
		scene(p);
		await body(p);
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

function needsInjector(context) {
	try {
		injector();
	} catch {
		context.skip("tests/torture/inject is not built for this machine");
	}
}

async function callsOf(context, scene) {
	let calls = 0;
	await at(context, scene, async (p) => {
		calls = (await count("calls", play(p, first(p)))).counted;
	});
	assert.ok(calls > 50, `${calls} calls`);
	return calls;
}

const killed = Object.entries(scenes).map(([name, scene], index) => ({
	name: `SIGKILL at every step of ${name}: run again or restore, never a false match`,
	async run(context) {
		needsInjector(context);
		for (const step of steps(await callsOf(context, scene), index))
			await at(context, scene, async (p) => {
				const { hit } = await inject("kill", step, play(p, first(p)));
				isConsistent(p, `killed at ${step} (${hit?.call} ${hit?.path ?? ""})`);
			});
	},
}));

const failed = Object.entries(scenes).map(([name, scene], index) => ({
	name: `a system call fails at every step of ${name}: the work is done or refused, the next run is right`,
	async run(context) {
		needsInjector(context);
		const faults = ["EIO", "ENOSPC", "EACCES", "late"];
		for (const [turn, step] of steps(await callsOf(context, scene), index + 3).entries())
			await at(context, scene, async (p) => {
				const fault = faults[turn % faults.length];
				const { hit, exit, stdout, signal } = await inject(fault, step, play(p, first(p)));
				const what = `${fault} at ${step} (${hit?.call} ${hit?.path ?? ""})`;
				assert.equal(signal, undefined, what);
				// On a busy machine a run may have fewer calls than the one that was counted. It was then held to
				// its end, which the leak checker of a sanitized build takes for an error of its own.
				if (hit === undefined) return isConsistent(p, what);
				if (exit === 0) {
					assert.deepEqual([stdout, p.read("b"), p.read("d/x")], [p.read("a"), p.read("a"), p.read("a")], what);
				} else {
					assert.ok([125, 126, 127].includes(exit), `${what}: exit ${exit}`);
				}
				isConsistent(p, what);
			});
	},
}));

export const tests = [
	...killed,
	...failed,
	{
		name: "a directory that could be read in part only is not taken for the whole",
		async run(context) {
			needsInjector(context);
			const args = (p) => ["-n", "list", "--dep", "d", ...p.shell("ls d")];
			const full = (p) => ["x", "y"].forEach((name) => p.write(`d/${name}`, name));
			let listings = [];
			await at(context, full, async (p) => {
				const { calls } = await count("calls", play(p, args(p)));
				listings = calls.flatMap(({ call }, index) => (call === "getdents64" ? [index + 1] : []));
			});
			assert.ok(listings.length >= 2, "it lists the directory");
			for (const step of listings)
				await at(context, full, async (p) => {
					await inject("EIO+", step, play(p, args(p)));
					for (const name of ["x", "y"]) p.remove(`d/${name}`);
					assert.equal(p.run(args(p)).stdout, "", `after EIO from ${step} on: empty now, and it was not before`);
				});
		},
	},
	{
		name: "what a killed run has put aside comes back, and that is said",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const make = (command) => ["-n", "c", "--dep", "a", "--out", "b", "--", "sh", "-c", command];
			assert.equal(p.run(make("cp a b")).status, 0);
			p.write("a", "two\n");
			assert.equal(p.run(make("kill -9 $PPID")).status, "SIGKILL");
			p.write("a", "one\n");
			const { status, stderr } = p.run(make("cp a b"));
			assert.deepEqual([status, p.read("b")], [0, "one\n"]);
			assert.match(stderr, /^readcache: b is back as it was before a run that was killed\.$/m);
		},
	},
	{
		name: "what a run that was killed at its end has left aside is put away by the next one, which has nothing to do",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "c", "--dep", "a", "--out", "b", ...p.shell("cp a b")];
			for (const text of ["one\n", "two\n"]) {
				p.write("a", text);
				assert.equal(p.does(args), 1);
			}
			p.write(".b.readcache-aside", "one\n"); // the old output, which is ours
			assert.equal(p.does(args), 0);
			assert.deepEqual([existsSync(p.path(".b.readcache-aside")), p.read("b")], [false, "two\n"]);
			p.write(".b.readcache-aside", "mine\n");
			const { status, stderr } = p.run(args);
			assert.deepEqual([status, stderr], [0, "readcache: the old b was not made by readcache, so it is kept: .b.readcache-old.\n"]);
			assert.deepEqual([existsSync(p.path(".b.readcache-aside")), p.read(".b.readcache-old"), p.read("b")], [false, "mine\n", "two\n"]);
		},
	},
	{
		name: "a lock that cannot be written is said, and what was done is found by its record",
		run(context) {
			const p = new Project(context);
			const copy = ["-n", "c", "--dep", "a", "--out", "b", "--", "cp", "a", "b"];
			p.write("a", "one\n");
			assert.equal(p.run(copy).status, 0);
			rmSync(p.lock("c"));
			mkdirSync(join(p.lock("c"), "in the way"), { recursive: true });
			p.write("a", "two\n");
			const { status, stderr } = p.run(copy);
			assert.equal(status, 0);
			assert.match(stderr, /^readcache: the lock of c cannot be written, so its result is found by its record only\.$/m);
			assert.equal(p.plan(copy).decision, "reuse");
		},
	},
	{
		name: "a lock that is older or newer than its outputs, record or blobs is never believed",
		run(context) {
			const p = new Project(context);
			const texts = ["one\n", "two\n"];
			const locks = texts.map((text) => {
				p.write("a", text);
				p.does(first(p));
				return readFileSync(p.lock("first"));
			});
			for (const [i, text] of texts.entries())
				for (const lock of locks)
					for (const loss of [() => {}, () => p.remove("b"), () => rmSync(join(p.store, "memo"), { recursive: true, force: true }),
						() => rmSync(join(p.store, "objects"), { recursive: true, force: true })]) {
						p.write("a", text);
						writeFileSync(p.lock("first"), lock);
						loss();
						assert.equal(p.run(first(p)).stdout, text);
						assert.equal(p.read("b"), text, `${i}`);
						assert.ok(existsSync(p.path("d/x")));
					}
		},
	},
];
