// What an answer must be: the host's own read says it.
import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { installed, sdk } from "../host/paths.mjs";

const tooLarge = 256 * 1024 * 1024;

/** The read of one pi version, for any working directory. */
class Host {
	#tools = new Map();
	#probes = new Map();

	constructor(version, createReadTool) {
		this.version = version;
		this.createReadTool = createReadTool;
	}

	#tool(cwd) {
		if (!this.#tools.has(cwd)) this.#tools.set(cwd, this.createReadTool(cwd));
		return this.#tools.get(cwd);
	}

	/** Where the host would look: {path}, or {error} when it does not get that far. */
	async resolve(cwd, path) {
		// The tool tells it to its file operations; the first of them stops there.
		class Found extends Error {}
		if (!this.#probes.has(cwd)) {
			const access = async (found) => {
				throw Object.assign(new Found(), { found });
			};
			this.#probes.set(cwd, this.createReadTool(cwd, { operations: { access, readFile: access } }));
		}
		try {
			await this.#probes.get(cwd).execute("probe", { path });
		} catch (error) {
			return "found" in error ? { path: error.found } : { error };
		}
		throw new Error("the host read without asking for access");
	}

	/** {text, truncation} | {image: true} | {message, code} */
	async read(cwd, params) {
		try {
			const { content, details } = await this.#tool(cwd).execute("read", params);
			if (content.length > 1 || content[0].text.startsWith("Read image file [")) return { image: true };
			return { text: content[0].text, truncation: details?.truncation };
		} catch (error) {
			return { message: error.message, code: error.code };
		}
	}
}

export async function loadHosts() {
	const hosts = [];
	for (const version of installed()) hosts.push(new Host(version, (await import(sdk(version))).createReadTool));
	if (hosts.length === 0) throw new Error("no pi is installed: run tests/host/setup");
	return hosts;
}

function exists(path) {
	try {
		accessSync(path, constants.F_OK);
		return true;
	} catch {
		return false;
	}
}

function status(path) {
	try {
		return statSync(path);
	} catch {
		return null;
	}
}

export function strictUtf8(bytes) {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

const wellFormed = (text) => text.isWellFormed() && !text.includes("\0");

/**
 * Is PATH a file URL of the plain form? Such a one must be understood: empty
 * host or localhost, unreserved characters and escapes of valid UTF-8, no dot
 * segments, no drive letter.
 */
export function plainUrl(path) {
	const found = /^file:\/\/(?:localhost)?((?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+)$/.exec(path);
	if (!found) return false;
	if (/^\/[A-Za-z][:|](\/|$)/.test(found[1])) return false;
	if (found[1].split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part))) return false;
	if (/%(2f|00|5c|0[0-9a-f]|1[0-9a-f]|7f)/i.test(found[1])) return false;
	try {
		return decodeURIComponent(found[1]).isWellFormed();
	} catch {
		return false;
	}
}

/** Is PATH a file URL the contract allows to be left to the host? */
function oddUrl(path) {
	const normal = path.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ").replace(/^@/, "");
	return normal.startsWith("file://") && !plainUrl(normal);
}

const given = (value) => value !== undefined && value !== null;
const positive = (value) => !given(value) || (Number.isSafeInteger(value) && value >= 1);

/** null means absent, as pi makes it before it calls the tool. */
function hostParams({ path, offset, limit }) {
	return { path, ...(given(offset) && { offset }), ...(given(limit) && { limit }) };
}

/**
 * Which read is meant when PATH may end in a range, which the host does not
 * know. Gives a list of the acceptable readings: parameters for the host, or
 * {invalid: true}.
 */
async function readings(host, cwd, params) {
	const list = await suffixReadings(host, cwd, params);
	// Such a URL goes to the host, with its suffix or without.
	const before = params.path.slice(0, Math.max(0, params.path.lastIndexOf(":")));
	if ((oddUrl(params.path) || oddUrl(before)) && !list.includes(params)) list.push(params);
	return list;
}

