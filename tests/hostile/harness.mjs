// What every topic needs: named checks, throw-away directories, one way to ask
// the executable that always looks for the same signs of trouble, and the
// fail-open oracle (a text answer is the file, byte for byte).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { realpathSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Engine, binary } from "../lib/engine.mjs";
import { Session } from "../lib/session.mjs";
import { countLine, noteSkip, Skip, suiteName, twinCannot } from "../lib/skips.mjs";
import { PATIENCE } from "../lib/wait.mjs";

export const isRoot = process.getuid?.() === 0;

/** Root ignores permissions, so checks about them run as a user who does not. */
export const NOBODY = 65534;
export const STRANGER = 65533;

// --- checks ---------------------------------------------------------------

const tally = { passed: 0, failed: 0, skipped: 0 };
let verbose = false;
const suite = basename(dirname(process.argv[1])); // hostile, torture

export function setVerbose(on) {
	verbose = on;
}

/** Leave the current check: it cannot be made on this machine. */
export function skip(why) {
	throw new Skip(why);
}

export async function check(name, body) {
	const started = performance.now();
	try {
		const cannot = twinCannot(suite, name);
		if (cannot) skip(cannot);
		await body();
		tally.passed++;
		if (verbose) console.log(`ok    ${name} (${Math.round(performance.now() - started)} ms)`);
	} catch (error) {
		report(name, error);
	} finally {
		for (const engine of engines.splice(0)) engine.child.kill(); // one that a failed check left behind
	}
}

const engines = [];

/** A `serve` process that does not outlive the check. */
export function startEngine() {
	const engine = new Engine();
	engines.push(engine);
	return engine;
}

function report(name, error) {
	if (error instanceof Skip) {
		tally.skipped++;
		noteSkip(suiteName(suite), name, error.message);
		return;
	}
	tally.failed++;
	console.log(`FAIL  ${name}`);
	console.log(explain(error).replace(/^/gm, "      "));
}

function explain(error) {
	if (!(error instanceof assert.AssertionError)) return cut(error.stack ?? String(error));
	const parts = [`${error.message.split("\n")[0]}`];
	if (error.operator !== "fail" && "actual" in error)
		parts.push(`expected: ${show(error.expected)}`, `actual:   ${show(error.actual)}`);
	const at = error.stack.split("\n").filter((line) => line.includes("/hostile/") && !line.includes("harness.mjs"));
	if (at.length) parts.push(at[0].trim());
	return parts.join("\n");
}

function show(value) {
	if (value instanceof RegExp) return String(value);
	return cut(typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value)));
}

export function cut(text, length = 600) {
	return text.length <= length ? text : `${text.slice(0, length)}... (${text.length} characters)`;
}

/** The last line of the run, and its exit status. */
export function summary() {
	console.log(countLine(tally));
	return tally.failed ? 1 : 0;
}

// --- directories ----------------------------------------------------------

let sandboxDir;

/** One directory for the whole run; others may pass through it, for the checks with another user. */
function sandbox() {
	if (!sandboxDir) {
		sandboxDir = mkdtempSync(join(realpathSync(tmpdir()), "rc-hostile-"));
		chmodSync(sandboxDir, 0o755);
	}
	return sandboxDir;
}

export function removeSandbox() {
	if (!sandboxDir) return;
	spawnSync("chmod", ["-R", "u+rwX", sandboxDir]); // some checks close directories
	spawnSync("rm", ["-rf", sandboxDir]);
}

let places = 0;

/** A new empty directory. */
export function freshDir() {
	const dir = join(sandbox(), `d${++places}`);
	mkdirSync(dir, { mode: 0o755 });
	return dir;
}

/** A terabyte that takes no space, where the file system can do that. */
export function makeHuge(file) {
	try {
		truncateSync(file, 2 ** 40);
	} catch {
		skip("no sparse files here");
	}
}

let copy;

/** The executable where every user can start it. */
export function sharedBinary() {
	if (!copy) {
		copy = join(freshDir(), "readcache");
		copyFileSync(binary(), copy);
		chmodSync(copy, 0o755);
	}
	return copy;
}

// --- asking ---------------------------------------------------------------

/**
 * One request, one process, and what must hold for every answer, good or bad:
 * no signal, silent stderr, one line of valid UTF-8 and JSON, and an exit
 * status that agrees with it. INPUT is text, bytes, or a value.
 */
export function ask(input, options = {}) {
	const run = launch(input, [], options);
	const line = oneLine(run.stdout);
	const response = JSON.parse(line);
	assert.equal(response.v, 1, `no protocol version in ${cut(line)}`);
	assert.equal(run.status, statusFor(response), `exit status for ${cut(line)}`);
	oneKind(response);
	return { response, line, cpu: run.cpu };
}

