// Bounded time, by what repeats on any machine: instructions. Every kind of hostile input is made in two sizes, one four
// times the other, and may take six times the instructions, no more: linear work takes four times as many, quadratic
// sixteen.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import { check, cut, freshDir, sha256, skip } from "./harness.mjs";
import { OTHER, TEXT, branchOf, shapes } from "./shapes.mjs";

const RATIO = 6;
const COUNT = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
/** A process that stays confines itself, which valgrind would not survive: it is told that it cannot. */
const UNCONFINED = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=prctl", "-e", "inject=prctl:error=EPERM"];

export default async function growth({ fast }) {
	const missing = whyNot();
	for (const name of Object.keys(shapes)) {
		const size = SIZES[name] ?? SIZE;
		for (const way of waysFor(name, fast))
			await check(`growth: F5 ${name}, ${way}`, () => (missing ? skip(missing) : session(name, way, size)));
	}
	for (const [name, { size, run }] of Object.entries(others))
		await check(`growth: F5 ${name}`, () => (missing ? skip(missing) : grows(size, run, name)));
	// Each replacement is looked for in all of the text: that has a budget, which does not grow.
	await check("growth: F5 32 own edits of 1000 texts take no second", () => {
		if (missing) return skip(missing);
		const now = (k) => times(1000, (i) => `line ${i}, ${k}; ${"a".repeat(45)}\n`).join("");
		const steps = times(32, (k) => ({
			edits: times(1000, (i) => ({ oldText: k ? `line ${i}, ${k - 1};` : `line ${i};`, newText: `line ${i}, ${k};` })),
			becomes: now(k),
		}));
		const { count } = followed(numbered(1000, "a".repeat(45)), [{ shown: "full" }, ...steps], { params: { limit: 20 } });
		assert.ok(count < 1.5e9, `${count} instructions`);
		if (process.env.GROWTH_SHOW) console.log(`      ${count}`);
	});
	await check("growth: L1 workflows that run each other twice are refused before there are billions", () => {
		const cwd = freshDir();
		const node = (id, next) => ({ id, type: "flow", run: `./${next}.json` });
		for (let i = 0; i < 40; i++) writeFileSync(join(cwd, `${i}.json`), JSON.stringify({ nodes: [node("a", i + 1), node("b", i + 1)] }));
		writeFileSync(join(cwd, "40.json"), JSON.stringify({ nodes: [{ id: "a", run: "true" }] }));
		const run = spawnSync(binary(), ["flow", "validate", "./0.json"], { cwd, encoding: "utf8", timeout: PATIENCE });
		assert.equal(run.status, 2, run.stderr);
		assert.match(run.stderr, /node '[ab]': the workflows inside are more than 16 MiB together, each counted as often as it is run\.\n/);
		assert.equal(run.stderr.split("\n").length, 2, run.stderr);
	});
	await check("growth: L1 patterns that are too many to compare with all outputs are refused", () => {
		const cwd = freshDir();
		const [deps, outs] = ["*a", "o"].map((text) => Array.from({ length: 20000 }, (_, i) => text + i));
		writeFileSync(join(cwd, "flow.json"), JSON.stringify({ nodes: [{ id: "a", run: "true", outs, needs: [] }, { id: "b", run: "true", deps }] }));
		const run = spawnSync(binary(), ["flow", "validate", "./flow.json"], { cwd, encoding: "utf8", timeout: PATIENCE });
		assert.equal(run.status, 2, run.stderr);
		assert.equal(run.stderr, "readcache: ./flow.json:1: node 'b': its patterns are too many to compare with the outputs of all nodes.\n");
	});
	await check("growth: L1 a path of more than 4095 bytes is refused", () => {
		for (const member of ["deps", "code", "outs"]) {
			const cwd = freshDir();
			writeFileSync(join(cwd, "flow.json"), JSON.stringify({ nodes: [{ id: "a", run: "true", [member]: ["a".repeat(4096)] }] }));
			const run = spawnSync(binary(), ["flow", "validate", "./flow.json"], { cwd, encoding: "utf8" });
			assert.equal(run.status, 2);
			assert.equal(run.stderr, "readcache: ./flow.json:1: node 'a': a path has more than 4095 bytes, which no file can have.\n");
		}
	});
}

