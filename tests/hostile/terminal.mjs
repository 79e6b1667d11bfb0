// Names, keys and texts with commands for a terminal in them: no command of
// the program passes them on (issue C, F6). Data is data: what a file says,
// what a command that was run says, and JSON for programs, which escapes C0
// alone, comes out as it is, and is not looked at.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import { Session } from "../lib/session.mjs";
import { check, freshDir } from "./harness.mjs";

/** C0, C1, turns of direction, a separator of lines, what cannot be seen; and, by itself, a byte that is no UTF-8. */
const NASTY = "n\x1b[31m\x07\u009b2J\u202egnp\u2066\u2028x\u061c\u200f\u200b\ufeff\u{e0041}y";
const RAW = [/[\x00-\x08\x0b-\x1f\x7f]/, /[\u0080-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffd]/, /[\u{e0000}-\u{e007f}]/u];
const BYTE = Buffer.from([0x6e, 0xff, 0x9b, 0x6d]); // not as UTF-8

/** A user and a project where everything is called so. */
class World {
	constructor() {
		this.dir = freshDir();
		this.home = join(this.dir, `home ${NASTY}`);
		this.cwd = join(this.dir, `project ${NASTY}`);
		for (const path of [join(this.home, ".config", "readcache"), join(this.cwd, ".pi")]) mkdirSync(path, { recursive: true });
		this.write("in.txt", "input\n");
		this.write(`${NASTY}.txt`, "text\n");
		this.write(".pi/readcache.json", JSON.stringify({ [NASTY]: 1, policy: NASTY, exclude: [`${NASTY}/[`, NASTY], store: NASTY }));
		writeFileSync(join(this.home, ".config", "readcache", "config.json"), JSON.stringify({ [NASTY]: 1, bind: NASTY, exclude: [NASTY], ttl: NASTY }));
		this.session = join(this.dir, `session ${NASTY}.jsonl`);
		this.makeSession();
	}

	write(name, text) {
		writeFileSync(join(this.cwd, name), text);
	}

	makeSession() {
		const session = new Session();
		const path = join(this.cwd, `${NASTY}.txt`);
		for (const id of [`call ${NASTY}`, `other ${NASTY}`]) {
			session.call({ path }, id);
			const request = { v: 1, op: "read", cwd: this.cwd, params: { path }, session: session.inline() };
			session.result(JSON.parse(this.run([], { input: JSON.stringify(request) }).stdout).result, id);
		}
		session.call({ path: NASTY }, "third");
		session.result({ content: [{ type: "text", text: "x" }], details: { readcache: { v: 1, path: NASTY, mode: NASTY } } }, "third");
		session.custom({ customType: NASTY, data: { path: NASTY } });
		session.save(this.session, this.cwd);
		this.leaf = session.leafId;
	}

	/** The environment of a user at a terminal; node takes bytes that are no UTF-8 for U+FFFD. */
	run(args, { input = "", cwd = this.cwd } = {}) {
		const env = { PATH: process.env.PATH, HOME: this.home, TERM: "xterm", LANG: "C.UTF-8", USER: NASTY };
		const { status, signal, stdout, stderr } = spawnSync(binary(), args, { cwd, input, env, encoding: "utf8", timeout: PATIENCE });
		assert.equal(signal, null, `${JSON.stringify(args)}: ended by a signal`);
		return { status, stdout, stderr };
	}

	/** The same with an argument of bytes: it stands for "@". */
	runBytes(args) {
		const words = args.map((word) => (word === "@" ? '"$(printf "n\\377\\233m")"' : `'${word}'`)).join(" ");
		const env = { PATH: process.env.PATH, HOME: this.home, TERM: "xterm" };
		const { stdout, stderr } = spawnSync("sh", ["-c", `'${binary()}' ${words}`], { cwd: this.cwd, env, encoding: "latin1" });
		return { stdout, stderr };
	}
}

function expectVisible(args, text) {
	for (const raw of RAW) assert.doesNotMatch(text, raw, `${JSON.stringify(args)} said ${JSON.stringify(text)}`);
}

const phase = (more = {}) => JSON.stringify({ phase: NASTY, flow: NASTY, model: NASTY, cache: { scope: "cross-run", fingerprint: ["file:in.txt"] }, ...more });