/** Lines (text or bytes) for one `serve` process; gives its response lines, one for each. */
export function serveLines(lines, { lastNewline = true, ...options } = {}) {
	const chunks = lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")]);
	if (!lastNewline) chunks.pop();
	const run = launch(Buffer.concat(chunks), ["serve"], options);
	assert.equal(run.status, 0, "serve ends with 0 at end of input");
	const text = utf8(run.stdout);
	assert.ok(text === "" || text.endsWith("\n"), "the last response ends with a newline");
	const answers = text.split("\n").slice(0, -1);
	assert.equal(answers.length, lines.length, `number of responses: ${cut(text)}`);
	return answers;
}

function launch(input, args, { uid, umask, env, timeout = PATIENCE, measured = false } = {}) {
	const raw = typeof input === "string" || Buffer.isBuffer(input);
	const bin = uid === undefined ? binary() : sharedBinary();
	const [file, argv] = umask === undefined ? [bin, args] : umasked(bin, args, umask);
	const run = spawnSync(...(measured ? ["/bin/sh", ["-c", MEASURED, file, ...argv]] : [file, argv]), {
		input: raw ? input : JSON.stringify(input),
		env: { ...process.env, ...env },
		...(uid === undefined ? {} : { uid, gid: uid }),
		timeout: measured ? undefined : timeout,
		killSignal: "SIGKILL",
		maxBuffer: 1 << 30,
		stdio: ["pipe", "pipe", "pipe", "pipe"],
	});
	if (run.error?.code === "ETIMEDOUT" || (measured && run.status === 137)) assert.fail(`no answer within ${timeout} ms`);
	if (run.error && run.error.code !== "EPIPE") throw run.error;
	assert.equal(run.signal, null, `ended by a signal; stderr: ${cut(run.stderr.toString())}`);
	assert.equal(cut(run.stderr.toString(), 4000), "", "nothing on stderr");
	return { ...run, cpu: measured ? childSeconds(run.output[3].toString()) : undefined };
}

/** Starts "$0", but not forever, and tells on descriptor 3 what it took. */
const MEASURED = `timeout --foreground -s KILL ${PATIENCE / 1000} "$0" "$@" 3>&-; status=$?; times >&3; exit $status`;

