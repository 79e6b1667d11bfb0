// What a hostile project can have besides a store: settings of git that name
// programs, a place for saved workflows that leads elsewhere, second names of
// the user's files. And what is left when the disk is full (issue C, F1, F2, F9).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { Clone, MINE } from "./clone.mjs";
import { check, expectDiff, knownFile, manyLines, skip } from "./harness.mjs";

export default async function project({ fast }) {
	await everyName(fast);
	await savedWorkflows();
	await git();
	await fullDisk();
}

const STAGE = ["run", "-n", "t", "--dep", "in.txt", "--out", "out", "--", "sh", "-c", "mkdir out; cp in.txt out/a"];
const PHASE = { phase: "p", cache: { scope: "cross-run", fingerprint: ["file:in.txt"] } };
const readRequest = (clone) => JSON.stringify({ v: 1, op: "read", cwd: clone.cwd, params: { path: "in.txt" }, session: { leafId: null, entries: [] } });

/** All that leaves something in a store; what a flow says is needed as a file, too. */
function workAll(clone) {
	const nodes = [
		{ id: "a", run: "cat in.txt >o.txt", deps: ["in.txt"], outs: ["o.txt"] },
		{ id: "b", run: "echo b" },
		{ id: "c", run: "cat ${b.stdout.file}", needs: ["a"] },
	];
	writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes }));
	clone.run(STAGE);
	clone.run(["flow", "./flow.json"]);
	clone.run(["memo", "record"], { input: JSON.stringify({ ...PHASE, status: "done", output: "x" }) });
	clone.run([], { input: readRequest(clone) });
}

// --- F1: every name that a store has --------------------------------------

/** Each is asked in turn, in one store: those that keep, that look, and that remove. */
const COMMANDS = [
	{ args: [], input: readRequest },
	{ args: ["run", "--force", ...STAGE.slice(1)] },
	{ args: ["flow", "./flow.json", "--no-cache"] },
	{ args: ["flow", "checkout", "./flow.json", "--force"] },
	{ args: ["flow", "commit", "./flow.json"] },
	{ args: ["memo", "record"], input: () => JSON.stringify({ ...PHASE, status: "done", output: "y" }) },
	{ args: ["cache", "verify"] },
	{ args: ["cache", "gc", "--max-age", "0", "--max-bytes", "0"] },
	{ args: ["cache", "adopt"] },
	{ args: ["flow", "clear", "./flow.json"] },
	{ args: ["cache", "clear"] },
];

/** What a name may be turned into, besides the links to files of F1.1. VICTIM is a file and FAR a directory of the user. */
const TURNS = {
	"a second name of a file": (path, { victim }) => linkSync(victim, path),
	"a link to a directory": (path, { far }) => symlinkSync(far, path),
	"a pipe": (path) => spawnSync("mkfifo", [path]).status === 0 || skip("no mkfifo here"),
};

const LONG_AGO = new Date("2001-02-03T04:05:06Z");

/** The user's things, as they must stay: also by mode and times, but for that of access. */
function things(clone) {
	const of = (path) => {
		const { mode, mtimeMs } = lstatSync(path);
		return [mode, mtimeMs];
	};
	return { file: [readFileSync(clone.victim, "utf8"), of(clone.victim)], dir: [readdirSync(clone.far), of(clone.far)] };
}

/** The names below a store in which all kinds of work were done; one of each kind. */
function namesOf(clone) {
	const kinds = new Map();
	for (const name of readdirSync(clone.store, { recursive: true })) kinds.set(name.replace(/[0-9a-f]{16,}/g, "#").replace(/\/[0-9a-f]{2}(?=\/|$)/, "/##"), name);
	return [...kinds.values()];
}

async function everyName(fast) {
	for (const [what, turn] of Object.entries(TURNS))
		await check(`project: F1.5 every name that a store has may be ${what}: nothing of the user's changes`, () => {
			if (fast) skip("slow");
			const clone = new Clone();
			const whole = join(clone.dir, "whole");
			workAll(clone);
			const names = namesOf(clone);
			assert.ok(names.length > 20, `${names}`);
			cpSync(clone.store, whole, { recursive: true, preserveTimestamps: true });
			// All of them in one place: names of sessions and locks hang on it.
			for (const name of names) {
				rmSync(clone.store, { recursive: true, force: true });
				cpSync(whole, clone.store, { recursive: true, preserveTimestamps: true });
				plantAt(clone, name, turn);
				const before = things(clone);
				for (const { args, input } of COMMANDS) {
					const { stderr } = clone.run(args, { input: input?.(clone) ?? "" });
					assert.deepEqual(things(clone), before, `${name}: ${args.join(" ")}: ${stderr}`);
				}
			}
		});
}

