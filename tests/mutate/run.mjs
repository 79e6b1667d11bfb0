// Every mutant dies: small wrong changes are made to the program, and a test must notice each. See README.md.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { mutantsIn, sample } from "./choose.mjs";
import { readEquivalents, readKillers, readNamed, writeKillers } from "./lists.mjs";
import { groups, testsOf } from "./suite.mjs";
import { buildTree, writeTree } from "./tree.mjs";
import { attempt, Executables, measure, remove } from "./trial.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const usage = "usage: run [--all] [--only FILE[:LINE]|TEXT] [--list] [--seed N] [--sample N] [--wider N] [--go-on] [--seconds N] [--cost N] [--jobs N] [--killers] [--fresh] [--suites NAME,...]";

function options(words) {
	// 60 s of tests: enough for all that are near to it; what is further away meets it by chance.
	const given = { sample: 60, wider: 1, seconds: Infinity, cost: 60, jobs: Math.min(availableParallelism(), 4) };
	for (let at = 0; at < words.length; at++) {
		const name = words[at].replace(/^--/, "");
		if (["all", "list", "go-on", "killers", "fresh"].includes(name)) given[name] = true;
		else if (["sample", "wider", "seconds", "cost", "jobs"].includes(name)) given[name] = Number(words[++at]);
		else if (["only", "seed", "suites"].includes(name)) given[name] = words[++at];
		else {
			console.error(usage);
			process.exit(2);
		}
	}
	return given;
}

const hashOf = (text) => createHash("sha256").update(text).digest("hex");

/** Work on ITEMS, two or more at a time; DO gets one and the number of who does it. */
async function side(items, jobs, run) {
	const waiting = [...items];
	await Promise.all(Array.from({ length: jobs }, async (_, worker) => {
		while (waiting.length > 0) await run(waiting.shift(), worker);
	}));
}

class Run {
	constructor(given) {
		this.given = given;
		this.jobs = given.jobs;
		this.work = join(root, "build/mutate");
		this.copy = join(this.work, "tree");
		this.build = join(this.work, "build");
		this.started = Date.now();
	}

	over() {
		return (Date.now() - this.started) / 1000 > this.given.seconds;
	}

	load() {
		const sourceOf = (path) => readFileSync(join(root, path), "utf8");
		const found = mutantsIn(root, this.given.wider);
		this.sites = found.length;
		this.ids = new Set(found.map(({ id }) => id));
		this.killers = readKillers(join(here, "killers.txt"), this.ids);
		this.named = readNamed(join(here, "named.txt"), sourceOf);
		this.equivalents = readEquivalents(join(here, "equivalents.txt"));
		const one = (mutant) => this.given.only && (mutant.id.includes(this.given.only) || `${mutant.file}:${mutant.line}` === this.given.only);
		// What is asked for by name is tried, whether it is among the usual ones or not.
		this.mutants = [...found.filter((mutant) => mutant.tried || this.equivalents.has(mutant.id) || one(mutant)), ...this.named];
		for (const [at, mutant] of this.mutants.entries()) mutant.number = at + 1;
		for (const { id, killer } of this.named) this.killers.set(id, killer);
		const isFresh = ({ id }) => !this.killers.has(id) && !this.equivalents.has(id);
		this.chosen = this.mutants.filter((mutant) => (!this.given.only || one(mutant)) && (!this.given.fresh || isFresh(mutant)));
	}

	prepare() {
		mkdirSync(this.work, { recursive: true });
		writeTree(root, this.copy, this.mutants);
		const files = [...new Set(this.mutants.map(({ file }) => file))].sort();
		this.hash = hashOf(files.map((file) => readFileSync(join(root, file))).join());
		this.executables = new Executables(this.build);
		this.dir = realpathSync(mkdtempSync(join(tmpdir(), "readcache-mutate-")));
		chmodSync(this.dir, 0o755); // some tests are run as another user
	}

	buildAll(targets) {
		buildTree(this.copy, this.build, targets, this.jobs);
		console.log(`built, ${this.seconds()} s`);
	}

	seconds() {
		return ((Date.now() - this.started) / 1000).toFixed(0);
	}

