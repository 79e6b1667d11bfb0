// `readcache memo lookup|record|ls|clear`: results of a host's phases (rows T1 to T29).
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plantDatabase } from "../lib/database.mjs";
import { Project, settle } from "./project.mjs";

const CROSS = { scope: "cross-run" };
const ZERO = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, turns: 0 };

class Host extends Project {
	constructor(context) {
		super(context);
		this.nameStore();
	}

	ask(op, request, { env, args = [], cwd = this.dir } = {}) {
		const input = typeof request === "string" ? request : JSON.stringify(request);
		const { status, stdout, stderr } = this.context.run(["memo", op, ...args], { cwd, env, input });
		assert.equal(stderr, "");
		return { status, ...JSON.parse(stdout) };
	}

	lookup(request, options) {
		const answer = this.ask("lookup", { phase: "p", ...request }, options);
		if (!answer.error) assert.equal(answer.status, answer.hit ? 0 : 1);
		return answer;
	}

	record(request, options) {
		return this.ask("record", { phase: "p", status: "done", output: "result", ...request }, options);
	}

	/** Keep a result; a lookup of the same must then be a hit. */
	kept(request, options) {
		assert.equal(this.record(request, options).stored, true);
		const { hit } = this.lookup(request, options);
		assert.equal(hit, true);
	}

	refuses(request, ...patterns) {
		for (const op of ["lookup", "record"]) {
			const answer = this.ask(op, { phase: "p", ...request });
			assert.equal(answer.status, 2, JSON.stringify(request));
			for (const pattern of patterns) assert.match(answer.error.message, pattern);
		}
		assert.ok(!existsSync(join(this.store, "memo")), "nothing is kept of it");
	}

	records() {
		const { status, stdout } = this.context.run(["memo", "ls", "--json"], { cwd: this.dir });
		assert.equal(status, 0);
		return JSON.parse(stdout).records;
	}

	/** Rewrite the only record's creation time, as if the clock had moved. */
	age(ms) {
		const [{ key }] = this.records();
		const path = join(this.store, "memo", `${key}.json`);
		const record = JSON.parse(readFileSync(path, "utf8"));
		record.createdAt = Date.now() - ms;
		delete record.sum; // as a hand would
		writeFileSync(path, JSON.stringify(record));
	}

