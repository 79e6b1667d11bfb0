// Random histories of reads, judged by a model of the model's mind.
//   node run.mjs [--policy strict|coverage|pieces] [--seed N] [--reads N] [--jobs N] [--self-test | --no-self-test] [--history N] [--keep-going] [--relax altered,eof]
// The self-test tests the oracle, not the executable; under pieces the executable is what lies are made of (forger.mjs).
// Without --policy all are run, each with that many reads, and each in a process of its own. --history runs one
// history of a seed; --relax leaves out a demand on the engine, to look behind what it finds.
// The last line is "N passed, N failed".
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Engine } from "../lib/engine.mjs";
import { sized } from "../lib/size.mjs";
import { attempt, runHistories, shrink } from "./campaign.mjs";
import { USE_CASES } from "./cases-use.mjs";
import { CASES, script } from "./cases.mjs";
import { OWN_CASES } from "./cases-own.mjs";
import { COVER_LIES } from "./cover.mjs";
import { Forger, PIECE_LIES } from "./forger.mjs";
import { POLICIES } from "./history.mjs";
import { LIES, Liar } from "./liar.mjs";
import { SESSION_LIES } from "./liar-session.mjs";
import { TEXT_LIES } from "./liar-text.mjs";
import { tell } from "./report.mjs";

const LIES_OF = { strict: LIES, coverage: COVER_LIES, pieces: PIECE_LIES };
const makeLiar = (policy, lie) => (policy === "pieces" ? new Forger(lie) : new Liar(lie));

function options(argv) {
	const given = { seed: 2, reads: sized(6000), jobs: 2 }; // a seed by which the default run is not weak
	for (let i = 0; i < argv.length; i++) {
		const name = argv[i].replace(/^--/, "");
		if (["seed", "reads", "jobs", "history"].includes(name)) given[name] = Number(argv[++i]);
		else if (name === "policy" && POLICIES.includes(argv[i + 1])) given.policy = argv[++i];
		else if (name === "relax") given.relax = new Set(argv[++i].split(","));
		else if (["self-test", "no-self-test", "keep-going"].includes(name)) given[name] = true;
		else throw new Error(`unknown option ${argv[i]}`);
	}
	return given;
}

/** The fixed histories with ENGINE; gives [passed, failed]. With FIRST the first failure is enough: these cases come first. */
async function runCases(engine, { seed, policy, label, first }) {
	let [passed, failed] = [0, 0];
	for (const [index, name] of Object.keys({ ...first, ...CASES }).entries()) {
		const error = await attempt({ seed, index, engine, policy, empty: true }, script(name));
		error ? failed++ : passed++;
		if (error && label) console.log(`${label}: ${name}\n${tell(error)}\n`);
		if (error && first) break;
	}
	await engine.close();
	return [passed, failed];
}

/** A lie is told in one of the fixed histories, or meets its occasion in a random one. */
async function isCaught({ seed, policy, lie, weights }) {
	const own = policy === "pieces" ? OWN_CASES : CASES;
	const first = lie in SESSION_LIES || lie in TEXT_LIES ? USE_CASES : own;
	const [, failed] = await runCases(makeLiar(policy, lie), { seed, policy, first });
	return failed > 0 || (await hunt({ seed, policy, lie, weights, reads: 2000 }));
}

/** Look for an answer of a lying engine that the oracle does not support. */
async function hunt({ seed, policy, lie, weights, reads }) {
	let found;
	const onFailure = (error) => (found = error);
	const stats = await runHistories({ seed, policy, reads, jobs: 1, makeEngine: () => makeLiar(policy, lie), onFailure, weights });
	if (found && process.env.READCACHE_HISTORY_VERBOSE) console.log(`${lie}: ${stats.reads} reads, ${found.message.slice(0, 150)}`);
	return found;
}

/** Without a lie nothing is found, every lie is found. Gives [passed, failed]. */
async function selfTest({ seed, policy }) {
	let [passed, failed] = await runCases(makeLiar(policy), { seed, policy, label: "self-test" });
	const check = (good, text) => {
		good ? passed++ : failed++;
		if (!good) console.log(`self-test: ${text}`);
	};
	const honest = await hunt({ seed, policy, reads: 800 });
	check(!honest, `an answer of the honest engine was called unsupported\n${honest && tell(honest)}`);
	for (const [lie, weights] of Object.entries(LIES_OF[policy])) {
		check(await isCaught({ seed, policy, lie, weights }), `the lie ${lie} was not caught under ${policy}`);
	}
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
	const weak = given.history === undefined && failed === 0 ? stats.weak(given.policy) : [];
	for (const text of weak) console.log(`weak: ${text}`);
	return [stats.reads - failed, failed + weak.length];
}

/** All that is tested of one policy; gives [passed, failed]. */
async function runPolicy(given) {
	const started = Date.now();
	const { seed, policy } = given;
	console.log(`policy ${policy}, seed ${seed}`);
	// the seed it was tuned with: it tests the oracle, not luck
	const totals = [given["no-self-test"] ? [0, 0] : await selfTest({ seed: 1, policy })];
	if (!given["self-test"] && totals[0][1] === 0) {
		totals.push(await runCases(new Engine(), { seed, policy, label: "case" }));
		totals.push(await realRun(given));
	}
	console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
	return [0, 1].map((i) => totals.reduce((sum, one) => sum + one[i], 0));
}

/** The same command for one policy, beside the other one; gives [passed, failed]. Its output comes when it is done. */
function runBeside(policy) {
	const args = [fileURLToPath(import.meta.url), "--policy", policy, ...process.argv.slice(2)];
	const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
	let text = "";
	child.stdout.on("data", (chunk) => (text += chunk));
	return new Promise((done) => {
		child.on("close", (code) => {
			const last = /(\d+) passed, (\d+) failed\n$/.exec(text);
			console.log(last ? text.slice(0, last.index).trimEnd() : text);
			const [passed, failed] = last ? [Number(last[1]), Number(last[2])] : [0, 1];
			done([passed, code !== 0 && failed === 0 ? 1 : failed]);
		});
	});
}

const given = options(process.argv.slice(2));
const totals = given.policy ? [await runPolicy(given)] : await Promise.all(POLICIES.map(runBeside));
const [passed, failed] = [0, 1].map((i) => totals.reduce((sum, one) => sum + one[i], 0));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