/** Why instructions cannot be counted here; undefined if they can. */
function whyNot() {
	if (spawnSync("valgrind", ["--version"]).status !== 0) return "valgrind is not installed";
	if (spawnSync("strace", ["--version"]).status !== 0) return "strace is not installed";
	const run = spawnSync(COUNT[0], [...COUNT.slice(1), binary(), "--version"], { encoding: "utf8" });
	return run.status === 0 && countOf(run.stderr) ? undefined : "this executable does not run under valgrind (it is sanitized)";
}

const countOf = (stderr) => Number(/I\s+refs:\s+([\d,]+)/.exec(stderr)?.[1].replaceAll(",", ""));

/** The instructions of the executable with ARGS and INPUT. */
function instructions(args, { input = "", cwd, serve = false, env = {} } = {}) {
	const [command, ...rest] = [...(serve ? UNCONFINED : []), ...COUNT, binary(), ...args];
	const run = spawnSync(command, rest, { input, cwd, env: { ...process.env, ...env }, encoding: "utf8", maxBuffer: 1 << 30, timeout: PATIENCE, killSignal: "SIGKILL" });
	assert.ok(countOf(run.stderr), `no count: ${cut(run.stderr)}`);
	return { count: countOf(run.stderr), stdout: run.stdout };
}

const least = new Map();

/** RUN, at SIZE and at four times as much, beyond what it takes at almost nothing, which is the same for all of a KIND. */
function grows(size, run, kind) {
	if (!least.has(kind)) least.set(kind, run(1).count);
	const [small, large] = [size, 4 * size].map((n) => run(n).count - least.get(kind));
	// What is less than a millisecond may grow as it likes.
	const ratio = large / Math.max(small, 1e6);
	assert.ok(ratio < RATIO, `${large} instructions at ${4 * size}, ${small} at ${size}: ${ratio.toFixed(1)} times as many`);
	if (process.env.GROWTH_SHOW) console.log(`      ${small} -> ${large}: ${ratio.toFixed(2)}`);
}

// --- sessions -------------------------------------------------------------

const SIZE = 300;
/** Where the budget of a walk is used up only by more. */
const SIZES = { "markers of lines that were shown in parts": 600, "page views and diffs": 600, "diffs that rest on nothing": 600, "context edits between reads": 600, "names that collide where hashing has no key": 2000, "diffs of a long file": 200, "a long file that was written": 200, "own edits in a long file": 200, "pieces of a long file": 200 };

const WAYS = ["strict", "pieces", "file", "serve", "replay", "audit", "shadow", "report"];

/** What was found to be slow once, there; of the others one way each, so that each way has several. */
const SLOW = {
	"names that collide where hashing has no key": ["strict", "file"],
	"names of one file": ["strict", "replay"],
	"calls and results of one message": ["file", "shadow"],
	"page views and diffs": ["strict"],
	"diffs that rest on nothing": ["pieces"],
	"ranges and whole reads": ["strict"],
	"refreshes of many names": ["serve"],
	"edits and reads": ["report"],
	"context edits between reads": ["shadow"],
	"markers of lines that were shown in parts": ["audit"],
	"false markers of one message": ["audit"],
	"context edits of calls": ["audit"],
	"forks of a long trunk": ["audit", "shadow"],
	"own edits with views between them": ["pieces", "file"],
	"pieced answers that rest on much": ["pieces", "serve"],
	"pieced answers in a row": ["pieces", "replay"],
	"markers of a long file": ["audit"],
	"markers of a part of a long file": ["report"],
	"diffs of a long file": ["audit"],
	"a long file that was written": ["audit"],
	"own edits in a long file": ["audit"],
	"pieces of a long file": ["audit"],
};

function waysFor(name, fast) {
	const at = Object.keys(shapes).indexOf(name);
	return fast ? [] : (SLOW[name] ?? [WAYS[at % 7]]);
}

