// The commands for people that write: what they leave behind is judged, and
// whether their exit status tells the truth about it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BEFORE, NAME, known } from "./project.mjs";
import { aged, names } from "./stage.mjs";

const HOUR = 3600;

/** Objects and temporary files by their age in hours; the young ones must stay. */
const KEPT = { "old one\n": 50, "old two\n": 40, "old three\n": 30, "young\n": 0 };
const TEMPS = { ["a".repeat(32)]: 5, ["b".repeat(32)]: 0 };

function filled(scene) {
	known(scene);
	for (const [text, hours] of Object.entries(KEPT)) {
		scene.write("a.txt", text);
		scene.read("a.txt", { leafId: null, entries: [] });
		aged(scene.object(text), hours * HOUR);
	}
	for (const [name, hours] of Object.entries(TEMPS)) {
		writeFileSync(join(scene.store, "tmp", name), "left behind");
		aged(join(scene.store, "tmp", name), hours * HOUR);
	}
}

/** 0, or a sentence that says what failed; a signal or silence never. Is it 0? */
export function toldTheTruth(run, fault) {
	if (fault?.kill) return false;
	assert.equal(run.signal, undefined, "ended by a signal");
	const mute = fault?.onwards && fault.hit.call === "write";
	if (run.exit !== 0) assert.match(run.stderr, mute ? /^/ : /^readcache: .+\n$/, `status ${run.exit} without a reason: ${JSON.stringify(run.stderr)}`);
	else assert.equal(run.stderr, "");
	return run.exit === 0;
}

function clean(scene) {
	filled(scene);
	const objects = () => names(join(scene.store, "objects")).length;
	const before = objects();
	const judge = (run, fault, { again } = {}) => {
		for (const text of ["young\n", BEFORE]) assert.ok(existsSync(scene.object(text)), "a young object is gone");
		assert.ok(existsSync(join(scene.store, "tmp", "b".repeat(32))), "a young temporary file is gone");
		if (!toldTheTruth(run, fault)) return;
		const { removed } = JSON.parse(run.stdout);
		if (!fault?.late && !again) assert.equal(removed.count, before - objects(), "what it says it removed");
	};
	return { args: ["store", "gc", "--max-bytes", "1", "--json"], input: "", judge };
}

function verify(scene) {
	filled(scene);
	writeFileSync(scene.object("old two\n"), "damaged\n");
	aged(scene.object("old two\n"), 40 * HOUR);
	const judge = (run, fault, { again } = {}) => {
		for (const text of ["old one\n", "old three\n", "young\n"]) assert.ok(existsSync(scene.object(text)), "a good object is gone");
		if (fault?.kill) return;
		assert.equal(run.signal, undefined, "ended by a signal");
		if (run.exit === 0) assert.ok(again, "it says that nothing is damaged");
		if (run.exit === 2) toldTheTruth(run, fault);
	};
	return { args: ["store", "verify", "--json"], input: "", judge, damaged: true };
}

/** The session gets the whole entry, or is as it was. */
function refresh(scene) {
	known(scene);
	const file = join(scene.dir, "session.jsonl");
	scene.session.save(file);
	const before = readFileSync(file, "utf8");
	const judge = (run, fault) => {
		const after = readFileSync(file, "utf8");
		assert.ok(after.startsWith(before), "the session lost something");
		const added = after.slice(before.length);
		const lines = added.split("\n");
		assert.equal(lines.pop(), "", `a torn line in the session: ${JSON.stringify(added)}`);
		for (const line of lines) assert.equal(JSON.parse(line).data.pathKey, scene.path(NAME));
		const done = toldTheTruth(run, fault);
		if (done) assert.notEqual(added, "", "it says that an entry was appended");
	};
	return { args: ["refresh", NAME, "--session", file], input: "", judge };
}

export const commands = {
	"store gc": clean,
	"store verify": verify,
	"refresh --session": refresh,
};
