// Does the manual page name every command, action and option that the program has (readcache --help --json), each in
// the text about its command, and no option that it has not?
//
//	node tests/lint/manual.mjs
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { binary } from "../lib/engine.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** The lines of PAGE about each of NAMES: its synopses, its items, and what follows `.Nm Cm NAME`, to the end of a section. */
function linesAbout(page, names) {
	const about = new Map(names.map((name) => [name, []]));
	let current, synopsis = false;
	for (const line of page.split("\n")) {
		if (/^\.(Sh|Ss)/.test(line)) [current, synopsis] = [undefined, line === ".Sh SYNOPSIS"];
		const begins = line.match(/^\.(?:It|Nm) Cm (\S+)/) ?? (synopsis ? line.match(/^\.Cm (\S+)/) : undefined);
		if (begins && about.has(begins[1])) current = begins[1];
		if (current) about.get(current).push(line);
	}
	return about;
}

/** The options that LINES name: "-json" for --json, "n" for -n. */
function optionsIn(lines) {
	const named = new Set();
	for (const line of lines) {
		const words = line.split(/[ .]+/);
		for (let i = 1; i < words.length; i++)
			if (words[i] !== "Fl" && (words[i - 1] === "Fl" || (words[i - 1] === "," && words.slice(0, i).includes("Fl")))) named.add(words[i].replace(/[,;]$/, ""));
	}
	return named;
}

/** What is wrong with PAGE. */
function faults(page, commands) {
	const found = [];
	const about = linesAbout(page, commands.map((command) => command.name));
	const everywhere = optionsIn(page.split("\n"));
	const known = new Set(["-help", "-version", "h", "-"]);
	for (const command of commands) {
		const lines = about.get(command.name), options = optionsIn(lines);
		const words = new Set(lines.filter((line) => /\bCm\b/.test(line)).flatMap((line) => line.split(/[ |]+/)));
		if (lines.length === 0) found.push(`${command.name} is not described`);
		for (const action of command.actions) if (!words.has(action.name)) found.push(`${command.name} ${action.name} is not named`);
		for (const { name, letter } of command.options)
			for (const option of [`-${name}`, letter].filter(Boolean)) {
				known.add(option);
				if (!options.has(option)) found.push(`${command.name} -${option} is not named`);
			}
	}
	for (const option of ["h", "-help", "-version"]) if (!everywhere.has(option)) found.push(`-${option} is not named`);
	for (const option of everywhere) if (!known.has(option)) found.push(`-${option} is named, and is no option of any command`);
	return found;
}

const page = readFileSync(join(root, "doc/readcache.1"), "utf8");
const { commands } = JSON.parse(execFileSync(binary(), ["--help", "--json"], { encoding: "utf8" }));

// One that finds nothing in a page without options would find nothing anywhere.
const blind = faults(page.replaceAll("Fl -", "Li "), commands).length < 50 || faults("", commands).length < 100;
if (blind) console.log("not ok the lint finds nothing where everything is missing");
const found = faults(page, commands);
for (const fault of found) console.log(`not ok doc/readcache.1: ${fault}`);
console.log(`${commands.length} commands, ${found.length} faults in the manual page`);
process.exitCode = blind || found.length > 0 ? 1 : 0;
