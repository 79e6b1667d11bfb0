// Random workflows whose files change while they run, against a model that knows what each node makes of its inputs.
//
// Every node puts its own name and what it reads into its output, so a run that nobody disturbs has one right outcome:
// what all nodes would make of the files as they are now, whatever was kept before. What a disturbed or killed run leaves
// behind must not reach the next one. Commands wait for their turn before and after their reads, and that is when files
// change, change and come back, or everything is killed.
//
//	READCACHE_RANDOM=10000 READCACHE_SEED=7 node tests/flow/run.mjs random
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sized } from "../lib/size.mjs";
import { World } from "./world.mjs";

const RUNS = Number(process.env.READCACHE_RANDOM ?? sized(60));
const SEED = Number(process.env.READCACHE_SEED ?? 1118);
const RUNS_OF_ONE = 25; // of a workflow, then comes another one
const SOURCES = ["s0", "s1", "s2", "s3"];
const TEXTS = ["A\n", "B\n", "C\n"];

/** Numbers that only look random. */
function chance(seed) {
	let state = seed * 2654435761 + 1;
	const next = () => {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
		return (state ^ (state >>> 13)) >>> 0;
	};
	return { below: (n) => next() % n, pick: (list) => list[next() % list.length], is: (share) => next() % 1000 < share * 1000 };
}

/** A command that takes its turns and reads FILES; TO is what it does with that. */
const TURN = 'echo t > "$TOLD"; read x < "$GO"';
const SCRIPT = `#!/bin/sh\nid=$1; shift\n${TURN}\ntext=$(echo "$id:"; for f in "$@"; do cat "$f"; done)\n${TURN}\nprintf '%s\\n' "$text"\n`;

/** A workflow: nodes that read sources, and what nodes before them make or say. */
function workflow(random) {
	const nodes = [];
	for (let i = 0; i < 3 + random.below(5); i++) {
		const id = `n${i}`;
		const files = nodes.filter(({ out }) => out).map(({ out }) => out);
		const reads = [...new Set([random.pick(SOURCES), random.pick([...SOURCES, ...files]), random.pick([...SOURCES, ...files])])];
		const saying = nodes.filter(({ out }) => !out).map(({ id }) => id);
		const hears = saying.length > 0 && random.is(0.4) ? random.pick(saying) : undefined;
		nodes.push({ id, reads, hears, ...(random.is(0.65) && { out: `${id}.out` }), inWords: random.is(0.5) });
	}
	return nodes;
}

/** The node of the workflow's file. */
function asJson({ id, reads, hears, out, inWords }) {
	const said = hears ? ` \${${hears}.stdout}` : "";
	if (!out) return { id, run: `./make.sh ${id} ${reads.join(" ")};${hears ? ` echo${said}` : ""}`, cache: { fingerprint: [...reads.map((name) => `file:${name}`), "file:make.sh"] } };
	const files = { deps: reads, code: ["make.sh"], outs: [out] };
	if (inWords && !hears) return { id, run: ["./into.sh", out, id, ...reads], ...files, code: ["make.sh", "into.sh"] };
	return { id, run: `{ ./make.sh ${id} ${reads.join(" ")};${hears ? ` echo${said};` : ""} } > ${out}`, ...files };
}

/** What every node makes or says of the files as they are. */
function outcome(world, nodes) {
	const made = {};
	for (const { id, reads, hears, out } of nodes) {
		const text = `${id}:\n${reads.map((name) => made[name] ?? world.text(name)).join("")}`.trimEnd();
		made[out ?? id] = `${text}\n${hears ? `${made[hears].trim().split(/\s+/).join(" ")}\n` : ""}`;
	}
	return made;
}

function change(world, random, nodes) {
	const name = random.pick(SOURCES);
	const outs = nodes.filter(({ out }) => out).map(({ out }) => out).filter((out) => existsSync(world.path(out)));
	const act = random.below(8);
	if (act <= 2) world.write(name, random.pick(TEXTS));
	else if (act === 3) {
		world.write("new", random.pick(TEXTS));
		renameSync(world.path("new"), world.path(name));
	} else if (act === 4) {
		const { atime, mtime } = statSync(world.path(name));
		world.write(name, random.pick(TEXTS));
		utimesSync(world.path(name), atime, mtime);
	} else if (act === 5) world.write("make.sh", SCRIPT + "#".repeat(random.below(3)) + "\n");
	else if (outs.length > 0 && act === 6) rmSync(world.path(random.pick(outs)));
	else if (outs.length > 0) writeFileSync(world.path(random.pick(outs)), "by hand\n");
}