async function suffixReadings(host, cwd, params) {
	const colon = params.path.lastIndexOf(":");
	if (colon < 0 || given(params.offset) || given(params.limit) || !wellFormed(params.path)) return [params];
	const raw = await host.resolve(cwd, params.path);
	if (raw.error || exists(raw.path)) return [params];
	const before = params.path.slice(0, colon);
	const file = await host.resolve(cwd, before);
	if (file.error || !exists(file.path) || status(file.path)?.isDirectory()) return [params];
	const suffix = params.path.slice(colon + 1);
	const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(suffix) ?? [];
	const from = Number(first);
	const to = Number(last ?? first);
	const range = { suffixed: true, path: before, offset: from, ...(last !== undefined && { limit: to - from + 1 }) };
	const right = first !== undefined && from >= 1 && to >= from;
	// The contract is silent about these: 007, more than 2^53, a colon in the
	// middle of the path.
	if (right && (/^0|-0/.test(suffix) || !Number.isSafeInteger(to))) return [range, { invalid: true }];
	if (right) return [range];
	if (suffix.includes("/")) return [{ invalid: true }, params];
	return [{ invalid: true }];
}

/** Everything about one acceptable reading: the hosts' answers and what may be delegated. */
export async function expectation(hosts, cwd, params) {
	if (params.invalid) return { invalid: true, classes: new Set() };
	const classes = new Set();
	if (!positive(params.offset) || !positive(params.limit)) classes.add("arguments");
	if (!wellFormed(params.path) || oddUrl(params.path)) classes.add("path");
	const { path } = await hosts[0].resolve(cwd, params.path);
	const stat = path !== undefined && !path.includes("\0") ? status(path) : null;
	const expected = { params, path, classes, answers: [] };
	if (stat && !stat.isFile() && !stat.isDirectory()) classes.add("special_file");
	if (stat?.isFile() && stat.size > tooLarge) classes.add("too_large");
	// A pipe would hold the host for ever, and nobody wants to wait for the rest.
	if (classes.has("too_large") || (classes.has("special_file") && path !== "/dev/null")) return expected;
	for (const host of hosts) expected.answers.push(await host.read(cwd, hostParams(params)));
	if (stat?.isFile()) expected.bytes = read(path);
	if (expected.bytes) for (const name of byContents(expected.bytes, stat)) classes.add(name);
	const [answer] = expected.answers;
	if (answer.image) {
		// a text file may begin with these words
		if (expected.bytes?.toString("latin1").startsWith("Read image file [")) throw new Error("ambiguous contents");
		classes.add("image");
	}
	if (/, (open|read)\b/.test(answer.message ?? "") && !answer.message.startsWith("EISDIR")) classes.add("unreadable");
	return expected;
}

function byContents(bytes, stat) {
	const classes = [];
	if (!strictUtf8(bytes)) {
		classes.push("not_utf8");
		// These cannot be text: whether the image is a good one is the host's
		// affair, and so is the word for it.
		if (/^(89504e47|ffd8ff)/.test(bytes.toString("hex", 0, 8))) classes.push("image");
	}
	// procfs: a regular file of no size, with other bytes for every process
	if (stat.size === 0 && bytes.length > 0) classes.push("special_file");
	return classes;
}

function read(path) {
	try {
		return readFileSync(path);
	} catch {
		return undefined;
	}
}

/** The list of acceptable expectations for a request. */
export async function expectations(hosts, { cwd, params }) {
	const list = [];
	for (const reading of await readings(hosts[0], cwd, params)) list.push(await expectation(hosts, cwd, reading));
	return list;
}

const short = (text, length = 160) => (text.length <= 2 * length ? text : `${text.slice(0, length)} .. ${text.slice(-length)}`);

/** An answer in one line. */
export function shown(answer) {
	return short(JSON.stringify(answer) ?? "nothing", 400);
}

function sameError(error, answer) {
	if (answer.message === undefined) return `error ${shown(error)} where the host gives text`;
	if (error.message !== answer.message) return `message ${short(JSON.stringify(error.message))} is not ${short(JSON.stringify(answer.message))}`;
	const code = answer.message.startsWith("Offset ") ? "offset_beyond_end" : answer.code;
	if (code !== undefined && error.code !== code) return `code ${error.code} is not ${code}`;
	return null;
}

