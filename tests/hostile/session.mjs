// Sessions that are damaged, forged or strange. None of them is an error; each
// may only cost the optimisation, and none may create trust.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	Scene,
	ask,
	check,
	cut,
	damaged,
	dice,
	expectDiff,
	expectText,
	expectTextOrUnchanged,
	expectUnchanged,
	knownFile,
	makeHuge,
	manyLines,
	metaOf,
	promptly,
	serveLines,
	sha256,
	skip,
	textOf,
} from "./harness.mjs";
import { whileWriterWaits } from "./waiting.mjs";

export default async function session() {
	await files();
	await fileContents();
	await trees();
	await junkEntries();
	await badMetadata();
	await forgedMetadata();
	await wrongPlaces();
	await alteredTexts();
	await unknownViews();
	await reusedCallIds();
	await remembered();
	await barriers();
	await directories();
	await overlays();
	await bigSessions();
}

const copyOf = (value) => structuredClone(value);
const resultOf = (entries) => entries.findLast((entry) => entry.message?.role === "toolResult");
const short = (value) => cut(JSON.stringify(value) ?? "nothing", 60);

/** The known file read with its entries changed by EDIT (which may give other entries or another leaf). */
function readEdited(edit, known = knownFile()) {
	const session = copyOf(known.session.inline());
	const other = edit(session.entries, known, session);
	return { known, response: known.read(known.name, Array.isArray(other) ? { ...session, entries: other } : session) };
}

function noTrust(edit, known) {
	const read = readEdited(edit, known);
	expectText(read.response, read.known.content);
}

function keepsTrust(edit, known) {
	const read = readEdited(edit, known);
	expectUnchanged(read.response, read.known.content);
}

function eitherWay(edit, known) {
	const read = readEdited(edit, known);
	expectTextOrUnchanged(read.response, read.known.content);
}

// --- session files --------------------------------------------------------

/** The known file with its session saved; EDIT may change the file's text. */
function saved(edit = (text) => text) {
	const known = knownFile();
	known.session.user("thank you");
	const session = known.session.save(join(known.dir, "session.jsonl"), known.cwd);
	writeFileSync(session.file, edit(readFileSync(session.file, "utf8")));
	return { known, session };
}

function readSaved(edit, leaf = (session) => session) {
	const { known, session } = saved(edit);
	return { response: known.read(known.name, leaf(session)), known };
}

const withoutLeaf = ({ file }) => ({ file });

async function files() {
	await check("session: a session file is used, with and without a leaf", () => {
		for (const leaf of [(session) => session, withoutLeaf]) {
			const { response, known } = readSaved(undefined, leaf);
			expectUnchanged(response, known.content);
		}
	});
	const notFiles = { "a missing file": "nothing", "a file below a file": "project/notes.txt/x", "a directory": "project" };
	for (const [name, path] of Object.entries(notFiles))
		await check(`session: ${name} as session file costs only the optimisation`, () => {
			const known = knownFile();
			expectText(known.read(known.name, { file: join(known.dir, path), leafId: "e0000002" }), known.content);
		});
	for (const device of ["/dev/null", "/dev/zero", "/dev/random", "/dev/tty", "/proc/self/mem"])
		await check(`session: ${device} as session file does not hold the read up`, () => neverBlocks(device));
	await check("session: a session file of a terabyte of nothing does not hold the read up", () => {
		const file = join(new Scene().dir, "huge.jsonl");
		writeFileSync(file, "");
		makeHuge(file);
		neverBlocks(file);
	});
	await check("session: a pipe as session file does not hold the read up, nor disturb its writer", () => pipeAsFile());
}

function neverBlocks(file) {
	const known = knownFile();
	const request = known.request(known.name, { session: { file, leafId: known.session.leafId } });
	expectText(promptly(request).response, known.content);
}

async function pipeAsFile() {
	const pipe = join(new Scene().dir, "pipe");
	if (spawnSync("mkfifo", [pipe]).status !== 0) skip("no mkfifo here");
	neverBlocks(pipe);
	await whileWriterWaits(pipe, () => neverBlocks(pipe));
}

async function fileContents() {
	const worthless = {
		"an empty file": () => "",
		"one newline": () => "\n",
		"binary garbage": () => Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 151 + (n >> 3)) & 255)),
		"a megabyte of NUL": () => Buffer.alloc(1 << 20),
		"only the header": (text) => text.split("\n")[0] + "\n",
		"one JSON array of all entries": (text) => `[${text.trim().split("\n").join(",")}]\n`,
	};
	for (const [name, edit] of Object.entries(worthless))
		for (const leaf of [(session) => session, withoutLeaf])
			await check(`session: ${name}${leaf === withoutLeaf ? ", no leaf given," : ""} creates no trust`, () => {
				const { response, known } = readSaved(edit, leaf);
				expectText(response, known.content);
			});
	await linesOfTheFile();
	await tornLines();
}