/** Every command for people, with what it may be given. `data`: its standard output is the data of others. */
function commands(world) {
	const { session } = world;
	const file = `${NASTY}.txt`;
	return [
		{ args: ["read", file, "--explain"], data: true },
		{ args: ["read", `${NASTY}-none`] },
		{ args: ["read", file, "--session", session, "--explain"], data: true },
		{ args: ["read", file, "--session", session, "--leaf", NASTY] },
		{ args: ["read", "in.txt", "--offset", NASTY] },
		{ args: ["status"] },
		{ args: ["status", "--session", session] },
		{ args: ["status", "--session", NASTY] },
		{ args: ["refresh", file, "--session", session, "--dry-run"] },
		{ args: ["refresh", file, NASTY, "--session", session] },
		{ args: ["replay", session] },
		{ args: ["replay", session, "--all-leaves"] },
		{ args: ["replay", NASTY] },
		{ args: ["audit", session] },
		{ args: ["shadow", session] },
		{ args: ["shadow", session, "--policy", NASTY] },
		{ args: ["report", session, "-o", join(world.dir, `page ${NASTY}.html`)] },
		{ args: ["report", NASTY, "-o", join(world.dir, NASTY, "page.html")] },
		{ args: ["memo", "record"], input: phase({ status: "done", output: "x", runId: NASTY }), data: true },
		{ args: ["memo", "lookup", "--explain"], input: phase({ [NASTY]: 1 }), data: true },
		{ args: ["memo", "lookup", "--explain"], input: phase({ with: 1 }), data: true },
		{ args: ["memo", "ls"] },
		{ args: ["memo", "get", NASTY, "--explain"] },
		{ args: ["memo", "set", NASTY], input: "x" },
		{ args: ["memo", "set", "0123456789abcdef", "--model", NASTY], input: "x" },
		{ args: ["memo", "set", "0123456789abcdef", "--ttl", NASTY], input: "x" },
		{ args: ["memo", "key", "--prompt-file", NASTY] },
		{ args: ["memo", "rm", NASTY] },
		{ args: ["memo", "clear", "--flow", NASTY] },
		{ args: ["memo", NASTY] },
		{ args: ["run", "-n", NASTY, "--", "true"] },
		{ args: ["run", "--explain", "--", "true", NASTY] },
		{ args: ["run", "--explain", "--dep", file, "--param", `${NASTY}=1`, "--env", "USER", "--", "true"] },
		{ args: ["run", "--explain", "--dep", NASTY, "--", "true"] },
		{ args: ["run", "--dry-run", "--fp", `file:${NASTY}`, "--", "true"] },
		{ args: ["run", "--fp", NASTY, "--", "true"] },
		{ args: ["run", "--out", NASTY, "--", "true"] },
		{ args: ["run", "--out", `../${NASTY}`, "--", "true"] },
		{ args: ["run", "--out", `${NASTY}/${NASTY}`, "--explain", "--", "true"] },
		{ args: ["run", "--out", NASTY, "--dep", NASTY, "--", "true"] },
		{ args: ["run", "--checkout-mode", NASTY, "--", "true"] },
		{ args: ["run", "--ttl", NASTY, "--", "true"] },
		{ args: ["run", "--", NASTY] },
		{ args: ["run", "--", `./${NASTY}`] },
		{ args: ["run", "--store", "in.txt", "--", "true"] },
		{ args: ["cache", "stats"] },
		{ args: ["cache", "verify", "-n"] },
		{ args: ["cache", "gc", "-n"] },
		{ args: ["cache", "gc", "--max-bytes", NASTY] },
		{ args: ["cache", "stats", "--store", NASTY] },
		{ args: ["cache", "settings"] },
		{ args: ["cache", "settings", NASTY] },
		{ args: ["cache", "settings", "ttl", NASTY] },
		{ args: ["cache", "adopt"] },
		{ args: ["cache", NASTY] },
		{ args: ["cache", "clear"] },
		{ args: ["config"] },
		{ args: ["doctor"] },
		{ args: ["flow", `./${NASTY}.json`] },
		{ args: ["flow", NASTY] },
		{ args: ["flow", "./flow.json", "--explain"] },
		{ args: ["flow", "./flow.json"], data: true },
		{ args: ["flow", "./flow.json"], data: true },
		{ args: ["flow", "./flow.json", `${NASTY}=1`] },
		{ args: ["flow", "./flow.json", "--only", NASTY] },
		{ args: ["flow", "./flow.json", "--rerun", NASTY] },
		{ args: ["flow", "./flow.json", "--approve", NASTY] },
		{ args: ["flow", "./flow.json", "--resume", NASTY] },
		{ args: ["flow", "status", "./flow.json"] },
		{ args: ["flow", "validate", "./flow.json"] },
		{ args: ["flow", "validate", "./bad.json"] },
		{ args: ["flow", "validate", "./worse.json"] },
		{ args: ["flow", "checkout", "./flow.json", NASTY] },
		{ args: ["flow", "commit", "./flow.json", NASTY] },
		{ args: ["flow", "save", "./flow.json", NASTY] },
		{ args: ["flow", "save", "./flow.json", "good"] },
		{ args: ["flow", "clear", "./flow.json"] },
		{ args: ["flow", "./fails.json"] },
		{ args: [NASTY] },
		{ args: ["read", `--${NASTY}`] },
		{ args: ["run", `--${NASTY}`] },
		{ args: ["run", "-\u009b"] },
	];
}

