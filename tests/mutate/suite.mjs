// The tests that a mutant can die of, each by a name, and how they are run.
//
// A test is {name, suite, word, of}: `unit: test_trust`, `matrix: 137`, `work: stages: A5 ...`, `hostile: store`. Several of
// one suite can be run by one command, which says which of them failed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const moduleSuites = { work: /./, flow: /./, cli: /^(config|read|recording|refresh|replay|status|store)\.mjs$/ };
const byChance = /\(seed \d+\)/; // another name, and another test, every time
const topics = ["request", "targets", "session", "store", "repository", "shipped", "races", "confined"];

/** How many of a suite one command runs, and how the name of one that failed is found in what it prints. */
const commands = {
	unit: { many: 1, failed: () => [] },
	matrix: { many: 16, args: (words) => ["tests/matrix/run.mjs", "--way=serve", ...words], failed: (text) => [...text.matchAll(/^not ok (\d+)/gm)].map(([, word]) => String(Number(word))) },
	files: { many: 16, args: (words) => ["tests/matrix/run.mjs", "--way=files", ...words], failed: (text) => [...text.matchAll(/^not ok (\d+)/gm)].map(([, word]) => String(Number(word))) },
	hostile: { many: 1, args: (words) => ["tests/hostile/run.mjs", "--fast", ...words], failed: () => [] },
};
for (const suite of Object.keys(moduleSuites))
	commands[suite] = { many: 6, args: (words) => [`tests/${suite}/run.mjs`, ...words], failed: (text) => [...text.matchAll(/^FAILED (.*)$/gm)].map(([, word]) => word) };

const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);

/** All tests of the tree COPY; `of` is a hash of the file that holds it. */
export async function testsOf(copy) {
	const words = (folder, pattern) => readdirSync(join(copy, "tests", folder)).map((file) => pattern.exec(file)?.[1]).filter(Boolean).sort();
	const found = [];
	const add = (suite, word, file) => found.push({ name: `${suite}: ${word}`, suite, word, of: hashOf(readFileSync(join(copy, "tests", file))) });
	for (const name of words("unit", /^(test_\w+)\.c$/)) add("unit", name, `unit/${name}.c`);
	for (const file of words("matrix", /^(\d+-.*\.case)$/)) {
		const only = /^only +(\S+)/m.exec(readFileSync(join(copy, "tests/matrix", file), "utf8"))?.[1].split(",");
		if (!only || only.includes("serve")) add("matrix", String(parseInt(file)), `matrix/${file}`);
		if (!only || only.includes("files")) add("files", String(parseInt(file)), `matrix/${file}`);
	}
	for (const [folder, pattern] of Object.entries(moduleSuites))
		for (const file of words(folder, /^(.*\.mjs)$/).filter((name) => name !== "run.mjs" && pattern.test(name)))
			for (const test of (await import(join(copy, "tests", folder, file))).tests ?? [])
				if (!byChance.test(test.name)) add(folder, `${file.replace(/\.mjs$/, "")}: ${test.name}`, `${folder}/${file}`);
	for (const topic of topics) add("hostile", topic, `hostile/${topic}.mjs`);
	return found;
}

/** TESTS in the order given, in groups that one command can run. */
export function groups(tests) {
	const found = [];
	for (const test of tests) {
		const last = found.at(-1);
		if (last && last[0].suite === test.suite && last.length < commands[test.suite].many) last.push(test);
		else found.push([test]);
	}
	return found;
}

/** Run GROUP with the executables of DIR in COPY; gives {ok, ms, late, failed: [name]}. */
export function runGroup(group, { copy, dir, limit }) {
	const { suite } = group[0];
	const { args, failed } = commands[suite];
	const command = suite === "unit" ? [join(dir, group[0].word)] : [process.execPath, ...args(group.map(({ word }) => word))];
	const env = { PATH: process.env.PATH, LANG: "C.UTF-8", TERM: "dumb", HOME: dir, TMPDIR: dir, READCACHE_BIN: join(dir, "readcache") };
	const started = Date.now();
	return new Promise((done, fail) => {
		const child = spawn("sh", ["-c", 'ulimit -c 0; ulimit -f 2000000; exec "$@"', "sh", ...command], { cwd: copy, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
		let text = "";
		let late = false;
		const listen = (chunk) => (text = (text + chunk).slice(-1000000));
		const stop = () => {
			try {
				process.kill(-child.pid, "SIGKILL");
			} catch {
				// it has ended, and all of its own
			}
		};
		const timer = setTimeout(() => ((late = true), stop()), limit);
		child.stdout.on("data", listen);
		child.stderr.on("data", listen);
		child.on("error", fail);
		child.on("exit", (status) => {
			clearTimeout(timer);
			stop(); // what it has left running
			child.stdout.destroy();
			child.stderr.destroy();
			const words = new Set(failed(text));
			const names = group.filter(({ word }) => words.has(word)).map(({ name }) => name);
			if (status !== 0 && names.length === 0 && group.length === 1) names.push(group[0].name);
			done({ ok: status === 0, late, ms: Date.now() - started, failed: names, text });
		});
	});
}