function plantAt(clone, name, turn) {
	clone.far = join(clone.dir, "far");
	mkdirSync(clone.far, { recursive: true });
	rmSync(join(clone.store, name), { recursive: true, force: true });
	mkdirSync(dirname(join(clone.store, name)), { recursive: true });
	turn(join(clone.store, name), clone);
	for (const path of [clone.victim, clone.far]) utimesSync(path, LONG_AGO, LONG_AGO);
}

/** MINE, and FILE of the store as a second name of it, of an old time. */
function linkTo(mine, file) {
	rmSync(file, { force: true });
	linkSync(mine, file);
	utimesSync(mine, LONG_AGO, LONG_AGO);
	return lstatSync(mine, { bigint: true });
}

/** By the time of change: it tells of every mode and time that was set, but not of a read. */
const expectUnchanged = (mine, before) => assert.equal(`${lstatSync(mine, { bigint: true }).ctimeNs}`, `${before.ctimeNs}`, mine);

async function secondNames() {
	for (const mode of [0o600, 0o644])
		await check(`project: F1.6 an object that is a second name of the very file keeps mode ${mode.toString(8)} and time`, () => {
			const known = knownFile(manyLines(40));
			const mine = join(known.dir, "mine");
			writeFileSync(mine, known.content, { mode });
			let before = linkTo(mine, known.object(known.content));
			known.read(known.name, { leafId: null, entries: [] }); // to be kept again
			expectUnchangedOrFreed(mine, before);
			before = linkTo(mine, known.object(known.content));
			known.write(known.name, manyLines(40, { 7: "new" }));
			expectDiff(known.read(known.name), "new"); // made from it
			expectUnchanged(mine, before);
		});
	await check("project: F1.6 a record that is a second name keeps its times", () => {
		const clone = new Clone();
		const key = "0123456789abcdef";
		clone.run(["memo", "set", key], { input: "mine" });
		const mine = join(clone.dir, "mine");
		cpSync(clone.inStore("memo", `${key}.json`), mine);
		const before = linkTo(mine, clone.inStore("memo", `${key}.json`));
		assert.equal(clone.run(["memo", "get", key]).stdout, "mine");
		expectUnchanged(mine, before);
	});
}

/** What is kept again takes the second name away, which is a change of the count of names alone. */
function expectUnchangedOrFreed(mine, before) {
	const { mode, mtimeNs } = lstatSync(mine, { bigint: true });
	assert.equal(`${mode} ${mtimeNs}`, `${before.mode} ${before.mtimeNs}`);
}

// --- F1: saved workflows --------------------------------------------------

async function savedWorkflows() {
	await secondNames();
	const save = (clone, ...more) => clone.run(["flow", "save", "./flow.json", "nightly", ...more]);
	for (const part of [".pi", ".pi/flows"])
		await check(`project: F1.7 flow save makes nothing where a link at ${part} leads`, () => {
			for (const more of [[], ["--force"]]) {
				const clone = new Clone();
				const far = join(clone.dir, "far");
				mkdirSync(far);
				mkdirSync(dirname(clone.path(part)), { recursive: true });
				symlinkSync(far, clone.path(part));
				const { status, stderr } = save(clone, ...more);
				assert.equal(status, 3);
				assert.match(stderr, /nightly\.json: a link leads out of the project there; remove it\.\n$/);
				assert.deepEqual(readdirSync(far), []);
			}
		});
	await check("project: F1.8 flow save --force replaces a second name, and writes to no file by it", () => {
		const clone = new Clone();
		assert.equal(save(clone).status, 0);
		rmSync(clone.path(".pi/flows/nightly.json"));
		linkSync(clone.victim, clone.path(".pi/flows/nightly.json"));
		assert.equal(save(clone).status, 2, "nothing is replaced unasked");
		assert.equal(save(clone, "--force").status, 0);
		assert.equal(readFileSync(clone.victim, "utf8"), MINE);
		assert.equal(clone.run(["flow", "nightly", "--quiet"]).stdout, "from the flow\n");
	});
	const others = {
		"a link": (path, clone) => symlinkSync(clone.victim, path),
		"a link to nothing": (path, clone) => symlinkSync(join(clone.dir, "none"), path),
		"a pipe": (path) => spawnSync("mkfifo", [path]).status === 0 || skip("no mkfifo here"),
		"a directory": (path) => mkdirSync(path),
	};
	for (const [what, put] of Object.entries(others))
		await check(`project: F1.9 flow save does not replace ${what}`, () => {
			const clone = new Clone();
			mkdirSync(clone.path(".pi/flows"), { recursive: true });
			put(clone.path(".pi/flows/nightly.json"), clone);
			const before = lstatSync(clone.path(".pi/flows/nightly.json"));
			for (const more of [[], ["--force"]]) assert.ok([2, 3].includes(save(clone, ...more).status));
			assert.deepEqual([before.ino, readFileSync(clone.victim, "utf8")], [lstatSync(clone.path(".pi/flows/nightly.json")).ino, MINE]);
			assert.equal(existsSync(join(clone.dir, "none")), false);
			assert.deepEqual(readdirSync(clone.path(".pi/flows")), ["nightly.json"], "nothing is left beside it");
		});
}