async function linesOfTheFile() {
	const harmless = {
		"CR LF at the line ends": (text) => text.replaceAll("\n", "\r\n"),
		"no newline at the end": (text) => text.trimEnd(),
		"blanks around the lines": (text) => text.replace(/^/gm, " ").replace(/ $/, ""),
		"a line of 16 MiB off the branch": (text) =>
			`${text}${JSON.stringify({ type: "custom", id: "big", parentId: null, x: "y".repeat(1 << 24) })}\n`,
	};
	for (const [name, edit] of Object.entries(harmless))
		await check(`session: ${name} do no harm to a session file`, () => {
			const { response, known } = readSaved(edit);
			expectUnchanged(response, known.content);
		});
	const doubtful = {
		"no header": (text) => text.slice(text.indexOf("\n") + 1),
		"blank lines": (text) => text.replaceAll("\n", "\n\n"),
		"a BOM before the header": (text) => `\ufeff${text}`,
	};
	for (const [name, edit] of Object.entries(doubtful))
		await check(`session: ${name} in a session file: text or true marker`, () => {
			const { response, known } = readSaved(edit);
			expectTextOrUnchanged(response, known.content);
		});
	await check("session: a line of 16 MiB on the branch costs no trust", () => {
		const known = knownFile();
		known.session.user("y".repeat(1 << 24));
		expectUnchanged(known.read(known.name, known.session.save(join(known.dir, "s.jsonl"))), known.content);
	});
	await check("session: a file without a leaf takes its last entry, also when that is another branch", () => {
		const { known, session } = saved();
		appendFileSync(session.file, JSON.stringify({ type: "custom", customType: "x", id: "other", parentId: null }) + "\n");
		expectText(known.read(known.name, withoutLeaf(session)), known.content);
		expectUnchanged(known.read(known.name, session), known.content);
	});
}

async function tornLines() {
	for (const cutBy of [1, 2, 20, 100])
		await check(`session: a last line torn ${cutBy} bytes before its end: text or true marker`, () => {
			for (const leaf of [(session) => session, withoutLeaf]) {
				const { response, known } = readSaved((text) => text.slice(0, -1 - cutBy), leaf);
				expectTextOrUnchanged(response, known.content);
			}
		});
	const between = (edit) => (text) => {
		const lines = text.trimEnd().split("\n");
		lines[lines.length - 1] = edit(lines.at(-1));
		const next = { type: "custom", customType: "x", id: "after", parentId: JSON.parse(text.trimEnd().split("\n").at(-1)).id };
		return `${lines.join("\n")}\n${JSON.stringify(next)}\n`;
	};
	const damages = {
		"is torn": (line) => line.slice(0, -5),
		"is gone": () => "",
		"has a raw control character": (line) => line.replace("thank", "th\u0001nk"),
		"has text behind it": (line) => `${line} x`,
		"is two values": (line) => line + line,
		"has a bad escape": (line) => line.replace("thank", "\\uZZZZ"),
	};
	for (const [name, edit] of Object.entries(damages))
		await check(`session: nothing counts before a line of the branch that ${name}`, () => {
			const { response, known } = readSaved(between(edit), ({ file }) => ({ file, leafId: "after" }));
			expectText(response, known.content);
		});
	await check("session: the control of the damaged lines: undamaged it counts", () => {
		const { response, known } = readSaved(between((line) => line), ({ file }) => ({ file, leafId: "after" }));
		expectUnchanged(response, known.content);
	});
	await check("session: nothing counts before a line of the branch with invalid UTF-8", () => {
		const { known, session } = saved(between((line) => line));
		const bytes = readFileSync(session.file);
		bytes[bytes.indexOf("thank")] = 0xfe;
		writeFileSync(session.file, bytes);
		expectText(known.read(known.name, { file: session.file, leafId: "after" }), known.content);
	});
}

// --- trees ----------------------------------------------------------------

async function trees() {
	await check("session: the control of all edits: unedited it is unchanged", () => keepsTrust(() => {}));
	const lost = {
		"an unknown leaf": (entries, known, session) => void (session.leafId = "nobody"),
		"a leaf of another letter case": (entries, known, session) => void (session.leafId = session.leafId.toUpperCase()),
		"an empty string as leaf": (entries, known, session) => void (session.leafId = ""),
		"a null leaf": (entries, known, session) => void (session.leafId = null),
		"no leaf": (entries, known, session) => void delete session.leafId,
		"null entries": (entries, known, session) => void (session.entries = null),
		"no entries": () => [],
		"a leaf that is its own parent": (entries) => void (entries.at(-1).parentId = entries.at(-1).id),
		"a root that is its own parent": (entries) => void (entries[0].parentId = entries[0].id),
		"a circle of two": (entries) => void (entries[0].parentId = entries[1].id),
		"a circle of three": (entries) => {
			entries.push({ type: "custom", customType: "x", id: "third", parentId: entries.at(-1).id });
			entries[0].parentId = "third";
		},
		"a circle above the evidence": (entries) => {
			entries.push({ type: "custom", id: "c1", parentId: "c2" }, { type: "custom", id: "c2", parentId: "c1" });
			entries[0].parentId = "c1";
		},
		"the result with an id that occurs twice": (entries) => void entries.push(copyOf(entries.at(-1))),
		"the result with an id that occurs twice, once elsewhere": (entries) =>
			void entries.unshift({ type: "custom", id: entries.at(-1).id, parentId: null }),
	};
	for (const [name, edit] of Object.entries(lost)) await check(`session: ${name} means no trust`, () => noTrust(edit));
	await treesBelow();
	await treesKept();
}

