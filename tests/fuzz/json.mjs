// The engine's JSON against JSON.parse: what is JSON, and what stands in it.
//
//   node tests/fuzz/json.mjs [--lines N] [--seed N]
//
// READCACHE_JSON_DRIVER: the program json_driver, build/tests/json_driver if
// not set.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Driver } from "../lib/driver.mjs";
import { sized } from "../lib/size.mjs";
import { cut, dice } from "../hostile/harness.mjs";
import { NEITHER, NO, NOT_TEXT, YES } from "./json_cases.mjs";
import { texts } from "./json_texts.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const driver = process.env.READCACHE_JSON_DRIVER ?? resolve(here, "../../build/tests/json_driver");
const options = parseArgs({ options: { lines: { type: "string", default: String(sized(200_000)) }, seed: { type: "string", default: "1" } } }).values;

const BATCH = 2000;
const DEPTH_MAX = 100; // as in json_driver.c

// --- what Node says -------------------------------------------------------

class LoneName extends Error {}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LONE = /[\ud800-\udfff]/u;
const number = Buffer.alloc(8);

const hex = (text) => Buffer.from(text).toString("hex"); // a lone surrogate becomes U+FFFD, as in the engine

function dumpNumber(value) {
	number.writeDoubleLE(value);
	const whole = Number.isSafeInteger(value) && value >= 0;
	return number.toString("hex") + (whole ? `=${value}` : "");
}

function dumpObject(object, depth) {
	const names = Object.keys(object);
	// Such names are told apart by JavaScript and not in UTF-8: nobody looks for them.
	if (names.some((name) => LONE.test(name))) throw new LoneName();
	const sorted = names.map((name) => [Buffer.from(name), name]).sort((a, b) => Buffer.compare(a[0], b[0]));
	return `{${sorted.map(([bytes, name]) => `${bytes.toString("hex")}:${dump(object[name], depth + 1)},`).join("")}}`;
}

function dump(value, depth = 0) {
	if (depth > DEPTH_MAX) return "~";
	if (value === null) return "n";
	if (Array.isArray(value)) return `[${value.map((item) => `${dump(item, depth + 1)},`).join("")}]`;
	switch (typeof value) {
		case "boolean":
			return value ? "t" : "f";
		case "number":
			return dumpNumber(value);
		case "string":
			return `"${hex(value)}`;
		default:
			return dumpObject(value, depth);
	}
}

function parsed(text) {
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
}

function decoded(bytes) {
	try {
		return strict.decode(bytes);
	} catch {
		return undefined;
	}
}

/** The answer that json_driver must give for BYTES; "V?" if only that it is JSON can be told. */
function expected(bytes) {
	const text = decoded(bytes);
	if (text === undefined) return parsed(bytes.toString()) ? "S" : "I"; // as pi decodes a session file
	const result = parsed(text);
	if (!result) return "I";
	try {
		return `V${dump(result.value)}`;
	} catch (error) {
		if (error instanceof LoneName) return "V?";
		throw error;
	}
}

// --- what the engine says -------------------------------------------------

/** The answers for TEXTS, as text. */
const ask = async (engine, list) => (await engine.ask(list)).map((answer) => answer.toString("latin1"));

// --- comparing ------------------------------------------------------------

let failed = 0;

function compare(text, is, should) {
	if (is === should || (should === "V?" && is.startsWith("V"))) return;
	failed++;
	if (failed <= 10) {
		console.log(`DIFFERENT  ${cut(JSON.stringify(text.toString("latin1")), 400)}`);
		console.log(`  JSON.parse: ${cut(should, 300)}`);
		console.log(`  engine:     ${cut(is, 300)}`);
	}
}

async function table(engine) {
	const groups = { V: YES, I: [...NO, ...NEITHER], S: NOT_TEXT };
	let n = 0;
	for (const [letter, list] of Object.entries(groups)) {
		const answers = await ask(engine, list);
		for (const [i, text] of list.entries()) {
			const should = expected(text);
			assert.equal(should[0], letter, `the table is wrong about ${cut(JSON.stringify(text.toString()))}`);
			compare(text, answers[i], should);
			n++;
		}
	}
	return n;
}

function seedTexts() {
	const corpus = join(here, "corpus", "json");
	const recorded = resolve(here, "../sessions/recorded");
	const lines = readdirSync(recorded)
		.filter((name) => name.endsWith(".jsonl"))
		.flatMap((name) => readFileSync(join(recorded, name), "utf8").split("\n").slice(0, 40));
	return [
		...readdirSync(corpus).map((name) => readFileSync(join(corpus, name))),
		...lines.filter((line) => line.length < 2000).map((line) => Buffer.from(line)),
		...YES.filter((text) => text.length < 200),
	].filter((text) => text.length > 0);
}

async function random(engine, lines, seed) {
	const source = texts(dice(seed), seedTexts());
	const counts = { V: 0, S: 0, I: 0 };
	for (let done = 0; done < lines; done += BATCH) {
		const list = Array.from({ length: BATCH }, () => source.next().value);
		const answers = await ask(engine, list);
		for (const [i, text] of list.entries()) {
			compare(text, answers[i], expected(text));
			counts[answers[i][0]]++;
		}
	}
	return counts;
}

const engine = new Driver(driver);
const cases = await table(engine);
const counts = await random(engine, Number(options.lines), Number(options.seed));
engine.close();
console.log(`${cases} cases by hand; ${counts.V} JSON, ${counts.S} but for UTF-8, ${counts.I} neither`);
assert.ok(Number(options.lines) === 0 || (counts.V > 0 && counts.I > 0), "both kinds were tried");
console.log(`${cases + counts.V + counts.S + counts.I - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
