// Row 3, lost work: what stands where an output is to be made comes back if it is not made, and what was not made by us
// is never lost, wherever we are killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, inject, injector } from "../torture/inject.mjs";
import { Project, STRIDE } from "./project.mjs";

const precious = (p) => {
	p.write("src/main.c", "code\n");
	p.write("src/deep/er.c", "more code\n");
};

const intact = (p, what) => {
	assert.deepEqual(readdirSync(p.dir).sort().filter((name) => name !== ".pi" && name !== "a"), ["src"], what);
	assert.equal(p.read("src/main.c") + p.read("src/deep/er.c"), "code\nmore code\n", what);
};

const kept = (name, path = name) => `readcache: the old ${name} was not made by readcache, so it is kept: ${path}.\n`;

export const tests = [
	{
		name: "B3 an output that is there comes back if the command does not make it, fails, is not found or cannot be run",
		run(context) {
			const p = new Project(context);
			precious(p);
			p.write("data", "");
			const cases = [
				[["true"], 125], [["false"], 1], [["no-such-command-here"], 127], [["./data"], 126], [["sh", "-c", "mkdir src; echo half >src/main.c; exit 3"], 3],
				[["sh", "-c", "echo half >src; kill -9 $$"], 137], [["sh", "-c", "mkdir src; kill -TERM $$"], 143],
			];
			for (const [command, status] of cases)
				for (const more of [[], ["--force"], ["--no-commit"], ["--cache-failures"], ["--out-not-kept", "other"]]) {
					const run = p.run([...more, "--out", "src", "--", ...command]);
					assert.equal(run.status, status, `${command}: ${run.stderr}`);
					p.remove("data");
					intact(p, command.join(" "));
					p.write("data", "");
				}
		},
	},
	{
		name: "B3 it comes back when we are told to end, and when the time is over",
		async run(context) {
			const p = new Project(context);
			precious(p);
			for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
				const child = spawn(context.binary, ["run", "--out", "src", "--", "sh", "-c", "mkdir src; echo half >src/main.c; echo begun; exec sleep 1000"],
					{ cwd: p.dir, stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env.PATH, HOME: p.dir, XDG_STATE_HOME: p.state } });
				const ended = new Promise((done) => child.on("close", done));
				await new Promise((done) => child.stdout.once("data", done));
				child.kill(signal);
				await ended;
				intact(p, signal);
			}
		},
	},
	{
		name: "B3 what was not made by us is kept beside the new output, once, and told",
		run(context) {
			const p = new Project(context);
			precious(p);
			p.write("a", "1\n");
			const args = ["-n", "t", "--dep", "a", "--out", "src", ...p.shell("mkdir src; cat a >src/made")];
			assert.deepEqual(p.run(args), { status: 0, stdout: "", stderr: kept("src", ".src.readcache-old") });
			assert.equal(p.read(".src.readcache-old/main.c") + p.read(".src.readcache-old/deep/er.c"), "code\nmore code\n");
			p.write("a", "2\n");
			assert.deepEqual(p.run(args), { status: 0, stdout: "", stderr: "" }, "our own output is replaced without a word");
			assert.deepEqual(readdirSync(p.dir).sort(), [".pi", ".src.readcache-old", "a", "src"]);
			// Edited by hand: somebody's work again.
			p.write("src/made", "by hand\n");
			p.write("a", "3\n");
			assert.equal(p.run(args).stderr, kept("src", ".src.readcache-old-2"));
			assert.equal(p.read(".src.readcache-old-2/made") + p.read("src/made"), "by hand\n3\n");
			assert.equal(p.read(".src.readcache-old/main.c"), "code\n");
		},
	},
	{
		name: "B3 what was edited by hand is kept, too, when an old result is brought back over it",
		run(context) {
			const p = new Project(context);
			p.write("a", "1\n");
			p.write("d/x", "");
			const args = ["-n", "t", "--dep", "a", "--out", "d/b", ...p.shell("rm -f d/b; cat a >d/b")];
			assert.equal(p.does(args), 1);
			p.remove("d/b");
			p.write("d/b", "by hand\n");
			assert.equal(p.run(args).stderr, kept("d/b", "d/.b.readcache-old"));
			assert.equal(p.read("d/b") + p.read("d/.b.readcache-old"), "1\nby hand\n");
			assert.equal(p.count(), 1);
		},
	},
	{
		name: "B3 what our own commands left is ours: kept or not, failed or not, no copies pile up",
		run(context) {
			const leaves = {
				"a failure": ["exit 1", []], "no commit": ["", ["--no-commit"]], "not kept": ["", ["--out-not-kept", "c"]],
				"an input that changes": ["echo >>a", []], "an empty directory": ["mkdir d/empty", []], "a pipe": ["mkfifo d/../c", ["--out", "c"]],
			};
			for (const [what, [script, more]] of Object.entries(leaves)) {
				const p = new Project(context, what.replaceAll(" ", "-"));
				p.write("a", "1\n");
				const args = ["-n", "t", "--dep", "a", "--out", "b", "--out", "d", ...more, ...p.shell(`date +%N >b; mkdir d; date +%N >d/x; [ -e c ] || date +%N >c; ${script}`.replace("[ -e c ] || date +%N >c; mkfifo", "mkfifo"))];
				for (let i = 0; i < 4; i++) {
					p.run(["--force", ...args]);
					assert.deepEqual(readdirSync(p.dir, { recursive: true }).filter((name) => name.includes(".readcache-")), [], `${what} ${i}`);
				}
			}
		},
	},
	{
		name: "B3 a store that is lost loses no output, and a command that makes the same again leaves no copy",
		run(context) {
			const p = new Project(context);
			p.write("a", "1\n");
			const args = ["-n", "t", "--dep", "a", "--out", "b", ...p.shell("cat a >b")];
			p.does(args);
			rmSync(p.store, { recursive: true });
			assert.deepEqual(p.run(args), { status: 0, stdout: "", stderr: "" });
			rmSync(p.store, { recursive: true });
			p.write("a", "2\n");
			assert.equal(p.run(args).stderr, kept("b", ".b.readcache-old"));
			assert.equal(p.read(".b.readcache-old"), "1\n");
		},
	},
	{
		name: "B3 links, programs and private files come back as what they were",
		run(context) {
			const p = new Project(context);
			p.write("elsewhere", "far\n");
			p.write("prog", "#!/bin/sh\n");
			chmodSync(p.path("prog"), 0o700);
			symlinkSync("elsewhere", p.path("link"));
			symlinkSync("gone", p.path("dangling"));
			const tree = () => Object.fromEntries(Object.entries(p.listing()).filter(([path]) => path.startsWith(p.dir) && !path.includes(".pi")).map(([path, facts]) => [path, facts.split(" ").toSpliced(5, 1).join(" ")]));
			const before = tree();
			assert.equal(p.run(["--out", "prog", "--out", "link", "--out", "dangling", "--", "sh", "-c", "echo >prog; echo >link; echo >dangling; exit 1"]).status, 1);
			assert.deepEqual(tree(), before);
			assert.equal(p.read("elsewhere"), "far\n");
			assert.ok((statSync(p.path("prog")).mode & 0o777) === 0o700);
		},
	},
	{
		name: "B3 a long name has a place aside, too",
		run(context) {
			const p = new Project(context);
			const name = "n".repeat(255);
			p.write(name, "old\n");
			assert.equal(p.run(["--out", name, "--", "false"]).status, 1);
			assert.equal(p.read(name), "old\n");
			assert.equal(p.run(["--out", name, "--", "sh", "-c", `echo new >${name}`]).status, 0);
			assert.equal(p.read(name), "new\n");
			assert.equal(readdirSync(p.dir).filter((other) => other.endsWith(".readcache-old")).length, 1);
		},
	},
	{
		name: "B3 flow: what a node's outputs replace comes back if it fails",
		run(context) {
			const p = new Project(context);
			precious(p);
			for (const [run, node] of [[["no-such-command-here"], "failed"], ["false", "failed"], ["true", "failed"]]) {
				p.write("a", JSON.stringify({ nodes: [{ id: "x", run, outs: ["src"] }] }));
				assert.equal(context.run(["flow", "./a"], { cwd: p.dir }).status, 1, node);
				intact(p, String(run));
			}
		},
	},
	...["the command fails", "the command makes it", "an old result comes back"].map((what) => ({
		name: `B3 SIGKILL at every step loses nothing: ${what}`,
		async run(context) {
			try {
				injector();
			} catch {
				context.skip("tests/torture/inject is not built for this machine");
			}
			const args = (p) => ["-n", "t", "--dep", "a", "--out", "b", "--out", "d", ...p.shell(`cat a >b; mkdir d; cat a >d/x; ${what === "the command fails" ? "exit 1" : ""}`)];
			const scene = (p) => {
				p.write("a", "new\n");
				if (what === "an old result comes back") p.does(args(p));
				p.remove("b");
				p.write("b", "precious b\n");
				p.write("d/y", "precious d\n");
			};
			const play = (p) => ({ args: ["run", ...args(p)], input: "", cwd: p.dir, env: { HOME: p.dir, XDG_CONFIG_HOME: p.dir, XDG_STATE_HOME: p.state } });
			const at = async (body) => {
				const dir = mkdtempSync(join(tmpdir(), "readcache-lost-"));
				try {
					const p = new Project({ ...context, dir });
					scene(p);
					await body(p);
				} finally {
					rmSync(dir, { recursive: true, force: true });
				}
			};
			const isThere = (p, name, text) => existsSync(p.path(name)) && p.read(name) === text;
			const nothingLost = (p, step, when) => {
				const names = readdirSync(p.dir);
				const put = (name) => names.filter((other) => other === name || other.startsWith(`.${name}.readcache-`));
				assert.ok(put("b").some((name) => isThere(p, name, "precious b\n")), `b is lost, ${when} ${step}`);
				assert.ok(put("d").some((name) => isThere(p, join(name, "y"), "precious d\n")), `d is lost, ${when} ${step}`);
			};
			let steps = 0;
			await at(async (p) => (steps = (await count("calls", play(p))).counted));
			assert.ok(steps > 50);
			for (let step = 1 + (steps % STRIDE); step <= steps; step += STRIDE)
				await at(async (p) => {
					const { hit } = await inject("kill", step, play(p));
					const where = `killed at ${step} (${hit?.call} ${hit?.path ?? ""})`;
					nothingLost(p, where, "at once");
					for (const round of [1, 2]) {
						const { status, stderr } = p.run(args(p));
						assert.equal(status, what === "the command fails" ? 1 : 0, `${where}: ${stderr}`);
						nothingLost(p, where, `after run ${round}`);
						assert.deepEqual(readdirSync(p.dir).filter((name) => name.endsWith("-aside")), [], where);
						if (what !== "the command fails") assert.equal(p.read("b") + p.read("d/x"), "new\nnew\n", where);
						else assert.equal(p.read("b") + p.read("d/y"), "precious b\nprecious d\n", where);
					}
				});
		},
	})),
];
