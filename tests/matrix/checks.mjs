// What holds for every answer, so that no case has to say it.
import { existsSync, realpathSync } from "node:fs";
import { applyPatch } from "./patch.mjs";
import { checkPieces } from "./pieces.mjs";
import { Mismatch, sha256, slice } from "./world.mjs";

const reasons = {
	full: ["first_read", "no_session", "no_branch", "refreshed", "moved", "bypass"],
	unchanged: ["same_file", "covered"],
	unchanged_range: ["same_file", "same_lines", "covered", "own_text", "pieces"],
	diff: ["changed", "own_text", "pieces"],
	baseline_fallback: ["base_missing", "lines_changed", "diff_not_useful", "diff_failed", "newer_view", "repeat", "failed_edit", "own_edit", "sibling", "marker_not_smaller"],
	plain: ["nested", "excluded", "settings_unread", "no_line_shown", "no_key"],
};
const derived = ["unchanged", "unchanged_range", "diff"];
const ofPieces = ["own_text", "pieces"];
const ofCoverage = ["covered", "repeat", "failed_edit", ...ofPieces]; // SPEC 16

function same(what, expected, actual) {
	if (JSON.stringify(expected) !== JSON.stringify(actual)) throw new Mismatch(what, expected, actual);
}

function within(what, allowed, actual) {
	if (!allowed.includes(actual)) throw new Mismatch(what, `one of ${allowed.join(", ")}`, actual);
}

function keys(what, allowed, value) {
	for (const key of Object.keys(value)) within(`field of ${what}`, allowed, key);
}

/** The unified diff behind the first line of an answer, applied to BASE. */
export function patched(base, text) {
	const diff = Buffer.from(text.slice(text.indexOf("\n") + 1)).toString("latin1");
	try {
		return Buffer.from(applyPatch(base.toString("latin1"), diff), "latin1");
	} catch (error) {
		throw new Mismatch("the diff applied to its base", "the file", error.message);
	}
}

/** What a compact answer rests on are texts of that file that were delivered before it. */
function checkRests(world, request, { mode, rests, pathKey, pieces }) {
	if (!derived.includes(mode)) return same("rests of a text", undefined, rests);
	const delivered = [...world.session.branch().flatMap(({ message }) => message?.details?.readcache ?? []), ...(request.overlay ?? [])]
		.filter((meta) => meta.pathKey === pathKey && (meta.pieces !== undefined || meta.mode?.startsWith("unchanged") === false));
	// An older session has texts that nothing names.
	if (rests === undefined && delivered.some(({ textHash }) => textHash === undefined)) return;
	// A text that was shown of other lines, too, cannot be told by its hash.
	const twice = (one) => delivered.some((other) => other.textHash === one.textHash && other.scopeKey !== one.scopeKey);
	if (rests === undefined && pieces === undefined && delivered.some(twice)) return;
	if (!Array.isArray(rests) || (rests.length === 0 && pieces === undefined)) throw new Mismatch("rests", "at least one text", rests);
	for (const hash of rests) within("a text that the answer rests on", delivered.map(({ textHash }) => textHash), hash);
}

function checkMeta(world, request, meta, decision, text) {
	keys(
		"details.readcache",
		["v", "pathKey", "name", "scopeKey", "servedHash", "baseHash", "mode", "totalLines", "rangeStart", "rangeEnd", "bytes", "textHash", "textBytes", "rests", "pieces", "calls"],
		meta,
	);
	const file = world.read(meta.pathKey);
	const asked = world.path(request.params.path);
	const total = file.toString("latin1").split("\n").length;
	same("version of the metadata", 1, meta.v);
	if (existsSync(asked)) same("pathKey", realpathSync(asked), meta.pathKey);
	if (meta.name !== undefined && (!meta.name.startsWith("/") || meta.name === meta.pathKey))
		throw new Mismatch("name", "an absolute path that is not pathKey, or nothing", meta.name);
	same("mode in metadata and decision", decision.mode, meta.mode);
	same("scope in metadata and decision", decision.scope, meta.scopeKey);
	same("servedHash, of the file as it is", sha256(file), meta.servedHash);
	same("totalLines", total, meta.totalLines);
	const whole = meta.rangeStart === 1 && meta.rangeEnd === total;
	same("scopeKey of rangeStart and rangeEnd", whole ? "full" : `r:${meta.rangeStart}:${meta.rangeEnd}`, meta.scopeKey);
	same("bytes in metadata and decision", decision.baselineBytes, meta.bytes);
	same("textBytes", Buffer.byteLength(text), meta.textBytes);
	same("textHash", sha256(text).slice(0, 32), meta.textHash);
	if (derived.includes(meta.mode) || meta.baseHash !== undefined) same("baseHash is a hash", true, /^[0-9a-f]{64}$/.test(meta.baseHash));

	checkRests(world, request, meta);
	same("is it a pieced answer?", ofPieces.includes(decision.reason), meta.pieces !== undefined);
	if (meta.pieces !== undefined) checkPieces(world, meta, decision, text);
	else same("calls of an answer that is not pieced", undefined, meta.calls);
	if (meta.mode === "diff" && meta.pieces === undefined) same("the diff applied to its base", file.toString(), patched(world.contents.get(meta.baseHash), text).toString());
	if (derived.includes(meta.mode)) {
		same("begin of a compact answer", "[readcache: ", text.slice(0, 12));
		const [marker] = text.split("\n", 1);
		if ((meta.mode !== "diff" || meta.pieces !== undefined) && (marker.includes(world.cwd) || /[0-9a-f]{32}/.test(marker))) throw new Mismatch("marker", "no path and no hash", text);
		return;
	}
	const lines = slice(file, meta.rangeStart, meta.rangeEnd);
	const rest = text.startsWith(lines) ? text.slice(lines.length) : undefined;
	if (meta.scopeKey === "full") same("text of the full scope", lines, text);
	else if (rest !== "" && !/^\n\n\[[^\n]*\]$/.test(rest ?? "")) throw new Mismatch(`text of ${meta.scopeKey}`, lines, text);
	if (meta.scopeKey === "full" || rest === "") same("bytes of the plain text", meta.textBytes, meta.bytes);
}

