// What may come out, whatever went wrong: the plain read, a delegation, a
// clear error of the read itself, or the compact answer that was right anyway.
import assert from "node:assert/strict";
import { cut, metaOf, sha256, textOf } from "../hostile/harness.mjs";

const DELEGATIONS = ["image", "not_utf8", "arguments", "special_file", "unreadable", "path", "too_large", "out_of_memory"];

/** Errors of the host's own read that a disturbed system call may cause. */
const READ_ERRORS = { EACCES: "permission denied" };

/** ANSWERS of one process, a line each, to the requests of PLAY; RUN is how it ended, FAULT what was done to it. */
export function judgeAnswers(play, run, fault) {
	const lines = run.stdout.split("\n");
	const rest = lines.pop();
	assert.ok(lines.length <= play.questions.length, `${lines.length} answers to ${play.questions.length} requests`);
	const responses = lines.map((line) => JSON.parse(line));
	responses.forEach((response, index) => judgeResponse(response, play.questions[index], fault));
	assert.equal(run.stderr, "", "nothing on stderr");
	if (fault?.kill) return responses;
	assert.equal(run.signal, undefined, "ended by a signal");
	judgeStatus({ play, run, fault, responses, whole: rest === "" && lines.length === play.questions.length });
	return responses;
}

/** The fault was met by CALL on the descriptor FD. */
function failedAt(fault, call, fd) {
	return fault?.hit.call === call && (fault.hit.fd === fd || fault.onwards);
}

/** 0 says that everything was answered; only a stream that failed may have another status than the answer. */
function judgeStatus({ play, run, fault, responses, whole }) {
	const streamFailed = failedAt(fault, "write", 1) || failedAt(fault, "read", 0);
	if (!whole || (streamFailed && run.exit !== 0)) return assert.ok([1, 2].includes(run.exit), `status ${run.exit} without all answers`);
	const expected = play.args[0] === "serve" ? 0 : statusFor(responses[0]);
	assert.equal(run.exit, expected, `exit status for ${cut(run.stdout)}`);
}

function statusFor(response) {
	if (response.ok) return 0;
	return ["bad_request", "too_large"].includes(response.error.code) ? 2 : 1;
}

function judgeResponse(response, question, fault) {
	assert.equal(response.v, 1);
	if (response.error) return judgeError(response.error, question, fault);
	if (response.id !== undefined) assert.equal(response.id, question.request.id, "the answer to another request");
	if (response.delegate) return judgeDelegate(response.delegate, question);
	return question.judge(response);
}

/** Memory is gone, or the read itself was refused, in the host's words. */
function judgeError({ code, message }, { request, target, delegated, follows }, fault) {
	if (code === "out_of_memory" && fault) return assert.match(message, /^Out of memory: /);
	if (code === "unknown_leaf" && fault && follows) return assert.match(message, /send the whole branch/);
	if (code === "unreadable" && fault && request.op === "refresh") return assert.match(message, /real path cannot be told/);
	// Whether the name with its suffix is there could not be told; then it is taken for a name.
	const untold = fault?.hit.call === "access" && (fault.onwards || fault.hit.path.endsWith(request.params.path));
	// And where the file before the suffix is closed to us the host's word is about the whole name (tests/parity).
	const closed = fault?.hit.call === "access" && fault.error === "EACCES";
	if (code === "ENOENT" && delegated && (untold || closed)) return;
	assert.ok(target && READ_ERRORS[code] && fault?.error === code, `error ${code}: ${message} for ${JSON.stringify(request.params)}`);
	assert.equal(message, `${code}: ${READ_ERRORS[code]}, access '${target}'`);
}

/** The host can read only what it knows: a range suffix comes as its parameters. */
function judgeDelegate({ reason, params }, { request, delegated }) {
	assert.equal(request.op, "read", "only a read can be delegated");
	assert.ok(DELEGATIONS.includes(reason), `delegated: ${reason}`);
	assert.deepEqual(params, delegated);
}

/**
 * A judge of reads. PLAIN is the host's text, COMPACT the one other text that
 * is right; FILE its real path, CONTENT its bytes.
 */
export function readOf({ plain, compact, file, content }) {
	return (response) => {
		const text = textOf(response);
		assert.ok(text === plain || (compact !== undefined && text === compact), `a wrong text: ${cut(JSON.stringify(response))}`);
		const meta = metaOf(response);
		if (!meta) return assert.equal(text, plain, "a compact answer without metadata");
		assert.equal(meta.pathKey, file);
		assert.equal(meta.servedHash, sha256(content));
		assert.equal(meta.textHash, sha256(text).slice(0, 32));
		assert.equal(meta.textBytes, Buffer.byteLength(text));
		assert.equal(["full", "baseline_fallback"].includes(meta.mode), text === plain, `mode ${meta.mode}`);
	};
}
