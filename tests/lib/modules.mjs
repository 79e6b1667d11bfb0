// Test modules that drive the commands, as a user types them.
//
// Every module of a folder that exports `tests` is a list of {name, run(context)}. A test gets a directory of its own
// and `run(args, options)`, which starts the executable there.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { binary } from "./engine.mjs";

/** Nothing of the user's own settings may get in. */
function environment(dir, env) {
	return { PATH: process.env.PATH, HOME: dir, LANG: "C.UTF-8", TERM: "dumb", ...env };
}

function contextIn(dir) {
	const run = (args, { cwd = dir, env = {}, input = "" } = {}) => {
		const options = { cwd, env: environment(dir, env), input, encoding: "utf8", timeout: 120000, maxBuffer: 1 << 28 };
		const { status, signal, stdout, stderr, error } = spawnSync(binary(), args, options);
		if (error && error.code !== "EPIPE") throw error; // it need not read what it is given
		return { status: signal ?? status, stdout, stderr };
	};
	return { binary: binary(), dir, run };
}

class Skip extends Error {}

async function runTest(test) {
	const dir = mkdtempSync(join(tmpdir(), "readcache-cli-"));
	try {
		await test.run({ ...contextIn(dir), skip: (why) => { throw new Skip(why); } });
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

/** Run the modules of the folder HERE whose name, or a test of theirs, holds one of WANTED; all, if that is empty. */
export async function runModules(here, wanted) {
	const count = { passed: 0, failed: 0, skipped: 0 };
	for (const file of readdirSync(here).filter((name) => name.endsWith(".mjs") && name !== "run.mjs").sort()) {
		const { tests = [] } = await import(join(here, file));
		for (const test of tests) {
			const name = `${file.replace(/\.mjs$/, "")}: ${test.name}`;
			if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
			try {
				await runTest(test);
				count.passed++;
				console.log(`ok ${name}`);
			} catch (error) {
				if (error instanceof Skip) {
					count.skipped++;
					console.log(`SKIP ${name}: ${error.message}`);
					continue;
				}
				count.failed++;
				console.log(`FAILED ${name}\n  ${String(error?.stack ?? error).replaceAll("\n", "\n  ")}`);
				console.log(`  alone: node tests/${basename(here)}/run.mjs "${test.name}"`);
			}
		}
	}
	console.log(`${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ""}`);
	// What a failed test has left running must not hold up the rest.
	process.exit(count.failed > 0 || count.passed + count.skipped === 0 ? 1 : 0);
}
