// Things that a clone, a pull or a process in a sandbox puts into a store, and
// that only look like the store's own: links in the place of its directories,
// outputs with modes of somebody else's choice, whole stores without a mark;
// and files of the user's that lie in a directory which looks like a store
// (issue C, F1 and F2).
import assert from "node:assert/strict";
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Clone, MINE } from "./clone.mjs";
import { check, sha256 } from "./harness.mjs";

export default async function planted() {
	await linkedDirectories();
	await looking();
	await modes();
	await unmarked();
	await clearing();
	await shared();
}

const MADE = "made by the command\n";
const STAGE = ["run", "-n", "t", "--out", "out", "--", "sh", "-c", "echo made by the command >out"];
const LEAF = sha256(MADE).slice(2);
const FAN = sha256(MADE).slice(0, 2);

const modeOf = (path) => lstatSync(path).mode & 0o7777;
const octal = (mode) => mode.toString(8).padStart(4, "0");

function make(clone, ...more) {
	const { status, stderr } = clone.run([STAGE[0], ...more, ...STAGE.slice(1)]);
	assert.equal(status, 0, stderr);
	assert.equal(readFileSync(clone.path("out"), "utf8"), MADE);
	return stderr;
}

// --- F1.15: objects/ab as a link ------------------------------------------

/** A directory of the user that holds a file with the name of the output's blob. */
function farDirectory(clone, content) {
	const far = join(clone.dir, "far");
	mkdirSync(far);
	writeFileSync(join(far, LEAF), content, { mode: 0o444 });
	return far;
}

/** Everything that looks at, keeps, brings back or removes an output. */
const USES = {
	"a run that keeps it": (clone) => void make(clone),
	"a run that brings it back": (clone) => {
		make(clone);
		rmSync(clone.path("out"));
		make(clone);
	},
	"a copy of it": (clone) => {
		rmSync(clone.path("out"), { force: true });
		make(clone, "--checkout-mode", "copy");
	},
	verify: (clone) => void clone.run(["cache", "verify"]),
	gc: (clone) => void clone.run(["cache", "gc", "--max-age", "0", "--max-bytes", "0"]),
	clear: (clone) => void clone.run(["cache", "clear"]),
};

async function linkedDirectories() {
	for (const [how, use] of Object.entries(USES))
		for (const [what, content] of Object.entries({ "another file": MINE, "the very bytes": MADE })) {
			const expectUntouched = (clone, far) => {
				assert.deepEqual(readdirSync(far), [LEAF], how);
				assert.equal(readFileSync(join(far, LEAF), "utf8"), content);
				assert.equal(lstatSync(join(far, LEAF)).nlink, 1, "no output is a second name of it");
			};
			await check(`planted: F1.15 a clone with a link at objects/${FAN} loses ${what} to nobody: ${how}`, () => {
				const clone = new Clone();
				const far = farDirectory(clone, content);
				symlinkSync("../../../../far", clone.inStore("objects", FAN));
				use(clone);
				expectUntouched(clone, far);
			});
			await check(`planted: F1.15 nor does a store of the user's own: ${what}, ${how}`, () => {
				const clone = new Clone();
				const far = farDirectory(clone, content);
				make(clone);
				rmSync(clone.path("out"));
				rmSync(clone.inStore("objects", FAN), { recursive: true });
				symlinkSync("../../../../far", clone.inStore("objects", FAN));
				use(clone);
				expectUntouched(clone, far);
			});
		}
	await check("planted: F1.15 outputs older than an hour behind such a link are not swept away", () => {
		const clone = new Clone();
		make(clone);
		const far = farDirectory(clone, MINE);
		utimesSync(join(far, LEAF), 1e9, 1e9);
		for (const name of ["00", "ff"]) symlinkSync(far, clone.inStore("objects", name));
		clone.run(["cache", "gc", "--max-age", "0", "--max-bytes", "0"]);
		clone.run(["cache", "verify"]);
		assert.deepEqual(readdirSync(far), [LEAF]);
	});
}

// --- F1.16: whoever looks changes nothing ---------------------------------

