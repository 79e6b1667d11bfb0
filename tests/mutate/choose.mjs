// Which mutants are tried. There are 10,000; of every folder a fixed part is taken, by a hash of the mutant's id, so
// that an edit of one function does not change what is tried elsewhere.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mutantsOf } from "./mutants.mjs";

/** One in so many. Where a wrong answer or a lost file comes from, more. */
const shares = { replay: 8, answer: 8, store: 24, record: 16, stage: 32, blob: 24, wire: 60, flow: 80, lock: 32, finger: 80, "workflow/judge.c": 12 };

const numberOf = (text) => createHash("sha256").update(text).digest().readUInt32BE(0);

/** All mutants of the folders above in ROOT; `tried` says which are taken, WIDER times as many as usual. */
export function mutantsIn(root, wider = 1) {
	const found = [];
	for (const [place, share] of Object.entries(shares)) {
		const paths = place.endsWith(".c") ? [place] : readdirSync(join(root, "src", place)).filter((name) => name.endsWith(".c")).sort().map((name) => `${place}/${name}`);
		for (const path of paths) {
			const source = readFileSync(join(root, "src", path), "utf8");
			for (const mutant of mutantsOf(`src/${path}`, source)) {
				const line = source.slice(0, mutant.from).split("\n").length;
				found.push({ ...mutant, line, tried: numberOf(mutant.id) % Math.max(1, Math.round(share / wider)) === 0 });
			}
		}
	}
	return found;
}

/** COUNT of MUTANTS in an order that SEED decides. */
export function sample(mutants, seed, count) {
	const rank = new Map(mutants.map((mutant) => [mutant, numberOf(`${seed} ${mutant.id}`)]));
	return [...mutants].sort((a, b) => rank.get(a) - rank.get(b)).slice(0, count);
}