/** A user's message below the evidence, changed by EDIT: where it breaks, trust ends. */
async function treesBelow() {
	const below = (edit) => (entries) => {
		const last = { type: "custom", customType: "x", id: "below", parentId: entries.at(-1).id };
		entries.push(last, { type: "custom", customType: "x", id: "leaf", parentId: "below" });
		return edit(entries, last);
	};
	const cases = {
		"a parent that is not there": (entries, last) => void (last.parentId = "nobody"),
		"a parent of null": (entries, last) => void (last.parentId = null),
		"no parent": (entries, last) => void delete last.parentId,
		"an empty string as parent": (entries, last) => void (last.parentId = ""),
		"a number as parent": (entries, last) => void (last.parentId = 5),
		"an array with the right id as parent": (entries, last) => void (last.parentId = [last.parentId]),
		"an id that occurs twice": (entries, last) => void entries.push({ ...last, parentId: null }),
	};
	for (const [name, edit] of Object.entries(cases))
		await check(`session: nothing counts before ${name}`, () =>
			noTrust((entries, known, session) => {
				below(edit)(entries);
				session.leafId = "leaf";
			}),
		);
	await check("session: the control of the broken parents: with the right one it counts", () =>
		keepsTrust((entries, known, session) => {
			below(() => {})(entries);
			session.leafId = "leaf";
		}),
	);
}

async function treesKept() {
	const kept = {
		"a missing parent above the call": (entries) => void (entries[0].parentId = "nobody"),
		"ids that occur twice off the branch": (entries) =>
			void entries.push({ type: "custom", id: "d", parentId: null }, { type: "custom", id: "d", parentId: "d" }),
		"a circle off the branch": (entries) =>
			void entries.push({ type: "custom", id: "c1", parentId: "c2" }, { type: "custom", id: "c2", parentId: "c1" }),
		"ids like names of prototypes": (entries, known, session) => {
			entries[0].id = "__proto__";
			Object.assign(entries[1], { id: "constructor", parentId: "__proto__" });
			session.leafId = "constructor";
		},
		"reversed entries": (entries) => entries.toReversed?.() ?? [...entries].reverse(),
	};
	for (const [name, edit] of Object.entries(kept)) await check(`session: ${name} cost no trust`, () => keepsTrust(edit));
}

async function junkEntries() {
	const junk = [null, 0, 5, true, "entry", [], [[]], {}, { id: 5 }, { id: null }, { id: "j" }, { id: [] }, { type: 5 }];
	junk.push({ id: "j", type: 5, parentId: {} }, { type: "message" }, { id: "j", type: "message", message: 5 });
	for (const entry of junk)
		await check(`session: ${JSON.stringify(entry)} among the entries: text or true marker`, () => {
			eitherWay((entries) => void entries.push(entry));
			eitherWay((entries) => void entries.unshift(entry));
		});
	await check("session: nothing but junk entries creates no trust", () => noTrust(() => junk));
	for (const value of [undefined, null, 5, [], {}, true])
		await check(`session: the result with id ${short(value)} is not found`, () =>
			noTrust((entries) => void (entries.at(-1).id = value)),
		);
	for (const value of [undefined, null, 5, "text", [], {}])
		await check(`session: the result with message ${short(value)} is no evidence`, () =>
			noTrust((entries) => void (entries.at(-1).message = value)),
		);
	for (const value of [undefined, null, 5, "Message", "custom", "message "])
		await check(`session: the result with type ${short(value)} is no evidence`, () =>
			noTrust((entries) => void (entries.at(-1).type = value)),
		);
}

// --- metadata -------------------------------------------------------------

const HEX = "0123456789abcdef".repeat(4);
/** Well-formed, but of another text: no evidence by T9, yet valid. */
const OTHER_TEXT = HEX.slice(0, 32);

/** Field -> values that make metadata invalid. `undefined` removes the field. */
function badValues(meta) {
	const wrongHash = [undefined, null, 5, true, [], {}, "", "full", HEX.slice(1), `${HEX}0`, `g${HEX.slice(1)}`];
	wrongHash.push("../../etc/passwd", `../${HEX.slice(3)}`, `${HEX}\0`, ` ${HEX.slice(1)}`, `0x${HEX.slice(2)}`);
	const wrongScope = [undefined, null, 5, [], {}, "", "FULL", "full ", "full\0"];
	const wrongCount = [undefined, null, "1", true, [], {}, -1, 0.5, 1e300, "0x8"];
	return {
		v: [undefined, null, 0, 2, -1, 1.5, "1", true, [1], {}],
		pathKey: [undefined, null, 5, [], {}, "", "notes.txt", "./notes.txt", "../../etc/passwd", "/etc/passwd", `${meta.pathKey}\0`],
		scopeKey: [...wrongScope, "r:1:", "r:0:9", "r:1:3", "r:9:1", "r:-1:9", "r:1:9x", "r:+1:9"],
		servedHash: [...wrongHash, meta.servedHash.toUpperCase(), `${meta.servedHash}\n`, HEX],
		baseHash: [5, true, [], {}, "", HEX.slice(1), `${HEX}0`, "../../etc/passwd"],
		mode: [undefined, null, 5, [], {}, "", "Full", "full\0", "plain", "unchanged", "unchanged_range", "diff", "none"],
		totalLines: [...wrongCount, 0, 8, 10, 2 ** 53],
		rangeStart: [...wrongCount, 0, 2, 10],
		rangeEnd: [...wrongCount, 0, 8, 10],
		bytes: [undefined, null, "1", true, [], {}, -1, 0.5],
		textHash: [5, true, [], {}, "", HEX.slice(0, 31), HEX.slice(0, 33), OTHER_TEXT, `${meta.textHash}\0`],
		textBytes: ["1", true, [], {}, -1, 0.5],
		name: [5, true, [], {}],
	};
}

