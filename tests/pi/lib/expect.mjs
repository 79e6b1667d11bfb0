// Expectations that can say what was expected and what came.
import { isDeepStrictEqual } from "node:util";

export class Mismatch extends Error {
	constructor(what, expected, actual) {
		super(what);
		Object.assign(this, { expected, actual });
	}
}

export function same(actual, expected, what) {
	if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(what, expected, actual);
}

export function matches(actual, pattern, what) {
	if (typeof actual !== "string" || !pattern.test(actual)) throw new Mismatch(what, pattern, actual);
}

export function ok(condition, what, actual) {
	if (!condition) throw new Mismatch(what, "so", actual ?? condition);
}

/** A value for a person: long texts without their middle. */
export function show(value) {
	if (value instanceof RegExp || value === undefined) return String(value);
	const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
	const lines = text
		.split("\n")
		.map((line) => (line.length > 300 ? `${line.slice(0, 200)}...${line.slice(-80)}` : line));
	if (lines.length > 40) lines.splice(15, lines.length - 30, `... ${lines.length - 30} lines ...`);
	return lines.length === 1 ? lines[0] : `\n${lines.map((line) => `| ${line}`).join("\n")}`;
}

export { until } from "../../lib/wait.mjs";
