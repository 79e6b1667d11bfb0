// Rows 1 and 2: what changes while a command runs, and comes back before it ends, is seen; the result is used for this
// run and never kept. And what a normal build does to its own directories is no reason to keep nothing.
//
// The command and the one who changes its inputs take turns by FIFOs: nobody waits for time.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
	chmodSync, closeSync, existsSync, linkSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Project } from "./project.mjs";

/** A command of which each step waits for us: `step` in its script ends one. */
class Held {
	constructor(p, args, script, command = ["run"]) {
		for (const name of ["told", "go"]) {
			this[name] = join(p.context.dir, name);
			rmSync(this[name], { force: true });
			assert.equal(spawnSync("mkfifo", [this[name]]).status, 0);
		}
		const text = script.replaceAll("step", `{ echo >'${this.told}'; read x <'${this.go}'; }`);
		this.words = args(text);
		this.child = spawn(p.context.binary, [...command, ...this.words], { cwd: p.dir, env: { PATH: process.env.PATH, HOME: p.dir, XDG_STATE_HOME: p.state }, stdio: ["ignore", "pipe", "pipe"] });
		this.said = { stdout: "", stderr: "" };
		for (const stream of ["stdout", "stderr"]) this.child[stream].on("data", (bytes) => (this.said[stream] += bytes));
		this.ended = new Promise((done) => this.child.on("close", (status) => done({ status, ...this.said })));
	}

	/** When the command is at its next step, DO something, and let it go on. */
	step(act) {
		const told = openSync(this.told, "r");
		readSync(told, Buffer.alloc(1));
		closeSync(told);
		act?.();
		writeFileSync(this.go, "\n");
	}
}

const git = (p, ...args) => {
	const { status, stderr } = spawnSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: p.dir, encoding: "utf8", env: { PATH: process.env.PATH, HOME: p.dir, XDG_STATE_HOME: p.state } });
	assert.equal(status, 0, stderr);
};

