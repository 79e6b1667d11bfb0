// The completions, loaded by their shells and asked as a user's Tab key asks.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { completions as make } from "../../completions/make.mjs";
import { PATIENCE } from "../lib/wait.mjs";

const completions = join(dirname(fileURLToPath(import.meta.url)), "../../completions");

const COMMANDS = ["read", "status", "refresh", "replay", "audit", "shadow", "report", "run", "flow", "memo", "cache", "store", "config", "doctor", "serve"];

function shell(name, args, options) {
	const run = spawnSync(name, args, { encoding: "utf8", timeout: PATIENCE, ...options });
	if (run.error?.code === "ENOENT") return undefined;
	if (run.error) throw run.error;
	assert.equal(run.stderr, "", `${name} complains`);
	return run.stdout.split("\n").filter(Boolean).map((line) => line.split("\t")[0].trim());
}

/** What LINE, up to the cursor at its end, can become, by bash. */
function bash(line, cwd) {
	const script = `
		source "$1"; shift
		COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
		_readcache readcache "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
		printf '%s\\n' "\${COMPREPLY[@]}"`;
	return shell("bash", ["--norc", "-c", script, "bash", join(completions, "readcache.bash"), ...line.split(" ")], { cwd });
}

function fish(line, cwd) {
	const script = `source ${join(completions, "readcache.fish")}; complete -C "${line}"`;
	const env = { ...process.env, HOME: cwd, XDG_CONFIG_HOME: cwd };
	return shell("fish", ["--no-config", "-c", script], { cwd, env });
}

/**
 * zsh completes only on a terminal, so one is made with its own module. Nothing is typed, which would have to be timed:
 * when the line editor starts, LINE is put into it and completed, and what is offered goes to a file.
 */
function zsh(line, cwd) {
	const inner = `
		autoload -Uz compinit; compinit -C -d ${cwd}/.zcompdump
		source ${join(completions, "readcache.zsh")}
		compadd() {
			local -a offered
			if (( $argv[(I)-[OAD]] == 0 )); then
				builtin compadd -A offered "$@"
				print -rl -- $offered >> ${cwd}/offered
			fi
			builtin compadd "$@"
		}
		zle-line-init() { BUFFER='${line}'; CURSOR=$#BUFFER; zle complete-word; exit }
		zle -N zle-line-init`;
	const outer = `
		zmodload zsh/zpty
		zpty z zsh -i
		zpty -r z everything '*THERE-IS-NO-SUCH-TEXT*' # until it ends
		cat ${cwd}/offered; rm -f ${cwd}/offered`;
	writeFileSync(join(cwd, ".zshrc"), inner);
	writeFileSync(join(cwd, "offered"), "");
	return shell("zsh", ["-f", "-c", outer], { cwd, env: { ...process.env, ZDOTDIR: cwd, TERM: "dumb" } });
}

/** EXPECTED are all among FOUND, and UNEXPECTED are not. */
function offers(found, expected, unexpected = []) {
	for (const word of expected) assert.ok(found.includes(word), `${word} is offered: ${found.join(" ")}`);
	for (const word of unexpected) assert.ok(!found.includes(word), `${word} is not offered: ${found.join(" ")}`);
}

/** The long options that a command's help explains. */
function explained(context, command) {
	const { status, stdout } = context.run([command, "--help"]);
	assert.equal(status, 0, command);
	const about = stdout.slice(stdout.indexOf("\nUsage:")).split("\n").filter((line) => /^ {2}(-\w,| {4})\s*--/.test(line));
	return [...new Set(about.flatMap((line) => line.match(/--[a-z][a-z-]*/g)))].sort();
}

/** Every option that a command has is offered, and no other. */
function checkOptions(context, ask) {
	for (const command of COMMANDS.filter((name) => name !== "serve"))
		assert.deepEqual([...new Set(ask(`readcache ${command} --`))].sort(), explained(context, command), command);
}

