// The work cache: whatever goes wrong, what is no longer true is never a hit,
// and a hit is the very value that was kept.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { toldTheTruth } from "./commands.mjs";

const [KEY, OTHER] = ["a".repeat(64), "b".repeat(64)];
const [OLD, NEW] = ["the old value\n", "the new value\n".repeat(2000)];
const RESULT = "what came out";

const memoOf = (stage, ...args) => stage.outcome(["memo", ...args]);

function keep(stage, key, value) {
	assert.equal(stage.outcome(["memo", "set", key], value).exit, 0);
}

/** 0 is a hit, 1 a miss, 3 a store that cannot be used, 2 another reason: all but a hit say nothing on stdout. */
function judgeGet(run, fault, values) {
	if (fault?.kill) return;
	assert.equal(run.signal, undefined, "ended by a signal");
	assert.ok([0, 1, 2, 3].includes(run.exit), `status ${run.exit}`);
	if (run.exit === 0) assert.ok(values.includes(run.stdout), `a wrong value: ${JSON.stringify(run.stdout.slice(0, 80))}`);
	else if (fault?.hit.call !== "write") assert.equal(run.stdout, "", "something, though it is no hit");
}

function get(scene, stage) {
	keep(stage, KEY, NEW);
	return { args: ["memo", "get", KEY], input: "", judge: (run, fault) => judgeGet(run, fault, [NEW]) };
}

/** A record that was put in the place of another. */
function getAnother(scene, stage) {
	for (const key of [KEY, OTHER]) keep(stage, key, key === KEY ? OLD : NEW);
	const file = (key) => join(scene.store, "memo", `${key}.json`);
	copyFileSync(file(OTHER), file(KEY));
	return { args: ["memo", "get", KEY], input: "", judge: (run, fault) => judgeGet(run, fault, []) };
}

/** Whatever came of it, under the key is the old value, the new one, or nothing; if it says so, the new one. */
function set(scene, stage) {
	keep(stage, KEY, OLD);
	const judge = (run, fault) => {
		const after = memoOf(stage, "get", KEY);
		judgeGet(after, undefined, [OLD, NEW]);
		if (toldTheTruth(run, fault)) assert.equal(after.stdout, NEW, "it says that the value is kept");
	};
	return { args: ["memo", "set", KEY], input: NEW, judge };
}

const phase = (specs) => ({ phase: "p", cache: { scope: "cross-run", fingerprint: specs } });

/** The world that fingerprints speak of, and what changes in it. */
const WORLDS = {
	file: { specs: ["file:a.txt"], change: (scene) => scene.write("a.txt", "two\n") },
	"a file that was absent": { specs: ["file:b.txt"], change: (scene) => scene.write("b.txt", "") },
	glob: { specs: ["glob:*.txt"], change: (scene) => scene.write("c.txt", "") },
	"glob by content": { specs: ["glob!:**/*.txt"], change: (scene) => scene.write("d/e.txt", "six\n") },
	git: { specs: ["git:HEAD"], change: (scene) => git(scene, "commit", "-q", "--allow-empty", "-m", "two") },
};

function git(scene, ...args) {
	const env = { PATH: process.env.PATH, HOME: scene.dir, GIT_CONFIG_NOSYSTEM: "1" };
	execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...args], { cwd: scene.cwd, env, stdio: "ignore" });
}

function world(scene, specs) {
	scene.write("a.txt", "one\n");
	scene.write("d/e.txt", "five\n");
	if (specs.some((spec) => spec.startsWith("git:"))) {
		git(scene, "init", "-q");
		git(scene, "commit", "-q", "--allow-empty", "-m", "one");
	}
}

function recorded(stage, specs) {
	const request = { ...phase(specs), status: "done", output: RESULT };
	const run = stage.outcome(["memo", "record"], JSON.stringify(request));
	assert.equal(JSON.parse(run.stdout).stored, true, run.stdout);
}

/** A hit is told by the status too, and only where the world is as it was. */
function judgeLookup(run, fault, fresh) {
	if (fault?.kill) return;
	assert.equal(run.signal, undefined, "ended by a signal");
	if (run.exit !== 0) return assert.ok([1, 2, 3].includes(run.exit), `status ${run.exit}`);
	const { hit, output } = JSON.parse(run.stdout);
	assert.deepEqual([hit, output, fresh], [true, RESULT, true], "a false match");
}

function lookup({ specs, change }, stale) {
	return (scene, stage) => {
		world(scene, specs);
		recorded(stage, specs);
		if (stale) change(scene);
		const judge = (run, fault) => judgeLookup(run, fault, !stale);
		return { args: ["memo", "lookup"], input: JSON.stringify(phase(specs)), judge };
	};
}

/** What was kept while something went wrong is no hit once the world has changed. */
function record({ specs, change }) {
	return (scene, stage) => {
		world(scene, specs);
		const input = JSON.stringify({ ...phase(specs), status: "done", output: RESULT });
		const judge = (run, fault, { again } = {}) => {
			if (!fault?.kill) assert.equal(run.signal, undefined, "ended by a signal");
			judgeLookup(stage.outcome(["memo", "lookup"], JSON.stringify(phase(specs))), undefined, true);
			if (again) return; // it has changed already
			change(scene);
			judgeLookup(stage.outcome(["memo", "lookup"], JSON.stringify(phase(specs))), undefined, false);
		};
		return { args: ["memo", "record"], input, judge };
	};
}

export const memo = {
	"memo set": set,
	"memo get": get,
	"memo get, of a record in another's place": getAnother,
	...Object.fromEntries(
		Object.entries(WORLDS).flatMap(([name, one]) => [
			[`memo lookup, ${name}`, lookup(one, false)],
			[`memo lookup, ${name}, changed`, lookup(one, true)],
			[`memo record, ${name}`, record(one)],
		]),
	),
};
