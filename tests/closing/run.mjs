// The end of scripts/test:
//
//	node tests/closing/run.mjs DIRECTORY...
//
// Every directory is named after a step (sanitized, release) and holds ctest's LastTest.log as `log` and the notes of
// its tests as `skips`. Exit status: 1 if a test failed, or, where CI is set, if one was skipped that
// tests/skips.txt does not name; 2 if a step has run nothing.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { close, readStep } from "./closing.mjs";

const steps = process.argv.slice(2).map((directory) => ({ name: basename(directory), ...readStep(directory) }));
const { lines, failed, surprising, entries } = close(steps, readFileSync(new URL("../skips.txt", import.meta.url), "utf8"));
console.log(lines.join("\n"));
const inCI = !["", "0", "false", undefined].includes(process.env.CI);
if (entries === 0) process.exitCode = 2;
else process.exitCode = failed > 0 || (inCI && surprising > 0) ? 1 : 0;
