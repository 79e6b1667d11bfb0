// Random histories of reads, judged by a model of the model's mind.
//   node run.mjs [--seed N] [--reads N] [--jobs N] [--self-test] [--history N] [--keep-going] [--relax altered,eof]
// --history runs one history of a seed; --relax leaves out a demand on the engine, to look behind what it finds.
// The last line is "N passed, N failed".
import { Engine } from "../lib/engine.mjs";
import { attempt, runHistories, shrink } from "./campaign.mjs";
import { CASES, script } from "./cases.mjs";
import { LIES, Liar } from "./liar.mjs";
import { tell } from "./report.mjs";

function options(argv) {
	const given = { seed: 1, reads: 6000, jobs: 2 };
	for (let i = 0; i < argv.length; i++) {
		const name = argv[i].replace(/^--/, "");
		if (["seed", "reads", "jobs", "history"].includes(name)) given[name] = Number(argv[++i]);
		else if (name === "relax") given.relax = new Set(argv[++i].split(","));
		else if (["self-test", "keep-going"].includes(name)) given[name] = true;
		else throw new Error(`unknown option ${argv[i]}`);
	}
	return given;
}

/** The fixed histories; gives [passed, failed]. */
async function runCases(engine, seed, label) {
	let [passed, failed] = [0, 0];
	for (const [index, name] of Object.keys(CASES).entries()) {
		const error = await attempt({ seed, index, engine }, script(name));
		error ? failed++ : passed++;
		if (error && label) console.log(`${label}: ${name}\n${tell(error)}\n`);
	}
	await engine.close();
	return [passed, failed];
}

/** A lie is told in one of the fixed histories, or meets its occasion in a random one. */
async function isCaught(seed, lie, weights) {
	if (await hunt(seed, lie, 2000, weights)) return true;
	return (await runCases(new Liar(lie), seed))[1] > 0;
}

/** Look for an answer of a lying engine that the oracle does not support. */
async function hunt(seed, lie, reads, weights) {
	let found;
	const onFailure = (error) => (found = error);
	const stats = await runHistories({ seed, reads, jobs: 1, makeEngine: () => new Liar(lie), onFailure, weights });
	if (found && process.env.READCACHE_HISTORY_VERBOSE) console.log(`${lie}: ${stats.reads} reads, ${found.message.slice(0, 150)}`);
	return found;
}

/** Without a lie nothing is found, every lie is found. Gives [passed, failed]. */
async function selfTest(seed) {
	let [passed, failed] = await runCases(new Liar(), seed, "self-test");
	const check = (good, text) => {
		good ? passed++ : failed++;
		if (!good) console.log(`self-test: ${text}`);
	};
	const honest = await hunt(seed, undefined, 1500);
	check(!honest, `an answer of the honest engine was called unsupported\n${honest && tell(honest)}`);
	for (const [lie, weights] of Object.entries(LIES)) check(await isCaught(seed, lie, weights), `the lie ${lie} was not caught`);
	console.log(`self-test: ${passed} passed, ${failed} failed`);
	return [passed, failed];
}

/** Random histories against the executable; gives [passed, failed]. */
async function realRun(given) {
	let failed = 0;
	const onFailure = async (error, settings, actions) => {
		failed++;
		console.log(tell(error));
		console.log(`--- the same, shortened:\n${tell(await shrink(settings, actions, error), 40)}\n---`);
		return !given["keep-going"];
	};
	const stats = await runHistories({ ...given, makeEngine: () => new Engine(), onFailure });
	stats.print();
	const weak = given.history === undefined && failed === 0 ? stats.weak() : [];
	for (const text of weak) console.log(`weak: ${text}`);
	return [stats.reads - failed, failed + weak.length];
}

async function main() {
	const given = options(process.argv.slice(2));
	const started = Date.now();
	console.log(`seed ${given.seed}`);
	const totals = [await selfTest(1)]; // the seed it was tuned with: it tests the oracle, not luck
	if (!given["self-test"] && totals[0][1] === 0) {
		totals.push(await runCases(new Engine(), given.seed, "case"));
		totals.push(await realRun(given));
	}
	const [passed, failed] = [0, 1].map((i) => totals.reduce((sum, one) => sum + one[i], 0));
	console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

await main();
