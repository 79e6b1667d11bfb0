// Test modules that drive the commands, as a user types them.
//
// Every module of a folder that exports `tests` is a list of {name, run(context)}. A test gets a directory of its own
// and `run(args, options)`, which starts the executable there.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { binary } from "./engine.mjs";
import { countLine, noteSkip, NOTHING_RUN, Skip, suiteName, twinCannot } from "./skips.mjs";
import { PATIENCE } from "./wait.mjs";

/** Nothing of the user's own settings may get in. */
function environment(dir, env) {
	return { PATH: process.env.PATH, HOME: dir, LANG: "C.UTF-8", TERM: "dumb", ...env };
}

function contextIn(dir) {
	const run = (args, { cwd = dir, env = {}, input = "" } = {}) => {
		const options = { cwd, env: environment(dir, env), input, encoding: "utf8", timeout: PATIENCE, maxBuffer: 1 << 28 };
		const { status, signal, stdout, stderr, error } = spawnSync(binary(), args, options);
		if (error && error.code !== "EPIPE") throw error; // it need not read what it is given
		return { status: signal ?? status, stdout, stderr };
	};
	return { binary: binary(), dir, run };
}

async function runTest(test) {
	const dir = mkdtempSync(join(tmpdir(), "readcache-cli-"));
	try {
		await test.run({ ...contextIn(dir), skip: (why) => { throw new Skip(why); } });
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

/** Which tests ARGS ask for: by `--module NAME`, all of one; else those whose name holds one of ARGS; all, without any. */
function chooser(args) {
	if (args[0] === "--module") return (module) => args.slice(1).includes(module);
	return (module, name) => args.length === 0 || args.some((part) => name.includes(part));
}

/** Run what ARGS ask for of the modules of the folder HERE. */
export async function runModules(here, args) {
	const isWanted = chooser(args);
	const count = { passed: 0, failed: 0, skipped: 0 };
	for (const file of readdirSync(here).filter((name) => name.endsWith(".mjs") && name !== "run.mjs").sort()) {
		const { tests = [] } = await import(join(here, file));
		for (const test of tests) {
			const module = file.replace(/\.mjs$/, "");
			const name = `${module}: ${test.name}`;
			if (!isWanted(module, name)) continue;
			const started = performance.now();
			try {
				const cannot = twinCannot(basename(here), name);
				if (cannot) throw new Skip(cannot);
				await runTest(test);
				count.passed++;
				console.log(`ok ${name} (${Math.round(performance.now() - started)} ms)`);
			} catch (error) {
				if (error instanceof Skip) {
					count.skipped++;
					noteSkip(suiteName(basename(here)), name, error.message);
					continue;
				}
				count.failed++;
				console.log(`FAILED ${name}\n  ${String(error?.stack ?? error).replaceAll("\n", "\n  ")}`);
				console.log(`  alone: node tests/${basename(here)}/run.mjs "${test.name}"`);
			}
		}
	}
	console.log(countLine(count));
	// What a failed test has left running must not hold up the rest.
	if (count.failed > 0 || count.passed + count.skipped === 0) process.exit(1);
	process.exit(count.passed === 0 ? NOTHING_RUN : 0);
}
