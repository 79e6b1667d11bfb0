// Stores that are too open, turned elsewhere, damaged, full, foreign or
// crowded. The answer stays right; nothing is written or read outside.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync } from "node:fs";
import { rmSync, symlinkSync, watch, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { binary } from "../lib/engine.mjs";
import { PATIENCE, until } from "../lib/wait.mjs";
import {
	NOBODY,
	STRANGER,
	Scene,
	ask,
	check,
	cut,
	expectDiff,
	expectText,
	expectUnchanged,
	isRoot,
	knownFile,
	makeHuge,
	manyLines,
	metaOf,
	objectsAreIntact,
	promptly,
	sha256,
	sharedBinary,
	skip,
	startEngine,
	textOf,
} from "./harness.mjs";

const BEFORE = manyLines(60);
const AFTER = manyLines(60, { 30: "a line that is new" });
const SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55";

export default async function store() {
	await modes();
	await tooOpen();
	await turnedElsewhere();
	await inTheWay();
	await foreign();
	await readOnly();
	await fullDisk();
	await places();
	await poisoned();
	await leftovers();
	await crowd();
	await excluded();
}

/** A file that was read and then changed: with its base object the answer is a diff. */
function changedFile() {
	const known = knownFile(BEFORE);
	known.write(known.name, AFTER);
	return known;
}

/** A file that nobody has read yet: an object is to be stored. */
function readsNew(scene, name, content) {
	scene.write(name, content);
	expectText(scene.read(name, null), content);
}

const modeOf = (path) => lstatSync(path).mode & 0o7777;
const octal = (path) => modeOf(path).toString(8);

/** Everything below DIR: kind, mode, and content or target; to see whether it was touched. */
function inventory(dir, prefix = "") {
	return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
		const path = join(dir, entry.name);
		const line = `${prefix}${entry.name} ${octal(path)}`;
		if (entry.isDirectory()) return [line, ...inventory(path, `${prefix}${entry.name}/`)];
		return [entry.isFile() ? `${line} ${sha256(readFileSync(path))}` : line];
	});
}

const tmpOf = (store) => (existsSync(join(store, "tmp")) ? readdirSync(join(store, "tmp")) : []);

// --- modes ----------------------------------------------------------------

/** Root passes by every mode, so a scene about modes belongs to somebody else. */
function asPlainUser(scene) {
	if (!isRoot) return scene;
	for (const path of [scene.dir, scene.cwd, ...allBelow(scene.cwd)]) chownSync(path, NOBODY, NOBODY);
	scene.options = { ...scene.options, uid: NOBODY };
	return scene;
}

function allBelow(dir) {
	return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
		const path = join(dir, entry.name);
		return entry.isDirectory() ? [path, ...allBelow(path)] : [path];
	});
}

function expectTight(store) {
	for (const name of [".", "objects", "tmp"]) assert.equal(octal(join(store, name)), "700", `mode of ${name}`);
	const files = [".gitignore", "CACHEDIR.TAG", "last-gc", ...readdirSync(join(store, "objects")).map((name) => join("objects", name))];
	for (const name of files) assert.equal(octal(join(store, name)), "600", `mode of ${name}`);
}

async function modes() {
	for (const umask of ["000", "022", "077", "0777"])
		await check(`store: a new store is 0700 and its files 0600 under umask ${umask}`, () => {
			const scene = asPlainUser(new Scene());
			scene.options.umask = umask;
			const content = scene.write("file.txt", "some text, and enough of it that a marker is shorter\n");
			expectText(scene.show("file.txt"), content);
			expectTight(scene.store);
			assert.equal(readFileSync(scene.object(content), "utf8"), content);
			// .pi is the project's, not the store's: as open as the umask lets it be, and no more
			assert.equal(modeOf(scene.path(".pi")) & parseInt(umask, 8) & 0o077, 0, `.pi is ${octal(scene.path(".pi"))}`);
			expectUnchanged(scene.read("file.txt"), content);
		});
	await check("store: an explicit store is 0700 and its files 0600", () => {
		const scene = new Scene();
		const content = scene.write("file.txt", "some text\n");
		const dir = join(scene.dir, "elsewhere");
		expectText(ask(scene.request("file.txt", { store: dir }), { umask: "000" }).response, content);
		expectTight(dir);
		assert.equal(existsSync(scene.path(".pi")), false, "the default store is not made as well");
	});
	await check("store: it tells version control and backups to pass it by", () => {
		const { store } = knownFile();
		assert.ok(readFileSync(join(store, ".gitignore"), "utf8").split("\n").includes("*"));
		assert.equal(readFileSync(join(store, "CACHEDIR.TAG"), "utf8").split("\n")[0], SIGNATURE);
	});
}

