// What is deeper or larger than anybody would make it: trees of thousands of levels, and files of the store that claim
// to be terabytes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import { check, freshDir, makeHuge, skip } from "./harness.mjs";
import { makeDeep } from "./tree.mjs";

/** As deep as a path can name it, and much deeper. */
const DEEP = 1900;
const DEEPER = 5000;

/** A stack of 256 KiB is enough for all of this. */
const SMALL = ["sh", "-c", 'ulimit -Ss 256; exec "$@"', "sh"];

/** The command that makes such a tree. It is node, which needs its stack. */
const maker = (path, levels) => ["sh", "-c", 'ulimit -Ss 8192; exec "$@"', "sh", process.execPath, tree, path, String(levels)];
const tree = fileURLToPath(new URL("tree.mjs", import.meta.url));

/** A project with a home of its own. */
class Place {
	constructor() {
		this.cwd = freshDir();
		this.home = freshDir();
	}

	run(args, before = []) {
		const [command, ...rest] = [...before, binary(), ...args];
		const run = spawnSync(command, rest, { cwd: this.cwd, env: { ...process.env, HOME: this.home }, encoding: "utf8", timeout: PATIENCE });
		assert.equal(run.signal, null, run.stderr);
		return run;
	}
}

export default async function deep() {
	await trees();
	await patterns();
	await blobs();
}

/** How many calls with a name RUN makes; undefined where that cannot be counted. */
function calls(place, args) {
	const trace = join(place.home, "trace");
	const run = spawnSync("strace", ["-f", "-o", trace, "-e", "trace=%file", binary(), ...args], { cwd: place.cwd, env: { ...process.env, HOME: place.home }, encoding: "utf8", timeout: PATIENCE });
	return run.status === 0 ? readFileSync(trace, "utf8").split("\n").length : undefined;
}

// --- D3: patterns --------------------------------------------------------------

async function patterns() {
	for (const [what, ...args] of [
		["an input", "--dep", "in/**"],
		["an input that holds an output", "--dep", "in/**", "--out", "in/o"],
		["a fingerprint", "--fp", "glob:in/**"],
		["a fingerprint beside an output", "--fp", "glob:in/**/last", "--out", "o"],
	])
		await check(`deep: D3 a ** looks at each directory a few times, however deep it is: ${what}`, () => {
			const [small, large] = [50, 200].map((levels) => {
				const place = new Place();
				makeDeep(join(place.cwd, "in"), levels);
				return calls(place, ["run", ...args, "--", "touch", "in/o", "o"]);
			});
			if (small === undefined) return skip("calls cannot be traced here");
			assert.ok(large < 6 * small, `${small} calls for 50 levels, ${large} for 200`);
		});
	await check("deep: D3 what is in a directory that a ** names is still an input", () => {
		const place = new Place();
		makeDeep(join(place.cwd, "in"), 3);
		mkdirSync(join(place.cwd, "in", "d", ".hidden"));
		const file = join(place.cwd, "in", "d", ".hidden", "x");
		const args = ["run", "--explain", "--dep", "in/**", "--", "true"];
		for (const text of ["one", "two"]) {
			writeFileSync(file, text);
			assert.match(place.run(args).stderr, /RUN/);
		}
		assert.match(place.run(args).stderr, /CACHED/);
		writeFileSync(join(place.cwd, "in", "d", "d", "d", "last"), "other");
		assert.match(place.run(args).stderr, /RUN: .*in\/d\/d\/d\/last/);
	});
}

// --- D1: trees ---------------------------------------------------------------

