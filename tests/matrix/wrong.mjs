// Wrong answers in pieces, made by hand: what pieces.mjs must not let pass. The executable has no part in it.
import { join } from "node:path";
import { checkPieces } from "./pieces.mjs";
import { Mismatch, sha256, World } from "./world.mjs";

const line = (number) => `${number} line`.padEnd(60, ".");
const numbered = (count) => Buffer.from(Array.from({ length: count }, (_, i) => `${line(i + 1)}\n`).join(""));
const short = (hash) => hash.slice(0, 32);

/** A read of all of a.txt as it is: the host has it in its session. */
function show(world, first = 1, last = undefined) {
	const bytes = world.read("a.txt");
	const all = bytes.toString().split("\n");
	const text = all.slice(first - 1, last).join("\n");
	const end = last ?? all.length;
	const meta = {
		v: 1, pathKey: world.path("a.txt"), scopeKey: last ? `r:${first}:${end}` : "full", servedHash: sha256(bytes), mode: "full",
		totalLines: all.length, rangeStart: first, rangeEnd: end, bytes: text.length, textHash: short(sha256(text)), textBytes: text.length,
	};
	world.call({ path: "a.txt" });
	world.result({ content: [{ type: "text", text }], details: { readcache: meta } });
	return meta.textHash;
}

/** An answer as the executable would give it, for lines FIRST to LAST or all. */
function answer(world, text, { first = 1, last, base = world.v1, rests, calls, pieces, reason = "pieces" }) {
	const total = world.read("a.txt").toString().split("\n").length;
	const full = last === undefined;
	const mode = full ? "diff" : "unchanged_range";
	const meta = { pathKey: world.path("a.txt"), scopeKey: full ? "full" : `r:${first}:${last}`, servedHash: sha256(world.read("a.txt")), baseHash: base, mode };
	Object.assign(meta, { totalLines: total, rangeStart: first, rangeEnd: last ?? total, rests, pieces, ...(calls && { calls }) });
	return { meta, text, decision: { mode, reason, servedBytes: text.length, baselineBytes: 1200 } };
}

function afterEdit(world) {
	world.write("a.txt", numbered(20));
	world.v1 = sha256(world.read("a.txt"));
	const told = show(world);
	world.edits("a.txt", { edits: [{ oldText: line(12), newText: "twelve" }] });
	const text = "[readcache: your edits are in place: line 12; nothing else changed; 21 lines]";
	return answer(world, text, { rests: [told], calls: ["call_2"], pieces: 3, reason: "own_text" });
}

function afterInsertion(world) {
	world.write("a.txt", numbered(20));
	world.v1 = sha256(world.read("a.txt"));
	const told = show(world, 1, 18);
	world.write("a.txt", Buffer.from(numbered(20).toString().replace("10 line", "new\n10 line")));
	const text = [
		"[readcache: lines 2-19 of 22 in 3 parts; + is text, you have the rest]",
		"@@ -2,8 +2,8 @@ unchanged",
		"@@ +10,1 @@ text",
		"+new",
		"@@ -10,9 +11,9 @@ unchanged",
	].join("\n");
	return answer(world, text, { first: 2, last: 19, rests: [told], pieces: 3 });
}

function afterWrite(world) {
	world.writes("a.txt", numbered(20));
	const text = "[readcache: lines 5-14 of 21 are as you wrote them]";
	return answer(world, text, { first: 5, last: 14, base: sha256(world.read("a.txt")), rests: [], calls: ["call_1"], pieces: 1, reason: "own_text" });
}

const words = (from, to) => (right) => void (right.text = right.text.replace(from, to));
const field = (name, value) => (right) => void (right.meta[name] = value);
const said = (name, value) => (right) => void (right.decision[name] = value);
const file = (change) => (right, world) => {
	world.write("a.txt", Buffer.from(change(world.read("a.txt").toString())));
};

