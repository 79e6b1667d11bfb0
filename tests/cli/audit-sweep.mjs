// readcache audit on random sessions: those of our own engine are sound, lies are found. It takes long (label `long`).
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sized } from "../lib/size.mjs";
import { auditAll } from "./audit/ask.mjs";
import { LIES, targets, TRUTHS } from "./audit/lies.mjs";
import { record, save } from "./audit/recorded.mjs";

/** Histories with all that others do to a session, as long as they do it before it is written. */
async function ownSessions({ dir, run }) {
	const sessions = await record({ seed: 21, count: sized(120) });
	const { answers, compact, violations } = auditAll(run, save(dir, sessions));
	assert.deepEqual(violations, []);
	assert.ok(compact > answers / 4, `only ${compact} of ${answers} answers are compact`);
}

/** Every lie of a kind, in up to three answers of each session. */
function tellAll(dir, sessions, kinds) {
	const told = [];
	for (const [kind, { tell, when = () => true }] of Object.entries(kinds)) {
		for (const { text, session } of sessions) {
			const header = text.slice(0, text.indexOf("\n"));
			const fit = targets(session.entries).filter((target) => target.texts.length > 0 && when(target));
			for (const target of fit.slice(0, 3)) {
				const lines = [header, ...tell(session.entries, target).map((entry) => JSON.stringify(entry))];
				const file = join(dir, `${told.length}.jsonl`);
				writeFileSync(file, `${lines.join("\n")}\n`);
				told.push({ kind, file, id: target.answer.id });
			}
		}
	}
	return told;
}

async function liesAndTruths({ dir, run }) {
	const without = ["contextEdit", "rewrite", "strip", "bare", "invalid", "foreign", "junk", "abort", "badRefresh", "binary", "unheard"];
	const sessions = await record({ seed: 22, count: sized(30, 12), without });
	for (const [kinds, flagged] of [[LIES, true], [TRUTHS, false]]) {
		const told = tellAll(dir, sessions, kinds);
		for (const kind of Object.keys(kinds)) assert.ok(told.some((one) => one.kind === kind), `no occasion for: ${kind}`);
		const { violations } = auditAll(run, told.map(({ file }) => file));
		const found = new Set(violations.map(({ file, entryId }) => `${file} ${entryId}`));
		const wrong = told.filter(({ file, id }) => found.has(`${file} ${id}`) !== flagged).map(({ kind, id }) => `${kind}: ${id}`);
		assert.deepEqual(wrong, []);
	}
}

export const tests = [
	{ name: "sessions of our own engine are sound", run: ownSessions },
	{ name: "lies are found, truths are not taken for lies", run: liesAndTruths },
];
