// The oracle's own test: transcripts that lie must be caught, honest ones must pass.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sha256 } from "../history/oracle.mjs";
import { versions } from "../host/paths.mjs";
import { HALVES, isInHalf } from "./lib/halves.mjs";
import { Oracle } from "./lib/knowledge.mjs";
import { Ledger } from "./lib/ledger.mjs";
import { foresee } from "./lib/siblings.mjs";
import { Tally } from "./lib/tally.mjs";

const directory = mkdtempSync(join(tmpdir(), "readcache-oracle-"));
const lines = (count) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");
const PRUNED = "[dedup: a later call is the same]";

/** A transcript as a provider would receive it, with the file versions at the time of every call. */
class Transcript {
	constructor() {
		this.ledger = new Ledger(directory);
		this.cwd = directory;
		this.calls = new Map();
		this.details = new Map();
		this.messages = [{ role: "user", content: "Go on." }];
		this.requests = []; // earlier ones
		this.foreign = [/^\[redacted\]$/, /^\[dedup: /];
	}

	file(content, name = "a.txt") {
		this.ledger.write(name, content);
		return this;
	}

	/** The work directory is another one from now on. */
	in(name) {
		this.cwd = resolve(directory, name);
		return this;
	}

	/** One batch: [tool, args, the text the model is told, what it changes], the path being a.txt. */
	batch(...calls) {
		const begun = calls.map(([name, args, , changes]) => ({ name, args: { path: "a.txt", ...args }, changes }));
		const ids = calls.map((_, i) => `call_${this.messages.length}_${i}`);
		const foreseen = foresee(begun, this.cwd, this.ledger);
		ids.forEach((id, i) => {
			const when = { sentAt: this.ledger.now(), answeredAt: this.ledger.now() };
			this.calls.set(id, { ...when, ...foreseen.calls[i], cwd: this.cwd });
			this.details.set(id, { text: calls[i][2] });
		});
		for (const { name, args } of begun) if (name === "write") this.ledger.write(resolve(this.cwd, args.path), args.content);
		const call = ({ name, args }, i) => ({ id: ids[i], function: { name, arguments: JSON.stringify(args) } });
		this.messages.push({ role: "assistant", tool_calls: begun.map(call) });
		for (const [i, [, , content]] of calls.entries())
			this.messages.push({ role: "tool", tool_call_id: ids[i], content });
		return this;
	}

	/** One batch of reads: [args, the text the model is told, its path being a.txt]. */
	reads(...pairs) {
		return this.batch(...pairs.map((pair) => ["read", ...pair]));
	}

	read(args, text) {
		return this.reads([args, text]);
	}

	write(args) {
		return this.batch(["write", args, "Successfully wrote to a.txt"]);
	}

	/** What is there by now leaves as a request. */
	sent() {
		this.requests.push([...this.messages]);
		return this;
	}

	/** The host left messages out: a compaction, or nobody knows who. */
	without(...indexes) {
		this.messages = this.messages.filter((_, i) => !indexes.includes(i));
		return this;
	}

	/** Message INDEX is sent with another text than the session has. */
	says(index, content) {
		this.messages[index] = { ...this.messages[index], content };
		return this;
	}

	with(more) {
		return Object.assign(this, more);
	}

	/** What the oracle has against the last request. */
	reports() {
		const oracle = new Oracle();
		const verdicts = [...this.requests, this.messages].map((messages) =>
			oracle.examine({ messages }, { ...this, number: 1 }),
		);
		return verdicts.at(-1).reports;
	}
}

const shown = `${lines(2000).trimEnd()}\n\n[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]`;
const diff = (header, ...rows) =>
	["[readcache: 1 lines changed of 5]", "", "--- a/a.txt", "+++ b/a.txt", header, ...rows, ""].join("\n");
const secondLine = diff("@@ -1,4 +1,4 @@", " line 1", "-line 2", "+LINE 2", " line 3", " line 4");
const changed = lines(4).replace("line 2", "LINE 2");
const short = () => new Transcript().file(lines(4));
const known = "[readcache: unchanged, 5 lines]";
const gone = "[readcache: these lines are no longer in context; read the file again]";
const rewrite = ["write", { content: changed }, "Successfully wrote to a.txt"];
const edit = ["edit", { edits: [{ oldText: "line 2", newText: "LINE 2" }] }, "Successfully replaced 1 block(s) in a.txt."];
const command = ["bash", { command: "make" }, "", { path: "a.txt", to: changed }];
/** The metadata of a whole text. */
const metadata = (text) => ({
	v: 1,
	pathKey: join(directory, "a.txt"),
	scopeKey: "full",
	servedHash: sha256(text),
	mode: "full",
	totalLines: 5,
	rangeStart: 1,
	rangeEnd: 5,
	bytes: text.length,
	textHash: sha256(text).slice(0, 32),
	textBytes: text.length,
});
/** Read and known, and the first read's text is taken away. */
const dropped = () => short().read({}, lines(4)).read({}, known).says(2, PRUNED);
/** The session's own word on both, with metadata. */
const whole = new Map([
	["call_1_0", { text: lines(4), details: { readcache: { v: 1 } } }],
	["call_3_0", { text: known, details: { readcache: { v: 1 } } }],
]);
/** Read, known by a diff, and the first read's text is taken away. */
const droppedBase = () => short().read({}, lines(4)).file(changed).read({}, secondLine).says(2, PRUNED);
/** Read by its whole name in one directory, then the session goes on in another one. */
const elsewhere = (steps) =>
	steps(short().read({ path: join(directory, "a.txt") }, lines(4)))
		.file(lines(4))
		.in("other");

const honest = {
	"a file, then unchanged": short().read({}, lines(4)).read({}, "[readcache: unchanged, 5 lines]"),
	"a file, then a diff, then unchanged": short()
		.read({}, lines(4))
		.file(changed)
		.read({}, secondLine)
		.read({}, "[readcache: unchanged, 5 lines]"),
	"a range of a file seen in full": short()
		.read({}, lines(4))
		.read({ offset: 2, limit: 2 }, "[readcache: unchanged in lines 2-3 of 5]"),
	"a range by suffix": short().read(
		{ path: "a.txt:2-3" },
		"line 2\nline 3\n\n[2 more lines in file. Use offset=4 to continue.]",
	),
	"a long file read to its end": new Transcript()
		.file(lines(3000))
		.read({}, shown)
		.read({ offset: 2001 }, lines(3000).slice(lines(2000).length)),
	"the same shown lines again": new Transcript()
		.file(lines(3000))
		.read({}, shown)
		.read(
			{},
			`[readcache: unchanged in lines 1-2000 of 3001]\n\n[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]`,
		),
	"a result the host could not give": short().read({}, "No result provided").read({}, lines(4)),
	"a file of another text by another extension, then the file": short().read({}, "[redacted]").read({}, lines(4)),
	"two of one batch": short().reads([{}, lines(4)], [{}, lines(4)]),
	"two diffs of one batch": short()
		.read({}, lines(4))
		.file(changed)
		.reads([{}, secondLine], [{}, secondLine])
		.read({}, "[readcache: unchanged, 5 lines]"),
	"A1: the old text beside a write": short().read({}, lines(4)).batch(rewrite, ["read", {}, lines(4)]),
	"A1: the new text beside a write": short().read({}, lines(4)).batch(rewrite, ["read", {}, changed]),
	"A1: nothing, while an edit writes the file": short().read({}, lines(4)).batch(edit, ["read", {}, ""]),
	"A1: a marker for another file beside a write": short()
		.read({}, lines(4))
		.batch(["write", { path: "b.txt", content: "b" }, "Successfully wrote to b.txt"], ["read", {}, known]),
	"A1: a text with metadata beside a command that changes the file": short().batch(command, ["read", {}, lines(4)]).with({
		details: new Map([["call_1_1", { text: lines(4), details: { readcache: metadata(lines(4)) } }]]),
	}),
	"A1: a diff behind a write, one after the other": short()
		.read({}, lines(4))
		.batch(rewrite, ["slow", {}, "waited"], ["read", {}, secondLine]),
	"A2, A3: a marker is sent as its text": dropped().says(4, lines(4)),
	"A3: a diff is sent as its text": droppedBase().says(4, changed),
	"A3: a marker that rests on a repaired diff": droppedBase().read({}, known).says(4, changed),
	"A3: the text of the file as it was then": droppedBase().file(lines(9)).says(4, changed),
	"A3: a marker with a note behind it": short().read({}, lines(4)).read({}, known).says(4, `${known}\n[annotator: x]`),
	"A3: twice repaired with the same text": dropped().says(4, lines(4)).sent().read({}, known),
	"A3: a line in its place, where the store has lost the text": dropped().says(4, gone).with({ lost: () => true }),
	"A3: a line in its place, where its metadata was dropped": dropped().says(4, gone),
	"A3: another tool's text in place of a repaired one": dropped().says(4, lines(4)).sent().says(4, PRUNED),
	"A4: a file of the same name elsewhere": short()
		.file("other\n", "other/a.txt")
		.read({}, lines(4))
		.in("other")
		.read({}, "other\n")
		.read({}, "[readcache: unchanged, 2 lines]")
		.read({ path: join(directory, "a.txt") }, known),
	"A4: a text after an edit made elsewhere": elsewhere((all) => all.write({ content: changed })).read(
		{ path: join(directory, "a.txt") },
		lines(4),
	),
	"without us, a marker that nobody mends": dropped().with({ off: true }),
};

const liars = {
	"unchanged without the file": short().read({}, "[readcache: unchanged, 5 lines]"),
	"unchanged, the file's text is gone from the request": short()
		.read({}, lines(4))
		.read({}, "[readcache: unchanged, 5 lines]")
		.without(2),
	"unchanged, though the file changed": short()
		.read({}, lines(4))
		.file(changed)
		.read({}, "[readcache: unchanged, 5 lines]"),
	"unchanged with a wrong number of lines": short().read({}, lines(4)).read({}, "[readcache: unchanged, 4 lines]"),
	"unchanged lines that a cut read never showed": new Transcript()
		.file(lines(3000))
		.read({}, shown)
		.read({ offset: 2001 }, "[readcache: unchanged in lines 2001-3001 of 3001]"),
	"a range that was not seen": short()
		.read({ offset: 1, limit: 1 }, "line 1\n\n[4 more lines in file. Use offset=2 to continue.]")
		.read({ offset: 2, limit: 1 }, "[readcache: unchanged in lines 2-2 of 5]"),
	"a range marker that hides the continuation notice": new Transcript()
		.file(lines(3000))
		.read({}, shown)
		.read({}, "[readcache: unchanged in lines 1-2000 of 3001]"),
	"a diff without its base": short().file(changed).read({}, secondLine),
	"a diff that does not give the file": short()
		.read({}, lines(4))
		.file(changed.replace("line 4", "LINE 4"))
		.read({}, secondLine),
	"unchanged after an omitted result": short()
		.read({}, "No result provided")
		.read({}, "[readcache: unchanged, 5 lines]"),
	"unchanged after another extension's text": short()
		.read({}, "[redacted]")
		.read({}, "[readcache: unchanged, 5 lines]"),
	"two diffs one after the other": short().read({}, lines(4)).file(changed).read({}, secondLine).read({}, secondLine),
	"a text that is not the file's": short().read({}, lines(3)),
	"a text of a file that is not there": short().read({ path: "b.txt" }, lines(3)),
	"a cut text without its notice": new Transcript().file(lines(3000)).read({}, lines(2000).trimEnd()),
	"an old version shown as the present one": short().file(changed).read({}, lines(4)),
	"A1: unchanged beside a write": short().read({}, lines(4)).batch(rewrite, ["read", {}, known]),
	"A1: unchanged before a write": short().read({}, lines(4)).batch(["read", {}, known], rewrite),
	"A1: unchanged beside an edit": short().read({}, lines(4)).batch(edit, ["read", {}, known]),
	"A1: unchanged beside a command": short()
		.read({}, lines(4))
		.batch(rewrite, ["bash", { command: "true" }, ""], ["read", {}, known]),
	"A1: unchanged beside a command that changes the file": short().read({}, lines(4)).batch(command, ["read", {}, known]),
	"A1: unchanged by another spelling": short()
		.read({ path: "./a.txt" }, lines(4))
		.batch(rewrite, ["read", { path: "./a.txt" }, known]),
	"A1: a diff beside an edit": short().read({}, lines(4)).batch(edit, ["read", {}, secondLine]),
	"A1: a text that the file never was beside a write": short().batch(rewrite, ["read", {}, lines(3)]),
	"A1: metadata beside a write": short()
		.batch(rewrite, ["read", {}, changed])
		.with({ details: new Map([["call_1_1", { text: changed, details: { readcache: { v: 1 } } }]]) }),
	"A1: unchanged before a write, one after the other": short()
		.read({}, lines(4))
		.batch(["read", {}, known], ["slow", {}, "waited"], rewrite),
	"A1: unchanged behind a write, one after the other": short()
		.read({}, lines(4))
		.batch(["slow", {}, "waited"], ["write", { content: lines(4) }, "Successfully wrote to a.txt"], ["read", {}, known]),
	"A1: the old text behind a write, one after the other": short().batch(rewrite, ["slow", {}, "w"], ["read", {}, lines(4)]),
	"A2: unchanged, its text in a summary made afterwards": short().read({}, lines(4)).read({}, known).without(1, 2),
	"A2: unchanged, its text in a summary made before": short().read({}, lines(4)).without(1, 2).read({}, known),
	"A2: a diff, its base in a summary": short().read({}, lines(4)).file(changed).read({}, secondLine).without(1, 2),
	"A2: unchanged, never proven": short().read({}, known).without(0),
	"A3: unchanged, its text taken away": dropped(),
	"A3: a diff, its base taken away": droppedBase(),
	"A3: unchanged, with a note behind it, its text taken away": dropped().says(4, `${known}\n[annotator: x]`),
	"A3: unchanged, the base of its diff taken away": droppedBase().says(4, PRUNED).read({}, known),
	"A3: repaired by the text of now": droppedBase().file(lines(9)).says(4, lines(9)),
	"A3: repaired by a part of the text": dropped().says(4, lines(3)),
	"A3: a line in its place, though nothing is lost": dropped().says(4, gone).with({ details: whole }),
	"A3: a line in place of a text": dropped().says(4, lines(4)).says(2, gone).with({ details: whole }),
	"A3: unchanged, its text only a line by now": dropped()
		.says(4, gone)
		.with({ lost: () => true })
		.read({}, known),
	"A3: repaired once, and then a marker again": dropped().says(4, lines(4)).sent().says(2, lines(4)).says(4, known),
	"A4: unchanged, though the model has edited the file elsewhere": elsewhere((all) => all.write({ content: changed })).read(
		{ path: join(directory, "a.txt") },
		known,
	),
	"A4: unchanged, though a newer text was seen elsewhere": elsewhere((all) => all.file(changed).read({}, changed)).read(
		{ path: join(directory, "a.txt") },
		known,
	),
	"A4: unchanged by what a file of the same name was": short()
		.file(lines(4), "other/a.txt")
		.read({}, lines(4))
		.in("other")
		.read({}, known),
	"A5: unchanged, its text gone and nobody knows": short().read({}, lines(4)).sent().without(2).read({}, known),
	"a text that is not what the session has": short()
		.read({}, lines(4))
		.with({ details: new Map([["call_1_0", { text: changed }]]) }),
};

let [passed, failed] = [0, 0];
function check(name, good, reports) {
	if (good) passed += 1;
	else failed += 1;
	if (!good) console.log(`not ok ${name}\n${reports.join("\n") || "no objection"}`);
}

for (const [name, transcript] of Object.entries(honest))
	check(`honest: ${name}`, transcript.reports().length === 0, transcript.reports());
for (const [name, transcript] of Object.entries(liars))
	check(`liar: ${name}`, transcript.reports().length === 1, transcript.reports());

// A lie is found in every request that has it, and told once.
const tally = new Tally(true);
for (const number of [1, 2]) tally.add(new Oracle().examine(dropped(), { ...dropped(), number }));
tally.add(new Oracle().examine(dropped().says(4, lines(4)), { ...dropped(), number: 3 }));
const needless = short().read({}, lines(4)).read({}, known).says(4, lines(4));
tally.add(new Oracle().examine(needless, { ...needless, number: 4 }));
const sums = "4 requests, 2 compact answers in them, 2 repaired (1 without need), 2 unsupported";
check("the tally", `${tally}` === sums, [`${tally}`]);
check("a report for each lie", tally.reports.length === 1, tally.reports);

// Nothing is lost between the halves, and each half meets every version.
for (const number of [0, 1, 2, 3]) {
	for (const version of versions) {
		const having = HALVES.filter((half) => isInHalf(half, number, version));
		check(`scenario ${number} on ${version} is in one half`, having.length === 1, having);
		const alone = HALVES.filter((half) => isInHalf(half, number, version, [version]));
		check(`scenario ${number}, on ${version} only, is in both`, alone.length === HALVES.length, alone);
	}
	for (const half of HALVES) {
		const met = versions.filter((version) => isInHalf(half, number, version));
		check(`the ${half} half has scenario ${number} once`, met.length === 1, met);
	}
}
const firstHalf = new Set([0, 1].map((number) => versions.find((version) => isInHalf("first", number, version))));
check("a half meets every version", firstHalf.size === versions.length, [...firstHalf]);

rmSync(directory, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
