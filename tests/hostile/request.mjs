// Requests that are broken, odd, or legal but rare.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import {
	Scene,
	ask,
	check,
	cut,
	damaged,
	dice,
	expectDelegate,
	expectRefused,
	expectText,
	expectTextOrUnchanged,
	expectUnchanged,
	knownFile,
	manyLines,
	objectsAreIntact,
	serveLines,
	skip,
	startEngine,
	textOf,
	utf8,
} from "./harness.mjs";

const CONTENT = "alpha\nbeta\ngamma\n";
const DEPTH = 200_000;
const MIB = 1 << 20;

const scene = {};

export default async function request({ fast }) {
	prepare();
	await brokenJson();
	await wrongTypes();
	await oddButLegal();
	await nulAndSurrogates();
	await depth();
	await numbers();
	await echoedIds();
	await texts();
	await serving();
	await tooLarge(fast);
	await littleMemory();
}

function prepare() {
	Object.assign(scene, { at: new Scene() });
	scene.at.write("a.txt", CONTENT);
	scene.at.write("b.txt", "the other file\n");
}

const good = (extra) => scene.at.request("a.txt", extra);

/** The good request as text with more members, written as they are, at its end. */
function goodText(members = "") {
	const text = JSON.stringify(good());
	return members ? `${text.slice(0, -1)},${members}}` : text;
}

