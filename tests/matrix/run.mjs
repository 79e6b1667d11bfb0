// Runs the cases of this directory against the executable:
//   run.mjs [--way=serve|calls|files|two] [--verdicts=DIRECTORY] [number ...]
// --way=two: serve and, from case to case, calls or files. --verdicts: where to note how each case went, for `one`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { binary } from "../lib/engine.mjs";
import { CaseError, parseCase } from "./parse.mjs";
import { verbs } from "./verbs.mjs";
import { Mismatch, ways, World } from "./world.mjs";
import { checkTheChecks } from "./wrong.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const umask = process.umask();
let passed = 0;
let failed = 0;

/** Gives what was said. */
function report(ok, name, ...details) {
	if (ok) passed += 1;
	else failed += 1;
	const text = [`${ok ? "ok" : "not ok"} ${name}`, ...details.map((detail) => detail.replace(/^/gm, "    "))].join("\n");
	console.log(text);
	return { ok, text };
}

/** For `one`: whether it went well and who has asked, in a line, and what was said of the case. */
function note(directory, number, { ok, text }) {
	writeFileSync(join(directory, number), `${ok ? 0 : 1} ${process.ppid}\n${text}\n`);
}

/** A value for a person: text as lines behind a bar, everything else as JSON; the middle of long texts is left out. */
function show(value) {
	if (typeof value !== "string") return ` ${JSON.stringify(value) ?? "nothing"}`;
	const lines = value.split("\n");
	if (lines.length > 60) lines.splice(20, lines.length - 40, `... ${lines.length - 40} lines ...`);
	const short = lines.map((line) => (line.length > 300 ? `${line.slice(0, 140)}...${line.slice(-140)}` : line));
	return short.length === 1 ? ` ${short[0]}` : ["", ...short.map((line) => `| ${line.replaceAll("\r", "\\r")}`)].join("\n");
}

/** Steps in one world; gives the transcript, or throws what went wrong and where. */
async function play(scenario, way, directory) {
	const world = new World(directory, way);
	let step;
	try {
		for (step of scenario.steps) await step.definition.run(world, step);
		step = undefined;
		await world.stop();
		return world.transcript;
	} catch (error) {
		error.where = `${basename(scenario.file)}${step ? `:${step.line}: ${step.source}` : ": at the end"}`;
		error.answer = world.answer;
		throw error;
	} finally {
		world.kill();
		process.umask(umask);
	}
}

/** The ways to run a case: those it is for, or what of them was asked for. */
function waysOf(scenario, way) {
	const only = scenario.steps.find(({ verb }) => verb === "only")?.args.ways.split(",");
	const fit = ways.filter((each) => !only || only.includes(each));
	const leftOut = Number(scenario.number) % 2 === 0 ? "calls" : "files";
	if (way === "two") return only ? fit : fit.filter((each) => each !== leftOut);
	return fit.filter((each) => !way || each === way);
}

/** The same case in CHOSEN ways, in the same place, so that the answers can be compared letter for letter. */
async function runCase(scenario, chosen, root) {
	const name = `${scenario.number} ${scenario.title}`;
	const directory = join(root, basename(scenario.file, ".case"));
	let before;
	for (const way of chosen) {
		rmSync(directory, { recursive: true, force: true });
		try {
			const transcript = await play(scenario, way, directory);
			const at = before ? transcript.findIndex((answer, i) => answer !== before[i]) : -1;
			if (at !== -1) throw new Mismatch(`answer ${at + 1}, as in the way before`, before[at], transcript[at]);
			before ??= transcript;
		} catch (error) {
			const details = [`${error.where ?? basename(scenario.file)}   (${way})`];
			if (error instanceof Mismatch)
				details.push(`${error.message}`, `expected:${show(error.expected)}`, `actual:${show(error.actual)}`);
			else details.push(error.stack);
			if (error.answer) details.push(`latest answer: ${show(JSON.stringify(error.answer)).trim()}`);
			details.push(`kept: ${directory}`);
			return report(false, name, ...details);
		}
	}
	rmSync(directory, { recursive: true, force: true });
	return report(true, name);
}

