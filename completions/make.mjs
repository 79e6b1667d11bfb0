#!/usr/bin/env node
// Write the completions for bash, zsh and fish from the program's table of commands (readcache --help --json).
//
//	node completions/make.mjs [READCACHE]      build/readcache, if no program is named
//
// Nothing here knows a command or an option by name. tests/cli/completion.mjs fails if the files are not what this makes.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bash } from "./bash.mjs";
import { fish } from "./fish.mjs";
import { zsh } from "./zsh.mjs";

/** Each file's name and text, for the table that PROGRAM prints. */
export function completions(program) {
	const { commands } = JSON.parse(execFileSync(program, ["--help", "--json"], { encoding: "utf8" }));
	return { "readcache.bash": bash(commands), "readcache.fish": fish(commands), "readcache.zsh": zsh(commands) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const here = dirname(fileURLToPath(import.meta.url));
	const program = process.argv[2] ?? join(here, "../build/readcache");
	for (const [name, text] of Object.entries(completions(program))) writeFileSync(join(here, name), text);
}