async function badMetadata() {
	const known = knownFile();
	const { readcache } = known.session.entries.at(-1).message.details;
	for (const [field, values] of Object.entries(badValues(readcache)))
		for (const value of values)
			await check(`session: metadata with ${field} = ${short(value)} creates no trust`, () =>
				noTrust((entries) => void (resultOf(entries).message.details.readcache[field] = value), known),
			);
	for (const value of [undefined, null, 5, true, "full", [], {}, [readcache], { readcache }])
		await check(`session: ${short(value)} as metadata creates no trust`, () =>
			noTrust((entries) => void (resultOf(entries).message.details.readcache = value), known),
		);
	for (const value of [undefined, null, 5, "text", [], [{ readcache }]])
		await check(`session: ${short(value)} as details creates no trust`, () =>
			noTrust((entries) => void (resultOf(entries).message.details = value), known),
		);
	await badDerived();
	await optionalFields(known);
}

/** A marker whose metadata is damaged was still seen: what it said is unknown (T12). */
async function badDerived() {
	const known = knownFile();
	expectUnchanged(known.show(known.name), known.content);
	expectUnchanged(known.read(known.name), known.content);
	const { readcache } = known.session.entries.at(-1).message.details;
	const hashes = [undefined, null, 5, "", HEX.slice(1), readcache.baseHash.toUpperCase(), "../../etc/passwd"];
	for (const [field, values] of Object.entries({ ...badValues(readcache), baseHash: hashes })) {
		if (["pathKey", "scopeKey", "servedHash", "mode"].includes(field)) continue; // some of them are valid metadata of another event
		for (const value of values.filter((one) => one !== OTHER_TEXT))
			await check(`session: a marker whose ${field} is ${short(value)} voids what was known`, () =>
				noTrust((entries) => void (resultOf(entries).message.details.readcache[field] = value), known),
			);
	}
}

async function optionalFields(known) {
	await check("session: metadata without textHash and textBytes counts while the text is the file", () =>
		keepsTrust((entries) => {
			delete resultOf(entries).message.details.readcache.textHash;
			delete resultOf(entries).message.details.readcache.textBytes;
		}, known),
	);
	await check("session: unknown fields in metadata are ignored", () =>
		keepsTrust((entries) => {
			const meta = resultOf(entries).message.details.readcache;
			Object.assign(meta, { future: [1], MODE: "diff", "": null });
			Object.defineProperty(meta, "__proto__", { value: { mode: "diff" }, enumerable: true });
		}, known),
	);
	await check("session: a file and a metadata path named __proto__ are ordinary", () => {
		const odd = knownFile(manyLines(8), "__proto__");
		expectUnchanged(odd.read("__proto__"), odd.content);
	});
}

// --- forged metadata ------------------------------------------------------

/** An anchor for the known file as the engine writes it, but about CONTENT. */
function forge(known, content, extra = {}) {
	const total = content.split("\n").length;
	return {
		...copyOf(metaOf({ result: resultOf(known.session.entries).message })),
		pathKey: known.path(known.name),
		servedHash: sha256(content),
		totalLines: total,
		rangeEnd: total,
		bytes: Buffer.byteLength(content),
		textHash: sha256(content).slice(0, 32),
		textBytes: Buffer.byteLength(content),
		...extra,
	};
}

async function forgedMetadata() {
	await check("session: a well-formed hash without an object gives the text", () => {
		const known = knownFile();
		const other = "never stored\n";
		known.record(known.name, { content: [{ type: "text", text: other }], details: { readcache: forge(known, other) } });
		expectText(known.read(known.name), known.content);
	});
	await check("session: metadata of another file's object is compared with the file itself", () => {
		const known = knownFile(manyLines(60));
		const other = known.write("other.txt", manyLines(60, { 30: "changed" }));
		expectText(known.show("other.txt"), other);
		known.record(known.name, { content: [{ type: "text", text: other }], details: { readcache: forge(known, other) } });
		expectDiff(known.read(known.name), "line 30 of the file");
	});
	await check("session: metadata that names another file says nothing about this one", () => {
		const known = knownFile();
		const content = known.write("other.txt", known.content);
		expectText(known.read("other.txt"), content);
	});
	await check("session: metadata whose text is not the file of its hash creates no trust", () => {
		const known = knownFile();
		const [entry] = known.session.entries.slice(-1);
		entry.message.content[0].text = "something else\n";
		const meta = entry.message.details.readcache;
		delete meta.textHash;
		delete meta.textBytes;
		expectText(known.read(known.name), known.content);
	});
	await check("session: an anchor beside a truncation that shows fewer lines creates no trust", () =>
		noTrust((entries) => {
			const { details } = resultOf(entries).message;
			details.truncation = { truncated: true, truncatedBy: "lines", outputLines: 3, totalLines: 9, content: "" };
		}),
	);
	for (const truncation of [5, "cut", [], { outputLines: "9" }, { outputLines: -1 }])
		await check(`session: an anchor beside the truncation ${short(truncation)}: text or true marker`, () =>
			eitherWay((entries) => void (resultOf(entries).message.details.truncation = truncation)),
		);
	await rangeForgeries();
}

