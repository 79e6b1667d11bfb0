// A repository that ships a whole store for the work cache: links to files of
// the user, results that nobody computed, a database. `run`, `flow` and `memo`
// must neither write through it nor believe it (issue C, F1 and F2).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { chmodSync, cpSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { Clone, MINE } from "./clone.mjs";
import { check, skip } from "./harness.mjs";

export default async function shipped() {
	await links();
	await believed();
	await pulled();
	await ownStores();
	await keys();
	await versionControl();
}

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

// --- F2: nothing in it is believed ----------------------------------------

const KEY = "0123456789abcdef";
const PLANTED = JSON.stringify({ value: "planted by the repository" });
const SET_ASIDE = /^readcache: .*\/project\/\.pi\/readcache: it was not made by you on this machine, so nothing in it is used; [^\n]*readcache cache adopt\.$/m;

/** Everything below DIR with what a change would change, but for the time of access. */
function listing(dir) {
	return readdirSync(dir, { recursive: true })
		.sort()
		.map((name) => {
			const { mode, size, ino, mtimeMs } = lstatSync(join(dir, name));
			return `${name} ${mode} ${size} ${ino} ${mtimeMs}`;
		});
}

/** A stage that tells by its output who has run it. */
const stage = () => ["run", "-n", "t", "--dep", "in.txt", "--out", "out.txt", "--", "sh", "-c", '. ./who; echo "run by $who" | tee out.txt'];

/** Run the stage as WHO: what it said, and what it left. */
function runStage(clone, who) {
	writeFileSync(clone.path("who"), `who=${who}\n`);
	rmSync(clone.path("out.txt"), { force: true });
	const { status, stdout, stderr } = clone.run(stage());
	assert.equal(status, 0, stderr);
	assert.equal(readFileSync(clone.path("out.txt"), "utf8"), stdout);
	return { stdout, stderr };
}

const runFlow = (clone) => clone.run(["flow", "./flow.json", "--json"]);
const memoLookup = (clone) => JSON.parse(clone.run(["memo", "lookup"], { input: LOOKUP }).stdout);
const memoRecord = (clone, output) => clone.run(["memo", "record"], { input: JSON.stringify({ ...JSON.parse(LOOKUP), status: "done", output }) });

/** All that the work cache can keep, made by a stranger at the same place. */
function strangersWork(clone) {
	assert.equal(runStage(clone, "stranger").stdout, "run by stranger\n");
	assert.equal(clone.run(["memo", "set", KEY], { input: "by a stranger" }).status, 0);
	assert.equal(memoRecord(clone, "by a stranger").status, 0);
	assert.equal(memoLookup(clone).output, "by a stranger");
	writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes: [{ id: "say", run: ["sh", "-c", ". ./who; echo $who"] }] }));
	assert.match(runFlow(clone).stdout, /stranger/);
	assert.match(runFlow(clone).stdout, /cached/);
}

/** The user does the same work: it is done, and nothing of the stranger's is seen. */
function ownWork(clone) {
	const outputs = [runStage(clone, "me"), clone.run(["memo", "get", KEY]), runFlow(clone)];
	assert.equal(outputs[0].stdout, "run by me\n");
	assert.notEqual(outputs[1].status, 0);
	for (const { stdout } of outputs) assert.doesNotMatch(stdout, /stranger|planted/);
	assert.equal(memoLookup(clone).hit, false);
	return outputs.map(({ stderr }) => stderr);
}

