// Random work whose inputs change while it runs, against a model that knows what each command saw.
//
// A command copies what it reads into its output, so the output itself says what was seen. The model is: whatever
// comes back later without a run is what a command would make of the inputs as they are now. Changes and the command's
// reads take turns by a FIFO; so does a kill.
//
//	READCACHE_RANDOM=1000 READCACHE_SEED=7 node tests/work/run.mjs random
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sized } from "../lib/size.mjs";
import { Project } from "./project.mjs";

const ROUNDS = Number(process.env.READCACHE_RANDOM ?? sized(60));
const SEED = Number(process.env.READCACHE_SEED ?? 1118);

/** Numbers that only look random. */
function chance(seed) {
	let state = seed * 2654435761 + 1;
	const next = () => {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
		return (state ^ (state >>> 13)) >>> 0;
	};
	return { below: (n) => next() % n, pick: (list) => list[next() % list.length] };
}

/** The places that commands read: plain, in a directory, behind links, matched. */
const FILES = ["in", "d/x", "d/y", "v1/z", "v2/z", "m1.c", "m2.c"];
const TEXTS = ["A\n", "B\n", "C\n"];
const read = (path) => {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "-\n";
	}
};

/** What a command that reads all of it makes of the tree as it is. */
const seen = (p) => {
	const list = (dir, test) => readdirSync(p.path(dir)).filter(test).sort();
	return [
		read(p.path("in")), ...list("d", () => true).map((name) => `${name}: ${read(p.path("d", name))}`), read(p.path("cur/z")),
		...list(".", (name) => /^[^.].*\.c$/.test(name)).map((name) => `${name}: ${read(p.path(name))}`),
	].join("");
};

/** The same as a script; it waits for its turn before each of its reads. */
const script = (p) => {
	const turn = `echo t >'${p.context.dir}/told'; read x <'${p.context.dir}/go'`;
	const one = (name) => `(cat ${name} 2>/dev/null || echo -)`;
	const all = (glob) => `for f in ${glob}; do [ -e "$f" ] && { printf '%s: ' "\${f#d/}"; cat "$f" 2>/dev/null || echo -; }; done`;
	return `{ ${turn}; ${one("in")}; ${turn}; ${all("d/*")}; ${turn}; ${one("cur/z")}; ${turn}; ${all("*.c")}; ${turn}; } >out`;
};
const TURNS = 5;

/** One random change of an input. */
function change(p, random) {
	const file = random.pick(FILES);
	const act = random.below(7);
	if (act <= 2) p.write(file, random.pick(TEXTS));
	else if (act === 3) p.remove(file);
	else if (act === 4) {
		const text = random.pick(TEXTS);
		p.write("new", text);
		mkdirSync(join(p.path(file), ".."), { recursive: true });
		renameSync(p.path("new"), p.path(file));
	} else if (act === 5) {
		p.remove("cur");
		symlinkSync(random.pick(["v1", "v2"]), p.path("cur"));
	} else {
		renameSync(p.path("v1"), p.path("v"));
		renameSync(p.path("v2"), p.path("v1"));
		renameSync(p.path("v"), p.path("v2"));
	}
}

/** All inputs by name and text, to be put back. */
const snapshot = (p) => ({ files: FILES.map((name) => [name, existsSync(p.path(name)) ? p.read(name) : undefined]), link: spawnSync("readlink", [p.path("cur")], { encoding: "utf8" }).stdout.trim() });
function putBack(p, { files, link }) {
	for (const [name, text] of files) {
		if (text === undefined) p.remove(name);
		else if (!existsSync(p.path(name)) || p.read(name) !== text) p.write(name, text);
	}
	if (spawnSync("readlink", [p.path("cur")], { encoding: "utf8" }).stdout.trim() !== link) {
		p.remove("cur");
		symlinkSync(link, p.path("cur"));
	}
}

const DECLARED = [
	["--dep", "in", "--dep", "d", "--dep", "cur/z", "--dep", "*.c"],
	["--fp", "file:in", "--fp", "glob!:d/*", "--fp", "file:cur/z", "--fp", "glob!:*.c"],
	["--dep", "in", "--dep", "d/*", "--fp", "file:cur/z", "--fp", "glob!:*.c"],
];

/** The command asks for its turn, or the whole of it has ended: which? */
function nextTurn(p, child) {
	return new Promise((done) => {
		const reader = spawn("cat", [join(p.context.dir, "told")], { stdio: ["ignore", "pipe", "ignore"] });
		let told = false;
		reader.stdout.on("data", () => (told = true));
		reader.on("close", () => done(told ? "turn" : "ended"));
		child.then(() => reader.kill("SIGKILL"));
	});
}

async function round(p, random, count) {
	const args = ["run", "-n", "t", ...random.pick(DECLARED), "--out", "out", "--", "sh", "-c", script(p)];
	const child = spawn(p.context.binary, args, { cwd: p.dir, env: { PATH: process.env.PATH, HOME: p.dir, XDG_STATE_HOME: p.state }, stdio: ["ignore", "ignore", "pipe"] });
	let stderr = "";
	child.stderr.on("data", (bytes) => (stderr += bytes));
	const ended = new Promise((done) => child.on("close", (status, signal) => done(signal ?? status)));
	const before = snapshot(p);
	// Before, between and after its reads: nothing, a change, the change undone, a kill.
	const kind = random.pick(["calm", "calm", "change", "back", "back", "back", "kill"]);
	const [from, to] = [random.below(TURNS), random.below(TURNS)].sort();
	let turns = 0;
	for (; (await nextTurn(p, ended)) === "turn"; turns++) {
		if (kind !== "calm" && turns === from) change(p, random);
		if (kind === "back" && turns === to) putBack(p, before);
		if (kind === "kill" && turns === to) {
			child.kill("SIGKILL");
			break;
		}
		writeFileSync(join(p.context.dir, "go"), "\n");
	}
	const status = await ended;
	if (status === "SIGKILL") return void (count.killed += 1);
	assert.equal(status, 0, stderr);
	if (turns > 0) {
		count.runs += 1;
		count.unkept += /changed while the command ran/.test(stderr);
		// In peace it is right, and it is kept.
		if (kind === "calm") assert.deepEqual([p.read("out"), /not kept/.test(stderr)], [seen(p), false], stderr);
	} else {
		count.hits += 1;
		assert.equal(p.read("out"), seen(p), "what came back is what a command would make now");
	}
}

export const tests = [
	{
		name: `random work whose inputs change while it runs: what comes back is what would be made (seed ${SEED})`,
		async run(context) {
			const random = chance(SEED);
			const p = new Project(context);
			for (const name of ["told", "go"]) assert.equal(spawnSync("mkfifo", [join(context.dir, name)]).status, 0);
			for (const name of FILES) p.write(name, random.pick(TEXTS));
			symlinkSync("v1", p.path("cur"));
			const count = { runs: 0, hits: 0, unkept: 0, killed: 0 };
			for (let i = 0; i < ROUNDS; i++) {
				if (random.below(3) === 0) change(p, random);
				await round(p, random, count);
				for (const name of readdirSync(p.dir)) if (name.startsWith(".out.readcache-old")) rmSync(p.path(name));
			}
			console.log(`  ${JSON.stringify(count)}`);
			assert.ok(ROUNDS < 60 || (count.runs > 0 && count.hits > 0 && count.unkept > 0 && count.killed > 0), JSON.stringify(count));
		},
	},
];
