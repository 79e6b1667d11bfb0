// A tree of many levels, with a file in the lowest one:
//   node tests/hostile/tree.mjs PATH LEVELS [NAME]
// With NAME, every directory has a file of that name.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** It grows at its top, so every name is short. */
export function makeDeep(path, levels, name) {
	mkdirSync(path);
	writeFileSync(join(path, "last"), "");
	for (let i = 0; i < levels; i++) {
		mkdirSync(`${path}.next`);
		renameSync(path, join(`${path}.next`, "d"));
		if (name) writeFileSync(join(`${path}.next`, name), "");
		renameSync(`${path}.next`, path);
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeDeep(process.argv[2], Number(process.argv[3]), process.argv[4]);
