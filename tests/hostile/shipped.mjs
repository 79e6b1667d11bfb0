// A repository that ships a whole store for the work cache: links to files of
// the user, results that nobody computed, a database. `run`, `flow` and `memo`
// must neither write through it nor believe it (issue C, F1 and F2).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { check, freshDir } from "./harness.mjs";

export default async function shipped() {
	await links();
}

const MINE = "a file of the user that no repository may touch\n";

/** A user with a file of his own, who works in a project that he cloned. */
class Clone {
	constructor(dir = freshDir()) {
		this.dir = dir;
		this.home = join(dir, "home");
		this.cwd = join(dir, "project");
		for (const path of [this.home, this.cwd]) mkdirSync(path, { recursive: true });
		this.victim = join(dir, "victim");
		writeFileSync(this.victim, MINE, { mode: 0o644 });
		writeFileSync(join(this.cwd, "in.txt"), "input\n");
		writeFileSync(join(this.cwd, "flow.json"), JSON.stringify(FLOW));
	}

	get store() {
		return join(this.cwd, ".pi", "readcache");
	}

	path(...names) {
		return join(this.cwd, ...names);
	}

	inStore(...names) {
		const path = join(this.store, ...names);
		mkdirSync(join(path, ".."), { recursive: true });
		return path;
	}

	run(args, { input = "", env = {} } = {}) {
		const { status, signal, stdout, stderr } = spawnSync(binary(), args, {
			cwd: this.cwd,
			input,
			env: { PATH: process.env.PATH, HOME: this.home, ...env },
			encoding: "utf8",
			timeout: 60_000,
		});
		assert.equal(signal, null, `${args.join(" ")}: ended by a signal: ${stderr}`);
		return { status, stdout, stderr };
	}
}

const FLOW = { nodes: [{ id: "say", type: "shell", run: "echo from the flow" }] };
const LOOKUP = JSON.stringify({ phase: "p", cache: { scope: "cross-run", fingerprint: ["file:in.txt"] } });

/** Every command that opens the database or makes something in the store. */
const COMMANDS = {
	run: (clone) => {
		const { status, stdout, stderr } = clone.run(["run", "--dep", "in.txt", "--", "echo", "hi"]);
		assert.equal(status, 0, stderr);
		assert.equal(stdout, "hi\n");
	},
	"run with an output": (clone) => {
		const { status, stderr } = clone.run(["run", "--out", "out.txt", "--", "sh", "-c", "echo made >out.txt"]);
		assert.equal(status, 0, stderr);
		assert.equal(readFileSync(clone.path("out.txt"), "utf8"), "made\n");
	},
	flow: (clone) => void clone.run(["flow", "./flow.json"]),
	"memo lookup": (clone) => assert.match(clone.run(["memo", "lookup"], { input: LOOKUP }).stdout, /"hit":false/),
	"memo record": (clone) =>
		void clone.run(["memo", "record"], { input: JSON.stringify({ ...JSON.parse(LOOKUP), status: "done", output: "x" }) }),
	"memo set": (clone) => void clone.run(["memo", "set", "0123456789abcdef"], { input: "value" }),
	"cache stats": (clone) => void clone.run(["cache", "stats"]),
	"cache verify": (clone) => void clone.run(["cache", "verify"]),
	"cache gc": (clone) => void clone.run(["cache", "gc", "--max-age", "0", "--max-bytes", "0"]),
	"cache clear": (clone) => void clone.run(["cache", "clear"]),
};

/** What a repository may ship under a name of the store. */
const NAMES = [
	"state.mdb",
	"state.mdb-lock",
	"state.mdb-own",
	"owner",
	".gitignore",
	"CACHEDIR.TAG",
	"last-gc",
	"memo/last-gc",
	"memo/0123456789abcdef.json",
];
const DIRECTORIES = ["objects", "tmp", "memo", "stages", "flows", "locks"];

/** Way up from a name in the store to the user's directory. */
const up = (name) => "../".repeat(2 + name.split("/").length);

/** One name of the store at a time: a second one might hide what the first does. */
async function links() {
	for (const [how, run] of Object.entries(COMMANDS)) {
		await check(`shipped: F1.1 ${how} writes through no link in the store`, () =>
			forEach(NAMES, run, (clone, name) => symlinkSync(`${up(name)}victim`, clone.inStore(name)), expectUntouched));
		await check(`shipped: F1.2 ${how} makes no file at the end of a link in the store`, () =>
			forEach(
				NAMES,
				run,
				(clone, name) => symlinkSync(`${up(name)}made`, clone.inStore(name)),
				(clone) => assert.equal(existsSync(join(clone.dir, "made")), false),
			));
		await check(`shipped: F1.3 ${how} makes nothing in a directory that a link in the store leads to`, () =>
			forEach(
				DIRECTORIES,
				run,
				(clone, name) => {
					mkdirSync(join(clone.dir, "far"));
					symlinkSync(`${up(name)}far`, clone.inStore(name));
				},
				(clone) => assert.deepEqual(readdirSync(join(clone.dir, "far")), []),
			));
		await check(`shipped: F1.4 ${how} writes to no second name of a file of the user`, () =>
			forEach([...NAMES, "locks"], run, (clone, name) => plantSecondName(clone, name), expectUntouched));
	}
}

/** Plant under each of NAMES, run, and look. */
function forEach(names, run, plant, look) {
	for (const name of names)
		for (const made of [false, true]) {
			const clone = new Clone();
			if (made) clone.run(["run", "--", "true"]); // a store that is the user's own, and then a pull
			rmSync(join(clone.store, name), { recursive: true, force: true });
			plant(clone, name);
			try {
				run(clone);
				look(clone);
			} catch (error) {
				error.message = `${name}${made ? ", in a store of the user's" : ""}: ${error.message}`;
				throw error;
			}
		}
}

function expectUntouched(clone) {
	assert.equal(readFileSync(clone.victim, "utf8"), MINE);
	assert.equal(lstatSync(clone.victim).mode & 0o777, 0o644);
}

/** As the file, or for "locks" as every lock that a first run has made. */
function plantSecondName(clone, name) {
	if (name !== "locks") return linkSync(clone.victim, clone.inStore(name));
	const other = new Clone(); // the names are the same in every project
	other.run(["run", "--dep", "in.txt", "--", "echo", "hi"]);
	for (const lock of readdirSync(join(other.store, "locks"))) linkSync(clone.victim, clone.inStore("locks", lock));
}
