// Row 6: the program itself is an input, and so are files that the command names by its words; who declares nothing is
// told what that means. And inputs that are not there are told.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Project, settle, UNDECLARED } from "./project.mjs";

/** A program that says TEXT. */
function program(path, text) {
	writeFileSync(path, `#!/bin/sh\necho ${text}\n`);
	chmodSync(path, 0o755);
}

/**
 * Root may look everywhere, so this runs as somebody who may not. What the command says, and how often it was really run
 * so far.
 */
function asPlainUser(p, args, env = {}) {
	const root = process.getuid() === 0;
	const rc = join(p.context.dir, "rc");
	if (!existsSync(rc)) {
		copyFileSync(p.context.binary, rc);
		chmodSync(rc, 0o755);
		if (root) spawnSync("chown", ["-hR", "65534:65534", p.context.dir]);
	}
	const command = ["sh", "-c", `echo x >>${p.path("ran")}; exec echo "$@"`, "sh"];
	const argv = ["run", ...args.slice(0, args.indexOf("--")), "--explain", "--", ...command, ...args.slice(args.indexOf("--") + 1)];
	const options = { cwd: p.dir, encoding: "utf8", env: { PATH: process.env.PATH, HOME: p.context.dir, ...env }, ...(root ? { uid: 65534, gid: 65534 } : {}) };
	const { status, stderr } = spawnSync(rc, argv, options);
	assert.equal(status, 0, stderr);
	return { stderr, ran: readFileSync(p.path("ran"), "utf8").split("\n").length - 1 };
}

/** As a user sees it, with every line. */
const run = (p, args, options) => p.context.run(["run", ...args], { cwd: p.dir, ...options });