async function tooOpen() {
	const loosen = (store) => {
		for (const name of [".", "objects", "tmp"]) chmodSync(join(store, name), 0o777);
		for (const name of readdirSync(join(store, "objects"))) chmodSync(join(store, "objects", name), 0o666);
	};
	await check("store: directories that are too open are tightened, or not used", () => {
		const known = changedFile();
		loosen(known.store);
		const response = known.read(known.name);
		if (metaOf(response)?.mode !== "diff") return expectText(response, AFTER);
		expectDiff(response, "a line that is new");
		for (const name of [".", "objects", "tmp"]) assert.equal(octal(join(known.store, name)), "700", `mode of ${name}`);
	});
	await check("store: an object that is too open is tightened when it is used, or not used", () => {
		const known = changedFile();
		loosen(known.store);
		const response = known.read(known.name);
		if (metaOf(response)?.mode === "diff") assert.equal(octal(known.object(BEFORE)), "600");
		if (existsSync(known.object(AFTER))) assert.equal(octal(known.object(AFTER)), "600");
	});
	await check("store: an object that is there and too open is tightened when it is stored again", () => {
		const known = knownFile();
		loosen(known.store);
		expectText(known.read(known.name, { leafId: null, entries: [] }), known.content);
		assert.equal(octal(known.object(known.content)), "600");
	});
}

// --- symbolic links -------------------------------------------------------

const PARTS = [".pi", ".pi/readcache", ".pi/readcache/objects", ".pi/readcache/tmp"];

/** The scene's PART moved outside of the project, with a link in its place. */
function moveOut(scene, part) {
	const outside = join(scene.dir, "outside");
	renameSync(scene.path(part), outside);
	symlinkSync(outside, scene.path(part));
	return outside;
}

async function turnedElsewhere() {
	for (const part of PARTS) {
		await check(`store: nothing is written or read through a link at ${part}`, () => {
			const known = changedFile();
			const outside = moveOut(known, part);
			const before = inventory(outside);
			const response = known.read(known.name);
			// the base is on the other side of the link, except where only tmp is
			if (part.endsWith("tmp") && metaOf(response)?.mode === "diff") expectDiff(response, "a line that is new");
			else expectText(response, AFTER);
			readsNew(known, "fresh.txt", "fresh\n");
			assert.deepEqual(inventory(outside), before);
		});
		await check(`store: a dangling link at ${part} is not filled`, () => {
			const known = changedFile();
			const outside = moveOut(known, part);
			rmSync(outside, { recursive: true });
			expectTextOrDiff(known.read(known.name));
			assert.equal(existsSync(outside), false);
		});
		await check(`store: status counts nothing behind a link at ${part}`, () => {
			const known = changedFile();
			moveOut(known, part);
			const { status } = ask(known.request(known.name, { op: "status" })).response;
			if (!part.endsWith("tmp")) assert.equal(status.store.objects, 0);
		});
	}
	await linkedFiles();
	await linkedStorePaths();
}

function expectTextOrDiff(response) {
	if (metaOf(response)?.mode === "diff") expectDiff(response, "a line that is new");
	else expectText(response, AFTER);
}

async function linkedFiles() {
	await check("store: an object that is a link to its true content is not followed", () => {
		const known = changedFile();
		const outside = join(known.dir, "content");
		renameSync(known.object(BEFORE), outside);
		symlinkSync(outside, known.object(BEFORE));
		expectText(known.read(known.name), AFTER);
		assert.equal(readFileSync(outside, "utf8"), BEFORE);
	});
	await check("store: a link planted where an object will be is not written through", () => {
		for (const there of [true, false]) {
			const known = knownFile();
			const victim = join(known.dir, "victim");
			if (there) writeFileSync(victim, "untouched");
			const content = known.write("next.txt", "the next object\n");
			symlinkSync(victim, known.object(content));
			expectText(known.read("next.txt"), content);
			assert.equal(existsSync(victim) && readFileSync(victim, "utf8"), there && "untouched");
		}
	});
	for (const name of [".gitignore", "CACHEDIR.TAG", "last-gc"])
		await check(`store: a link planted at ${name} is not written through`, () => {
			for (const there of [true, false]) {
				const scene = new Scene();
				const victim = join(scene.dir, "victim");
				if (there) writeFileSync(victim, "untouched", { mode: 0o644 });
				mkdirSync(scene.store, { recursive: true });
				symlinkSync(victim, join(scene.store, name));
				readsNew(scene, "a.txt", "text\n");
				assert.equal(existsSync(victim) && readFileSync(victim, "utf8"), there && "untouched");
				if (there) assert.equal(octal(victim), "644");
			}
		});
	await check("store: a hundred links planted in tmp change nothing", () => {
		const known = knownFile();
		const victim = join(known.dir, "victim");
		for (let n = 0; n < 100; n++) symlinkSync(victim, join(known.store, "tmp", `${n}`));
		const content = known.write("next.txt", "the next object\n");
		expectText(known.read("next.txt"), content);
		assert.equal(existsSync(victim), false);
	});
}