async function believed() {
	await check("shipped: F2.1 a planted record is no hit, and is left where it is", () => {
		const clone = new Clone();
		writeFileSync(clone.inStore("memo", `${KEY}.json`), PLANTED);
		const before = listing(clone.store);
		const { status, stdout, stderr } = clone.run(["memo", "get", KEY]);
		assert.deepEqual([status, stdout], [3, ""]);
		assert.match(stderr, SET_ASIDE);
		assert.equal(stderr.split("\n").length, 2, "one line");
		assert.equal(clone.run(["memo", "set", KEY], { input: "mine" }).status, 3);
		assert.deepEqual(listing(clone.store), before);
	});
	await check("shipped: F2.2 a store that a stranger has made at the same place gives nothing and gets nothing", () => {
		const clone = new Clone().byStranger(strangersWork);
		const before = listing(clone.store);
		for (const stderr of ownWork(clone)) assert.match(stderr, SET_ASIDE);
		assert.deepEqual(listing(clone.store), before, "nothing was written into it");
		assert.equal(runStage(clone, "me-again").stdout, "run by me-again\n", "nothing was kept");
	});
	await check("shipped: F2.3 each command says so in one line", () => {
		const clone = new Clone().byStranger(strangersWork);
		for (const args of [["run", "--", "true"], ["flow", "./flow.json"], ["memo", "ls"], ["cache", "stats"], ["cache", "gc"], ["cache", "verify"]]) {
			const { stderr } = clone.run(args);
			assert.equal(stderr.split("\n").filter((line) => SET_ASIDE.test(line)).length, 1, `${args}: ${stderr}`);
		}
		assert.match(clone.run(["doctor"]).stdout, /was not made by you on this machine/);
	});
	await check("shipped: F2.4 a mark of another user, a made-up or a broken one is no mark", () => {
		const foreign = readFileSync(join(new Clone().byStranger((c) => c.run(["run", "--", "true"])).store, "owner"), "utf8");
		for (const mark of [foreign, `${"0".repeat(32)} ${"0".repeat(64)}\n`, "", "x", foreign.slice(0, -1), `${foreign}x`]) {
			const clone = new Clone();
			clone.run(["run", "--", "true"]); // there is a key
			writeFileSync(clone.inStore("owner"), mark);
			assert.match(clone.run(["memo", "get", KEY]).stderr, SET_ASIDE, JSON.stringify(mark));
		}
	});
	await check("shipped: F2.5 reads go on in such a store: every version is checked by its hash", () => {
		const clone = new Clone().byStranger(strangersWork);
		const request = { v: 1, op: "read", cwd: clone.cwd, params: { path: "in.txt" }, session: { leafId: null, entries: [] } };
		const { stdout, status } = clone.run([], { input: JSON.stringify(request) });
		assert.equal(status, 0);
		assert.equal(JSON.parse(stdout).result.content[0].text, "input\n");
	});
}

