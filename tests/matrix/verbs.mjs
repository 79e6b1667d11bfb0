// The verbs of a case. README.md explains each one; usage is what parse.mjs expects on the line.
//   block: "may" or "must" have text lines below it    asks: gives an answer somebody has to look at
//   expects: looks at the latest answer                modifies: belongs to the step above it
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import { checkRead, checkRefresh, checkStatus, patched } from "./checks.mjs";
import { merge, Mismatch, sha256, slice } from "./world.mjs";

const anchors = ["full", "baseline_fallback"];

/** The fields of EXPECTED must be in ACTUAL; null stands for a field that is not there. */
function includes(what, expected, actual) {
	for (const [key, value] of Object.entries(expected)) {
		const field = `${what}.${key}`;
		if (value === null) {
			if (actual?.[key] !== undefined) throw new Mismatch(field, undefined, actual[key]);
		} else if (typeof value === "object" && !Array.isArray(value)) includes(field, value, actual?.[key]);
		else equals(field, value, actual?.[key]);
	}
}

function equals(what, expected, actual) {
	if (!isDeepStrictEqual(expected, actual)) throw new Mismatch(what, expected, actual);
}

function answeredText(world) {
	const text = world.answer.result?.content?.[0]?.text ?? world.answer.text;
	if (text === undefined) throw new Mismatch("text", "an answer with text", world.answer);
	return text;
}

const expectedText = (step, text) => (step.notice === undefined ? text : `${text}\n\n${step.notice}`);

/** The id of an entry: a mark, or the latest read's `call` or `result`. */
function entryId(world, name) {
	if (name === "call") return world.lastCall.id;
	if (name === "result") return world.lastResult.id;
	return world.mark(name);
}

function editLines(change) {
	return (world, { args }) => {
		const lines = world.read(args.file).toString().split("\n");
		if (args.line < 1 || args.line > lines.length) throw new Error(`${args.file} has no line ${args.line}`);
		change(lines, args.line - 1, args.text);
		world.write(args.file, Buffer.from(lines.join("\n")));
	};
}

async function read(world, params) {
	const filled = world.fill(params);
	if (!world.held) world.call(filled);
	const request = world.request("read", filled);
	const answer = await world.ask(request);
	checkRead(world, request, answer);
	if (!world.held) world.deliver(answer);
	else if (answer.result) world.held.push({ params: filled, result: answer.result });
	else throw new Mismatch("a read that is held back", "a result", answer);
}

/** Several processes are running before the first of them gets its request. */
async function readAtOnce(world, count, params) {
	const filled = world.fill(params);
	world.call(filled);
	const request = world.request("read", filled);
	const text = JSON.stringify(request);
	const engines = Array.from({ length: count }, () => world.start());
	await sleep(50);
	const answers = engines.map((engine) => engine.line(text).then(JSON.parse));
	await Promise.all([...answers, ...engines.map((engine) => engine.close())]);
	for (const promise of answers) {
		const answer = await promise;
		checkRead(world, request, answer);
		equals("answers of processes that ran at once", (world.answer = await answers[0]), answer);
	}
	world.deliver(world.answer);
}

async function abort(world, ms, params) {
	world.call(params);
	const { answer, ended, child } = world.alone(JSON.stringify(world.request("read", world.fill(params))));
	answer.catch(() => {}); // it was not to be
	await sleep(ms);
	child.kill("SIGKILL");
	await ended;
	world.result({ content: [{ type: "text", text: "Operation aborted" }], details: {} }, { isError: true });
}