// --- F2: git --------------------------------------------------------------

/** A repository whose settings name PROGRAM wherever git takes a program. */
function hostileRepository(clone) {
	const trace = join(clone.dir, "was-run");
	const program = join(clone.dir, "program");
	writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>'${trace}'\n`);
	chmodSync(program, 0o755);
	const git = (...args) => spawnSync("git", args, { cwd: clone.cwd, encoding: "utf8", env: { PATH: process.env.PATH, HOME: clone.home } });
	if (git("init", "-q").status !== 0) skip("no git here");
	git("add", "in.txt");
	git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x");
	const settings = ["core.fsmonitor", "core.sshCommand", "core.gitProxy", "core.askPass", "core.pager", "core.editor", "core.alternateRefsCommand", "diff.external", "credential.helper"];
	for (const name of settings) git("config", name, program);
	git("config", "core.hooksPath", dirname(program));
	git("config", "alias.rev-parse", `!${program}`);
	git("config", "protocol.allow", "always");
	git("config", "extensions.partialClone", "origin");
	git("config", "remote.origin.promisor", "true");
	return { trace, program, git };
}

async function git() {
	const missing = "1234567890".repeat(4);
	const remotes = { ext: (p) => `ext::${p}`, ssh: () => "ssh://localhost/x", git: () => "git://localhost/x", "a place": (p) => dirname(p) };
	for (const [how, url] of Object.entries(remotes))
		await check(`project: F2.16 git, asked for a commit, runs nothing that the repository names (remote: ${how})`, () => {
			const clone = new Clone();
			const { trace, program, git } = hostileRepository(clone);
			git("config", "remote.origin.url", url(program));
			git("config", "remote.origin.uploadpack", program);
			for (const ref of ["HEAD", "HEAD~0", "HEAD~1", "HEAD:in.txt", ":in.txt", ":/x", `${missing}^{commit}`, `${missing}~1`, "HEAD@{upstream}"]) {
				const { status, stdout } = clone.run(["run", "--fp", `git:${ref}`, "--", "echo", ref]);
				assert.deepEqual([status, stdout], [0, `${ref}\n`]);
			}
			clone.run(["memo", "lookup", "--store", "../store"], { input: JSON.stringify(PHASE) }); // asks for the first commit
			assert.equal(existsSync(trace) ? readFileSync(trace, "utf8") : "", "");
		});
	await check("project: F2.16 the control: git by itself does run it", () => {
		const clone = new Clone();
		const { trace, program, git } = hostileRepository(clone);
		git("config", "remote.origin.url", `ext::${program}`);
		git("rev-parse", "--verify", "--quiet", `${missing}^{commit}`);
		if (!existsSync(trace)) skip("this git asks no remote for what is missing");
	});
}

// --- F9: limits -----------------------------------------------------------

async function fullDisk() {
	await check("project: F9.2 a store whose mark could not be written is the user's when it can", () => {
		const clone = new Clone();
		clone.run(["run", "--", "true"]); // the key is there
		rmSync(clone.store, { recursive: true });
		const env = { PATH: process.env.PATH, HOME: clone.home };
		const { stdout } = spawnSync("sh", ["-c", 'ulimit -f 0; exec "$0" run -- echo hi', binary()], { cwd: clone.cwd, env, encoding: "utf8" });
		assert.equal(stdout, "hi\n");
		assert.equal(existsSync(clone.inStore("owner")), false, "no mark, or a whole one");
		const { stderr } = clone.run(STAGE);
		assert.equal(stderr, "");
		assert.match(clone.run(["run", "--explain", ...STAGE.slice(1)]).stderr, /CACHED/);
	});
}
