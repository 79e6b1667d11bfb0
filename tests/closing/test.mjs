// The closing table itself: what it counts, and that a skip nobody expects is seen.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { close, isLike, readExpected } from "./closing.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** An entry as ctest 3.25 writes it. */
const entry = (name, output, { verdict = "Test Passed.", seconds = "0.10" } = {}) => `
1/9 Testing: ${name}
1/9 Test: ${name}
Command: "/usr/bin/node" "x"
Directory: /somewhere
"${name}" start time: Nov 18 05:44 UTC
Output:
----------------------------------------------------------
${output}
<end of output>
Test time =   ${seconds} sec
----------------------------------------------------------
${verdict}
"${name}" end time: Nov 18 05:44 UTC
"${name}" time elapsed: 00:00:00
----------------------------------------------------------
`;
const step = (log, skips = "", name = "release") => ({ name, log, skips });
const EXPECTED = "# a comment\n\nsanitized | cli | memory: * | a sanitizer has * memory\nalways | parity | x | y\n";
const KNOWN = "cli\tmemory: 60 MB (large)\ta sanitizer has its own memory\n";

/** `run.mjs` over steps, given as {name: {log, skips}}; gives {status, stdout}. */
function run(steps, env = {}) {
	const dir = mkdtempSync(join(tmpdir(), "readcache-closing-"));
	try {
		const places = Object.entries(steps).map(([name, files]) => {
			mkdirSync(join(dir, name));
			for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, name, file), text);
			return join(dir, name);
		});
		const { CI, ...others } = process.env;
		return spawnSync(process.execPath, [join(here, "run.mjs"), ...places], { encoding: "utf8", env: { ...others, ...env } });
	} finally {
		rmSync(dir, { recursive: true });
	}
}

const note = (tool, env) => spawnSync(tool[0], tool.slice(1), { encoding: "utf8", env: { ...process.env, ...env } });

const tests = {
	"our own counts, cmocka's, and entries without any are summed": () => {
		const log = entry("a", "ok x\n3 passed, 0 failed\n4 passed, 0 failed, 1 skipped") + entry("b", "[  PASSED  ] 5 test(s).") + entry("c", "fine");
		assert.equal(close([step(log)], "").lines.at(-1), "passed: 13 passed, 0 failed, 0 skipped");
	},
	"a failed entry counts, also if it counted nothing before it died": () => {
		const log = entry("a", "3 passed, 2 failed", { verdict: "Test Failed." }) + entry("b", "killed", { verdict: "Test timeout" });
		const { lines, failed } = close([step(log)], "");
		assert.equal(failed, 2);
		assert.deepEqual(lines.slice(0, 3), ["Failed:", "  release  a", "  release  b"]);
		assert.equal(lines.at(-1), "failed: 3 passed, 3 failed, 0 skipped");
	},
	"an entry of which all was skipped is no test that passed": () => {
		assert.equal(close([step(entry("a", "0 passed, 0 failed, 2 skipped"), "a\tb\tc\n")], "").lines.at(-1), "passed: 0 passed, 0 failed, 1 skipped");
	},
	"the ten slowest of all steps, slowest first": () => {
		const log = Array.from({ length: 9 }, (_, i) => entry(`t${i}`, "", { seconds: `${i}.00` })).join("");
		const { lines } = close([step(log), step(log, "", "sanitized")], "");
		const from = lines.indexOf("Slowest:");
		assert.deepEqual([lines[from + 1], lines[from + 2], lines[from + 10]], ["     8.0 s  release    t8", "     8.0 s  sanitized  t8", "     4.0 s  sanitized  t4"]);
		assert.equal(lines.length, from + 12);
	},
	"a skip is expected by step, suite, test and reason, all of them": () => {
		const surprising = (skips, name = "sanitized") => close([step("", skips, name)], EXPECTED).surprising;
		assert.equal(surprising(KNOWN), 0);
		assert.equal(surprising(KNOWN, "release"), 1);
		assert.equal(surprising(KNOWN.replace("cli", "cli2")), 1);
		assert.equal(surprising(KNOWN.replace("memory:", "store:")), 1);
		assert.equal(surprising(KNOWN.replace("its own", "eaten all").replace("memory\n", "food\n")), 1);
		assert.equal(surprising("parity\tx\ty\n", "release"), 0);
		assert.equal(surprising("parity\n"), 1);
	},
	"what is skipped stands in the table with its reason, and is marked if nobody expects it": () => {
		const { lines } = close([step("", `${KNOWN}work\tcrash\tno tool\n`, "sanitized")], EXPECTED);
		assert.deepEqual(lines.slice(0, 3), [
			"Skipped:",
			"     sanitized  cli   memory: 60 MB (large)  a sanitizer has its own memory",
			"  !  sanitized  work  crash                  no tool",
		]);
		assert.ok(lines.includes("1 skips, marked by !, are not in tests/skips.txt"));
	},
	"a pattern is no regular expression": () => {
		assert.ok(isLike("a.b (c)", "a.b (*)"));
		assert.ok(!isLike("aXb (c)", "a.b (*)"));
		assert.ok(!isLike("x a", "a"));
	},
	"a line of skips.txt that is not whole is an error": () => {
		assert.throws(() => readExpected("always | a | b\n"), /four parts/);
		readExpected(readFileSync(join(here, "../skips.txt"), "utf8"));
	},
	"in CI a skip that is not listed fails the run; elsewhere it is only shown; a listed one is allowed": () => {
		const log = entry("a", "1 passed, 0 failed");
		const listed = { sanitized: { log, skips: "flow\tmemory: x\ta sanitizer has its own memory\n" } };
		const other = { release: listed.sanitized };
		assert.equal(run(listed, { CI: "true" }).status, 0);
		assert.equal(run(other, { CI: "true" }).status, 1);
		assert.equal(run(other, { CI: "" }).status, 0);
		assert.equal(run(other).status, 0);
		assert.match(run(other).stdout, /^ {2}! {2}release +flow +memory: x +a sanitizer has its own memory$/m);
	},
	"a failed test fails the run; a run of nothing is no success": () => {
		assert.equal(run({ release: { log: entry("a", "", { verdict: "Test Failed." }) } }).status, 1);
		assert.equal(run({ release: { log: "" } }).status, 2);
		assert.equal(run({ release: {} }).status, 2);
	},
	"every language notes its skips in one way": () => {
		const dir = mkdtempSync(join(tmpdir(), "readcache-closing-"));
		const env = { READCACHE_SKIPS: join(dir, "skips") };
		try {
			const shell = note([join(here, "../lib/skip"), "s", "a test", "a reason"], env);
			const module = new URL("../lib/skips.mjs", import.meta.url).href;
			const node = note([process.execPath, "--input-type=module", "-e", `import { noteSkip } from "${module}"; noteSkip("s", "a\\ntest", "a reason")`], env);
			assert.equal(shell.status, 77);
			assert.deepEqual([shell.stdout.split("\n")[0], node.stdout], ["skip  s: a test: a reason", "skip  s: a test: a reason\n"]);
			assert.equal(readFileSync(env.READCACHE_SKIPS, "utf8"), "s\ta test\ta reason\n".repeat(2));
		} finally {
			rmSync(dir, { recursive: true });
		}
	},
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
	try {
		test();
		console.log(`ok ${name}`);
	} catch (error) {
		failed++;
		console.log(`FAILED ${name}\n  ${String(error.stack).replaceAll("\n", "\n  ")}`);
	}
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
