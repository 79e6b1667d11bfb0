// Session files as pi writes them, of any size: talk, calls, shell output and reads, with the escapes and the few
// letters beyond ASCII that source text has.
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

const BLOCK = 4 << 20; // characters per write
const PATHS = 400; // files that the session reads

/** Numbers that look like chance and are the same in every run. */
export function chance(seed) {
	let state = seed >>> 0;
	return (below) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const SOURCE = [
	"\tif (strcmp(name, \"value\") == 0)",
	"\t\treturn parse(\"{\\\"a\\\": 1}\", &result);",
	"const message = `${count} of ${total} \"done\"`;",
	"  at Object.<anonymous> (/home/someone/project/src/index.ts:41:17)",
	"// größer als 0 → weiter, sonst „nichts“",
	"export function build(options: Options): Promise<Result> {",
	"{\"level\":\"info\",\"path\":\"C:\\\\temp\\\\x\",\"ok\":true}",
	"}",
	"",
];

/** A text of about SIZE bytes. */
function text(random, size) {
	const lines = [];
	for (let n = 0; n < size; n += lines.at(-1).length + 1) lines.push(`${SOURCE[random(SOURCE.length)]} ${random(1e6)}`);
	return `${lines.join("\n")}\n`;
}

/**
 * From some hundred bytes to 20 KB, so that an entry has 5 KB on the average: sessions of hundreds of megabytes are
 * almost all results, and those that people tell about have 5 to 8 KB for each entry.
 */
function texts(random) {
	const size = () => 200 + Math.floor(20_000 * (random(1000) / 1000));
	return Array.from({ length: 500 }, () => {
		const one = text(random, size());
		return {
			json: JSON.stringify(one),
			hash: createHash("sha256").update(one).digest("hex"),
			lines: one.split("\n").length,
			bytes: Buffer.byteLength(one),
		};
	});
}

/** What a read of the whole of a file left behind. */
function metadata({ hash, lines, bytes }, path) {
	return (
		`{"readcache":{"v":1,"pathKey":${JSON.stringify(path)},"scopeKey":"full","servedHash":"${hash}","mode":"full",` +
		`"totalLines":${lines},"rangeStart":1,"rangeEnd":${lines},"bytes":${bytes},` +
		`"textHash":"${hash.slice(0, 32)}","textBytes":${bytes}}}`
	);
}

const WHEN = "2026-01-01T00:00:00.000Z";
const MODEL =
	'"api":"anthropic-messages","provider":"anthropic","model":"some-model","usage":{"input":3,"output":181,' +
	'"cacheRead":52113,"cacheWrite":1907,"totalTokens":54204,"cost":{"input":0,"output":0,"cacheRead":0,' +
	'"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":1767225600000';

export class SessionFile {
	#out;
	#block = "";
	#random;
	#texts;
	#entries = 0;

	constructor(path, seed = 1) {
		this.path = path;
		this.size = 0;
		this.leafId = null;
		this.#random = chance(seed);
		this.#texts = texts(this.#random);
		this.#out = openSync(path, "w");
		this.line(`{"type":"session","version":3,"id":"bench","timestamp":"${WHEN}","cwd":"/home/someone/project"}`);
	}

	line(json) {
		this.#block += `${json}\n`;
		if (this.#block.length >= BLOCK) this.#flush();
	}

	#flush() {
		this.size += writeSync(this.#out, this.#block);
		this.#block = "";
	}

	/** An entry below the leaf, with these FIELDS as JSON; it is the new leaf. */
	entry(type, fields) {
		// Ids are no numbers in order, and no two are equal.
		const id = (Math.imul(++this.#entries, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
		const parentId = JSON.stringify(this.leafId);
		this.line(`{"type":"${type}","id":"${id}","parentId":${parentId},"timestamp":"${WHEN}",${fields}}`);
		this.leafId = id;
		return id;
	}

	message(json) {
		return this.entry("message", `"message":${json}`);
	}

	say(words) {
		return this.message(`{"role":"user","content":[{"type":"text","text":${JSON.stringify(words)}}],"timestamp":1767225600000}`);
	}

	call(callId, name, args) {
		const block = `{"type":"toolCall","id":"${callId}","name":"${name}","arguments":${JSON.stringify(args)}}`;
		return this.message(`{"role":"assistant","content":[{"type":"text","text":"Let me see."},${block}],${MODEL}}`);
	}

	result(callId, name, textJson, details) {
		const content = `"content":[{"type":"text","text":${textJson}}]${details ? `,"details":${details}` : ""}`;
		const what = `"role":"toolResult","toolCallId":"${callId}","toolName":"${name}"`;
		return this.message(`{${what},${content},"isError":false,"timestamp":1767225600000}`);
	}

	/** A call and its result: mostly of a shell, now and then a read; sometimes on a branch that is left again. */
	#work() {
		const before = this.leafId;
		const callId = `toolu_${(this.#entries * 7919).toString(36).padStart(12, "0")}`;
		const one = this.#texts[this.#random(this.#texts.length)];
		const kind = this.#random(50);
		if (kind < 8) {
			const path = `/home/someone/project/src/file-${this.#random(PATHS)}.ts`;
			this.call(callId, "read", { path });
			this.result(callId, "read", one.json, metadata(one, path));
		} else {
			this.call(callId, "bash", { command: `grep -rn "word ${kind}" src | head` });
			this.result(callId, "bash", one.json);
		}
		if (kind === 49) this.leafId = before;
		else if (kind > 45) this.say("Go on.");
	}

	/** Go on until the file has BYTES bytes. */
	grow(bytes) {
		while (this.size + this.#block.length < bytes) this.#work();
	}

	/** What follows is alike in all files, whatever their size. */
	compact() {
		this.#random = chance(2);
		return this.entry("compaction", `"summary":"what happened so far","firstKeptEntryId":null,"tokensBefore":1000`);
	}

	/** The result of an answer, as the host stores it. */
	answered(callId, args, { content, details }) {
		this.call(callId, "read", args);
		this.result(callId, "read", JSON.stringify(content[0].text), JSON.stringify(details));
	}

	end() {
		this.#flush();
		closeSync(this.#out);
		return { file: this.path };
	}
}
