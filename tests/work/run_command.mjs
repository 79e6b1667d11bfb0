// `readcache run` as a user types it: what is said again, exit statuses, options, and what it leaves alone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plantDatabase } from "../lib/database.mjs";
import { Project, settle } from "./project.mjs";

/** Both streams in one, as a terminal shows them; it stands in the file `shown` meanwhile. */
function asOnTerminal(p, args) {
	const quoted = ["run", ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
	spawnSync("sh", ["-c", `'${p.context.binary}' ${quoted} >shown 2>&1`], { cwd: p.dir, env: { PATH: process.env.PATH, HOME: p.context.dir } });
	return readFileSync(p.path("shown"));
}

/** Shell words that wait until so many bytes have been passed on. */
const whenShown = (bytes) => `until [ $(wc -c <shown) -ge ${bytes} ]; do sleep 0.01; done`;

const recordOf = (p, key) => join(p.store, "memo", `${key}.json`);

export const tests = [
	{
		name: "R1 a closed stream's number is given to no file, into which messages would go",
		run(context) {
			const p = new Project(context);
			const streams = "for fd in 0 1 2; do readlink /proc/$READCACHE/fd/$fd; done >streams";
			for (const closed of ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]) {
				p.remove("streams");
				const line = `READCACHE=$$ exec '${context.binary}' run --param 'x=${closed}' -- sh -c '${streams}' ${closed}`;
				spawnSync("sh", ["-c", line], { cwd: p.dir, env: { PATH: process.env.PATH, HOME: context.dir } });
				const taken = p.read("streams").split("\n").filter((name) => !name.startsWith("pipe:") && !name.startsWith("socket:"));
				assert.deepEqual(taken, [...Array(closed.split(" ").length).fill("/dev/null"), ""], closed);
			}
		},
	},
	{
		name: "what the command said is said again, byte for byte and in its order",
		run(context) {
			const p = new Project(context);
			const args = ["--param", "x=1", ...p.shell(`printf 'a\\000\\377\\n'; ${whenShown(4)}; printf 'oops\\376' >&2; ${whenShown(9)}; printf 'b no line end'`)];
			const first = asOnTerminal(p, args);
			const second = asOnTerminal(p, args);
			assert.equal(p.count(), 1);
			assert.deepEqual(first, Buffer.from("a\0\xff\noops\xfeb no line end", "latin1"));
			assert.deepEqual(second, first);
		},
	},
	{
		name: "a large output is passed on and kept whole",
		run(context) {
			const p = new Project(context);
			const args = p.shell("head -c 3000000 /dev/zero | tr '\\0' x; head -c 100000 /dev/zero | tr '\\0' y >&2");
			for (let i = 0; i < 2; i++) {
				const { status, stdout, stderr } = p.run(args);
				assert.deepEqual([status, stdout.length, stderr.length], [0, 3000000, 100000]);
				assert.ok(/^x+$/.test(stdout) && /^y+$/.test(stderr));
			}
			assert.equal(p.count(), 1);
		},
	},
	{
		name: "the exit status is the command's; a failure is run again, unless failures are kept",
		run(context) {
			const p = new Project(context);
			const args = p.shell("echo sorry; exit 7");
			for (const runs of [1, 2]) {
				assert.deepEqual(p.run(args), { status: 7, stdout: "sorry\n", stderr: "" });
				assert.equal(p.count(), runs);
			}
			for (let i = 0; i < 2; i++) assert.equal(p.run(["--cache-failures", ...args]).status, 7);
			assert.equal(p.count(), 3);
			assert.deepEqual(p.run(["--cache-failures", ...args]), { status: 7, stdout: "sorry\n", stderr: "" });
			assert.equal(p.count(), 3, "a kept failure is repeated to those who ask for it");
			assert.equal(p.run(args).status, 7);
			assert.equal(p.count(), 4, "and to nobody else");
		},
	},
	{
		name: "a failure keeps neither lock nor outputs",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const args = (end) => ["-n", "t", "--dep", "a", "--out", "b", ...p.shell(`cat a >b; ${end}`)];
			assert.equal(p.run(args("exit 1")).status, 1);
			assert.ok(!existsSync(p.lock("t")));
			assert.equal(p.run(["--cache-failures", ...args("exit 1")]).status, 1);
			assert.ok(!existsSync(p.lock("t")) && !existsSync(p.blob("one\n")));
		},
	},
	{
		name: "125, 126 and 127: we ourselves, cannot be run, not found; 128 + n: a signal",
		run(context) {
			const p = new Project(context);
			p.write("data", "no program\n");
			const cases = [
				[["--", "no-such-command-here"], 127, /^readcache: no-such-command-here: No such file or directory\n$/],
				[["--", "./data"], 126, /^readcache: \.\/data: Permission denied\n$/],
				[["--"], 125, /there is no command to run/],
				[[], 125, /there is no command to run/],
				[["--nonsense", "--", "true"], 125, /there is no option --nonsense/],
				[["--dep"], 125, /--dep needs a value/],
				[["--ttl", "soon", "--", "true"], 125, /"soon" is not a duration/],
				[["--ttl", "0s", "--", "true"], 125, /"0s" is not a duration/],
				[["--param", "novalue", "--", "true"], 125, /say --param NAME=VALUE/],
				[["--param", "x=1", "--param", "x=2", "--", "true"], 125, /"x" is given twice/],
				[["--env", "A=B", "--", "true"], 125, /is not the name of a variable/],
				[["--store", "", "--", "true"], 125, /--store needs/],
				[["--", "sh", "-c", "kill -TERM $$"], 143, /^$/],
				[["--", "sh", "-c", "kill -KILL $$"], 137, /^$/],
			];
			for (const [args, status, message] of cases) {
				const run = p.run(args);
				assert.equal(run.status, status, args.join(" "));
				assert.match(run.stderr, message);
				assert.equal(run.stdout, "");
			}
		},
	},
	{
		name: "an output that was not made is a failure, and is said",
		run(context) {
			const p = new Project(context);
			const { status, stderr } = p.run(["--out", "b", "--", "true"]);
			assert.equal(status, 125);
			assert.equal(stderr, "readcache: the command has not made its output b, so its result is not kept.\n");
		},
	},
	{
		name: "standard input: nothing, or with --stdin all of it, as an input",
		run(context) {
			const p = new Project(context);
			const args = p.shell("cat");
			assert.equal(p.run(args, { input: "ignored" }).stdout, "");
			for (const input of ["one\n", "two\n", "one\n", "x".repeat(300000)])
				assert.equal(p.run(["--stdin", ...args], { input }).stdout, input);
			assert.equal(p.count(), 4);
		},
	},
	{
		name: "words are words: the same text cut otherwise is another command",
		run(context) {
			const p = new Project(context);
			const said = (...words) => p.run(["--", "printf", "%s.", ...words]).stdout;
			assert.deepEqual([said("a b"), said("a", "b"), said("ab"), said("a", "", "b")], ["a b.", "a.b.", "ab.", "a..b."]);
			assert.equal(p.run(["printf", "-v"]).stdout, p.run(["--", "printf", "-v"]).stdout, "options behind the command are its own");
		},
	},
	{
		name: "--force runs it and keeps the new result",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "t", "--out", "b", ...p.shell("wc -l <../count >b; cat b")];
			for (const [flags, said] of [[[], 1], [[], 1], [["--force"], 2], [[], 2]])
				assert.equal(Number(p.run([...flags, ...args]).stdout), said);
			assert.equal(Number(p.read("b")), 2);
		},
	},
	{
		name: "--ttl: no older than this; a clock that went back is not for ever",
		run(context) {
			const p = new Project(context).nameStore();
			const args = ["-n", "t", ...p.shell("echo said")];
			assert.equal(p.does(args), 1);
			assert.equal(p.does(["--ttl", "1h", ...args]), 0);
			const { key } = JSON.parse(p.run(["--json", ...args]).stdout);
			const age = (ms) => {
				// As another program may write it: without a sum.
				const record = JSON.parse(readFileSync(recordOf(p, key), "utf8"));
				delete record.sum;
				writeFileSync(recordOf(p, key), JSON.stringify({ ...record, createdAt: Date.now() - ms }));
			};
			rmSync(p.database());
			age(2 * 3600 * 1000);
			assert.equal(p.plan(["--ttl", "3h", ...args]).decision, "reuse");
			assert.equal(p.plan(["--ttl", "1h", ...args]).reasons[0].code, "too-old");
			age(-3600 * 1000);
			assert.equal(p.plan(["--ttl", "1h", ...args]).reasons[0].code, "future");
			assert.equal(p.plan(args).decision, "reuse", "without a limit its age does not matter");
			assert.equal(p.does(["--ttl", "1h", ...args]), 1);
		},
	},
	{
		name: "--dry-run tells and changes nothing, in the tree and in the store",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const args = ["-n", "t", "--dep", "a", "--out", "b", ...p.shell("cat a >b")];
			const changesNothing = () => {
				const before = p.listing();
				for (const options of [["--dry-run"], ["--dry-run", "--json"], ["--dry-run", "--explain"], ["--dry-run", "--force"]])
					p.run([...options, ...args]);
				assert.deepEqual(p.listing(), before);
				assert.equal(p.count(), runs);
			};
			let runs = 0;
			changesNothing(); // there is not even a store
			runs += p.does(args);
			changesNothing(); // a hit, whose output was just written
			await settle();
			changesNothing();
			p.remove("b");
			changesNothing(); // one that has to come back
			p.write("a", "two\n");
			changesNothing(); // one to be run
			chmodSync(p.blob("one\n"), 0o644);
			writeFileSync(p.blob("one\n"), "0ne\n");
			p.write("a", "one\n");
			changesNothing(); // a damaged blob
			assert.equal(p.plan(args).decision, "work");
			rmSync(p.database());
			changesNothing();
			writeFileSync(p.database(), "damaged");
			changesNothing();
		},
	},
	{
		name: "--json: one object with the decision and what was said",
		run(context) {
			const p = new Project(context);
			const args = ["-n", "t", ...p.shell("echo out; echo err >&2; exit 3")];
			const first = p.run(["--json", "--cache-failures", ...args]);
			const said = JSON.parse(first.stdout);
			assert.deepEqual([first.status, first.stderr], [3, ""]);
			assert.deepEqual([said.stage, said.decision, said.exit, said.stdout, said.stderr, said.kept], ["t", "work", 3, "out\n", "err\n", true]);
			const second = JSON.parse(p.run(["--json", "--cache-failures", ...args]).stdout);
			assert.deepEqual([second.decision, second.tier, second.exit, second.stdout, second.key], ["reuse", "run cache", 3, "out\n", said.key]);
			assert.ok(second.age_ms >= 0 && existsSync(recordOf(p, said.key)));
			assert.equal(JSON.parse(p.run(["--json", "--", "printf", "\\377"]).stdout).stdoutBase64, "/w==");
		},
	},
	{
		name: "what cannot be written is a failure of ours, and the result is kept",
		run(context) {
			if (!existsSync("/dev/full")) context.skip("there is no /dev/full");
			const p = new Project(context);
			const args = ["--param", "x=1", ...p.shell("echo said")];
			const full = (...more) =>
				spawnSync("sh", ["-c", 'exec "$0" "$@" >/dev/full', context.binary, "run", ...more, ...args], { cwd: p.dir, env: { PATH: process.env.PATH, HOME: p.context.dir }, encoding: "utf8" });
			for (const more of [[], [], ["--json"], ["--dry-run"]]) {
				const { status, stderr } = full(...more);
				assert.equal(status, 125, more.join());
				assert.match(stderr, /^readcache: [^\n]*(cannot be written|could not be passed on|cannot write the output)[^\n]*\n$/);
			}
			assert.equal(p.run(args).stdout, "said\n");
			assert.equal(p.count(), 1);
		},
	},
	{
		name: "results that nobody needs any more are cleaned up behind a run, the others stay",
		run(context) {
			const p = new Project(context);
			const make = (text) => ["-n", "t", "--param", `x=${text}`, "--out", "b", ...p.shell(`echo ${text} >b`)];
			for (const text of ["old", "new"]) assert.equal(p.does(make(text)), 1);
			const { key } = JSON.parse(p.run(["--json", ...make("old")]).stdout);
			p.does(make("new"));
			const longAgo = Date.now() / 1000 - 200 * 24 * 3600;
			for (const file of [recordOf(p, key), join(p.store, "last-gc"), join(p.store, "memo", "last-gc")])
				if (existsSync(file)) utimesSync(file, longAgo, longAgo);
			assert.equal(p.does(make("newer")), 1);
			assert.ok(!existsSync(recordOf(p, key)), "the old one is gone");
			assert.ok(existsSync(p.blob("new\n")) && existsSync(p.blob("newer\n")));
			assert.equal(p.does(make("new")), 0);
			assert.equal(p.read("b"), "new\n");
			assert.equal(p.does(make("old")), 1);
		},
	},
	{
		name: "a store that cannot be used never fails the work",
		run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			p.write("foreign/diary", "dear diary");
			symlinkSync("foreign", p.path("link"));
			const args = (store) => ["--store", store, "--dep", "a", "--out", "b", ...p.shell("cat a >b; cat a; exit 0")];
			for (const [store, why] of [["foreign", /other things than a store/], ["link", /foreign: it holds other things than a store/], ["foreign/diary/x", /not a directory/]]) {
				p.remove("b");
				const { status, stdout, stderr } = p.run(args(store));
				assert.deepEqual([status, stdout, p.read("b")], [0, "one\n", "one\n"], store);
				assert.match(stderr, why);
			}
			assert.equal(p.count(), 3);
			assert.equal(p.read("foreign/diary"), "dear diary");
		},
	},
	{
		name: "a store that lost any part of itself gives the same answers",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const args = ["-n", "t", "--dep", "a", "--out", "b", ...p.shell("cat a >b; echo said")];
			const parts = [["state.mdb", (p) => p.database()], ["state.mdb-lock", (p) => p.database("state.mdb-lock")], ["states", (p) => join(p.state, "readcache", "states")]];
			for (const part of ["memo", "stages", "objects", "locks", "tmp", "."]) parts.push([part, (p) => join(p.store, part)]);
			for (const [part, path] of parts) {
				p.does(args);
				await settle();
				p.does(args);
				rmSync(path(p), { recursive: true });
				p.remove("b");
				assert.deepEqual(p.run(args), { status: 0, stdout: "said\n", stderr: "" }, part);
				assert.equal(p.read("b"), "one\n", part);
			}
		},
	},
	{
		name: "a state that is damaged or deleted never changes an answer",
		async run(context) {
			const p = new Project(context);
			p.write("a", "one\n");
			const args = ["-n", "t", "--dep", "a", "--out", "b", ...p.shell("cat a >b; cat a")];
			assert.equal(p.does(args), 1);
			await settle();
			assert.equal(p.does(args), 0);
			const state = p.database();
			const good = readFileSync(state);
			const damages = [
				() => rmSync(state),
				() => plantDatabase(state, ""),
				() => plantDatabase(state, good.subarray(0, 5000)),
				() => plantDatabase(state, Buffer.alloc(good.length)),
				() => plantDatabase(state, Buffer.alloc(good.length, 0xff)),
				...Array.from({ length: 40 }, (_, i) => () => {
					const bad = Buffer.from(good);
					for (let at = i * 97; at < bad.length; at += 1009) bad[at] ^= 1 << (i % 8);
					plantDatabase(state, bad);
				}),
			];
			for (const [i, damage] of damages.entries()) {
				damage();
				const text = i % 2 === 0 ? "one\n" : "two\n";
				if (text === "two\n") p.write("a", text);
				assert.deepEqual(p.run(args), { status: 0, stdout: text, stderr: "" }, `damage ${i}`);
				assert.equal(p.read("b"), text);
				p.write("a", "one\n");
				assert.deepEqual(p.run(args), { status: 0, stdout: "one\n", stderr: "" }, `after damage ${i}`);
			}
			assert.equal(p.count(), 2, "never run but for one and two");
		},
	},
	{
		name: "a project that moves is another directory, so the work is done there",
		run(context) {
			const p = new Project(context);
			const q = new Project(context, "elsewhere");
			const store = join(context.dir, "store");
			for (const project of [p, q]) {
				project.write("a", "one\n");
				assert.equal(project.does(["--store", store, "--dep", "a", ...p.shell("pwd")]), 1);
			}
			assert.equal(p.run(["--store", store, "--dep", "a", ...p.shell("pwd")]).stdout, `${p.dir}\n`);
		},
	},
	{
		name: "the command's environment, umask and directory are ours",
		run(context) {
			const p = new Project(context);
			mkdirSync(p.path("sub"));
			const { stdout } = p.run(["--", "sh", "-c", "pwd; echo $HELLO; umask"], { cwd: p.path("sub"), env: { HELLO: "there" } });
			assert.match(stdout, /\/project\/sub\nthere\n0\d+\n$/);
		},
	},
	{
		name: "the store of a first run: private, hidden from git and from backups",
		run(context) {
			const p = new Project(context);
			assert.equal(p.run(["--out", "b", "--", "sh", "-c", "echo >b"]).status, 0);
			assert.equal(readFileSync(join(p.store, ".gitignore"), "utf8"), "*\n");
			assert.ok(existsSync(join(p.store, "CACHEDIR.TAG")));
			utimesSync(p.store, 1, 1);
		},
	},
];