async function linkedStorePaths() {
	await check("store: an explicit store that is a link is not used", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		const target = join(scene.dir, "target");
		mkdirSync(target);
		symlinkSync(target, join(scene.dir, "link"));
		for (const store of [join(scene.dir, "link"), join(scene.dir, "link/")]) {
			expectText(ask(scene.request("a.txt", { store })).response, content);
			assert.deepEqual(readdirSync(target), []);
		}
	});
	await check("store: an explicit store below the project is not reached through a link", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		const target = join(scene.dir, "target");
		mkdirSync(target);
		symlinkSync(target, scene.path("link"));
		for (const store of [scene.path("link", "store"), `${scene.cwd}/x/../link/store`]) {
			expectText(ask(scene.request("a.txt", { store })).response, content);
			assert.deepEqual(readdirSync(target), []);
		}
	});
	await check("store: a project that is reached through a link has its store and its trust", () => {
		const scene = new Scene();
		scene.write("a.txt", BEFORE);
		symlinkSync(scene.cwd, join(scene.dir, "alias"));
		const cwd = join(scene.dir, "alias");
		const read = () => scene.read("a.txt", scene.session.inline(), { cwd });
		scene.record("a.txt", expectText(read(), BEFORE).result);
		assert.ok(existsSync(scene.object(BEFORE)), "stored in the project");
		expectUnchanged(read(), BEFORE);
		scene.write("a.txt", AFTER);
		expectDiff(read(), "a line that is new");
	});
}

// --- other things in the way ----------------------------------------------

const OBSTACLES = {
	"a regular file": (path) => writeFileSync(path, "in the way"),
	"a pipe": (path) => spawnSync("mkfifo", [path]).status === 0 || skip("no mkfifo here"),
	"a closed directory": (path) => mkdirSync(path, { mode: 0 }),
	"a link to itself": (path) => symlinkSync(basename(path), path),
};

async function inTheWay() {
	for (const [what, put] of Object.entries(OBSTACLES)) {
		for (const part of [...PARTS, ".pi/readcache/.gitignore", ".pi/readcache/CACHEDIR.TAG"])
			await check(`store: ${what} at ${part} costs only the optimisation`, () => {
				const known = changedFile();
				rmSync(known.path(part), { recursive: true });
				put(known.path(part));
				answersAsEver(known);
			});
		await check(`store: ${what} in the place of an object costs only the optimisation`, () => {
			const known = changedFile();
			rmSync(known.object(BEFORE));
			put(known.object(BEFORE));
			put(known.object(AFTER));
			expectText(answersAsEver(known), AFTER);
		});
	}
	await check("store: objects that are directories with something in them cost only the optimisation", () => {
		const known = changedFile();
		rmSync(known.object(BEFORE));
		for (const path of [known.object(BEFORE), known.object(AFTER)]) {
			mkdirSync(path);
			writeFileSync(join(path, "x"), "x");
		}
		expectText(answersAsEver(known), AFTER);
	});
	await check("store: an object of a terabyte of nothing costs only the optimisation", () => {
		const known = changedFile();
		makeHuge(known.object(BEFORE));
		expectText(answersAsEver(known), AFTER);
		assert.equal(existsSync(known.object(BEFORE)), false, "it is not what its name says");
	});
	await check("store: a thousand strange names in it do no harm", () => {
		const known = changedFile();
		for (let n = 0; n < 1000; n++) writeFileSync(join(known.store, "objects", `sha256-${n}\n.txt`), "");
		expectDiff(answersAsEver(known), "a line that is new");
	});
}

function answersAsEver(known) {
	const request = known.request(known.name, { session: known.session.inline() });
	const { response } = promptly(request);
	expectTextOrDiff(response);
	assert.equal(ask({ ...request, op: "status" }).response.ok, true);
	return response;
}

// --- foreign stores -------------------------------------------------------

function give(dir, uid) {
	for (const path of [dir, ...allBelow(dir)]) {
		chownSync(path, uid, uid);
		chmodSync(path, lstatSync(path).isDirectory() ? 0o777 : 0o666);
	}
}

async function foreign() {
	for (const [who, uid] of Object.entries({ root: 0, "a user": STRANGER })) {
		const ownedBy = (owner) => {
			if (!isRoot) skip("needs root");
			const known = changedFile();
			for (const path of [known.cwd, known.path(".pi")]) chownSync(path, uid, uid);
			give(known.store, owner);
			known.options = uid ? { uid } : {};
			return known;
		};
		await check(`store: ${who} does not use a store that another user owns`, () => {
			const known = ownedBy(NOBODY);
			const before = inventory(known.store);
			expectText(known.read(known.name), AFTER);
			assert.deepEqual(inventory(known.store), before);
		});
		await check(`store: the control of the owners: ${who} uses the same store when it is theirs`, () => {
			const known = ownedBy(uid);
			expectDiff(known.read(known.name), "a line that is new");
		});
	}
	await check("store: one directory of the store that another user owns is not used", () => {
		if (!isRoot) skip("needs root");
		for (const part of ["objects", "tmp"]) {
			const known = changedFile();
			give(join(known.store, part), NOBODY);
			const before = inventory(join(known.store, part));
			const response = known.read(known.name);
			if (part === "objects") expectText(response, AFTER);
			else expectTextOrDiff(response);
			assert.deepEqual(inventory(join(known.store, part)), before, part);
		}
	});
}