/** The good request with raw BYTES inside the string of an unknown field. */
function withBytes(before, bytes, after) {
	return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

// --- broken JSON ----------------------------------------------------------

function brokenTexts() {
	const inField = (value) => goodText(`"extra":${value}`);
	return {
		"empty input": "",
		"only blanks": "  \t ",
		"not JSON": "hello",
		"an open brace": "{",
		"a request cut in the middle": goodText().slice(0, -10),
		"an array": "[]",
		"a request in an array": `[${goodText()}]`,
		"a number": "5",
		"a string": '"read"',
		"null": "null",
		"true": "true",
		"two values": goodText() + goodText(),
		"two values with a blank between": `${goodText()} ${goodText()}`,
		"text behind the value": `${goodText()} x`,
		"a bracket behind the value": `${goodText()}]`,
		"a NUL behind the value": `${goodText()}\0`,
		"a trailing comma": `${goodText().slice(0, -1)},}`,
		"a comment": `${goodText()} // done`,
		"a key without quotes": goodText("extra:1"),
		"single quotes": inField("'x'"),
		"number 01": inField("01"),
		"number -01": inField("-01"),
		"number +1": inField("+1"),
		"number 1.": inField("1."),
		"number .5": inField(".5"),
		"number 1e": inField("1e"),
		"number -": inField("-"),
		"number 0x10": inField("0x10"),
		"NaN": inField("NaN"),
		"Infinity": inField("Infinity"),
		"-Infinity": inField("-Infinity"),
		"undefined": inField("undefined"),
		"True": inField("True"),
		"tru": inField("tru"),
		"a missing value": inField(""),
		"a missing colon": goodText('"extra" 1'),
		"a double comma": inField("[1,,2]"),
		"mismatched brackets": inField("[1}"),
		"escape \\uZZZZ": inField('"\\uZZZZ"'),
		"escape \\u12": inField('"\\u12"'),
		"escape \\x41": inField('"\\x41"'),
		"escape \\'": inField(`"\\'"`),
		"an open string": inField('"abc'),
		"a raw tab in a string": inField('"a\tb"'),
		"a raw NUL in a string": inField('"a\0b"'),
		"a raw U+001F in a string": inField('"a\x1fb"'),
		"a raw NUL between tokens": inField("\0 1"),
		"a form feed as blank": inField("\f1"),
		"a no-break space as blank": inField("\u00a01"),
	};
}

function brokenEncodings() {
	const sequences = {
		"a lone continuation byte": [0x80],
		"a truncated 2-byte sequence": [0xc3],
		"a truncated 3-byte sequence": [0xe2, 0x82],
		"a truncated 4-byte sequence": [0xf0, 0x9f, 0x98],
		"an overlong 2-byte sequence": [0xc0, 0xaf],
		"an overlong 3-byte sequence": [0xe0, 0x80, 0xaf],
		"an overlong 4-byte sequence": [0xf0, 0x80, 0x80, 0xaf],
		"a surrogate in UTF-8": [0xed, 0xa0, 0x80],
		"a code point above U+10FFFF": [0xf4, 0x90, 0x80, 0x80],
		"byte ff": [0xff],
	};
	const [head, tail] = goodText('"extra":"@"').split("@");
	return Object.fromEntries(
		Object.entries(sequences).map(([name, bytes]) => [name, withBytes(head, bytes, tail)]),
	);
}

/** The same bad byte in every place a string can stand. */
function brokenPlaces() {
	const places = {
		"the id": goodText('"id":"@"'),
		"a key": goodText('"x@":1'),
		"the path": goodText('"params":{"path":"a.txt@"}'),
		"the cwd": goodText('"cwd":"/tmp/@"'),
		"a session entry": goodText('"session":{"leafId":"x","entries":[{"id":"x","text":"@"}]}'),
		"the overlay": goodText('"overlay":["@"]'),
	};
	const cases = Object.entries(places).map(([name, text]) => {
		const [head, tail] = text.split("@");
		return [`a bad byte in ${name}`, withBytes(head, [0xfe], tail)];
	});
	cases.push(["a bad byte between tokens", withBytes(goodText().slice(0, -1), [0xfe], "}")]);
	cases.push(["a bad byte behind the value", withBytes(goodText(), [0xfe], "")]);
	return Object.fromEntries(cases);
}

async function brokenJson() {
	const cases = { ...brokenTexts(), ...brokenEncodings(), ...brokenPlaces() };
	for (const [name, text] of Object.entries(cases))
		await check(`request: ${name} is refused`, () => expectRefused(ask(text).response));
	await check("request: a raw newline in a string is refused", () =>
		expectRefused(ask(goodText('"extra":"a\nb"')).response),
	);
	await check("request: serve refuses every broken line and answers the good one behind it", () =>
		brokenLines(Object.entries(cases)),
	);
	await check("request: 20,000 damaged requests are taken or refused as JSON.parse does it", () => likeJsonParse(20_000));
	await check("request: a BOM before the value is refused, or passed over", () => {
		const { response } = ask(`\ufeff${goodText()}`);
		if (response.ok) expectText(response, CONTENT);
		else expectRefused(response);
	});
}

/** A value of every kind, to be damaged where nothing but JSON itself is judged. */
const SPECIMEN =
	'{"a":[1,-0.5e+10,"t\\u00e9\\n\\ud83d\\ude00",true,false,null,{}],' + '"b":{"c":"d é \\\\ \\"","e":[[],[0]]},"f":1E-2}';

function likeJsonParse(count) {
	const roll = dice(20_000);
	const head = Buffer.from(goodText('"x":').slice(0, -1));
	const specimen = Buffer.from(SPECIMEN);
	const lines = Array.from({ length: count }, () => Buffer.concat([head, damaged(specimen, roll), Buffer.from("}")]));
	let good = 0;
	serveLines(lines).forEach((answer, index) => {
		const expected = isJson(lines[index]);
		assert.equal(JSON.parse(answer).ok, expected, `${lines[index].toString("latin1")} is ${expected ? "" : "not "}JSON`);
		good += expected;
	});
	assert.ok(good > count / 20 && good < count / 2, `there are enough of both kinds: ${good}`);
}

function isJson(bytes) {
	try {
		const value = JSON.parse(utf8(bytes));
		return value.params?.path === "a.txt" && value.op === "read";
	} catch {
		return false;
	}
}

function brokenLines(cases) {
	const lines = cases.flatMap(([, text], index) => [text, JSON.stringify(good({ id: index }))]);
	const answers = serveLines(lines).map((line) => JSON.parse(line));
	cases.forEach(([name], index) => {
		assert.equal(answers[2 * index].error?.code, "bad_request", `${name} in serve`);
		assert.equal(answers[2 * index + 1].id, index, `the answer behind ${name}`);
		expectText(answers[2 * index + 1], CONTENT);
	});
}

// --- wrong types ----------------------------------------------------------

const ANY = ["x", 1, true, [], {}];
const not = (...kinds) => ANY.filter((value) => !kinds.includes(Array.isArray(value) ? "array" : typeof value));

/** Field, values it may not have, and how its part of the request is built. */
function typeTable() {
	const top = (field) => (value) => good({ [field]: value });
	const param = (field) => (value) => good({ params: { path: "a.txt", [field]: value } });
	const session = (field) => (value) => good({ session: { entries: [], leafId: null, [field]: value } });
	return [
		["v", ["1", 0, 2, -1, 1.5, true, null, [1], {}], top("v"), /\bv\b|version/i],
		["op", [...not("string"), "", "Read", "write", "read ", null, "read\u0000"], top("op")],
		["cwd", [...not("string"), "", "relative/path", ".", "~", null], top("cwd")],
		["toolCallId", not("string"), top("toolCallId")],
		["nested", not("boolean"), top("nested")],
		["params", [...not("object"), null], top("params"), /\b(params|path)\b/],
		["path", [...not("string"), null], param("path")],
		["bypass_cache", not("boolean"), param("bypass_cache")],
		["session", not("object"), top("session")],
		["session.id", not("string"), session("id"), /\bsession\b/],
		["entries", not("array"), session("entries")],
		["file", [...not("string"), "relative.jsonl"], (value) => good({ session: { file: value, leafId: null } })],
		["leafId", not("string"), session("leafId")],
		["overlay", not("array"), top("overlay")],
		["policy", [...not("string"), "", "lenient", "STRICT", "strict\u0000"], top("policy")],
		["store", [...not("string"), "", "relative/store"], top("store")],
	];
}

async function wrongTypes() {
	for (const [field, values, build, names = new RegExp(`\\b${field}\\b`)] of typeTable())
		for (const value of values)
			await check(`request: ${field} = ${JSON.stringify(value)} is refused by name`, () =>
				expectRefused(ask(build(value)).response, names),
			);
	await missingFields();
	await check("request: a refused request still gets its id back", () => {
		const { response } = ask(good({ op: "write", id: { call: 7 } }));
		expectRefused(response, /\bop\b/);
		assert.deepEqual(response.id, { call: 7 });
	});
	await check("request: refresh without a path is refused", () =>
		expectRefused(ask(good({ op: "refresh", params: {} })).response, /\bpath\b/),
	);
}

async function missingFields() {
	const names = { v: /\bv\b|version/i, op: /\bop\b/, cwd: /\bcwd\b/, params: /\b(params|path)\b/ };
	for (const [field, expected] of Object.entries(names))
		await check(`request: without ${field} it is refused by name`, () =>
			expectRefused(ask(good({ [field]: undefined })).response, expected),
		);
	await check("request: without params.path it is refused by name", () =>
		expectRefused(ask(good({ params: {} })).response, /\bpath\b/),
	);
	await check("request: an empty object is refused", () => expectRefused(ask({}).response));
}

// --- odd but legal --------------------------------------------------------

async function oddButLegal() {
	await acceptedTexts();
	await duplicateKeys();
	await check("request: null means absent for every optional field", () => {
		const nothing = Object.fromEntries(
			["toolCallId", "nested", "session", "overlay", "policy", "store"].map((field) => [field, null]),
		);
		const params = { path: "a.txt", offset: null, limit: null, bypass_cache: null };
		expectText(ask(good({ ...nothing, params })).response, CONTENT);
		const session = { id: null, entries: null, file: null, leafId: null };
		expectText(ask(good({ session })).response, CONTENT);
	});
	await check("request: a long message is not made of a long value", () =>
		expectRefused(ask(good({ op: "x".repeat(100_000) })).response, /\bop\b/),
	);
	await check("request: a value with line breaks and controls cannot break the message", () =>
		expectRefused(ask(good({ policy: "a\nb. C\u001b[31m\u007f" })).response, /\bpolicy\b/),
	);
}

async function acceptedTexts() {
	const pretty = JSON.stringify(good(), null, 4);
	const cases = {
		"unknown fields of every type": goodText('"x":null,"y":[1,{"z":true}],"z":{"op":"status"},"":0'),
		"prototype-like keys": goodText('"__proto__":{"op":"status"},"constructor":1,"toString":null'),
		"keys of another letter case": goodText('"Op":"status","CWD":"/","Params":{},"V":2'),
		"keys with a NUL at their end": goodText('"op\\u0000":"status","cwd\\u0000x":"/"'),
		"keys written with escapes": goodText().replace('"op"', '"\\u006f\\u0070"'),
		"values written with escapes": goodText().replace('"read"', '"\\u0072ead"').replace("a.txt", "\\u0061.txt"),
		"a pretty-printed request": pretty,
		"leading and trailing blanks": `\r\n\t  ${pretty}\r\n\n \t\n`,
		"carriage returns between the tokens": pretty.replaceAll("\n", "\r\n"),
		"100,000 unknown fields": goodText(Array.from({ length: 100_000 }, (_, n) => `"f${n}":${n}`).join()),
		"an unknown field of 8 MiB": goodText(`"x":"${"y".repeat(8 * MIB)}"`),
	};
	for (const [name, text] of Object.entries(cases))
		await check(`request: ${name} is accepted`, () => expectText(ask(text).response, CONTENT));
	await check("request: `Op` is not `op`", () => expectRefused(ask(goodText().replace('"op"', '"Op"')).response, /\bop\b/));
	await check("request: `Path` is not `path`", () =>
		expectRefused(ask(good({ params: { Path: "a.txt" } })).response, /\bpath\b/),
	);
}

async function duplicateKeys() {
	const other = "the other file\n";
	const cases = {
		"op, the first one unusable": [goodText().replace('"op"', '"op":"write","op"'), CONTENT],
		"op, the first one of a wrong type": [goodText().replace('"op"', '"op":[1],"op"'), CONTENT],
		"v": [goodText().replace('"v"', '"v":2,"v"'), CONTENT],
		"params": [goodText('"params":{"path":"b.txt"}'), other],
		"path": [goodText().replace('"path"', '"path":"b.txt","path"'), CONTENT],
		"path, once with escapes": [goodText('"params":{"path":"a.txt","\\u0070ath":"b.txt"}'), other],
		"path, three times": [goodText('"params":{"path":"a.txt","path":5,"path":"b.txt"}'), other],
		"limit": [goodText('"params":{"path":"a.txt","limit":0.5,"limit":100}'), CONTENT],
		"offset, the last one null": [goodText('"params":{"path":"a.txt","offset":3,"offset":null}'), CONTENT],
	};
	for (const [name, [text, content]] of Object.entries(cases))
		await check(`request: the last of two keys counts: ${name}`, () => expectText(ask(text).response, content));
	await check("request: the last of two keys counts: params, the last one null", () =>
		expectRefused(ask(goodText('"params":null')).response, /\b(params|path)\b/),
	);
	await check("request: the last of two keys counts: op, the last one unusable", () =>
		expectRefused(ask(goodText('"op":"write"')).response, /\bop\b/),
	);
	await check("request: the last of two keys counts: id", () =>
		assert.equal(ask(goodText('"id":1,"id":"two"')).response.id, "two"),
	);
	await duplicateKeysInEntries();
}

/** A host's JSON.parse sees the last key; so must we, or a dropped result counts as shown. */
async function duplicateKeysInEntries() {
	const change = (from, to) => {
		const known = knownFile();
		const text = JSON.stringify(known.request(known.name, { session: known.session.inline() }));
		assert.ok(text.includes(from), `${from} is in the request`);
		return expectText(ask(text.replaceAll(from, to)).response, known.content);
	};
	await check("request: the last of two keys counts in entries: isError", () =>
		change('"isError":false', '"isError":false,"isError":true'),
	);
	await check("request: the last of two keys counts in entries: toolName", () =>
		change('"toolName":"read"', '"toolName":"read","toolName":"bash"'),
	);
	await check("request: the last of two keys counts in entries: mode", () =>
		change('"mode":"full"', '"mode":"full","mode":"nonsense"'),
	);
	await check("request: the last of two keys counts in entries: a bad mode before the good one", () => {
		const known = knownFile();
		const text = JSON.stringify(known.request(known.name, { session: known.session.inline() }));
		expectUnchanged(ask(text.replace('"mode":', '"mode":"nonsense","mode":')).response, known.content);
	});
}

// --- NUL and lone surrogates ----------------------------------------------

/** Not served: refused, failed or delegated. */
function expectNotServed(response) {
	assert.ok(!response.result, `nothing may be read: ${cut(JSON.stringify(response))}`);
}

async function nulAndSurrogates() {
	await nulInPaths();
	await nulInNames();
	await surrogatesInPaths();
	await surrogatesInEntries();
}

async function nulInPaths() {
	for (const path of ["a.txt\\u0000", "a.txt\\u0000b", "\\u0000a.txt", "\\u0000"])
		await check(`request: path ${path} does not read a file`, () =>
			expectNotServed(ask(goodText(`"params":{"path":"${path}"}`)).response),
		);
	await check("request: a NUL in a file URL does not read a file", () =>
		expectNotServed(ask(good({ params: { path: `file://${scene.at.path("a.txt")}%00b` } })).response),
	);
	await check("request: a NUL in cwd does not read in the directory before it", () =>
		expectNotServed(ask(good({ cwd: `${scene.at.cwd}\0x` })).response),
	);
	await check("request: a NUL in store makes no store at the path before it", () => {
		const store = join(scene.at.dir, "nul-store");
		const { response } = ask(good({ store: `${store}\0x` }));
		if (response.ok) expectText(response, CONTENT);
		else expectRefused(response, /\bstore\b/);
		assert.equal(existsSync(store), false);
	});
	await check("request: a NUL in session.file does not read the session before it", () => {
		const known = knownFile();
		const session = known.session.save(join(known.dir, "s.jsonl"), known.cwd);
		expectUnchanged(known.read(known.name, session), known.content);
		const { response } = ask(known.request(known.name, { session: { ...session, file: `${session.file}\0x` } }));
		if (response.ok) expectText(response, known.content);
		else expectRefused(response, /\bfile\b/);
	});
}

/** A string that ends at its NUL would match what it must not match. */
async function nulInNames() {
	await check("request: a leafId that goes on behind a NUL is another id", () => {
		const known = knownFile();
		const session = { ...known.session.inline(), leafId: `${known.session.leafId}\0` };
		expectText(known.read(known.name, session), known.content);
	});
	await check("request: a parentId that goes on behind a NUL is another id", () => {
		const known = knownFile();
		known.session.user("hello").parentId += "\0";
		expectText(known.read(known.name), known.content);
	});
	await check("request: ids with a NUL: text or true marker", () => {
		const known = knownFile();
		const [call, result] = known.session.entries;
		Object.assign(call, { id: "same\0a" });
		Object.assign(result, { id: "same\0b", parentId: "same\0a" });
		known.session.leafId = "same\0b";
		known.session.user("hello");
		expectTextOrUnchanged(known.read(known.name), known.content);
	});
	await check("request: tool `read\\0x` is not `read`", () => {
		const known = knownFile();
		known.session.entries.at(-1).message.toolName = "read\0x";
		expectText(known.read(known.name), known.content);
	});
	await check("request: customType `pi-readcache\\0x` is not ours", () => {
		const known = knownFile();
		known.session.custom({ customType: "pi-readcache\0x", data: { v: 1, kind: "invalidate" } });
		expectUnchanged(known.read(known.name), known.content);
	});
	await check("request: an entry type `compaction\\0x` is no compaction", () => {
		const known = knownFile();
		known.session.append({ type: "compaction\0x" });
		expectUnchanged(known.read(known.name), known.content);
	});
}

async function surrogatesInPaths() {
	for (const name of ["\\ud800", "x\\udc00.txt", "\\udc00\\ud800", "\\ud800\\u0041"])
		await check(`request: path ${name} reads nothing`, () =>
			expectNotServed(ask(goodText(`"params":{"path":"${name}"}`)).response),
		);
	await check("request: a lone surrogate stands for U+FFFD in a name, as in the host, or is delegated", () => {
		scene.at.write("odd-\ufffd.txt", CONTENT);
		const { response } = ask(goodText('"params":{"path":"odd-\\ud800.txt"}'));
		if (response.delegate) expectDelegate(response);
		else expectText(response, CONTENT);
	});
	await check("request: a lone surrogate in cwd does not end the engine", () => ask(goodText('"cwd":"/\\ud800"')));
	await check("request: a lone surrogate in an unknown field is accepted", () =>
		expectText(ask(goodText('"x":"\\ud800","\\udfff":1')).response, CONTENT),
	);
}

async function surrogatesInEntries() {
	const say = (scene) =>
		scene.session.append({
			type: "message",
			message: { role: "assistant", content: [{ type: "text", text: "half of a smile: \ud83d" }] },
		});
	await check("request: a lone surrogate in an assistant's message costs no trust", () => {
		const known = knownFile();
		say(known);
		expectUnchanged(known.read(known.name), known.content);
	});
	await check("request: a lone surrogate in a session file costs no trust", () => {
		const known = knownFile();
		say(known);
		const session = known.session.save(join(known.dir, "s.jsonl"), known.cwd);
		expectUnchanged(known.read(known.name, session), known.content);
	});
	await check("request: a lone surrogate in the text of a result is not the text that was served", () => {
		const known = knownFile();
		known.session.entries.at(-1).message.content[0].text += "\ud800";
		expectText(known.read(known.name), known.content);
	});
	await check("request: text stored with U+FFFD for a surrogate pair is not the text that was served", () => {
		const known = knownFile("smile \u{1f600}\n");
		known.session.entries.at(-1).message.content[0].text = "smile \ufffd\ufffd\n";
		expectText(known.read(known.name), known.content);
	});
}

// --- depth ----------------------------------------------------------------

const deepArray = () => "[".repeat(DEPTH) + "]".repeat(DEPTH);
const deepObject = () => '{"a":'.repeat(DEPTH) + "1" + "}".repeat(DEPTH);

async function depth() {
	for (const [kind, deep] of [
		["arrays", deepArray()],
		["objects", deepObject()],
	]) {
		await check(`request: ${DEPTH} nested ${kind} in an unknown field are accepted`, () =>
			expectText(ask(goodText(`"x":${deep}`)).response, CONTENT),
		);
		await check(`request: ${DEPTH} nested ${kind} as id come back`, () => {
			const { response, line } = ask(goodText(`"id":${deep}`));
			assert.ok(line.includes(`"id":${deep}`), cut(line, 200));
			assert.equal(textOf(response), CONTENT);
		});
		await check(`request: ${DEPTH} nested ${kind} as params are refused`, () =>
			expectRefused(ask(goodText(`"params":${deep}`)).response, /\b(params|path)\b/),
		);
		await deepEntry(kind, deep);
	}
	for (const garbage of ["[", '{"a":', '[{"a":'])
		await check(`request: ${DEPTH} times ${garbage} that never ends is refused`, () =>
			expectRefused(ask(garbage.repeat(DEPTH)).response),
		);
	await check("request: a deep value that goes wrong at its end is refused", () =>
		expectRefused(ask(goodText(`"x":${deepArray().slice(0, -1)}}`)).response),
	);
}

async function deepEntry(kind, deep) {
	const withEntry = (entry) => {
		const known = knownFile();
		known.session.append({ type: "custom", customType: "other", data: "@deep@" });
		const text = JSON.stringify(known.request(known.name, { session: known.session.inline() }));
		expectTextOrUnchanged(ask(entry(text)).response, known.content);
	};
	await check(`request: ${DEPTH} nested ${kind} in an entry's data do no harm`, () =>
		withEntry((text) => text.replace('"@deep@"', deep)),
	);
	await check(`request: ${DEPTH} nested ${kind} as an entry do no harm`, () =>
		withEntry((text) => text.replace('"entries":[', `"entries":[${deep},`)),
	);
	await check(`request: ${DEPTH} nested ${kind} as overlay do no harm`, () => {
		const { response } = ask(goodText(`"overlay":[${deep}]`));
		if (response.ok) expectText(response, CONTENT);
		else expectRefused(response, /\boverlay\b/);
	});
}

// --- numbers --------------------------------------------------------------

async function numbers() {
	const lines = manyLines(1200);
	scene.at.write("long.txt", lines);
	const tail = (from) => lines.split("\n").slice(from - 1).join("\n");
	const read = (member) => ask(goodText(`"params":{"path":"long.txt",${member}}`)).response;
	for (const one of ["1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "1.000"])
		await check(`request: offset ${one} is line 1`, () => assert.equal(textOf(read(`"offset":${one}`)), lines));
	for (const thousand of ["1000", "1e3", "1.0e3", "100000e-2"])
		await check(`request: offset ${thousand} is line 1000`, () =>
			assert.equal(textOf(read(`"offset":${thousand}`)), tail(1000)),
		);
	for (const huge of ["9007199254740991", "9007199254740991.0", "9007199254740.991e3"])
		await check(`request: limit ${huge} is served`, () => assert.equal(textOf(read(`"limit":${huge}`)), lines));
	await check("request: offset 2^53-1 is beyond the end", () => {
		const { error } = read('"offset":9007199254740991,"limit":9007199254740991');
		assert.equal(error?.code, "offset_beyond_end");
		assert.equal(error.message, "Offset 9007199254740991 is beyond end of file (1201 lines total)");
	});
	const outside = ["0", "-0", "-0.0", "-1", "0.5", "1.5", "2.0000001", "1e-400", "9007199254740992"];
	outside.push("9007199254740993", "18446744073709551616", "18446744073709551617", "1e19", "1e308", "1e400", "-1e400");
	outside.push("4294967297.5", `1${"0".repeat(400)}`);
	for (const value of outside)
		for (const field of ["offset", "limit"])
			await check(`request: ${field} ${cut(value, 30)} is delegated`, () =>
				expectDelegate(read(`"${field}":${value}`), "arguments"),
			);
	for (const value of ['"1"', '"x"', "true", "[1]", "{}"])
		for (const field of ["offset", "limit"])
			await check(`request: ${field} ${value} is delegated`, () =>
				expectDelegate(read(`"${field}":${value}`), "arguments"),
			);
}

// --- id -------------------------------------------------------------------

/** Blanks outside of strings removed; the rest as it is. */
function minified(json) {
	return json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token[0] === '"' ? token : ""));
}

async function echoedIds() {
	const exact = ["0", "-0", "1.0", "1e3", "1E+2", "12345678901234567890", "-9007199254740993", "1e400", "0.1e-7"];
	exact.push("true", "false", '"plain"', '""', "[]", "{}", '[1,"a",{"b":null}]', '{"a":12345678901234567890.10}');
	for (const id of exact)
		await check(`request: id ${id} comes back in the same digits and letters`, () => {
			const { line } = ask(goodText(`"id":${id}`));
			assert.ok(line.includes(`"id":${id},`), `${id} in ${cut(line, 200)}`);
		});
	const equal = ['"\\u0041\\n\\"\\\\ \\/"', '"a\\u0000b"', '"\\ud800"', '"\\udc00x\\ud800"', '"\\ud83d\\ude00"'];
	equal.push('"\u{1f600}\u2028"');
	equal.push('{ "a" : [ 1 , 2 ] ,\n\t"b b" : "c  d" }', '{"a":1,"a":2}', '{"\\u0061":"\\u2028","__proto__":5}', '"\x7f"');
	for (const id of equal)
		await check(`request: id ${JSON.stringify(id)} comes back equal`, () =>
			assert.deepEqual(ask(goodText(`"id":${id}`)).response.id, JSON.parse(id)),
		);
	await check("request: a big integer deep in a pretty-printed id keeps its digits", () => {
		const id = '{\n  "n" : [\n    12345678901234567890,\r\n -0 ]\n}';
		const { line } = ask(goodText(`"id":${id}`));
		assert.ok(minified(line).includes(`"id":${minified(id)},`), cut(line, 200));
	});
	await check("request: no id, no id in the answer", () => assert.equal("id" in ask(good()).response, false));
	await check("request: an id of 4 MiB comes back", () => {
		const id = "i".repeat(4 * MIB);
		assert.equal(ask(good({ id })).response.id, id);
	});
	await check("request: errors and delegations carry the id too", () => {
		assert.equal(ask(good({ id: "e", params: { path: "nothing-here" } })).response.id, "e");
		assert.equal(ask(good({ id: "d", params: { path: "/dev/null" } })).response.id, "d");
		assert.equal(ask(good({ id: "s", op: "status" })).response.id, "s");
		assert.equal(ask(good({ id: "r", op: "refresh" })).response.id, "r");
	});
}

// --- texts ----------------------------------------------------------------

async function texts() {
	const controls = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code));
	const cases = {
		"nothing": "",
		"one newline": "\n",
		"NUL": "a\0b\n\0\0",
		"every control character": controls,
		"DEL and C1 controls": "\x7f\x80\x85\x9f",
		"quotes and backslashes": '"\\" \\n \\u0041 \\\\"\n',
		"U+2028 and U+2029": "a\u2028b\u2029c\n",
		"astral characters": "\u{1f600}\u{10ffff}\u{10000}",
		"the edges of UTF-8": "\u007f\u0080\u07ff\u0800\ud7ff\ue000\ufffd\ufffe\uffff",
		"a BOM": "\ufeffa\n\ufeff",
		"carriage returns": "a\r\nb\rc\n",
		"no newline at the end": "a\nb",
		"something like a response": '{"v":1,"ok":false}\n[readcache: unchanged, 3 lines]\n',
		"a slash and a closing script tag": "</script>/",
	};
	for (const [name, content] of Object.entries(cases))
		await check(`request: a text of ${name} comes back exactly`, () => {
			scene.at.write("text.txt", content);
			expectText(ask(scene.at.request("text.txt")).response, content);
		});
	await check("request: names with quotes, controls and astral characters come back exactly in errors", () => {
		const path = `no "such" \\ \t\x01\n\x7f \u2028 \u{1f600}`;
		const { response } = ask(good({ params: { path } }));
		assert.equal(response.error.code, "ENOENT");
		assert.equal(response.error.message, `ENOENT: no such file or directory, access '${scene.at.path(path)}'`);
	});
}

