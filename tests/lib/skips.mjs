// A test that cannot be made here says so: one line, the same in every suite, and one in the file that READCACHE_SKIPS
// names, from which tests/closing makes its table. tests/lib/skip does the same for shells, unit.h for C.
import { appendFileSync, readFileSync } from "node:fs";
import { isLike, readExpected } from "../closing/closing.mjs";

/** The exit status of a suite of which nothing could be run; ctest calls it skipped. */
export const NOTHING_RUN = 77;

/** Thrown by a test that leaves itself out. */
export class Skip extends Error {}

const oneLine = (text) => String(text).replace(/\s+/g, " ").trim();

/** Print and note that TEST of SUITE was left out, and why. */
export function noteSkip(suite, test, why) {
	const parts = [suite, test, why].map(oneLine);
	console.log(`skip  ${parts.join(": ")}`);
	if (process.env.READCACHE_SKIPS) appendFileSync(process.env.READCACHE_SKIPS, `${parts.join("\t")}\n`);
}

const expected = readExpected(readFileSync(new URL("../skips.txt", import.meta.url), "utf8"));

/** The name of a suite: with READCACHE_TWIN set the executable is the twin for plain POSIX. */
export function suiteName(suite) {
	return process.env.READCACHE_TWIN ? `twin.${suite}` : suite;
}

/** Why TEST of SUITE is left out with the twin: what tests/skips.txt says that it cannot promise. Else undefined. */
export function twinCannot(suite, test) {
	if (!process.env.READCACHE_TWIN) return undefined;
	return expected.find((line) => line.suite === suiteName(suite) && isLike(test, line.test))?.why;
}

/** The last line of a suite. */
export function countLine({ passed, failed, skipped = 0 }) {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