/** T2: whatever the file was while it was being written, an answer speaks of one state of it. */
async function churn(world, count, file, versions, params) {
	const flag = new Int32Array(new SharedArrayBuffer(4));
	const writer = new Worker(
		`const { workerData: w } = require("node:worker_threads");
		const { writeFileSync } = require("node:fs");
		for (let i = 0; Atomics.load(w.flag, 0) === 0; i++) writeFileSync(w.path, w.texts[i % w.texts.length]);`,
		{ eval: true, workerData: { flag, path: world.path(file), texts: versions.map((name) => world.content(name)) } },
	);
	let seen = 0;
	try {
		for (let i = 0; i < count; i++) {
			const answer = await world.ask(world.request("read", world.fill(params)), { transcribe: false });
			const meta = answer.result?.details?.readcache;
			if (answer.delegate) continue; // caught empty: the host may look for itself
			if (!meta) throw new Mismatch("an answer while the file is written", "a result with metadata", answer);
			seen += 1;
			const text = answeredText(world);
			let bytes = Buffer.from(text);
			if (meta.mode === "diff") bytes = patched(world.contents.get(meta.baseHash), text);
			else if (meta.mode === "unchanged") bytes = world.contents.get(meta.baseHash);
			else equals("bytes of the file's state", Buffer.byteLength(text), meta.bytes);
			equals(`servedHash of mode ${meta.mode}`, sha256(bytes), meta.servedHash);
			equals("totalLines", bytes.toString().split("\n").length, meta.totalLines);
			const object = join(world.store, "objects", `sha256-${meta.servedHash}.txt`);
			equals("the stored object", bytes.toString(), readFileSync(object, "utf8"));
		}
	} finally {
		Atomics.store(flag, 0, 1);
		await new Promise((done) => writer.on("exit", done));
	}
	if (seen === 0) throw new Mismatch("answers while the file is written", "some", "none");
}

function claim(world, { mode, scope, file, versions, json = {} }) {
	const [served, base] = versions.split("->").reverse();
	const bytes = world.content(served);
	const total = bytes.toString().split("\n").length;
	const [first, last] = scope === "full" ? [1, total] : scope.slice(2).split(":").map(Number);
	const text = anchors.includes(mode) ? slice(bytes, first, last) : `[readcache: claimed ${mode}]`;
	const meta = {
		v: 1,
		pathKey: realpathSync(world.path(file)),
		scopeKey: scope,
		servedHash: sha256(bytes),
		...(base && { baseHash: sha256(world.content(base)) }),
		mode,
		totalLines: total,
		rangeStart: first,
		rangeEnd: last,
		bytes: Buffer.byteLength(slice(bytes, first, last)),
		textHash: sha256(text).slice(0, 32),
		textBytes: Buffer.byteLength(text),
	};
	world.call(scope === "full" ? { path: file } : { path: file, offset: first, limit: last - first + 1 });
	world.result({ content: [{ type: "text", text }], details: { readcache: merge(meta, world.fill(json)) } });
}

function damage(world, version, how) {
	const path = world.object(version);
	const bytes = readFileSync(path);
	if (how === "flip") bytes[bytes.length >> 1] ^= 1;
	const damaged = { flip: bytes, cut: bytes.subarray(0, -1), empty: Buffer.alloc(0), foreign: Buffer.from("something else\n") }[how];
	if (!damaged) throw new Error(`an object cannot be damaged by "${how}"`);
	writeFileSync(path, damaged);
}

/** Every object is what its name says. */
function checkObjects(world) {
	const names = world.stored("objects");
	for (const name of names) equals("name of an object", `sha256-${sha256(readFileSync(join(world.store, "objects", name)))}.txt`, name);
	return names.length;
}