/** How an input becomes another one for a while, and comes back: [what is declared, before, change, back, what it reads]. */
const comebacks = {
	"a file that is written over": [["--dep", "in"], (p) => p.write("in", "B\n"), (p) => p.write("in", "X\n"), (p) => p.write("in", "B\n"), "cat in"],
	"a file that is renamed": [["--dep", "in"], (p) => (p.write("in", "B\n"), p.write("x", "X\n")),
		(p) => (renameSync(p.path("in"), p.path("b")), renameSync(p.path("x"), p.path("in"))), (p) => (renameSync(p.path("in"), p.path("x")), renameSync(p.path("b"), p.path("in"))), "cat in"],
	"a file whose time is put back": [["--dep", "in"], (p) => (p.write("in", "B\n"), utimesSync(p.path("in"), 1e9, 1e9)),
		(p) => p.write("in", "X\n"), (p) => (p.write("in", "B\n"), utimesSync(p.path("in"), 1e9, 1e9)), "cat in"],
	"a file that is gone": [["--dep", "in"], (p) => p.write("in", "B\n"), (p) => renameSync(p.path("in"), p.path("b")), (p) => renameSync(p.path("b"), p.path("in")), "cat in || echo X"],
	"a file that was not there": [["--dep", "in"], () => {}, (p) => p.write("in", "X\n"), (p) => p.remove("in"), "cat in || echo none"],
	"a directory that was not there": [["--dep", "d/e/in"], () => {}, (p) => p.write("d/e/in", "X\n"), (p) => p.remove("d"), "cat d/e/in || echo none"],
	"a link that is swapped": [["--dep", "link"], (p) => (p.write("one", "B\n"), p.write("two", "X\n"), symlinkSync("one", p.path("link"))),
		(p) => (p.remove("link"), symlinkSync("two", p.path("link"))), (p) => (p.remove("link"), symlinkSync("one", p.path("link"))), "cat link"],
	"a link on the way": [["--dep", "cur/in"], (p) => (p.write("v1/in", "B\n"), p.write("v2/in", "X\n"), symlinkSync("v1", p.path("cur"))),
		(p) => (p.remove("cur"), symlinkSync("v2", p.path("cur"))), (p) => (p.remove("cur"), symlinkSync("v1", p.path("cur"))), "cat cur/in"],
	"a link behind a link": [["--dep", "a/in"], (p) => (p.write("v1/in", "B\n"), p.write("v2/in", "X\n"), symlinkSync("v1", p.path("b")), symlinkSync("b", p.path("a"))),
		(p) => (p.remove("b"), symlinkSync("v2", p.path("b"))), (p) => (p.remove("b"), symlinkSync("v1", p.path("b"))), "cat a/in"],
	"a directory on the way": [["--dep", "d/in"], (p) => (p.write("d/in", "B\n"), p.write("e/in", "X\n")),
		(p) => (renameSync(p.path("d"), p.path("b")), renameSync(p.path("e"), p.path("d"))), (p) => (renameSync(p.path("d"), p.path("e")), renameSync(p.path("b"), p.path("d"))), "cat d/in"],
	"a directory on the way, in which something is made after it": [["--dep", "d/in"], (p) => (p.write("d/in", "B\n"), p.write("e/in", "X\n")),
		(p) => (renameSync(p.path("d"), p.path("b")), renameSync(p.path("e"), p.path("d"))), (p) => (renameSync(p.path("d"), p.path("e")), renameSync(p.path("b"), p.path("d")), p.write("d/made", "")), "cat d/in"],
	"a directory far above, in which something is made after it": [["--fp", "file:a/d/in"], (p) => (p.write("a/d/in", "B\n"), p.write("e/d/in", "X\n")),
		(p) => (renameSync(p.path("a"), p.path("b")), renameSync(p.path("e"), p.path("a"))), (p) => (renameSync(p.path("a"), p.path("e")), renameSync(p.path("b"), p.path("a")), p.write("a/made", ""), p.write("a/d/made", "")), "cat a/d/in"],
	"a directory of a match, in which something is made after it": [["--dep", "d/*.c"], (p) => (p.write("d/in.c", "B\n"), p.write("e/in.c", "X\n")),
		(p) => (renameSync(p.path("d"), p.path("b")), renameSync(p.path("e"), p.path("d"))), (p) => (renameSync(p.path("d"), p.path("e")), renameSync(p.path("b"), p.path("d")), p.write("d/made", "")), "cat d/in.c"],
	"a file in a directory that comes and goes": [["--dep", "d"], (p) => p.write("d/in", "B\n"), (p) => p.write("d/new", "X\n"), (p) => p.remove("d/new"), "cat d/*"],
	"a file deep in a directory": [["--dep", "d"], (p) => p.write("d/e/in", "B\n"), (p) => p.write("d/e/in", "X\n"), (p) => p.write("d/e/in", "B\n"), "cat d/e/*"],
	"a link in a directory": [["--dep", "d"], (p) => (p.write("one", "B\n"), p.write("two", "X\n"), mkdirSync(p.path("d")), symlinkSync("../one", p.path("d/l"))),
		(p) => (p.remove("d/l"), symlinkSync("../two", p.path("d/l"))), (p) => (p.remove("d/l"), symlinkSync("../one", p.path("d/l"))), "cat d/l"],
	"a link behind a link in a directory": [["--dep", "d"], (p) => (p.write("v1", "B\n"), p.write("v2", "X\n"), symlinkSync("v1", p.path("v")), mkdirSync(p.path("d")), symlinkSync("../v", p.path("d/l"))),
		(p) => (p.remove("v"), symlinkSync("v2", p.path("v"))), (p) => (p.remove("v"), symlinkSync("v1", p.path("v"))), "cat d/l"],
	"a match that comes and goes": [["--dep", "*.c"], (p) => p.write("in.c", "B\n"), (p) => p.write("new.c", "X\n"), (p) => p.remove("new.c"), "cat *.c"],
	"a match that is moved away": [["--dep", "d/*.c"], (p) => (p.write("d/a.c", "B\n"), p.write("d/b.c", "B\n")), (p) => renameSync(p.path("d/b.c"), p.path("b")), (p) => renameSync(p.path("b"), p.path("d/b.c")), "cat d/*.c"],
	"a match below": [["--dep", "**/*.c"], (p) => p.write("d/e/in.c", "B\n"), (p) => p.write("d/e/new.c", "X\n"), (p) => p.remove("d/e/new.c"), "cat d/e/*.c"],
	"a directory of matches": [["--dep", "**/*.c"], (p) => p.write("d/in.c", "B\n"), (p) => p.write("e/new.c", "X\n"), (p) => p.remove("e"), "cat */*.c"],
	"the mode of a program": [["--code", "in"], (p) => p.write("in", "B\n"), (p) => chmodSync(p.path("in"), 0o755), (p) => chmodSync(p.path("in"), 0o644), "ls -l in | cut -c 4"],
	"file:": [["--fp", "file:in"], (p) => p.write("in", "B\n"), (p) => p.write("in", "X\n"), (p) => p.write("in", "B\n"), "cat in"],
	"file: through a link": [["--fp", "file:cur/in"], (p) => (p.write("v1/in", "B\n"), p.write("v2/in", "X\n"), symlinkSync("v1", p.path("cur"))),
		(p) => (p.remove("cur"), symlinkSync("v2", p.path("cur"))), (p) => (p.remove("cur"), symlinkSync("v1", p.path("cur"))), "cat cur/in"],
	"glob!:": [["--fp", "glob!:*.c"], (p) => p.write("in.c", "B\n"), (p) => p.write("in.c", "X\n"), (p) => p.write("in.c", "B\n"), "cat *.c"],
	"glob!: a match that comes and goes": [["--fp", "glob!:*.c"], (p) => p.write("in.c", "B\n"), (p) => p.write("new.c", "X\n"), (p) => p.remove("new.c"), "cat *.c"],
	"glob: with its time put back": [["--fp", "glob:*.c"], (p) => (p.write("in.c", "B\n"), utimesSync(p.path("in.c"), 1e9, 1e9)), (p) => p.write("in.c", "X\n"),
		(p) => (p.write("in.c", "B\n"), utimesSync(p.path("in.c"), 1e9, 1e9)), "cat *.c"],
	"git: a branch that is checked out": [["--fp", "git:HEAD"], (p) => {
		git(p, "init", "-q", "-b", "main"), p.write("in", "B\n"), git(p, "add", "in"), git(p, "commit", "-qm", "B");
		git(p, "checkout", "-qb", "other"), p.write("in", "X\n"), git(p, "commit", "-qam", "X"), git(p, "checkout", "-q", "main");
	}, (p) => git(p, "checkout", "-q", "other"), (p) => git(p, "checkout", "-q", "main"), "cat in"],
	"git: a commit that is undone": [["--fp", "git:main~0"], (p) => {
		git(p, "init", "-q", "-b", "main"), p.write("in", "B\n"), git(p, "add", "in"), git(p, "commit", "-qm", "B");
	}, (p) => (p.write("in", "X\n"), git(p, "commit", "-qam", "X")), (p) => git(p, "reset", "-q", "--hard", "HEAD~1"), "cat in"],
};

