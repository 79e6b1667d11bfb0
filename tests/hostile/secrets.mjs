// Secrets and the work cache: of outputs that look like secrets, or that the
// user excludes, no copy is kept; they are compared, and made again (F8).
import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Clone } from "./clone.mjs";
import { check } from "./harness.mjs";

const SECRET = "open sesame";

/** The files of the store that have the secret in them. */
function holders(clone) {
	if (!existsSync(clone.store)) return [];
	const files = readdirSync(clone.store, { recursive: true }).filter((name) => statSync(join(clone.store, name)).isFile());
	return files.filter((name) => readFileSync(join(clone.store, name)).includes(SECRET));
}

/** A command that makes each of NAMES, and counts how often it was run. */
function maker(clone, names) {
	const make = names.map((name) => `mkdir -p '${dirname(name)}'; echo '${SECRET}' >'${name}'; `).join("");
	return ["sh", "-c", `${make}echo >>'${join(clone.dir, "runs")}'; echo fine >plain.txt`];
}

const runsOf = (clone) => readFileSync(join(clone.dir, "runs"), "utf8").length;
const settings = (clone, text) => {
	mkdirSync(join(clone.home, ".config", "readcache"), { recursive: true });
	writeFileSync(join(clone.home, ".config", "readcache", "config.json"), text);
};

/** Made, not kept, told; known again while it is there, and made again when it is not. */
function expectWithheld(clone, out, file, work) {
	const first = work();
	assert.equal(first.status, 0, first.stderr);
	assert.match(first.stderr, new RegExp(`the output ${out.replaceAll(".", "\\.")} looks like a secret, or your settings exclude it \\(or cannot be read\\), so no copy of it is kept\\.\n`));
	assert.deepEqual(holders(clone), []);
	work();
	assert.equal(runsOf(clone), 1, "it is known again");
	rmSync(clone.path("plain.txt"));
	work();
	assert.equal(runsOf(clone), 1, "other outputs are brought back");
	assert.equal(readFileSync(clone.path("plain.txt"), "utf8"), "fine\n");
	rmSync(clone.path(out), { recursive: true });
	work();
	assert.equal(runsOf(clone), 2, "it is made again");
	assert.ok(readFileSync(clone.path(file), "utf8").includes(SECRET));
	assert.deepEqual(holders(clone), []);
}

/** A user with a key that no store may have. */
function withKey() {
	const clone = new Clone();
	mkdirSync(join(clone.home, ".ssh"));
	writeFileSync(join(clone.home, ".ssh", "id_rsa"), SECRET, { mode: 0o600 });
	writeFileSync(join(clone.home, "note.txt"), SECRET);
	return clone;
}

/** How a command can make an output lead to the user's key, and what is said of it. */
const LINKS = {
	"a link to a file": { make: ({ home }) => `ln -s '${home}/.ssh/id_rsa' out`, said: /the output out is a link/ },
	"a link by a relative name": { make: () => "ln -s ../home/.ssh/id_rsa out", said: /the output out is a link/ },
	"a link to a directory": { make: ({ home }) => `ln -s '${home}/.ssh' out`, said: /the output out is a link/ },
	"a link to a link": { make: ({ home }) => `ln -s '${home}/.ssh/id_rsa' l; ln -sf l out`, said: /the output out is a link/ },
	"a link that looks like one of the store's": {
		make: ({ home, store }) => `mkdir -p '${store}/objects'; ln -s '${store}/objects/../../../../home/.ssh/id_rsa' out`,
		said: /the output out is a link/,
	},
	"a link in a directory": { make: ({ home }) => `mkdir out; ln -s '${home}/.ssh/id_rsa' out/key`, said: /the output out has a link/ },
	"a link in a directory to a directory": { make: ({ home }) => `mkdir out; ln -s '${home}/.ssh' out/keys`, said: /the output out has a link/ },
	"a link in a directory that looks like one of the store's": {
		make: ({ store }) => `mkdir -p out '${store}/objects'; ln -s '${store}/objects/../../../../home/.ssh/id_rsa' out/key`,
		said: /the output out has a link/,
	},
	"a directory on the way": { make: ({ home }) => `rm -rf d; ln -s '${home}' d`, out: "d/note.txt", said: /the output d\/note\.txt leads out of the project/ },
};