async function pulled() {
	for (const what of ["memo", "stages", "flows", "objects", "all"])
		await check(`shipped: F2.6 what a pull puts into the user's own store is not believed (${what})`, () => {
			const clone = new Clone().byStranger(strangersWork);
			const theirs = join(clone.dir, "theirs");
			renameSync(clone.store, theirs);
			clone.run(["run", "--", "true"]); // a store of the user's own
			for (const name of what === "all" ? ["memo", "stages", "flows", "objects"] : [what])
				cpSync(join(theirs, name), join(clone.store, name), { recursive: true });
			for (const stderr of ownWork(clone)) assert.doesNotMatch(stderr, SET_ASIDE);
			assert.match(runFlow(clone).stdout, /cached/, "what is made from now on is kept");
		});
	await check("shipped: F2.6 a shipped output with its shipped lock is not taken for made", () => {
		const clone = new Clone();
		const args = ["run", "-n", "t", "--dep", "in.txt", "--out", "out.txt", "--", "sh", "-c", ". ./who; echo $who >out.txt"];
		clone.byStranger(() => {
			writeFileSync(clone.path("who"), "who=stranger\n");
			assert.equal(clone.run(args).status, 0);
		});
		const theirs = join(clone.dir, "theirs");
		renameSync(clone.store, theirs);
		clone.run(["run", "--", "true"]);
		cpSync(join(theirs, "stages"), join(clone.store, "stages"), { recursive: true });
		cpSync(join(theirs, "memo"), join(clone.store, "memo"), { recursive: true });
		writeFileSync(clone.path("who"), "who=me\n");
		assert.equal(clone.run(["run", "--dry-run", ...args.slice(1)]).status, 1, "it would be run");
		assert.equal(clone.run(args).status, 0);
		assert.equal(readFileSync(clone.path("out.txt"), "utf8"), "me\n");
	});
	await check("shipped: F2.6 flow checkout brings back nothing that a pull has put there", () => {
		const clone = new Clone();
		const node = { id: "make", run: ["sh", "-c", ". ./who; echo $who >out.txt"], deps: ["in.txt"], outs: ["out.txt"] };
		const theirs = join(clone.dir, "theirs");
		writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes: [node] }));
		clone.byStranger(() => {
			writeFileSync(clone.path("who"), "who=stranger\n");
			assert.equal(clone.run(["flow", "./flow.json"]).status, 0);
			rmSync(clone.path("out.txt"));
			assert.equal(clone.run(["flow", "checkout", "./flow.json"]).status, 0);
			assert.equal(readFileSync(clone.path("out.txt"), "utf8"), "stranger\n");
		});
		rmSync(clone.path("out.txt"));
		renameSync(clone.store, theirs);
		clone.run(["run", "--", "true"]);
		for (const name of ["memo", "stages", "flows", "objects"]) cpSync(join(theirs, name), join(clone.store, name), { recursive: true });
		clone.run(["flow", "checkout", "./flow.json"]);
		assert.equal(existsSync(clone.path("out.txt")), false);
	});
	await check("shipped: L2 what was sealed for one workflow is not taken for another one's", () => {
		const clone = new Clone();
		const make = (text) => ({ id: "make", run: ["sh", "-c", `echo ${text} >out.txt`], deps: ["in.txt"], outs: ["out.txt"] });
		const stages = [];
		for (const name of ["one", "two"]) {
			writeFileSync(clone.path(`${name}.json`), JSON.stringify({ nodes: [make(name)] }));
			assert.equal(clone.run(["flow", `./${name}.json`]).status, 0);
			stages.push(...readdirSync(join(clone.store, "stages")).filter((flow) => !stages.includes(flow)));
		}
		const [one, two] = stages.map((flow) => join(clone.store, "stages", flow, "make.lock"));
		rmSync(clone.path("out.txt"));
		assert.equal(clone.run(["flow", "checkout", "./two.json"]).status, 0);
		assert.equal(readFileSync(clone.path("out.txt"), "utf8"), "two\n");
		rmSync(clone.path("out.txt"));
		cpSync(one, two);
		clone.run(["flow", "checkout", "./two.json"]);
		assert.equal(existsSync(clone.path("out.txt")), false);
	});
	await check("shipped: F2.7 a database that came with a pull, or is from an earlier version, is not touched by work", () => {
		const clone = new Clone();
		clone.run(["run", "--", "true"]);
		const names = ["state.mdb", "state.mdb-lock", "state.mdb-own"];
		const facts = () => names.map((name) => Object.values(lstatSync(clone.inStore(name), { bigint: true })).join(" "));
		for (const name of names) writeFileSync(clone.inStore(name), "shipped ".repeat(4));
		const before = facts();
		for (const args of [["run", "--dep", "in.txt", "--", "true"], ["flow", "./flow.json"], ["cache", "stats"]]) assert.equal(clone.run(args).status, 0);
		assert.deepEqual(facts(), before);
		clone.run(["cache", "gc"]);
		assert.deepEqual(names.filter((name) => existsSync(join(clone.store, name))), [], "gc removes it");
	});
	await check("shipped: F2.8 a record that was changed after it was sealed, or never was, is not believed", () => {
		const clone = new Clone();
		assert.equal(clone.run(["memo", "set", KEY], { input: "mine" }).status, 0);
		const file = clone.inStore("memo", `${KEY}.json`);
		const record = JSON.parse(readFileSync(file, "utf8"));
		delete record.sum;
		writeFileSync(file, JSON.stringify({ ...record, value: "theirs" }));
		assert.equal(clone.run(["memo", "get", KEY]).stdout, "");
		writeFileSync(file, PLANTED); // one that never had a seal
		assert.equal(clone.run(["memo", "get", KEY]).stdout, "");
		assert.doesNotMatch(clone.run(["memo", "ls", "--json"]).stdout, /planted/);
		const other = "fedcba9876543210"; // a true one under another name
		assert.equal(clone.run(["memo", "set", other], { input: "mine" }).status, 0);
		const text = readFileSync(clone.inStore("memo", `${other}.json`), "utf8");
		writeFileSync(file, text.replaceAll(other, KEY));
		assert.equal(clone.run(["memo", "get", KEY]).stdout, "");
	});
}

