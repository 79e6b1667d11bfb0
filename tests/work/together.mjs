// Several at once: the same work is done once, work on the same files takes turns, nobody waits for a dead process.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../lib/wait.mjs";
import { Project } from "./project.mjs";

/** `readcache run ARGS`, beside this process. */
function start(p, args) {
	const child = spawn(p.context.binary, ["run", ...args], { cwd: p.dir, env: { PATH: process.env.PATH, HOME: p.context.dir }, stdio: ["ignore", "pipe", "pipe"] });
	const said = { stdout: "", stderr: "" };
	for (const stream of ["stdout", "stderr"]) child[stream].on("data", (bytes) => (said[stream] += bytes));
	const ended = new Promise((done) => child.on("close", (status, signal) => done({ status: signal ?? status, ...said })));
	return { child, said, ended };
}

/** A command that begins, tells so by a file, and ends when another file is there. */
const held = (p, name, rest) => p.shell(`: >'${p.context.dir}/${name}.begun'; while [ ! -e '${p.context.dir}/${name}.go' ]; do sleep 0.01; done; ${rest}`);
const begun = (p, name) => () => existsSync(join(p.context.dir, `${name}.begun`));
const release = (p, name) => writeFileSync(join(p.context.dir, `${name}.go`), "");

export const tests = [
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
			process.kill(one.child.pid, "SIGKILL");
			await one.ended; // and its command, which had our end of the pipe
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
