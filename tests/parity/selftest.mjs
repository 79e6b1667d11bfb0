// Can the comparer say no? A right answer passes; each way to spoil it must not.
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge, plainUrl } from "./oracle.mjs";

const dir = realpathSync(mkdtempSync(join(tmpdir(), "readcache-comparer-")));
const path = join(dir, "f");
const bytes = Buffer.from("one\ntwo\n");
writeFileSync(path, bytes);

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const truncation = { content: "one", truncated: true, truncatedBy: "lines", totalLines: 2, totalBytes: 8, outputLines: 1, outputBytes: 3, lastLinePartial: false, firstLineExceedsLimit: false, maxLines: 2000, maxBytes: 51200 };
const text = "one\n\n[Showing lines 1-1 of 3. Use offset=2 to continue.]";

function right() {
	const length = Buffer.byteLength(text);
	const readcache = { v: 1, pathKey: path, mode: "full", servedHash: sha256(bytes), textHash: sha256(text).slice(0, 32), textBytes: length, bytes: length };
	return { v: 1, ok: true, result: { content: [{ type: "text", text }], details: { truncation: { ...truncation }, readcache } }, decision: { mode: "full", reason: "no_session", baselineBytes: length, servedBytes: length } };
}
const hosts = (...answers) => [{ path, bytes, classes: new Set(), answers }];
const served = hosts({ text, truncation }, { text, truncation });
const refused = hosts({ message: "ENOENT: x", code: "ENOENT" });
const may = (...classes) => [{ path, bytes, classes: new Set(classes), answers: [{ text, truncation }] }];
const must = [{ path, classes: new Set(["special_file"]), answers: [] }];
const invalid = [{ invalid: true, classes: new Set() }];
const error = (code, message) => ({ v: 1, ok: false, error: { code, message } });
const delegate = (reason) => ({ v: 1, ok: true, delegate: { reason } });
const spoiled = (change) => {
	const response = right();
	change(response);
	return response;
};

const good = [
	[right(), served],
	[error("ENOENT", "ENOENT: x"), refused],
	[error("offset_beyond_end", "Offset 9 is beyond"), hosts({ message: "Offset 9 is beyond" })],
	[delegate("image"), may("image")],
	[right(), may("image")],
	[delegate("special_file"), must],
	[error("invalid_range", "Invalid range x"), invalid],
	[error("ENOENT", "ENOENT: x"), [...invalid, ...refused]],
];
const bad = [
	...[
		(r) => (r.result.content[0].text += " "),
		(r) => (r.result.content[0].text = text.replace("3", "4")),
		(r) => r.result.content.push({ type: "text", text: "" }),
		(r) => (r.result.content = []),
		(r) => delete r.result,
		(r) => delete r.result.details,
		(r) => delete r.result.details.truncation,
		(r) => (r.result.details.truncation.outputLines = 2),
		(r) => (r.result.details.truncation.content = "on"),
		(r) => (r.result.details.truncation.truncatedBy = "bytes"),
		(r) => (r.result.details.truncation.extra = 1),
		(r) => delete r.result.details.truncation.maxBytes,
		(r) => (r.result.details.readcache.servedHash = sha256("other")),
		(r) => (r.result.details.readcache.textBytes = 1),
		(r) => (r.result.details.readcache.pathKey = dir),
		(r) => (r.decision.servedBytes = 1),
		(r) => (r.decision.mode = "unchanged"),
		(r) => (r.delegate = { reason: "image" }),
		(r) => (r.ok = false),
	].map((change) => [spoiled(change), served]),
	[right(), hosts({ text: `${text}\n`, truncation })],
	[right(), hosts({ text })],
	[right(), hosts({ text, truncation }, { text: "other" })],
	[right(), refused],
	[right(), must],
	[right(), invalid],
	[right(), hosts({ image: true })],
	[error("ENOENT", "ENOENT: y"), refused],
	[error("EACCES", "ENOENT: x"), refused],
	[error("ENOENT", "ENOENT: x"), served],
	[error("offset_beyond_end", "Offset 9 is beyond"), hosts({ message: "Offset 8 is beyond" })],
	[error("bad_request", "Invalid range"), invalid],
	[error("invalid_range", "An invalid range"), invalid],
	[delegate("image"), served],
	[delegate("image"), may("not_utf8", "arguments")],
	[delegate("path"), invalid],
	[{}, served],
];

let passed = 0;
let failed = 0;
function check(ok, what) {
	if (ok) passed++;
	else {
		failed++;
		console.log(`not ok: ${what}`);
	}
}
for (const [response, expected] of good) check(judge(response, expected) === null, `refused (${judge(response, expected)}): ${JSON.stringify(response)}`);
for (const [response, expected] of bad) check(judge(response, expected) !== null, `accepted: ${JSON.stringify(response)}`);
if ("".isWellFormed) {
	for (const url of ["file:///a", "file://localhost/a/b%20c", "file:///%C3%A9", "file:///a:1-2"]) check(plainUrl(url), `not plain: ${url}`);
	for (const url of ["file://", "file://h/a", "file:///a?b", "file:///a#b", "file:///a/../b", "file:///a%2Fb", "file:///%zz", "file:///%ff", "file:///C:/a", "file:///a b", "file:///a\\b", "FILE:///a", "file:/a"]) check(!plainUrl(url), `plain: ${url}`);
}
rmSync(dir, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