function sameText(result, answer) {
	if (answer.text === undefined) return `a result where the host gives ${shown(answer)}`;
	const [block, ...more] = result.content ?? [];
	if (more.length > 0 || block?.type !== "text") return "not one block of text";
	if (block.text !== answer.text) return difference(block.text, answer.text);
	if (!isDeepStrictEqual(result.details?.truncation, answer.truncation)) return "details.truncation differs";
	if (result.details && Object.keys(result.details).length === 0) return "details without a member";
	return null;
}

function difference(ours, theirs) {
	let at = 0;
	while (at < ours.length && ours[at] === theirs[at]) at++;
	const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 60));
	return `text differs at character ${at} (${ours.length} and ${theirs.length} characters): ${near(ours)} is not ${near(theirs)}`;
}

/** The numbers an answer tells about itself must fit it, too. */
function sameNumbers({ result, decision }, { bytes, path }) {
	const { text } = result.content[0];
	const length = Buffer.byteLength(text);
	if (decision?.baselineBytes !== length || decision?.servedBytes !== length) return `decision ${shown(decision)} for a text of ${length} bytes`;
	const metadata = result.details?.readcache;
	if ((metadata === undefined) !== (decision.mode === "plain")) return `mode ${decision.mode}, metadata ${shown(metadata)}`;
	if (metadata === undefined) return null;
	const sha256 = (data) => createHash("sha256").update(data).digest("hex");
	if (decision.mode !== "full" || metadata.mode !== "full") return `mode ${decision.mode} without a session`;
	if (bytes && metadata.servedHash !== sha256(bytes)) return "servedHash is not the file's";
	if (metadata.textHash !== sha256(text).slice(0, 32) || metadata.textBytes !== length || metadata.bytes !== length) return `textHash, textBytes or bytes are not the text's: ${shown(metadata)}`;
	if (metadata.pathKey !== realpathSync(path)) return `pathKey ${metadata.pathKey} is not ${realpathSync(path)}`;
	return null;
}

/** The host does not know about ranges in paths, so it is told what to read. */
function wrongParams(delegate, { suffixed, ...params } = {}) {
	if (!suffixed) return delegate.params === undefined ? null : `delegate.params ${shown(delegate.params)} without a range in the path`;
	return isDeepStrictEqual(delegate.params, params) ? null : `delegate.params ${shown(delegate.params)} is not ${shown(params)}`;
}

/** What is wrong with RESPONSE under one expectation, or null. */
function wrong(response, expected) {
	if (response.delegate !== undefined) {
		if (response.ok !== true || response.result !== undefined) return "delegate beside something else";
		if (expected.classes.has(response.delegate.reason)) return wrongParams(response.delegate, expected.params);
		return `delegated (${response.delegate.reason}) where ${[...expected.classes].join(", ") || "nothing"} may be`;
	}
	if (expected.invalid) {
		const { code, message } = response.error ?? {};
		return code === "invalid_range" && message.startsWith("Invalid range") ? null : "Invalid range expected";
	}
	if (expected.answers.length === 0) return `must be delegated: ${[...expected.classes].join(", ")}`;
	for (const answer of expected.answers) {
		const reason = response.ok ? sameText(response.result ?? {}, answer) : sameError(response.error ?? {}, answer);
		if (reason !== null) return reason;
	}
	return response.ok ? sameNumbers(response, expected) : null;
}

/** What is wrong with RESPONSE, or null when one of the expectations is met. */
export function judge(response, expected) {
	for (const one of expected) {
		const [first, ...others] = one.answers ?? [];
		if (others.some((other) => !isDeepStrictEqual(other, first))) return "the hosts themselves differ";
	}
	const reasons = expected.map((one) => wrong(response, one));
	return reasons.includes(null) ? null : reasons.join("; or ");
}

/** A word for the statistics. */
export function outcome(response) {
	if (response.delegate) return `delegated: ${response.delegate.reason}`;
	return response.ok ? "text" : `error: ${response.error.code}`;
}
