// The extension in the real host:
//   run.mjs [--pi VERSION] [--only NAME] [--mode serve|oneshot] [--bind tool_result] [--half first|second]
// --only takes a part of a scenario's name; --half leaves out every other pair of scenario and version. See
// tests/pi/README.md.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, node22 } from "../host/paths.mjs";
import { countLine, noteSkip, NOTHING_RUN } from "../lib/skips.mjs";
import { Mismatch, show } from "./lib/expect.mjs";
import { HALVES, isInHalf } from "./lib/halves.mjs";
import { extension } from "./lib/sandbox.mjs";
import { closeProjectors } from "./lib/sessions.mjs";
import { Objection, World } from "./lib/world.mjs";

const AT_ONCE = 2;
const here = dirname(fileURLToPath(import.meta.url));

/** Said in one line. */
class Usage extends Error {}

function parseArguments(args) {
	const options = { pi: undefined, only: undefined, mode: undefined, bind: undefined, half: undefined };
	for (let i = 0; i < args.length; i += 2) {
		const name = args[i].replace(/^--/, "");
		if (!(name in options) || args[i + 1] === undefined)
			throw new Usage(`${args[i]} is no option, or has no value`);
		options[name] = args[i + 1];
	}
	if (options.half && !HALVES.includes(options.half)) throw new Usage(`--half is ${HALVES.join(" or ")}`);
	return options;
}

async function loadScenarios() {
	const files = readdirSync(join(here, "scenarios"))
		.filter((name) => name.endsWith(".mjs"))
		.sort();
	const modules = await Promise.all(files.map((name) => import(join(here, "scenarios", name))));
	return modules
		.flatMap((module, i) => module.default.map((scenario) => ({ ...scenario, file: files[i] })))
		.map((scenario, number) => ({ ...scenario, number }));
}

/** The rows of SPEC.md section 14 that no scenario names. */
function rowsWithout(scenarios) {
	const spec = readFileSync(join(here, "../../SPEC.md"), "utf8");
	const section = spec.split(/^## /m).find((text) => text.startsWith("14. "));
	const rows = [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)).slice(1);
	const covered = new Set(scenarios.flatMap(({ rows }) => rows ?? []));
	return rows.filter((row) => !covered.has(row));
}

/** Every scenario on every version it is for. */
function plan(scenarios, versions, { only, mode, bind, half }) {
	const named = scenarios.filter(({ name }) => only === undefined || name.includes(only));
	const wanted = named.filter(({ ownTool }) => bind === undefined || !ownTool);
	return versions.flatMap((version) =>
		wanted
			.filter((scenario) => !scenario.versions || scenario.versions.includes(version))
			.filter(({ number, versions: fit }) => half === undefined || isInHalf(half, number, version, fit))
			.map((scenario) => ({ scenario, version, mode: scenario.mode ?? mode, bind })),
	);
}

function explain(error) {
	if (!(error instanceof Mismatch)) return [error.stack];
	return [
		error.message,
		`expected: ${show(error.expected)}`,
		`actual: ${show(error.actual)}`,
		error.stack.split("\n").slice(1, 6).join("\n"),
	];
}

async function play({ scenario, version, mode, bind }) {
	const begin = Date.now();
	let world;
	try {
		world = await World.create({ version, mode, bind, settings: scenario.settings, model: scenario.model });
		const note = await scenario.run(world);
		await world.finish();
		const details = scenario.limit ? [`it works, so this is no limit any more: ${scenario.limit}`] : undefined;
		return { seconds: (Date.now() - begin) / 1000, details, note };
	} catch (error) {
		if (scenario.limit && error instanceof Objection) return { seconds: (Date.now() - begin) / 1000 };
		const details = [...explain(error), ...(error.story ? [error.story] : [])];
		if (world?.pi?.stderr) details.push(`pi's stderr: ${world.pi.stderr}`);
		return { seconds: (Date.now() - begin) / 1000, details };
	} finally {
		await world?.remove();
	}
}

function report({ scenario, version, mode, bind }, { seconds, details, note }) {
	const name = `pi ${version}${mode ? ` (${mode})` : ""} ${scenario.name}`;
	const limit = scenario.limit ? ` (a known limit: ${scenario.limit})` : "";
	const more = typeof note === "string" ? `: ${note}` : "";
	console.log(`${details ? "not ok" : "ok"} ${name} ${seconds.toFixed(1)}s${limit}${more}`);
	if (!details) return;
	const again = ["node tests/pi/run.mjs", "--pi", version, "--only", scenario.name];
	if (mode) again.push("--mode", mode);
	if (bind) again.push("--bind", bind);
	for (const detail of [scenario.sees, ...details, `again: ${again.join(" ")}`])
		console.log(detail.replace(/^/gm, "    "));
}

async function main() {
	const options = parseArguments(process.argv.slice(2));
	const versions = installed().filter((version) => options.pi === undefined || version === options.pi);
	if (versions.length === 0 || !existsSync(node22())) {
		noteSkip("pi.host", "all", "the hosts are not there (tests/host/setup fetches them)");
		console.log(countLine({ passed: 0, failed: 0, skipped: 1 }));
		process.exitCode = NOTHING_RUN;
		return;
	}
	if (!existsSync(extension)) throw new Usage(`no extension at ${extension}`);
	const scenarios = await loadScenarios();
	const todo = plan(scenarios, versions, options);
	if (todo.length === 0) throw new Usage(`no scenario has ${JSON.stringify(options.only)} in its name`);
	let [passed, failed] = [0, 0];
	for (const row of rowsWithout(scenarios)) {
		console.log(`not ok row ${row} of SPEC.md section 14 has no scenario`);
		failed += 1;
	}
	const work = async () => {
		for (let item = todo.shift(); item; item = todo.shift()) {
			const result = await play(item);
			report(item, result);
			if (result.details) failed += 1;
			else passed += 1;
		}
	};
	const begin = Date.now();
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	await closeProjectors();
	console.log(`${passed} passed, ${failed} failed (${((Date.now() - begin) / 1000).toFixed(1)}s)`);
	process.exitCode = failed > 0 ? 1 : 0;
}

await main().catch((error) => {
	if (!(error instanceof Usage)) throw error;
	console.error(`run.mjs: ${error.message}`);
	process.exitCode = 2;
});