// --- no place to write ----------------------------------------------------

async function readOnly() {
	await check("store: a project that may not be written to is read", () => {
		const scene = asPlainUser(new Scene());
		const content = scene.write("a.txt", "text, and enough of it that a marker is shorter\n");
		chmodSync(scene.cwd, 0o555);
		expectText(scene.show("a.txt"), content);
		expectUnchanged(scene.read("a.txt"), content);
		assert.deepEqual(readdirSync(scene.cwd), ["a.txt"]);
	});
	await check("store: a store that may not be written to is read, or not used", () => {
		const known = asPlainUser(changedFile());
		for (const name of ["objects", "tmp", "."]) chmodSync(join(known.store, name), 0o500);
		expectTextOrDiff(known.read(known.name));
		assert.deepEqual(tmpOf(known.store), []);
	});
	await check("store: a store on a read-only file system is read, or not used", () => {
		const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99; exec "$2"';
		const known = changedFile();
		expectTextOrDiff(inNamespace(known, script, known.cwd).response);
	});
}

/**
 * The known file's read in a mount namespace of its own: SCRIPT makes it ready
 * at PLACE ($1) and starts the engine ($2). What it prints after the answer is
 * LEFT.
 */
function inNamespace(known, script, place) {
	if (!isRoot) skip("needs root");
	const run = spawnSync("unshare", ["-m", "/bin/sh", "-c", script, "sh", place, sharedBinary()], {
		input: JSON.stringify(known.request(known.name, { session: known.session.inline() })),
		timeout: PATIENCE,
	});
	if (run.error || run.status === 99) skip("no mounts here");
	assert.equal(run.stderr.toString(), "");
	assert.equal(run.status, 0, cut(run.stdout.toString()));
	const [line, ...left] = run.stdout.toString().split("\n");
	return { response: JSON.parse(line), left: left.join("\n").trim() };
}

/** The store copied onto a small file system; FILL uses it up. */
async function fullDisk() {
	const mount = 'cp -a "$1" "$1.copy" && mount -t tmpfs -o OPTIONS tmpfs "$1" || exit 99; cp -a "$1.copy/." "$1"';
	const fills = {
		"no byte is free": ["size=64k", 'cat /dev/zero > "$1/fill" 2>/dev/null'],
		"one page is free": ["size=64k", 'cat /dev/zero > "$1/fill" 2>/dev/null; truncate -s -4096 "$1/fill"'],
		"no inode is free": ["nr_inodes=20", 'n=0; while : 2>/dev/null > "$1/f$n"; do n=$((n+1)); done 2>/dev/null'],
	};
	for (const [name, [options, fill]] of Object.entries(fills))
		await check(`store: a disk on which ${name} costs only the optimisation`, () => {
			const known = changedFile();
			const script = `${mount.replace("OPTIONS", options)}; (${fill}); "$2"; status=$?; ls -A "$1/tmp"; exit $status`;
			const { response, left } = inNamespace(known, script, known.store);
			expectTextOrDiff(response);
			assert.equal(left, "", "nothing is left in tmp");
		});
	await check("store: a new store on a full disk costs only the optimisation", () => {
		const known = knownFile(BEFORE);
		rmSync(known.store, { recursive: true });
		mkdirSync(known.store);
		const script = `${mount.replace("OPTIONS", "size=16k")}; (${fills["no byte is free"][1]}); "$2"`;
		expectUnchanged(inNamespace(known, script, known.store).response, BEFORE);
	});
	await fileLimit();
}