/** What only changes, and stays changed. */
const changes = {
	"git:HEAD": [["--fp", "git:HEAD"], comebacks["git: a branch that is checked out"][1], comebacks["git: a branch that is checked out"][2], "cat in"],
	"file:": [["--fp", "file:in"], (p) => p.write("in", "B\n"), (p) => p.write("in", "X\n"), "cat in"],
	"glob!:": [["--fp", "glob!:*.c"], (p) => p.write("in.c", "B\n"), (p) => p.write("in.c", "X\n"), "cat *.c"],
	"a dep": [["--dep", "in"], (p) => p.write("in", "B\n"), (p) => p.write("in", "X\n"), "cat in"],
};

const NOT_KEPT = /^readcache: \S.* changed while the command ran, so its result is not kept\.\n$/m;

export const tests = [
	...Object.entries(comebacks).map(([what, [declared, before, change, back, read]]) => ({
		name: `B2 changed and put back while the command runs: ${what}`,
		async run(context) {
			for (const out of ["out", "made/out"]) {
				const p = new Project(context, out.replace("/", "-"));
				before(p);
				const tail = out === "out" ? "" : "mkdir -p made; ";
				const held = new Held(p, (text) => ["-n", "t", ...declared, "--out", out, "--", "sh", "-c", text], `${tail}step; (${read}) >${out} 2>/dev/null; step; :`);
				held.step(() => change(p));
				held.step(() => back(p));
				const { status, stderr } = await held.ended;
				assert.equal(status, 0, stderr);
				assert.match(stderr, NOT_KEPT);
				assert.ok(existsSync(p.path(out)), "it is used for this run");
				assert.ok(!existsSync(p.lock("t")));
				const plan = p.plan(held.words);
				assert.equal(plan.decision, "work", "nothing is kept under any inputs");
			}
		},
	})),
	...Object.entries(changes).map(([what, [declared, before, change, read]]) => ({
		name: `B1 changed while the command runs, before and after it reads: ${what}`,
		async run(context) {
			for (const first of [true, false]) {
				const p = new Project(context, `p${first}`);
				before(p);
				const held = new Held(p, (text) => ["-n", "t", ...declared, "--out", "out", "--", "sh", "-c", text], `${first ? "step; " : ""}${read} >out; ${first ? "" : "step; "}:`);
				held.step(() => change(p));
				const { status, stderr } = await held.ended;
				assert.equal(status, 0, stderr);
				assert.match(stderr, NOT_KEPT);
				assert.equal(p.plan(held.words).decision, "work");
			}
		},
	})),
	{
		name: "B1 a stage of a flow: what changes, and what comes back, is not kept",
		async run(context) {
			for (const [i, member] of [{ deps: ["in"] }, { cache: { fingerprint: ["file:in"] } }].entries()) {
				const p = new Project(context, `p${i}`);
				p.write("in", "B\n");
				const held = new Held(p, (text) => {
					p.write("f.json", JSON.stringify({ nodes: [{ id: "x", run: text, outs: ["out"], ...member }] }));
					return ["f.json"];
				}, "step; cat in >out; step; :", ["flow"]);
				held.step(() => p.write("in", "X\n"));
				held.step(() => p.write("in", "B\n"));
				const { status, stdout, stderr } = await held.ended;
				assert.equal(status, 0, stderr);
				assert.match(stdout + stderr, /in changed while the command ran, so its result is not kept/);
				const second = spawn(context.binary, ["flow", "f.json"], { cwd: p.dir, env: { PATH: process.env.PATH, HOME: p.dir, XDG_STATE_HOME: p.state }, stdio: "ignore" });
				const ended = new Promise((done) => second.on("close", done));
				held.step();
				held.step();
				assert.equal(await ended, 0);
				assert.equal(p.read("out"), "B\n", "it is run again");
			}
		},
	},
	{
		name: "B2 a normal build is kept: outputs beside the sources, temporary files, new directories, links, caches",
		run(context) {
			const builds = {
				"beside its sources": [["--dep", "*.c", "--out", "prog"], "cat *.c >prog"],
				"one that is there already": [["--dep", "*.c", "--out", "prog"], "cat *.c >prog", (p) => p.write("prog", "old\n")],
				"through a temporary file": [["--dep", "*.c", "--out", "prog"], "cat *.c >prog.tmp; mv prog.tmp prog"],
				"a file that is not declared": [["--dep", "*.c", "--out", "prog"], "cat *.c >prog; echo >prog.log; rm -f prog.tmp"],
				"a new directory": [["--dep", "**/*.c", "--out", "build/prog"], "mkdir -p build/obj; cat *.c >build/prog; rmdir build/obj"],
				"a match of its own": [["--dep", "*.c", "--out", "all.c"], "cat [ab].c >all.c"],
				"a fingerprint that its output fits": [["--fp", "glob!:*", "--out", "all.c"], "cat [ab].c >all.c"],
				"a fingerprint, nothing else": [["--fp", "glob!:*.c", "--out", "prog"], "cat *.c >prog; echo >x.tmp; rm x.tmp"],
				"deps one by one": [["--dep", "a.c", "--dep", "b.c", "--dep", "sub", "--out", "sub2/prog"], "mkdir -p sub2; cat a.c b.c >sub2/prog"],
				"a dep that is not there": [["--dep", "a.c", "--dep", "maybe.h", "--out", "prog"], "cat a.c >prog; touch other.h; rm other.h"],
				"a dep whose directory gets the output": [["--dep", "sub/s.c", "--out", "sub/s.o"], "cat sub/s.c >sub/s.o"],
				"a link to a dep": [["--dep", "link", "--out", "prog"], "cat link >prog"],
				"a directory made with its mode set": [["--dep", "sub/s.c", "--out", "sub/o"], "mkdir sub/o; cat sub/s.c >sub/o/x", (p) => chmodSync(p.path("sub"), 0o700)],
				"two names for one file": [["--dep", "a.c", "--out", "prog"], "cat a.c >prog", (p) => linkSync(p.path("a.c"), p.path("prog"))],
			};
			for (const [what, [declared, script, more]] of Object.entries(builds)) {
				const p = new Project(context, what.replaceAll(/[ :]/g, "-"));
				for (const name of ["a.c", "b.c", "sub/s.c"]) p.write(name, `${name}\n`);
				symlinkSync("a.c", p.path("link"));
				more?.(p);
				const args = ["-n", "t", ...declared, ...p.shell(script)];
				const { status, stderr } = p.run(args);
				assert.equal(status, 0, stderr);
				assert.ok(!NOT_KEPT.test(stderr), `${what}: ${stderr}`);
				assert.equal(p.does(args), 0, what);
				assert.equal(p.does(["--force", ...args]), 1, what);
				assert.equal(p.does(args), 0, `${what}, over the old output`);
			}
		},
	},
	{
		name: "B2 an output that came back by hardlink and a dep with the same bytes are one file, and the result is kept",
		run(context) {
			const p = new Project(context);
			p.write("a", "same\n");
			const first = ["-n", "first", "--dep", "a", "--out", "b", ...p.shell("cat a >b")];
			const second = ["-n", "second", "--dep", "b", "--out", "c", ...p.shell("cat b >c")];
			p.does(first), p.does(second);
			p.remove("b"), p.remove("c");
			p.does(first), p.does(second);
			assert.equal(statSync(p.path("b")).ino, statSync(p.path("c")).ino);
			assert.deepEqual(p.run(["--force", ...second]), { status: 0, stdout: "", stderr: "" });
			assert.equal(p.does(second), 0);
		},
	},
];