	/** What every test reaches and takes, from the last time if the sources are the same: {ms, reached: [id]}. */
	async measureAll() {
		const file = join(this.work, "reached.json");
		const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
		const same = before.hash === this.hash;
		this.reach = same ? before.tests : {};
		this.measured = new Set(same ? before.measured : this.mutants.map(({ id }) => id));
		const missing = this.tests.filter(({ name, of }) => this.reach[name]?.of !== of);
		const bad = [];
		await side(groups(missing), this.jobs, async (group, worker) => {
			if (this.over()) return;
			const place = { executables: this.executables, copy: this.copy, dir: join(this.dir, `w${worker}`), count: this.mutants.length };
			let result = await measure(group, place);
			if (!result.ok && result.failed.length > 0) result = await measure(group, place); // some are hasty
			const skipped = !result.ok && result.failed.length === 0 && /\b0 failed/.test(result.text); // all of them
			if (skipped) result = { ...result, ok: true, reached: [] };
			if (!result.ok) bad.push(`${result.failed.join(", ")}\n${result.text.slice(-3000)}`);
			// What one of them reaches any of them may: it is only a matter of time.
			else for (const { name, of } of group) this.reach[name] = { of, ms: Math.round(result.ms / group.length), reached: result.reached.map((number) => this.mutants[number - 1].id) };
			writeFileSync(file, JSON.stringify({ hash: this.hash, measured: [...this.measured], tests: this.reach }));
		});
		for (const text of bad) console.log(`fails without any mutant: ${text}`);
		console.log(`measured ${missing.length} tests, ${this.seconds()} s`);
		return bad.length === 0;
	}

	/** The tests that reach MUTANT, those near to it first. */
	candidates(mutant) {
		const order = ["unit", "matrix", "files", "work", "flow", "cli", "hostile"];
		const unknown = !this.measured.has(mutant.id) && !this.killers.has(mutant.id);
		const reaching = this.tests.filter(({ name }) => this.reach[name] && (unknown || this.reach[name].reached.includes(mutant.id)));
		const served = new Set(reaching.filter(({ suite }) => suite === "matrix").map(({ word }) => word));
		const cost = ({ name }) => this.reach[name].ms;
		const first = this.tests.find(({ name }) => name === this.killers.get(mutant.id));
		const rest = reaching
			.filter((test) => test !== first && !(test.suite === "files" && served.has(test.word)))
			.sort((a, b) => order.indexOf(a.suite) - order.indexOf(b.suite) || cost(a) - cost(b));
		const taken = first ? [first] : [];
		let sum = 0;
		for (const test of rest) if ((sum += cost(test)) <= this.given.cost * 1000 || test.suite === "unit") taken.push(test);
		return taken;
	}

	async tryOne(mutant, worker, tests) {
		const costs = new Map(Object.entries(this.reach).map(([name, { ms }]) => [name, ms]));
		return attempt(mutant.number, tests, { executables: this.executables, copy: this.copy, dir: join(this.dir, `w${worker}`), costs });
	}
}

/** Every chosen mutant against all tests that reach it. */
async function full(run) {
	const file = join(run.work, "results.json");
	const before = run.given["go-on"] && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
	const results = new Map(Object.entries(before.results ?? {}).filter(([id, { killed, hash }]) => killed || hash === run.hash));
	const suites = run.given.suites?.split(",");
	run.tests = (await testsOf(run.copy)).filter(({ suite }) => !suites || suites.includes(suite));
	run.buildAll(["readcache", ...run.tests.filter(({ suite }) => suite === "unit").map(({ word }) => word)]);
	if (!(await run.measureAll())) return 1;
	await side(run.chosen.filter(({ id }) => !results.has(id)), run.jobs, async (mutant, worker) => {
		if (run.over()) return;
		const tests = run.candidates(mutant);
		const result = { ...(await run.tryOne(mutant, worker, tests)), tests: tests.length, hash: run.hash };
		results.set(mutant.id, result);
		if (!result.killed && !run.equivalents.has(mutant.id)) console.log(`survives ${mutant.file}:${mutant.line ?? ""} (${tests.length} tests reach it)\n  ${mutant.id}  ->  ${mutant.text || "nothing"}`);
		writeFileSync(file, JSON.stringify({ results: Object.fromEntries(results) }));
	});
	const dead = run.mutants.filter(({ id, rule }) => rule !== "named" && results.get(id)?.killed);
	const known = run.given.all ? [] : [...run.killers].filter(([id]) => run.ids.has(id)); // of the others
	if (run.given.killers) writeKillers(join(here, "killers.txt"), new Map([...known, ...dead.map(({ id }) => [id, results.get(id).by])]));
	return report(run, results);
}

