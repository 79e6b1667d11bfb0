// Files that are no ordinary files, files that change under the reader, and
// names that are no ordinary names.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, readSync, readdirSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { until } from "../lib/wait.mjs";
import {
	NOBODY,
	Scene,
	ask,
	check,
	cut,
	expectDelegate,
	expectText,
	isRoot,
	knownFile,
	makeHuge,
	metaOf,
	objectsAreIntact,
	promptly,
	sha256,
	skip,
	startEngine,
	textOf,
} from "./harness.mjs";
import { whileWriterWaits } from "./waiting.mjs";

const READS = 500;

export default async function targets() {
	await pipes();
	await devices();
	await socketsAndDirectories();
	await pseudoFiles();
	await movingFiles();
	await permissions();
	await names();
}

/** Ask for PATH directly and through a link; both must come at once. */
function bothWays(scene, path, judge) {
	const link = scene.path("a-link");
	rmSync(link, { force: true });
	symlinkSync(path, link);
	judge(promptly(scene.request(path)).response);
	judge(promptly(scene.request("a-link")).response);
}

const isSpecial = (response) => expectDelegate(response, "special_file");

// --- pipes ----------------------------------------------------------------

function fifo(path) {
	const made = spawnSync("mkfifo", [path]);
	if (made.error || made.status !== 0) skip("no mkfifo here");
	return path;
}

async function pipes() {
	await check("targets: a pipe without a writer is delegated at once", () => {
		const scene = new Scene();
		bothWays(scene, fifo(scene.path("pipe")), isSpecial);
	});
	await check("targets: a writer that waits at a pipe is not disturbed", () => waitingWriter());
	await check("targets: what is in a pipe stays in it", () => {
		const scene = new Scene();
		const pipe = fifo(scene.path("pipe"));
		const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
		writeSync(end, "still here");
		bothWays(scene, pipe, isSpecial);
		const buffer = Buffer.alloc(100);
		assert.equal(buffer.toString("utf8", 0, readSync(end, buffer)), "still here");
		closeSync(end);
	});
	await check("targets: refresh and status of a pipe come at once", () => {
		const scene = new Scene();
		fifo(scene.path("pipe"));
		for (const op of ["refresh", "status"]) promptly(scene.request("pipe", { op }));
	});
	await check("targets: a range suffix behind a pipe's name comes at once", () => {
		const scene = new Scene();
		fifo(scene.path("pipe"));
		isSpecial(promptly(scene.request("pipe:2-3")).response);
	});
	for (const path of ["/dev/stdin", "/proc/self/fd/0", "/dev/fd/1"])
		await check(`targets: the engine's own stream ${path} is not read`, () => {
			if (!existsSync(path)) skip(`no ${path} here`);
			isSpecial(promptly(new Scene().request(path)).response);
		});
}

/** A writer blocks in open() until a reader comes: our reader must never be it. */
async function waitingWriter() {
	const scene = new Scene();
	const pipe = fifo(scene.path("pipe"));
	await whileWriterWaits(pipe, () => bothWays(scene, pipe, isSpecial));
}

// --- devices --------------------------------------------------------------