/** What is asked of a session of SHAPE, by WAY. */
function session(shape, way, size) {
	const dir = freshDir();
	const file = join(dir, "f.txt");
	const saved = join(dir, "s.jsonl");
	// Both versions are in the store, so that they can be compared.
	for (const text of [OTHER, TEXT]) {
		writeFileSync(file, text);
		spawnSync(binary(), [], { input: request(dir, { leafId: null, entries: [] }) });
	}
	grows(size, (n) => {
		const branch = branchOf(shape, n, file);
		const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: dir };
		writeFileSync(saved, [header, ...branch.entries].map((entry) => JSON.stringify(entry) + "\n").join(""));
		return ways[way](dir, saved, { id: "s", leafId: branch.leaf, entries: branch.entries });
	}, way);
}

const request = (cwd, session, policy = "strict") =>
	`${JSON.stringify({ v: 1, op: "read", cwd, params: { path: "f.txt" }, policy, session })}\n`;

const ways = {
	strict: (cwd, file, inline) => answered(instructions([], { input: request(cwd, inline) })),
	pieces: (cwd, file, inline) => answered(instructions([], { input: request(cwd, inline, "pieces") })),
	file: (cwd, file, inline) => answered(instructions([], { input: request(cwd, { file, leafId: inline.leafId }, "pieces") })),
	serve: (cwd, file, inline) => {
		const after = { id: inline.id, leafId: inline.leafId, after: inline.leafId, entries: [] };
		const input = request(cwd, inline) + request(cwd, inline, "pieces") + request(cwd, after);
		return answered(instructions(["serve"], { input, serve: true }), 3);
	},
	replay: (cwd, file) => instructions(["replay", file], { cwd }),
	audit: (cwd, file) => instructions(["audit", file], { cwd }),
	shadow: (cwd, file) => instructions(["shadow", file], { cwd }),
	report: (cwd, file) => instructions(["report", "--json", file], { cwd }),
};

/** A count is of use only if the question was understood. */
function answered(run, times = 1) {
	assert.equal(run.stdout.split("\n").filter((line) => JSON.parse(line || "{}").ok).length, times, cut(run.stdout));
	return run;
}

// --- patterns and workflows -------------------------------------------------

/** A run whose input is what the pattern GLOB names, in DIR; it is only asked whether it would run. */
const inputs = (cwd, glob) => instructions(["run", "--dry-run", "--store", join(cwd, "store"), "--fp", `glob:${glob}`, "--", "true"], { cwd });

/** Fourteen directories, each in the one before. */
function deepTree() {
	const dir = freshDir();
	mkdirSync(join(dir, ...Array(14).fill("d")), { recursive: true });
	return dir;
}

/** A workflow of NODES, checked. */
function workflow(nodes) {
	const cwd = freshDir();
	writeFileSync(join(cwd, "flow.json"), JSON.stringify({ nodes }));
	return instructions(["flow", "validate", "./flow.json"], { cwd });
}

/** A session of N reads, and as many branches after them: what each of them can trust. */
function allLeaves(n) {
	const cwd = freshDir();
	const branch = branchOf("forks of a long trunk", n, join(cwd, "f.txt"));
	const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd };
	const file = join(cwd, "s.jsonl");
	writeFileSync(file, [header, ...branch.entries].map((entry) => JSON.stringify(entry) + "\n").join(""));
	const run = instructions(["replay", file, "--all-leaves", "--json"], { cwd });
	const { leaves } = JSON.parse(run.stdout);
	// Every leaf is there: with what it can trust, or with why that is not said. The session goes on at the last one.
	assert.equal(leaves.length, n);
	for (const leaf of leaves) assert.ok(leaf.trust?.length === 1 || /too many branches/.test(leaf.why), cut(JSON.stringify(leaf)));
	assert.equal(leaves.at(-1).leafId, branch.leaf);
	assert.ok(leaves.at(-1).trust);
	return run;
}

/** What a run of a workflow with NODES would do. */
function explained(nodes, inputs = {}) {
	const cwd = freshDir();
	writeFileSync(join(cwd, "flow.json"), JSON.stringify({ inputs, nodes }));
	writeFileSync(join(cwd, "word"), "a file");
	return instructions(["flow", "./flow.json", "--explain"], { cwd, env: { HOME: cwd } });
}