const wrong = [
	[afterEdit, "another place", words("line 12", "line 13")],
	[afterEdit, "a place that is none", words("line 12", "lines 12-13")],
	[afterEdit, "another number of lines", words("21 lines", "20 lines")],
	[afterEdit, "unknown words", words("in place", "done")],
	[afterEdit, "something behind it", words("]", "] and more")],
	[afterEdit, "a change by somebody else", file((text) => text.replace("5 line", "5 lime"))],
	[afterEdit, "no calls", field("calls", undefined)],
	[afterEdit, "calls that are not there", field("calls", ["call_9"])],
	[afterEdit, "a call twice", field("calls", ["call_2", "call_2"])],
	[afterEdit, "no pieces", field("pieces", 0)],
	[afterEdit, "no rests", field("rests", undefined)],
	[afterEdit, "a version that was not shown", field("baseHash", "0".repeat(64))],
	[afterEdit, "a reason for others", said("reason", "pieces")],
	[afterEdit, "a mode for ranges", field("mode", "unchanged_range")],
	[afterEdit, "not shorter", said("servedBytes", 1200)],
	[afterEdit, "the call is no longer in the context", (_, world) => world.session.contextEdit(world.lastCall.id)],
	[afterEdit, "the text is no longer in the context", (_, world) => world.session.contextEdit(world.session.entries[1].id)],
	[afterEdit, "a compaction", (_, world) => world.session.compaction()],
	[afterEdit, "a refused edit", (_, world) => void (world.lastResult.message.isError = true)],
	[afterInsertion, "a former number that is wrong", words("-10,9 +11,9 @@ unchanged", "-11,9 +11,9 @@ unchanged")],
	[afterInsertion, "words that no part has", words("+11,9 @@ unchanged", "+11,9 @@ unchanged, shown before as lines 10-18")],
	[afterInsertion, "other text", words("+new", "+now")],
	[afterInsertion, "a gap", words("-2,8 +2,8", "-2,7 +2,7")],
	[afterInsertion, "lines twice", words("-10,9 +11,9 @@ unchanged", "-9,10 +10,10 @@ unchanged")],
	[afterInsertion, "lines left out at the end", words("-10,9 +11,9 @@ unchanged", "-10,8 +11,8 @@ unchanged")],
	[afterInsertion, "other lines in the head", words("lines 2-19 of", "lines 2-18 of")],
	[afterInsertion, "another number of parts", words("in 3 parts", "in 2 parts")],
	[afterInsertion, "a number of runs that is not that of the parts", field("pieces", 2)],
	[afterInsertion, "a claim that they were written", words("-10,9 +11,9 @@ unchanged", "+11,9 @@ as you wrote them")],
	[afterInsertion, "more than half", said("servedBytes", 601)],
	[afterInsertion, "a reason for the reader's own", said("reason", "own_text")],
	[afterInsertion, "no text that it rests on", field("rests", [])],
	[
		afterInsertion,
		"lines that were never shown",
		(right) => {
			right.text = right.text.replace("2-19", "2-20").replace("-10,9 +11,9", "-10,10 +11,10");
			Object.assign(right.meta, { rangeEnd: 20, scopeKey: "r:2:20" });
		},
	],
	[afterInsertion, "a newer text under that number", (_, world) => show(world, 12, 14)],
	[afterInsertion, "a refresh", (_, world) => world.session.custom({ customType: "pi-readcache", data: { kind: "invalidate", pathKey: world.path("a.txt") } })],
	[afterInsertion, "an unknown view", (_, world) => (world.call({ path: "a.txt" }), world.result({ content: [] }))],
	[afterInsertion, "a text that was replaced", (_, world) => void (world.lastResult.message.content[0].text = "another")],
	[afterWrite, "a line of somebody else's", file((text) => text.replace("7 line", "7 lime"))],
	[afterWrite, "lines that are gone", file((text) => text.replace(`${line(9)}\n`, ""))],
	[afterWrite, "lines that have moved", file((text) => `new\n${text}`)],
];

/** What pieces.mjs gets wrong: a sentence for each. */
export function checkTheChecks(directory) {
	const faults = [];
	let count = 0;
	const judge = (make, name, change) => {
		const world = new World(join(directory, `wrong-${++count}`), "calls");
		const right = make(world);
		change?.(right, world);
		let found;
		try {
			const total = world.read("a.txt").toString().split("\n").length;
			// The file may have become another one: then the numbers are those of now, and the words are still wrong.
			if (right.meta.totalLines !== total) {
				right.text = right.text.replace(`of ${right.meta.totalLines}`, `of ${total}`);
				right.meta.totalLines = total;
			}
			checkPieces(world, right.meta, right.decision, right.text);
		} catch (error) {
			if (!(error instanceof Mismatch)) throw error;
			found = error.message;
		}
		if (change && !found) faults.push(`${make.name}, ${name}: it passes`);
		if (!change && found) faults.push(`${make.name}: the right answer does not pass: ${found}`);
	};
	for (const make of [afterEdit, afterInsertion, afterWrite]) judge(make, "as it should be");
	for (const one of wrong) judge(...one);
	return { count, faults };
}
