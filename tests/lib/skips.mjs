// A test that cannot be made here says so: one line, the same in every suite, and one in the file that READCACHE_SKIPS
// names, from which tests/closing makes its table. tests/lib/skip does the same for shells, unit.h for C.
import { appendFileSync } from "node:fs";

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

/** The last line of a suite. */
export function countLine({ passed, failed, skipped = 0 }) {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
