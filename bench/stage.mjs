// Stages: what nothing to do costs, and what bringing outputs back costs.  stage.mjs ROUNDS WORK, called by bench/stage
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../tests/lib/engine.mjs";
import { kept } from "./limit.mjs";
import { machine } from "./machine.mjs";

const [rounds, work] = [Number(process.argv[2]), process.argv[3]];
const project = join(work, "project");
const files = rounds >= 1000 ? 10_000 : 1_000;
mkdirSync(project);
process.chdir(project);
Object.assign(process.env, { HOME: work, XDG_CONFIG_HOME: work, CCACHE_DIR: join(work, "ccache") });

const has = (command) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
const run = (...args) => execFileSync(binary(), ["run", ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const settle = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Two commands in turns, a process each round. */
function inTurns(reference, ours) {
	const said = execFileSync(join(work, "turns"), [String(rounds), ...reference, "--", ...ours], { encoding: "utf8" });
	return JSON.parse(said).sides;
}

/** The same where something has to be removed before each round. */
function afterRemoval(count, reference, ours) {
	const sides = [reference, ours].map((side) => ({ ...side, times: [] }));
	for (let i = 0; i < count; i++)
		for (const { makes, command, times } of sides) {
			rmSync(makes, { recursive: true, force: true });
			const begun = process.hrtime.bigint();
			execFileSync(command[0], command.slice(1), { stdio: "ignore" });
			times.push(Number(process.hrtime.bigint() - begun) / 1000);
		}
	return sides.map(({ times }) => ({ bestUs: Math.min(...times), medianUs: median(times) }));
}

/** A stage with one dep and one out that has nothing to do. */
function hit() {
	writeFileSync("in.txt", "input\n");
	const args = ["run", "--dep", "in.txt", "--out", "out.txt", "cp", "in.txt", "out.txt"];
	settle();
	for (let i = 0; i < 3; i++, settle()) run(...args.slice(1));
	const plan = spawnSync(binary(), ["run", "--dry-run", ...args.slice(1)], { encoding: "utf8" }).stdout;
	if (!plan.includes("generation match")) throw new Error(`no quick hit: ${plan}`);
	return [binary(), ...args];
}

function* hitRows() {
	const ours = hit();
	yield { what: "run, 1 dep, 1 out, nothing to do", against: "spawning /bin/true", by: "median", sides: inTurns(["/bin/true"], ours) };
	if (!has("ccache") || !has("gcc")) return console.log("ccache or gcc is missing: that row is left out");
	writeFileSync("hello.c", '#include <stdio.h>\nint main(void)\n{\n\treturn puts("hello") < 0;\n}\n');
	const compile = ["ccache", "gcc", "-O2", "-c", "hello.c", "-o", "hello.o"];
	settle();
	for (let i = 0; i < 2; i++, settle()) execFileSync(compile[0], compile.slice(1));
	const stats = execFileSync("ccache", ["--print-stats"], { encoding: "utf8" });
	if (!/^direct_cache_hit\t[1-9]/m.test(stats)) throw new Error("ccache had no direct hit");
	yield { what: "run, 1 dep, 1 out, nothing to do", against: "ccache, direct hit", by: "median", limit: 1 / 3, sides: inTurns(compile, ours) };
}

/** A directory of many small files, made by a stage. */
function* restoreRows() {
	const script = `mkdir out; i=0; while [ $i -lt ${files} ]; do printf '%04096d' $i >out/$i; i=$((i+1)); done`;
	const args = (mode) => ["run", "-n", "many", "--checkout-mode", mode, "--out", "out", "--", "sh", "-c", script];
	run(...args("copy").slice(1));
	execFileSync("cp", ["-r", "out", join(work, "plain")]);
	const count = Math.max(3, Math.ceil(rounds / 50));
	const name = `${files} files of 4 KB come back by`;
	const plain = join(work, "plain");
	yield {
		what: `${name} hardlinks`, against: "linking them", by: "fastest", aim: 1.3,
		sides: afterRemoval(count, { makes: "links", command: [join(work, "links"), plain, "links"] }, { makes: "out", command: [binary(), ...args("hardlink")] }),
	};
	yield {
		what: `${name} copies`, against: "cp -r", by: "fastest", limit: 1.2,
		sides: afterRemoval(count, { makes: "copies", command: ["cp", "-r", plain, "copies"] }, { makes: "out", command: [binary(), ...args("copy")] }),
	};
	rmSync("links", { recursive: true });
	rmSync("copies", { recursive: true });
	settle();
	run(...args("copy").slice(1));
	settle();
	run(...args("copy").slice(1));
	yield {
		what: `${files} files are all there, nothing to do`, against: "git status of them", by: "fastest",
		sides: afterRemoval(count * 3, { makes: "none", command: gitStatus() }, { makes: "none", command: [binary(), ...args("copy")] }),
	};
}

/** git looks at the same files. */
function gitStatus() {
	const git = (...args) => execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { stdio: "ignore" });
	git("init", "-q");
	git("add", "out");
	git("commit", "-qm", "all");
	return ["git", "status", "--porcelain", "out"];
}

const us = (value) => (value < 10_000 ? `${value.toFixed(0)} us` : `${(value / 1000).toFixed(0)} ms`);
/** The figure that counts: the fastest where a round is so long that other work on the machine gets in between. */
const figure = (row, side) => (row.by === "median" ? side.medianUs : side.bestUs);
const met = (word, bound, verdict) => (bound === undefined ? "" : `  ${word} ${bound.toFixed(2)} ${verdict}`);
const rows = [...hitRows(), ...restoreRows()].map(({ sides: [reference, ours], ...row }) => ({
	...row, reference, ours, ratio: figure(row, ours) / figure(row, reference),
}));
console.log("stages");
for (const row of rows) {
	const { what, against, by, reference, ours, ratio, limit, aim } = row;
	const [first, second] = [ours, reference].map((side) => us(figure(row, side)).padStart(8));
	console.log(`  ${what.padEnd(46)} ${first}  ${against.padEnd(20)} ${second}  ratio ${ratio.toFixed(2)} (${by})${met("limit", limit, kept(`${what} (${against})`, ratio, limit))}${met("aim", aim, ratio <= aim ? "yes" : "NO")}`);
}
const calls = spawnSync("sh", ["-c", `strace -f '${binary()}' run --dep in.txt --out out.txt -- cp in.txt out.txt 2>&1 >/dev/null | grep -c '('`], { encoding: "utf8" });
if (has("strace")) console.log(`  system calls of a hit: ${calls.stdout.trim()}`);
const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
writeFileSync(join(root, "build/bench-stage.json"), `${JSON.stringify({ machine: machine(), rounds, files, rows }, null, "\t")}\n`);
