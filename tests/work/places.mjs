// Where things are: one place has many spellings (row 4), and a project that moves stays the same project (row 12).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Project } from "./project.mjs";

function git(dir, ...args) {
	const env = { PATH: process.env.PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: "1" };
	execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", "-c", "protocol.file.allow=always", ...args], { cwd: dir, env, stdio: "ignore" });
}

/** All that is in DIR in a commit; SUBJECT makes it another one than that of others. */
function repository(dir, subject) {
	for (const args of [["init", "-q"], ["add", "."], ["commit", "-q", "-m", subject]]) git(dir, ...args);
}

/** All of the project but its store. */
const treeOf = (p) => Object.entries(p.listing()).filter(([path]) => path.startsWith(p.dir) && !path.startsWith(p.path(".pi")));

export const tests = [
	{
		name: "B4 an output that overlaps with another one is refused by any spelling, with both named",
		run(context) {
			const p = new Project(context);
			p.write("a/keep", "");
			p.write("deep/er/keep", "");
			symlinkSync("deep/er", p.path("link"));
			const pairs = [
				["o", "./o"], ["o", "a/../o"], ["o", "no/../o"], ["o", "o/"], ["d", "d/x"], ["d/x", "d"], ["d/", "d"], ["d/./x", "d"],
				["link/o", "deep/er/o"], ["deep/o", "link/../o"], ["deep/er", "link/o"], ["link", "link/o"], ["o", p.path("o")],
			];
			for (const [one, two] of pairs) {
				const { status, stderr } = p.run(["--out", one, "--out", two, "--", "touch", p.path("ran")]);
				assert.equal(status, 125, `${one} ${two}: ${stderr}`);
				assert.match(stderr, /^readcache: the output \S+ (is named twice, or lies in another one, or around it: \S+|is outside of the project.*)\. See readcache run --help\.\n$/);
			}
			assert.ok(!existsSync(p.path("ran")) && existsSync(p.path("deep/er/keep")) && existsSync(p.path("link/keep")));
		},
	},
	{
		name: "B4 an output that overlaps with a dep or with code is refused by any spelling, and nothing is touched",
		run(context) {
			const p = new Project(context);
			p.write("prog", "#!/bin/sh\n");
			p.write("in/file", "precious\n");
			symlinkSync("in", p.path("link"));
			symlinkSync("link", p.path("again"));
			symlinkSync("prog", p.path("alias"));
			const pairs = [
				["prog", "prog"], ["prog", "./prog"], ["prog", "in/../prog"], ["prog", p.path("prog")], ["prog", "alias"], ["alias", "alias"],
				["in/file", "in"], ["in/new", "in"], ["in", "in/file"], ["link/new", "in"], ["in/new", "link"], ["in/new", "again"],
				["link", "again/file"], ["again", "again/file"], ["again/file", "in/file"],
			];
			p.run(["--", "true"]); // the store is there
			for (const option of ["--dep", "--code"])
				for (const [out, input] of pairs) {
					const before = treeOf(p);
					const { status, stderr } = p.run([option, input, "--out", out, "--", "touch", "ran"]);
					assert.equal(status, 125, `${option} ${input} --out ${out}: ${stderr}`);
					assert.match(stderr, /^readcache: the output \S+ (is also an input, or in one|has an input in it, or on the way to it, and is made anew by every run): \S+\. See readcache run --help\.\n$/);
					assert.ok(stderr.includes(`: ${input}. `), stderr);
					assert.deepEqual(treeOf(p), before);
				}
		},
	},
	{
		name: "B4 a dep above a link is the one that the command reads",
		run(context) {
			const p = new Project(context);
			p.write("f", "here\n");
			p.write("far/f", "there\n");
			p.write("far/dir/x", "");
			symlinkSync("far/dir", p.path("link"));
			const args = ["--dep", "link/../f", ...p.shell("cat link/../f")];
			assert.equal(p.run(args).stdout, "there\n");
			p.write("far/f", "changed\n");
			assert.equal(p.run(args).stdout, "changed\n");
			p.write("f", "other\n");
			assert.equal(p.does(args), 0, "this one it does not read");
		},
	},
	{
		name: "B12 a project that moves finds what was done, and so does a second clone on one store",
		run(context) {
			const p = new Project(context, "one");
			const store = join(context.dir, "store");
			const work = (...more) => [...more, "--dep", "a", "--dep", "../shared", "--out", "b", ...p.shell("cat a ../shared >b; cat b")];
			p.write("shared", "S\n");
			p.write("sub/a", "A\n");
			p.write("other/a", "A\n");
			repository(p.dir, "one");
			const sub = { cwd: p.path("sub") };
			assert.equal(p.does(work("--store", store), sub), 1);
			const q = new Project(context, "two");
			git(q.dir, "clone", "-q", p.dir, ".");
			assert.equal(q.does(work("--store", store), { cwd: q.path("sub") }), 0, "the clone");
			assert.equal(q.read("sub/b"), "A\nS\n");
			assert.equal(q.does(work("--store", store), { cwd: q.path("other") }), 1, "the directory below the root counts");
			q.write("shared", "T\n");
			assert.equal(q.does(work("--store", store), { cwd: q.path("sub") }), 1, "what is beside the directory counts");

			// The store's own place is the project's.
			const r = new Project(context, "three");
			r.write("shared", "S\n");
			r.write("sub/a", "A\n");
			mkdirSync(r.path(".pi"));
			const args = work("--store", "../.pi/readcache");
			assert.equal(r.does(args, { cwd: r.path("sub") }), 1);
			renameSync(r.dir, join(context.dir, "moved"));
			assert.equal(r.does(args, { cwd: join(context.dir, "moved", "sub") }), 0);
		},
	},
	{
		name: "B12 a second clone at another commit is not given what the first one's undeclared work said",
		run(context) {
			const store = ["--store", join(context.dir, "store")];
			const p = new Project(context, "one");
			p.write("tool.sh", "cat data\n");
			p.write("data", "one\n");
			repository(p.dir, "one");
			const q = new Project(context, "two");
			git(q.dir, "clone", "-q", p.dir, ".");
			q.write("data", "two\n");
			const words = ["--", "sh", "tool.sh"];
			for (const more of [[], ["-n", "t"], ["--out", "o"]]) {
				const work = [...store, ...more, ...(more[0] === "--out" ? ["--", "sh", "-c", "sh tool.sh | tee o"] : words)];
				assert.equal(p.run(work).stdout, "one\n");
				assert.equal(q.run(work).stdout, "two\n");
				assert.equal(p.does(work), 0, "it is repeated where it was done");
			}
		},
	},
	{
		name: "B12 two projects on one store share nothing, though they do the same",
		run(context) {
			const store = join(context.dir, "store");
			const asked = [["run", "--store", store, "--", "./tool.sh"], ["run", "--store", store, "-n", "it", "--", "sh", "-c", "cat f"], ["flow", "--store", store, "flow.json", "-q"]];
			for (const [name, isRepository] of [["one", true], ["two", true], ["three", false], ["four", false]]) {
				const p = new Project(context, name);
				p.write("tool.sh", "#!/bin/sh\ncat f\n");
				chmodSync(p.path("tool.sh"), 0o755);
				p.write("f", `of ${name}\n`);
				p.write("flow.json", JSON.stringify({ nodes: [{ id: "a", run: "cat f", cache: { scope: "cross-run" } }, { id: "b", run: ["cat", "f"], deps: ["tool.sh"], outs: [] }] }));
				if (isRepository) repository(p.dir, name);
				// A repository without a commit is known by its place.
				else mkdirSync(p.path(".git"));
				for (const args of asked) assert.equal(context.run(args, { cwd: p.dir }).stdout, `of ${name}\n`, `${name}: ${args}`);
			}
		},
	},
	{
		name: "B12 without a store or a repository around it a directory is known by its own name",
		run(context) {
			const store = join(context.dir, "store");
			for (const name of ["one", "two"]) {
				const p = new Project(context, name);
				p.write("a", "A\n");
				assert.equal(p.does(["--store", store, "--dep", "a", ...p.shell("pwd")]), 1);
			}
		},
	},
];