const KEY = "0123456789abcdef";
const PHASE = JSON.stringify({ phase: "p", cache: { scope: "cross-run", fingerprint: ["file:in.txt"] } });
const LOOKS = [
	["memo", "get", KEY],
	["memo", "ls"],
	["memo", "lookup"],
	["cache", "stats"],
	["cache", "verify", "-n"],
	["cache", "gc", "-n", "--max-age", "0"],
	["flow", "status", "./flow.json"],
	["flow", "validate", "./flow.json"],
	["run", "--dry-run", ...STAGE.slice(1)],
	["config"],
	["doctor"],
];

const CLOCK = new Int32Array(new SharedArrayBuffer(4));

/** Everything in the store as it is, but for the times of access. */
function asItIs(clone) {
	const all = ["", ...readdirSync(clone.store, { recursive: true })];
	return Object.fromEntries(all.sort().map((name) => {
		const { mode, ino, size, mtimeMs } = lstatSync(join(clone.store, name));
		return [name, `${octal(mode & 0o7777)} ${ino} ${size} ${mtimeMs}`];
	}));
}

async function looking() {
	for (const args of LOOKS)
		await check(`planted: F1.16 ${args.slice(0, 3).join(" ")} changes no mode and no file in the store`, () => {
			const clone = new Clone();
			make(clone);
			clone.run(["flow", "./flow.json"]);
			clone.run(["memo", "set", KEY], { input: "value" });
			clone.run(["memo", "record"], { input: JSON.stringify({ ...JSON.parse(PHASE), status: "done", output: "x" }) });
			for (const name of ["", "memo", "objects", `objects/${FAN}`, "stages", "flows", "locks"]) chmodSync(join(clone.store, name), 0o755);
			for (const name of [`memo/${KEY}.json`, `objects/${FAN}/${LEAF}`]) chmodSync(join(clone.store, name), 0o640);
			// What is hashed anew is worth remembering once it is older than the clock's ticks.
			writeFileSync(clone.path("in.txt"), "input\n");
			const written = lstatSync(clone.path("in.txt")).ctimeMs;
			while (Date.now() < written + 50) Atomics.wait(CLOCK, 0, 0, 5);
			const before = asItIs(clone);
			const { stdout } = clone.run(args, { input: PHASE });
			if (args[1] === "get") assert.equal(stdout, "value", "it is found nevertheless");
			assert.deepEqual(asItIs(clone), before);
		});
	for (const args of LOOKS)
		await check(`planted: F1.16 ${args.slice(0, 3).join(" ")} makes no store`, () => {
			const clone = new Clone();
			clone.run(args, { input: PHASE });
			assert.equal(existsSync(clone.store), false);
		});
	await check("planted: F1.16 whoever keeps something closes what was open", () => {
		const clone = new Clone();
		clone.run(["memo", "set", KEY], { input: "value" });
		for (const name of ["", "memo"]) chmodSync(join(clone.store, name), 0o755);
		chmodSync(clone.inStore("memo", `${KEY}.json`), 0o666);
		clone.run(["memo", "set", KEY], { input: "value" });
		assert.deepEqual(["", "memo", `memo/${KEY}.json`].map((name) => octal(modeOf(join(clone.store, name)))), ["0700", "0700", "0600"]);
	});
}

// --- F2.17: the modes of outputs ------------------------------------------

