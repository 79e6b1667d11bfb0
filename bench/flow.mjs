// Runs of 100, 1,000 and 10,000 stages: with everything, one leaf or nothing to do.  flow.mjs ROUNDS TURNS WORK SIZE...,
// called by bench/flow
//
// Every stage reads one file and makes another. ninja and make get the same: each has outputs of its own, made by the
// same command from the same inputs, one at a time.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { binary } from "../tests/lib/engine.mjs";
import { kept } from "./limit.mjs";
import { machine } from "./machine.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [rounds, turns, work, ...asked] = [Number(process.argv[2]), ...process.argv.slice(3)];
const sizes = asked.length > 0 ? asked.map(Number) : [100, 1000, 10000].filter((n) => n < 10000 || rounds >= 1000);
const env = { PATH: process.env.PATH, HOME: work, LANG: "C.UTF-8", TERM: "dumb" };

const numbers = (n) => Array.from({ length: n }, (_, i) => i);

/** Let the clock of the file system get behind what was just written. */
const settle = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);

/** A directory with so many stages. */
function stages(n) {
	const dir = join(work, `stages-${n}`);
	mkdirSync(dir);
	for (const i of numbers(n)) writeFileSync(join(dir, `in${i}`), `${i}\n`);
	const nodes = numbers(n).map((i) => ({ id: `n${i}`, run: ["cp", `in${i}`, `flow${i}`], deps: [`in${i}`], outs: [`flow${i}`], needs: [] }));
	writeFileSync(join(dir, "flow.json"), JSON.stringify({ nodes }));
	writeFileSync(join(dir, "build.ninja"), `rule cp\n  command = cp $in $out\n${numbers(n).map((i) => `build ninja${i}: cp in${i}\n`).join("")}`);
	writeFileSync(join(dir, "Makefile"), `all: ${numbers(n).map((i) => `make${i}`).join(" ")}\n${numbers(n).map((i) => `make${i}: in${i}\n\tcp in${i} make${i}\n`).join("")}`);
	return dir;
}

/** Everybody has done everything, and has seen that. */
function rest(dir) {
	for (let round = 0; round < 4; round++)
		for (const { command: [command, ...args] } of Object.values(SIDES)) {
			execFileSync(command, args, { cwd: dir, env, stdio: ["ignore", "ignore", "inherit"] });
			settle();
		}
}

function measure(dir, reference, share) {
	const ours = ["-e", "✓ Node 'n0' completed (cached, ", binary(), "flow", "flow.json"];
	const count = String(Math.max(5, Math.ceil(rounds * share)));
	const { sides } = JSON.parse(execFileSync(turns, [count, ...reference, "--", ...ours], { cwd: dir, env, encoding: "utf8" }));
	return { reference: sides[0], ours: sides[1], ratio: sides[1].bestUs / sides[0].bestUs };
}

/** A round of NAME in DIR, after BEFORE; microseconds. */
function time(dir, [command, ...args], before) {
	before();
	const begun = process.hrtime.bigint();
	execFileSync(command, args, { cwd: dir, env, stdio: ["ignore", "ignore", "inherit"] });
	return Number(process.hrtime.bigint() - begun) / 1000;
}

const SIDES = {
	flow: { command: [binary(), "flow", "flow.json", "-q"], out: "flow", kept: [".pi"] },
	ninja: { command: ["ninja", "-j1", "--quiet"], out: "ninja", kept: [".ninja_log", ".ninja_deps"] },
	make: { command: ["make", "-s", "-j1"], out: "make", kept: [] },
};

/** Each by turns, COUNT rounds; BEFORE makes there be something to do. */
function byTurns(dir, count, before) {
	const times = Object.fromEntries(Object.keys(SIDES).map((name) => [name, []]));
	for (let round = 0; round < count; round++)
		for (const [name, side] of Object.entries(SIDES)) times[name].push(time(dir, side.command, () => before(side, round)));
	const sum = (list) => ({ bestUs: Math.min(...list), medianUs: list.sort((a, b) => a - b)[Math.floor(list.length / 2)] });
	return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, sum(list)]));
}

/** Everything to do, and one leaf. */
function* working(dir, n) {
	// Moved away, not removed: ext4 goes around inodes that were just freed, and whoever makes files then pays for it.
	let trashes = 0;
	const cold = ({ out, kept }) => {
		const trash = join(work, `trash-${n}-${trashes++}`);
		mkdirSync(trash);
		for (const name of [...numbers(n).map((i) => `${out}${i}`), ...kept]) if (existsSync(join(dir, name))) renameSync(join(dir, name), join(trash, name));
	};
	let edits = 0;
	const leaf = () => {
		writeFileSync(join(dir, "in0"), `${++edits}\n`);
		settle();
	};
	const share = rounds >= 1000 ? 1 : 0.3;
	for (const [what, count, before] of [
		[`everything to do, ${n} stages`, Math.max(1, Math.round((share * 1000) / n)), cold],
		[`one changed leaf, ${n} stages`, Math.max(5, Math.round((share * 20000) / n)), leaf],
	]) {
		const { flow, ninja, make } = byTurns(dir, Math.min(count, 20), before);
		for (const [against, reference, limit] of [
			["ninja", ninja, 2.5],
			["make", make],
		])
			yield { what, against, limit, ours: flow, reference, ratio: flow.bestUs / reference.bestUs };
	}
}

/** Nothing to do. */
function* resting(dir, n) {
	rest(dir);
	yield { what: `nothing to do, ${n} stages`, against: "ninja", limit: 2, ...measure(dir, ["ninja"], 0.2) };
	yield { what: `nothing to do, ${n} stages`, against: "make", limit: n >= 1000 ? 1 / 12 : 1 / 3, ...measure(dir, ["make"], 0.05) };
	// A node without files keeps a run from glancing: every stage is asked.
	const { nodes } = JSON.parse(readFileSync(join(dir, "flow.json"), "utf8"));
	writeFileSync(join(dir, "flow.json"), JSON.stringify({ nodes: [...nodes, { id: "end", run: ["true"] }] }));
	execFileSync(binary(), ["flow", "flow.json"], { cwd: dir, env });
	yield { what: `the same, every stage asked`, against: "ninja", ...measure(dir, ["ninja"], 0.1) };
}

const rows = [];
for (const n of sizes) {
	const dir = stages(n);
	rows.push(...working(dir, n), ...resting(dir, n));
}

const us = (n) => `${n.toFixed(0)} us`;
const table = [
	["what", "against", "median", "fastest", "ratio of the fastest", "limit", "kept"],
	...rows.map((row) => [
		row.what,
		row.against,
		`${us(row.ours.medianUs)} : ${us(row.reference.medianUs)}`,
		`${us(row.ours.bestUs)} : ${us(row.reference.bestUs)}`,
		row.ratio.toFixed(3),
		row.limit === undefined ? "" : row.limit.toFixed(3),
		kept(`${row.what} (${row.against})`, row.ratio, row.limit),
	]),
];
const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)));
console.log(`flow, ${rounds} rounds, ${machine().text}\n`);
for (const row of table) console.log(row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "));
writeFileSync(join(root, "build/bench-flow.json"), `${JSON.stringify({ machine: machine(), rounds, rows }, null, "\t")}\n`);