async function trees() {
	for (const [name, before] of Object.entries({ "as it is": [], "with a small stack": SMALL })) {
		await check(`deep: D1 a deep directory is an input, ${name}`, () => {
			const place = new Place();
			makeDeep(join(place.cwd, "in"), DEEP);
			const args = ["run", "--explain", "--dep", "in", "--", "true"];
			assert.match(place.run(args, before).stderr, /RUN/);
			place.run(args.filter((arg) => arg !== "--explain"), before);
			assert.match(place.run(args, before).stderr, /CACHED/);
		});
		await check(`deep: D1 a deep directory is an output, ${name}`, () => {
			const place = new Place();
			const args = ["run", "--out", "o", "--", ...maker("o", DEEP)];
			assert.equal(place.run(args, before).status, 0);
			assert.equal(place.run(args, before).stderr, "");
			// It comes back, and what was ours goes when it is made again.
			spawnSync("rm", ["-rf", join(place.cwd, "o")]);
			const back = place.run(args, before);
			assert.equal(back.status, 0, back.stderr);
			assert.ok(existsSync(join(place.cwd, "o", ...Array(DEEP).fill("d"), "last")));
			assert.equal(place.run(["run", "--force", ...args.slice(1)], before).status, 0);
			assert.deepEqual(readdirSync(place.cwd).filter((entry) => entry !== ".pi"), ["o"]);
		});
		await check(`deep: D1 a directory that no path can name is not known, ${name}`, () => {
			const place = new Place();
			makeDeep(join(place.cwd, "in"), DEEPER);
			const run = place.run(["run", "--explain", "--dep", "in", "--", "true"], before);
			assert.match(run.stderr, /fingerprint file:in cannot be resolved: File name too long/);
			// An output of that depth is not kept. The next run does not take the old one for its own.
			const args = ["run", "--out", "o", "--", ...maker("o", DEEPER)];
			assert.match(place.run(args, before).stderr, /the output o .*so the result is not kept\.\n$/);
			const again = place.run(args, before);
			assert.equal(again.status, 0);
			assert.match(again.stderr, /the old o was not made by readcache, so it is kept: \.o\.readcache-old\.\n/);
			assert.ok(existsSync(join(place.cwd, ".o.readcache-old", "d")));
			// What a command made that failed is removed, and the old output is back.
			const { ino } = statSync(join(place.cwd, "o"));
			assert.equal(place.run(["run", "--out", "o", "--", "sh", "-c", '"$@"; exit 3', "sh", ...maker("o", DEEPER)], before).status, 3);
			assert.equal(statSync(join(place.cwd, "o")).ino, ino);
			assert.deepEqual(readdirSync(place.cwd).sort(), [".o.readcache-old", ".pi", "in", "o"]);
		});
	}
}

// --- D4: blobs -----------------------------------------------------------------

/** The names of all blobs of a store. */
function blobsOf(cwd) {
	const objects = join(cwd, ".pi", "readcache", "objects");
	return readdirSync(objects).filter((two) => two.length === 2).flatMap((two) => readdirSync(join(objects, two)).map((rest) => join(objects, two, rest)));
}

function plantHuge(file) {
	spawnSync("chmod", ["u+w", file]);
	makeHuge(file);
}

async function blobs() {
	const makers = {
		file: ["sh", "-c", "echo output >o"],
		directory: ["sh", "-c", "mkdir o; echo output >o/a; echo more >o/b"],
	};
	for (const [kind, command] of Object.entries(makers)) {
		await check(`deep: D4 a blob that became huge is damaged at once: ${kind}`, () => {
			const place = new Place();
			const args = ["run", "--checkout-mode", "copy", "--out", "o", "--", ...command];
			assert.equal(place.run(args).status, 0);
			spawnSync("rm", ["-rf", join(place.cwd, "o")]);
			for (const blob of blobsOf(place.cwd)) plantHuge(blob);
			const told = place.run(["cache", "verify", "-n"]);
			assert.equal(told.status, 1, told.stdout + told.stderr);
			const again = place.run(args);
			assert.equal(again.status, 0, again.stderr);
			for (const blob of blobsOf(place.cwd)) assert.ok(statSync(blob).size < 1000 || kind === "directory");
			assert.equal(place.run(args).status, 0);
			assert.ok(existsSync(join(place.cwd, "o")));
			assert.ok([0, 1].includes(place.run(["cache", "verify"]).status));
			assert.equal(place.run(["cache", "verify"]).status, 0);
		});
	}
	await check("deep: D4 a file in an output directory that became larger is damaged", () => {
		const place = new Place();
		const args = ["run", "--checkout-mode", "copy", "--out", "o", "--", ...makers.directory];
		assert.equal(place.run(args).status, 0);
		spawnSync("rm", ["-rf", join(place.cwd, "o")]);
		for (const blob of blobsOf(place.cwd).filter((name) => statSync(name).size < 50)) plantHuge(blob);
		const again = place.run(args);
		assert.equal(again.status, 0, again.stderr);
		for (const blob of blobsOf(place.cwd)) assert.ok(statSync(blob).size < 1000, blob);
	});
}