	git(...args) {
		const env = { PATH: process.env.PATH, HOME: this.context.dir, GIT_CONFIG_NOSYSTEM: "1" };
		const who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"];
		return execFileSync("git", [...who, ...args], { cwd: this.dir, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
	}

	fingerprint(...specs) {
		return { cache: { ...CROSS, fingerprint: specs } };
	}

	/** Does CHANGE of the world make a miss of what was kept with SPEC? */
	async notices(spec, change, options) {
		const request = this.fingerprint(spec);
		rmSync(join(this.store, "memo"), { recursive: true, force: true }); // what it was earlier would be a hit, rightly
		this.kept(request, options);
		await change();
		return !this.lookup(request, options).hit;
	}
}

export const tests = [
	{
		name: "B13 context: what the files of its patterns hold is part of the key",
		run(context) {
			const h = new Host(context);
			const request = { input: "sum up", context: ["*.md", "absent"], cache: CROSS };
			h.refuses({ context: "*.md" }, /"context" must be an array/);
			h.refuses({ context: [1] }, /"context" must be an array/);
			h.refuses({ context: [""] }, /"context" must be an array/);
			h.write("a.md", "one");
			h.write("b.txt", "one");
			h.kept(request);
			h.write("b.txt", "two");
			assert.equal(h.lookup(request).hit, true);
			assert.equal(h.lookup({ ...request, context: ["*.md"] }).hit, false);
			assert.equal(h.lookup({ ...request, context: undefined }).hit, false);
			h.write("a.md", "two");
			assert.equal(h.lookup(request).hit, false);
			h.write("a.md", "one");
			assert.equal(h.lookup(request).hit, true);
			h.write("absent", "");
			assert.equal(h.lookup(request).hit, false);
		},
	},
	{
		name: "T1 cache has scope, ttl and fingerprint; anything else is refused by the phase's name",
		run(context) {
			const h = new Host(context);
			const named = /^phase 'p': /;
			h.refuses({ cache: { scope: "forever" } }, named, /"forever" is not run-only, cross-run or off/);
			h.refuses({ cache: { scop: "off" } }, named, /no member "scop" in "cache"/);
			h.refuses({ cache: { scope: 1 } }, named, /"scope" must be a string/);
			h.refuses({ cache: "cross-run" }, named, /"cache" must be an object/);
			h.refuses({ cach: {} }, named, /no member "cach"/);
			h.refuses({ cwd: "relative" }, named, /"cwd" must be absolute/);
			h.refuses({ phase: "" }, /"phase" is missing/);
			assert.match(h.ask("lookup", "{").error.message, /not valid JSON/);
			assert.match(h.ask("lookup", "[]").error.message, /must be a JSON object/);
			assert.match(h.ask("lookup", '{"phase":"p","phase":"q"}').error.message, /"phase" is there twice/);
			assert.match(h.ask("lookup", '{"phase":"p","input":{"a":1,"a":2}}').error.message, /"input" has no key: .*name twice/);
			assert.match(h.ask("lookup", '{"phase":"p\\u0000"}').error.message, /holds a NUL/);
		},
	},
	{
		name: "T2 scope off neither reads nor writes, not even within the run",
		run(context) {
			const h = new Host(context);
			const off = { runId: "r", cache: { scope: "off" } };
			const answer = h.record(off);
			assert.deepEqual([answer.status, answer.stored, answer.reasons[0].code], [1, false, "scope-off"]);
			h.kept({ runId: "r" });
			assert.equal(h.lookup(off).reasons[0].code, "scope-off");
		},
	},
	{
		name: "T3 run-only is the default: reuse within the run and its inputs only",
		run(context) {
			const h = new Host(context);
			h.kept({ runId: "r1", input: "x" });
			const hit = h.lookup({ runId: "r1", input: "x" });
			assert.deepEqual([hit.cacheHit, hit.display], ["run", "CACHED"]);
			assert.equal(h.lookup({ runId: "r2", input: "x" }).hit, false);
			assert.equal(h.lookup({ runId: "r1", input: "y" }).hit, false);
			assert.equal(h.lookup({ input: "x" }).reasons[0].code, "no-run");
			assert.equal(h.record({ input: "x" }).stored, false);
		},
	},
	{
		name: "T4 cross-run: first the run's own, then any other; usage is zero and the age is told",
		run(context) {
			const h = new Host(context);
			const request = { flow: "f", runId: "r1", model: "m", input: "x", cache: CROSS };
			assert.equal(h.record({ ...request, output: "text", json: { a: [1, 2.50, "\u00e9"] } }).stored, true);
			const own = h.lookup(request);
			assert.equal(own.cacheHit, "run");
			const other = h.lookup({ ...request, runId: "r2" });
			assert.equal(other.cacheHit, "cross-run");
			for (const answer of [own, other]) {
				assert.deepEqual([answer.output, answer.json, answer.model], ["text", { a: [1, 2.5, "\u00e9"] }, "m"]);
				assert.deepEqual(answer.usage, ZERO);
				assert.ok(answer.age_ms >= 0 && answer.age_ms < 60000);
			}
		},
	},
	{
		name: "T5 gate and approval cannot be cross-run, and their verdicts are for one run",
		run(context) {
			const h = new Host(context);
			for (const type of ["gate", "approval"])
				h.refuses({ type, cache: CROSS }, /^phase 'p': /, new RegExp(type), /cross-run/);
			for (const type of ["Gate", "GATE", "Approval"]) h.refuses({ type, cache: CROSS }, /cannot be cross-run/);
			for (const type of [" gate", "gate ", "ga te", "gate\n", "g\u00e4te", ""]) h.refuses({ type }, /is not a word of letters, digits, - and _/);
			h.refuses({ effects: true, cache: CROSS }, /effects cannot be cross-run/);
			h.kept({ type: "Gate-keeper_2", cache: CROSS });
			for (const type of ["gate", "approval"]) {
				h.kept({ type, runId: "r1" });
				assert.equal(h.lookup({ type, runId: "r2" }).hit, false);
				assert.equal(h.lookup({ type: "agent", runId: "r1" }).hit, false);
			}
		},
	},
	{
		name: "T6 fingerprints begin with git:, glob:, glob!:, file: or env:, and go on",
		run(context) {
			const h = new Host(context);
			const refuses = (entry, pattern) => h.refuses(h.fingerprint(entry), /^phase 'p': /, pattern);
			for (const spec of ["http:x", "File:x", "x", "", "glob!x", " env:X"]) refuses(spec, /begins with git:, glob:/);
			for (const spec of ["git:", "glob:", "glob!:", "file:", "env:"]) refuses(spec, /needs something after its prefix/);
			for (const entry of [1, null, {}, ["env:X"]]) refuses(entry, /must be a string/);
			h.refuses({ cache: { ...CROSS, fingerprint: "env:X" } }, /must be an array/);
			h.refuses(h.fingerprint("env:A=B"), /must not hold "="/);
		},
	},
	{
		name: "T7 git: is the commit; outside of a repository that is a value too",
		async run(context) {
			const h = new Host(context);
			h.kept(h.fingerprint("git:HEAD"));
			h.git("init", "-q");
			const unborn = h.lookup(h.fingerprint("git:HEAD"));
			assert.equal(unborn.reasons[0].code, "unresolvable", "HEAD of no commit is no value");
			assert.equal(h.record(h.fingerprint("git:HEAD")).stored, false);
			h.git("commit", "-q", "--allow-empty", "-m", "one");
			for (const ref of ["HEAD", "main", "refs/heads/main", "HEAD~0"])
				assert.ok(await h.notices(`git:${ref}`, () => h.git("commit", "-q", "--allow-empty", "-m", ref)), ref);
			h.git("tag", "v1");
			assert.ok(!(await h.notices("git:v1", () => h.git("commit", "-q", "--allow-empty", "-m", "later"))));
			h.kept(h.fingerprint("git:main"));
			h.git("pack-refs", "--all");
			assert.ok(h.lookup(h.fingerprint("git:main")).hit, "packed refs are the same refs");
			h.git("checkout", "-q", "-b", "other/branch");
			assert.ok(await h.notices("git:other/branch", () => h.git("commit", "-q", "--allow-empty", "-m", "on it")));
			for (const ref of ["no-such-branch", "config", "HEAD~999"])
				assert.equal(h.lookup(h.fingerprint(`git:${ref}`)).reasons[0].code, "unresolvable", ref);
			h.write("tracked", "changed");
			assert.ok(!(await h.notices("git:HEAD", () => h.write("tracked", "again"))), "changed files are not part of it");
		},
	},
	{
		name: "T7 git: reads worktrees, and the same value as git itself",
		async run(context) {
			const h = new Host(context);
			h.git("init", "-q");
			h.git("commit", "-q", "--allow-empty", "-m", "one");
			h.git("worktree", "add", "-q", "-b", "side", "tree");
			const there = { cwd: h.path("tree") };
			const request = { ...h.fingerprint("git:HEAD"), cwd: h.path("tree") };
			h.kept(request);
			h.git("commit", "-q", "--allow-empty", "-m", "two");
			assert.ok(h.lookup(request).hit, "the worktree has a HEAD of its own");
			h.git("-C", "tree", "commit", "-q", "--allow-empty", "-m", "three");
			assert.ok(!h.lookup(request).hit);
			assert.ok(there.cwd.endsWith("tree"));
		},
	},
	{
		name: "T7 a ref that begins with - is refused: git would take it for an option",
		run(context) {
			const h = new Host(context);
			h.refuses(h.fingerprint("git:--upload-pack=touch x"), /must not begin with "-"/);
		},
	},
	{
		name: "T8 glob: the matches with their sizes and times; what comes and goes counts",
		async run(context) {
			const h = new Host(context);
			h.write("src/a.c", "aaaa");
			h.write("src/deep/b.c", "b");
			h.write(".hidden/c.c", "c");
			const spec = "glob:src/**/*.{c,h}";
			await settle();
			assert.ok(await h.notices(spec, () => h.write("src/new.c", "")), "a new match");
			assert.ok(await h.notices(spec, () => h.remove("src/new.c")), "a match that is gone");
			assert.ok(await h.notices(spec, () => h.write("src/a.c", "aaaaa")), "another size");
			assert.ok(await h.notices(spec, () => utimesSync(h.path("src/a.c"), 1, 1)), "another time");
			assert.ok(!(await h.notices(spec, () => h.write("src/other.txt", "x"))), "no match");
			assert.ok(!(await h.notices("glob:**/*.c", () => h.write(".hidden/c.c", "changed"))), "** leaves dot names out");
			assert.ok(await h.notices("glob:.hidden/*", () => h.write(".hidden/c.c", "changed again")));
			assert.ok(await h.notices("glob:nothing-*", () => h.write("nothing-now", "")), "no match is a value");
			mkdirSync(join(context.dir, "outside"));
			symlinkSync(join(context.dir, "outside"), h.path("src/link"));
			const into = (name) => () => writeFileSync(join(context.dir, "outside", name), "x");
			assert.ok(!(await h.notices("glob:src/**/*.c", into("x.c"))), "** follows no link");
			assert.ok(await h.notices("glob:src/link/*.c", into("y.c")), "a link that is named is followed");
			assert.ok(await h.notices("glob:./src/*.c", () => h.write("src/z.c", "")));
			assert.ok(await h.notices(`glob:${context.dir}/outside/*`, into("w.c")), "absolute");
			assert.ok(await h.notices("glob:../outside/*", into("v.c")), "above");
		},
	},
	{
		name: "T9 glob!: is the content: a touch keeps it, an edit with the old size and time does not",
		async run(context) {
			const h = new Host(context);
			h.write("a.txt", "one");
			await settle();
			const old = statSync(h.path("a.txt"));
			assert.ok(!(await h.notices("glob!:*.txt", () => utimesSync(h.path("a.txt"), 1, 1))), "touched");
			utimesSync(h.path("a.txt"), old.atime, old.mtime);
			const sneaky = () => {
				h.write("a.txt", "two");
				utimesSync(h.path("a.txt"), old.atime, old.mtime);
			};
			h.kept(h.fingerprint("glob!:*.txt"));
			await settle();
			assert.ok(await h.notices("glob!:*.txt", sneaky), "edited");
			assert.ok(await h.notices("glob!:*.txt", () => h.write("b.txt", "")), "a new match");
		},
	},
	{
		name: "T10 file: is the content, and no file is a value that ends when one appears",
		async run(context) {
			const h = new Host(context);
			assert.ok(await h.notices("file:package.json", () => h.write("package.json", "")), "it appears");
			assert.ok(await h.notices("file:package.json", () => h.write("package.json", "{}")), "it changes");
			await settle();
			assert.ok(!(await h.notices("file:package.json", () => h.write("package.json", "{}"))), "it is written again");
			assert.ok(await h.notices("file:package.json", () => h.remove("package.json")), "it goes");
			mkdirSync(h.path("sub"));
			h.write("sub/x", "1");
			const below = { ...h.fingerprint("file:x"), cwd: h.path("sub") };
			h.kept(below);
			h.write("sub/x", "2");
			assert.equal(h.lookup(below).hit, false, "relative to the phase's cwd");
			h.write("big", "x".repeat(11 << 20));
			assert.ok(await h.notices("file:big", () => h.write("big", "x".repeat((11 << 20) - 1) + "y")), "no file is too large");
		},
	},
	{
		name: "T11 env: is the exact value; not set and empty differ",
		run(context) {
			const h = new Host(context);
			const request = h.fingerprint("env:MODE");
			h.kept(request, { env: { MODE: "a" } });
			assert.ok(h.lookup(request, { env: { MODE: "a" } }).hit);
			for (const env of [{ MODE: "b" }, { MODE: "" }, {}, { MODE: "a " }]) assert.equal(h.lookup(request, { env }).hit, false);
			h.kept(request, { env: { MODE: "" } });
			assert.equal(h.lookup(request, { env: {} }).hit, false);
		},
	},
	{
		name: "T12 the order of fingerprints counts, and none is an empty list",
		run(context) {
			const h = new Host(context);
			const key = (...specs) => h.lookup(h.fingerprint(...specs)).key;
			assert.notEqual(key("env:A", "env:B"), key("env:B", "env:A"));
			assert.equal(key(), h.lookup({ cache: CROSS }).key);
			assert.notEqual(key("env:A"), key());
		},
	},
	{
		name: "T13 what cannot be resolved is a miss and is not kept",
		run(context) {
			const h = new Host(context);
			mkdirSync(h.path("directory"));
			execFileSync("mkfifo", [h.path("pipe")]);
			symlinkSync("loop", h.path("loop"));
			for (const spec of ["file:directory", "file:pipe", "file:/dev/zero", "file:loop", "glob!:p*", "glob:loop/*", "file:/proc/self/status", `glob:${"{a,b}".repeat(20)}`]) {
				const request = h.fingerprint(spec);
				const kept = h.record(request);
				assert.deepEqual([kept.stored, kept.status, kept.reasons[0].code, kept.reasons[0].subject], [false, 1, "unresolvable", spec]);
				assert.equal(h.lookup(request).reasons[0].code, "unresolvable");
			}
			assert.deepEqual(h.records(), []);
		},
	},
	{
		name: "T13 no number of matches is cut",
		async run(context) {
			const h = new Host(context);
			mkdirSync(h.path("many"));
			for (let i = 0; i < 5100; i++) writeFileSync(h.path("many", `f${String(i).padStart(5, "0")}`), "");
			assert.ok(await h.notices("glob:many/*", () => h.write("many/f05099", "changed")));
			assert.ok(await h.notices("glob!:many/*", () => h.write("many/f05099", "again")));
		},
	},
	{
		name: "T14 ttl: no older than that, exactly that old is still good; only with a unit",
		run(context) {
			const h = new Host(context);
			const request = { cache: { ...CROSS, ttl: "1h" } };
			h.kept(request);
			h.age(3_500_000);
			assert.ok(h.lookup(request).hit);
			assert.match(h.lookup(request).display, /^CACHED \(cross-run · age 58m\)$/);
			h.age(3_601_000);
			assert.equal(h.lookup(request).reasons[0].code, "too-old");
			assert.ok(h.lookup({ cache: { ...CROSS, ttl: "1.5H" } }).hit, "ttl is no part of the key");
			assert.ok(h.lookup({ cache: CROSS }).hit);
			rmSync(join(h.store, "memo"), { recursive: true });
			for (const ttl of ["0", "-5m", "soon", "", "60", 60, "1w"]) h.refuses({ cache: { ...CROSS, ttl } }, /^phase 'p': .*ttl/);
		},
	},
	{
		name: "T15 without a ttl any age is good",
		run(context) {
			const h = new Host(context);
			h.kept({ cache: CROSS });
			h.age(1000 * 24 * 3600 * 1000);
			const answer = h.lookup({ cache: CROSS });
			assert.deepEqual([answer.hit, answer.display], [true, "CACHED (cross-run · age 1000d)"]);
		},
	},
	{
		name: "T16 a clock that went back is no eternal hit",
		run(context) {
			const h = new Host(context);
			const request = { cache: { ...CROSS, ttl: "1h" } };
			h.kept(request);
			h.age(-60_000);
			assert.equal(h.lookup(request).reasons[0].code, "future");
			assert.ok(h.lookup({ cache: CROSS }).hit, "without a bound its age does not matter");
		},
	},
	{
		name: "T17 the key is over everything the result depends on, and over no policy",
		run(context) {
			const h = new Host(context);
			mkdirSync(h.path("sub"));
			const base = { flow: "f", input: "x", cache: CROSS };
			const key = (more) => h.lookup({ ...base, ...more }).key;
			const keys = [
				{}, { flow: "g" }, { phase: "q" }, { type: "shell" }, { model: "m" }, { input: "y" }, { input: ["x"] }, { system: "s" },
				{ agent: { name: "a" } }, { tools: ["t"] }, { thinking: "high" }, { structure: ["a", "b"] }, { with: 1 }, { cwd: h.path("sub") },
				{ input: 9007199254740993n }, { input: 9007199254740992n }, { input: "" }, { input: null },
			].map((more) => {
				const text = JSON.stringify({ phase: "p", ...base, ...more }, (_, v) => (typeof v === "bigint" ? `@${v}@` : v)).replace(/"@(\d+)@"/, "$1");
				return h.ask("lookup", text).key;
			});
			assert.equal(new Set(keys).size, keys.length);
			for (const k of keys) assert.match(k, /^[0-9a-f]{64}$/);
			assert.equal(key({ cache: { ...CROSS, ttl: "1h" } }), keys[0]);
			assert.equal(key({ noCache: true }), keys[0]);
			assert.equal(key({ explain: true }), keys[0]);
			assert.equal(key({ runId: "r9" }), keys[0]);
			symlinkSync(h.dir, join(h.context.dir, "alias"));
			assert.equal(key({ cwd: join(h.context.dir, "alias") }), keys[0], "the directory, by whatever name");
			const spelled = (text) => h.ask("lookup", `{"phase":"p","cache":{"scope":"cross-run"},"with":${text}}`).key;
			assert.equal(spelled('{"a":1,"b":[2]}'), spelled('{ "b" : [2], "\\u0061":1 }'), "the order of names and blanks do not count");
			assert.notEqual(spelled("1"), spelled("1.0"), "numbers as they were written");
		},
	},
	{
		name: "T18 only what is done is kept, and a hit does not make it younger",
		run(context) {
			const h = new Host(context);
			for (const status of ["failed", "error", "running", "", null]) {
				const answer = h.record({ cache: CROSS, status });
				assert.deepEqual([answer.stored, answer.reasons[0].code], [false, "not-done"], String(status));
			}
			assert.deepEqual(h.ask("record", { phase: "p", cache: CROSS, status: "done" }).stored, false, "no result");
			h.kept({ cache: CROSS });
			h.age(3_600_000);
			const before = h.lookup({ cache: CROSS }).createdAt;
			assert.equal(h.lookup({ cache: CROSS }).createdAt, before);
			assert.ok(h.lookup({ cache: CROSS }).age_ms >= 3_600_000);
		},
	},
	{
		name: "T18 what was made while the world changed is not kept",
		run(context) {
			const h = new Host(context);
			h.write("in", "1");
			const request = h.fingerprint("file:in");
			const { key } = h.lookup(request);
			h.write("in", "2 while the work is done");
			assert.deepEqual([h.record({ ...request, key }).stored, h.records().length], [false, 0]);
			const again = h.lookup(request).key;
			assert.equal(h.record({ ...request, key: again }).stored, true);
		},
	},
	{
		name: "T19 a record holds its result and where it is from, and no prompt",
		run(context) {
			const h = new Host(context);
			const secret = "a prompt nobody else should read ".repeat(10);
			h.record({ flow: "f", runId: "r", model: "m", input: secret, json: [1], cache: { ...CROSS, fingerprint: ["env:TOKEN"] } }, { env: { TOKEN: "s3cret-value" } });
			const [{ key }] = h.records();
			const text = readFileSync(join(h.store, "memo", `${key}.json`), "utf8");
			const record = JSON.parse(text);
			assert.deepEqual([record.value, record.json, record.model, record.flow, record.phase, record.runId], ["result", [1], "m", "f", "p", "r"]);
			assert.ok(!text.includes("a prompt nobody") && !text.includes("s3cret-value"));
		},
	},
	{
		name: "T20 ls is the index: what the directory holds, with or without the database",
		run(context) {
			const h = new Host(context);
			for (let i = 0; i < 5; i++) h.record({ phase: `p${i}`, flow: "f", runId: "r", cache: CROSS, output: "x".repeat(i) });
			const before = h.records();
			assert.deepEqual(before.map((r) => r.phaseId).sort(), ["p0", "p1", "p2", "p3", "p4"]);
			for (const record of before) {
				assert.equal(record.bytes, statSync(join(h.store, "memo", `${record.key}.json`)).size);
				assert.ok(Math.abs(record.createdAt - Date.now()) < 60000);
				assert.equal(record.runId, "r");
			}
			h.kept(h.fingerprint("file:x")); // makes the database
			assert.ok(existsSync(h.database()));
			const all = h.records();
			assert.deepEqual(h.records(), all, "remembered");
			writeFileSync(h.database(), "damaged");
			assert.deepEqual(h.records(), all);
			rmSync(h.database(), { force: true });
			assert.deepEqual(h.records(), all);
			rmSync(join(h.store, "memo", `${before[0].key}.json`));
			assert.equal(h.records().length, all.length - 1);
		},
	},
	{
		name: "T22 eight writers at once lose nothing",
		async run(context) {
			const h = new Host(context);
			const WRITERS = 8, EACH = 25;
			const codes = await Promise.all(Array.from({ length: WRITERS }, (_, w) => {
				const child = spawn(context.binary, ["memo", "record", "--lines"], { cwd: h.dir, env: { PATH: process.env.PATH, HOME: h.context.dir }, stdio: ["pipe", "ignore", "inherit"] });
				for (let i = 0; i < EACH; i++)
					child.stdin.write(`${JSON.stringify({ phase: `p${w}-${i}`, status: "done", output: `${w}-${i}`, cache: { ...CROSS, fingerprint: ["file:none"] } })}\n`);
				child.stdin.end();
				return new Promise((done) => child.on("close", done));
			}));
			assert.deepEqual(codes, Array(WRITERS).fill(0));
			assert.equal(h.records().length, WRITERS * EACH);
			for (let w = 0; w < WRITERS; w++)
				for (const i of [0, EACH - 1]) assert.equal(h.lookup({ phase: `p${w}-${i}`, ...h.fingerprint("file:none") }).output, `${w}-${i}`);
		},
	},
	{
		name: "T23 a store that fails fails no work: it is said, with status 3",
		run(context) {
			const h = new Host(context);
			mkdirSync(h.path(".pi"));
			h.write(".pi/readcache", "a file in its way");
			const answer = h.record({ cache: CROSS });
			assert.deepEqual([answer.status, answer.stored, answer.reasons[0].code], [3, false, "store"]);
			assert.equal(typeof answer.error, "string");
			assert.equal(h.lookup({ cache: CROSS }).hit, false);
		},
	},
	{
		name: "T24 reuse can be turned off for a call, and everything can be cleared",
		run(context) {
			const h = new Host(context);
			h.kept({ cache: CROSS, flow: "f" });
			const forced = h.lookup({ cache: CROSS, flow: "f", noCache: true });
			assert.deepEqual([forced.hit, forced.reasons[0].code], [false, "forced"]);
			assert.equal(h.record({ cache: CROSS, flow: "f", noCache: true, output: "newer" }).stored, true);
			assert.equal(h.lookup({ cache: CROSS, flow: "f" }).output, "newer");
			h.kept({ cache: CROSS, flow: "g" });
			h.kept({ cache: CROSS, flow: "g", phase: "q" });
			const clear = (...args) => h.context.run(["memo", "clear", ...args], { cwd: h.dir }).stdout;
			assert.equal(clear("--flow", "f"), "Removed 1 record.\n");
			assert.equal(clear("--phase", "q"), "Removed 1 record.\n");
			assert.equal(clear("--expired"), "Removed 0 records.\n");
			assert.equal(clear("--json"), '{"v":1,"removed":1,"left":0}\n');
			assert.equal(clear(), "Removed 0 records.\n");
		},
	},
	{
		name: "T25 what is shown of a hit: CACHED within the run, with its age from another one",
		run(context) {
			const h = new Host(context);
			h.kept({ runId: "r1", cache: CROSS });
			h.age(6 * 60_000 + 5000);
			assert.equal(h.lookup({ runId: "r1", cache: CROSS }).display, "CACHED");
			assert.equal(h.lookup({ runId: "r2", cache: CROSS }).display, "CACHED (cross-run · age 6m)");
		},
	},
	{
		name: "T27 the store is ignored by git, and a record says who made it",
		run(context) {
			const h = new Host(context);
			h.git("init", "-q");
			assert.equal(h.record({ cache: CROSS }, { env: { USER: "ann" } }).stored, true);
			assert.match(h.lookup({ cache: CROSS }).from.creator, /^ann@/);
			assert.equal(h.git("status", "--porcelain"), "");
		},
	},
	{
		name: "T28 cleaning up is done at most once an hour, behind the answer",
		run(context) {
			const h = new Host(context);
			h.kept({ cache: CROSS });
			const stale = () => writeFileSync(join(h.store, "memo", `${"0".repeat(64)}.json`), JSON.stringify({ value: "x", expires_at: 1 }));
			const stamp = join(h.store, "memo", "last-gc");
			stale();
			h.record({ cache: CROSS });
			assert.equal(h.records().length, 2, "not within the hour");
			const earlier = Date.now() / 1000 - 3700;
			utimesSync(stamp, earlier, earlier);
			h.record({ cache: CROSS });
			assert.equal(h.records().length, 1, "an hour later");
			stale();
			h.record({ cache: CROSS });
			assert.equal(h.records().length, 2);
		},
	},
	{
		name: "T29 a writer that was killed holds up nobody",
		async run(context) {
			const h = new Host(context);
			for (let i = 0; i < 20; i++) {
				const child = spawn(context.binary, ["memo", "record", "--lines"], { cwd: h.dir, env: { PATH: process.env.PATH, HOME: h.context.dir }, stdio: ["pipe", "ignore", "ignore"] });
				child.stdin.on("error", () => {});
				for (let j = 0; j < 50; j++) child.stdin.write(`${JSON.stringify({ phase: `k${i}-${j}`, status: "done", output: "x", ...h.fingerprint("file:none") })}\n`);
				setTimeout(() => child.kill("SIGKILL"), i);
				await new Promise((done) => child.on("close", done));
			}
			for (const { damaged } of h.records()) assert.equal(damaged, undefined, "no torn record");
			h.kept(h.fingerprint("file:none"));
		},
	},
	{
		name: "explain names what is different since the last time",
		run(context) {
			const h = new Host(context);
			h.write("a.txt", "1");
			const request = { flow: "f", model: "one", input: "x".repeat(100), ...h.fingerprint("file:a.txt", "env:MODE") };
			h.kept(request, { env: { MODE: "a" } });
			const why = (more, options = { env: { MODE: "a" } }) => h.lookup({ ...request, ...more, explain: true }, options).reason;
			assert.equal(why({ model: "two" }), "param model: one -> two");
			assert.match(why({ input: "y" }), /^param input changed$/);
			assert.equal(why({}, { env: { MODE: "b" } }), "env:MODE changed");
			h.write("a.txt", "22");
			assert.equal(why({}), "file:a.txt changed");
			assert.equal(why({ phase: "never seen" }), "no record of it yet");
		},
	},
	{
		name: "lines: each request is answered before the next is read, and a bad one ends nothing",
		async run(context) {
			const h = new Host(context);
			const child = spawn(context.binary, ["memo", "lookup", "--lines"], { cwd: h.dir, env: { PATH: process.env.PATH, HOME: h.context.dir } });
			const answers = (async function* () {
				let text = "";
				for await (const chunk of child.stdout) {
					text += chunk;
					for (let at; (at = text.indexOf("\n")) >= 0; text = text.slice(at + 1)) yield JSON.parse(text.slice(0, at));
				}
			})();
			const ask = async (line) => {
				child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
				return (await answers.next()).value;
			};
			const request = { phase: "p", ...h.fingerprint("file:in") };
			assert.equal((await ask(request)).hit, false);
			assert.equal((await ask({ ...request, op: "record", status: "done", output: "v" })).stored, true);
			assert.equal((await ask("nonsense")).error.code, "request");
			assert.equal((await ask({ ...request, op: "forget" })).error.code, "request");
			assert.equal((await ask(request)).output, "v");
			h.write("in", "new");
			assert.equal((await ask(request)).hit, false, "the world is looked at for each");
			child.stdin.end();
			assert.equal(await new Promise((done) => child.on("close", done)), 2);
		},
	},
	{
		name: "several requests at once are answered by a line each",
		run(context) {
			const h = new Host(context);
			h.kept({ cache: CROSS });
			const ask = (text) => {
				const { status, stdout } = context.run(["memo", "lookup"], { cwd: h.dir, input: text });
				return [status, stdout.trim().split("\n").map((line) => JSON.parse(line).hit)];
			};
			const [good, bad] = [{ phase: "p", cache: CROSS }, { phase: "other", cache: CROSS }];
			const line = JSON.stringify;
			assert.deepEqual(ask(`${line(good)}\n${line(bad)}\n\n${line(good)}\n`), [0, [true, false, true]]);
			assert.deepEqual(ask(`\n${line(good)}\nnonsense\n`), [2, [true, undefined]]);
			assert.deepEqual(ask(JSON.stringify(good, null, 2)), [0, [true]], "one request on many lines is one");
			assert.deepEqual(ask(line(bad)), [1, [false]]);
		},
	},
	{
		name: "deleting or damaging the database changes no answer",
		async run(context) {
			const h = new Host(context);
			h.write("in", "1");
			await settle();
			const request = h.fingerprint("file:in", "glob!:*");
			h.kept(request);
			const path = h.database();
			const whole = readFileSync(path);
			for (let i = 0; i < 40; i++) {
				const damaged = Buffer.from(whole);
				damaged.fill((i * 37) & 255, (i * 613) % damaged.length, ((i * 613) % damaged.length) + 200);
				plantDatabase(path, i % 3 === 0 ? damaged.subarray(0, (i * 409) % damaged.length) : damaged);
				assert.ok(h.lookup(request).hit, `damage ${i}`);
			}
			rmSync(path, { force: true });
			assert.ok(h.lookup(request).hit);
			h.write("in", "2");
			assert.ok(!h.lookup(request).hit);
		},
	},
];