/** Ranges that overflow or turn round must not reach the lines of the file. */
async function rangeForgeries() {
	const ranges = [
		["r:1:9007199254740991", 1, 9007199254740991],
		["r:9007199254740991:9007199254740992", 9007199254740991, 9007199254740992],
		["r:18446744073709551617:18446744073709551625", 1, 9],
		["r:4294967297:4294967305", 1, 9],
		["r:01:09", 1, 9],
		["r:2:1", 2, 1],
		["r:0:0", 0, 0],
		["r:1:9:1", 1, 9],
		["r: 1:9", 1, 9],
		["r:1e0:9", 1, 9],
	];
	for (const [scopeKey, rangeStart, rangeEnd] of ranges)
		await check(`session: metadata of the scope ${scopeKey} creates no trust`, () => {
			const edit = (entries) => void Object.assign(resultOf(entries).message.details.readcache, { scopeKey, rangeStart, rangeEnd });
			noTrust(edit);
			const { known, response } = rangeRead(edit);
			assert.equal(textOf(response).split("\n").slice(0, 3).join("\n"), known.content.split("\n").slice(0, 3).join("\n"));
		});
}

function rangeRead(edit) {
	const known = knownFile();
	const session = copyOf(known.session.inline());
	edit(session.entries);
	return { known, response: known.read(known.name, session, { params: { path: known.name, offset: 1, limit: 3 } }) };
}

async function wrongPlaces() {
	const move = (put) => (entries) => {
		const { message } = resultOf(entries);
		const { readcache } = message.details;
		delete message.details.readcache;
		put(readcache, message, entries);
	};
	const places = {
		"in the message": (meta, message) => void (message.readcache = meta),
		"in the entry": (meta, message, entries) => void (resultOf(entries).readcache = meta),
		"in the entry's details": (meta, message, entries) => void (resultOf(entries).details = { readcache: meta }),
		"in the content": (meta, message) => void (message.content[0].readcache = meta),
		"one level deeper": (meta, message) => void (message.details = { details: { readcache: meta } }),
		"as JSON text": (meta, message) => void (message.details.readcache = JSON.stringify(meta)),
		"under another letter case": (meta, message) => void (message.details.readCache = meta),
		"in the assistant's message": (meta, message, entries) => void (entries[0].message.details = { readcache: meta }),
		"in the call's arguments": (meta, message, entries) => void (entries[0].message.content[0].arguments.readcache = meta),
	};
	for (const [name, put] of Object.entries(places))
		await check(`session: metadata ${name} creates no trust`, () => noTrust(move(put)));
	const nothing = ["", null, 5, undefined];
	const fields = { toolName: ["bash", "Read", "read ", ...nothing], role: ["user", "assistant", "custom", ...nothing] };
	for (const [field, values] of Object.entries(fields))
		for (const value of values)
			await check(`session: a result with ${field} ${short(value)} is no evidence`, () =>
				noTrust((entries) => void (resultOf(entries).message[field] = value)),
			);
	for (const value of [true, "yes", 1, {}])
		await check(`session: a result with isError ${short(value)} is no evidence`, () =>
			noTrust((entries) => void (resultOf(entries).message.isError = value)),
		);
}

async function alteredTexts() {
	const texts = {
		"a pruned text": [{ type: "text", text: "[pruned]" }],
		"a text with one letter more": (content) => [{ type: "text", text: `${content}.` }],
		"a text with one letter less": (content) => [{ type: "text", text: content.slice(0, -1) }],
		"a text of another letter case": (content) => [{ type: "text", text: content.toUpperCase() }],
		"a text that ends at a NUL": (content) => [{ type: "text", text: `${content}\0more` }],
		"a string for content": "[pruned]",
		"an empty text": [{ type: "text", text: "" }],
		"no content blocks": [],
		"an image for a text": [{ type: "image", data: "AAAA", mimeType: "image/png" }],
		"a number for a text": [{ type: "text", text: 5 }],
		"null for a text": [{ type: "text", text: null }],
		"a block without text": [{ type: "text" }],
		"a block of null": [null],
		"null for content": null,
		"an object for content": { type: "text", text: "[pruned]" },
		"two texts": [{ type: "text", text: "one" }, { type: "text", text: "two" }],
	};
	await check("session: a result without content counts in entries, where the host has looked, and not in a file", () => {
		const known = knownFile();
		delete known.session.entries.at(-1).message.content;
		expectUnchanged(known.read(known.name), known.content);
		expectText(known.read(known.name, known.session.save(join(known.dir, "s.jsonl"))), known.content);
	});
	for (const [name, value] of Object.entries(texts))
		await check(`session: a result with ${name} is no evidence`, () =>
			noTrust((entries, known) => {
				resultOf(entries).message.content = typeof value === "function" ? value(known.content) : value;
			}),
		);
}

// --- views without metadata, and calls that are hard to tell ----------------

/** A read of PATH that the host answered itself: what it showed is unknown (T12). */
function hostRead(known, path, id) {
	known.session.call({ path }, id);
	known.session.result({ content: [{ type: "text", text: "who knows" }] }, id);
}

