// The executable against the real host: fixed cases, every decomposable
// character, then random files, arguments and path spellings.
//
//   random.mjs [--seed N] [--cases N] [--stop N] [--only CASE] [--keep]
//
// Runs under Node 22 with the hosts of tests/host/setup. --stop ends the run
// after so many mismatches; --only runs a single case as it is named in a
// report; --keep leaves the temporary directory.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Engine } from "../lib/engine.mjs";
import { sized } from "../lib/size.mjs";
import { countLine, noteSkip } from "../lib/skips.mjs";
import { within } from "../lib/wait.mjs";
import { describe, randomArguments, randomContents } from "./contents.mjs";
import { decompositionCases, fixedCases } from "./fixed.mjs";
import { expectations, judge, loadHosts, outcome, shown } from "./oracle.mjs";
import { generator } from "./rng.mjs";
import { homeValues, makeWorld, randomCwd, randomPath, randomTarget } from "./world.mjs";

const { values: options } = parseArgs({
	options: { seed: { type: "string", default: "1" }, cases: { type: "string", default: String(sized(4000)) }, stop: { type: "string", default: "5" }, only: { type: "string" }, keep: { type: "boolean" } },
});
const seed = options.seed === "random" ? Date.now() % 1_000_000 : Number(options.seed);
const cases = Number(options.cases);
const stop = Number(options.stop);
if (![seed, cases, stop].every((value) => Number.isInteger(value) && value >= 0)) throw new Error("--seed, --cases and --stop take whole numbers");

/** The same lines as a range behind the path. */
function suffix({ offset, limit }) {
	return `${offset ?? 1}${limit === undefined ? "" : `-${(offset ?? 1) + limit - 1}`}`;
}

function randomCase(number, world, homes) {
	const random = generator(seed, number);
	const home = random.weighted([[8, "usual"], ...Object.keys(homes).map((name) => [1, name])]);
	const cwd = randomCwd(random, world);
	const made = { name: String(number), home, cwd, nested: random.chance(0.3), bypass: random.chance(0.1), spelling: random.int(0, 9) };
	if (random.chance(0.55)) {
		const { parts, bytes } = randomContents(random);
		const target = randomTarget(random, world);
		const path = random.chance(0.6) ? target : randomPath(random, world, { cwd, home: homes[home], target });
		const args = randomArguments(random, bytes);
		if (random.chance(0.05)) return { ...made, file: { target, parts, bytes }, params: { path: `${path}:${suffix(args)}` } };
		return { ...made, file: { target, parts, bytes }, params: { path, ...args } };
	}
	const args = random.chance(0.2) ? randomArguments(random, Buffer.alloc(10, 10)) : {};
	return { ...made, params: { path: randomPath(random, world, { cwd, home: homes[home] }), ...args } };
}

