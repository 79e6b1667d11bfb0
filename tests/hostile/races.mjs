// Somebody who changes what is looked at between two looks: the file that is
// read, the store's directories, the session file, the settings.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Clone, MINE } from "./clone.mjs";
import { Scene, check, cut, knownFile, manyLines, metaOf, sha256, startEngine, textOf } from "./harness.mjs";

const READS = 400;

export default async function races() {
	await turnedTargets();
	await turnedStores();
	await turnedUnderWork();
	await movingSessions();
	await movingSettings();
}

/** Run LOOP, the body of a program that knows fs and ARGS, while BODY runs. */
async function beside(loop, args, body) {
	const program = `const fs = require("node:fs"); const { execFileSync } = require("node:child_process");
		const quietly = (step) => { try { step(); } catch {} };
		const [a, b, c] = process.argv.slice(1); process.stdout.write("begun"); ${loop}`;
	const other = spawn(process.execPath, ["-e", program, ...args], { stdio: ["ignore", "pipe", "ignore"] });
	const engine = startEngine();
	try {
		await once(other.stdout, "data");
		await body(engine);
		assert.equal(engine.stderr, "");
		assert.deepEqual(await engine.close(), { code: 0, signal: null });
	} finally {
		other.kill("SIGKILL");
	}
}

// --- the file that is read ------------------------------------------------

const TURNS = {
	"a file and a pipe": `
		quietly(() => execFileSync("mkfifo", [b]));
		for (;;) { fs.renameSync(a, c); fs.renameSync(b, a); fs.renameSync(a, b); fs.renameSync(c, a); }`,
	"a file and a directory": `
		fs.mkdirSync(b);
		for (;;) { fs.renameSync(a, c); fs.renameSync(b, a); fs.renameSync(a, b); fs.renameSync(c, a); }`,
	"a file and a link to a device": `
		fs.symlinkSync("/dev/zero", b);
		for (;;) { fs.renameSync(a, c); fs.renameSync(b, a); fs.renameSync(a, b); fs.renameSync(c, a); }`,
	"a file and a link to a secret": `
		fs.writeFileSync(c + ".pem", "the secret\\n"); fs.symlinkSync(c + ".pem", b);
		for (;;) { fs.renameSync(a, c); fs.renameSync(b, a); fs.renameSync(a, b); fs.renameSync(c, a); }`,
};

/** What may come: the file, an error, or the host's turn; never a wait, never the secret with metadata. */
function judgeTurn(response, content) {
	if (!response.result) return void assert.ok(response.error || response.delegate, cut(JSON.stringify(response)));
	if (textOf(response) === "the secret\n") return void assert.equal(metaOf(response), undefined, "a secret is read plainly");
	assert.equal(textOf(response), content);
}

async function turnedTargets() {
	for (const [name, loop] of Object.entries(TURNS))
		await check(`races: ${READS} reads of a name that is ${name} by turns`, async () => {
			const scene = new Scene();
			const content = scene.write("a.txt", manyLines(30));
			const kinds = new Set();
			await beside(loop, ["a.txt", "b", "c"].map((one) => scene.path(one)), async (engine) => {
				for (let n = 0; n < READS || (kinds.size < 2 && n < 50 * READS); n++) {
					const response = await engine.request(scene.request("a.txt"));
					judgeTurn(response, content);
					kinds.add(response.result ? textOf(response) : (response.error?.code ?? response.delegate.reason));
				}
			});
			assert.ok(kinds.size > 1, "the name was seen to turn");
			assert.equal(existsSync(scene.object("the secret\n")), false, "nothing of the secret is kept");
		});
}

// --- the store ------------------------------------------------------------

async function turnedStores() {
	for (const part of [".pi", ".pi/readcache", ".pi/readcache/objects", ".pi/readcache/tmp"])
		await check(`races: nothing is written through ${part} while it is a directory and a link by turns`, async () => {
			const known = knownFile();
			const outside = join(known.dir, "outside");
			mkdirSync(join(outside, "readcache", "objects"), { recursive: true });
			mkdirSync(join(outside, "readcache", "tmp"));
			mkdirSync(join(outside, "objects"));
			mkdirSync(join(outside, "tmp"));
			const before = everything(outside);
			const loop = `fs.symlinkSync(${JSON.stringify(outside)}, b);
				for (;;) { quietly(() => fs.renameSync(a, c)); quietly(() => fs.renameSync(b, a)); quietly(() => fs.renameSync(a, b)); quietly(() => fs.renameSync(c, a)); }`;
			await beside(loop, [known.path(part), join(known.dir, "link"), join(known.dir, "aside")], async (engine) => {
				for (let n = 0; n < READS; n++) {
					const content = known.write("new.txt", `version ${n}\n`);
					const response = await engine.request(known.request("new.txt"));
					assert.equal(textOf(response), content);
				}
			});
			assert.deepEqual(everything(outside), before);
		});
}

