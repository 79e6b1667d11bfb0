// Many processes at one store, with whatever else goes on beside them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Engine, binary } from "../lib/engine.mjs";
import { dice, expectText, metaOf, textOf } from "../hostile/harness.mjs";
import { AFTER } from "./project.mjs";

export const keyName = (n) => `key${n}.txt`;
export const keyText = (n) => `the version ${n} of a file\n`.repeat(20 + (n % 50));

/**
 * PROCESSES `serve` processes each read PUTS of KEYS files of PLACE, every
 * time a version to be stored. BESIDE are functions that run meanwhile, until
 * the flag they are given says that it is over. A place has its cwd, its
 * store, and one file that was read and has changed, with its diff and session.
 */
export async function hammer({ place, processes, puts, keys, beside = [] }) {
	const over = { yes: false };
	const others = beside.map((run) => run(place, over));
	const writers = Array.from({ length: processes }, (_, index) => write(place, { puts, keys, roll: dice(index + 1) }));
	await Promise.all(writers);
	over.yes = true;
	await Promise.all(others);
}

const asking = ({ cwd }, path, session) => ({ v: 1, op: "read", cwd, params: { path }, session });

async function write(place, { puts, keys, roll }) {
	const engine = new Engine();
	for (let n = 0; n < puts; n++) {
		const key = roll(keys);
		const response = await engine.request(asking(place, keyName(key), { leafId: null, entries: [] }));
		expectText(response, keyText(key));
	}
	assert.deepEqual(await engine.close(), { code: 0, signal: null });
	assert.equal(engine.stderr, "");
}

/** Reads a changed file: the diff if its base is there, else the text, and nothing else. */
export async function reads(place, over) {
	const engine = new Engine();
	const { name, session, diff } = place.changed;
	const request = asking(place, name, session);
	while (!over.yes) {
		const response = await engine.request(request);
		if (metaOf(response)?.mode === "diff") assert.equal(textOf(response), diff);
		else expectText(response, AFTER);
	}
	assert.deepEqual(await engine.close(), { code: 0, signal: null });
	assert.equal(engine.stderr, "");
}

/** A command for people again and again: it never fails because of the others. */
export function repeats(...args) {
	return async ({ cwd }, over) => {
		while (!over.yes) {
			const run = await started(binary(), args, cwd);
			assert.equal(run.status, 0, `${args.join(" ")}: ${run.output}`);
		}
	};
}

function started(file, args, cwd) {
	const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
	let output = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
	return new Promise((done) => child.on("close", (status) => done({ status, output })));
}

/** Objects grow old, so that gc has something to remove. */
export async function ages({ store }, over) {
	const objects = join(store, "objects");
	const roll = dice(7);
	while (!over.yes) {
		for (const name of readdirSync(objects)) if (roll(4) === 0) age(join(objects, name));
		await sleep(5);
	}
}

function age(path) {
	const when = Date.now() / 1000 - 5 * 3600;
	try {
		utimesSync(path, when, when);
	} catch {
		// it is gone meanwhile
	}
}
