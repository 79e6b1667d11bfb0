// Which mutants are tried. There are 15,000; of every folder a fixed part is taken, by a hash of the mutant's id, so
// that an edit of one function does not change what is tried elsewhere.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mutantsOf } from "./mutants.mjs";

const ORDERS = ["branch.c", "ledger.c", "memory.c", "memory_entries.c", "memory_file.c", "request.c", "response.c"];

/**
 * One in so many of a folder, or of the files of it that are named, or of all `but` some. Where a wrong answer or a lost
 * file comes from, more. `drawn`: the folder's name when its mutants were first drawn. A move does not change which of
 * them are tried.
 */
const parts = [
	{ folder: "replay", share: 4 },
	{ folder: "answer", share: 4 },
	{ folder: "diff", share: 8 },
	{ folder: "store", share: 24 },
	{ folder: "work/record", drawn: "record", share: 16 },
	{ folder: "work/stage", drawn: "stage", share: 32 },
	{ folder: "work/blob", drawn: "blob", share: 24 },
	{ folder: "base", drawn: "blob", share: 24, files: ["beneath.c", "copy.c"] },
	{ folder: "os/linux", drawn: "flow", share: 80, files: ["confine.c"] },
	{ folder: "os/linux", share: 24, but: ["confine.c"] },
	{ folder: "os/glibc", drawn: "os/linux", share: 24 },
	{ folder: "json", drawn: "wire", share: 60 },
	{ folder: "meta", drawn: "wire", share: 20 },
	{ folder: "session", drawn: "wire", share: 20 },
	{ folder: "host/pi", drawn: "wire", share: 20 },
	{ folder: "serve", drawn: "wire", share: 20, files: ORDERS },
	{ folder: "serve", drawn: "flow", share: 40, but: ORDERS },
	{ folder: "store/lock", drawn: "lock", share: 32 },
	{ folder: "work/fingerprint", drawn: "finger", share: 80 },
	{ folder: "work/workflow", drawn: "workflow", share: 12, files: ["judge.c"] },
	{ folder: "inspect", share: 8, files: ["knowledge_pieces.c"] },
];

/** The C files of a part, as they are there. */
function filesOf(root, { folder, files, but = [] }) {
	const there = readdirSync(join(root, "src", folder)).filter((name) => name.endsWith(".c")).sort();
	return there.filter((name) => (!files || files.includes(name)) && !but.includes(name));
}

const numberOf = (text) => createHash("sha256").update(text).digest().readUInt32BE(0);

/** All mutants of the folders above in ROOT; `tried` says which are taken, WIDER times as many as usual. */
export function mutantsIn(root, wider = 1) {
	const found = [];
	for (const part of parts) {
		const { folder, share, drawn = folder } = part;
		for (const name of filesOf(root, part)) {
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