/** An object of N members. */
const members = (n, name, value) => Object.fromEntries(times(n, (i) => [`${name}${i}`, value(i)]));

/** A session of N reads, in which a process that stays is asked N times more. */
function warm(n) {
	const cwd = freshDir();
	const file = join(cwd, "f.txt");
	writeFileSync(file, TEXT);
	const { entries, leaf } = branchOf("reads of one file", n, file);
	const after = request(cwd, { id: "s", leafId: leaf, after: leaf, entries: [] });
	return answered(instructions(["serve"], { input: request(cwd, { id: "s", leafId: leaf, entries }) + after.repeat(n), serve: true }), n + 1);
}

/** A read after N edits of files with relative names, any of which may have been made in each of DIRS directories. */
function wherever(n, dirs) {
	const cwd = freshDir();
	writeFileSync(join(cwd, "f.txt"), TEXT);
	const { entries, leaf } = branchOf("own edits", n, "f.txt");
	const session = { leafId: leaf, entries, dirs: times(dirs, (i) => `/dir/${i}`) };
	return answered(instructions([], { input: request(cwd, session, "pieces") }));
}

const times = (n, what) => Array.from({ length: n }, (_, i) => what(i));

// --- own edits, and lines that are followed back ----------------------------

/**
 * A read of f.txt under pieces after STEPS: {shown: [first, last], text} is a view of lines of that version, {edits} is an
 * own change. Every version is in the store, and the last one is the file. EXPECTED is its reason.
 */
function followed(text, steps, { params = {}, expected } = {}) {
	const cwd = freshDir();
	const file = join(cwd, "f.txt");
	const branch = branchOf("nothing", 0, file);
	let now = text;
	// The first read makes the store.
	writeFileSync(file, now);
	spawnSync(binary(), [], { input: request(cwd, { leafId: null, entries: [] }) });
	for (const { shown, edits, becomes } of steps) {
		if (edits) branch.change({ edits });
		if (becomes !== undefined) now = becomes;
		if (!shown) continue;
		const served = sha256(now);
		writeFileSync(join(cwd, ".pi", "readcache", "objects", `sha256-${served}.txt`), now);
		const total = now.split("\n").length;
		branch.read(`lines ${shown}`, { served, total, ...(shown === "full" ? {} : { lines: shown }) });
	}
	writeFileSync(file, now);
	// A host may leave the texts out (T9).
	for (const { message } of branch.entries) if (message?.toolName === "read") delete message.content;
	const session = { leafId: branch.leaf, entries: branch.entries };
	const asked = { v: 1, op: "read", cwd, params: { path: "f.txt", ...params }, policy: "pieces", session };
	const run = answered(instructions([], { input: `${JSON.stringify(asked)}\n` }));
	const { reason } = JSON.parse(run.stdout).decision;
	if (expected) assert.equal(reason, expected, cut(run.stdout));
	return run;
}

/** A read after N views of as many versions, each of which has 96 N KB more than the lines that were shown. */
function large(n) {
	const cwd = freshDir();
	const file = join(cwd, "f.txt");
	writeFileSync(file, TEXT);
	spawnSync(binary(), [], { input: request(cwd, { leafId: null, entries: [] }) });
	const branch = branchOf("nothing", 0, file);
	branch.read(TEXT, { served: sha256(TEXT) });
	times(n, (i) => {
		const version = Buffer.concat([Buffer.from(`${TEXT}${i}`), Buffer.alloc(96_000 * n)]);
		const served = sha256(version);
		const object = join(cwd, ".pi", "readcache", "objects", `sha256-${served}.txt`);
		writeFileSync(object, `${TEXT}${i}`);
		truncateSync(object, version.length);
		branch.read(TEXT.split("\n")[i], { served, lines: [i + 1, i + 1] });
	});
	return answered(instructions([], { input: request(cwd, { leafId: branch.leaf, entries: branch.entries }, "coverage") }));
}