function check(context, complete) {
	mkdirSync(join(context.dir, "some-directory"));
	writeFileSync(join(context.dir, "session.jsonl"), "");
	const ask = (line) => complete(line, context.dir);
	if (ask("readcache ") === undefined) context.skip("the shell is not installed");
	offers(ask("readcache "), COMMANDS);
	offers(ask("readcache re"), ["read", "refresh", "replay", "report"], ["store", "audit"]);
	offers(ask("readcache store "), ["stats", "verify", "gc"], ["read"]);
	offers(ask("readcache cache "), ["stats", "verify", "gc", "clear", "settings"], ["read"]);
	offers(ask("readcache cache settings "), ["ttl", "iteration-mode", "checkout-mode"], ["gc"]);
	offers(ask("readcache run --"), ["--dep", "--out", "--param", "--dry-run", "--checkout-mode", "--json"], ["--session"]);
	offers(ask("readcache run --checkout-mode "), ["hardlink", "symlink", "copy"], ["session.jsonl"]);
	offers(ask("readcache run --dep s"), ["session.jsonl"]);
	offers(ask("readcache memo "), ["key", "get", "set", "rm", "lookup", "record", "ls", "clear"], ["gc"]);
	offers(ask("readcache memo key --"), ["--agent", "--system", "--prompt", "--model", "--ttl"], ["--session"]);
	offers(ask("readcache store gc --"), ["--store", "--dry-run", "--max-bytes", "--max-age", "--json", "--help"], ["--session"]);
	offers(ask("readcache read --"), ["--offset", "--limit", "--session", "--leaf", "--explain", "--json"], ["--store"]);
	offers(ask("readcache shadow --policy "), ["strict", "coverage"], ["session.jsonl"]);
	offers(ask("readcache report --"), ["--output", "--json"]);
	offers(ask("readcache replay s"), ["session.jsonl"]);
	offers(ask("readcache doctor --j"), ["--json"]);
	offers(ask("readcache flow "), ["status", "validate", "checkout", "commit", "save", "clear", "session.jsonl"], ["gc"]);
	offers(ask("readcache flow status s"), ["session.jsonl"], ["save", "status"]);
	offers(ask("readcache flow save session.jsonl "), [], ["status", "commit"]);
	offers(ask("readcache memo get "), [], ["key", "set", "session.jsonl"]);
	offers(ask("readcache memo set x --file s"), ["session.jsonl"], ["set"]);
	offers(ask("readcache memo --ttl 6h g"), ["get"]);
	offers(ask("readcache memo clear --flow "), [], ["session.jsonl", "get"]);
	offers(ask("readcache cache --store "), [], ["session.jsonl", "stats"]);
	offers(ask("readcache cache --store some-directory g"), ["gc"]);
	offers(ask("readcache cache gc "), [], ["stats", "clear", "session.jsonl"]);
	offers(ask("readcache status --session s"), ["session.jsonl"]);
	offers(ask("readcache refresh s"), ["session.jsonl"], ["status", "shadow"]);
	offers(ask("readcache run --dep session.jsonl -- mkdi"), ["mkdir"]);
	offers(ask("readcache run mkdi"), ["mkdir"]);
	offers(ask("readcache run mkdir --"), [], ["--dep", "--out"]);
	offers(ask("readcache run mkdir read --"), [], ["--offset", "--dep"]);
	offers(ask("readcache run -n "), [], ["session.jsonl", "--dep"]);
	offers(ask("readcache memo clear --flow get "), [], ["--store"]);
	offers(ask("readcache report -o s"), ["session.jsonl"]);
	offers(ask("readcache cache -n g"), ["gc"]);
	offers(ask("readcache --"), ["--help", "--version"], ["--dep"]);
	checkOptions(context, ask);
}

export const tests = [
	{
		name: "the files are what the table of commands makes them",
		run(context) {
			for (const [name, text] of Object.entries(make(context.binary)))
				assert.equal(readFileSync(join(completions, name), "utf8"), text, `${name} is old: run node completions/make.mjs`);
		},
	},
	{ name: "bash", run: (context) => check(context, bash) },
	{ name: "fish", run: (context) => check(context, fish) },
	{ name: "zsh", run: (context) => check(context, zsh) },
];