async function ownStores() {
	await check("shipped: F2.9 a project that its user moves or copies keeps what it has", () => {
		const clone = new Clone();
		assert.equal(clone.run(["memo", "set", KEY], { input: "mine" }).status, 0);
		const [moved, copied] = [join(clone.dir, "moved"), join(clone.dir, "copied")];
		renameSync(clone.cwd, moved);
		cpSync(moved, copied, { recursive: true });
		for (const cwd of [moved, copied]) {
			clone.cwd = cwd;
			const { stdout, stderr } = clone.run(["memo", "get", KEY]);
			assert.deepEqual([stdout, stderr], ["mine", ""]);
			assert.equal(clone.run(["run", "--dep", "in.txt", "--", "true"]).stderr, "");
		}
	});
	await check("shipped: F2.10 what the user names is his word: by --store, and in his settings", () => {
		const clone = new Clone();
		writeFileSync(clone.inStore("memo", `${KEY}.json`), PLANTED);
		assert.equal(clone.run(["memo", "get", KEY, "--store", clone.store]).stdout, "planted by the repository");
		mkdirSync(join(clone.home, ".config", "readcache"), { recursive: true });
		writeFileSync(join(clone.home, ".config", "readcache", "config.json"), JSON.stringify({ store: clone.store }));
		assert.equal(clone.run(["memo", "get", KEY]).stdout, "planted by the repository");
		const project = new Clone(); // a project's settings are not the user's
		writeFileSync(project.inStore("memo", `${KEY}.json`), PLANTED);
		writeFileSync(project.path(".pi", "readcache.json"), JSON.stringify({ store: project.store }));
		assert.equal(project.run(["memo", "get", KEY]).stdout, "");
	});
	await check("shipped: F2.11 cache adopt takes it over, and says what it did", () => {
		const clone = new Clone().byStranger(strangersWork);
		writeFileSync(clone.inStore("memo", `${"ab".repeat(8)}.json`), PLANTED);
		const { status, stdout, stderr } = clone.run(["cache", "adopt"]);
		assert.equal(status, 0, stderr);
		assert.match(stdout, /^.*\/readcache: it is yours now, with \d+ texts\n$/);
		assert.equal(clone.run(["memo", "get", KEY]).stdout, "by a stranger");
		assert.equal(clone.run(["memo", "get", "ab".repeat(8)]).stdout, "planted by the repository");
		assert.equal(memoLookup(clone).output, "by a stranger");
		writeFileSync(clone.path("who"), "who=me\n");
		assert.equal(clone.run(stage()).stdout, "run by stranger\n");
		assert.match(clone.run(["cache", "adopt"]).stdout, /it is yours already\n$/);
		assert.equal(clone.run(["cache", "adopt", "--store", clone.store]).status, 2);
		assert.equal(new Clone().run(["cache", "adopt"]).status, 2);
	});
	await check("shipped: F2.12 a store of reads alone becomes the user's when he first works in it", () => {
		const clone = new Clone();
		const request = { v: 1, op: "read", cwd: clone.cwd, params: { path: "in.txt" }, session: { leafId: null, entries: [] } };
		clone.run([], { input: JSON.stringify(request) });
		assert.deepEqual(readdirSync(clone.store).sort(), [".gitignore", "CACHEDIR.TAG", "last-gc", "objects", "tmp"]);
		assert.equal(clone.run(["memo", "get", KEY]).stderr, "");
		assert.equal(existsSync(clone.inStore("owner")), false, "a look marks nothing");
		assert.equal(clone.run(["memo", "set", KEY], { input: "mine" }).stderr, "");
		assert.equal(clone.run(["memo", "get", KEY]).stdout, "mine");
	});
}

