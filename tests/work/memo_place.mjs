// The directory in the keys of phases (issue B, row 12): a project may move and be cloned; nothing else is taken for it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../lib/engine.mjs";
import { within } from "../lib/wait.mjs";

const PHASE = { flow: "f", phase: "p", input: "Review main.c", cache: { scope: "cross-run" } };

class Places {
	constructor(context) {
		this.context = context;
		this.store = join(context.dir, "store");
	}

	path(...names) {
		return join(this.context.dir, ...names);
	}

	git(dir, ...args) {
		const env = { PATH: process.env.PATH, HOME: this.context.dir, GIT_CONFIG_NOSYSTEM: "1" };
		const who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"];
		return execFileSync("git", [...who, ...args], { cwd: dir, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
	}

	/** A repository with one commit, which SUBJECT makes another one than that of others. */
	repository(name, subject = name) {
		mkdirSync(this.path(name, "sub"), { recursive: true });
		writeFileSync(this.path(name, "main.c"), "int main;\n");
		writeFileSync(this.path(name, "sub", "x"), "x\n");
		this.git(this.path(name), "init", "-q");
		this.git(this.path(name), "add", ".");
		this.git(this.path(name), "commit", "-q", "-m", subject);
		return this.path(name);
	}

	clone(from, name) {
		this.git(this.context.dir, "clone", "-q", from, name);
		return this.path(name);
	}

	ask(op, dir, request, { store = this.store, env } = {}) {
		const args = store === null ? [] : ["--store", store];
		const { status, stdout, stderr } = this.context.run(["memo", op, ...args], { cwd: dir, env, input: JSON.stringify(request) });
		assert.equal(stderr, "");
		return { status, ...JSON.parse(stdout) };
	}

	keep(dir, more = {}, options) {
		const answer = this.ask("record", dir, { ...PHASE, ...more, status: "done", output: dir }, options);
		assert.equal(answer.stored, true);
	}

	hits(dir, more = {}, options) {
		return this.ask("lookup", dir, { ...PHASE, ...more }, options).hit;
	}
}

const finger = (...fingerprint) => ({ cache: { scope: "cross-run", fingerprint } });

export const tests = [
	{
		name: "B12 two clones on one store find each other's phases, also behind later commits",
		run(context) {
			const p = new Places(context);
			const one = p.repository("one");
			const two = p.clone(one, "two");
			p.keep(one);
			assert.equal(p.hits(two), true);
			writeFileSync(join(two, "more"), "");
			p.git(two, "add", ".");
			p.git(two, "commit", "-q", "-m", "more");
			assert.equal(p.hits(two), true);
			p.git(one, "worktree", "add", "-q", p.path("tree"));
			assert.equal(p.hits(p.path("tree")), true, "a worktree is one too");
			assert.equal(p.hits(two, { cwd: one }), true, "where the host stands does not count");
			p.keep(one, finger("git:HEAD", "file:main.c"));
			assert.equal(p.hits(two, finger("git:HEAD", "file:main.c")), false, "what is declared does");
			assert.equal(p.hits(p.path("tree"), finger("git:HEAD", "file:main.c")), true);
		},
	},
	{
		name: "B12 two directories of one project do not share, nor do those of two clones",
		run(context) {
			const p = new Places(context);
			const one = p.repository("one");
			const two = p.clone(one, "two");
			mkdirSync(join(one, "other"));
			p.keep(join(one, "sub"));
			assert.equal(p.hits(one), false);
			assert.equal(p.hits(join(one, "other")), false);
			assert.equal(p.hits(two), false);
			assert.equal(p.hits(join(two, "sub")), true);
			symlinkSync(join(two, "sub"), p.path("alias"));
			assert.equal(p.hits(one, { cwd: p.path("alias") }), true, "by its real name");
		},
	},
	{
		name: "B12 another project on the same store never hits, with whatever in common",
		run(context) {
			const p = new Places(context);
			const one = p.repository("one");
			const stranger = p.repository("stranger");
			p.keep(one);
			p.keep(one, finger("file:main.c"));
			assert.equal(p.hits(stranger), false);
			assert.equal(p.hits(stranger, finger("file:main.c")), false);
			const inner = p.repository(join("one", "inner"), "its own");
			assert.equal(p.hits(inner), false, "a repository in it is another project");
			for (const name of ["e1", "e2"]) mkdirSync(p.path("one", name, ".git"), { recursive: true });
			p.keep(p.path("one", "e1"));
			assert.equal(p.hits(p.path("one", "e2")), false, "one without commits is a place");
			assert.equal(p.hits(p.path("one", "e1")), true);
			for (const name of ["d1", "d2"]) mkdirSync(p.path(name));
			p.keep(p.path("d1"));
			assert.equal(p.hits(p.path("d2")), false, "and so is what is no repository");
			const env = { GIT_DIR: join(one, ".git") };
			assert.equal(p.hits(stranger, {}, { env }), false, "GIT_DIR makes no clone of it");
		},
	},
	{
		name: "B12 a run is at one place: its id may come again in another clone",
		run(context) {
			const p = new Places(context);
			const one = p.repository("one");
			const two = p.clone(one, "two");
			const run = { runId: "1", cache: { scope: "run-only" } };
			p.keep(one, run);
			assert.equal(p.hits(two, run), false);
			assert.equal(p.hits(one, run), true);
		},
	},
	{
		name: "B12 a project that moves with its store finds its phases, in both scopes; a directory below it has its own",
		run(context) {
			const p = new Places(context);
			const own = { store: null };
			const run = { runId: "1", cache: { scope: "run-only" } };
			mkdirSync(p.path("one", "sub"), { recursive: true });
			p.keep(p.path("one"), {}, own);
			p.keep(p.path("one"), run, own);
			renameSync(p.path("one"), p.path("moved"));
			assert.equal(p.hits(p.path("moved"), {}, own), true);
			assert.equal(p.hits(p.path("moved"), run, own), true);
			cpSync(p.path("moved"), p.path("copy"), { recursive: true });
			assert.equal(p.hits(p.path("copy"), {}, own), true);
			assert.equal(p.hits(p.path("moved", "sub"), {}, { store: "../.pi/readcache" }), false);
			assert.equal(p.hits(p.path("moved"), { cwd: p.path("moved", "sub") }, own), false);
			const why = p.ask("lookup", p.path("moved"), { ...PHASE, cwd: p.path("moved", "sub"), explain: true }, own);
			assert.deepEqual([why.reasons[0].subject, why.reasons[0].old, why.reasons[0].new], ["cwd", ".", "sub"]);
		},
	},
	{
		name: "B12 two projects whose .pi is one directory by a link do not share",
		run(context) {
			const p = new Places(context);
			mkdirSync(p.path("pi"));
			for (const name of ["one", "two"]) {
				mkdirSync(p.path(name));
				symlinkSync("../pi", p.path(name, ".pi"));
			}
			p.keep(p.path("one"), {}, { store: p.path("one", ".pi", "readcache") });
			assert.equal(p.hits(p.path("one"), {}, { store: p.path("one", ".pi", "readcache") }), true);
			assert.equal(p.hits(p.path("two"), {}, { store: p.path("two", ".pi", "readcache") }), false);
		},
	},
	{
		name: "B12 an absolute name in a fingerprint counts as it is written, and by its content",
		run(context) {
			const p = new Places(context);
			const one = p.repository("one");
			const two = p.clone(one, "two");
			const absolute = finger(`file:${join(one, "main.c")}`);
			p.keep(one, absolute);
			assert.equal(p.hits(two, absolute), true, "the same file");
			assert.equal(p.hits(two, finger(`file:${join(two, "main.c")}`)), false, "another name: in doubt the work is done");
			writeFileSync(join(one, "main.c"), "changed\n");
			assert.equal(p.hits(two, absolute), false);
		},
	},
	{
		name: "B12 a host that stays sees that a directory has become another project",
		async run(context) {
			const p = new Places(context);
			const one = p.repository("one");
			const other = p.repository("other");
			p.keep(one);
			const host = new Engine({ args: ["memo", "lookup", "--lines", "--store", p.store], env: { HOME: context.dir } });
			const hits = async () => JSON.parse(await within(host.line(JSON.stringify({ ...PHASE, cwd: one })), "an answer")).hit;
			assert.equal(await hits(), true);
			renameSync(one, join(context.dir, "gone"));
			renameSync(other, one);
			assert.equal(await hits(), false);
			assert.deepEqual(await host.close(), { code: 0, signal: null });
		},
	},
];