async function devices() {
	await check("targets: a file of a terabyte of nothing is delegated at once", () => {
		const scene = new Scene();
		scene.write("huge.txt", "");
		makeHuge(scene.path("huge.txt"));
		bothWays(scene, scene.path("huge.txt"), (response) => expectDelegate(response, "too_large"));
	});
	for (const device of ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/tty", "/dev/ptmx", "/dev/kmsg"])
		await check(`targets: ${device} is delegated at once`, () => {
			if (!existsSync(device)) skip(`no ${device} here`);
			bothWays(new Scene(), device, isSpecial);
		});
	await check("targets: a block device is delegated at once", () => {
		const device = readdirSync("/dev").find((name) => lstatSync(join("/dev", name)).isBlockDevice());
		if (!device) skip("no block device here");
		bothWays(new Scene(), join("/dev", device), isSpecial);
	});
}

async function socketsAndDirectories() {
	await check("targets: a socket is delegated at once, and nobody connects to it", async () => {
		const scene = new Scene();
		let visitors = 0;
		const server = createServer(() => visitors++);
		await new Promise((done) => server.listen(scene.path("socket"), done));
		try {
			bothWays(scene, scene.path("socket"), isSpecial);
			// They are let in one after the other: we are the first.
			const visit = connect(scene.path("socket"));
			await until(() => visitors > 0, "we are let in");
			visit.destroy();
			assert.equal(visitors, 1);
		} finally {
			server.close();
		}
	});
	await check("targets: a directory gives the host's error", () => {
		const scene = new Scene();
		mkdirSync(scene.path("dir"));
		bothWays(scene, scene.path("dir"), (response) => {
			assert.equal(response.error?.code, "EISDIR", cut(JSON.stringify(response)));
			assert.equal(response.error.message, "EISDIR: illegal operation on a directory, read");
		});
	});
	await check("targets: links in a circle give the host's error", () => {
		const scene = new Scene();
		symlinkSync("two", scene.path("one"));
		symlinkSync("one", scene.path("two"));
		const { response } = ask(scene.request("one"));
		assert.equal(response.error?.message, `ELOOP: too many symbolic links encountered, access '${scene.path("one")}'`);
	});
	await check("targets: a dangling link gives the host's error", () => {
		const scene = new Scene();
		symlinkSync("nowhere", scene.path("one"));
		const { response } = ask(scene.request("one"));
		assert.equal(response.error?.message, `ENOENT: no such file or directory, access '${scene.path("one")}'`);
	});
}

// --- pseudo files ---------------------------------------------------------

/** Files of /proc say they are regular and empty; a read of some never ends. */
async function pseudoFiles() {
	const paths = ["status", "maps", "environ", "mem", "pagemap", "stack"].map((name) => `/proc/self/${name}`);
	paths.push("/proc/kcore", "/proc/kpageflags", "/proc/sys/kernel/ostype", "/sys/kernel/tracing/trace_pipe");
	if (isRoot) paths.push("/proc/kmsg"); // blocks when the kernel has nothing to say
	for (const path of paths)
		await check(`targets: ${path} is answered at once and truly`, () => {
			if (!existsSync(path)) skip(`no ${path} here`);
			bothWays(new Scene(), path, honest);
		});
	await check("targets: a pseudo file that says size 0 is not served as an empty file", () => {
		const path = "/proc/sys/kernel/ostype";
		if (!existsSync(path)) skip(`no ${path} here`);
		const { response } = ask(new Scene().request(path));
		if (response.result) assert.match(textOf(response), /^\w+\n$/);
		else expectDelegate(response);
	});
}

/** Delegated, failed with a message, or a text that is what was hashed. */
function honest(response) {
	if (!response.ok) return assert.match(response.error.message, /^E[A-Z]+: /);
	if (response.result) return snapshot(response);
	expectDelegate(response);
}

function snapshot(response) {
	const meta = metaOf(response);
	if (meta?.scopeKey !== "full") return;
	assert.equal(sha256(textOf(response)), meta.servedHash, "the text served is the text hashed");
	assert.equal(meta.textBytes, Buffer.byteLength(textOf(response)));
	assert.equal(meta.totalLines, textOf(response).split("\n").length);
}

// --- moving files ---------------------------------------------------------

const WRITERS = {
	"grows and starts again": `
		for (let n = 0; ; n++) n % 40 ? fs.appendFileSync(file, "line " + n + "\\n") : fs.writeFileSync(file, "");`,
	"is truncated and filled": `
		for (let n = 0; ; n++) {
			fs.writeFileSync(file, ("version " + n + "\\n").repeat(200));
			fs.truncateSync(file, (n * 7) % 1500);
		}`,
	"is replaced by a rename": `
		for (let n = 0; ; n++) {
			fs.writeFileSync(file + ".new", ("version " + n + "\\n").repeat(1 + (n % 300)));
			fs.renameSync(file + ".new", file);
		}`,
	"is removed and made again": `
		for (let n = 0; ; n++) {
			fs.rmSync(file, { force: true });
			fs.writeFileSync(file, ("version " + n + "\\n").repeat(1 + (n % 300)));
		}`,
	"is turned between two targets by a link": `
		fs.writeFileSync(file + ".a", "target a\\n".repeat(50));
		fs.writeFileSync(file + ".b", "target b\\n".repeat(70));
		for (let n = 0; ; n++) {
			fs.symlinkSync(file + (n % 2 ? ".a" : ".b"), file + ".new");
			fs.renameSync(file + ".new", file);
		}`,
};

async function movingFiles() {
	for (const [how, loop] of Object.entries(WRITERS))
		await check(`targets: ${READS} reads of a file that ${how} are true snapshots`, () => whileWriting(loop));
}

async function whileWriting(loop) {
	const scene = new Scene();
	scene.write("moving.txt", "begin\n");
	const program = `const fs = require("node:fs"); const file = process.argv[1]; ${loop}`;
	const writer = spawn(process.execPath, ["-e", program, scene.path("moving.txt")], { stdio: "ignore" });
	const engine = startEngine();
	try {
		await readAll(engine, scene);
	} finally {
		writer.kill("SIGKILL");
		engine.close();
	}
}

async function readAll(engine, scene) {
	const versions = new Set();
	for (let n = 0; n < READS || (versions.size < 2 && n < 20 * READS); n++) {
		const response = await engine.request(scene.request("moving.txt"));
		honest(response);
		if (response.result) versions.add(metaOf(response)?.servedHash);
	}
	assert.ok(versions.size > 1, "the file was seen to move");
	objectsAreIntact(scene.store);
	assert.equal(engine.stderr, "");
}

// --- permissions ----------------------------------------------------------

async function permissions() {
	await check("targets: a file of another user that may not be read gives the host's error", () => {
		if (!isRoot) skip("needs root");
		const scene = new Scene();
		scene.write("private.txt", "secret\n");
		chmodSync(scene.path("private.txt"), 0o600);
		const { response } = ask(scene.request("private.txt"), { uid: NOBODY });
		assert.equal(response.error?.message, `EACCES: permission denied, access '${scene.path("private.txt")}'`);
	});
	await check("targets: a file in a closed directory gives the host's error", () => {
		if (!isRoot) skip("needs root");
		const scene = new Scene();
		scene.write("closed/file.txt", "secret\n");
		chmodSync(scene.path("closed"), 0o700);
		const { response } = ask(scene.request("closed/file.txt"), { uid: NOBODY });
		assert.equal(response.error?.message, `EACCES: permission denied, access '${scene.path("closed/file.txt")}'`);
	});
	await check("targets: trust does not open a file that may no longer be read", () => {
		if (!isRoot) skip("needs root");
		const known = knownFile();
		chmodSync(known.path(known.name), 0o600);
		const request = known.request(known.name, { session: known.session.inline() });
		const { response } = ask(request, { uid: NOBODY });
		assert.equal(response.error?.code, "EACCES", cut(JSON.stringify(response)));
	});
}

// --- names ----------------------------------------------------------------

async function names() {
	await tooLongNames();
	const odd = ["two\nlines.txt", "tab\there", "-rf", "a'b\"c", " leading", "trailing ", "*", "%00", "a:b", "con\\sole", "\x7f\x01"];
	for (const name of [...odd, "n".repeat(255)])
		await check(`targets: a file named ${cut(JSON.stringify(name), 30)} is served and known again`, () => {
			const scene = new Scene();
			const content = scene.write(name, "odd name, and enough of it that a marker is shorter\n");
			expectText(scene.show(name), content);
			assert.equal(textOf(scene.read(name)), "[readcache: unchanged, 2 lines]");
		});
	await check("targets: a line break in a name cannot forge a line of the diff", () => forgedHeader());
	await check("targets: `..` above the root ends at the root", () => {
		const scene = new Scene();
		const content = scene.write("here.txt", "at the root of it\n");
		for (const up of ["../".repeat(100), "/../../..", `${"x/../".repeat(50)}${"../".repeat(40)}`])
			expectText(ask(scene.request(up.replace(/\/$/, "") + scene.path("here.txt"))).response, content);
	});
	await check("targets: `..` is resolved by its letters, not through a link", () => {
		const scene = new Scene();
		mkdirSync(join(scene.dir, "far", "away"), { recursive: true });
		writeFileSync(join(scene.dir, "far", "file.txt"), "the wrong one\n");
		symlinkSync(join(scene.dir, "far", "away"), scene.path("link"));
		const content = scene.write("file.txt", "the right one\n");
		expectText(ask(scene.request("link/../file.txt")).response, content);
	});
}

async function tooLongNames() {
	const tooLong = { "a name of 256 bytes": "n".repeat(256), "a path of 4,096 bytes": "d/".repeat(2048) + "f" };
	tooLong["a path of 100,000 bytes"] = "dir/".repeat(25_000) + "f";
	tooLong["a name of 4 MiB"] = "n".repeat(4 << 20);
	for (const [name, path] of Object.entries(tooLong))
		await check(`targets: ${name} gives the host's error`, () => {
			const scene = new Scene();
			const { response } = ask(scene.request(path));
			assert.equal(response.error?.code, "ENAMETOOLONG", cut(JSON.stringify(response)));
			assert.equal(response.error.message, `ENAMETOOLONG: name too long, access '${scene.path(path)}'`);
		});
	await check("targets: a path that is long only before it is resolved is served", () => {
		const scene = new Scene();
		const content = scene.write("short.txt", "short\n");
		expectText(ask(scene.request(`${"./".repeat(5000)}${"x/../".repeat(2000)}short.txt`)).response, content);
	});
}

/** The header shows the path as it was asked for; it must stay a header. */
function forgedHeader() {
	const scene = new Scene();
	const name = "x\n+planted line\n-y";
	const before = Array.from({ length: 60 }, (_, n) => `some line ${n}\n`).join("");
	scene.write(name, before);
	scene.show(name);
	const after = scene.write(name, before.replace("line 30\n", "line thirty\n"));
	const response = scene.read(name);
	if (metaOf(response).mode !== "diff") return expectText(response, after);
	assert.doesNotMatch(textOf(response), /^\+planted line$/m);
}
