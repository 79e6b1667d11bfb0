// One mutant against the tests that reach it.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { groups, runGroup } from "./suite.mjs";
import { chosen } from "./weave.mjs";

/** Executables of the build BUILD, read once. */
export class Executables {
	#bytes = new Map();
	constructor(build) {
		this.build = build;
	}
	get(name) {
		if (!this.#bytes.has(name)) this.#bytes.set(name, readFileSync(join(this.build, name === "readcache" ? name : `tests/unit/${name}`)));
		return this.#bytes.get(name);
	}
}

/** Remove DIR, also if a test that was killed has left a file system mounted in it, or a tree too deep for rmSync. */
export function remove(dir) {
	const below = readFileSync("/proc/mounts", "utf8").split("\n").map((line) => line.split(" ")[1] ?? "").filter((place) => place.startsWith(`${dir}/`));
	for (const place of below.reverse()) spawnSync("umount", ["-l", place]);
	const { status, stderr } = spawnSync("rm", ["-rf", "--", dir], { encoding: "utf8" });
	if (status !== 0) throw new Error(stderr);
}

/** An empty directory, which is also the home and the place for temporary files. */
function fresh(dir) {
	remove(dir);
	mkdirSync(dir, { recursive: true });
	chmodSync(dir, 0o755); // some tests are run as another user
}

function install(executables, name, dir, number, reached) {
	writeFileSync(join(dir, name), chosen(executables.get(name), number, reached), { mode: 0o755 });
}

/** Run the tests GROUP with the unchanged program; gives {ok, ms, reached: [number], failed, text}. */
export async function measure(group, { executables, copy, dir, count }) {
	const seen = join(dir, "reached");
	fresh(dir);
	writeFileSync(seen, Buffer.alloc(count + 1));
	chmodSync(seen, 0o666);
	const name = group[0].suite === "unit" ? group[0].word : "readcache";
	install(executables, name, dir, 0, seen);
	const result = await runGroup(group, { copy, dir, limit: 900000 });
	const marks = readFileSync(seen);
	remove(dir);
	const reached = [];
	for (let number = 1; number <= count; number++) if (marks[number]) reached.push(number);
	return { ...result, reached };
}

/**
 * TESTS, the likely killers first, until one fails. COSTS says how many ms each takes when nothing is wrong. Gives
 * {killed, by, late}. Without a mutant (NUMBER 0) nothing hangs, and on a busy machine it may take its time.
 */
export async function attempt(number, tests, { executables, copy, dir, costs }) {
	const limitOf = (group) => number === 0 ? 900000 : 15000 + 6 * group.reduce((sum, { name }) => sum + (costs.get(name) ?? 5000), 0);
	fresh(dir);
	try {
		install(executables, "readcache", dir, number, "");
		for (const group of groups(tests)) {
			if (group[0].suite === "unit") install(executables, group[0].word, dir, number, "");
			const result = await runGroup(group, { copy, dir, limit: limitOf(group) });
			if (!result.ok && result.failed.length > 0) return { killed: true, by: result.failed[0], late: result.late };
			// It ended, or did not, before it said which one failed.
			for (const test of result.ok ? [] : group) {
				const alone = await runGroup([test], { copy, dir, limit: limitOf([test]) });
				if (!alone.ok) return { killed: true, by: test.name, late: alone.late };
			}
		}
		return { killed: false };
	} finally {
		remove(dir);
	}
}