function report(run, results) {
	const folders = new Map();
	const wrong = [];
	let left = 0;
	for (const mutant of run.chosen) {
		const folder = mutant.rule === "named" ? "named" : mutant.file.split("/")[1];
		const row = folders.get(folder) ?? folders.set(folder, { tried: 0, killed: 0, equivalent: 0, alive: 0 }).get(folder);
		const result = results.get(mutant.id);
		if (!result) {
			left++;
			continue;
		}
		row.tried++;
		const explained = run.equivalents.has(mutant.id);
		if (result.killed && explained) wrong.push(`is said to be equivalent, and dies of ${result.by}: ${mutant.id}`);
		else if (!result.killed && !explained) wrong.push(`survives: ${mutant.id}`);
		if (result.killed) row.killed++;
		else if (explained) row.equivalent++;
		else row.alive++;
	}
	for (const [folder, row] of folders) console.log(`${folder.padEnd(10)} ${row.tried} mutants, ${row.killed} killed, ${row.equivalent} equivalent, ${row.alive} alive`);
	return conclude(run, wrong, left);
}

function conclude(run, wrong, left) {
	for (const id of run.equivalents.keys()) if (!run.ids.has(id)) wrong.push(`equivalents.txt: there is no such mutant (any more): ${id}`);
	for (const [id, reason] of run.equivalents) if (!reason) wrong.push(`equivalents.txt: no reason: ${id}`);
	for (const text of wrong) console.log(text);
	if (left > 0) console.log(`${left} were not tried: the time was over; --go-on tries them`);
	console.log(`${wrong.length === 0 ? "passed" : `${wrong.length} wrong`}, ${run.seconds()} s`);
	return wrong.length === 0 ? 0 : 1;
}

/** A sample: each mutant against the test that killed it last; only one that outlives it costs more. */
async function bounded(run) {
	run.tests = await testsOf(run.copy);
	const known = run.chosen.filter(({ id }) => run.killers.has(id));
	const fresh = run.chosen.filter(({ id }) => !run.killers.has(id) && !run.equivalents.has(id));
	const seed = run.given.seed ?? run.hash.slice(0, 8);
	const named = known.filter(({ rule }) => rule === "named");
	const taken = [...named, ...sample(known.filter(({ rule }) => rule !== "named"), seed, run.given.sample)];
	console.log(`seed ${seed}: ${taken.length} of ${run.chosen.length} mutants, of ${run.sites} that could be made`);
	if (fresh.length > 0) console.log(`${fresh.length} are new since the last full run, and not tried here`);
	const units = new Set(taken.map(({ id }) => /^unit: (.*)/.exec(run.killers.get(id))?.[1]).filter(Boolean));
	run.buildAll(["readcache", ...units]);
	run.reach = {};
	const byName = new Map(run.tests.map((test) => [test.name, test]));
	const wrong = [];
	const alive = [];
	await side(taken, run.jobs, async (mutant, worker) => {
		const test = byName.get(run.killers.get(mutant.id));
		const result = test ? await run.tryOne(mutant, worker, [test]) : { killed: false };
		if (!result.killed) alive.push(mutant);
	});
	console.log(`${taken.length - alive.length} killed by the test that is known for it, ${run.seconds()} s`);
	// The tests that killed must pass when there is nothing to kill.
	const used = [...new Set(taken.map(({ id }) => byName.get(run.killers.get(id))).filter(Boolean))];
	await side(used, run.jobs, async (test, worker) => {
		const result = await run.tryOne({ number: 0 }, worker, [test]);
		if (result.killed) wrong.push(`fails without any mutant: ${test.name}`);
	});
	console.log(`${used.length} tests pass without a mutant, ${run.seconds()} s`);
	if (alive.length > 0) wrong.push(...(await hunt(run, alive)));
	return conclude(run, wrong, 0);
}

/** Mutants that outlived the test that is known for them: perhaps another one kills them. Gives what is wrong. */
async function hunt(run, alive) {
	console.log(`${alive.length} outlived it: all tests are asked, which takes minutes`);
	run.buildAll(["readcache", ...run.tests.filter(({ suite }) => suite === "unit").map(({ word }) => word)]);
	if (!(await run.measureAll())) return ["there are tests that fail without any mutant"];
	const wrong = [];
	await side(alive, run.jobs, async (mutant, worker) => {
		const result = await run.tryOne(mutant, worker, run.candidates(mutant));
		if (!result.killed) wrong.push(`survives: ${mutant.id}`);
		else console.log(`killed by ${result.by}, not by ${run.killers.get(mutant.id)}; --all --killers notes it: ${mutant.id}`);
	});
	return wrong;
}

const given = options(process.argv.slice(2));
const run = new Run(given);
run.load();
if (given.list) {
	for (const mutant of run.chosen) console.log(`${mutant.file}:${mutant.line ?? ""}\t${mutant.id}\t${mutant.text || "nothing"}`);
	console.log(`${run.chosen.length} mutants, of ${run.sites} that could be made`);
} else {
	run.prepare();
	try {
		process.exitCode = given.all || given.only || given.fresh ? await full(run) : await bounded(run);
	} finally {
		remove(run.dir);
	}
}