/** The same for the work cache, whose commands open much more. */
async function turnedUnderWork() {
	const parts = [".pi/readcache", ...["memo", "locks", "objects"].map((name) => `.pi/readcache/${name}`)];
	for (const part of parts)
		await check(`races: F1.10 run, memo and cache write through no ${part} while it is itself and a link by turns`, async () => {
			const clone = new Clone();
			clone.run(["run", "--dep", "in.txt", "--out", "o", "--", "cp", "in.txt", "o"]);
			const outside = join(clone.dir, "outside");
			for (const name of ["memo", "locks", "tmp", "objects", "stages", "readcache"]) mkdirSync(join(outside, name), { recursive: true });
			writeFileSync(join(outside, "file"), MINE);
			const target = statSync(clone.path(part)).isDirectory() ? outside : join(outside, "file");
			const before = everything(outside);
			const loop = `fs.symlinkSync(${JSON.stringify(target)}, b);
				for (;;) { quietly(() => fs.renameSync(a, c)); quietly(() => fs.renameSync(b, a)); quietly(() => fs.renameSync(a, b)); quietly(() => fs.renameSync(c, a)); }`;
			await beside(loop, [clone.path(part), join(clone.dir, "link"), join(clone.dir, "aside")], () => {
				for (let n = 0; n < 12; n++)
					for (const args of [["run", "--force", "--dep", "in.txt", "--out", "o", "--", "cp", "in.txt", "o"], ["memo", "set", `${n}`.padStart(16, "0")], ["cache", "gc", "--max-age", "0"], ["cache", "clear"]])
						clone.run(args, { input: "v" });
			});
			assert.deepEqual(everything(outside), before);
			assert.equal(readFileSync(join(outside, "file"), "utf8"), MINE);
		});
}

function everything(dir) {
	return readdirSync(dir, { withFileTypes: true })
		.flatMap((entry) => [entry.name, ...(entry.isDirectory() ? everything(join(dir, entry.name)).map((name) => join(entry.name, name)) : [])])
		.sort();
}

// --- the session file -----------------------------------------------------

const SESSIONS = {
	"is cut and written again": `
		const all = fs.readFileSync(a);
		for (let n = 0; ; n++) { fs.truncateSync(a, (n * 37) % all.length); fs.writeFileSync(a, all); }`,
	"grows by entries of other files": `
		const all = fs.readFileSync(a); let last = JSON.parse(all.toString().trim().split("\\n").at(-1)).id;
		for (let n = 0; ; n++) {
			if (n % 300 === 0) { fs.writeFileSync(a, all); last = JSON.parse(all.toString().trim().split("\\n").at(-1)).id; }
			fs.appendFileSync(a, JSON.stringify({ type: "message", id: "g" + n, parentId: last, message: { role: "user", content: "x".repeat(n % 5000) } }) + "\\n");
			last = "g" + n;
		}`,
	"is replaced by one that knows nothing": `
		const all = fs.readFileSync(a), none = all.toString().split("\\n")[0] + "\\n";
		for (let n = 0; ; n++) { fs.writeFileSync(b, n % 2 ? all : none); fs.renameSync(b, a); }`,
};

async function movingSessions() {
	for (const [name, loop] of Object.entries(SESSIONS))
		await check(`races: ${READS} reads beside a session file that ${name}`, async () => {
			const known = knownFile(manyLines(50));
			const file = join(known.dir, "session.jsonl");
			known.session.save(file);
			const marker = `[readcache: unchanged, ${known.content.split("\n").length} lines]`;
			const sizes = new Set();
			await beside(loop, [file, join(known.dir, "next.jsonl")], async (engine) => {
				for (let n = 0; n < READS || (sizes.size < 2 && n < 50 * READS); n++) {
					sizes.add(statSync(file, { throwIfNoEntry: false })?.size);
					const response = await engine.request(known.request(known.name, { session: { file } }));
					assert.ok([known.content, marker].includes(textOf(response)), cut(JSON.stringify(response)));
					assert.equal(metaOf(response).servedHash, sha256(known.content));
				}
			});
			assert.ok(sizes.size > 1, "the file was seen to move");
		});
}

// --- the settings ---------------------------------------------------------

async function movingSettings() {
	await check(`races: ${READS} reads of a secret beside settings that come and go`, async () => {
		const scene = new Scene();
		const content = scene.write("mine.secret", "the secret\n");
		mkdirSync(scene.path(".pi"));
		writeFileSync(scene.path(".pi", "readcache.json"), '{"exclude":["*.secret"]}');
		const loop = `const good = '{"exclude":["*.secret"]}';
			for (let n = 0; ; n++) { fs.writeFileSync(b, good + " ".repeat(n % 60000)); fs.renameSync(b, a); }`;
		await beside(loop, [scene.path(".pi", "readcache.json"), join(scene.dir, "next.json")], async (engine) => {
			for (let n = 0; n < READS; n++) {
				const response = await engine.request(scene.request("mine.secret"));
				assert.equal(textOf(response), content);
				assert.equal(metaOf(response), undefined);
			}
		});
		assert.equal(existsSync(scene.object(content)), false);
	});
}