// --- serve ----------------------------------------------------------------

async function serving() {
	await check("request: serve with no input ends with 0 and says nothing", () => serveLines([], { lastNewline: true }));
	await check("request: serve answers a blank line with an error and goes on", () => {
		const [blank, spaces, answer] = serveLines(["", " \t\r", goodText()]).map((line) => JSON.parse(line));
		expectRefused(blank);
		expectRefused(spaces);
		expectText(answer, CONTENT);
	});
	await check("request: serve serves a last line without newline", () => {
		const [answer] = serveLines([goodText()], { lastNewline: false });
		expectText(JSON.parse(answer), CONTENT);
	});
	await check("request: serve refuses a torn last line and ends with 0", () => {
		const answers = serveLines([goodText(), goodText().slice(0, 40)], { lastNewline: false });
		expectText(JSON.parse(answers[0]), CONTENT);
		expectRefused(JSON.parse(answers[1]));
	});
	await check("request: serve takes lines that end with CR LF", () => {
		for (const line of serveLines([`${goodText()}\r`, `${goodText()}\r`])) expectText(JSON.parse(line), CONTENT);
	});
	await check("request: serve refuses a request spread over lines, once for each line", () => {
		const answers = serveLines([...JSON.stringify(good(), null, 1).split("\n"), goodText()]);
		for (const line of answers.slice(0, -1)) assert.equal(JSON.parse(line).error?.code, "bad_request");
		expectText(JSON.parse(answers.at(-1)), CONTENT);
	});
	await check("request: 5,000 lines in one write are answered in order", () => {
		const lines = Array.from({ length: 5000 }, (_, id) => JSON.stringify(good({ id })));
		serveLines(lines).forEach((line, id) => assert.equal(JSON.parse(line).id, id));
	});
	await check("request: a line that arrives byte by byte is one request", () => trickle());
	await check("request: with closed streams nothing is written into the files that take their place", () => closedStreams());
	await check("request: answers come while the input is still open", async () => {
		const engine = startEngine();
		expectText(JSON.parse(await engine.line(goodText())), CONTENT);
		expectText(JSON.parse(await engine.line(goodText())), CONTENT);
		assert.deepEqual(await engine.close(), { code: 0, signal: null });
		assert.equal(engine.stderr, "");
	});
}

