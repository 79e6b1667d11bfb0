// The words of every compact answer (SPEC.md section 9) are known to the extension, wherever others have put them, and what
// is none is not; and what the user sees under the row of a read. Run by node 22 with --experimental-transform-types.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { extension } from "./lib/sandbox.mjs";
import { again, edits, editsIn, inParts, lines, moved, unchanged, unchangedIn, unchangedInside, wrote, wroteIn } from "./lib/texts.mjs";

const ours = (name) => import(pathToFileURL(join(extension, name)).href);
const { hasClaim, isOnlyClaim } = await ours("request.ts");
const { rowText } = await ours("figures.ts");
const { metadataOf } = await ours("protocol.ts");

const notice = "\n\n[Showing lines 1-2000 of 2601. Use offset=2001 to continue.]";
const diff = "[readcache: 2 lines changed of 41]\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n";
const parts = inParts(1, 41, 41, "@@ -1,20 +1,20 @@ unchanged", "@@ +21,1 @@ as you wrote it", "@@ +22,2 @@ text\n+a\n+[b]");
const one = inParts(5, 24, 61, "@@ -3,20 +5,20 @@ unchanged");

/** [an answer, its mode, what the row says] */
const ANSWERS = [
	[unchanged(41), "unchanged", "unchanged"],
	[unchangedIn(5, 24, 41), "unchanged_range", "unchanged range"],
	[unchangedInside(5, 24), "unchanged_range", "unchanged range"],
	[diff, "diff", "diff of 2 lines"],
	[wrote(61), "diff", "unchanged since you wrote it"],
	[wroteIn(5, 24, 61), "unchanged_range", "unchanged range since you wrote it"],
	[edits(61, "lines 12-15", "line 40", "removed before line 60"), "diff", "unchanged since your edit"],
	[editsIn(5, 24, 61, "removed at the end"), "unchanged_range", "unchanged range since your edit"],
	[moved(5, 24, 61, 3), "unchanged_range", "unchanged range, moved"],
	[parts, "diff", "3 parts"],
	[one, "unchanged_range", "1 part"],
];

let [passed, failed] = [0, 0];
function check(name, right) {
	if (right) passed += 1;
	else {
		failed += 1;
		console.log(`not ok ${name}`);
	}
}

const meta = { v: 1, pathKey: "/a.txt", bytes: 4400, textBytes: 400 };
for (const [answer, mode, row] of ANSWERS) {
	const name = JSON.stringify(answer.slice(0, 60));
	const isRange = mode === "unchanged_range";
	const forms = [answer, ...(mode === "diff" && answer === diff ? [] : [again(answer)]), ...(isRange ? [answer + notice, again(answer) + notice] : [])];
	for (const form of forms) {
		check(`${name} is a claim`, hasClaim(form));
		check(`${name} is nothing but that`, isOnlyClaim(form));
		check(`${name} is one with a note`, hasClaim(`noted: ${form}\n[43% used]`));
		const pieced = row.includes("since") || row.includes("part") || row.includes("moved");
		const readcache = { ...meta, mode, ...(pieced ? { pieces: 1, rests: [] } : {}) };
		check(`${name} has its row`, rowText({ readcache }, form) === `[readcache: ${row} · ~1.0k tokens saved (bytes/4)]`);
	}
}
for (const text of [lines(5), "lines 5-24 of 61 are as you wrote them", "[readcache: the text of this file is no longer in context; read the file again to see it]", "[readcache: lines 5-24 of this file are no longer in context; read the file again to see them]"])
	check(`${JSON.stringify(text)} is no claim`, !hasClaim(text) && !isOnlyClaim(text));
for (const text of [`The answer is\n${wrote(61)}`, `${parts.slice(0, 60)}]`, `${edits(61, "line 9")}\nand more`])
	check(`${JSON.stringify(text)} is not only a claim`, !isOnlyClaim(text));

const odd = [{ pieces: 0 }, { pieces: 1.5 }, { pieces: "1" }, { calls: "w1" }, { calls: [1] }, { callHashes: [null] }, { rests: [1] }];
for (const fields of odd) check(`${JSON.stringify(fields)} is no metadata`, metadataOf({ readcache: { ...meta, mode: "diff", ...fields } }) === undefined);
const right = { ...meta, mode: "diff", pieces: 3, rests: [], calls: ["w1"], callHashes: ["00"] };
check("metadata of an answer in pieces", metadataOf({ readcache: right }) === right);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