async function unknownViews() {
	const ways = {
		"as it is": ({ name }) => name,
		"with a dot": ({ name }) => `./${name}`,
		"with dots": ({ name }) => `x/../${name}`,
		"with an at sign": ({ name }) => `@${name}`,
		"with a slash at its end": ({ name }) => `${name}/`,
		"absolute": (known) => known.path(known.name),
		"as a URL": (known) => `file://${known.path(known.name)}`,
	};
	for (const [how, path] of Object.entries(ways))
		await check(`session: a read without metadata voids what was known, path written ${how}`, () => {
			const known = knownFile();
			hostRead(known, path(known), "unknown");
			expectText(known.read(known.name), known.content);
		});
	await check("session: a read without metadata through a link voids what was known of the file", () => {
		const known = knownFile();
		symlinkSync(known.name, known.path("link"));
		expectText(known.show("link"), known.content); // a second name is a second read (T11)
		expectUnchanged(known.read(known.name), known.content);
		expectUnchanged(known.read("link"), known.content);
		hostRead(known, "link", "unknown");
		expectText(known.read(known.name), known.content);
		expectText(known.read("link"), known.content);
	});
	await check("session: a read without metadata through a link that was never read voids the file it names now", () => {
		const known = knownFile();
		symlinkSync(known.name, known.path("link"));
		hostRead(known, "link", "unknown");
		expectText(known.read(known.name), known.content);
	});
	await check("session: a read of another file without metadata costs no trust", () => {
		const known = knownFile();
		hostRead(known, "other.txt", "unknown");
		expectUnchanged(known.read(known.name), known.content);
	});
	const paths = [5, null, "\0", "\ud800", "x".repeat(1e6)].map((path) => ({ path }));
	for (const args of [undefined, null, 5, "notes.txt", [], {}, ...paths])
		await check(`session: a read without metadata with the arguments ${short(args)}: text or true marker`, () => {
			const known = knownFile();
			known.session.call(args, "unknown");
			known.session.result({ content: [{ type: "text", text: "who knows" }] }, "unknown");
			expectTextOrUnchanged(known.read(known.name), known.content);
		});
}

/** Some providers count their calls anew in every turn: a result belongs to the nearest call before it. */
/** What a serving process is told of a session counts, even with a request that comes to nothing. */
async function remembered() {
	const nothing = {
		"a missing file": { op: "read", params: { path: "nowhere.txt" } },
		"lines behind the end": { op: "read", params: { path: "notes.txt", offset: 99 } },
		"a read past the cache": { op: "read", params: { path: "notes.txt", bypass_cache: true } },
		"a nested read": { op: "read", params: { path: "notes.txt" }, nested: true },
		"a refresh": { op: "refresh", params: { path: "notes.txt" } },
		"a request without a path": { op: "read" },
	};
	for (const [what, request] of Object.entries(nothing))
		await check(`session: entries that were sent with ${what} are those that session.after means`, () => {
			const known = knownFile();
			const base = { v: 1, cwd: known.cwd, store: known.store };
			const read = { ...base, op: "read", params: { path: known.name } };
			const { leafId, entries } = known.session.inline();
			const altered = copyOf(entries);
			resultOf(altered).message.content = [];
			const after = { ...read, session: { id: "s", after: leafId, leafId, entries: [] } };
			const lines = [
				{ ...read, session: { id: "s", leafId, entries } },
				after,
				{ ...base, ...request, session: { id: "s", leafId, entries: altered } },
				after,
			];
			const answers = serveLines(lines.map((line) => JSON.stringify(line))).map((line) => JSON.parse(line));
			for (const answer of answers.slice(0, 2)) expectUnchanged(answer, known.content);
			if (answers[3].error?.code !== "unknown_leaf") expectText(answers[3], known.content);
		});
}

async function reusedCallIds() {
	await check("session: a reused call id is looked up in the nearest message, for a view without metadata", () => {
		const known = knownFile();
		hostRead(known, "other.txt", "call_0");
		expectUnchanged(known.read(known.name), known.content);
		hostRead(known, known.name, "call_0");
		expectText(known.read(known.name), known.content);
	});
	await check("session: a call id that is used again later does not hide the edit of its first message", () => {
		const known = knownFile();
		const [call, result] = known.session.entries;
		hostRead(known, "other.txt", result.message.toolCallId);
		known.session.contextEdit(call.id);
		expectText(known.read(known.name), known.content);
	});
	await check("session: a call id that was used before does not hide the edit of its last message", () => {
		const known = new Scene();
		const content = known.write("notes.txt", manyLines(8));
		hostRead(known, "other.txt", "call-1");
		expectText(known.show("notes.txt"), content);
		expectUnchanged(known.read("notes.txt"), content);
		known.session.contextEdit(known.session.entries.at(-2).id);
		expectText(known.read("notes.txt"), content);
	});
	await check("session: one message that calls twice with one id: text or true marker", () => {
		const known = knownFile();
		const call = (path) => ({ type: "toolCall", id: "twin", name: "read", arguments: { path } });
		known.session.append({ type: "message", message: { role: "assistant", content: [call("other.txt"), call(known.name)] } });
		known.session.result({ content: [{ type: "text", text: "who knows" }] }, "twin");
		expectTextOrUnchanged(known.read(known.name), known.content);
	});
	for (const others of [0, 30])
		await check(`session: F5 two calls with one id beside ${others} others: what was read is unknown`, () => {
			const known = knownFile();
			const call = (path, id = "twin") => ({ type: "toolCall", id, name: "read", arguments: { path } });
			const content = [call("other.txt"), ...Array.from({ length: others }, (_, i) => call("more.txt", `c${i}`)), call(known.name)];
			known.session.append({ type: "message", message: { role: "assistant", content } });
			known.session.result({ content: [{ type: "text", text: "who knows" }] }, "twin");
			known.session.user("go on");
			expectText(known.read(known.name), known.content);
		});
}

// --- compactions, edits, invalidations ------------------------------------

/** The known file, then ENTRY on the branch. */
function after(entry) {
	return (entries, known, session) => {
		entries.push({ ...entry(entries), id: "new", parentId: session.leafId });
		session.leafId = "new";
	};
}

