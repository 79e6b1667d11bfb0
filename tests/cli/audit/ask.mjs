// Asking `readcache audit`.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** A session of this folder. */
export const fixture = (name) => join(here, name);

/** `readcache audit --json`; gives {status, answers, compact, violations}. */
export function audit(run, files) {
	const { status, stdout, stderr } = run(["audit", "--json", ...files]);
	assert.equal(stderr, "");
	return { status, ...JSON.parse(stdout) };
}

/** In pieces, for the length of a command line. */
export function auditAll(run, files) {
	const found = [];
	const sum = { answers: 0, compact: 0 };
	for (let i = 0; i < files.length; i += 100) {
		const { answers, compact, violations } = audit(run, [fixture("empty.jsonl"), ...files.slice(i, i + 100)]);
		found.push(...violations);
		sum.answers += answers;
		sum.compact += compact;
	}
	return { ...sum, violations: found };
}
