// Row 7, signals: they go to the command and all it has started, nobody outlives us, and we end as the command does.
// Row 10, a run inside of a run that works on the same files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { until } from "../lib/wait.mjs";
import { Project } from "./project.mjs";

/** `readcache ARGS`, beside this process. */
function start(p, args) {
	const child = spawn(p.context.binary, args, { cwd: p.dir, env: { PATH: process.env.PATH, HOME: p.dir, XDG_STATE_HOME: p.state }, stdio: ["ignore", "pipe", "pipe"] });
	const said = { stdout: "", stderr: "" };
	for (const stream of ["stdout", "stderr"]) child[stream].on("data", (bytes) => (said[stream] += bytes));
	const ended = new Promise((done) => child.on("close", (status, signal) => done({ status: signal ?? status, ...said })));
	return { child, said, ended };
}

/** Not even waiting to be taken notice of. */
function lives(pid) {
	try {
		return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}

/** A command with a child, a grandchild and one that has closed its streams; each writes its number. */
const family = (rest = "wait") =>
	`(sh -c 'echo $$ >grandchild; while :; do sleep 1000; done') & sleep 1000 & echo $! >child; sleep 1000 >/dev/null 2>&1 & echo $! >silent; echo $$ >self; ${rest}`;
const members = ["grandchild", "child", "silent", "self"];
const pids = (p) => members.map((name) => Number(p.read(name)));
const began = (p) => () => members.every((name) => existsSync(p.path(name)) && p.read(name).endsWith("\n"));

export const tests = [
	...["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"].map((signal) => ({
		name: `B7 ${signal} to our process alone ends the command and all it has started, and we die by it`,
		async run(context) {
			const p = new Project(context);
			// A shell lets what it starts in the background ignore SIGINT and SIGQUIT.
			const one = start(p, ["run", "--out", "b", "--", "sh", "-c", family()]);
			await until(began(p), "it begins");
			one.child.kill(signal);
			const { status } = await one.ended;
			assert.equal(status, signal);
			for (const [i, pid] of pids(p).entries()) await until(() => !lives(pid), `${members[i]} has ended`);
		},
	})),
	{
		name: "B7 when we are killed the command and all it has started are killed, too",
		async run(context) {
			const p = new Project(context);
			p.write("f.json", JSON.stringify({ nodes: [{ id: "x", run: family() }] }));
			for (const args of [["run", "--", "sh", "-c", family("trap '' TERM INT HUP; wait")], ["flow", "f.json"]]) {
				for (const name of members) p.remove(name);
				const one = start(p, args);
				await until(began(p), "it begins");
				one.child.kill("SIGKILL");
				for (const [i, pid] of pids(p).entries()) await until(() => !lives(pid), `${members[i]} has ended`);
				assert.equal((await one.ended).status, "SIGKILL");
			}
		},
	},
	{
		name: "B7 a command that catches the signal decides how it ends; one it leaves behind does not stay",
		async run(context) {
			const p = new Project(context);
			const one = start(p, ["run", "--", "sh", "-c", family("trap 'echo caught; exit 5' TERM; echo ready; wait")]);
			await until(() => one.said.stdout.includes("ready") && began(p)(), "it begins");
			one.child.kill("SIGTERM");
			const { status, stdout } = await one.ended;
			assert.deepEqual([status, stdout], [5, "ready\ncaught\n"]);
			for (const [i, pid] of pids(p).entries()) await until(() => !lives(pid), `${members[i]} has ended`);
		},
	},
	{
		name: "B7 what a command leaves running when it ends by itself is left alone",
		async run(context) {
			const p = new Project(context);
			assert.equal(p.run(["--", "sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $! >daemon"]).status, 0);
			const daemon = Number(p.read("daemon"));
			assert.ok(lives(daemon));
			process.kill(daemon, "SIGKILL");
		},
	},
	{
		name: "B7 when we are killed nobody else gets the outputs before the command is dead",
		async run(context) {
			const p = new Project(context);
			p.write("b", "precious\n");
			const args = ["-n", "t", "--out", "b", "--", "sh", "-c", `if [ -e ../first ]; then echo second >b; else : >../first; trap '' TERM; while :; do echo first >b; : >../wrote; done; fi`];
			const one = start(p, ["run", ...args]);
			try {
				await until(() => existsSync(p.path("../wrote")), "it writes");
			} finally {
				one.child.kill("SIGKILL");
			}
			const { status, stderr } = p.run(args);
			assert.equal(status, 0, stderr);
			for (let i = 0; i < 20; i++) assert.equal(p.read("b"), "second\n");
			assert.ok([".b.readcache-old", ".b.readcache-old-2"].some((name) => existsSync(p.path(name)) && p.read(name) === "precious\n"));
		},
	},
	{
		name: "B10 a run inside of a run that works on the same files says so instead of waiting for itself",
		async run(context) {
			const p = new Project(context);
			p.write("a", "1\n");
			const inner = (...args) => `'${context.binary}' run ${args.join(" ")}`;
			const cases = [
				[["--out", "b"], inner("--out", "b", "--", "touch", "b")],
				[["--dep", "a", "--out", "b"], inner("--out", "./a", "--", "touch", "a")],
				[["--out", "b"], inner("--dep", "b", "--out", "c", "--", "touch", "c")],
				[["--out", "b"], `sh -c "${inner("--out", "b", "--", "touch", "b")}; exit \\$?"`],
			];
			for (const [outer, script] of cases) {
				const { status, stderr } = p.run([...outer, "--", "sh", "-c", `${script}; echo "inner $?" >&2; touch b`]);
				assert.equal(status, 0, stderr);
				assert.match(stderr, /^readcache: run-[0-9a-f]+ runs inside of a command of readcache that works on the same files, so it would wait for itself; it was not run\.\n/m, script);
				assert.match(stderr, /^inner 125$/m);
				assert.equal(p.read("a"), "1\n");
			}
			const nested = p.run(["--out", "b", "--", "sh", "-c", `${inner("--out", "c", "--", "touch", "c")} && touch b`]);
			assert.equal(nested.status, 0, nested.stderr);
			assert.ok(existsSync(p.path("c")));
		},
	},
];