/** RLIMIT_FSIZE: the system would end a process that writes past it. */
async function fileLimit() {
	const limited = (args, { cwd = "/", home = cwd, input = "" } = {}) =>
		spawnSync("sh", ["-c", 'ulimit -f 0; exec "$0" "$@"', binary(), ...args], {
			cwd,
			input,
			env: { PATH: process.env.PATH, HOME: home },
			encoding: "utf8",
		});
	await check("store: F9.1 serve outlives a limit of the size of files, and goes on to answer", () => {
		const scene = new Scene();
		const contents = [1, 2, 3].map((n) => scene.write(`f${n}.txt`, manyLines(60 * n)));
		const lines = contents.map((_, n) => `${JSON.stringify(scene.request(`f${n + 1}.txt`))}\n`).join("");
		const { status, signal, stdout, stderr } = limited(["serve"], { input: lines });
		assert.deepEqual([status, signal, stderr], [0, null, ""]);
		const answers = stdout.trim().split("\n").map((line) => JSON.parse(line));
		assert.deepEqual(answers.map(textOf), contents);
		assert.deepEqual(tmpOf(scene.store), []);
		for (const content of contents) assert.equal(existsSync(scene.object(content)), false);
	});
	await check("store: F9.2 the one-shot form and the work cache outlive it, too", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", manyLines(60));
		const one = limited([], { input: JSON.stringify(scene.request("a.txt")) });
		assert.deepEqual([one.status, one.signal], [0, null]);
		expectText(JSON.parse(one.stdout), content);
		for (const args of [["run", "--", "echo", "hi"], ["run", "--dep", "a.txt", "--", "echo", "hi"]]) {
			const { status, signal, stdout } = limited(args, { cwd: scene.cwd });
			assert.deepEqual([status, signal, stdout], [0, null, "hi\n"]);
		}
		assert.equal(limited(["memo", "set", "0123456789abcdef"], { cwd: scene.cwd, input: "x" }).signal, null);
	});
	await check("store: F9.3 a command that is run is ended by it as ever", () => {
		const scene = new Scene();
		const { stdout } = spawnSync(binary(), ["run", "--", "grep", "^Sig[IC]", "/proc/self/status"], {
			cwd: scene.cwd,
			env: { PATH: process.env.PATH, HOME: scene.cwd },
			encoding: "utf8",
		});
		const bits = (name) => BigInt(`0x${new RegExp(`^${name}:\\s*(\\w+)`, "m").exec(stdout)[1]}`);
		for (const name of ["SigIgn", "SigCgt"]) assert.equal(bits(name) >> 24n & 1n, 0n, `SIGXFSZ in ${name}`);
	});
}

// --- places ---------------------------------------------------------------

async function places() {
	await check("store: an explicit path with `..` is resolved, or not used", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		mkdirSync(join(scene.dir, "one"));
		expectText(ask(scene.request("a.txt", { store: `${scene.dir}/one/../two` })).response, content);
		assert.deepEqual(readdirSync(join(scene.dir, "one")), []);
	});
	await check("store: an explicit path whose parents are missing is made closed, or not used", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		const store = join(scene.dir, "x", "y", "store");
		expectText(ask(scene.request("a.txt", { store }), { umask: "000" }).response, content);
		if (existsSync(store)) expectTight(store);
		for (const parent of ["x", "x/y"].filter((name) => existsSync(join(scene.dir, name))))
			assert.equal(modeOf(join(scene.dir, parent)) & 0o022, 0, `${parent} is not for others to write`);
	});
	for (const store of ["/", "/proc/readcache", "/dev/null", "/dev/null/store", "/proc/self/fd/1", `/${"s".repeat(300)}`])
		await check(`store: the store ${cut(store, 30)} costs only the optimisation`, () => {
			const scene = new Scene();
			if (store === "/" && isRoot) scene.options.uid = NOBODY; // not to litter the root directory if this fails
			const content = scene.write("a.txt", "text\n");
			expectText(scene.read("a.txt", null, { store }), content);
		});
	await check("store: a directory with other things in it is not made a store", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		scene.write("mine/letter.txt", "dear reader\n");
		scene.write("tmp/x", "x");
		chmodSync(scene.path("mine"), 0o755);
		const before = inventory(scene.dir);
		for (const store of [scene.path("mine"), scene.cwd, `${scene.cwd}/`, `${scene.cwd}/.`, scene.dir, `${scene.path("mine")}/..`]) {
			expectText(ask(scene.request("a.txt", { store })).response, content);
			assert.deepEqual(inventory(scene.dir), before, `the store ${store.slice(scene.dir.length)}`);
		}
	});
	await check("store: a version of a file over 8 MiB is not kept", () => {
		const known = knownFile();
		for (const [size, kept] of [[8 << 20, true], [(8 << 20) + 1, false]]) {
			const content = "a line of it\n".repeat(1 << 20).slice(0, size);
			known.write("big.txt", content);
			assert.equal(metaOf(known.read("big.txt", { leafId: null, entries: [] })).servedHash, sha256(content));
			assert.equal(existsSync(known.object(content)), kept, `${size} bytes`);
		}
	});
	await check("store: nothing is kept of a read without a session, which nothing can refer to", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		expectText(scene.read("a.txt", null), content);
		assert.equal(existsSync(scene.store), false);
	});
	await check("store: a missing cwd is not made, and absolute paths are read", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		const cwd = join(scene.dir, "no", "such", "project");
		expectText(ask(scene.request(scene.path("a.txt"), { cwd })).response, content);
		const { error } = ask(scene.request("a.txt", { cwd })).response;
		assert.equal(error?.message, `ENOENT: no such file or directory, access '${cwd}/a.txt'`);
		assert.equal(existsSync(join(scene.dir, "no")), false);
	});
	for (const tail of ["/", "//", "/.", "/x/.."])
		await check(`store: a cwd written as <cwd>${tail} finds the same store`, () => {
			const known = changedFile();
			expectDiff(known.read(known.name, known.session.inline(), { cwd: known.cwd + tail }), "a line that is new");
		});
	await check("store: a file as cwd costs only the optimisation", () => {
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		expectText(ask(scene.request(scene.path("a.txt"), { cwd: scene.path("a.txt") })).response, content);
		assert.equal(readFileSync(scene.path("a.txt"), "utf8"), content);
	});
	await check("store: without the store the marker still stands and a change gives the text", () => {
		const known = changedFile();
		rmSync(known.store, { recursive: true });
		expectText(known.read(known.name), AFTER);
		known.write(known.name, BEFORE);
		expectUnchanged(known.read(known.name), BEFORE);
	});
}