async function barriers() {
	const compactions = [{}, { firstKeptEntryId: null }, { firstKeptEntryId: 5 }, { summary: [], tokensBefore: "x" }];
	compactions.push({ firstKeptEntryId: "nobody" }, { details: { readcache: {} } }, { fromHook: true, message: 5 });
	for (const fields of compactions)
		await check(`session: a compaction with ${short(fields)} is a barrier`, () =>
			noTrust(after(() => ({ type: "compaction", ...fields }))),
		);
	await check("session: a compaction that says it kept the result is a barrier", () =>
		noTrust(after((entries) => ({ type: "compaction", summary: "", firstKeptEntryId: entries[0].id }))),
	);
	await edits();
	await invalidations();
}

async function edits() {
	const edit = (fields) => after(() => ({ type: "context_edit", replacement: null, ...fields }));
	for (const targetId of [undefined, null, 5, true, [], {}, ["e0000002"]])
		await check(`session: a context edit with the target ${short(targetId)} voids what was known`, () =>
			noTrust(edit({ targetId })),
		);
	await check("session: an edit of the result, of any form, removes it", () => {
		for (const replacement of [null, undefined, 5, "text", {}, { content: [] }, { content: "same" }])
			noTrust(edit({ targetId: "e0000002", replacement }));
	});
	await check("session: an edit of the message with the call removes its result", () => noTrust(edit({ targetId: "e0000001" })));
	for (const stopReason of ["error", "aborted"])
		await check(`session: a result whose call ended with ${stopReason} is no evidence`, () =>
			noTrust((entries) => void (entries[0].message.stopReason = stopReason)),
		);
	for (const stopReason of [undefined, null, 5, "stop", "Error"])
		await check(`session: the stop reason ${short(stopReason)} of a call: text or true marker`, () =>
			eitherWay((entries) => void (entries[0].message.stopReason = stopReason)),
		);
	await check("session: an edit of something else costs no trust", () => {
		const known = knownFile();
		const said = known.session.user("hello");
		known.session.contextEdit(said.id);
		expectUnchanged(known.read(known.name), known.content);
	});
	await check("session: an edit of an entry that is not there: text or true marker", () =>
		eitherWay(edit({ targetId: "nobody" })),
	);
}

/** A read of another file, by a relative name, of which nobody knows what it showed, in each of so many directories. */
async function directories() {
	const blind = (dirs) => {
		const known = knownFile();
		known.session.call({ path: "b.txt" }, "blind");
		known.session.result({ content: [{ type: "text", text: "who knows" }] }, "blind");
		return [known.read(known.name, { ...known.session.inline(), dirs }), known.content];
	};
	const many = (n) => Array.from({ length: n }, (_, i) => `/dir/${i}`);
	await check("session: F5 calls in 40 directories are followed", () => expectUnchanged(...blind(many(40))));
	await check("session: F5 calls in more may be about any file", () => expectText(...blind(many(41))));
	await check("session: calls in one that nobody knows may be about any file", () => expectText(...blind([null])));
}

async function invalidations() {
	const custom = (data, customType = "pi-readcache") => after(() => ({ type: "custom", customType, data }));
	const common = { v: 1, kind: "invalidate", scopeKey: "full", at: 1_700_000_000_000 };
	const valid = (known) => ({ ...common, pathKey: known.path(known.name) });
	await check("session: the control of the invalidations: a good one voids its path and no other", () => {
		const known = knownFile();
		noTrust(custom(valid(known)), known);
		keepsTrust(custom({ ...valid(known), pathKey: known.path("other.txt") }), known);
	});
	const bad = {
		v: [undefined, null, 0, 2, "1"],
		pathKey: [undefined, null, 5, [], "", "relative.txt"],
		scopeKey: [undefined, null, 5, [], "", "FULL", "r:", "r:5:1", "r:0:2", "full\0"],
	};
	for (const [field, values] of Object.entries(bad))
		for (const value of values)
			await check(`session: an invalidation with ${field} ${short(value)} voids everything`, () => {
				const known = knownFile();
				noTrust(custom({ ...valid(known), pathKey: known.path("other.txt"), [field]: value }), known);
			});
	await check("session: an invalidation with nothing but its kind voids everything", () =>
		noTrust(custom({ kind: "invalidate" })),
	);
	for (const data of [undefined, null, 5, "invalidate", [], {}, { v: 1 }, { v: 1, kind: "note" }])
		await check(`session: a custom entry of ours with the data ${short(data)} that says nothing: text or true marker`, () =>
			eitherWay(custom(data)),
		);
	await check("session: an invalidation of another extension is not ours", () => {
		const known = knownFile();
		keepsTrust(custom(valid(known), "pi-other"), known);
		keepsTrust(custom(valid(known), "PI-READCACHE"), known);
	});
}

// --- overlay --------------------------------------------------------------

async function overlays() {
	const known = knownFile();
	const { readcache } = known.session.entries.at(-1).message.details;
	const read = (overlay) => known.read(known.name, { entries: [], leafId: null }, { overlay });
	await check("session: the control of the overlays: a good one is known", () =>
		expectUnchanged(read([readcache]), known.content),
	);
	for (const [field, values] of Object.entries(badValues(readcache)))
		await check(`session: overlay metadata with a bad ${field} creates no trust`, () => {
			for (const value of values) {
				// the text is not in an overlay: a well-formed textHash cannot be judged there
				if (value === OTHER_TEXT) continue;
				expectText(read([{ ...readcache, [field]: value }]), known.content);
			}
		});
	await check("session: an overlay without a session creates no trust", () => {
		const { response } = ask(known.request(known.name, { session: undefined, overlay: [readcache] }));
		expectText(response, known.content);
	});
	for (const junk of [null, 5, "x", [], {}, [readcache]])
		await check(`session: ${short(junk)} in the overlay creates no trust`, () => {
			const { response } = ask(known.request(known.name, { session: { entries: [], leafId: null }, overlay: [junk] }));
			if (response.ok) expectText(response, known.content);
			else assert.equal(response.error.code, "bad_request");
		});
	for (const junk of [null, 5, "x", [], {}, { ...readcache, v: 2 }, { v: 1, kind: "invalidate" }])
		await check(`session: ${short(junk)} in the overlay voids what was known before it`, () => {
			const { response } = ask(known.request(known.name, { session: known.session.inline(), overlay: [junk] }));
			if (response.ok) expectText(response, known.content);
			else assert.equal(response.error.code, "bad_request");
		});
	await check("session: what the overlay shows after its junk counts", () => expectUnchanged(read([5, readcache]), known.content));
}

