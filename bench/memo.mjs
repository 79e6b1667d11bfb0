// What looking up and keeping results costs.  memo.mjs ROUNDS TURNS WORK, called by bench/memo
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { binary } from "../tests/lib/engine.mjs";
import { kept } from "./limit.mjs";
import { machine } from "./machine.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [rounds, turns, work] = [Number(process.argv[2]), ...process.argv.slice(3)];
const MANY = rounds >= 1000 ? 100_000 : 10_000;
const KEY = "ab".repeat(32);

const env = { PATH: process.env.PATH, HOME: work, CCACHE_DIR: join(work, "ccache"), LANG: "C" };
const key = (n) => n.toString(16).padStart(64, "0");
const value = join(work, "value");
writeFileSync(value, `${"An answer of some length. ".repeat(40)}\n`);

/** A store with KEY and so many records besides. */
function store(name, records) {
	const dir = join(work, name);
	execFileSync(binary(), ["memo", "set", KEY, "--file", value, "--store", dir], { cwd: work, env });
	for (let n = 1; n < records; n++)
		writeFileSync(join(dir, "memo", `${key(n)}.json`), `{"value":"answer ${n}","expires_at":0}\n`, { mode: 0o600 });
	return dir;
}

const get = (dir) => ["-e", "An answer", binary(), "memo", "get", KEY, "--store", dir];
const set = (dir) => ["-i", value, binary(), "memo", "set", KEY, "--store", dir];

function measure(reference, ours, count = rounds) {
	const said = JSON.parse(execFileSync(turns, [String(count), ...reference, "--", ...ours], { cwd: work, env, encoding: "utf8" }));
	return { reference: said.sides[0], ours: said.sides[1] };
}

/** A small program that ccache has compiled before, with the compiler's own view of its inputs. */
function ccacheHit() {
	if (spawnSync("ccache", ["--version"], { env }).status !== 0) return undefined;
	mkdirSync(join(work, "c"));
	const source = join(work, "c", "hello.c");
	writeFileSync(source, '#include <stdio.h>\nint main(void) { return puts("hello") < 0; }\n');
	const command = ["ccache", "cc", "-O2", "-c", source, "-o", join(work, "c", "hello.o")];
	execFileSync(command[0], command.slice(1), { cwd: work, env });
	return command;
}

const few = store("few", 1);
const tenThousand = store("ten-thousand", 10_000);
const many = MANY === 10_000 ? tenThousand : store("many", MANY);

const rows = [];
const add = (row) => rows.push({ ...row, ratio: row.ours.medianUs / row.reference.medianUs });

add({ what: "memo get, a hit", against: "spawning /bin/true", limit: 2, ...measure(["/bin/true"], get(few)) });
const ccache = ccacheHit();
if (ccache) add({ what: "memo get, a hit", against: "a direct hit of ccache", limit: 1 / 5, ...measure(ccache, get(few), Math.ceil(rounds / 4)) });
add({ what: "memo set, the 10,000th", against: "the first", limit: 1.2, ...measure(set(few), set(tenThousand)) });
add({ what: `memo get of ${MANY} records`, against: "of one", limitMs: 10, ...measure(get(few), get(many)) });
add({ what: `memo set with ${MANY} records`, against: "with one", limitMs: 50, ...measure(set(few), set(many)) });

const us = (n) => `${n.toFixed(0)} us`;
const verdict = (row) => (row.limit === undefined ? kept(`${row.what} (${row.against}), in us`, row.ours.medianUs, row.limitMs * 1000) : kept(`${row.what} (${row.against})`, row.ratio, row.limit));
const limit = (row) => (row.limit === undefined ? `${row.limitMs} ms` : row.limit.toFixed(2));
const table = [
	["what", "against", "median", "fastest", "ratio", "limit", "kept"],
	...rows.map((row) => [row.what, row.against, `${us(row.ours.medianUs)} : ${us(row.reference.medianUs)}`, `${us(row.ours.bestUs)} : ${us(row.reference.bestUs)}`, row.ratio.toFixed(2), limit(row), verdict(row)]),
];
const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)));
console.log(`memo, ${rounds} rounds, ${machine().text}\n`);
for (const row of table) console.log(row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "));
if (!ccache) console.log("(ccache is not installed: nothing is said about it)");
writeFileSync(join(root, "build/bench-memo.json"), `${JSON.stringify({ machine: machine(), rounds, records: MANY, rows }, null, "\t")}\n`);
