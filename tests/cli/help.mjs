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
					if (stderr.includes("not built yet")) continue;
					assert.deepEqual([status, stderr], [0, ""], command);
					assert.match(stdout, new RegExp(`^Examples:\n {2}readcache ${command}`), command);
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
			harmless(context.run(["\u001b[31m"]).stderr);
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
