// Secrets and the work cache: of outputs that look like secrets, or that the
// user excludes, no copy is kept; they are compared, and made again (F8).
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
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
	await check("secrets: F8.8 the control: other outputs and what a command says are kept", () => {
		const clone = new Clone();
		clone.run(["run", "--dep", "in.txt", "--out", "a.txt", "--", ...maker(clone, ["a.txt"])]);
		assert.equal(holders(clone).length, 1);
	});
}