async function modes() {
	for (const mode of [0o4755, 0o2755, 0o1777, 0o777, 0o666, 0o644, 0o400])
		for (const [way, expected] of [["hardlink", 0o444], ["symlink", 0o444], ["copy", 0o666 & ~process.umask()], ["hardlink,symlink,copy", 0o444]])
			await check(`planted: F2.17 an output that was shipped with mode ${octal(mode)} comes back with ours (${way})`, () => {
				const clone = new Clone();
				make(clone);
				const blob = clone.inStore("objects", FAN, LEAF);
				chmodSync(blob, mode);
				const shipped = lstatSync(blob).ino;
				rmSync(clone.path("out"));
				make(clone, "--checkout-mode", way);
				assert.equal(octal(statSync(clone.path("out")).mode & 0o7777), octal(expected));
				assert.notEqual(statSync(clone.path("out")).ino, shipped, "no second name of what was shipped");
				if (way !== "copy") assert.equal(octal(modeOf(blob)), "0444", "it was replaced");
			});
	await check("planted: F2.17 also in a directory, and where it lay there before the command was first run", () => {
		const clone = new Clone();
		clone.run(["run", "--", "true"]); // the store is the user's
		writeFileSync(clone.inStore("objects", FAN, LEAF), MADE);
		chmodSync(clone.inStore("objects", FAN, LEAF), 0o4777);
		const stage = ["run", "--out", "d", "--", "sh", "-c", "mkdir d; echo made by the command >d/a; cp d/a d/b"];
		for (let i = 0; i < 2; i++, rmSync(clone.path("d"), { recursive: true })) {
			assert.equal(clone.run(stage).status, 0);
			if (i === 1) assert.deepEqual(["a", "b"].map((name) => octal(modeOf(clone.path("d", name)))), ["0444", "0444"]);
		}
		assert.equal(octal(modeOf(clone.inStore("objects", FAN, LEAF))), "0444");
	});
	await check("planted: F2.17 a second name of the user's own file with those bytes keeps its mode, and is not brought back", () => {
		const clone = new Clone();
		make(clone);
		const mine = join(clone.dir, "mine");
		writeFileSync(mine, MADE, { mode: 0o640 });
		rmSync(clone.inStore("objects", FAN, LEAF));
		linkSync(mine, clone.inStore("objects", FAN, LEAF));
		rmSync(clone.path("out"));
		make(clone);
		assert.equal(octal(modeOf(mine)), "0640");
		assert.notEqual(statSync(clone.path("out")).ino, statSync(mine).ino);
	});
}

// --- F2.18: outputs without a mark ----------------------------------------

const STRANGE = /it was not made by you on this machine, so nothing in it is used/;

async function unmarked() {
	const ships = {
		"an output": (clone) => writeFileSync(clone.inStore("objects", FAN, LEAF), MADE),
		"a directory for outputs": (clone) => mkdirSync(clone.inStore("objects", "00"), { recursive: true }),
		"a record": (clone) => writeFileSync(clone.inStore("memo", `${KEY}.json`), '{"value":"theirs","expires_at":0}'),
		"a plain record": (clone) => writeFileSync(clone.inStore(`${KEY}.json`), '{"value":"theirs","expires_at":0}'),
	};
	for (const [what, ship] of Object.entries(ships))
		await check(`planted: F2.18 a store that has ${what} and no mark is not taken over`, () => {
			const clone = new Clone();
			ship(clone);
			const before = readdirSync(clone.store, { recursive: true }).sort();
			assert.match(make(clone), STRANGE);
			assert.match(clone.run(["memo", "set", KEY], { input: "mine" }).stderr, STRANGE);
			assert.match(clone.run(["cache", "clear"]).stderr, STRANGE);
			assert.deepEqual(readdirSync(clone.store, { recursive: true }).sort(), before);
			assert.equal(clone.run(["cache", "adopt"]).status, 0);
			assert.doesNotMatch(make(clone), STRANGE);
		});
	await check("planted: F2.18 a link in the place of objects/ makes it neither harmless nor used", () => {
		const clone = new Clone();
		const far = farDirectory(clone, MINE);
		symlinkSync("../../../far", clone.inStore("objects"));
		make(clone);
		assert.deepEqual(readdirSync(far), [LEAF]);
	});
}

// --- F2.19: cache clear ---------------------------------------------------

/** Names that no store gives, in every place where it has names; and things of a store's name that no store makes. */
const OTHERS = ["objects/mine.txt", "objects/notes/a.txt", `objects/${FAN}/README`, "objects/sha256-1234.txt", "memo/readme.md", "memo/sub/a.json", "stages/flow/plan.txt", "stages/top.lock", "flows/mine/metadata.json", `flows/${"0".repeat(64)}/mine`, "tmp/notes", "tmp/0123"];

function lay(clone, names, root = clone.store) {
	for (const name of names) {
		mkdirSync(dirname(join(root, name)), { recursive: true });
		writeFileSync(join(root, name), MINE);
	}
}

const expectThere = (root, names) => names.forEach((name) => assert.equal(readFileSync(join(root, name), "utf8"), MINE, name));