export const verbs = {
	only: { usage: "WAYS", run: () => {} }, // run.mjs looks for it

	// files
	file: { usage: "FILE", block: "must", run: (world, { args, text }) => world.write(args.file, Buffer.from(text)) },
	bytes: { usage: "FILE TEXT", run: (world, { args }) => world.write(args.file, Buffer.from(args.text.replaceAll(" ", ""), "hex")) },
	lines: {
		usage: "FILE COUNT [WIDTH]",
		run: (world, { args }) => {
			const line = (_, i) => `${i + 1} line`.padEnd(args.width ?? 0, ".") + "\n";
			world.write(args.file, Buffer.from(Array.from({ length: args.count }, line).join("")));
		},
	},
	"set-line": { usage: "FILE LINE TEXT", run: editLines((lines, at, text) => lines.splice(at, 1, text)) },
	"insert-line": { usage: "FILE LINE TEXT", run: editLines((lines, at, text) => lines.splice(at, 0, text)) },
	crlf: {
		usage: "FILE",
		run: (world, { args }) => world.write(args.file, Buffer.from(world.read(args.file).toString().replaceAll("\n", "\r\n"))),
	},
	"delete-line": { usage: "FILE LINE", run: editLines((lines, at) => lines.splice(at, 1)) },
	link: {
		usage: "FILE TARGET",
		run: (world, { args }) => {
			rmSync(world.path(args.file), { force: true });
			symlinkSync(args.target, world.path(args.file));
		},
	},
	remove: { usage: "FILE", run: (world, { args }) => rmSync(world.path(args.file), { recursive: true }) },
	version: { usage: "NAME FILE", run: (world, { args }) => void world.versions.set(args.name, world.read(args.file)) },
	restore: { usage: "FILE NAME", run: (world, { args }) => world.write(args.file, world.content(args.name)) },

	// the store, and the process
	"lose-object": { usage: "VERSION", run: (world, { args }) => rmSync(world.object(args.version)) },
	"damage-object": { usage: "VERSION HOW", run: (world, { args }) => damage(world, args.version, args.how) },
	"lose-store": { usage: "", run: (world) => rmSync(world.store, { recursive: true }) },
	restart: {
		usage: "",
		run: async (world) => {
			await world.stop();
			world.session.resume();
		},
	},
	umask: {
		usage: "MODE",
		run: async (world, { args }) => {
			await world.stop();
			process.umask(Number.parseInt(args.mode, 8));
		},
	},

	// the session
	say: { usage: "TEXT", run: (world, { args }) => void world.session.user(args.text) },
	mark: {
		usage: "NAME [ENTRY]",
		run: (world, { args }) => void world.marks.set(args.name, args.entry ? entryId(world, args.entry) : world.session.leafId),
	},
	goto: { usage: "NAME", run: (world, { args }) => world.session.navigate(world.mark(args.name)) },
	leaf: { usage: "ID", run: (world, { args }) => world.session.navigate(args.id) },
	compact: { usage: "[NAME]", run: (world, { args }) => void world.session.compaction(args.name ? world.mark(args.name) : null) },
	fork: { usage: "NAME", run: (world, { args }) => world.fork(args.name) },
	session: { usage: "NAME", run: (world, { args }) => world.open(args.name) },
	"edit-context": {
		usage: "NAME",
		block: "may",
		run: (world, { args, text }) => void world.session.contextEdit(entryId(world, args.name), text ?? null),
	},
	rewrite: { usage: "[TEXT]", block: "must", run: (world, { text }) => void (world.session.find(world.lastResult.id).message.content[0].text = text) },
	alter: {
		usage: "NAME JSON",
		run: (world, { args }) => {
			const id = entryId(world, args.name);
			const entry = merge(world.session.find(id), world.fill(args.json));
			if (world.session.leafId === id) world.session.leafId = entry.id;
		},
	},
	entry: { usage: "JSON", run: (world, { args }) => void world.session.append(world.fill(args.json)) },
	claim: { usage: "MODE SCOPE FILE VERSIONS [JSON]", run: (world, { args }) => claim(world, args) },
	view: {
		usage: "JSON",
		block: "may",
		run: (world, { args, text = "(what the model saw)" }) => {
			world.call(world.fill(args.json));
			world.result({ content: [{ type: "text", text }] });
		},
	},
	invalidate: {
		usage: "SCOPE FILE [JSON]",
		run: (world, { args }) => {
			const data = { v: 1, kind: "invalidate", pathKey: world.path(args.file), scopeKey: args.scope, at: 1700000000000 };
			world.session.custom({ customType: "pi-readcache", data: merge(data, world.fill(args.json ?? {})) });
		},
	},
	junk: { usage: "TEXT", run: (world, { args }) => world.session.junk(args.text) },
	"damage-entry": { usage: "NAME TEXT", run: (world, { args }) => world.session.damage(entryId(world, args.name), world.fill(args.text)) },
	hold: { usage: "", run: (world) => void (world.held = []) },
	release: { usage: "", run: (world) => world.release() },

	edit: {
		usage: "FILE OUTCOME",
		run: (world, { args }) => {
			if (!["done", "written", "refused"].includes(args.outcome)) throw new Error(`an edit is done, written or refused, not "${args.outcome}"`);
			world.edit(args.file, args.outcome);
		},
	},
	edits: { usage: "FILE JSON", run: (world, { args }) => world.edits(world.fill(args.file), world.fill(args.json)) },
	writes: {
		usage: "FILE [VERSION]",
		block: "may",
		run: (world, { args, text }) => world.writes(world.fill(args.file), args.version ? world.content(args.version) : Buffer.from(text)),
	},
	refused: { usage: "FILE JSON", run: (world, { args }) => world.edit(args.file, "refused", world.fill(args.json)) },

	beside: {
		usage: "NAME WHEN JSON",
		run: (world, { args }) => {
			if (!["before", "after", "done"].includes(args.when)) throw new Error(`a call beside a read comes before or after it, or is done, not "${args.when}"`);
			const call = { name: args.name, arguments: world.fill(args.json) };
			world.beside.push({ call, after: args.when === "after", done: args.when === "done" });
		},
	},
	bill: { usage: "COUNT [NAME]", run: (world, { args }) => void (world.bill = { tokens: args.count, model: args.name ?? "a-model" }) },
	"fork-to": { usage: "FILE [HOW]", run: (world, { args }) => world.forkTo(args.file, args.how === "lost") },

	// requests
	policy: { usage: "NAME", run: (world, { args }) => void (world.policy = args.name) },
	with: { usage: "JSON", run: (world, { args }) => void (world.with = world.fill(args.json)) },
	read: { usage: "JSON", asks: true, run: (world, { args }) => read(world, args.json) },
	nested: {
		usage: "JSON",
		asks: true,
		run: async (world, { args }) => {
			world.with = { nested: true, toolCallId: "call_0/1" };
			const request = world.request("read", world.fill(args.json));
			checkRead(world, request, await world.ask(request));
		},
	},
	expand: {
		usage: "",
		asks: true,
		run: async (world) => {
			const request = { ...world.request("expand"), metadata: world.lastResult.message.details.readcache };
			await world.ask(request);
		},
	},
	refresh: {
		usage: "JSON",
		asks: true,
		run: async (world, { args }) => {
			const request = world.request("refresh", world.fill(args.json));
			const answer = await world.ask(request);
			checkRefresh(world, request, answer);
			if (answer.ok) world.session.custom(answer.entry);
		},
	},
	status: {
		usage: "JSON",
		run: async (world, { args }) => {
			const request = world.request("status");
			const answer = await world.ask(request);
			checkStatus(request, answer);
			includes("status", world.fill(args.json), answer.status);
		},
	},
	"read-at-once": { usage: "COUNT JSON", asks: true, run: (world, { args }) => readAtOnce(world, args.count, args.json) },
	churn: { usage: "COUNT FILE VERSIONS JSON", run: (world, { args }) => churn(world, args.count, args.file, args.versions.split(","), args.json) },
	abort: { usage: "COUNT JSON", run: (world, { args }) => abort(world, args.count, args.json) },
	"half-request": {
		usage: "JSON",
		asks: true,
		run: async (world, { args }) => {
			const text = JSON.stringify(world.request("read", world.fill(args.json)));
			const { answer, ended } = world.alone(text.slice(0, text.length / 2));
			world.answer = await answer;
			await ended;
		},
	},

	// expectations
	mode: {
		usage: "MODE",
		expects: true,
		run: (world, { args }) => {
			if (!world.answer.decision) throw new Mismatch("mode", args.mode, world.answer);
			equals("mode", args.mode, world.answer.decision.mode);
		},
	},
	reason: { usage: "REASON", expects: true, run: (world, { args }) => equals("reason", args.reason, world.answer.decision?.reason) },
	scope: {
		usage: "SCOPE",
		expects: true,
		run: (world, { args }) => equals("scope", args.scope, world.answer.entry?.data.scopeKey ?? world.answer.decision?.scope),
	},
	text: { usage: "[TEXT]", block: "must", expects: true, run: (world, step) => equals("text", expectedText(step, step.text), answeredText(world)) },
	"text-begins": {
		usage: "TEXT",
		expects: true,
		run: (world, { args }) => equals("begin of the text", args.text, answeredText(world).slice(0, args.text.length)),
	},
	"text-contains": {
		usage: "TEXT",
		expects: true,
		run: (world, { args }) => {
			if (!answeredText(world).includes(args.text)) throw new Mismatch("part of the text", args.text, answeredText(world));
		},
	},
	shows: {
		usage: "FILE [RANGE]",
		expects: true,
		run: (world, step) => {
			const [first, last] = (step.args.range ?? "").split("-").map(Number);
			const text = step.args.range ? slice(world.read(step.args.file), first, last) : world.read(step.args.file).toString();
			equals("text", expectedText(step, text), answeredText(world));
		},
	},
	notice: { usage: "TEXT", modifies: ["text", "shows"] },
	applies: {
		usage: "VERSION FILE",
		expects: true,
		run: (world, { args }) =>
			equals("the diff applied", world.read(args.file).toString(), patched(world.content(args.version), answeredText(world)).toString()),
	},
	plain: {
		usage: "REASON",
		expects: true,
		run: (world, { args }) => {
			equals("mode and reason", ["plain", args.reason], [world.answer.decision?.mode, world.answer.decision?.reason]);
			equals("metadata", undefined, world.answer.result.details?.readcache);
		},
	},
	meta: { usage: "JSON", expects: true, run: (world, { args }) => includes("readcache", world.fill(args.json), world.answer.result?.details?.readcache) },
	decision: { usage: "JSON", expects: true, run: (world, { args }) => includes("decision", world.fill(args.json), world.answer.decision) },
	details: {
		usage: "TEXT",
		expects: true,
		run: (world, { args }) => {
			const details = world.answer.result?.details;
			equals("fields of details", args.text === "none" ? undefined : args.text.split(" "), details && Object.keys(details).sort());
		},
	},
	truncation: {
		usage: "JSON",
		expects: true,
		run: (world, { args }) => equals("details.truncation", world.fill(args.json), world.answer.result?.details?.truncation),
	},
	error: { usage: "TEXT", expects: true, run: (world, { args }) => equals("error message", world.fill(args.text), world.answer.error?.message ?? world.answer) },
	"error-begins": {
		usage: "TEXT",
		expects: true,
		run: (world, { args }) => equals("begin of the error message", args.text, world.answer.error?.message.slice(0, args.text.length) ?? world.answer),
	},
	"error-code": { usage: "CODE", expects: true, run: (world, { args }) => equals("error code", args.code, world.answer.error?.code ?? world.answer) },
	delegate: {
		usage: "REASON [JSON]",
		expects: true,
		run: (world, { args }) => {
			equals("delegate", args.reason, world.answer.delegate?.reason ?? world.answer);
			equals("what the host is to read", args.json, world.answer.delegate.params);
		},
	},

	// expectations about the disk
	objects: {
		usage: "COUNT",
		run: (world, { args }) => {
			equals("objects in the store", args.count, checkObjects(world));
			equals("files in tmp/", [], world.stored("tmp"));
		},
	},
	sound: { usage: "", run: (world) => void checkObjects(world) },
	object: {
		usage: "VERSION",
		run: (world, { args }) => {
			if (!existsSync(world.object(args.version))) throw new Mismatch("objects", `one of ${args.version}`, world.stored("objects"));
			equals("hash of the object", sha256(world.content(args.version)), sha256(readFileSync(world.object(args.version))));
		},
	},
	"no-object": { usage: "VERSION", run: (world, { args }) => equals("is there an object?", false, existsSync(world.object(args.version))) },
	absent: { usage: "FILE", run: (world, { args }) => equals("is it there?", false, lstatSync(world.path(args.file), { throwIfNoEntry: false }) !== undefined) },
	permissions: {
		usage: "FILE MODE",
		run: (world, { args }) => equals("permissions", args.mode, (statSync(world.path(world.fill(args.file))).mode & 0o7777).toString(8).padStart(4, "0")),
	},
};