/** Nodes to which an input comes by every way there is. */
const INNER = [
	{ id: "words", run: ["true", "${inputs.x}"] },
	{ id: "stage", run: "cp in.txt inner.out", params: { text: "${inputs.x}" }, deps: ["in.txt"], outs: ["inner.out"] },
];
const GIVEN = [
	{ id: "words", run: ["true", "${inputs.topic}"] },
	{ id: "shell", run: "true ${inputs.topic}" },
	{ id: "agent", type: "agent", params: { prompt: "on ${inputs.topic}", file: "@./prompt.md" } },
	{ id: "stage", run: "cp in.txt out1", params: { text: "${inputs.topic}", file: "@./prompt.md", deep: { in: ["${inputs.topic}"] } }, deps: ["in.txt"], outs: ["out1"] },
	{ id: "command", run: ["sh", "-c", "cp in.txt out2", "${inputs.topic}"], deps: ["in.txt"], outs: ["out2"] },
	{ id: "items", run: ["true", "${batch.item}"], batch: { items: ["${inputs.topic}"] } },
	{ id: "shared", run: ["true", "${inputs.topic}"], cache: { scope: "cross-run" } },
	{ id: "inner", type: "flow", run: "./inner.json", params: { x: "${inputs.topic}" } },
	{ id: "gate", type: "gate", run: ["true", "${inputs.topic}"] },
	{ id: "ok", type: "approval", params: { what: "${inputs.topic}" } },
	{ id: "fails", run: ["/not/there/${inputs.topic}"] },
];

/** The parts of a phase that only have to be compared. */
const PHASE = {
	input: SECRET,
	system: SECRET,
	agent: { prompt: SECRET },
	tools: [SECRET],
	thinking: SECRET,
	structure: { of: SECRET },
	with: { [SECRET]: 1 },
};

/** How many lines of what a run told people fit WHAT. */
const oneLine = (run, what) => (run.stdout + run.stderr).split("\n").filter((line) => what.test(line)).length;