/** Text of a numbered section of SPEC.md. */
function section(spec, number) {
	const part = spec.split(/^## /m).find((text) => text.startsWith(`${number}. `)) ?? "";
	return part.slice(part.indexOf("\n") + 1);
}

/** The contract's rows and rules all have their scenarios, and the rows' words are the titles. */
function checkCompleteness(scenarios) {
	const spec = readFileSync(join(here, "../../SPEC.md"), "utf8");
	const rows = new Map();
	for (const [, number, words] of section(spec, 14).matchAll(/^(\d+)\. (.*(?:\n {2,}.*)*)/gm))
		rows.set(number.padStart(2, "0"), words.replace(/\s+/g, " ").trim());
	const titles = new Map(scenarios.map(({ number, title }) => [number, title]));
	const wrong = [];
	for (const [number, words] of rows) {
		if (!titles.has(number)) wrong.push(`${number} ${words}: no scenario`);
		else if (titles.get(number) !== words) wrong.push(`${number} ${words}: the title is "${titles.get(number)}"`);
	}
	for (const [number, title] of titles)
		if (Number(number) <= 100 && !rows.has(number)) wrong.push(`${number} ${title}: no such row`);
	report(rows.size > 0 && wrong.length === 0, `-- every row of SPEC.md section 14 has its scenario (${rows.size} rows)`, ...wrong);

	const rules = [...section(spec, 8).matchAll(/^- \*\*(T\d+) /gm)].map(([, rule]) => rule);
	const ruleOf = ({ number, title }) => (Number(number) > 100 && Number(number) <= 200 ? title.split(" ")[0] : undefined);
	const bare = rules.filter((rule) => !scenarios.some((scenario) => ruleOf(scenario) === rule));
	const unknown = scenarios.filter((scenario) => ruleOf(scenario) && !rules.includes(ruleOf(scenario)));
	report(
		rules.length > 0 && bare.length === 0 && unknown.length === 0,
		`-- every truth rule of SPEC.md section 8 has a scenario (${rules.length} rules)`,
		...bare.map((rule) => `${rule}: no scenario`),
		...unknown.map(({ number, title }) => `${number} ${title}: no such rule`),
	);

	const readme = readFileSync(join(here, "README.md"), "utf8");
	const silent = Object.entries(verbs).filter(([verb, { usage }]) => !readme.includes(`\`${`${verb} ${usage}`.trim()}\``));
	report(silent.length === 0, "-- every verb is explained in README.md", ...silent.map(([verb, { usage }]) => `\`${verb} ${usage}\` is not`));
}

function load() {
	const scenarios = [];
	for (const name of readdirSync(here).filter((file) => file.endsWith(".case"))) {
		try {
			const scenario = parseCase(join(here, name), readFileSync(join(here, name), "utf8"), verbs);
			const twin = scenarios.find(({ number }) => number === scenario.number);
			if (twin) throw new CaseError(name, 1, `${scenario.number} is also the number of ${basename(twin.file)}`);
			scenarios.push(scenario);
		} catch (error) {
			if (!(error instanceof CaseError)) throw error;
			report(false, name, error.message.replace(here + "/", ""));
		}
	}
	return scenarios.sort((a, b) => Number(a.number) - Number(b.number));
}

const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const numbers = process.argv.slice(2).filter((word) => !word.startsWith("--")).map(Number);
const way = options.find((word) => word.startsWith("--way="))?.slice(6);
const verdicts = options.find((word) => word.startsWith("--verdicts="))?.slice(11);
if (options.some((word) => !/^--(way|verdicts)=/.test(word)) || (way && ![...ways, "two"].includes(way)) || numbers.some(Number.isNaN)) {
	console.error("usage: run.mjs [--way=serve|calls|files|two] [--verdicts=DIRECTORY] [number ...]");
	process.exit(2);
}

binary(); // says so now if there is none
const root = realpathSync(mkdtempSync(join(tmpdir(), "readcache-matrix-")));
const scenarios = load();
const chosen = scenarios.filter(({ number }) => numbers.length === 0 || numbers.includes(Number(number)));
for (const number of numbers) if (!chosen.some((scenario) => Number(scenario.number) === number)) report(false, `${number}`, "there is no such case");
if (verdicts) {
	rmSync(verdicts, { recursive: true, force: true });
	mkdirSync(verdicts, { recursive: true });
}
for (const scenario of chosen) {
	const said = await runCase(scenario, waysOf(scenario, way), root);
	if (verdicts) note(verdicts, scenario.number, said);
}
if (numbers.length === 0) {
	checkCompleteness(scenarios);
	const directory = mkdtempSync(join(root, "checks-"));
	const { count, faults } = checkTheChecks(directory);
	report(faults.length === 0, `-- wrong answers in pieces do not pass the checks (${count})`, ...faults);
	rmSync(directory, { recursive: true });
}
try {
	rmdirSync(root);
} catch {
	// the directories of failed cases stay
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