// --- the key --------------------------------------------------------------

function length(text) {
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64LE(BigInt(text.length));
	return bytes;
}

const UNFIT = /the key that proves it yours .* must be a file of 32 bytes that only you can read, and is not; remove it, and a new one is made\.$/m;

async function keys() {
	const key = (clone) => join(clone.home, ".local", "state", "readcache", "key");
	await check("shipped: F2.13 the key is the user's alone, and made once", () => {
		const clone = new Clone();
		assert.equal(clone.run(["memo", "get", KEY]).status, 1);
		assert.equal(existsSync(key(clone)), false, "a look makes none");
		clone.run(["run", "--", "true"]);
		const { size, mode } = lstatSync(key(clone));
		assert.deepEqual([size, mode & 0o777, lstatSync(join(key(clone), "..")).mode & 0o777], [32, 0o600, 0o700]);
		assert.deepEqual(readdirSync(join(key(clone), "..")), ["key", "states"]);
		const bytes = readFileSync(key(clone), "hex");
		const [id, mark] = readFileSync(clone.inStore("owner"), "utf8").split(/[ \n]/);
		const mac = createHmac("sha256", Buffer.from(bytes, "hex"));
		for (const part of ["owner", id]) mac.update(Buffer.concat([length(part), Buffer.from(part)]));
		assert.equal(mark, mac.digest("hex"), "the mark is as SPEC says");
		const name = createHmac("sha256", Buffer.from(bytes, "hex"));
		for (const part of ["state", clone.store, id]) name.update(Buffer.concat([length(part), Buffer.from(part)]));
		const states = join(key(clone), "..", "states");
		assert.deepEqual(readdirSync(states).filter((name) => name !== "last-gc"), [name.digest("hex").slice(0, 32)], "so is the name of the database");
		assert.equal(lstatSync(states).mode & 0o777, 0o700);
		clone.run(["run", "--", "echo", "again"]);
		assert.equal(readFileSync(key(clone), "hex"), bytes);
		const state = join(clone.dir, "state");
		clone.run(["run", "--", "true"], { env: { XDG_STATE_HOME: state } });
		assert.equal(existsSync(join(state, "readcache", "key")), false, "the store is not ours by it");
		new Clone().run(["run", "--", "true"], { env: { XDG_STATE_HOME: state } });
		assert.equal(existsSync(join(state, "readcache", "key")), true);
	});
	for (const umask of ["000", "0777"])
		await check(`shipped: F2.13 the key is the user's alone under umask ${umask}, too`, () => {
			const clone = new Clone();
			const env = { PATH: process.env.PATH, HOME: clone.home };
			spawnSync("sh", ["-c", `umask ${umask}; exec "$0" memo set ${KEY}`, binary()], { cwd: clone.cwd, input: "mine", env });
			for (let path = key(clone), mode = 0o600; path !== clone.home; path = join(path, ".."), mode = 0o700)
				assert.equal((lstatSync(path).mode & 0o777).toString(8), mode.toString(8), path);
			assert.equal((lstatSync(clone.inStore("owner")).mode & 0o777).toString(8), "600");
			assert.equal(clone.run(["memo", "get", KEY]).stdout, "mine");
		});
	const bad = {
		"a link": (path, clone) => (writeFileSync(join(clone.dir, "32"), "k".repeat(32)), symlinkSync(join(clone.dir, "32"), path)),
		"too short": (path) => writeFileSync(path, "k".repeat(31)),
		"a directory": (path) => mkdirSync(path),
		"a pipe": (path) => spawnSync("mkfifo", [path]),
		"open to others": (path) => (writeFileSync(path, "k".repeat(32)), chmodSync(path, 0o644)),
		"open to a group": (path) => (writeFileSync(path, "k".repeat(32)), chmodSync(path, 0o620)),
	};
	for (const [name, plant] of Object.entries(bad))
		await check(`shipped: F2.14 a key that is ${name} is none, and is not replaced; the work is done`, () => {
			const clone = new Clone();
			mkdirSync(join(key(clone), ".."), { recursive: true });
			plant(key(clone), clone);
			const before = lstatSync(key(clone));
			for (let n = 0; n < 2; n++) {
				const { stdout, stderr } = runStage(clone, `me${n}`);
				assert.equal(stdout, `run by me${n}\n`);
				assert.equal(stderr.split("\n").filter((line) => UNFIT.test(line)).length, 1, stderr);
			}
			for (const args of [["memo", "ls"], ["cache", "stats"], ["cache", "adopt"]]) assert.match(clone.run(args).stderr, UNFIT);
			assert.match(clone.run(["doctor"]).stdout, UNFIT);
			assert.deepEqual([lstatSync(key(clone)).ino, lstatSync(key(clone)).mode], [before.ino, before.mode]);
			assert.equal(existsSync(clone.inStore("memo")), false);
		});
	await check("shipped: F2.15 without a home, or in one that cannot be written, the work is done and nothing is kept", () => {
		const homeless = new Clone();
		const { status, stdout, stderr } = homeless.run(["run", "--", "echo", "hi"], { env: { HOME: "" } });
		assert.deepEqual([status, stdout], [0, "hi\n"]);
		assert.match(stderr, /there is no place for the key that proves it yours; set HOME or XDG_STATE_HOME, or name a store \(--store\)\.\n/);
		const closed = new Clone();
		closed.home = "/proc/self/no-home";
		assert.equal(runStage(closed, "me").stdout, "run by me\n");
		assert.equal(existsSync(closed.inStore("memo")), false);
		assert.doesNotMatch(homeless.run(["run", "--store", "st", "--", "echo", "hi"], { env: { HOME: "" } }).stderr, /key|yours/);
		assert.match(homeless.run(["run", "--store", "st", "--explain", "--", "echo", "hi"], { env: { HOME: "" } }).stderr, /hi|reuse|same/i);
	});
}

// --- F8: git --------------------------------------------------------------

async function versionControl() {
	for (const rules of ["!*\n", "!*", "", "*\n!*\n", "*\n!objects/\n!objects/**\n"])
		await check(`shipped: F8 a .gitignore of ${JSON.stringify(rules)} in the store does not have git take it up`, () => {
			const clone = new Clone();
			const git = (...args) => spawnSync("git", args, { cwd: clone.cwd, encoding: "utf8", env: { PATH: process.env.PATH, HOME: clone.home } });
			if (git("init", "-q").status !== 0) skip("no git here");
			writeFileSync(clone.inStore(".gitignore"), rules);
			const request = { v: 1, op: "read", cwd: clone.cwd, params: { path: "in.txt" }, session: { leafId: null, entries: [] } };
			clone.run([], { input: JSON.stringify(request) });
			clone.run(["run", "--", "echo", "hi"]);
			assert.equal(readFileSync(clone.inStore(".gitignore"), "utf8"), "*\n");
			git("add", "-A");
			assert.doesNotMatch(git("ls-files").stdout, /readcache/);
		});
}
