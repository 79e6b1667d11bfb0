// What a new user sees first: help, versions, and commands that do not exist.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { harmless, lines, Recording } from "./recording.mjs";

const COMMANDS = ["read", "status", "refresh", "replay", "audit", "shadow", "report", "run", "flow", "memo", "cache", "config", "doctor"];

export const tests = [
	{
		name: "every command has a help that begins with examples",
		run(context) {
			for (const command of COMMANDS)
				for (const option of ["--help", "-h"]) {
					const { status, stdout, stderr } = context.run([command, option]);
					assert.deepEqual([status, stderr], [0, ""], command);
					assert.match(stdout, new RegExp(`^Examples:\n {2}readcache ${command}`), command);
					assert.match(stdout, new RegExp(`^Usage: readcache ${command} `, "m"), command);
					assert.match(stdout, /^Exit status:/m, command);
					assert.match(stdout, /--help/, command);
					for (const line of stdout.split("\n")) assert.ok(line.length <= 80, `${command}: ${line}`);
					harmless(stdout);
				}
		},
	},
	{
		name: "the main help names every command",
		run(context) {
			for (const option of ["--help", "-h"]) {
				const { status, stdout, stderr } = context.run([option]);
				assert.deepEqual([status, stderr], [0, ""]);
				assert.match(stdout, /^Examples:\n/);
				for (const command of COMMANDS) assert.match(stdout, new RegExp(`^ {2}${command}\\b`, "m"));
				for (const line of stdout.split("\n")) assert.ok(line.length <= 90, line);
			}
		},
	},
	{
		name: "the help for programs: the same commands and options, and the program takes each of them",
		run(context) {
			const { status, stdout, stderr } = context.run(["--help", "--json"]);
			assert.deepEqual([status, stderr], [0, ""]);
			const table = JSON.parse(stdout);
			assert.equal(table.v, 1);
			assert.deepEqual(table.commands.map(({ name }) => name), ["serve", ...COMMANDS]);
			assert.deepEqual(table.commands.filter(({ older }) => older).map(({ name, older }) => [name, older]), [["cache", "store"]]);
			for (const { name: command, options, actions } of table.commands) {
				const rows = context.run([command, "--help"]).stdout.split("\n");
				for (const { name, letter, value, optional } of options) {
					const flags = `${letter ? `-${letter}, ` : "    "}--${name}${optional ? `[=${value}]` : value ? ` ${value}` : ""}`;
					assert.ok(rows.some((row) => row.startsWith(`  ${flags}   `)), `${command}: ${flags}`);
					const wrong = value && !optional ? [`--${name}`] : [`--${name}=x`];
					const said = value && !optional ? `--${name} needs a value.` : optional ? `--${name}=x: only` : `--${name} takes no value.`;
					assert.ok(context.run([command, ...wrong]).stderr.startsWith(`readcache: ${said}`), `${command} --${name}`);
					if (letter && value) assert.ok(context.run([command, `-${letter}`]).stderr.startsWith(`readcache: -${letter} needs a value.`), `${command} -${letter}`);
				}
				for (const { name, takes } of actions) assert.ok(rows.some((row) => row.startsWith(`  ${name}${takes ? ` ${takes}` : ""}  `)), `${command} ${name}`);
			}
		},
	},
	{
		name: "--help counts as soon as it is met, in every command",
		run(context) {
			for (const command of COMMANDS) {
				const { status, stdout, stderr } = context.run([command, "--help", "--there-is-no-such-option"]);
				assert.deepEqual([status, stderr], [0, ""], command);
				assert.match(stdout, /^Examples:/, command);
			}
			assert.equal(context.run(["serve", "--help"]).stdout, context.run(["--help"]).stdout);
			assert.equal(context.run(["serve", "-h"]).stdout, context.run(["--help"]).stdout);
		},
	},
	{
		name: "the version names the protocol",
		run(context) {
			const { status, stdout } = context.run(["--version"]);
			assert.equal(status, 0);
			assert.match(stdout, /^readcache \d+\.\d+\.\d+ \(protocol 1\)\n$/);
		},
	},
	{
		name: "a command that does not exist: a sentence, exit 2",
		run(context) {
			for (const args of [["raed"], ["--nonsense"], ["help"], [""], ["serve", "x"], ["--version", "x"]]) {
				const { status, stdout, stderr } = context.run(args);
				assert.deepEqual([status, stdout], [2, ""], args.join(" "));
				assert.match(stderr, /readcache --help/, args.join(" "));
			}
			assert.equal(context.run(["serve", "x"]).stderr, "readcache: serve takes no arguments. See readcache --help.\n");
			const red = "\u001b[31m";
			for (const args of [[red], ["cache", red], ["memo", red], ["flow", "x", red], ["cache", "settings", red], ["run", `--${red}`], ["cache", "gc", "--max-age", red]])
				harmless(context.run(args).stderr);
		},
	},
	{
		name: "a name that is nearly one: what was probably meant",
		run(context) {
			const near = [
				[["rnu"], 'there is no command "rnu". Did you mean "run"?'],
				[["cahce"], 'there is no command "cahce". Did you mean "cache"?'],
				[["stats"], 'there is no command "stats". Did you mean "status"?'],
				[["x"], 'there is no command "x".'],
				[["read", "--limt", "3", "x"], 'there is no option --limt. Did you mean "--limit"?'],
				[["status", "--sesion=x"], 'there is no option --sesion. Did you mean "--session"?'],
				[["run", "--dp", "x"], 'there is no option --dp. Did you mean "--dep"?'],
				[["memo", "--xy", "ls"], "there is no option --xy."],
				[["cache", "--json", "-xn", "stats"], "there is no option -x."],
			];
			for (const [args, sentence] of near) {
				const { status, stdout, stderr } = context.run(args);
				assert.deepEqual([status, stdout], [args[0] === "run" ? 125 : 2, ""], args.join(" "));
				const help = args.length > 1 ? `${args[0]} ` : "";
				assert.equal(stderr, `readcache: ${sentence} See readcache ${help}--help.\n`);
			}
		},
	},
	{
		name: "an option without its value takes nothing else for it",
		run(context) {
			const forgotten = [
				["run", ["--dep", "--", "echo"], '--dep needs a value, but "--" follows.'],
				["run", ["-n", "--", "echo"], '-n needs a value, but "--" follows.'],
				["run", ["--dep", "--out", "x"], '--dep needs a value, but "--out" follows.'],
				["run", ["--dep"], "--dep needs a value."],
				["read", ["--session", "--", "x"], '--session needs a value, but "--" follows.'],
				["status", ["--leaf", "--json"], '--leaf needs a value, but "--json" follows.'],
				["refresh", ["x", "--session", "--", "x"], '--session needs a value, but "--" follows.'],
				["replay", ["--leaf", "--", "x"], '--leaf needs a value, but "--" follows.'],
				["shadow", ["--files", "--", "x"], '--files needs a value, but "--" follows.'],
				["report", ["-o", "--", "x"], '-o needs a value, but "--" follows.'],
				["flow", ["--jobs", "--", "x"], '--jobs needs a value, but "--" follows.'],
				["memo", ["get", "x", "--ttl", "--"], '--ttl needs a value, but "--" follows.'],
				["memo", ["get", "x", "--ttl"], "--ttl needs a value."],
				["cache", ["gc", "--max-age", "--"], '--max-age needs a value, but "--" follows.'],
				["cache", ["--json=1", "stats"], "--json takes no value."],
			];
			for (const [command, args, sentence] of forgotten) {
				const { status, stdout, stderr } = context.run([command, ...args]);
				assert.deepEqual([status, stdout], [command === "run" ? 125 : 2, ""], args.join(" "));
				assert.equal(stderr, `readcache: ${sentence} See readcache ${command} --help.\n`);
			}
			// who means it says it in one word
			const key = (prompt) => context.run(["memo", "key", "--agent", "a", "--model", "m", prompt]);
			for (const prompt of ["--prompt=--", "--prompt=--json"]) assert.equal(key(prompt).status, 0);
		},
	},
	{
		name: "output that cannot be written: a sentence, exit 2; a reader that goes away: an end, no crash",
		run(context) {
			const recording = new Recording(context);
			recording.write("a.txt", lines(40));
			recording.user();
			recording.read("a.txt");
			const session = recording.save();
			const full = openSync("/dev/full", "w");
			const { cwd } = recording;
			for (const args of [["read", "a.txt"], ["status"], ["replay", session], ["replay", "--all-leaves", "--json", session], ["shadow", session], ["shadow", "--help"]]) {
				const run = spawnSync(context.binary, args, { cwd, stdio: ["ignore", full, "pipe"], encoding: "utf8" });
				assert.equal(run.status, 2, args.join(" "));
				assert.equal(run.stderr, "readcache: cannot write the output: No space left on device.\n", args.join(" "));
				const gone = spawnSync("sh", ["-c", '"$@" | true', "sh", context.binary, ...args], { cwd, encoding: "utf8" });
				assert.doesNotMatch(gone.stderr, /runtime error|Sanitizer/);
			}
		},
	},
	{
		name: "no colour: not without a terminal, not with NO_COLOR",
		run(context) {
			for (const env of [{}, { NO_COLOR: "1", TERM: "xterm-256color" }, { TERM: "xterm-256color" }])
				for (const command of ["doctor", "config", "status"]) {
					const { stdout } = context.run([command], { env });
					harmless(stdout);
				}
		},
	},
];