const numbered = (n, what = "of a file with some text") => times(n, (i) => `line ${i}; ${what}\n`).join("");
/** K edits of different lines of TEXT, one after the other. */
function editsOf(text, k, line) {
	let now = text;
	return times(k, (i) => {
		now = now.replace(`line ${line(i)};`, `line ${line(i)}, new;`);
		return { edits: [{ oldText: `line ${line(i)};`, newText: `line ${line(i)}, new;` }], becomes: now };
	});
}

const others = {
	"own edits of a large file": {
		size: 2500,
		run: (n) => followed(numbered(n), [{ shown: "full" }, ...editsOf(numbered(n), Math.min(32, n), (i) => Math.floor((i * n) / 32))], { expected: n > 1 ? "own_text" : undefined, params: { limit: 20 } }),
	},
	"own edits of a file that is not ASCII": {
		size: 2500,
		run: (n) => followed(numbered(n, "\u00e4\u00f6\u20ac"), [{ shown: "full" }, ...editsOf(numbered(n, "\u00e4\u00f6\u20ac"), Math.min(32, n), (i) => Math.floor((i * n) / 32))]),
	},
	"own edits of a file of empty lines": {
		size: 100_000,
		run: (n) => followed(`line 0;\n${"\n".repeat(n)}`, [{ shown: "full" }, { edits: [{ oldText: "line 0;", newText: "line 1;" }], becomes: `line 1;\n${"\n".repeat(n)}` }]),
	},
	// utf8proc sorts the marks of a letter by exchanging neighbors.
	"marks of one letter": {
		size: 5000,
		run: (n) => {
			const text = (line) => `${line}\na${"\u0301\u0323".repeat(n)}\n`;
			return followed(text("first"), [{ shown: "full" }, { edits: [{ oldText: "first", newText: "second" }], becomes: text("second") }], { params: { limit: 1 } });
		},
	},
	"blocks that moved among equal lines": {
		size: 2500,
		run: (n) => {
			const version = (v) => times(n, (i) => ((i + 37 * v) % 100 < 5 ? `block ${Math.floor((i + 37 * v) / 100)} ${i % 5}\n` : "the same line\n")).join("");
			return followed(version(0), times(9, (v) => ({ shown: [n, n], becomes: version(v) })), { params: { limit: 2000 } });
		},
	},
	"versions that showed a line each": {
		size: 300,
		run: (n) => {
			const version = (v) => numbered(200).replace(`line ${100 + (v % 100)};`, `line ${v}, changed;`);
			return followed(version(0), times(n, (v) => ({ shown: [1 + (v % 90), 1 + (v % 90)], becomes: version(v) })));
		},
	},
	// A few words name a version of megabytes.
	"views of large versions": { size: 16, run: large },
	// The request is of the first lines, so that the walk goes on; it is a page, of which no diff is served.
	"versions in which every second line differs": {
		size: 2500,
		run: (n) => {
			const version = (v) => `${numbered(100)}${times(n, (i) => (i % 2 ? `same ${i}\n` : `other ${i} ${v}\n`)).join("")}`;
			return followed(version(0), times(9, (v) => ({ shown: [n + 99, n + 99], becomes: version(v) })), { params: { limit: 100 } });
		},
	},
	"edits in any of many directories": { size: 300, run: (n) => wherever(n, n) },
	"directories of which each is another one": { size: 3000, run: (n) => wherever(1, n) },
	"questions to a process that remembers": { size: 200, run: warm },
	"all leaves of a session": { size: 120, run: allLeaves },
	"directories of any depth in a pattern": { size: 12, run: (n) => inputs(deepTree(), `${"**/".repeat(n)}x`) },
	"braces that nothing closes": { size: 2000, run: (n) => inputs(freshDir(), "{".repeat(n)) },
	"nodes that wait for each other": {
		size: 200,
		run: (n) => workflow(times(n, (i) => ({ id: `n${i}`, run: "true", needs: i ? [`n${i - 1}`] : [] }))),
	},
	"outputs of one node": { size: 500, run: (n) => workflow([{ id: "a", run: "true", outs: times(n, (i) => `o/${i}`) }]) },
	"inputs and outputs of one node": {
		size: 500,
		run: (n) => workflow([{ id: "a", run: "true", deps: times(n, (i) => `i/${i}`), outs: times(n, (i) => `o/${i}`) }]),
	},
	"nodes that read what all others make": {
		size: 500,
		run: (n) => workflow([...times(n, (i) => ({ id: `n${i}`, run: "true", outs: [`o/${i}`] })), { id: "all", run: "true", deps: ["o", "o/*"] }]),
	},
	// L1: what was slow in the checks of a workflow.
	"nodes with patterns, and outputs": {
		size: 200,
		run: (n) => workflow(times(n, (i) => ({ id: `n${i}`, run: "true", deps: [`i*${i}`, "*.h"], outs: [`o${i}`] }))),
	},
	"nodes that make one output": { size: 300, run: (n) => workflow(times(n, (i) => ({ id: `n${i}`, run: "true", outs: ["o"] }))) },
	"nodes that make what is in the outputs of as many": {
		size: 300,
		run: (n) => workflow([...times(n, (i) => ({ id: `n${i}`, run: "true", outs: ["o"] })), ...times(n, (i) => ({ id: `m${i}`, run: "true", outs: [`o/${i}`] }))]),
	},
	"nodes that read and make one file": { size: 300, run: (n) => workflow(times(n, (i) => ({ id: `n${i}`, run: "true", deps: ["o"], outs: ["o/../o"] }))) },
	"nodes that read one file": {
		size: 500,
		run: (n) => workflow([{ id: "a", run: "true", outs: ["o"], needs: [] }, ...times(n, (i) => ({ id: `n${i}`, run: "true", deps: ["o", "o/x"] }))]),
	},
	"nodes of one id": { size: 500, run: (n) => workflow(times(n, () => ({ id: "a", run: "true" }))) },
	"one output many times": { size: 500, run: (n) => workflow([{ id: "a", run: "true", outs: times(n, () => "o") }]) },
	"needs that nobody has": { size: 300, run: (n) => workflow(times(n, (i) => ({ id: `n${i}`, run: "true", needs: [`x${i}`] }))) },
	"one need many times": { size: 1000, run: (n) => workflow([{ id: "a", run: "true", needs: [] }, { id: "b", run: "true", needs: times(n, () => "a") }]) },
	"references to nobody": { size: 300, run: (n) => workflow(times(n, (i) => ({ id: `n${i}`, run: ["true", `\${x${i}.stdout}`] }))) },
	"references in one text": { size: 1000, run: (n) => workflow([{ id: "a", run: "true" }, { id: "b", run: `true ${"${a.stdout} ".repeat(n)}` }]) },
	"references to inputs": {
		size: 500,
		run: (n) => explained([{ id: "a", run: ["true", ...times(n, (i) => `\${inputs.i${i}}`)] }, ...times(n, (i) => ({ id: `n${i}`, run: ["true", `\${inputs.i${i}}`] }))], members(n, "i", () => "x")),
	},
	"references to inputs that nobody has": { size: 500, run: (n) => explained([{ id: "a", run: ["true", ...times(n, (i) => `\${inputs.x${i}}`)] }], members(n, "i", () => "x")) },
	"references to params": { size: 500, run: (n) => explained([{ id: "a", run: ["true", ...times(n, (i) => `\${params.p${i}}`)], params: members(n, "p", () => "x") }]) },
	"params that refer to params": { size: 500, run: (n) => workflow([{ id: "a", run: "true", params: members(n, "p", () => "${params.x}") }]) },
	"words, inputs and outputs of one node": {
		size: 300,
		run: (n) => explained([{ id: "a", run: ["true", ...times(n, () => "word")], deps: times(n, (i) => `d/${i}`), outs: times(n, (i) => `o/${i}`) }]),
	},
	"what a pattern names beside outputs": {
		size: 300,
		run: (n) => explained([{ id: "a", run: "true", deps: ["./*", "*"], outs: times(n, (i) => `o${i}`) }]),
	},
	"long paths": {
		size: 2000,
		run: (n) => workflow([{ id: "a", run: "true", deps: ["a/".repeat(n)], outs: [`${"b/".repeat(n)}c`] }, { id: "b", run: "true", code: ["c/".repeat(n)], outs: ["d"] }]),
	},
};