/** The second line of the shell's `times`: user and system time of its children. */
function childSeconds(times) {
	const parts = [...times.split("\n")[1].matchAll(/(\d+)m([\d.]+)s/g)];
	assert.equal(parts.length, 2, `the shell tells the time as ${cut(times)}`);
	return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

function umasked(bin, args, umask) {
	return ["/bin/sh", ["-c", `umask ${umask}; exec "$0" "$@"`, bin, ...args]];
}

export function utf8(bytes) {
	return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function oneLine(bytes) {
	const text = utf8(bytes);
	assert.ok(text.endsWith("\n"), `a response ends with a newline: ${cut(JSON.stringify(text))}`);
	assert.equal(text.indexOf("\n"), text.length - 1, "a response is one line");
	return text.slice(0, -1);
}

function statusFor(response) {
	if (response.ok) return 0;
	return ["bad_request", "too_large"].includes(response.error.code) ? 2 : 1;
}

/** A response is of exactly one of the kinds of SPEC 2.2. */
function oneKind(response) {
	const kinds = ["result", "delegate", "error", "entry", "status"].filter((kind) => kind in response);
	assert.equal(kinds.length, 1, `one kind of answer: ${kinds}`);
	assert.equal(response.ok, kinds[0] !== "error");
}

/**
 * The answer comes at once: a blocked read never comes, and what comes took no
 * more than a second of work, however busy the machine is with other things.
 */
export function promptly(input, options = {}) {
	const answer = ask(input, { ...options, measured: true });
	assert.ok(answer.cpu < 1, `answered after ${answer.cpu} s of work`);
	return answer;
}

// --- oracle ---------------------------------------------------------------

export function sha256(content) {
	return createHash("sha256").update(content).digest("hex");
}

export const textOf = (response) => response.result?.content?.[0]?.text;
export const metaOf = (response) => response.result?.details?.readcache;

/** The plain read of a small file: the whole of it and nothing else. */
export function expectText(response, content) {
	assert.equal(textOf(response), content, `the file's text is expected, got ${cut(JSON.stringify(response))}`);
	assert.equal(response.result.content.length, 1);
	// A known text that is too small for a marker would hide that it is known.
	assert.notEqual(response.decision?.reason, "marker_not_smaller");
	const meta = metaOf(response);
	if (meta) truthful(meta, content);
	return response;
}

function truthful(meta, content) {
	assert.equal(meta.servedHash, sha256(content), "servedHash is the hash of the text");
	assert.equal(meta.scopeKey, "full");
	assert.ok(["full", "baseline_fallback"].includes(meta.mode), `mode ${meta.mode} carries no text`);
	assert.equal(meta.textBytes, Buffer.byteLength(content));
	assert.equal(meta.textHash, sha256(content).slice(0, 32));
}

export function expectUnchanged(response, content) {
	const lines = content.split("\n").length;
	const again = "; read again for the text"; // if it is the second one in a row
	assert.equal(textOf(response).replace(again, ""), `[readcache: unchanged, ${lines} lines]`);
	assert.equal(metaOf(response).mode, "unchanged");
	assert.equal(metaOf(response).servedHash, sha256(content));
	return response;
}

/** Where SPEC leaves the optimisation open: the text or the true marker, nothing else. */
export function expectTextOrUnchanged(response, content) {
	if (metaOf(response)?.mode === "unchanged") expectUnchanged(response, content);
	else expectText(response, content);
}

export function expectDiff(response, added) {
	assert.equal(metaOf(response)?.mode, "diff", `a diff is expected, got ${cut(JSON.stringify(response))}`);
	assert.match(textOf(response), /^\[readcache: \d+ lines changed of \d+\]\n/);
	assert.ok(textOf(response).includes(`\n+${added}\n`), `the diff shows ${added}`);
}

export function expectDelegate(response, reason) {
	assert.equal(response.ok, true, cut(JSON.stringify(response)));
	assert.ok(response.delegate, `a delegation is expected, got ${cut(JSON.stringify(response))}`);
	if (reason) assert.equal(response.delegate.reason, reason);
}

/** Refused as a request, with one sentence. */
export function expectRefused(response, names = /./) {
	assert.equal(response.ok, false, `a refusal is expected, got ${cut(JSON.stringify(response))}`);
	assert.equal(response.error.code, "bad_request");
	expectSentence(response.error.message);
	assert.match(response.error.message, names);
}

export function expectSentence(message) {
	assert.match(message, /^[^\x00-\x1f\x7f]+$/, "the message is one line");
	assert.match(message, /\S \S/, "the message has words");
	assert.doesNotMatch(message, /[.!?]\s+\S/, "the message is one sentence");
	assert.ok(message.length <= 300, `the message is short: ${message.length}`);
}

/** Every object has the hash it is named after. */
export function objectsAreIntact(store) {
	const names = readdirSync(join(store, "objects"));
	for (const name of names)
		assert.equal(name, `sha256-${sha256(readFileSync(join(store, "objects", name)))}.txt`, "an object is not what its name says");
	return names.length;
}

// --- chance ---------------------------------------------------------------

/** Numbers below N that look random and are the same in every run. */
export function dice(seed) {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const TOKENS = ['"', '""', "{", "}", "[", "]", ",", ":", "0", "1", "-", ".", "e", "+", "null", "true"];
const LETTERS = ["\\", "\\u", "u", "d8", " ", "\t", "\r", "\0", "\xff", "\x80", "\xc3\xa9", "\xed\xa0\x80"];
const CRUMBS = [...TOKENS, ...LETTERS].map((crumb) => Buffer.from(crumb, "latin1"));

/** BYTES with one to three small damages between FROM and TO; never a newline. */
export function damaged(bytes, roll, from = 0, to = bytes.length) {
	let out = bytes;
	for (let n = roll(3); n >= 0; n--) {
		const at = from + roll(Math.min(to, out.length) - from);
		const crumb = CRUMBS[roll(CRUMBS.length)];
		const kept = out.subarray(at + [0, 0, 1, crumb.length, 5][roll(5)]);
		out = Buffer.concat([out.subarray(0, at), roll(4) ? crumb : Buffer.alloc(0), kept]);
	}
	return out;
}

// --- scenes ---------------------------------------------------------------

/** LINES numbered lines: long enough that a diff of one line is worth it. */
export function manyLines(lines, changed = {}) {
	const text = (index) => changed[index] ?? `line ${index} of the file`;
	return Array.from({ length: lines }, (_, index) => text(index + 1) + "\n").join("");
}

/** A project directory, a session, and reads in them. */
export class Scene {
	#calls = 0;

	constructor() {
		this.dir = freshDir();
		this.cwd = join(this.dir, "project");
		mkdirSync(this.cwd);
		this.session = new Session();
		this.options = {};
	}

	path(...names) {
		return join(this.cwd, ...names);
	}

	get store() {
		return this.path(".pi", "readcache");
	}

	object(content) {
		return join(this.store, "objects", `sha256-${sha256(content)}.txt`);
	}

	write(name, content) {
		mkdirSync(dirname(this.path(name)), { recursive: true });
		writeFileSync(this.path(name), content);
		return content;
	}

	request(path, extra = {}) {
		// An empty branch: without a session nothing is kept.
		return { v: 1, op: "read", cwd: this.cwd, params: { path }, session: { leafId: null, entries: [] }, ...extra };
	}

	/** A read with the session as it is, or with another one. */
	read(path, session = this.session.inline(), extra = {}) {
		return ask(this.request(path, { session, ...extra }), this.options).response;
	}

	/** A read that is recorded in the session, as a host does it. */
	show(path) {
		const response = this.read(path);
		this.record(path, response.result);
		return response;
	}

	record(path, result, options) {
		const id = `call-${++this.#calls}`;
		this.session.call({ path }, id);
		return this.session.result(result, id, options);
	}
}

/** A project whose file was read once and is recorded: the next read is `unchanged`. */
export function knownFile(content = manyLines(8), name = "notes.txt") {
	const scene = new Scene();
	scene.write(name, content);
	expectText(scene.show(name), content);
	return Object.assign(scene, { name, content });
}