async function clearing() {
	await check("planted: F2.19 cache clear leaves what no store makes, and says so in one line", () => {
		const clone = new Clone();
		make(clone);
		clone.run(["flow", "./flow.json"]);
		clone.run(["memo", "set", KEY], { input: "value" });
		lay(clone, OTHERS);
		const { status, stdout } = clone.run(["cache", "clear"]);
		assert.equal(status, 0);
		assert.match(stdout, /^Removed \d+ files\.\nLeft alone, as no store has made it: [a-z]+\/\S+ and 1[01] other things\.\n$/);
		expectThere(clone.store, OTHERS);
		for (const name of [`memo/${KEY}.json`, `objects/${FAN}/${LEAF}`, "stages/run/t.lock"]) assert.ok(!existsSync(join(clone.store, name)), name);
		assert.equal(JSON.parse(clone.run(["cache", "clear", "--json"]).stdout).left, OTHERS.length);
	});
	await check("planted: F2.19 a directory that only looks like a store loses nothing", () => {
		const clone = new Clone();
		const dir = join(clone.dir, "looks");
		lay(clone, OTHERS, dir);
		const { status, stdout } = clone.run(["cache", "clear", "--store", dir]);
		assert.deepEqual([status, stdout.split("\n")[0]], [0, "Removed 0 files."]);
		expectThere(dir, OTHERS);
	});
	await check("planted: F2.19 nor do directories and links that have a name of the store", () => {
		const clone = new Clone();
		make(clone);
		const far = farDirectory(clone, MINE);
		const names = [`memo/${"a".repeat(16)}.json`, `tmp/${"0".repeat(32)}`, `objects/sha256-${"0".repeat(64)}.txt`, `objects/${FAN}/${"0".repeat(62)}`];
		for (const name of names) lay(clone, [`${name}/kept`]);
		symlinkSync(far, clone.inStore("objects", "00"));
		symlinkSync(clone.victim, clone.inStore("tmp", "1".repeat(32)));
		clone.run(["cache", "clear"]);
		expectThere(clone.store, names.map((name) => `${name}/kept`));
		assert.deepEqual(readdirSync(far), [LEAF]);
		assert.ok(lstatSync(clone.inStore("tmp", "1".repeat(32))).isSymbolicLink());
		assert.equal(readFileSync(clone.victim, "utf8"), MINE);
	});
	await check("planted: F2.19 an empty store says nothing of others", () => {
		const clone = new Clone();
		make(clone);
		assert.match(clone.run(["cache", "clear"]).stdout, /^Removed \d+ files\.\n$/);
		assert.equal(clone.run(["cache", "clear"]).stdout, "Removed 0 files.\n");
		make(clone, "--force");
	});
}

// --- F2.20: a directory of the user's that is named as a store --------------

const OLD = new Date(Date.now() - 100 * 24 * 3600 * 1000);
const THEIRS = {
	"20261117.json": '{"my":"log"}',
	"20261118.json": "[1,2]",
	"20261119.json": '{"value":"of mine"}',
	"20261120.json": "",
};

/** All that is in DIR, with modes: files by their text. */
const stateOf = (dir, names) => Object.fromEntries(names.map((name) => [name, [octal(modeOf(join(dir, name))), readFileSync(join(dir, name), "utf8")]]));

/** A directory with files that are not records but have names of records, below SUB. */
function userDirectory(clone, sub) {
	const dir = join(clone.dir, "logs");
	mkdirSync(join(dir, sub), { recursive: true });
	writeFileSync(join(dir, ".gitignore"), "!*\n");
	for (const [name, text] of Object.entries(THEIRS)) writeFileSync(join(dir, sub, name), text, { mode: 0o644 });
	for (const name of Object.keys(THEIRS)) utimesSync(join(dir, sub, name), OLD, OLD);
	symlinkSync(clone.victim, join(dir, sub, "20261121.json"));
	mkdirSync(join(dir, sub, "20261122.json"));
	chmodSync(dir, 0o755);
	return dir;
}

const ATTEMPTS = {
	verify: ["cache", "verify"],
	gc: ["cache", "gc", "--max-age", "0", "--max-bytes", "0"],
	clear: ["cache", "clear"],
	"memo clear": ["memo", "clear"],
	"memo clear --expired": ["memo", "clear", "--expired"],
	"memo set": ["memo", "set", KEY],
	"memo get": ["memo", "get", "20261119"],
	...Object.fromEntries(["20261117", "20261119", "20261121", "20261122"].flatMap((key) => [
		[`memo set ${key}`, ["memo", "set", key]],
		[`memo rm ${key}`, ["memo", "rm", key]],
	])),
	run: STAGE,
};

