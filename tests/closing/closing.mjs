// What a run of all tests says at its end: what was skipped and why, what took longest, and the sum.
import { readFileSync } from "node:fs";

const SLOWEST = 10;

/** The entries of ctest's LastTest.log: [{name, seconds, good, passed, failed}]. */
export function readLog(text) {
	return text.split(/^\d+\/\d+ Testing: /m).slice(1).map((part) => {
		const name = part.slice(0, part.indexOf("\n"));
		const [output, after = ""] = part.split(/^<end of output>$/m);
		const seconds = Number(/^Test time = +([\d.]+) sec/m.exec(after)?.[1] ?? 0);
		const good = /^Test Passed\.$/m.test(after); // skipped ones too
		return { name, seconds, good, ...countOf(output, good) };
	});
}

/** What a suite says of itself, in our words or in cmocka's; one that counts nothing is one test. */
function countOf(output, good) {
	const ours = [...output.matchAll(/^(\d+) passed, (\d+) failed/gm)].map(([, passed, failed]) => [Number(passed), Number(failed)]);
	const theirs = [...output.matchAll(/^\[  (PASSED|FAILED)  \] (\d+) test\(s\)/gm)].map(([, what, n]) => (what === "PASSED" ? [Number(n), 0] : [0, Number(n)]));
	const counts = [...ours, ...theirs];
	const [passed, failed] = [0, 1].map((i) => counts.reduce((sum, count) => sum + count[i], 0));
	if (!good) return { passed, failed: Math.max(failed, 1) };
	return counts.length === 0 ? { passed: 1, failed } : { passed, failed };
}

/** The notes of tests/lib/skips.mjs: [{suite, test, why}]. */
export function readSkips(text) {
	const lines = text.split("\n").filter((line) => line !== "");
	return lines.map((line) => {
		const [suite, test = "", why = ""] = line.split("\t");
		return { suite, test, why };
	});
}

/** tests/skips.txt: [{when: [words], suite, test, why}]. */
export function readExpected(text) {
	const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
	return lines.map((line) => {
		const parts = line.split("|").map((part) => part.trim());
		if (parts.length !== 4) throw new Error(`a line of skips.txt has not four parts: ${line}`);
		const [when, suite, test, why] = parts;
		return { when: when.split(/\s+/), suite, test, why };
	});
}

/** TEXT by a pattern in which * stands for anything. */
export function isLike(text, pattern) {
	const quoted = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`^${quoted.join(".*")}$`, "s").test(text);
}

/** What holds of a step of the run, by the words of skips.txt. */
export function factsOf(step) {
	return new Set(["always", step, process.getuid?.() === 0 ? "root" : "user"]);
}

export function isExpected(skip, expected, facts) {
	return expected.some(({ when, ...like }) => when.every((word) => facts.has(word)) && Object.keys(like).every((part) => isLike(skip[part], like[part])));
}

function table(rows) {
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	const last = rows[0].length - 1;
	return rows.map((row) => `  ${row.map((cell, i) => (i === last ? cell : cell.padEnd(widths[i]))).join("  ")}`);
}

/** STEPS: [{name, log, skips}], the texts; EXPECTED: that of skips.txt. Gives {lines, failed, surprising}. */
export function close(steps, expected) {
	const allowed = readExpected(expected);
	const entries = steps.flatMap(({ name: step, log }) => readLog(log).map((entry) => ({ step, ...entry })));
	const skips = steps.flatMap(({ name: step, skips: text }) => {
		return readSkips(text).map((skip) => ({ step, ...skip, expected: isExpected(skip, allowed, factsOf(step)) }));
	});
	const sum = (what) => entries.reduce((all, entry) => all + entry[what], 0);
	const surprising = skips.filter((skip) => !skip.expected);
	const lines = [];
	if (skips.length > 0) {
		lines.push("Skipped:", ...table(skips.map(({ step, suite, test, why, expected: known }) => [known ? " " : "!", step, suite, test, why])));
	}
	const bad = entries.filter(({ good }) => !good);
	if (bad.length > 0) lines.push("Failed:", ...table(bad.map(({ step, name }) => [step, name])));
	const slow = [...entries].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
	if (slow.length > 0) lines.push("Slowest:", ...table(slow.map(({ step, name, seconds }) => [`${seconds.toFixed(1).padStart(6)} s`, step, name])));
	if (surprising.length > 0) lines.push(`${surprising.length} skips, marked by !, are not in tests/skips.txt`);
	lines.push(`${bad.length > 0 ? "failed" : "passed"}: ${sum("passed")} passed, ${sum("failed")} failed, ${skips.length} skipped`);
	return { lines, failed: bad.length, surprising: surprising.length, entries: entries.length };
}

/** The texts of a step whose ctest left its log and its skips in DIRECTORY. */
export function readStep(directory) {
	const read = (name) => {
		try {
			return readFileSync(`${directory}/${name}`, "utf8");
		} catch {
			return "";
		}
	};
	return { log: read("log"), skips: read("skips") };
}
