// The oracle's own test: transcripts that lie must be caught, honest ones must pass.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examine } from "./lib/knowledge.mjs";
import { Ledger } from "./lib/ledger.mjs";
import { asRequest } from "./lib/sessions.mjs";

const directory = mkdtempSync(join(tmpdir(), "readcache-oracle-"));
const lines = (count) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

/** A transcript as a provider would receive it, with the file versions at the time of every call. */
class Transcript {
	constructor() {
		this.ledger = new Ledger(directory);
		this.calls = new Map();
		this.messages = [{ role: "user", content: "Go on." }];
		this.foreign = [];
		this.summaries = 0;
	}

	file(content, name = "a.txt") {
		this.ledger.write(name, content);
		return this;
	}

	/** One batch of reads: [args, the text the model is told, its path being a.txt]. */
	reads(...pairs) {
		const before = [...this.messages];
		const ids = pairs.map((_, i) => `call_${this.messages.length}_${i}`);
		const call = ([args], i) => ({
			id: ids[i],
			function: { name: "read", arguments: JSON.stringify({ path: "a.txt", ...args }) },
		});
		this.messages.push({ role: "assistant", tool_calls: pairs.map(call) });
		for (const [i, [, content]] of pairs.entries()) {
			this.calls.set(ids[i], {
				sentAt: this.ledger.now(),
				issuedBy: { messages: before },
				summaries: this.summaries,
			});
			this.messages.push({ role: "tool", tool_call_id: ids[i], content });
		}
		return this;
	}

	read(args, text) {
		return this.reads([args, text]);
	}

	/** The host left messages out. */
	without(...indexes) {
		this.messages = this.messages.filter((_, i) => !indexes.includes(i));
		return this;
	}

	/** The host made a summary of messages. */
	compact(...indexes) {
		this.summaries += 1;
		return this.without(...indexes);
	}

	reports() {
		return examine(this, {
			number: 1,
			calls: this.calls,
			ledger: this.ledger,
			foreign: this.foreign,
			summaries: this.summaries,
		});
	}
}

const shown = `${lines(2000).trimEnd()}\n\n[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]`;
const diff = (header, ...rows) =>
	["[readcache: 1 lines changed of 5]", "", "--- a/a.txt", "+++ b/a.txt", header, ...rows, ""].join("\n");
const secondLine = diff("@@ -1,4 +1,4 @@", " line 1", "-line 2", "+LINE 2", " line 3", " line 4");
const changed = lines(4).replace("line 2", "LINE 2");
const short = () => new Transcript().file(lines(4));

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
	"a file of another text by another extension, then the file": Object.assign(short(), {
		foreign: [/^\[redacted\]$/],
	})
		.read({}, "[redacted]")
		.read({}, lines(4)),
	"unchanged, and its text in a summary made afterwards": short()
		.read({}, lines(4))
		.read({}, "[readcache: unchanged, 5 lines]")
		.compact(1, 2),
	"two of one batch": short().reads([{}, lines(4)], [{}, lines(4)]),
	"two diffs of one batch": short()
		.read({}, lines(4))
		.file(changed)
		.reads([{}, secondLine], [{}, secondLine])
		.read({}, "[readcache: unchanged, 5 lines]"),
};

const liars = {
	"unchanged without the file": short().read({}, "[readcache: unchanged, 5 lines]"),
	"unchanged, the file's text is gone from the request": short()
		.read({}, lines(4))
		.read({}, "[readcache: unchanged, 5 lines]")
		.without(2),
	"unchanged, its text in a summary made before": short()
		.read({}, lines(4))
		.compact(1, 2)
		.read({}, "[readcache: unchanged, 5 lines]"),
	"unchanged, never proven, kept by a summary": short().read({}, "[readcache: unchanged, 5 lines]").compact(),
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
	"unchanged after another extension's text": Object.assign(short(), { foreign: [/^\[redacted\]$/] })
		.read({}, "[redacted]")
		.read({}, "[readcache: unchanged, 5 lines]"),
	"two diffs one after the other": short().read({}, lines(4)).file(changed).read({}, secondLine).read({}, secondLine),
	"a text that is not the file's": short().read({}, lines(3)),
	"a text of a file that is not there": short().read({ path: "b.txt" }, lines(3)),
	"a cut text without its notice": new Transcript().file(lines(3000)).read({}, lines(2000).trimEnd()),
	"an old version shown as the present one": short().file(changed).read({}, lines(4)),
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

// The host leaves failed assistant messages out of what it sends; so does the projection's translation.
const failedCall = {
	role: "assistant",
	stopReason: "aborted",
	content: [{ type: "toolCall", id: "x", name: "read", arguments: {} }],
};
check("failed messages are not sent", asRequest([{ message: failedCall }]).messages.length === 0, []);

rmSync(directory, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
