// Which mutants are tried. There are 10,000; of every folder a fixed part is taken, by a hash of the mutant's id, so
// that an edit of one function does not change what is tried elsewhere.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mutantsOf } from "./mutants.mjs";

/**
 * One in so many of a folder, or of the files of it that are named. Where a wrong answer or a lost file comes from, more.
 * `drawn`: the folder's name when its mutants were first drawn. A move does not change which of them are tried.
 */
const parts = [
	{ folder: "replay", share: 8 },
	{ folder: "answer", share: 8 },
	{ folder: "store", share: 24 },
	{ folder: "work/record", drawn: "record", share: 16 },
	{ folder: "work/stage", drawn: "stage", share: 32 },
	{ folder: "work/blob", drawn: "blob", share: 24 },
	{ folder: "base", drawn: "blob", share: 24, files: ["beneath.c", "copy.c"] },
	{ folder: "os/linux", drawn: "flow", share: 80, files: ["confine.c"] },
	{ folder: "json", drawn: "wire", share: 60 },
	{ folder: "meta", drawn: "wire", share: 60 },
	{ folder: "host/pi", drawn: "wire", share: 60, files: ["ahead.c", "dirs.c", "entry.c", "events.c", "lineage.c", "session_file.c", "session.c", "trail.c"] },
	{ folder: "serve", drawn: "wire", share: 60, files: ["branch.c", "ledger.c", "memory.c", "memory_entries.c", "memory_file.c", "request.c", "response.c"] },
	{ folder: "serve", drawn: "flow", share: 80, files: ["expand.c", "history.c", "read.c", "refresh.c", "serve.c", "service.c", "siblings.c", "status.c", "subject.c", "upkeep.c"] },
	{ folder: "store/lock", drawn: "lock", share: 32 },
	{ folder: "work/fingerprint", drawn: "finger", share: 80 },
	{ folder: "work/workflow", drawn: "workflow", share: 12, files: ["judge.c"] },
];

const numberOf = (text) => createHash("sha256").update(text).digest().readUInt32BE(0);

/** All mutants of the folders above in ROOT; `tried` says which are taken, WIDER times as many as usual. */
export function mutantsIn(root, wider = 1) {
	const found = [];
	for (const { folder, files, share, drawn = folder } of parts) {
		for (const name of files ?? readdirSync(join(root, "src", folder)).filter((entry) => entry.endsWith(".c")).sort()) {
			const source = readFileSync(join(root, "src", folder, name), "utf8");
			for (const mutant of mutantsOf(`src/${folder}/${name}`, source)) {
				const line = source.slice(0, mutant.from).split("\n").length;
				const lot = numberOf(mutant.id.replace(`src/${folder}/`, `src/${drawn}/`));
				found.push({ ...mutant, line, tried: lot % Math.max(1, Math.round(share / wider)) === 0 });
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
