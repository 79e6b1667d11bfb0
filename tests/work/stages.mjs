// Stages of `readcache run`, a row of the design (P1 to P25) each.
import assert from "node:assert/strict";
import {
	chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync,
	symlinkSync, unlinkSync, utimesSync, writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Project, settle, sha256 } from "./project.mjs";

/** A copy of a in b, with a parameter that goes into it. */
const copy = (p, ...more) => ["-n", "copy", "--dep", "a", "--out", "b", ...more, ...p.shell("cat a >b")];

/** The tier at which a stage is reused right now. */
const tierOf = (p, args) => p.plan(args).tier;

export const tests = [
	{
		name: "P1 outputs are kept once by their hash, for all stages, readable only",
		run(context) {
			const p = new Project(context);
			p.write("a", "same\n");
			assert.equal(p.does(["-n", "one", "--out", "x", ...p.shell("cat a >x")]), 1);
			assert.equal(p.does(["-n", "two", "--out", "y", ...p.shell("cat a >y")]), 1);
			const blobs = readdirSync(join(p.store, "objects"), { recursive: true }).filter((name) => name.includes("/"));
			assert.deepEqual(blobs, [`${sha256("same\n").slice(0, 2)}/${sha256("same\n").slice(2)}`]);
			assert.equal(readFileSync(p.blob("same\n"), "utf8"), "same\n");
			assert.equal(statSync(p.blob("same\n")).mode & 0o7777, 0o444);
			assert.equal(statSync(p.path("x")).nlink, 1, "what a command has made stays its own file");
		},
	},
	{
		name: "P2 a directory is kept by file, and comes back",
		run(context) {
			const p = new Project(context);
			const script = "mkdir -p d/sub; echo 1 >d/one; echo 2 >d/sub/two; echo 1 >d/same; echo '#!/bin/sh' >d/go; chmod 755 d/go";
			const args = ["-n", "dir", "--out", "d", ...p.shell(script)];
			assert.equal(p.does(args), 1);
			const lines = ["1\n", "1\n", "2\n"].map((text, i) => `${sha256(text)} 2 - ${["one", "same", "sub/two"][i]}\n`);
			const manifest = `${sha256("#!/bin/sh\n")} 10 x go\n${lines.join("")}`;
			assert.equal(readFileSync(p.blob(manifest), "utf8"), manifest);
			const { output_hashes } = JSON.parse(readFileSync(p.lock("dir")));
			assert.deepEqual(output_hashes, { d: `${sha256(manifest)}.dir` });
			p.remove("d");
			assert.equal(p.does(args), 0);
			assert.deepEqual(readdirSync(p.path("d"), { recursive: true }).sort(), ["go", "one", "same", "sub", "sub/two"]);
			assert.equal(p.read("d/sub/two"), "2\n");
			assert.equal(statSync(p.path("d/go")).mode & 0o111, 0o111, "it can still be executed");
			assert.equal(statSync(p.blob("#!/bin/sh\n")).mode & 0o7777, 0o444);
		},
	},
	{
		name: "P2 a file that is added to, changed in or taken from a directory is seen, and undone",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "dir", "--out", "d", ...p.shell("mkdir d; echo 1 >d/one; echo 2 >d/two")];
			assert.equal(p.does(args), 1);
			const spoils = [
				() => p.write("d/extra", "x"),
				() => p.remove("d/two"),
				() => { p.remove("d/one"); p.write("d/one", "9\n"); },
				() => { p.remove("d"); p.write("d", "a file\n"); },
			];
			for (const spoil of spoils) {
				spoil();
				assert.equal(p.plan(args).reasons[0].code, "out");
				assert.equal(p.does(args), 0);
				assert.deepEqual(readdirSync(p.path("d")).sort(), ["one", "two"]);
				assert.equal(p.read("d/one") + p.read("d/two"), "1\n2\n");
			}
		},
	},
	{
		name: "P2 what not everybody may read comes back for its owner only, by copy",
		run(context) {
			const p = new Project(context);
			const script = "umask 022; echo 1 >f; chmod 600 f; mkdir d h; echo 2 >d/p; chmod 640 d/p; echo 3 >d/open; echo 4 >d/x; chmod 700 d/x; echo 5 >h/in; chmod 700 h";
			const args = ["-n", "t", "--out", "f", "--out", "d", "--out", "h", ...p.shell(script)];
			assert.equal(p.does(args), 1);
			for (const name of ["f", "d", "h"]) p.remove(name);
			assert.equal(p.does(args), 0);
			const mode = (name) => (statSync(p.path(name)).mode & 0o777).toString(8);
			assert.deepEqual(["f", "d/p", "d/open", "d/x", "h/in"].map(mode), ["600", "600", "444", "700", "600"]);
			assert.equal(p.read("f") + p.read("d/p") + p.read("h/in"), "1\n2\n5\n");
			assert.equal(p.plan(args).reasons[0].code, "same", "it is what it was");
			chmodSync(p.path("f"), 0o644);
			assert.equal(p.does(args), 0);
			assert.equal(mode("f"), "600");
		},
	},
	{
		name: "P2 a directory that not everybody may look into comes back for its owner only",
		run(context) {
			const p = new Project(context);
			const made = { "t/open": 0, "t/s/in": 0, "t/s/deep/er/in": 0, "t/s-beside/in": 0, "t/z/p/in": 0, "t/z/q": 0, "all/a": 0, "all/b/c": 0 };
			const script = `umask 022; for f in ${Object.keys(made).join(" ")}; do mkdir -p $(dirname $f); echo $f >$f; done; chmod 700 t/s t/z/p all`;
			const args = ["-n", "t", "--out", "t", "--out", "all", ...p.shell(script)];
			const modes = () => ["t", "t/s", "t/s/deep/er", "t/s-beside", "t/z", "t/z/p", "all", "all/b"].map((name) => (statSync(p.path(name)).mode & 0o777).toString(8));
			assert.equal(p.does(args), 1);
			assert.deepEqual(modes(), ["755", "700", "755", "755", "755", "700", "700", "755"]);
			p.remove("t");
			p.remove("all");
			assert.equal(p.does(args), 0);
			// as it was, or tighter: what is in a private directory is private itself
			assert.deepEqual(modes(), ["755", "700", "700", "755", "755", "700", "700", "700"]);
			for (const name of Object.keys(made)) assert.equal(p.read(name), `${name}\n`);
			assert.equal(p.plan(args).reasons[0].code, "same", "it is what it was");
		},
	},
	{
		name: "P2 a directory with links or empty directories in it does not come back without them: it is made again",
		run(context) {
			for (const [i, more] of ["ln -s one d/link", "ln -s gone d/link", "mkdir d/empty"].entries()) {
				const p = new Project(context, `project${i}`);
				const args = ["-n", "dir", "--out", "d", ...p.shell(`mkdir d; echo 1 >d/one; ${more}`)];
				const { status, stderr } = p.run(args);
				assert.equal(status, 0);
				assert.equal(stderr, "readcache: the output d has a link or an empty directory in it, or cannot be read, so the result is not kept.\n");
				const made = readdirSync(p.path("d")).sort();
				assert.equal(made.length, 2);
				p.remove("d");
				assert.equal(p.does(args), 1);
				assert.deepEqual(readdirSync(p.path("d")).sort(), made);
			}
		},
	},
	{
		name: "P2 a link or an empty directory that was put into an output is seen, and undone",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "dir", "--out", "d", ...p.shell("mkdir d; echo 1 >d/one")];
			assert.equal(p.does(args), 1);
			for (const spoil of [() => symlinkSync("one", p.path("d/link")), () => mkdirSync(p.path("d/empty"))]) {
				spoil();
				assert.equal(p.plan(args).reasons[0].code, "out");
				assert.equal(p.does(args), 0);
				assert.deepEqual(readdirSync(p.path("d")), ["one"]);
			}
		},
	},
	{
		name: "P2 an output that is not kept is compared with its links and empty directories",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "dir", "--out-not-kept", "d", ...p.shell("mkdir -p d/empty; echo 1 >d/one; ln -s one d/link")];
			assert.equal(p.does(args), 1);
			assert.equal(p.does(args), 0);
			for (const name of ["link", "empty"]) {
				p.remove(`d/${name}`);
				assert.equal(p.does(args), 1, name);
			}
		},
	},
	{
		name: "P7 what a link in a directory says and leads to is an input, and so is an empty directory",
		run(context) {
			const p = new Project(context);
			p.write("real", "1\n");
			p.write("same", "1\n");
			p.write("d/sub/file", "");
			symlinkSync("../../real", p.path("d/sub/link"));
			const args = ["-n", "t", "--dep", "d", ...p.shell("ls -R d; cat d/sub/link || :")];
			const relink = (text) => { p.remove("d/sub/link"); symlinkSync(text, p.path("d/sub/link")); };
			assert.equal(p.does(args), 1);
			assert.equal(p.does(args), 0);
			const asBefore = ["a link less", "none"]; // what was done then is found by its record
			const changes = {
				"the target's content": () => p.write("real", "2\n"),
				"the target's mode": () => chmodSync(p.path("real"), 0o755),
				"another text": () => relink("../../same"),
				"a file instead": () => { p.remove("d/sub/link"); p.write("d/sub/link", "1\n"); },
				"one more link": () => symlinkSync("file", p.path("d/sub/more")),
				"a link less": () => p.remove("d/sub/more"),
				"an empty directory": () => mkdirSync(p.path("d/empty")),
				"one in it": () => mkdirSync(p.path("d/empty/deep")),
				"none": () => p.remove("d/empty"),
			};
			for (const [what, change] of Object.entries(changes)) {
				change();
				assert.equal(p.plan(args).reasons[0].subject, "d", what);
				assert.equal(p.does(args), asBefore.includes(what) ? 0 : 1, what);
				assert.equal(p.does(args), 0, what);
			}
		},
	},
	{
		name: "P7 a link in a directory that leads to no file makes the input unknown: nothing is kept",
		run(context) {
			for (const [i, target] of ["../other", "..", "gone", "link", "/dev/null"].entries()) {
				const p = new Project(context, `project${i}`);
				p.write("other/file", "");
				p.write("d/file", "");
				symlinkSync(target, p.path("d/link"));
				const args = ["-n", "t", "--dep", "d", ...p.shell(":")];
				assert.equal(p.plan(args).reasons[0].code, "unresolvable", target);
				assert.equal(p.does(args), 1, target);
				assert.equal(p.does(args), 1, target);
				p.remove("d/link");
				assert.equal(p.does(args), 1, target);
				assert.equal(p.does(args), 0, target);
			}
		},
	},
	{
		name: "P7 a directory that a pattern names is an input with everything in it, but for the stage's outputs",
		run(context) {
			const p = new Project(context);
			p.write("s/t/b", "1\n");
			const args = ["-n", "t", "--dep", "s/*", "--out", "s/made/deep/out", ...p.shell("mkdir -p s/made/deep; cat s/t/b >s/made/deep/out")];
			assert.equal(p.does(args), 1);
			assert.equal(p.does(args), 0);
			for (const [name, text] of [["s/t/b", "2\n"], ["s/t/.hidden", ""], ["s/u/new", ""], ["s/made/beside", ""]]) {
				p.write(name, text);
				assert.equal(p.does(args), 1, name);
				assert.equal(p.does(args), 0, name);
			}
			assert.equal(p.read("s/made/deep/out"), "2\n");
		},
	},
	{
		name: "P3 the lock: hashes, sorted, relative, no times; the same for the same work",
		run(context) {
			const p = new Project(context);
			p.write("a", "data\n");
			p.write("src/code.sh", "code\n");
			const args = ["-n", "t", "--dep", "./a", "--code", "src/../src/code.sh", "--param", "lr=0.10", "--param", "name=x y",
				"--out", "b", ...p.shell("cat a >b")];
			assert.equal(p.does(args), 1);
			const text = readFileSync(p.lock("t"), "utf8");
			const lock = JSON.parse(text);
			assert.deepEqual(lock.dep_hashes, { a: sha256("data\n") });
			assert.deepEqual(lock.code_manifest, { "src/code.sh": sha256("code\n") });
			assert.deepEqual(lock.output_hashes, { b: sha256("data\n") });
			assert.match(text, /\n {4}"lr": 0\.10,\n {4}"name": "x y"\n/);
			const names = Object.keys(lock).filter((name) => name !== "seal"); // whose it is, not what it says
			assert.deepEqual(names, [...names].sort());
			assert.ok(!text.includes(context.dir) && text.endsWith("}\n"));
			assert.equal(p.does(["--force", ...args]), 1);
			assert.equal(readFileSync(p.lock("t"), "utf8"), text);
		},
	},
	{
		name: "P3 a lock that is damaged, cut or of another version is no previous run",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			assert.equal(p.does(copy(p)), 1);
			const good = readFileSync(p.lock("copy"), "utf8");
			const hash = sha256("one\n");
			for (const bad of ["", "{", "null", good.slice(0, -20), good.replace('"v": 1', '"v": 2'), good.replaceAll(`"${hash}"`, "null")]) {
				writeFileSync(p.lock("copy"), bad);
				assert.equal(p.plan(copy(p)).tier, "run cache", bad);
			}
			// Nor is its record there: then it is run.
			rmSync(join(p.store, "memo"), { recursive: true });
			assert.equal(p.plan(copy(p)).reasons[0].code, "first");
			assert.equal(p.does(copy(p)), 1);
			assert.equal(readFileSync(p.lock("copy"), "utf8"), good);
		},
	},
	{
		name: "P3 a name that only begins with two points goes nowhere: it is kept as it is written",
		run(context) {
			const p = new Project(context);
			p.write("real/f", "one\n");
			symlinkSync("real", p.path("..l"));
			assert.equal(p.run(["-n", "up", "--dep", "./..l/f", "--", "true"]).status, 0);
			assert.match(readFileSync(p.lock("up"), "utf8"), /"\.\.l\/f"/);
		},
	},
	{
		name: "P3 names of stages cannot leave the store",
		run(context) {
			const p = new Project(context);
			for (const name of ["../x", "a/b", "..", ".hidden", "a..b", "x".repeat(201), "a b", "é"]) {
				const { status, stderr } = p.run(["-n", name, "--", "true"]);
				assert.equal(status, 125, name);
				assert.match(stderr, /is not a name for a stage/);
			}
			for (const name of ["x".repeat(200), "a@1.2-b_c", "AZ.az-09", "Z"]) assert.equal(p.run(["-n", name, "--", "true"]).status, 0);
		},
	},
	{
		name: "P4 tier 1: nothing seen to change is a generation match, without a look at the lock",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			await settle();
			assert.equal(p.does(copy(p)), 1);
			await settle();
			assert.equal(p.does(copy(p)), 0); // hashes the fresh output again, and notes it
			const plan = p.plan(copy(p));
			assert.deepEqual([plan.decision, plan.tier, plan.reasons[0].code], ["reuse", "generation match", "same"]);
		},
	},
	{
		name: "P4 tier 1: another lock is no generation match",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			await settle();
			assert.equal(p.does(copy(p)), 1);
			await settle();
			assert.equal(p.does(copy(p)), 0);
			assert.equal(tierOf(p, copy(p)), "generation match");
			// As git does when it takes the lock of another commit: what the note was made for is gone.
			const lock = readFileSync(p.lock("copy"));
			rmSync(p.lock("copy"));
			assert.notEqual(tierOf(p, copy(p)), "generation match");
			writeFileSync(p.lock("copy"), lock, { mode: 0o600 });
			assert.equal(tierOf(p, copy(p)), "unchanged");
		},
	},
	{
		name: "P5 tier 2: the same hashes as in the lock; an output that is gone comes back",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			assert.equal(p.does(copy(p)), 1);
			rmSync(p.database());
			assert.deepEqual(tierOf(p, copy(p)), "unchanged");
			utimesSync(p.path("a"), 1, 1); // touched, not changed
			assert.deepEqual(tierOf(p, copy(p)), "unchanged");
			p.remove("b");
			const plan = p.plan(copy(p));
			assert.deepEqual([plan.decision, plan.tier, plan.reasons[0].code, plan.reasons[0].subject], ["reuse", "unchanged", "out-missing", "b"]);
			assert.equal(p.does(copy(p)), 0);
			assert.equal(p.read("b"), "one\n");
		},
	},
	{
		name: "P6 tier 3: an earlier run with the same inputs; outputs come back and the lock is new",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			assert.equal(p.does(copy(p)), 1);
			const first = readFileSync(p.lock("copy"), "utf8");
			p.write("a", "two\n");
			assert.equal(p.does(copy(p)), 1);
			assert.notEqual(readFileSync(p.lock("copy"), "utf8"), first);
			p.write("a", "one\n");
			const plan = p.plan(copy(p));
			assert.deepEqual([plan.decision, plan.tier], ["reuse", "run cache"]);
			assert.equal(p.does(copy(p)), 0);
			assert.equal(p.read("b"), "one\n");
			assert.equal(readFileSync(p.lock("copy"), "utf8"), first);
		},
	},
	{
		name: "P7 P24 an edit that keeps size, time and inode is seen",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			utimesSync(p.path("a"), 1e9, 1e9);
			const { ino } = statSync(p.path("a"));
			await settle();
			assert.equal(p.does(copy(p)), 1);
			await settle();
			assert.equal(p.does(copy(p)), 0);
			assert.equal(tierOf(p, copy(p)), "generation match");
			writeFileSync(p.path("a"), "two\n");
			utimesSync(p.path("a"), 1e9, 1e9);
			assert.deepEqual([statSync(p.path("a")).ino, statSync(p.path("a")).mtimeMs], [ino, 1e12]);
			assert.equal(p.plan(copy(p)).reasons[0].code, "dep");
			assert.equal(p.does(copy(p)), 1);
			assert.equal(p.read("b"), "two\n");
		},
	},
	{
		name: "P24 edits within one tick of the clock are all seen",
		run(context) {
			const p = new Project(context);
			for (let i = 0; i < 20; i++) {
				p.write("a", `${i % 10}\n`);
				p.does(copy(p));
				assert.equal(p.read("b"), `${i % 10}\n`);
			}
			assert.equal(p.count(), 10);
		},
	},
	{
		name: "P8 hardlink, symlink and copy bring an output back, each as asked",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			assert.equal(p.does(copy(p)), 1);
			const looks = {
				hardlink: () => statSync(p.path("b")).ino === statSync(p.blob("one\n")).ino,
				symlink: () => lstatSync(p.path("b")).isSymbolicLink(),
				copy: () => lstatSync(p.path("b")).isFile() && (statSync(p.path("b")).mode & 0o200) !== 0,
			};
			for (const [mode, looksLike] of Object.entries(looks)) {
				p.remove("b");
				assert.equal(p.does(copy(p, "--checkout-mode", mode)), 0);
				assert.ok(looksLike(), mode);
				assert.equal(p.read("b"), "one\n");
				assert.equal(p.plan(copy(p)).reasons[0].code, "same", `${mode} counts as the output`);
			}
			p.remove("b");
			p.does(copy(p));
			assert.ok(looks.hardlink(), "the default");
			p.write(".config/readcache/config.json", '{"checkoutMode":"copy"}');
			p.remove("b");
			p.does(copy(p), { env: { XDG_CONFIG_HOME: p.path(".config") } });
			assert.ok(looks.copy(), "by the settings");
			for (const mode of ["", "link", "copy,", "copy,copy"]) assert.equal(p.run(copy(p, "--checkout-mode", mode)).status, 125);
		},
	},
	{
		name: "P8 on another file system a hardlink becomes what comes next, in the order that is set",
		run(context) {
			const isElsewhere = (place) => existsSync(place) && statSync(place).dev !== statSync(context.dir).dev;
			const elsewhere = ["/dev/shm", "/tmp", "/var/tmp"].find(isElsewhere) ?? context.skip("there is no second file system");
			const p = new Project(context);
			const store = join(elsewhere, `readcache-test-${process.pid}`);
			try {
				p.write("a", "one\n");
				const args = ["--store", store, ...copy(p)];
				assert.equal(p.does(args), 1);
				p.remove("b");
				assert.equal(p.does(args), 0);
				assert.ok(lstatSync(p.path("b")).isSymbolicLink());
				p.remove("b");
				assert.equal(p.does(["--checkout-mode", "hardlink,copy", ...args]), 0);
				assert.ok(lstatSync(p.path("b")).isFile());
				p.remove("b");
				assert.equal(p.does(["--checkout-mode", "hardlink", ...args]), 1, "no way back: it is run");
				assert.equal(p.read("b"), "one\n");
			} finally {
				rmSync(store, { recursive: true, force: true });
			}
		},
	},
	{
		name: "P8 a directory that came back by links is the same directory",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "dir", "--out", "d", ...p.shell("mkdir -p d/s; echo 1 >d/one; echo 2 >d/s/two")];
			assert.equal(p.does(args), 1);
			for (const mode of ["hardlink", "symlink", "copy"]) {
				p.remove("d");
				assert.equal(p.does(["--checkout-mode", mode, ...args]), 0);
				assert.equal(p.read("d/s/two"), "2\n");
				assert.equal(p.plan(args).reasons[0].code, "same", mode);
			}
		},
	},
	{
		name: "P9 the explanation names the file or the parameter, old and new",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			p.write("prog", "v1\n");
			const args = (rate, more = []) => ["-n", "t", "--dep", "a", "--code", "prog", "--param", `rate=${rate}`, "--env", "SECRET",
				"--out", "b", ...more, ...p.shell("cat a >b")];
			const env = { SECRET: "hunter2" };
			assert.match(p.run(["--explain", ...args("0.01")], { env }).stderr, /^readcache: t: RUN: no record of it yet\n$/);
			const told = (list, options = { env }) => p.run(["--dry-run", ...list], options).stdout;
			assert.match(told(args("0.005")), /^t: RUN: param rate: 0\.01 -> 0\.005\n$/);
			p.write("a", "two\n");
			assert.equal(told(args("0.01")), `t: RUN: dep a: ${sha256("one\n").slice(0, 8)} -> ${sha256("two\n").slice(0, 8)}\n`);
			p.remove("a");
			assert.equal(told(args("0.01")), `t: RUN: dep a: ${sha256("one\n").slice(0, 8)} -> absent\n`);
			p.write("a", "one\n");
			p.write("prog", "v2\n");
			assert.match(told(args("0.01")), /^t: RUN: code prog: [0-9a-f]{8} -> [0-9a-f]{8}\n$/);
			p.write("prog", "v1\n");
			assert.equal(told(args("0.01"), { env: { SECRET: "other" } }), "t: RUN: env SECRET changed\n");
			assert.equal(told(args("0.01"), { env: { SECRET: "" } }), "t: RUN: env SECRET changed\n", "empty is not unset");
			assert.equal(told(args("0.01", ["--dep", "c"])), "t: RUN: dep c: none -> absent\n");
			assert.match(told(args("0.01", ["--out", "c"])), /^t: RUN: its declared outputs changed\n$/);
			assert.match(told([...args("0.01"), "more"]), /^t: RUN: the command changed\n$/);
			assert.match(told(args("0.01")), /^t: CACHED \([^)]* · age [^)]*\): nothing changed\n$/);
		},
	},
	{
		name: "P10 an output outside of the project, in the store, or in the way of another is refused",
		run(context) {
			const p = new Project(context);
			p.write("a", "");
			const refused = {
				"../b": /outside of the project/,
				"/tmp/b": /outside of the project/,
				".": /project itself/,
				"x/../..": /outside of the project/,
				".pi/readcache/objects": /overlaps with the store/,
				".pi": /overlaps with the store/,
				"a": /is also an input/,
			};
			for (const [out, why] of Object.entries(refused)) {
				const { status, stderr } = p.run(["--dep", "a", "--out", out, "--", "true"]);
				assert.equal(status, 125, out);
				assert.match(stderr, why);
			}
			assert.match(p.run(["--out", "d", "--out", "d/e", "--", "true"]).stderr, /named twice, or lies in another/);
			assert.match(p.run(["--dep", "d/x", "--out", "d", "--", "true"]).stderr, /has an input in it/);
			assert.match(p.run(["--dep", ".", "--out", "d", "--", "true"]).stderr, /is also an input, or in one/);
		},
	},
	{
		name: "P10 a link that leads out of the project does not lead an output out of it",
		run(context) {
			const p = new Project(context);
			const outside = join(context.dir, "outside");
			mkdirSync(outside);
			mkdirSync(p.path("d"));
			p.write("a", "one\n");
			const args = ["-n", "t", "--dep", "a", "--out", "d/b", ...p.shell("mkdir -p d; cat a >d/b")];
			assert.equal(p.does(args), 1);
			p.remove("d");
			symlinkSync(outside, p.path("d"));
			writeFileSync(join(outside, "b"), "precious\n");
			const { status, stderr } = p.run(args);
			assert.equal(status, 125);
			assert.match(stderr, /the old output d\/b cannot be moved aside/);
			assert.equal(readFileSync(join(outside, "b"), "utf8"), "precious\n");
		},
	},
	{
		name: "P22 what --no-commit has made leaves nothing behind that a later run could believe",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			assert.equal(p.does(copy(p, "--no-commit")), 1);
			assert.equal(p.read("b"), "one\n");
			assert.ok(!existsSync(p.lock("copy")) && !existsSync(p.blob("one\n")) && !existsSync(join(p.store, "memo")));
			assert.equal(p.plan(copy(p)).decision, "work");
			assert.equal(p.does(copy(p)), 1);
			assert.equal(p.does(copy(p, "--no-commit")), 0, "what is kept may be used");
		},
	},
	{
		name: "P10 checkout: what is the same is left alone, what has no blob is told, a lock's path cannot lead out",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			p.write("f.json", JSON.stringify({ nodes: [{ id: "copy", run: "cat a >b", deps: ["a"], outs: ["b"] }] }));
			const flow = (...args) => context.run(["flow", ...args], { cwd: p.dir });
			assert.equal(flow("f.json").status, 0);
			const { ino } = statSync(p.path("b"));
			assert.equal(flow("checkout", "f.json").status, 0);
			assert.equal(statSync(p.path("b")).ino, ino, "not even replaced by a link");
			p.remove("b");
			rmSync(p.blob("one\n"));
			const missing = flow("checkout", "f.json");
			assert.equal(missing.status, 1);
			assert.match(missing.stdout + missing.stderr, /\bb\b/);
			assert.ok(!existsSync(p.path("b")));
			assert.equal(flow("f.json").status, 0);
			const lock = p.lock("copy", "f");
			writeFileSync(lock, readFileSync(lock, "utf8").replaceAll('"b"', '"../b"'));
			flow("checkout", "f.json", "--force");
			assert.ok(!existsSync(join(context.dir, "b")));
		},
	},
	{
		name: "P11 P22 commit takes what is on the disk now, without a run",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const [, , , script] = p.shell("cat a >b");
			p.write("f.json", JSON.stringify({ nodes: [{ id: "copy", run: script, deps: ["a"], outs: ["b"] }] }));
			const flow = (...args) => context.run(["flow", ...args], { cwd: p.dir });
			assert.equal(flow("commit", "f.json").status, 1, "there is no output yet");
			p.write("b", "by hand\n");
			assert.equal(flow("commit", "f.json").status, 0);
			assert.equal(readFileSync(p.blob("by hand\n"), "utf8"), "by hand\n");
			p.remove("b");
			assert.equal(flow("f.json").status, 0);
			assert.deepEqual([p.read("b"), p.count()], ["by hand\n", 0]);
		},
	},
	{
		name: "P21 who reads an output runs behind who makes it, also if the file is there already",
		run(context) {
			const p = new Project(context);
			for (const name of ["a", "b", "c"]) p.write(name, "old\n");
			const copy = (from, to) => ({ id: to, run: `cat ${from} >${to}`, deps: [from], outs: [to] });
			p.write("a", "new\n");
			// The other way round it cannot be meant, whether the file is there or not.
			p.write("f.json", JSON.stringify({ nodes: [copy("b", "c"), copy("a", "b")] }));
			assert.equal(context.run(["flow", "f.json"], { cwd: p.dir }).status, 2);
			p.write("f.json", JSON.stringify({ nodes: [copy("a", "b"), copy("b", "c")] }));
			assert.equal(context.run(["flow", "f.json", "--jobs", "2"], { cwd: p.dir }).status, 0);
			assert.deepEqual([p.read("b"), p.read("c")], ["new\n", "new\n"]);
		},
	},
	{
		name: "P12 any one of code, parameters, data, environment, words, directory and input is enough to run again",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			p.write("prog", "v1\n");
			p.write("sub/a", "one\n");
			const args = (words = "", param = "1") => ["-n", "t", "--dep", "a", "--code", "prog", "--param", `x=${param}`, "--env", "E",
				"--stdin", ...p.shell(`cat a ${words}`)];
			const changes = [
				() => p.does(args()),
				() => (p.write("a", "two\n"), p.does(args())),
				() => (p.write("prog", "v2\n"), p.does(args())),
				() => p.does(args("", "2")),
				() => p.does(args("", "2.0")),
				() => p.does(args("", "2.0"), { env: { E: "1" } }),
				() => p.does(args("a", "2.0"), { env: { E: "1" } }),
				() => p.does(args("a", "2.0"), { env: { E: "1" }, input: "in" }),
			];
			for (const [i, change] of changes.entries()) assert.equal(change(), 1, `change ${i}`);
			const here = ["--", "sh", "-c", `echo run >>'${p.counter}'; pwd`];
			assert.equal(p.does(here), 1);
			assert.equal(p.does(here, { cwd: p.path("sub") }), 1, "another directory");
			assert.equal(p.does(here), 0);
		},
	},
	{
		name: "P13 a parameter that is put back brings the outputs back without a run",
		run(context) {
			const p = new Project(context);
			const train = (rate) => ["-n", "train", "--param", `rate=${rate}`, "--out", "m", ...p.shell(`echo ${rate} >m; echo trained ${rate}`)];
			for (const rate of ["0.1", "0.2"]) assert.equal(p.does(train(rate)), 1);
			for (const rate of ["0.1", "0.2", "0.1"]) {
				const { status, stdout } = p.run(train(rate));
				assert.deepEqual([status, stdout], [0, `trained ${rate}\n`]);
				assert.equal(p.read("m"), `${rate}\n`);
			}
			assert.equal(p.count(), 2);
		},
	},
	{
		name: "P14 A, B and back to A through two stages ends consistent",
		async run(context) {
			const p = new Project(context);
			const first = ["-n", "first", "--dep", "a", "--out", "b", ...p.shell("cat a >b")];
			const second = ["-n", "second", "--dep", "b", "--out", "c", ...p.shell("cat b >c")];
			for (const pause of [() => {}, settle])
				for (const text of ["A\n", "B\n", "A\n", "B\n", "A\n"]) {
					p.write("a", text);
					p.does(first);
					await pause();
					p.does(second);
					await pause();
					assert.deepEqual([p.read("b"), p.read("c")], [text, text]);
					for (const stage of [first, second]) {
						p.does(stage);
						assert.equal(p.plan(stage).decision, "reuse");
					}
				}
			assert.equal(p.count(), 4, "each was run once for A and once for B");
		},
	},
	{
		name: "P14 an output that comes back is a change for those who read it",
		async run(context) {
			const p = new Project(context);
			const first = ["-n", "first", "--dep", "a", "--out", "b", ...p.shell("cat a >b")];
			const second = ["-n", "second", "--dep", "b", "--out", "c", ...p.shell("cat b >c")];
			p.write("a", "A\n");
			for (let i = 0; i < 3; i++) {
				await settle();
				for (const stage of [first, second]) p.does(stage);
			}
			assert.equal(tierOf(p, second), "generation match");
			p.remove("b");
			p.does(first); // brings it back
			const plan = p.plan(second);
			assert.deepEqual([plan.decision, plan.tier], ["reuse", "unchanged"], "looked at again, and found the same");
		},
	},
	{
		name: "P15 an output that was changed by hand is put right, whatever its size and time",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			assert.equal(p.does(copy(p)), 1);
			await settle();
			assert.equal(p.does(copy(p)), 0);
			utimesSync(p.path("b"), 1e9, 1e9);
			await settle();
			assert.equal(p.does(copy(p)), 0);
			writeFileSync(p.path("b"), "0ne\n");
			utimesSync(p.path("b"), 1e9, 1e9);
			assert.deepEqual(p.plan(copy(p)).reasons.map(({ code, subject }) => [code, subject]), [["out", "b"]]);
			assert.equal(p.does(copy(p)), 0);
			assert.equal(p.read("b"), "one\n");
		},
	},
	{
		name: "P15 a blob that was changed is put away, and the work is done again",
		async run(context) {
			for (const spoil of [(blob) => { chmodSync(blob, 0o644); writeFileSync(blob, "0ne\n"); },
				(blob) => { unlinkSync(blob); symlinkSync("/etc/passwd", blob); }, (blob) => { unlinkSync(blob); mkdirSync(blob); }, unlinkSync]) {
				const p = new Project(context, `project${Math.random()}`);
				p.write("a", "one\n");
				assert.equal(p.does(copy(p)), 1);
				await settle();
				spoil(p.blob("one\n"));
				p.remove("b");
				assert.deepEqual(p.plan(copy(p)).reasons.map(({ code }) => code), ["out-missing", "blob"]);
				assert.equal(p.does(copy(p)), 1);
				assert.equal(p.read("b"), "one\n");
				assert.equal(readFileSync(p.blob("one\n"), "utf8"), "one\n");
				p.remove("b");
				assert.equal(p.does(copy(p)), 0);
			}
		},
	},
	{
		name: "P16 outputs are removed before a run, so that a kept blob is never written through a link",
		run(context) {
			for (const mode of ["hardlink", "symlink"]) {
				const p = new Project(context, mode);
				p.write("a", "one\n");
				const args = ["-n", "t", "--dep", "a", "--out", "b", ...p.shell("cat a >>b")]; // appends
				assert.equal(p.does(args), 1);
				p.remove("b");
				assert.equal(p.does(["--checkout-mode", mode, ...args]), 0);
				p.write("a", "two\n");
				assert.equal(p.does(args), 1);
				assert.equal(p.read("b"), "two\n", "nothing of the old output is left in the new one");
				assert.equal(readFileSync(p.blob("one\n"), "utf8"), "one\n");
			}
		},
	},
	{
		name: "P17 an output that is a link into the store does not change its own key",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const second = ["-n", "second", "--dep", "b", "--out", "c", ...p.shell("cat b >c")];
			p.does(copy(p));
			assert.equal(p.does(second), 1);
			p.remove("b");
			assert.equal(p.does(copy(p, "--checkout-mode", "symlink")), 0);
			assert.equal(p.does(second), 0);
		},
	},
	{
		name: "P18 trees that share a store do not wait for each other, and do not mix up",
		run(context) {
			const trees = ["one", "two"].map((name) => new Project(context, name));
			const store = join(context.dir, "shared");
			for (const p of trees) {
				p.write("a", `${p.dir}\n`);
				assert.equal(p.does(["--store", store, ...copy(p)]), 1);
			}
			for (const p of trees) {
				p.remove("b");
				assert.equal(p.does(["--store", store, ...copy(p)]), 0);
				assert.equal(p.read("b"), `${p.dir}\n`);
			}
			// The second tree runs while the first one holds the locks of its own run.
			const inner = `(cd '${trees[1].dir}' && '${context.binary}' run --store '${store}' -n copy --dep a --out b -- cp a b)`;
			trees[1].write("a", "new\n");
			const { status, stderr } = trees[0].run(["--store", store, "-n", "copy", "--out", "c", "--", "sh", "-c", `${inner}; echo >c`]);
			assert.deepEqual([status, stderr], [0, ""]);
		},
	},
	{
		name: "P19 long names, and times before 1970",
		async run(context) {
			const p = new Project(context);
			const long = Array.from({ length: 12 }, () => "d".repeat(100)).join("/");
			p.write(`${long}/a`, "one\n");
			utimesSync(p.path(long, "a"), -1000000, -1000000);
			await settle();
			const args = ["-n", "t", "--dep", `${long}/a`, "--out", `${long}/b`, ...p.shell(`cat ${long}/a >${long}/b`)];
			assert.equal(p.does(args), 1);
			await settle();
			assert.equal(p.does(args), 0);
			assert.equal(tierOf(p, args), "generation match");
		},
	},
	{
		name: "P20 outputs, and whether they are kept, are part of the key",
		run(context) {
			const p = new Project(context);
			const args = (...outs) => ["-n", "t", ...outs, ...p.shell("echo 1 >b; echo 2 >c")];
			assert.equal(p.does(args("--out", "b")), 1);
			assert.equal(p.does(args("--out", "b", "--out", "c")), 1);
			assert.equal(p.does(args("--out-not-kept", "b")), 1);
			assert.equal(p.does(args("--out", "c", "--out", "b")), 0, "their order is not");
		},
	},
	{
		name: "P20 an output that is not kept is compared, but cannot come back",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "t", "--out-not-kept", "b", ...p.shell("echo big >b")];
			assert.equal(p.does(args), 1);
			assert.ok(!existsSync(p.blob("big\n")));
			assert.equal(p.does(args), 0);
			p.remove("b");
			assert.equal(p.does(args), 1);
			p.write("b", "bog\n");
			assert.equal(p.does(args), 1);
			assert.equal(p.read("b"), "big\n");
		},
	},
	{
		name: "an output that nobody can read is not kept, however it is declared",
		run(context) {
			for (const option of ["--out", "--out-not-kept"]) {
				const p = new Project(context, option);
				const args = ["-n", "t", option, "b", ...p.shell("mkfifo b")];
				for (let i = 0; i < 3; i++) {
					const { status, stderr } = p.run(args);
					assert.deepEqual([status, stderr], [0, "readcache: the output b has a link or an empty directory in it, or cannot be read, so the result is not kept.\n"]);
				}
				assert.ok(!existsSync(p.lock("t")));
			}
			assert.equal(new Project(context).count(), 6);
		},
	},
	{
		name: "an output that looks like a secret is not kept, by its own name or by that of a link to it",
		run(context) {
			for (const [real, link, out] of [[".ssh", "plain", ".ssh/config"], [".ssh", "plain", "plain/config"], ["plain", ".ssh", ".ssh/config"]]) {
				const p = new Project(context, out.replace("/", "-") + real);
				mkdirSync(p.path(real));
				symlinkSync(real, p.path(link));
				const { status, stderr } = p.run(["-n", "t", "--out", out, ...p.shell(`echo secret >${out}`)]);
				assert.deepEqual([status, stderr], [0, `readcache: the output ${out} looks like a secret, or your settings exclude it (or cannot be read), so no copy of it is kept.\n`]);
				assert.ok(!existsSync(p.blob("secret\n")));
			}
		},
	},
	{
		name: "P23 without deps: skipped while words, parameters and outputs are the same; without outs: only what it said",
		run(context) {
			const p = new Project(context);
			const made = ["-n", "made", "--param", "x=1", "--out", "b", ...p.shell("echo b >b")];
			assert.equal(p.does(made), 1);
			assert.equal(p.does(made), 0);
			p.write("a", "one\n");
			const said = ["-n", "said", "--dep", "a", ...p.shell("echo said; cat a")];
			assert.equal(p.does(said), 1);
			p.write("a", "two\n");
			assert.equal(p.does(said), 1);
			p.write("a", "one\n");
			const { status, stdout } = p.run(said);
			assert.deepEqual([status, stdout, p.count()], [0, "said\none\n", 3]);
		},
	},
	{
		name: "P25 an input that changes while the command runs: nothing is kept, and it is said",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const args = ["-n", "t", "--dep", "a", "--out", "b", ...p.shell("cat a >b; echo two >a")];
			const { status, stderr } = p.run(args);
			assert.equal(status, 0);
			assert.equal(stderr, "readcache: a changed while the command ran, so its result is not kept.\n");
			assert.ok(!existsSync(p.lock("t")));
			// Neither for what it is now, nor for what it was.
			assert.equal(p.plan(args).decision, "work");
			p.write("a", "one\n");
			assert.equal(p.plan(args).decision, "work");
		},
	},
	{
		name: "a pattern is the files it names now; one more or one less is a change",
		run(context) {
			const p = new Project(context);
			p.write("data/1.csv", "1\n");
			p.write("data/2.csv", "2\n");
			const args = ["-n", "t", "--dep", "data/*.csv", "--out", "data/all.csv", ...p.shell("cat data/[0-9].csv >data/all.csv")];
			assert.equal(p.does(args), 1);
			assert.equal(p.does(args), 0, "its own output is no input, though the pattern matches it");
			p.write("data/3.csv", "3\n");
			assert.deepEqual(p.plan(args).reasons.map(({ subject, old }) => [subject, old]), [["data/3.csv", "none"]]);
			assert.equal(p.does(args), 1);
			renameSync(p.path("data/3.csv"), p.path("data/3.txt"));
			assert.equal(p.does(args), 0, "as it was before");
			assert.equal(p.read("data/all.csv"), "1\n2\n");
		},
	},
	{
		name: "a pattern may be longer than any path, for it stands for many; a path may not",
		run(context) {
			const p = new Project(context);
			const names = Array.from({ length: 30 }, (_, i) => `${i}-${"x".repeat(150)}`);
			p.write(`data/${names[7]}`, "7\n");
			const args = ["-n", "t", "--dep", `data/{${names.join(",")}}`, ...p.shell("cat data/* >/dev/null")];
			assert.equal(p.does(args), 1);
			assert.equal(p.does(args), 0);
			p.write(`data/${names[29]}`, "29\n");
			assert.equal(p.does(args), 1);
			assert.equal(p.does(args), 0);
			const { status, stderr } = p.run(["-n", "u", "--dep", names.join("/"), ...p.shell("true")]);
			assert.equal(status, 125);
			assert.match(stderr, /^readcache: a path has more than 4095 bytes, which no file can have\./);
		},
	},
	{
		name: "a directory as input: every file in it, whatever its name; the store is no part of it",
		run(context) {
			const p = new Project(context);
			p.write("d/.hidden", "1\n");
			p.write("d/new\nline\\", "2\n");
			const args = ["-n", "t", "--dep", ".", ...p.shell("ls -A d")];
			assert.equal(p.does(args), 1);
			assert.equal(p.does(args), 0);
			p.write("d/.hidden", "3\n");
			assert.equal(p.does(args), 1);
			linkSync(p.path("d/.hidden"), p.path("d/second"));
			assert.equal(p.does(args), 1);
			chmodSync(p.path("d/second"), 0o755);
			assert.equal(p.does(args), 1, "executable or not is part of it");
		},
	},
	{
		name: "an input that nobody can read: the work is done, and nothing is kept",
		run(context) {
			const p = new Project(context);
			mkdirSync(p.path("d"));
			assert.equal(p.context.run(["run", "--", "mkfifo", "d/pipe"], { cwd: p.dir }).status, 0);
			const args = ["-n", "t", "--dep", "d", ...p.shell("echo done")];
			for (let i = 0; i < 2; i++) assert.equal(p.does(args), 1);
			assert.ok(!existsSync(p.lock("t")));
			const [reason] = p.plan(args).reasons;
			assert.deepEqual([reason.code, reason.subject], ["unresolvable", "file:d"]);
		},
	},
	{
		name: "fingerprints: the same is a hit, another one is not, one that cannot be resolved is never kept",
		run(context) {
			const p = new Project(context);
			p.write("v", "1\n");
			const args = (...specs) => ["-n", "t", ...specs.flatMap((spec) => ["--fp", spec]), ...p.shell("cat v")];
			assert.equal(p.does(args("file:v")), 1);
			assert.equal(p.does(args("file:v")), 0);
			p.write("v", "2\n");
			assert.equal(p.plan(args("file:v")).reasons[0].code, "fingerprint");
			assert.equal(p.does(args("file:v")), 1);
			assert.equal(p.does(args("env:UNSET", "glob!:*")), 1);
			assert.equal(p.does(args("env:UNSET", "glob!:*")), 0);
			mkdirSync(p.path("dir"));
			for (let i = 0; i < 2; i++) assert.equal(p.does(args("file:dir")), 1);
			for (const spec of ["svn:1", "file:", "glob", "git:-x"]) assert.equal(p.run(args(spec)).status, 125, spec);
		},
	},
];