/** A file that is opened while a standard stream is closed gets that stream's number. */
function closedStreams() {
	for (const closed of ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"]) {
		const known = knownFile();
		const input = JSON.stringify(known.request("new.txt", { session: known.session.inline() }));
		const content = known.write("new.txt", "a file that is new\n");
		spawnSync("/bin/sh", ["-c", `exec "$0" ${closed}`, binary()], { input, timeout: PATIENCE });
		assert.equal(readFileSync(known.path("new.txt"), "utf8"), content, closed);
		assert.equal(readFileSync(known.path(known.name), "utf8"), known.content, closed);
		objectsAreIntact(known.store);
		assert.deepEqual(readFileSync(join(known.store, ".gitignore"), "utf8"), "*\n", closed);
	}
}

async function trickle() {
	const engine = startEngine();
	const bytes = Buffer.from(goodText());
	for (const byte of bytes.subarray(0, -1)) {
		engine.child.stdin.write(Buffer.of(byte));
		await new Promise((done) => setImmediate(done));
	}
	expectText(JSON.parse(await engine.line(bytes.subarray(-1).toString())), CONTENT);
	assert.deepEqual(await engine.close(), { code: 0, signal: null });
}

// --- too large ------------------------------------------------------------

/** A request of exactly SIZE bytes as one line; gives its answer. */
async function lineOfSize(engine, size) {
	const head = `${goodText().slice(0, -1)},"x":"`;
	const chunk = Buffer.alloc(4 * MIB, "y");
	engine.child.stdin.write(head);
	let left = size - head.length - 2;
	for (; left > chunk.length; left -= chunk.length)
		if (!engine.child.stdin.write(chunk)) await new Promise((done) => engine.child.stdin.once("drain", done));
	return JSON.parse(await engine.line(`${"y".repeat(left)}"}`));
}