const snapshot = (world) => Object.fromEntries([...SOURCES, "make.sh"].map((name) => [name, world.text(name)]));
function putBack(world, before) {
	for (const [name, text] of Object.entries(before)) if (world.text(name) !== text) world.write(name, text);
}

/** A run. AT(turn, kill) is called at each turn of a command. Gives {status, turns, stdout, stderr}. */
async function run(world, at, args = []) {
	const [told, go] = ["told", "go"].map((name) => join(world.context.dir, name));
	const env = { PATH: process.env.PATH, ...world.env, TOLD: told, GO: go };
	const child = spawn(world.context.binary, ["flow", "flow.json", ...args], { cwd: world.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
	const said = { stdout: "", stderr: "" };
	for (const name of ["stdout", "stderr"]) child[name].on("data", (bytes) => (said[name] += bytes));
	let isOver = false;
	const ended = new Promise((done) => child.on("close", (code, signal) => done(signal ?? code)));
	// Whoever still waits for a turn is let go.
	ended.then(() => ((isOver = true), writeFile(told, "")));
	let turns = 0;
	for (;;) {
		await readFile(told);
		if (isOver) break;
		at(turns++, () => child.kill("SIGKILL"));
		if (child.killed) {
			await readFile(told); // what the end has written
			break;
		}
		await Promise.race([writeFile(go, "\n"), ended]);
	}
	return { status: await ended, turns, ...said };
}

async function disturbed(world, random, nodes, count) {
	const kind = random.pick(["change", "back", "back", "kill"]);
	const [from, to] = [random.below(6), random.below(8)].sort();
	let before;
	const { status } = await run(world, (turn, kill) => {
		if (turn === from) {
			before = snapshot(world);
			change(world, random, nodes);
		}
		if (turn === to && kind === "back" && before) putBack(world, before);
		if (turn === to && kind === "kill") kill();
	});
	count[status === "SIGKILL" ? "killed" : "disturbed"]++;
}

async function calm(world, nodes, count, args) {
	const { status, turns, stdout, stderr } = await run(world, () => {}, [...args, "--jobs", "1"]);
	assert.equal(status, 0, stdout + stderr);
	count.calm++;
	count.works += turns / 2;
	const right = outcome(world, nodes);
	for (const { id, out } of nodes) if (out) assert.equal(world.text(out), right[out], `${id}: ${stdout}${stderr}`);
	const last = nodes.at(-1);
	if (!last.out) assert.ok(stdout.endsWith(right[last.id]), `${stdout}\n${right[last.id]}`);
}

export const tests = [
	{
		name: `random workflows whose files change while they run: what is not disturbed is right (seed ${SEED})`,
		async run(context) {
			const random = chance(SEED);
			const world = new World(context);
			for (const name of ["told", "go"]) execFileSync("mkfifo", [join(context.dir, name)]);
			world.write("make.sh", SCRIPT);
			world.write("into.sh", '#!/bin/sh\nout=$1; shift\n./make.sh "$@" > "$out"\n');
			for (const name of ["make.sh", "into.sh"]) chmodSync(world.path(name), 0o755);
			for (const name of SOURCES) world.write(name, random.pick(TEXTS));
			const count = { calm: 0, works: 0, disturbed: 0, killed: 0 };
			let nodes = [];
			for (let i = 0; i < RUNS; i++) {
				if (i % RUNS_OF_ONE === 0) {
					nodes = workflow(random);
					world.flow(nodes.map(asJson));
				}
				for (let n = random.below(3); n > 0; n--) change(world, random, nodes);
				if (random.is(0.4)) await disturbed(world, random, nodes, count);
				else await calm(world, nodes, count, random.is(0.1) ? ["--rerun", random.pick(nodes).id] : []);
				for (const name of readdirSync(world.cwd)) if (name.includes(".readcache-old")) rmSync(world.path(name));
			}
			console.log(`  ${JSON.stringify(count)}`);
			assert.ok(RUNS < 60 || (count.killed > 0 && count.disturbed > 0 && count.works < count.calm * 6), JSON.stringify(count));
		},
	},
];