// --- poisoned objects -----------------------------------------------------

/** CONTENT under the name of the base: the answer is the text, and the object is gone. */
function poison(known, content) {
	writeFileSync(known.object(BEFORE), content);
	const response = known.read(known.name);
	expectText(response, AFTER);
	assert.equal(response.decision.reason, "base_missing");
	assert.equal(existsSync(known.object(BEFORE)), false, "the poisoned object is removed");
}

async function poisoned() {
	await check("store: the control of the damages: with its base intact the answer is a diff", () => {
		const known = changedFile();
		expectDiff(known.read(known.name), "a line that is new");
		objectsAreIntact(known.store);
		assert.deepEqual(tmpOf(known.store), []);
	});
	const planted = BEFORE.replace("line 30 of the file", "line 30: run this command");
	const contents = {
		"planted text": planted,
		nothing: "",
		NUL: "\0".repeat(BEFORE.length),
		"the new file": AFTER,
		"a megabyte more": BEFORE + "x".repeat(1 << 20),
	};
	for (const [name, content] of Object.entries(contents))
		await check(`store: an object that holds ${name} is removed and never shown`, () => poison(changedFile(), content));
	await check("store: a repository that ships a poisoned store poisons nothing", () => {
		const known = changedFile();
		writeFileSync(known.object(BEFORE), planted);
		writeFileSync(known.object(AFTER), planted);
		for (const path of allBelow(known.store)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
		expectText(known.show(known.name), AFTER);
		// the object of the file itself was poisoned too: the next diff must not be built on it
		const third = known.write(known.name, manyLines(60, { 30: "a line that is new", 50: "and another" }));
		const response = known.read(known.name);
		if (metaOf(response).mode === "diff") expectDiff(response, "and another");
		else expectText(response, third);
		assert.doesNotMatch(textOf(response), /run this command/);
	});
	await check("store: two objects that changed places are removed and never shown", () => {
		const known = changedFile();
		const other = known.write("other.txt", planted);
		known.show("other.txt");
		renameSync(known.object(BEFORE), join(known.dir, "kept"));
		renameSync(known.object(other), known.object(BEFORE));
		renameSync(join(known.dir, "kept"), known.object(other));
		expectText(known.read(known.name), AFTER);
		assert.equal(existsSync(known.object(BEFORE)), false);
	});
	await check("store: a poisoned base does not decide about a range", () => {
		const known = changedFile();
		// planted so that lines 1-5 of the base look like the file's present ones
		known.write(known.name, manyLines(60, { 3: "changed" }));
		writeFileSync(known.object(BEFORE), manyLines(60, { 3: "changed", 40: "planted" }));
		const response = known.read(known.name, known.session.inline(), { params: { path: known.name, offset: 1, limit: 5 } });
		assert.equal(metaOf(response).mode, "baseline_fallback");
		assert.ok(textOf(response).startsWith("line 1 of the file\nline 2 of the file\nchanged\n"));
	});
}

// --- leftovers ------------------------------------------------------------

async function leftovers() {
	await check("store: tmp is empty after reads that succeed and reads that fail", () => {
		const known = changedFile();
		known.show(known.name);
		known.read("missing.txt");
		ask({ v: 1 });
		mkdirSync(known.object("blocked\n"));
		readsNew(known, "blocked.txt", "blocked\n");
		assert.deepEqual(tmpOf(known.store), []);
	});
	await check("store: the names of temporary files cannot be foretold", () => unforeseeable());
	await check("store: an engine that is killed leaves no wrong object", () => killed());
	await check("store: nothing but the five things of the contract is in the store", () => {
		const known = knownFile();
		assert.deepEqual(readdirSync(known.store).sort(), [".gitignore", "CACHEDIR.TAG", "last-gc", "objects", "tmp"]);
		assert.deepEqual(readdirSync(known.path(".pi")), ["readcache"]);
		assert.deepEqual(readdirSync(join(known.store, "objects")), [basename(known.object(known.content))]);
	});
}

/**
 * The names that appear in tmp, as the kernel reports them, for one and the
 * same content; from few processes, as a process id would differ in each.
 */
async function temporaryNames(processes, rounds) {
	const known = knownFile();
	const names = [];
	const watcher = watch(join(known.store, "tmp"), (_, name) => names.push(name));
	for (let n = 0; n < processes; n++) {
		const engine = startEngine();
		for (let round = 0; round < rounds; round++) {
			rmSync(known.object(known.content));
			expectText(await engine.request(known.request(known.name)), known.content);
		}
		await engine.close();
	}
	const different = () => new Set(names);
	// The last reports may be late; where there are none, the caller says so.
	await until(() => different().size >= processes * rounds, "the reports").catch(() => {});
	watcher.close();
	return [...different()];
}

async function unforeseeable() {
	const names = await temporaryNames(2, 4);
	if (names.length === 0) skip("no temporary names are to be seen");
	assert.equal(names.length, 8, `a new name every time: ${names}`);
	// what is left without a common beginning and end is the part that varies
	const varying = names.map((name) => name.replace(commonPrefix(names), ""));
	assert.ok(varying.every((part) => part.length >= 8), `at least eight letters vary: ${names}`);
	assert.ok(!names.every((name) => /^\D*\d{1,10}\D*$/.test(name)), `not just a number: ${names}`);
}

function commonPrefix(names) {
	let length = 0;
	while (names.every((name) => name[length] === names[0][length])) length++;
	return names[0].slice(0, length);
}

async function killed() {
	const scene = new Scene();
	for (let round = 0; round < 30; round++) {
		const content = scene.write("a.txt", `round ${round}\n`.repeat(4000));
		const child = spawn(sharedBinary(), { stdio: ["pipe", "ignore", "ignore"] });
		child.stdin.on("error", () => {}); // it may be gone before it has read
		child.stdin.end(JSON.stringify(scene.request("a.txt")));
		const closed = new Promise((done) => child.once("close", done));
		await sleep(round / 10);
		child.kill("SIGKILL");
		await closed;
		const { response } = ask(scene.request("a.txt"));
		assert.ok(content.startsWith(textOf(response).slice(0, 1000)));
	}
	objectsAreIntact(scene.store);
}

// --- many at once ---------------------------------------------------------

async function crowd() {
	await check("store: 16 processes that store 10 new files in one store disturb nobody", () => together(16, 20, 10));
	await check("store: 16 processes that start a new store at once disturb nobody", () => together(16, 1, 1));
	await check("store: readers are right while the store is removed again and again", () => whileRemoving());
}

async function together(processes, reads, files) {
	const scene = new Scene();
	const contents = Array.from({ length: files }, (_, n) => scene.write(`f${n}.txt`, `file ${n}\n`.repeat(1000 + n)));
	const engines = Array.from({ length: processes }, () => startEngine());
	const jobs = engines.map(async (engine, index) => {
		for (let n = 0; n < reads; n++) {
			const file = (n + index) % files;
			expectText(await engine.request(scene.request(`f${file}.txt`)), contents[file]);
		}
		assert.deepEqual(await engine.close(), { code: 0, signal: null });
		assert.equal(engine.stderr, "");
	});
	await Promise.all(jobs);
	assert.equal(objectsAreIntact(scene.store), files);
	assert.deepEqual(tmpOf(scene.store), []);
	expectTight(scene.store);
}

async function whileRemoving() {
	const known = changedFile();
	const engines = Array.from({ length: 4 }, () => startEngine());
	let running = true;
	const remover = (async () => {
		const kept = join(known.dir, "kept");
		cpSync(known.store, kept, { recursive: true });
		for (let n = 0; running; n++) {
			rmSync(known.store, { recursive: true, force: true });
			if (n % 2) cpSync(kept, known.store, { recursive: true, force: true });
			await sleep(1);
		}
	})().catch(() => {}); // it races with the engines; only they are under test
	const request = known.request(known.name, { session: known.session.inline() });
	await Promise.all(engines.map((engine) => readOften(engine, request)));
	running = false;
	await remover;
}

async function readOften(engine, request) {
	for (let n = 0; n < 150; n++) expectTextOrDiff(await engine.request(request));
	assert.deepEqual(await engine.close(), { code: 0, signal: null });
	assert.equal(engine.stderr, "");
}

// --- excluded names -------------------------------------------------------

const SECRETS = [".env", ".ENV", ".env.local", ".Env.Production", ".envrc", "server.pem", "SERVER.PEM", "x.key", "x.Key"];
SECRETS.push("a.p12", "a.PFX", "a.crt", "a.Cer", "a.der", "a.pk8", "id_rsa", "ID_RSA", "id_ed25519", "ID_ED25519");
SECRETS.push(".npmrc", ".NPMRC", ".netrc", ".pem", ".key", "two.dots.pem", "notes.txt.key");
// F8: names that were kept
SECRETS.push("id_ecdsa", "id_dsa", ".git-credentials", ".pgpass", ".aws/credentials", ".docker/config.json", "a.kdbx", "a.jks");
SECRETS.push(".htpasswd", "credentials.json", "service-account.json", "client_secret.json", ".ssh/work", ".kube/config", ".pypirc");
SECRETS.push("prod.env", "terraform.tfstate", "prod.tfvars", "secrets.yaml", ".bash_history", ".my.cnf", ".s3cfg", "my_id_rsa");
const ORDINARY = ["environment.txt", "key.txt", "my.env.txt", "env", "x.env.md", "pem", "x.pem.txt", "key", "x.keys", "id_rsa.pub"];
ORDINARY.push("my_id_rsa.pub", "config.json", "credentials.ts", "npmrc", "my.npmrc", "netrc", "id_ed25519.txt", "a.crt.md", "p12");

/** Nothing of the secret is anywhere below the project but in its own file. */
function nothingKept(scene, secret, files) {
	const found = allBelow(scene.cwd).filter((path) => lstatSync(path).isFile() && readFileSync(path, "utf8").includes(secret));
	assert.deepEqual(found, files.map((name) => scene.path(name)));
	assert.equal(existsSync(scene.object(secret)), false);
}

function readsPlainly(scene, name, secret, files) {
	for (let round = 0; round < 2; round++) {
		const response = expectText(scene.show(name), secret);
		assert.equal(metaOf(response), undefined, "no metadata");
		assert.equal(response.decision.mode, "plain");
		assert.equal(response.decision.reason, "excluded");
	}
	nothingKept(scene, secret, files);
}

async function excluded() {
	for (const name of SECRETS)
		await check(`store: ${name} is read plainly and nothing of it is kept`, () => {
			const scene = new Scene();
			readsPlainly(scene, name, scene.write(name, "PASSWORD=open sesame\n"), [name]);
		});
	for (const name of ORDINARY)
		await check(`store: ${name} only looks like a secret and is known again`, () => {
			const known = knownFile("nothing secret, and enough of it that a marker is shorter\n", name);
			expectUnchanged(known.read(name), known.content);
			assert.ok(existsSync(known.object(known.content)));
		});
	await excludedLinks();
}

async function excludedLinks() {
	const secret = "PASSWORD=open sesame\n";
	await check("store: a secret behind a link of another name is read plainly", () => {
		for (const target of [".env", "deep/ID_RSA", "x.PEM"]) {
			const scene = new Scene();
			scene.write(target, secret);
			symlinkSync(target, scene.path("notes.txt"));
			readsPlainly(scene, "notes.txt", secret, [target]);
		}
	});
	await check("store: a secret behind two links is read plainly", () => {
		const scene = new Scene();
		scene.write(".netrc", secret);
		symlinkSync(".netrc", scene.path("middle"));
		symlinkSync("middle", scene.path("notes.txt"));
		readsPlainly(scene, "notes.txt", secret, [".netrc"]);
	});
	await check("store: a file that is asked for by a secret name is read plainly", () => {
		const scene = new Scene();
		scene.write("plain.txt", secret);
		symlinkSync("plain.txt", scene.path(".env"));
		readsPlainly(scene, ".env", secret, ["plain.txt"]);
	});
	await check("store: a secret is read plainly by every way to write its path", () => {
		const scene = new Scene();
		scene.write("sub/.env", secret);
		const absolute = scene.path("sub/.env");
		for (const path of ["./sub/.env", "sub/../sub/.env", "@sub/.env", absolute, `file://${absolute}`, "sub/.env/"])
			readsPlainly(scene, path, secret, ["sub/.env"]);
	});
	await check("store: a range of a secret is read plainly", () => {
		const scene = new Scene();
		scene.write("x.key", "one\nPASSWORD=open sesame\nthree\n");
		for (const path of ["x.key:2-3", "x.key:2"]) {
			const response = scene.read(path);
			assert.ok(textOf(response).startsWith("PASSWORD=open sesame\nthree\n"));
			assert.equal(metaOf(response), undefined);
		}
		nothingKept(scene, "open sesame", ["x.key"]);
	});
	await check("store: metadata in a session does not make a secret known", () => {
		const known = knownFile(secret);
		renameSync(known.path(known.name), known.path(".env"));
		const entries = JSON.parse(JSON.stringify(known.session.entries).replaceAll(known.name, ".env"));
		const response = expectText(known.read(".env", { ...known.session.inline(), entries }), secret);
		assert.equal(metaOf(response), undefined);
	});
}
