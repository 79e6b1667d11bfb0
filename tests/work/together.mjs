// Several at once: the same work is done once, work on the same files takes turns, nobody waits for a dead process.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../lib/wait.mjs";
import { Project, UNDECLARED } from "./project.mjs";

/** `readcache run ARGS`, beside this process. */
function start(p, args, { cwd = p.dir, home = p.context.dir } = {}) {
	const child = spawn(p.context.binary, ["run", ...args], { cwd, env: { PATH: process.env.PATH, HOME: home }, stdio: ["ignore", "pipe", "pipe"] });
	const said = { stdout: "", stderr: "" };
	for (const stream of ["stdout", "stderr"]) child[stream].on("data", (bytes) => (said[stream] += bytes));
	const ended = new Promise((done) => child.on("close", (status, signal) => done({ status: signal ?? status, ...said })));
	return { child, said, ended };
}

/** Is there a process PID that has not ended?  Nobody may have asked yet how it ended. */
function isAtWork(pid) {
	try {
		return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}

/** What was said besides the line that nothing is declared. */
const rest = (stderr) => stderr.replaceAll(UNDECLARED, "");

/** A command that begins, tells so by a file with its pid, and ends when another file is there. */
const held = (p, name, rest, first = ":") => p.shell(`${first}; echo $$ >'${p.context.dir}/${name}.new'; mv '${p.context.dir}/${name}.new' '${p.context.dir}/${name}.begun'; while [ ! -e '${p.context.dir}/${name}.go' ]; do sleep 0.01; done; ${rest}`);
const begun = (p, name) => () => existsSync(join(p.context.dir, `${name}.begun`));
const release = (p, name) => writeFileSync(join(p.context.dir, `${name}.go`), "");

/** Two ways to one place, and what the second run is given for them. */
const WAYS = {
	"a link on the way": (p) => {
		symlinkSync("real", p.path("lk"));
		return { out: "lk/o" };
	},
	"two stores": (p) => ({ out: "real/o", options: ["--store", join(p.context.dir, "other")] }),
	"two directories of one project": (p) => ({ out: "o", cwd: p.path("real") }),
	"two homes": (p) => {
		mkdirSync(join(p.context.dir, "home"));
		return { out: "real/o", home: join(p.context.dir, "home") };
	},
	"no home": () => ({ out: "real/o", home: "" }),
	"a store that came with the clone": (p) => {
		p.write(".pi/readcache/owner", "x\n");
		p.write(".pi/readcache/memo/12345678.json", '{"value":"x","expires_at":0}\n');
		return { out: "real/o" };
	},
	"the store is removed meanwhile": () => ({ out: "real/o", meanwhile: (p) => p.remove(".pi") }),
	"an old output that is a link": (p) => {
		p.remove("real/o");
		p.write("real/target", "precious\n");
		symlinkSync("target", p.path("real/o"));
		return { out: "real/o", options: ["--store", join(p.context.dir, "other")] };
	},
	"an old output that cannot be read": (p) => {
		chmodSync(p.path("real/o"), 0);
		return { out: "real/o", options: ["--store", join(p.context.dir, "other")] };
	},
	"an old output with a second name": (p) => {
		linkSync(p.path("real/o"), p.path("second"));
		return { out: "real/o", options: ["--store", join(p.context.dir, "other")] };
	},
};

/**
 * Two runs at once that must take turns: what each is given, and what its command does. Both commands are run in
 * the directory `real` of the project, or in the project.
 */
const other = (p) => ["--store", join(p.context.dir, "other")];
const makes = (place, what) => `mkdir -p '${place}'; echo ${what} >'${place}/y'`;
const TURNS = {
	"one output, two stores": (p) => [{ args: ["--out", "o"], does: "echo A >o" }, { args: [...other(p), "--out", "o"], does: "echo B >o" }],
	"one output, two directories of a project": (p) => [{ args: ["--out", "real/o"], does: "echo A >real/o" }, { args: ["--out", "o"], does: "echo B >o", cwd: "real" }],
	"a directory, and a file in it": (p) => [{ args: ["--out", "d"], does: makes("d", "A") }, { args: ["--out", "d/y"], does: makes("d", "B") }],
	"a file in a directory, and the directory": (p) => [{ args: ["--out", "d/y"], does: makes("d", "A") }, { args: ["--out", "d"], does: makes("d", "B") }],
	"a directory and a file in it, two stores": (p) => [{ args: ["--out", "d"], does: makes("d", "A") }, { args: [...other(p), "--out", "d/y"], does: makes("d", "B") }],
	"a file in a directory and the directory, two stores": (p) => [{ args: ["--out", "d/e/y"], does: makes("d/e", "A") }, { args: [...other(p), "--out", "d"], does: makes("d/e", "B") }],
	"a directory, and a file in it by a link": (p) => [{ args: ["--out", "real/d"], does: makes("real/d", "A") }, { args: ["--out", "lk/d/y"], does: makes("lk/d", "B") }],
	"a directory and a file in it by a link, two stores": (p) => [{ args: ["--out", "lk/d"], does: makes("lk/d", "A") }, { args: [...other(p), "--out", "real/d/y"], does: makes("real/d", "B") }],
	"a link on the way is an output": (p) => [{ args: ["--out", "lk/o"], does: "echo A >lk/o" }, { args: [...other(p), "--out", "lk"], does: makes("lk", "B") }],
	"an output that another one reads": (p) => [{ args: ["--out", "b"], does: "echo A >b" }, { args: [...other(p), "--dep", "b", "--out", "c"], does: "cat b >c" }],
	"an output, and a file in it that another one reads": (p) => [{ args: ["--out", "d"], does: makes("d", "A") }, { args: [...other(p), "--dep", "d/y", "--out", "c"], does: "cat d/y >c" }],
	"an output that another one reads by a link": (p) => [{ args: ["--out", "real/o"], does: "echo A >real/o" }, { args: [...other(p), "--dep", "last", "--out", "c"], does: "cat last >c" }],
	"an input that another one makes": (p) => [{ args: ["--dep", "in", "--out", "c"], does: "cat in >c" }, { args: [...other(p), "--out", "in"], does: "echo B >in" }],
	"an output without a home, one store": (p) => [{ args: [...other(p), "--out", "o"], does: "echo A >o", home: "" }, { args: [...other(p), "--out", "o"], does: "echo B >o" }],
	"a directory and a file in it, two homes and one store": (p) => [{ args: [...other(p), "--out", "d"], does: makes("d", "A"), home: p.path("real") }, { args: [...other(p), "--out", "d/y"], does: makes("d", "B") }],
};

/** All that lies in DIR under a name that begins with `o` or `.o`, by name. */
const kept = (p) => readdirSync(p.path("real")).filter((name) => /^\.?o/.test(name)).sort();

export const tests = [
	...Object.entries(WAYS).map(([what, way]) => ({
		name: `H11 nobody takes over what a living run has put aside: ${what}`,
		async run(context) {
			const p = new Project(context);
			p.write("real/o", "precious\n");
			const { out, options = [], cwd, home, meanwhile } = way(p);
			const old = lstatSync(p.path("real/o"));
			// Both without HOME: that is what the way is about.
			const one = start(p, ["--out", "real/o", ...held(p, "x", "exit 1")], { home: home === "" ? "" : undefined });
			await until(begun(p, "x"), "the first command begins", { seen: () => one.said });
			meanwhile?.(p);
			const two = start(p, [...options, "--out", out, ...held(p, "y", `echo B >'${p.path("real/o")}'`)], { cwd, home });
			await until(() => /waiting for process/.test(two.said.stderr) || begun(p, "y")(), "the second one waits", { seen: () => two.said });
			release(p, "x");
			assert.equal((await one.ended).status, 1);
			await until(begun(p, "y"), "the second command begins", { seen: () => two.said });
			release(p, "y");
			const { status, stderr } = await two.ended;
			assert.equal(status, 0, stderr);
			assert.match(stderr, new RegExp(`waiting for process ${one.child.pid}, `));
			assert.doesNotMatch(stderr, /that was killed/);
			assert.equal(p.read("real/o"), "B\n");
			assert.deepEqual(kept(p), [".o.readcache-old", "o"]);
			assert.equal(lstatSync(p.path("real/.o.readcache-old")).ino, old.ino, "it is the user's file");
		},
	})),
	{
		name: "H10 two runs that call one output by two names wait for each other, and each keeps its own result",
		async run(context) {
			const p = new Project(context);
			mkdirSync(p.path("real"));
			symlinkSync("real", p.path("lk"));
			const first = ["--out", "real/o", ...held(p, "x", "echo A >real/o")];
			const one = start(p, first);
			await until(begun(p, "x"), "the first command begins", { seen: () => one.said });
			const two = start(p, ["--out", "lk/o", ...held(p, "y", "echo B >lk/o")]);
			await until(() => /waiting for process/.test(two.said.stderr) || begun(p, "y")(), "the second one waits", { seen: () => two.said });
			assert.equal(begun(p, "y")(), false, "the second command has not begun");
			release(p, "x");
			assert.equal((await one.ended).status, 0);
			release(p, "y");
			assert.equal((await two.ended).status, 0);
			assert.equal(p.read("real/o"), "B\n");
			p.remove("real/o");
			assert.equal(p.run(first).status, 0);
			assert.equal(p.read("real/o"), "A\n");
		},
	},
	...Object.entries(TURNS).map(([what, turns]) => ({
		name: `H12 two runs on one place take turns: ${what}`,
		async run(context) {
			const p = new Project(context);
			mkdirSync(p.path("real"));
			symlinkSync("real", p.path("lk"));
			symlinkSync("real/o", p.path("last"));
			p.write("in", "one\n");
			const [first, second] = turns(p);
			const args = (name, { args, does }) => [...args, ...held(p, name, does)];
			const at = ({ cwd = ".", home }) => ({ cwd: p.path(cwd), home });
			const one = start(p, args("x", first), at(first));
			await until(begun(p, "x"), "the first command begins", { seen: () => one.said });
			const two = start(p, args("y", second), at(second));
			await until(() => /waiting for/.test(two.said.stderr) || begun(p, "y")(), "the second one waits", { seen: () => two.said });
			assert.equal(begun(p, "y")(), false, "the second command has not begun");
			release(p, "x");
			const ended = await one.ended;
			assert.deepEqual([ended.status, rest(ended.stderr)], [0, ""]);
			await until(begun(p, "y"), "the second command begins", { seen: () => two.said });
			release(p, "y");
			const { status, stderr } = await two.ended;
			assert.equal(status, 0, stderr);
			const said = rest(stderr).split("\n").filter((line) => !/ was not made by readcache, so it is kept: /.test(line));
			assert.deepEqual(said, [`readcache: waiting for process ${one.child.pid}, which is at it.`, ""]);
		},
	})),
	{
		name: "H12 each of two runs at once on a directory and a file in it keeps its own result",
		async run(context) {
			const p = new Project(context);
			const dir = ["--out", "d", ...held(p, "x", ":", makes("d", "A"))];
			const file = ["--store", join(context.dir, "other"), "--out", "d/y", ...held(p, "y", makes("d", "B"))];
			const one = start(p, dir);
			await until(begun(p, "x"), "the first command begins", { seen: () => one.said });
			release(p, "y");
			const two = start(p, file);
			await until(() => /waiting for/.test(two.said.stderr) || two.child.exitCode !== null, "the second one waits", { seen: () => two.said });
			release(p, "x");
			assert.equal((await one.ended).status, 0);
			assert.equal((await two.ended).status, 0);
			for (const [args, wanted] of [[dir, "A\n"], [file, "B\n"], [dir, "A\n"]]) {
				p.remove("d");
				assert.equal(p.run(args).status, 0);
				assert.equal(p.read("d/y"), wanted);
			}
		},
	},
	{
		name: "H12 a run inside of a run on other outputs, or in its output, is not refused and does not wait",
		async run(context) {
			const p = new Project(context);
			const inner = (args, does) => `'${context.binary}' run ${args} -- sh -c '${does}'`;
			const cases = [
				["o", inner("--out q", "echo q >q"), "q"],
				["o", inner(`--store '${context.dir}/other' --out q`, "echo q >q"), "q"],
				["d", `mkdir -p d; ${inner("--out d/y", "echo y >d/y")}`, "d/y"],
				["d", `mkdir -p d; ${inner(`--store '${context.dir}/other' --out d/y`, "echo y >d/y")}`, "d/y"],
				["d", `mkdir -p d; echo x >d/x; ${inner("--dep d/x --out d/y", "cat d/x >d/y")}`, "d/y"],
				["d", `mkdir -p d/e; ${inner("--out d/e", `mkdir -p d/e; '${context.binary}' run --out d/e/y -- sh -c "echo y >d/e/y"`)}`, "d/e/y"],
			];
			for (const [out, does, made] of cases) {
				const { status, stderr } = p.run(["--force", "--out", out, "--", "sh", "-c", `${does} || exit 9; [ -e ${out} ] || touch ${out}`]);
				assert.deepEqual([status, rest(stderr)], [0, ""], does);
				assert.ok(existsSync(p.path(made)), made);
				p.remove(out);
			}
		},
	},
	{
		name: "H12 a run inside of a run that would replace what is around its output is refused",
		run(context) {
			const p = new Project(context);
			const inner = `'${context.binary}' run --store '${context.dir}/other' --out d -- sh -c 'mkdir d'`;
			const { status, stderr } = p.run(["--out", "d/y", "--", "sh", "-c", `mkdir d; ${inner}; echo $? >d/y`]);
			assert.equal(status, 0, stderr);
			assert.match(stderr, /runs inside of a command of readcache that works on the same files/);
			assert.equal(p.read("d/y"), "125\n");
		},
	},
	{
		name: "H12 runs side by side in one directory, in one store or two, do not wait for each other",
		async run(context) {
			const p = new Project(context);
			mkdirSync(p.path("d"));
			const runs = ["a", "b", "c"].map((name) => start(p, ["--store", join(context.dir, name === "c" ? "other" : "one"), "--out", `d/${name}`, ...held(p, name, `echo ${name} >d/${name}`)]));
			for (const name of ["a", "b", "c"]) await until(begun(p, name), `${name} begins`);
			for (const name of ["a", "b", "c"]) release(p, name);
			for (const { ended } of runs) assert.deepEqual([(await ended).status, rest((await ended).stderr)], [0, ""]);
		},
	},
	{
		name: "H12 of very many outputs the directory is locked, and a run inside of it on another output is not refused",
		async run(context) {
			const p = new Project(context);
			const outs = Array.from({ length: 1100 }, (_, i) => ["--out", `d/${i}`]).flat();
			const inner = `'${context.binary}' run --out d/inner -- sh -c 'echo i >d/inner'`;
			const one = start(p, [...outs, ...held(p, "x", `mkdir -p d; for i in $(seq 0 1099); do echo $i >d/$i; done; ${inner} && exit 3`)]);
			await until(begun(p, "x"), "the first command begins", { seen: () => one.said });
			const two = start(p, ["--store", join(context.dir, "other"), "--out", "d/7", ...held(p, "y", "echo B >d/7")]);
			await until(() => /waiting for/.test(two.said.stderr) || begun(p, "y")(), "the second one waits", { seen: () => two.said });
			assert.equal(begun(p, "y")(), false, "the second command has not begun");
			release(p, "x");
			release(p, "y");
			const { status, stderr } = await one.ended;
			assert.deepEqual([status, rest(stderr)], [3, ""]); // to keep them would take long
			assert.equal((await two.ended).status, 0);
			assert.equal(p.read("d/inner"), "i\n");
		},
	},
	{
		name: "H12 nothing is kept without any lock, and the work is done",
		run(context) {
			const p = new Project(context);
			p.write(".pi/readcache/locks", "in the way\n"); // not a directory
			const args = ["--out", "b", "--", "sh", "-c", "echo b >b"];
			const home = join(context.dir, "home");
			mkdirSync(join(home, ".local/state/readcache/places"), { recursive: true }); // not a file
			for (let i = 0; i < 2; i++) {
				const { status, stderr } = p.run(["--store", p.store, ...args], { env: { HOME: home } });
				assert.equal(status, 0, stderr);
				assert.match(stderr, /cannot be kept \(.*\), so the command will be run again/);
				assert.equal(p.read("b"), "b\n");
			}
		},
	},
	{
		name: "H11 what a killed run has put aside is brought back by a run with another store, and no lock file stays",
		async run(context) {
			const p = new Project(context);
			p.write("real/o", "precious\n");
			const one = start(p, ["--out", "real/o", ...held(p, "x", "exit 1")]);
			await until(begun(p, "x"), "the command begins");
			assert.deepEqual(kept(p), [".o.readcache-aside", ".o.readcache-aside-lock"]);
			process.kill(one.child.pid, "SIGKILL");
			await one.ended;
			const { status, stderr } = p.run(["--store", join(context.dir, "other"), "--out", "real/o", "--", "sh", "-c", "exit 3"]);
			assert.equal(status, 3);
			assert.match(stderr, /real\/o is back as it was before a run that was killed/);
			assert.deepEqual(kept(p), ["o"]);
			assert.equal(p.read("real/o"), "precious\n");
		},
	},
	{
		name: "H11 a run inside of a run on one output, with another store, is refused",
		async run(context) {
			const p = new Project(context);
			p.write("real/o", "precious\n");
			const inner = `'${context.binary}' run --store '${context.dir}/other' --out real/o -- sh -c 'echo B >real/o'; echo $?`;
			const { status, stdout } = p.run(["--out", "real/o", "--", "sh", "-c", `${inner}; exit 1`]);
			assert.deepEqual([status, stdout], [1, "125\n"]);
			assert.equal(p.read("real/o"), "precious\n");
			assert.deepEqual(kept(p), ["o"]);
		},
	},
	{
		name: "H11 a file of the user's with the name of the lock is neither written nor removed, and nothing aside is taken",
		async run(context) {
			const p = new Project(context);
			const plant = {
				text: (name) => p.write(name, "mine\n"),
				link: (name) => symlinkSync("o", p.path(name)),
				directory: (name) => mkdirSync(p.path(name)),
			};
			for (const [what, make] of Object.entries(plant)) {
				const name = `${what}/.o.readcache-aside-lock`;
				p.write(`${what}/o`, "precious\n");
				make(name);
				const before = lstatSync(p.path(name));
				assert.equal(p.run(["--out", `${what}/o`, "--", "sh", "-c", "exit 3"]).status, 3, what);
				assert.equal(p.read(`${what}/o`), "precious\n", what);
				assert.equal(p.run(["--out", `${what}/o`, "--", "sh", "-c", `echo B >${what}/o`]).status, 0, what);
				assert.equal(p.read(`${what}/.o.readcache-old`), "precious\n", what);
				assert.equal(lstatSync(p.path(name)).ino, before.ino, what);
			}
			assert.equal(p.read("text/.o.readcache-aside-lock"), "mine\n");
		},
	},
	{
		name: "two identical calls at once: one runs, the other waits, says for whom, and repeats",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const args = ["-n", "t", "--dep", "a", "--out", "b", ...held(p, "x", "cat a >b; echo done")];
			const one = start(p, args);
			await until(begun(p, "x"), "the command begins");
			const two = start(p, args);
			await until(() => two.said.stderr.includes("\n"), "the second one says that it waits", { seen: () => two.said });
			release(p, "x");
			assert.deepEqual(await one.ended, { status: 0, stdout: "done\n", stderr: "" });
			assert.deepEqual(await two.ended, {
				status: 0,
				stdout: "done\n",
				stderr: `readcache: waiting for process ${one.child.pid}, which is at it.\n`,
			});
			assert.equal(p.count(), 1);
		},
	},
	{
		name: "eight identical calls at once run once; eight different ones lose nothing",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const same = Array.from({ length: 8 }, () => start(p, ["-n", "t", "--dep", "a", "--out", "b", ...p.shell("sleep 0.1; cat a >b; cat b")]));
			for (const { ended } of same) assert.deepEqual([(await ended).status, (await ended).stdout], [0, "one\n"]);
			assert.equal(p.count(), 1);
			const args = (i) => ["-n", `n${i}`, "--dep", "a", "--out", `o${i}`, ...p.shell(`echo ${i} >o${i}; echo ${i}`)];
			const other = Array.from({ length: 8 }, (_, i) => start(p, args(i)));
			for (const [i, { ended }] of other.entries()) assert.deepEqual(await ended, { status: 0, stdout: `${i}\n`, stderr: "" });
			assert.equal(p.count(), 9);
			for (let i = 0; i < 8; i++) {
				p.remove(`o${i}`);
				assert.equal(p.does(args(i)), 0);
				assert.equal(p.read(`o${i}`), `${i}\n`);
			}
		},
	},
	{
		name: "who reads an output waits for who makes it",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			p.write("b", "old\n");
			const maker = start(p, ["-n", "maker", "--dep", "a", "--out", "b", ...held(p, "x", "cat a >b")]);
			await until(begun(p, "x"), "the command begins");
			const reader = start(p, ["-n", "reader", "--dep", "b", "--out", "c", ...p.shell("cat b >c; cat c")]);
			await until(() => reader.said.stderr.includes("\n"), "the reader says that it waits", { seen: () => reader.said });
			assert.match(reader.said.stderr, new RegExp(`^readcache: waiting for process ${maker.child.pid}, `));
			release(p, "x");
			assert.equal((await maker.ended).status, 0);
			assert.equal((await reader.ended).stdout, "one\n");
			assert.equal(p.read("c"), "one\n");
		},
	},
	{
		name: "who had to wait decides anew: what was wanted before may be stale by then",
		async run(context) {
			const p = new Project(context);
			const args = ["-n", "copy", "--dep", "a", "--out", "b", ...p.shell("cat a >b")];
			p.write("a", "one\n");
			assert.equal(p.does(args), 1);
			p.remove("b"); // to be brought back
			const other = start(p, ["-n", "other", "--out", "b", ...held(p, "x", "echo other >b")]);
			await until(begun(p, "x"), "the command begins");
			const late = start(p, args);
			await until(() => late.said.stderr.includes("\n"), "the second one says that it waits", { seen: () => late.said });
			p.write("a", "two\n");
			release(p, "x");
			assert.equal((await other.ended).status, 0);
			assert.equal((await late.ended).status, 0);
			assert.equal(p.read("b"), "two\n");
		},
	},
	{
		name: "different work on different files does not wait",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const slow = start(p, ["-n", "slow", "--dep", "a", "--out", "b", ...held(p, "x", "cat a >b")]);
			await until(begun(p, "x"), "the command begins");
			assert.deepEqual(p.run(["-n", "quick", "--dep", "a", "--out", "c", ...p.shell("cat a >c; cat c")]), { status: 0, stdout: "one\n", stderr: "" });
			release(p, "x");
			assert.equal((await slow.ended).status, 0);
		},
	},
	{
		name: "a process that was killed leaves no lock behind, nor does its command hold one",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const args = ["-n", "t", "--dep", "a", "--out", "b", ...held(p, "x", "cat a >b; echo done")];
			const one = start(p, args);
			await until(begun(p, "x"), "the command begins");
			const command = Number(readFileSync(join(p.context.dir, "x.begun"), "utf8"));
			process.kill(one.child.pid, "SIGKILL");
			await one.ended;
			// The guard ends it soon after; if it went on until then, it would make b.
			await until(() => !isAtWork(command), "the command is killed");
			release(p, "x");
			const { status, stdout, stderr } = p.run(args);
			assert.deepEqual([status, stdout, stderr], [0, "done\n", ""]);
		},
	},
	{
		name: "while a command runs nobody has the store alone, so gc removes no output",
		async run(context) {
			const p = new Project(context);
			const one = start(p, ["-n", "t", "--out", "b", ...held(p, "x", ": >b")]);
			await until(begun(p, "x"));
			const locks = readdirSync(join(p.store, "locks")).map((name) => join(p.store, "locks", name));
			const can = (how, file) => spawnSync("flock", ["-n", how, file, "true"]).status === 0;
			assert.equal(locks.filter((file) => can("-s", file) && !can("-x", file)).length, 1, "one lock that is shared");
			release(p, "x");
			await one.ended;
			assert.ok(locks.every((file) => can("-x", file)));
		},
	},
	{
		name: "a signal goes to the command, and nothing is kept",
		async run(context) {
			const p = new Project(context);
			const args = ["-n", "t", "--out", "b", ...p.shell(`trap 'echo stopped; exit 3' TERM; : >b; : >'${context.dir}/x.begun'; while :; do sleep 0.01; done`)];
			const one = start(p, args);
			await until(begun(p, "x"), "the command begins");
			process.kill(one.child.pid, "SIGTERM");
			const { status, stdout } = await one.ended;
			assert.deepEqual([status, stdout], [3, "stopped\n"]);
			assert.ok(!existsSync(p.lock("t")));
		},
	},
	{
		name: "after two had to wait for each other's files there is no temporary file left",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const both = [["b", "c"], ["c", "b"]].map((outs, i) => start(p, ["-n", `t${i}`, "--dep", "a", "--out", outs[0], "--out", outs[1], ...p.shell("cat a >b; cat a >c")]));
			for (const { ended } of both) assert.equal((await ended).status, 0);
			assert.deepEqual(readdirSync(p.dir).sort(), [".pi", "a", "b", "c"]);
			assert.deepEqual(readdirSync(join(p.store, "tmp")), []);
			assert.equal(readFileSync(p.path("c"), "utf8"), "one\n");
		},
	},
];