function flows(world) {
	const nodes = [
		{ id: "a", run: ["true", NASTY], outs: [] },
		{ id: "b", run: ["true"], deps: [`${NASTY}.txt`] },
	];
	world.write("flow.json", JSON.stringify({ name: NASTY, inputs: { topic: NASTY }, nodes }));
	world.write("bad.json", JSON.stringify({ [NASTY]: 1, nodes: [{ id: NASTY, rum: NASTY, run: `\${${NASTY}.stdout}`, needs: [NASTY] }, { id: "c", type: NASTY }] }));
	world.write("worse.json", `{"nodes": [${NASTY}`);
	world.write("fails.json", JSON.stringify({ nodes: [{ id: "f", run: ["false", NASTY], outs: [NASTY] }] }));
	world.write(`${NASTY}.json`, JSON.stringify({ nodes: [{ id: "a", run: "true" }] }));
}

// --- what the program says of itself --------------------------------------

/** The commands that `--help` names, those for hosts included. */
function commandsInHelp(world) {
	const { stdout } = world.run(["--help"]);
	const rows = stdout.split(/^For (?:hosts|people).*$/m).slice(1).join("").split(/^Options:/m)[0];
	return [...rows.matchAll(/^  ([a-z]+)[ \n]/gm)].map(([, name]) => name);
}

/** Those of a command that has commands of its own, from its lines "Usage:" and their list. */
function innerCommands(help, name) {
	const usage = [...help.matchAll(new RegExp(`readcache ${name} ([a-z|]+)(?= |$)`, "gm"))].flatMap(([, words]) => words.split("|"));
	const listed = [...help.matchAll(/^  ([a-z]+)(?: [A-Z]+(?:\.\.\.)?)?  +[a-z]/gm)].map(([, word]) => word);
	return [...new Set([...usage, ...listed])];
}

/** The options of a help text: the name, and whether it takes a value. */
function optionsIn(help) {
	return [...help.matchAll(/^ {2,6}(?:-\w, )?(--[a-z-]+)((?: |=)[A-Z][A-Z=]*)?/gm)].map(([, name, value]) => ({ name, value: value !== undefined }));
}

/** Every command, inner command and option that there is, with hostile words: none can be forgotten. */
async function everything(world) {
	const names = commandsInHelp(world);
	await check("terminal: F6.4 the list of commands is found in --help", () => {
		for (const name of ["serve", "read", "run", "flow", "memo", "cache", "doctor", "report"]) assert.ok(names.includes(name), `${names}`);
	});
	for (const name of names) {
		const help = name === "serve" ? "" : world.run([name, "--help"]).stdout;
		await check(`terminal: F6.4 ${name}, its commands and its options, with hostile words`, () => {
			const inner = innerCommands(help, name);
			if (["memo", "cache", "flow"].includes(name)) assert.ok(inner.length >= 5, `${name}: ${inner}`);
			for (const words of [[], ...inner.map((word) => [word])]) {
				expectQuiet(world, [name, ...words, NASTY]);
				expectQuiet(world, [name, ...words, NASTY, NASTY]);
				expectQuiet(world, [name, ...words, `--${NASTY}`]);
				for (const { name: option, value } of optionsIn(help)) {
					if (option.startsWith("--json") || option === "--help") continue;
					if (value) expectQuiet(world, [name, ...words, option, NASTY, NASTY]);
					expectQuiet(world, [name, ...words, `${option}=${NASTY}`, NASTY]);
				}
			}
		});
	}
}

function expectQuiet(world, args) {
	const { stdout, stderr } = world.run(args, { input: NASTY });
	expectVisible(args, stderr);
	if (args[0] !== "serve") expectVisible(args, stdout);
}

export default async function terminal() {
	const world = new World();
	flows(world);
	await everything(world);
	for (const { args, input, data } of commands(world))
		await check(`terminal: F6.1 ${args.map((word) => (word.includes(NASTY) ? "<nasty>" : word.includes("/") ? "<path>" : word.replace(/\u009b/, "<C1>"))).join(" ")}`, () => {
			const { stdout, stderr } = world.run(args, { input });
			expectVisible(args, stderr);
			if (!data) expectVisible(args, stdout);
		});
	await check("terminal: F6.2 a byte that is no UTF-8 is spelled out", () => {
		for (const args of [["@"], ["read", "@"], ["run", "-n", "@", "--", "true"], ["run", "--out", "@", "--", "true"], ["run", "--", "@"], ["cache", "@"], ["memo", "get", "@"], ["flow", "@"], ["replay", "@"], ["cache", "stats", "--store", "@"]]) {
			const { stdout, stderr } = world.runBytes(args);
			assert.ok(!`${stdout}${stderr}`.includes(BYTE.toString("latin1")), `${args}: ${JSON.stringify(stderr)}`);
			assert.doesNotMatch(stdout + stderr, /[\xff]/, `${args}: ${JSON.stringify(stderr)}`);
		}
	});
	await check("terminal: F6.3 what is spelled out can be told apart", () => {
		const { stderr } = world.run([NASTY]);
		assert.ok(stderr.includes("n\\x1b[31m\\x07\\u{9b}2J\\u{202e}gnp\\u{2066}\\u{2028}x\\u{61c}\\u{200f}\\u{200b}\\u{feff}\\u{e0041}y"), stderr);
	});
}