async function shared() {
	for (const sub of ["", "memo"])
		for (const [what, args] of Object.entries(ATTEMPTS))
			await check(`planted: F2.20 ${what} in a directory of the user's with ${sub || "no"}/<digits>.json loses and changes nothing`, () => {
				const clone = new Clone();
				const dir = userDirectory(clone, sub);
				const names = [".gitignore", ...Object.keys(THEIRS).map((name) => join(sub, name))];
				const before = stateOf(dir, names);
				clone.run([args[0], ...(args[0] === "run" ? ["--store", dir, ...args.slice(1)] : [...args.slice(1), "--store", dir])], { input: "text" });
				assert.deepEqual(stateOf(dir, names), before);
				assert.equal(octal(modeOf(dir)), "0755");
				assert.ok(lstatSync(join(dir, sub, "20261121.json")).isSymbolicLink());
				assert.ok(lstatSync(join(dir, sub, "20261122.json")).isDirectory());
				assert.ok(!existsSync(join(dir, "CACHEDIR.TAG")), "backups would leave the user's files out");
			});
	await check("planted: F2.20 git sees what lies in a directory that others use", () => {
		const clone = new Clone();
		const dir = userDirectory(clone, "");
		rmSync(join(dir, ".gitignore"));
		clone.run(["memo", "set", KEY, "--store", dir], { input: "text" });
		assert.ok(existsSync(join(dir, `${KEY}.json`)));
		assert.ok(!existsSync(join(dir, ".gitignore")));
	});
	await check("planted: F2.20 records are removed there, ours by age and theirs when asked for; the rest is told", () => {
		const clone = new Clone();
		const dir = userDirectory(clone, "");
		const theirs = join(dir, `${"cd".repeat(8)}.json`);
		writeFileSync(theirs, '{"value":"text","expires_at":0}');
		utimesSync(theirs, OLD, OLD);
		clone.run(["memo", "set", KEY, "--store", dir], { input: "text" });
		utimesSync(join(dir, `${KEY}.json`), OLD, OLD);
		assert.match(clone.run(["cache", "verify", "--store", dir]).stdout, /^20261117\.json: it is not a record; left, as no store may have made it\.$/m);
		clone.run(["cache", "gc", "--store", dir]);
		assert.deepEqual([existsSync(join(dir, `${KEY}.json`)), existsSync(theirs)], [false, true]);
		assert.equal(clone.run(["memo", "clear", "--store", dir]).stdout, "Removed 1 record.\nLeft alone, as no store may have made it: 6 files.\n");
		assert.ok(!existsSync(theirs));
		const { status, stderr } = clone.run(["memo", "set", "20261117", "--store", dir], { input: "text" });
		assert.equal(status, 3);
		assert.match(stderr, /logs\/20261117\.json: nothing was kept: it is not a record, so it is left; remove it, or name another store\.\n$/);
	});
	await check("planted: F2.20 a directory that is named keeps its mode and .gitignore; what the store makes in it is private", () => {
		const clone = new Clone();
		const dir = join(clone.dir, "mine");
		mkdirSync(dir);
		chmodSync(dir, 0o755);
		writeFileSync(join(dir, ".gitignore"), "*\n!.gitignore\n");
		for (let i = 0; i < 2; i++) clone.run(["memo", "set", KEY, "--store", dir], { input: "text" });
		assert.equal(readFileSync(join(dir, ".gitignore"), "utf8"), "*\n!.gitignore\n");
		assert.deepEqual([dir, join(dir, "memo"), join(dir, "tmp"), join(dir, "memo", `${KEY}.json`)].map((path) => octal(modeOf(path))), ["0755", "0700", "0700", "0600"]);
		writeFileSync(join(dir, "memo", "0123456789.json"), "damaged");
		assert.match(clone.run(["cache", "verify", "--store", dir]).stdout, /^memo\/0123456789\.json: it is not what was written; removed\.$/m);
	});
	await check("planted: F2.20 lock files of other programs are not those of stages", () => {
		const clone = new Clone();
		const dir = join(clone.dir, "infra");
		const names = ["stages/app/yarn.lock", `flows/${"a".repeat(64)}/journal`];
		lay(clone, names, dir);
		clone.run(["cache", "clear", "--store", dir]);
		expectThere(dir, names);
	});
}