/** Section 2.2 and 4 for the answer to a read. */
export function checkRead(world, request, answer) {
	same("v", 1, answer.v);
	same("id", request.id, answer.id);
	if (!answer.ok) {
		keys("an error answer", ["v", "id", "ok", "error"], answer);
		same("fields of the error", ["code", "message"], Object.keys(answer.error));
		return;
	}
	if (answer.delegate) {
		keys("a delegating answer", ["v", "id", "ok", "delegate"], answer);
		keys("delegate", ["reason", "params"], answer.delegate);
		within("reason to delegate", ["image", "not_utf8", "arguments", "special_file", "unreadable", "path", "too_large", "out_of_memory", "other_text", "sibling"], answer.delegate.reason);
		return;
	}
	keys("an answer", ["v", "id", "ok", "result", "decision"], answer);
	const { result, decision } = answer;
	keys("result", ["content", "details"], result);
	same("number of content blocks", 1, result.content.length);
	const [block] = result.content;
	same("fields of the text block", ["text", "type"], Object.keys(block).sort());
	same("type of the text block", "text", block.type);
	same("type of the text", "string", typeof block.text);
	if (result.details !== undefined) {
		keys("details", ["truncation", "readcache"], result.details);
		if (Object.keys(result.details).length === 0) throw new Mismatch("details", "a member, or no details", result.details);
	}
	within("mode", Object.keys(reasons), decision.mode);
	// A plain read is outside of the scopes; it may say one.
	const fields = Object.keys(decision).filter((key) => decision.mode !== "plain" || key !== "scope");
	same("fields of the decision", ["baselineBytes", "mode", "reason", ...(decision.mode === "plain" ? [] : ["scope"]), "servedBytes"], fields.sort());
	within(`reason of ${decision.mode}`, reasons[decision.mode], decision.reason);
	if (request.policy === "strict") within("reason under strict", reasons[decision.mode].filter((one) => !ofCoverage.includes(one)), decision.reason);
	same("servedBytes", Buffer.byteLength(block.text), decision.servedBytes);
	const { readcache: meta, truncation } = result.details ?? {};
	if (derived.includes(decision.mode)) same("truncation of a compact answer", undefined, truncation);
	else same("bytes of the plain read", decision.servedBytes, decision.baselineBytes);
	if (decision.mode === "plain") same("metadata of a plain read", undefined, meta);
	else if (meta === undefined) throw new Mismatch("details.readcache", "metadata", result.details);
	else checkMeta(world, request, meta, decision, block.text);
}

/** Section 2.3. */
export function checkRefresh(world, request, answer) {
	keys("a refresh answer", ["v", "id", "ok", "entry", "text", "error"], answer);
	same("id", request.id, answer.id);
	if (!answer.ok) return;
	same("fields of the entry", ["customType", "data"], Object.keys(answer.entry).sort());
	same("customType", "pi-readcache", answer.entry.customType);
	const { at, ...data } = answer.entry.data;
	same("fields of the data", ["kind", "pathKey", "scopeKey", "v"], Object.keys(data).sort());
	same("version and kind", [1, "invalidate"], [data.v, data.kind]);
	same("pathKey", realpathSync(world.path(request.params.path.replace(/:\d+(-\d+)?$/, ""))), data.pathKey);
	if (!Number.isInteger(at) || Math.abs(Date.now() - at) > 60000) throw new Mismatch("at", `about ${Date.now()}`, at);
	if (typeof answer.text !== "string" || !/^[^\n]+$/.test(answer.text)) throw new Mismatch("text for the user", "one line", answer.text);
}

/** Section 2.4. */
export function checkStatus(request, answer) {
	keys("a status answer", ["v", "id", "ok", "status", "text"], answer);
	same("id", request.id, answer.id);
	same("ok", true, answer.ok);
	const { status } = answer;
	same(
		"fields of the status",
		["baselineBytes", "estimator", "modes", "paths", "savedBytes", "savedTokens", "scopes", "servedBytes", "session", "store"],
		Object.keys(status).sort(),
	);
	same("savedBytes", status.baselineBytes - status.servedBytes, status.savedBytes);
	same("estimator", "bytes/4", status.estimator);
	same("text for the user", "string", typeof answer.text);
}
