// Recorded answers of the host's own read, against the executable. Needs no
// host: Node 18 and the built executable are enough.
//
// A line of golden.jsonl: {n, file: [[text, repeat], ..] or hex, args,
// textSha, textLen, tail, trunc (details.truncation without content) | error}
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Engine } from "../lib/engine.mjs";

const vectors = readFileSync(new URL("golden.jsonl", import.meta.url), "utf8")
	.split("\n")
	.filter(Boolean)
	.map((line) => JSON.parse(line));
if (vectors.length < 400) throw new Error(`golden.jsonl has only ${vectors.length} vectors`);

function contents({ hex, file }) {
	if (hex !== undefined) return Buffer.from(hex, "hex");
	return Buffer.from(file.map(([text, times]) => text.repeat(times)).join(""));
}

function strictUtf8(bytes) {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

/** The reason for which the contract sends this read to the host, or null. */
function delegated(vector, bytes) {
	const { offset = 1, limit = 1 } = vector.args;
	if (![offset, limit].every((value) => Number.isSafeInteger(value) && value >= 1)) return "arguments";
	return strictUtf8(bytes) ? null : "not_utf8";
}

function wrongText(vector, text) {
	const sha = createHash("sha256").update(text).digest("hex");
	if (sha === vector.textSha && Buffer.byteLength(text) === vector.textLen && text.endsWith(vector.tail)) return null;
	return `text of ${vector.textLen} bytes ending ${JSON.stringify(vector.tail)} expected`;
}

function wrongTruncation(vector, text, truncation) {
	if (vector.trunc === null) return truncation === undefined ? null : "no truncation expected";
	if (truncation === undefined) return "truncation expected";
	const { content, ...rest } = truncation;
	if (!isDeepStrictEqual(rest, vector.trunc)) return `truncation ${JSON.stringify(vector.trunc)} expected`;
	// The file of golden vectors leaves the content out, as it follows from the
	// text: what stands before the notice, or nothing when no line fitted.
	if (typeof content !== "string" || !text.startsWith(content)) return "truncation.content is not the text's beginning";
	if (Buffer.byteLength(content) !== rest.outputBytes) return "truncation.content does not have outputBytes";
	return null;
}

/** What is wrong with the response, or null. */
function judge(vector, bytes, dir, response) {
	const reason = delegated(vector, bytes);
	if (reason !== null) return response.delegate?.reason === reason ? null : `delegate ${reason} expected`;
	if (response.delegate !== undefined) return "not to be delegated";
	if (vector.error !== undefined) {
		const message = vector.error.replaceAll("<DIR>", dir);
		return response.ok === false && response.error.message === message ? null : `error "${message}" expected`;
	}
	if (response.ok !== true || response.result?.content?.length !== 1) return "one block of text expected";
	const { text } = response.result.content[0];
	return wrongText(vector, text) ?? wrongTruncation(vector, text, response.result.details?.truncation);
}

async function main() {
	const dir = realpathSync(mkdtempSync(join(tmpdir(), "readcache-golden-")));
	const engine = new Engine();
	let passed = 0;
	let failed = 0;
	try {
		for (const vector of vectors) {
			const bytes = contents(vector);
			writeFileSync(join(dir, "f"), bytes);
			const request = { v: 1, op: "read", cwd: dir, params: { path: "f", ...vector.args }, store: join(dir, "store") };
			const response = await engine.request(request);
			const wrong = judge(vector, bytes, dir, response);
			if (wrong === null) {
				passed++;
				continue;
			}
			failed++;
			const file = JSON.stringify(vector.hex ?? vector.file).slice(0, 200);
			const got = JSON.stringify(response);
			console.log(`not ok: vector ${vector.n}, file ${file}, arguments ${JSON.stringify(vector.args)}`);
			console.log(`  ${wrong}\n  got ${got.length > 400 ? `${got.slice(0, 200)} .. ${got.slice(-200)}` : got}`);
		}
		await engine.close();
	} finally {
		engine.child.kill();
		rmSync(dir, { recursive: true, force: true });
	}
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed > 0 ? 1 : 0;
}

await main();