// --- big sessions ---------------------------------------------------------

function shuffled(list) {
	const roll = dice(list.length);
	const copy = [...list];
	for (let n = copy.length - 1; n > 0; n--) {
		const other = roll(n + 1);
		[copy[n], copy[other]] = [copy[other], copy[n]];
	}
	return copy;
}

/** What a marker claims, looked up by the shortest way: the text is in a read result on the branch. */
function isBacked({ session: { entries, leafId } }, content) {
	const byId = new Map(entries.filter((entry) => entry?.id).map((entry) => [entry.id, entry]));
	const seen = [];
	for (let entry = byId.get(leafId); entry && seen.length <= entries.length; entry = byId.get(entry.parentId)) seen.push(entry);
	const isRead = ({ type, message }) => type === "message" && message?.role === "toolResult" && message.toolName === "read";
	// a host may leave the texts out of the entries it sends; T9 speaks of texts that are there
	const shows = ({ message }) => !message.isError && (!("content" in message) || message.content?.[0]?.text === content);
	assert.ok(seen.filter(isRead).some(shows), "the text a marker speaks of is on the branch");
}

/** Any damage may cost the marker; none may cost the answer. */
function damagedSessions(count) {
	const roll = dice(count);
	const known = knownFile();
	known.show(known.name);
	known.session.user("hello");
	const bytes = Buffer.from(JSON.stringify(known.request(known.name, { session: known.session.inline() })));
	const from = bytes.indexOf('"entries":[') + 10;
	const lines = Array.from({ length: count }, () => damaged(bytes, roll, from, bytes.length - 3));
	const answers = serveLines(lines).map((line) => JSON.parse(line));
	answers.forEach((answer, index) => {
		if (answer.error?.code === "bad_request") return;
		expectTextOrUnchanged(answer, known.content);
		if (metaOf(answer)?.mode === "unchanged") isBacked(JSON.parse(lines[index]), known.content);
	});
	const markers = answers.filter((answer) => metaOf(answer)?.mode === "unchanged").length;
	assert.ok(markers > 0 && markers < count / 2, `there are enough of both kinds: ${markers}`);
}

async function bigSessions() {
	await check("session: 10,000 damaged sessions cost the optimisation at most", () => damagedSessions(10_000));
	await check("session: 20,000 entries in random order are understood", () => {
		const known = knownFile(manyLines(60));
		for (let n = 0; n < 19_998; n++) known.session.user(`message ${n}`);
		const session = { ...known.session.inline(), entries: shuffled(known.session.entries) };
		expectUnchanged(known.read(known.name, session), known.content);
		known.write(known.name, manyLines(60, { 20: "another line" }));
		expectDiff(known.read(known.name, session), "another line");
	});
	await check("session: 20,000 entries in random order with one missing mean no trust", () => {
		const known = knownFile();
		for (let n = 0; n < 19_998; n++) known.session.user(`message ${n}`);
		const entries = shuffled(known.session.entries.filter((_, index) => index !== 10_000));
		expectText(known.read(known.name, { ...known.session.inline(), entries }), known.content);
	});
	await check("session: 20,000 entries that all have one id mean no trust, at once", () => {
		const known = knownFile();
		const same = Array.from({ length: 20_000 }, () => ({ type: "custom", id: known.session.leafId, parentId: null }));
		const session = { ...known.session.inline(), entries: [...known.session.entries, ...same] };
		expectText(promptly(known.request(known.name, { session })).response, known.content);
	});
	await check("session: 20,000 children of one entry do no harm", () => {
		const known = knownFile();
		const children = Array.from({ length: 20_000 }, (_, n) => ({ type: "custom", id: `c${n}`, parentId: known.session.leafId }));
		const session = { ...known.session.inline(), entries: [...children, ...known.session.entries] };
		expectUnchanged(known.read(known.name, session), known.content);
	});
	await check("session: a call with 5,000 siblings and ids of 10,000 letters does no harm", () => {
		const known = knownFile();
		const call = (id) => ({ type: "toolCall", id, name: "read", arguments: null });
		const say = (content) => known.session.append({ type: "message", message: { role: "assistant", content } });
		say(Array.from({ length: 5000 }, (_, n) => call(`${"i".repeat(n % 100)}${n}`)));
		say([call("i".repeat(10_000))]);
		expectUnchanged(known.read(known.name), known.content);
	});
	await check("session: a session directory is not made by a read", () => {
		const known = knownFile();
		const dir = join(known.dir, "sessions");
		expectText(known.read(known.name, { file: join(dir, "none.jsonl") }), known.content);
		assert.throws(() => mkdirSync(join(dir, "x")), /ENOENT/);
	});
}