/** The request as a JSON text, which may be spelled in more than one way. */
function requestLine(item, world) {
	const { cwd, params, nested, bypass } = item;
	const request = { v: 1, id: item.name, op: "read", cwd, ...(nested && { nested }), params: { ...params, ...(bypass && { bypass_cache: true }) }, store: world.store };
	const text = JSON.stringify(request);
	if (item.spelling === 1) return text.replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
	if (item.spelling === 2) return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`).replaceAll("/", "\\/");
	return text;
}

/** One engine for every HOME, started when it is first needed. */
class Engines {
	#running = new Map();

	constructor(homes) {
		this.homes = homes;
	}

	async answer(home, line) {
		if (!this.#running.has(home)) this.#running.set(home, new Engine({ env: { HOME: this.homes[home] } }));
		const engine = this.#running.get(home);
		try {
			return JSON.parse(await within(engine.line(line), "an answer")); // a pipe that is opened blocks for ever
		} catch (error) {
			engine.child.kill("SIGKILL");
			this.#running.delete(home);
			throw error;
		}
	}

	/** The messages of engines that did not end well. */
	async close() {
		const bad = [];
		for (const [home, engine] of this.#running) {
			const { code, signal } = await engine.close();
			if (code !== 0) bad.push(`the engine for HOME ${home} ended with ${signal ?? code}: ${engine.stderr}`);
		}
		return bad;
	}
}

function setHome(value) {
	if (value === undefined) delete process.env.HOME;
	else process.env.HOME = value;
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function report(item, line, reason, response, expected, homes) {
	console.log(`not ok: seed ${seed}, case ${item.name} (again with --seed ${seed} --only ${item.name} --keep)`);
	console.log(`  ${reason}`);
	if (item.file) console.log(`  file:    ${describe(item.file.parts)} > ${quoted(item.file.target)}`);
	const home = homes[item.home] === undefined ? "env -u HOME" : `HOME=${quoted(homes[item.home])}`;
	console.log(`  request: printf '%s' ${quoted(line)} | ${home} readcache`);
	for (const one of expected) console.log(`  host:    ${shown(one.invalid ? "Invalid range" : one.answers[0])}`);
	console.log(`  engine:  ${shown(response)}`);
}

async function runCase(item, { world, hosts, homes, engines, counts }) {
	if (item.file) writeFileSync(item.file.target, item.file.bytes);
	const line = requestLine(item, world);
	setHome(homes[item.home]);
	const expected = item.expected ? await item.expected(hosts) : await expectations(hosts, item);
	let response;
	let reason;
	try {
		response = await engines.answer(item.home, line);
		reason = response.id === item.name ? judge(response, expected) : "the id is not echoed";
		if (reason === null && item.nested && response.result?.details?.readcache) reason = "metadata for a nested call";
		counts.set(outcome(response), (counts.get(outcome(response)) ?? 0) + 1);
	} catch (error) {
		reason = error.message;
	}
	if (item.file && !options.keep) rmSync(item.file.target, { force: true });
	if (reason !== null && item.mayMiss && response?.error?.code === "ENOENT") {
		noteSkip("parity", `random: ${item.name}`, "a character that is too new for the executable's Unicode library");
		return "skipped";
	}
	if (reason !== null) report(item, line, reason, response, expected, homes);
	return reason === null ? "passed" : "failed";
}

/** Unreadable files need another user than root: a program of its own. */
function runAccess() {
	const run = spawnSync(process.execPath, [fileURLToPath(new URL("access.mjs", import.meta.url))], { encoding: "utf8" });
	const output = run.stdout.trimEnd().split("\n");
	const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(output.pop() ?? "") ?? [];
	if (output.length > 0) console.log(output.join("\n"));
	if (passed === undefined) {
		console.log(`not ok: access.mjs did not finish: ${run.stderr}`);
		return { passed: 0, failed: 1 };
	}
	return { passed: Number(passed), failed: Number(failed) };
}

async function* allCases(world, homes) {
	yield* fixedCases(world);
	yield* decompositionCases(world);
	for (let number = 0; number < cases; number++) yield randomCase(number, world, homes);
}

async function main() {
	const world = await makeWorld();
	const homes = homeValues(world);
	const hosts = await loadHosts();
	const engines = new Engines(homes);
	const counts = new Map();
	const sum = { passed: 0, failed: 0, skipped: 0 };
	console.log(`random parity: seed ${seed}, ${cases} random cases, pi ${hosts.map(({ version }) => version).join(" and ")}`);
	try {
		for await (const item of allCases(world, homes)) {
			if (options.only !== undefined && item.name !== options.only) continue;
			// objects pile up otherwise; the store may vanish at any time
			if (sum.passed % 500 === 499) rmSync(world.store, { recursive: true, force: true });
			sum[await runCase(item, { world, hosts, homes, engines, counts })]++;
			if (sum.failed >= stop) {
				console.log(`${stop} mismatches: that is enough`);
				break;
			}
		}
		for (const message of await engines.close()) {
			console.log(`not ok: ${message}`);
			sum.failed++;
		}
	} finally {
		if (options.keep) console.log(`kept: ${world.root}`);
		else world.remove();
	}
	for (const [name, count] of [...counts].sort()) console.log(`  ${String(count).padStart(6)}  ${name}`);
	if (options.only === undefined) {
		const access = runAccess();
		sum.passed += access.passed;
		sum.failed += access.failed;
	}
	console.log(countLine(sum));
	process.exit(sum.failed > 0 ? 1 : 0);
}

await main();