export const tests = [
	{
		name: "B6 a file that the words name is an input, whatever short names outputs and inputs have",
		run(context) {
			const p = new Project(context);
			for (const name of ["d", "c"]) p.write(name, "x\n");
			for (const declared of [["--out", "o"], ["--dep", "d"], ["--code", "c"], ["--out", "o", "--dep", "d", "--code", "c"]]) {
				p.write("script", "echo one >o; echo one\n");
				const args = [...declared, "--", "sh", "script"];
				assert.equal(p.run(args).stdout, "one\n");
				p.write("script", "echo two >o; echo two\n");
				assert.equal(p.run(args).stdout, "two\n", declared.join(" "));
			}
		},
	},
	{
		name: "B6 what may not be looked at is not absent: words, links of a pattern, directories below one, git",
		run(context) {
			const p = new Project(context);
			p.write("closed/conf", "one\n");
			p.write("listed/sub/x.c", "one\n");
			p.write("there", "one\n");
			p.write("repo/closed/.git/HEAD", "0".repeat(40));
			mkdirSync(p.path("bare"));
			symlinkSync("closed/conf", p.path("way"));
			symlinkSync("../closed/conf", p.path("bare/link"));
			symlinkSync("circle", p.path("circle"));
			symlinkSync("closed/.git", p.path("repo/.git"));
			const unknown = [
				["a word", /file:closed\/conf cannot be resolved: Permission denied/, ["--", "closed/conf"]],
				["a word that is a link", /cannot be resolved: Permission denied/, ["--", "way"]],
				["a word that is a circle", /file:circle cannot be resolved: Too many levels/, ["--", "circle"]],
				["a link that a pattern finds", /cannot be looked at/, ["--fp", "glob!:bare/*", "--", "a"]],
				["a link that a pattern finds, by its facts", /cannot be looked at/, ["--fp", "glob:bare/*", "--", "a"]],
				["a directory that may be listed only", /cannot be looked at/, ["--fp", "glob!:listed/**/*.c", "--", "b"]],
			];
			const known = [
				["a word that is there", ["--", "there"]],
				["words that are not there", ["--", "nothing", "there/x", "x".repeat(300), `a/${"y".repeat(300)}`]],
				["PATH with a directory that the system passes over", ["--", "p"], { PATH: `${p.path("closed")}:${process.env.PATH}` }],
			];
			p.write("ran", "");
			asPlainUser(p, ["--no-commit", "--", "first"]);
			chmodSync(p.path("closed"), 0);
			chmodSync(p.path("repo/closed"), 0);
			chmodSync(p.path("listed"), 0o444);
			try {
				for (const [what, why, args] of unknown) {
					const { ran } = asPlainUser(p, args);
					const again = asPlainUser(p, args);
					assert.equal(again.ran, ran + 1, what);
					assert.match(again.stderr, why, what);
				}
				for (const [what, args, env] of known) {
					const { ran } = asPlainUser(p, args, env);
					assert.equal(asPlainUser(p, args, env).ran, ran, what);
				}
				const inRepo = { context, dir: p.path("repo"), path: (name) => p.path(name) };
				const { ran } = asPlainUser(inRepo, ["--fp", "git:HEAD", "--", "g"]);
				assert.equal(asPlainUser(inRepo, ["--fp", "git:HEAD", "--", "g"]).ran, ran + 1, "git");
			} finally {
				for (const name of ["closed", "repo/closed", "listed"]) chmodSync(p.path(name), 0o755);
			}
		},
	},
	{
		name: "B6 a program that changes is run again, by its path, by PATH and through links",
		run(context) {
			const p = new Project(context);
			mkdirSync(p.path("bin"));
			mkdirSync(p.path("first"));
			program(p.path("bin/prog"), "one");
			symlinkSync("bin/prog", p.path("alias"));
			const env = { PATH: `${p.path("first")}:${p.path("bin")}:${process.env.PATH}` };
			const said = () => [["./bin/prog"], ["./alias"], ["prog"], [p.path("bin/prog")]].map((command) => p.run(["--", ...command], { env }).stdout);
			assert.deepEqual(said(), ["one\n", "one\n", "one\n", "one\n"]);
			assert.equal(p.plan(["--", "prog"], { env }).decision, "reuse");
			program(p.path("bin/prog"), "two");
			assert.match(p.plan(["--", "prog"], { env }).reasons[0].text, /code bin\/prog/);
			assert.deepEqual(said(), ["two\n", "two\n", "two\n", "two\n"]);
			program(p.path("first/prog"), "another");
			assert.equal(p.run(["--", "prog"], { env }).stdout, "another\n", "another program that PATH finds first");
			rmSync(p.path("first/prog"));
			assert.equal(p.run(["--", "prog"], { env }).stdout, "two\n");
			program(p.path("bin/third"), "three");
			rmSync(p.path("alias"));
			symlinkSync("bin/third", p.path("alias"));
			assert.equal(p.run(["--", "./alias"], { env }).stdout, "three\n");
		},
	},
	{
		name: "B6 the interpreter of a script is an input: by its path, by env, as a script, for a word that is not the first",
		run(context) {
			const p = new Project(context);
			const env = { PATH: `${p.path("first")}:${p.path("bin")}:${process.env.PATH}` };
			mkdirSync(p.path("first"));
			mkdirSync(p.path("bin"));
			symlinkSync("bin", p.path("way"));
			const lines = {
				"its path": `#!${p.path("bin/run")}`,
				"spaces and words": `#! \t${p.path("bin/run")} -x  y`,
				"a path from the directory": "#!bin/run",
				"a path with links": `#!${p.path("way/run")}`,
				"no end of the line": `#!${p.path("bin/run")} `.padEnd(600, "x"),
				"a script": `#!${p.path("bin/middle")}`,
				"env": "#!/usr/bin/env run",
				"env, and its words": "#!/usr/bin/env -S A=1 run -x",
				"env, and a path": "#!/usr/bin/env -S bin/run",
				"env, in one word": "#!/usr/bin/env -Srun",
				"env, in long": "#!/usr/bin/env --split-string=B=2 run",
				"env, that finds a script": "#!/usr/bin/env middle",
			};
			for (const [what, line] of Object.entries(lines))
				for (const [before, more] of [[[], "alone"], [["env", "X=1"], "after another program"]]) {
					program(p.path("bin/run"), "one");
					writeFileSync(p.path("bin/middle"), `#!${p.path("bin/run")}\n`, { mode: 0o755 });
					writeFileSync(p.path("script"), `${line}\n`, { mode: 0o755 });
					const args = ["--param", `x=${what}`, "--", ...before, "./script"];
					assert.equal(p.run(args, { env }).stdout, "one\n", what);
					assert.equal(p.plan(args, { env }).decision, "reuse", what);
					program(p.path("bin/run"), "two");
					assert.match(p.plan(args, { env }).reasons[0].text, /code (bin|way)\/run/, `${what}, ${more}`);
					assert.equal(p.run(args, { env }).stdout, "two\n", `${what}, ${more}`);
					if (!/env .*run$/.test(line) || line.includes("/run")) continue;
					program(p.path("first/run"), "three");
					assert.equal(p.run(args, { env }).stdout, "three\n", `${what}, ${more}: PATH finds another one first`);
					rmSync(p.path("first/run"));
				}
			// A file that the line names counts as one that the command names.
			writeFileSync(p.path("script"), "#!/bin/sh text\n", { mode: 0o755 });
			for (const text of ["one", "two"]) {
				p.write("text", `echo ${text}\n`);
				assert.equal(p.run(["--", "./script"]).stdout, `${text}\n`);
			}
			assert.equal(run(p, ["--", "./script"]).stderr, UNDECLARED, "nothing is declared all the same");
		},
	},
	{
		name: "B6 a first line that is not understood: the work is done each time; what is not started is not looked at",
		run(context) {
			const p = new Project(context);
			const env = { PATH: `${p.path("bin")}:${process.env.PATH}` };
			mkdirSync(p.path("bin"));
			program(p.path("bin/run"), "one");
			const script = (line, mode = 0o755) => {
				rmSync(p.path("script"), { force: true });
				writeFileSync(p.path("script"), `${line}\n`, { mode });
			};
			for (const line of ["#!/usr/bin/env -S PATH=/bin:bin run", "#!/usr/bin/env -iS run", '#!/usr/bin/env -S "run"', "#!/usr/bin/env -S -u X run", "#!/usr/bin/env -S ${NAME}"]) {
				script(line);
				const before = p.count();
				for (let i = 0; i < 2; i++)
					assert.match(p.run(["--explain", ...p.shell("true"), "sh", "./script"], { env }).stderr, /file:script cannot be resolved: its first line has words for env that are not understood/, line);
				assert.equal(p.count(), before + 2, line);
			}
			for (const [line, why] of [["#!", /first line cannot be used/], [`#!/${"x".repeat(600)}`, /first line cannot be used/], ["#!./script", /too many scripts/]]) {
				script(line);
				assert.match(p.run(["--explain", ...p.shell("true"), "sh", "./script"], { env }).stderr, why, line);
			}
			for (const [line, mode] of [["#!/usr/bin/env -iS run", 0o644], ["#!/nowhere/at/all", 0o755], ["#! ", 0o644], ["#", 0o755], ["", 0o755]]) {
				script(line, mode);
				p.does([...p.shell("true"), "sh", "./script"], { env });
				assert.equal(p.does([...p.shell("true"), "sh", "./script"], { env }), 0, line);
			}
		},
	},
	{
		name: "B6 an interpreter that is replaced while its script runs, and comes back, is not kept",
		run(context) {
			const p = new Project(context);
			program(p.path("interp"), "one; mv interp old; cp old interp; rm interp; mv old interp");
			writeFileSync(p.path("script"), "#!./interp\n", { mode: 0o755 });
			const { status, stderr } = p.run(["--param", "x=1", "--", "./script"]);
			assert.equal(status, 0);
			assert.equal(stderr, "readcache: interp changed while the command ran, so its result is not kept.\n");
		},
	},
	{
		name: "B6 files that the command names by its words count by their content",
		run(context) {
			const p = new Project(context);
			p.write("sub/data", "1\n");
			p.write("-n", "option\n");
			const args = ["--", "cat", "sub/data", "./sub/../sub/data"];
			assert.deepEqual(run(p, args), { status: 0, stdout: "1\n1\n", stderr: "" });
			assert.equal(p.plan(args).decision, "reuse");
			p.write("sub/data", "2\n");
			assert.equal(run(p, args).stdout, "2\n2\n");
			assert.equal(p.run(["--", "cat", "sub/data"], { cwd: p.dir }).stdout, "2\n");
			// One that comes to be is an input from then on.
			const maybe = ["--param", "x=1", "--", "sh", "-c", 'cat "$1" || echo none', "sh", "maybe"];
			assert.equal(p.run(maybe).stdout, "none\n");
			p.write("maybe", "here\n");
			assert.equal(p.run(maybe).stdout, "here\n");
		},
	},
	{
		name: "B6 a word that the command makes: an output if it is named so, else nothing is kept and the way is told",
		run(context) {
			const p = new Project(context);
			p.write("a", "1\n");
			const copy = (...more) => ["-n", "t", ...more, "--", "cp", "a", "b"];
			for (let i = 0; i < 2; i++)
				assert.equal(run(p, copy()).stderr, "readcache: b changed while the command ran, so its result is not kept; if the command makes it, name it with --out.\n");
			assert.equal(run(p, copy("--out", "b")).status, 0);
			assert.equal(p.plan(copy("--out", "b")).decision, "reuse");
			p.write("a", "2\n");
			assert.equal(run(p, copy("--out", "b")).status, 0);
			assert.equal(p.read("b"), "2\n");
		},
	},
	{
		name: "B6 who declares nothing is told in one line what that means, when it is kept and when it is repeated",
		run(context) {
			const p = new Project(context);
			p.write("src", "1\n");
			p.write("in", "1\n");
			const bare = ["--", "sh", "-c", "cat src"];
			for (let i = 0; i < 2; i++) assert.deepEqual(run(p, bare), { status: 0, stdout: "1\n", stderr: UNDECLARED });
			assert.equal(UNDECLARED.trimEnd().split("\n").length, 1);
			for (const declared of [["--dep", "src"], ["--fp", "file:src"], ["--env", "X"], ["--param", "x=1"], ["--ttl", "1h"], ["--code", "src"]])
				for (let i = 0; i < 2; i++) assert.equal(run(p, [...declared, ...bare]).stderr, "", declared.join(" "));
			assert.equal(run(p, ["--stdin", ...bare], { input: "x" }).stderr, "");
			assert.equal(run(p, ["--", "cat", "in"]).stderr, "", "a word that is a file is an input");
			assert.equal(run(p, ["--no-commit", "--", "sh", "-c", "cat src in"]).stderr, "", "nothing is kept");
			assert.equal(run(p, ["--", "sh", "-c", "exit 3"]).stderr, "", "nothing is kept");
		},
	},
	{
		name: "B6 the first example of the help is true: what is edited is tested again",
		run(context) {
			const p = new Project(context);
			const { stdout } = run(p, ["--help"]);
			const example = stdout.match(/readcache run (.*make test)$/m)[1].split(" ");
			assert.ok(example.includes("--dep"), example.join(" "));
			p.write("Makefile", "test:\n\t@cat src/main.c\n");
			p.write("src/main.c", "one\n");
			mkdirSync(p.path("bin"));
			writeFileSync(p.path("bin/make"), "#!/bin/sh\ncat src/main.c\n");
			chmodSync(p.path("bin/make"), 0o755);
			const env = { PATH: `${p.path("bin")}:${process.env.PATH}` };
			assert.deepEqual(run(p, example, { env }), { status: 0, stdout: "one\n", stderr: "" });
			p.write("src/main.c", "two\n");
			assert.deepEqual(run(p, example, { env }), { status: 0, stdout: "two\n", stderr: "" });
		},
	},
	{
		name: "B6 a program that is replaced while it runs, and comes back, is not kept",
		run(context) {
			const p = new Project(context);
			program(p.path("prog"), "one; mv prog old; cp old prog; rm prog; mv old prog");
			const { status, stderr } = p.run(["--param", "x=1", "--", "./prog"]);
			assert.equal(status, 0);
			assert.equal(stderr, "readcache: prog changed while the command ran, so its result is not kept.\n");
		},
	},
	{
		name: "B6 flow: a program that changes is run again, also after a glance",
		async run(context) {
			const p = new Project(context);
			program(p.path("prog"), "one >out");
			mkdirSync(p.path("bin"));
			renameSync(p.path("prog"), p.path("bin/prog"));
			symlinkSync("bin/prog", p.path("prog"));
			p.write("f.json", JSON.stringify({ nodes: [{ id: "x", run: ["./prog"], outs: ["out"] }] }));
			const flow = () => assert.equal(context.run(["flow", "f.json"], { cwd: p.dir }).status, 0);
			for (const text of ["one", "two", "three"]) {
				program(p.path("bin/prog"), `${text} >out`);
				for (let i = 0; i < 4; i++) {
					flow();
					await new Promise((done) => setTimeout(done, 30)); // files become old enough to be believed
				}
				assert.equal(p.read("out"), `${text}\n`);
			}
			program(p.path("bin/other"), "four >out");
			rmSync(p.path("prog"));
			symlinkSync("bin/other", p.path("prog"));
			flow();
			assert.equal(p.read("out"), "four\n");
		},
	},
	{
		name: "B6 flow: an interpreter that changes is seen, also after a glance: of the program, of a word, by env, through a link",
		async run(context) {
			const p = new Project(context);
			const env = { PATH: `${p.path("first")}:${p.path("bin")}:${process.env.PATH}` };
			const flow = () => assert.equal(context.run(["flow", "f.json"], { cwd: p.dir, env }).status, 0);
			const calm = async () => {
				for (let i = 0; i < 4; i++) {
					flow();
					await settle();
				}
			};
			for (const dir of ["bin", "first"]) mkdirSync(p.path(dir));
			symlinkSync("bin/real", p.path("interp"));
			const declared = { deps: ["script"], code: ["./script"] };
			for (const [line, node] of [["#!./interp", { run: ["./script"] }], ["#!/usr/bin/env run", { run: ["./script"] }], ["#!/usr/bin/env -S A=1 run", { run: ["env", "./script"], ...declared }]]) {
				writeFileSync(p.path("script"), `${line}\n`, { mode: 0o755 });
				p.write("f.json", JSON.stringify({ nodes: [{ id: "x", ...node, outs: ["out"] }] }));
				for (const text of ["one", "two"]) {
					for (const name of ["bin/real", "bin/run"]) program(p.path(name), `${text} >out`);
					await calm();
					assert.equal(p.read("out"), `${text}\n`, line);
				}
				if (line.includes("env")) {
					program(p.path("first/run"), "three >out");
					flow();
					assert.equal(p.read("out"), "three\n", line);
					rmSync(p.path("first/run"));
				} else {
					program(p.path("bin/other"), "three >out");
					rmSync(p.path("interp"));
					symlinkSync("bin/other", p.path("interp"));
					flow();
					assert.equal(p.read("out"), "three\n", line);
				}
			}
		},
	},
	{
		name: "inputs that are not there are told in one line, whether the command is run or repeated",
		run(context) {
			const p = new Project(context);
			p.write("a", "1\n");
			const args = ["--dep", "a", "--dep", "scr", "--code", "tool.py", "--", "sh", "-c", "cat a"];
			for (let i = 0; i < 2; i++) assert.deepEqual(run(p, args), { status: 0, stdout: "1\n", stderr: "readcache: these inputs are not there: tool.py, scr.\n" });
			assert.equal(run(p, ["--dep", "scr", "--", "true"]).stderr, "readcache: this input is not there: scr.\n");
			assert.ok(!existsSync(join(p.dir, "scr")));
		},
	},
];