/** One request where a process may have so many KiB of memory. */
function withMemory(kib, input) {
	const run = spawnSync("/bin/sh", ["-c", `ulimit -v ${kib} && exec "$0"`, binary()], { input, maxBuffer: 1 << 28 });
	return { status: run.status, signal: run.signal, text: run.stdout.toString() };
}

async function littleMemory() {
	await check("request: one that needs more memory than there is is the host's to read", () => {
		const kib = 100_000;
		if (withMemory(kib, goodText()).status !== 0) skip("a sanitized program needs more to begin with");
		const entry = JSON.stringify({ type: "message", id: "x", parentId: null, message: { role: "user", content: "y" } });
		const text = goodText(`"session":{"leafId":"x","entries":[${Array(400_000).fill(entry).join(",")}]}`);
		const { status, signal, text: answer } = withMemory(kib, text);
		assert.equal(signal, null);
		assert.equal(status, 0, cut(answer));
		expectDelegate(JSON.parse(answer), "out_of_memory");
	});
}

async function tooLarge(fast) {
	await check("request: 256 MiB are served, a byte more is too_large, and the next line is served (slow)", async () => {
		if (fast) skip("slow");
		const engine = startEngine();
		expectText(await lineOfSize(engine, 256 * MIB), CONTENT);
		const refused = await lineOfSize(engine, 256 * MIB + 1);
		assert.equal(refused.error?.code, "too_large", JSON.stringify(refused));
		expectText(JSON.parse(await engine.line(goodText())), CONTENT);
		assert.deepEqual(await engine.close(), { code: 0, signal: null });
		assert.equal(engine.stderr, "");
	});
}
