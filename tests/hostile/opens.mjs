// How the files of a store are opened, call by call. A process that may write
// in the project and nowhere else (a build in a sandbox) can put a link at any
// name of the store at any time; so no name there may be opened in a way that
// follows links. races.mjs tries to win such a race, this looks that there is
// none.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import { Clone } from "./clone.mjs";
import { check, skip } from "./harness.mjs";

const RUN = ["run", "--dep", "in.txt", "--out", "o", "--", "cp", "in.txt", "o"];
const KEY = "0".repeat(16);
const ORDERS = [RUN, RUN, ["run", "--force", ...RUN.slice(1)], ["memo", "set", KEY], ["memo", "get", KEY], ["memo", "ls"], ["flow", "./flow.json"], ["flow", "./flow.json"], ["cache", "stats"], ["cache", "gc", "--max-age", "0"], ["cache", "verify"], ["cache", "clear"], ["doctor"]];

export default async function opens() {
	if (spawnSync("strace", ["-o", "/dev/null", "true"]).status !== 0) return void skip("opens: F1.11 every open of a name in the store", "strace cannot trace here");
	await check("opens: F1.11 no command opens a name in the store in a way that follows links", () => {
		const clone = new Clone();
		const seen = new Set();
		for (const args of ORDERS)
			for (const open of traced(clone, args)) {
				if (!open.got.startsWith(clone.store)) continue;
				assert.ok(isSafe(open, clone), `${args.join(" ")}: ${open.line}`);
				seen.add(basename(open.got));
			}
		for (const name of ["state.mdb", "state.mdb-lock", "state.mdb-own", "owner", "memo", "objects", "locks", "stages"]) assert.ok(seen.has(name), `${name} was seen to be opened`);
	});
	await check("opens: F1.11 where the user's own directory cannot hold links, work goes on without the database", () => {
		const clone = new Clone();
		mkdirSync(join(clone.home, ".local", "state", "readcache"), { recursive: true });
		writeFileSync(join(clone.home, ".local", "state", "readcache", "open"), "in the way");
		for (const made of ["input\n", "input\n"]) {
			const { status, stderr } = clone.run(RUN);
			assert.equal(status, 0, stderr);
			assert.equal(readFileSync(clone.path("o"), "utf8"), made);
		}
	});
}

/** What `readcache ARGS` opened: the directory's descriptor and name, the name, the flags, what came of it. */
function traced(clone, args) {
	const file = join(clone.dir, "trace");
	const { status, stderr } = spawnSync("strace", ["-f", "-y", "-o", file, "-e", "trace=open,openat,openat2,creat", binary(), ...args], {
		cwd: clone.cwd,
		input: "v",
		// The leak checker traces, too, and nothing can be traced twice.
		env: { PATH: process.env.PATH, HOME: clone.home, ASAN_OPTIONS: "detect_leaks=0" },
		encoding: "utf8",
		timeout: PATIENCE,
	});
	assert.ok([0, 1].includes(status), `${args.join(" ")}: ${stderr}`);
	const found = new Map();
	const opens = [];
	for (const line of readFileSync(file, "utf8").split("\n")) {
		const match = line.match(/^(\d+) +(?:open|openat|openat2|creat)\((?:[A-Z_]+|\d+)?(?:<(.*?)>)?(?:, )?"(.*?)", (.*)\) = (\d+)<(.*)>$/);
		if (!match) continue;
		const [, pid, at, name, flags, number, got] = match;
		opens.push({ line, at, name, flags, got, through: throughDescriptor(name, pid, found) });
		found.set(`${pid} ${number}`, got);
	}
	return opens;
}

/** Where /proc/self/fd/N/NAME leads: to the directory that PID had opened as N. */
function throughDescriptor(name, pid, found) {
	const match = name.match(/^\/proc\/self\/fd\/(\d+)\/[^/]+$/);
	return match && found.get(`${pid} ${match[1]}`);
}

function isSafe({ at, name, flags, through }, clone) {
	if (name === "." || /^\/proc\/self\/fd\/\d+$/.test(name)) return true;
	if (through) return through.startsWith(clone.home);
	// A version is read by two steps at once: what comes is compared with its hash.
	const twoSteps = at.endsWith("/objects") && flags.includes("O_RDONLY") && /^[0-9a-f]{2}\/[0-9a-f]{62}$/.test(name);
	return (twoSteps || !name.includes("/")) && flags.includes("O_NOFOLLOW");
}