export default async function secrets() {
	for (const [out, file] of [[".env"], ["keys/id_rsa"], ["id_rsa.bak"], [".ssh", ".ssh/work"], [".aws/credentials"]])
		await check(`secrets: F8.4 run keeps no copy of the output ${out}`, () => {
			const clone = new Clone();
			const args = ["run", "--dep", "in.txt", "--out", out, "--out", "plain.txt", "--", ...maker(clone, [file ?? out])];
			expectWithheld(clone, out, file ?? out, () => clone.run(args));
		});
	await check("secrets: F8.5 flow keeps no copy of such an output, nor does commit", () => {
		const clone = new Clone();
		const node = { id: "make", run: maker(clone, ["server.key"]), deps: ["in.txt"], outs: ["server.key", "plain.txt"] };
		writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes: [node] }));
		expectWithheld(clone, "server.key", "server.key", () => clone.run(["flow", "./flow.json"]));
		writeFileSync(clone.path("server.key"), `${SECRET} by hand\n`);
		assert.equal(clone.run(["flow", "commit", "./flow.json"]).status, 0);
		assert.deepEqual(holders(clone), []);
	});
	await check("secrets: F8.6 the user's and the project's excludes hold for outputs, too", () => {
		for (const own of [true, false]) {
			const clone = new Clone();
			const text = JSON.stringify({ exclude: ["*.mine"] });
			if (own) settings(clone, text);
			else {
				mkdirSync(clone.path(".pi"));
				writeFileSync(clone.path(".pi", "readcache.json"), text);
			}
			const args = ["run", "--dep", "in.txt", "--out", "a.mine", "--out", "plain.txt", "--", ...maker(clone, ["a.mine"])];
			expectWithheld(clone, "a.mine", "a.mine", () => clone.run(args));
		}
	});
	await check("secrets: F8.6 no copy of any output is kept while the user's settings cannot be understood", () => {
		const clone = new Clone();
		settings(clone, '{"exclude":["*.mine"');
		clone.run(["run", "--dep", "in.txt", "--out", "a.txt", "--", ...maker(clone, ["a.txt"])]);
		assert.deepEqual(holders(clone), []);
	});
	await check("secrets: F8.7 of inputs and variables the hash alone is kept", () => {
		const clone = new Clone();
		writeFileSync(clone.path(".env"), `${SECRET}\n`);
		const args = ["run", "--dep", ".env", "--fp", "file:.env", "--fp", "env:TOKEN", "--env", "TOKEN", "--stdin", "--", "true"];
		const options = { input: `${SECRET} too`, env: { TOKEN: `${SECRET} as well` } };
		for (let n = 0; n < 2; n++) assert.equal(clone.run(args, options).status, 0);
		assert.match(clone.run(["run", "--explain", ...args.slice(1)], options).stderr, /CACHED/);
		assert.deepEqual(holders(clone), []);
		assert.doesNotMatch(clone.run(["run", "--explain", ...args.slice(1)], { ...options, env: { TOKEN: "xyzzy" } }).stderr, /xyzzy|sesame/);
	});
	for (const [how, { make, out = "out", said }] of Object.entries(LINKS))
		await check(`secrets: F8.9 nothing is kept of what an output leads to: ${how}`, () => {
			for (const by of ["run", "flow"]) {
				const clone = withKey();
				const command = ["sh", "-c", `echo >>'${join(clone.dir, "runs")}'; ${make(clone)}`];
				const args = by === "run" ? ["run", "--dep", "in.txt", "--out", out, "--", ...command] : ["flow", "./flow.json"];
				writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes: [{ id: "make", run: command, deps: ["in.txt"], outs: [out] }] }));
				for (let n = 1; n <= 2; n++) {
					rmSync(clone.path("d"), { force: true });
					const run = clone.run(args);
					assert.equal(run.status, 0, run.stderr);
					assert.equal(oneLine(run, said), 1, run.stdout + run.stderr);
					assert.deepEqual(holders(clone), [], by);
					assert.equal(runsOf(clone), n, "it is not kept, so it is run again");
				}
				assert.equal(readFileSync(join(clone.home, ".ssh", "id_rsa"), "utf8"), SECRET);
			}
		});
	await check("secrets: F8.10 nor does commit follow a link that a repository ships as an output", () => {
		for (const target of ["../home/.ssh/id_rsa", "../home/.ssh"]) {
			const clone = withKey();
			symlinkSync(target, clone.path("out"));
			writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes: [{ id: "make", run: ["true"], deps: ["in.txt"], outs: ["out"] }] }));
			const run = clone.run(["flow", "commit", "./flow.json"]);
			assert.equal(oneLine(run, /out is a link/), 1, run.stderr);
			assert.deepEqual(holders(clone), []);
		}
	});
	await check("secrets: F8.10 the control: outputs that were brought back by link can be committed", () => {
		const clone = new Clone();
		writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes: [{ id: "make", run: "mkdir d; cp in.txt d/a; cp in.txt out", deps: ["in.txt"], outs: ["out", "d"] }] }));
		const work = (...args) => clone.run(["flow", ...args, "./flow.json"]);
		settings(clone, '{"checkoutMode":"symlink"}');
		assert.equal(work().status, 0);
		for (const name of ["out", "d"]) rmSync(clone.path(name), { recursive: true });
		assert.match(work().stdout, /1 cached/);
		for (const name of ["out", "d/a"]) assert.ok(lstatSync(clone.path(name)).isSymbolicLink());
		const commit = work("commit");
		assert.equal(commit.status, 0, commit.stderr);
		assert.doesNotMatch(commit.stderr, /link/);
		assert.match(work().stdout, /1 cached/);
	});
	for (const [what, name, exclude] of [["a secret", ".env"], ["a secret further down", "a/.ssh/key"], ["what the settings exclude", "a/b.mine", "*.mine"]])
		await check(`secrets: F8.11 of ${what} in a directory that is an output no copy is kept`, () => {
			const clone = new Clone();
			if (exclude) settings(clone, JSON.stringify({ exclude: [exclude] }));
			const args = ["run", "--dep", "in.txt", "--out", "dist", "--", ...maker(clone, [`dist/${name}`])];
			const [command] = args.splice(-1);
			args.push(`${command}; echo usual >dist/usual`);
			const first = clone.run(args);
			assert.equal(oneLine(first, new RegExp(`dist/${name.replaceAll(".", "\\.")} looks like a secret, or your settings exclude it, so no copy of it is kept`)), 1, first.stderr);
			assert.deepEqual(holders(clone), []);
			clone.run(args);
			assert.equal(runsOf(clone), 1, "it is known again");
			rmSync(clone.path("dist"), { recursive: true });
			clone.run(args);
			assert.equal(runsOf(clone), 2, "it is made again");
			assert.ok(readFileSync(clone.path("dist", name), "utf8").includes(SECRET));
			assert.deepEqual(holders(clone), []);
			assert.equal(clone.run(["cache", "verify"]).status, 0);
		});
	await check("secrets: F8.12 flow keeps no value that it was given, by whatever way it gets to a node", () => {
		const clone = new Clone();
		writeFileSync(clone.path("prompt.md"), `${SECRET} in a file`);
		writeFileSync(clone.path("inner.json"), JSON.stringify({ inputs: { x: null }, nodes: INNER }));
		writeFileSync(clone.path("flow.json"), JSON.stringify({ inputs: { topic: null, other: "plain" }, nodes: GIVEN }));
		const flow = (...args) => clone.run(["flow", "./flow.json", `topic=${SECRET}`, ...args], { env: { READCACHE_AGENT: `cat >/dev/null # ${SECRET}` } });
		for (const args of [[], ["--approve", "ok"], ["--approve", "ok", "--jobs", "3"]]) {
			const run = flow(...args);
			assert.match(run.stdout, /✓ Node 'shared'/, run.stderr);
			if (args.length) assert.match(run.stdout, new RegExp(`✗ Node 'fails' failed \\(cannot start /not/there/${SECRET}`), "the user is told which command it was");
			assert.deepEqual(holders(clone), []);
		}
		// Nor does the note by which a workflow of stages sees at a glance that nothing is to do.
		const stages = GIVEN.filter((node) => node.deps);
		writeFileSync(clone.path("stages.json"), JSON.stringify({ inputs: { topic: null }, nodes: stages }));
		for (let n = 0; n < 3; n++) assert.equal(clone.run(["flow", "./stages.json", `topic=${SECRET}`]).status, 0);
		assert.ok(readdirSync(clone.store, { recursive: true }).some((name) => name.endsWith("/quiet")));
		assert.deepEqual(holders(clone), []);
		// What changed is told by its name; what the file itself says, by its values.
		const other = clone.run(["flow", "./flow.json", "topic=something else", "other=more", "--explain"]).stdout;
		assert.match(other, /^ {2}words: would run \(param input topic changed\)$/m);
		assert.match(other, /^ {2}stage: would run \(.*param text changed/m);
		assert.doesNotMatch(other, /sesame|something else|sha256/);
		assert.deepEqual(holders(clone), []);
	});
	await check("secrets: F8.12 the control: parameters as they are written are told with their values", () => {
		const clone = new Clone();
		const write = (level) =>
			writeFileSync(clone.path("flow.json"), JSON.stringify({ nodes: [{ id: "stage", run: "cp in.txt o", params: { level }, deps: ["in.txt"], outs: ["o"] }, { id: "plain", run: "true", params: { level } }] }));
		write(1);
		clone.run(["flow", "./flow.json"]);
		write(2);
		const other = clone.run(["flow", "./flow.json", "--explain"]).stdout;
		assert.match(other, /^ {2}stage: would run \(param level: 1 -> 2\)$/m);
		assert.match(other, /^ {2}plain: would run \(param level: 1 -> 2, upstream stage changed\)$/m);
	});
	for (const [part, value] of Object.entries(PHASE))
		await check(`secrets: F8.13 memo keeps no ${part} of a phase, and tells that it changed by its name`, () => {
			const clone = new Clone();
			const ask = (op, more) => JSON.parse(clone.run(["memo", op], { input: JSON.stringify({ phase: "p", cache: { scope: "cross-run" }, ...more }) }).stdout);
			assert.equal(ask("record", { [part]: value, status: "done", output: "x" }).stored, true);
			assert.equal(ask("lookup", { [part]: value }).hit, true);
			assert.deepEqual(holders(clone), []);
			assert.equal(ask("lookup", { [part]: "other", explain: true }).reason, `param ${part} changed`);
			assert.equal(ask("lookup", { explain: true }).reason, `param ${part} changed`);
			assert.deepEqual(holders(clone), []);
		});
	await check("secrets: F8.13 a record of an earlier version, with its values, is compared as well", () => {
		const clone = new Clone();
		const store = join(clone.dir, "store");
		const ask = (op, more) => JSON.parse(clone.run(["memo", op, "--store", store], { input: JSON.stringify({ phase: "p", cache: { scope: "cross-run" }, ...more }) }).stdout);
		const { key } = ask("record", { input: "one", system: "two", status: "done", output: "x" });
		const file = join(store, "memo", `${key}.json`);
		const record = JSON.parse(readFileSync(file, "utf8"));
		Object.assign(record.inputs, { input: '"one"', system: '"two"' });
		writeFileSync(file, JSON.stringify(record));
		assert.equal(ask("lookup", { input: "one", system: "three", explain: true }).reason, "param system changed");
	});
	await check("secrets: F8.14 what is kept as it is, as SECURITY.md says: what a command says, and --param", () => {
		const clone = new Clone();
		clone.run(["run", "--param", `p=${SECRET}`, "--", "true"]);
		assert.deepEqual(holders(clone).map((name) => name.split("/")[0]).sort(), ["memo", "stages"]);
		const other = new Clone();
		other.run(["run", "--dep", "in.txt", "--", "echo", SECRET]);
		assert.deepEqual(holders(other).map((name) => name.split("/")[0]), ["memo"]);
	});
	for (const [what, out, script] of [
		["a file", "s/x", "cat in.txt >s/x"],
		["a directory", "s/sub", "mkdir s/sub; cat in.txt >s/sub/f"],
		["an excluded place", "v/x", "cat in.txt >v/x"],
		["a file in a directory", "w", "cat in.txt >w/.ssh/x"],
	])
		await check(`secrets: F8.15 an output that is a secret by its place, through a link of the project, is not kept: ${what}`, () => {
			const clone = new Clone();
			mkdirSync(join(clone.home, ".config", "readcache"), { recursive: true });
			writeFileSync(join(clone.home, ".config", "readcache", "config.json"), '{"exclude":["vault/"]}');
			for (const dir of [".ssh", "vault"]) mkdirSync(clone.path(dir));
			symlinkSync(".ssh", clone.path("s"));
			symlinkSync("vault", clone.path("v"));
			writeFileSync(clone.path("in.txt"), SECRET);
			const make = what === "a file in a directory" ? `mkdir -p w/.ssh; ${script}` : script;
			assert.equal(clone.run(["run", "--dep", "in.txt", "--out", out, "--", "sh", "-c", make]).status, 0);
			assert.deepEqual(holders(clone), []);
		});
	await check("secrets: F8.16 an exclude with ~/ holds where the home directory is reached through a link", () => {
		const clone = new Clone();
		symlinkSync(clone.home, join(clone.dir, "link"));
		clone.home = join(clone.dir, "link");
		settings(clone, JSON.stringify({ exclude: ["~/project/vault/", "~/other"] }));
		clone.cwd = join(clone.dir, "home", "project"); // as the system names it
		mkdirSync(clone.cwd);
		writeFileSync(clone.path("in.txt"), "input\n");
		const args = ["run", "--dep", "in.txt", "--out", "vault/a", "--out", "plain.txt", "--", ...maker(clone, ["vault/a"])];
		expectWithheld(clone, "vault/a", "vault/a", () => clone.run(args));
		for (const file of ["vault/a", "plain.txt"]) clone.run(["read", file]);
		assert.deepEqual(holders(clone), []);
	});
	await check("secrets: F8.8 the control: other outputs and what a command says are kept", () => {
		const clone = new Clone();
		clone.run(["run", "--dep", "in.txt", "--out", "a.txt", "--", ...maker(clone, ["a.txt"])]);
		assert.equal(holders(clone).length, 1);
	});
}
