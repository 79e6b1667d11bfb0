// Sessions that ask for more work than they are long: every shape grows with its size N, and so may the work, no faster.
import { createHash } from "node:crypto";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const hashNumber = (number) => sha256(`version ${number}`);

/** A branch of entries, one below the other. */
class Branch {
	entries = [];
	leaf = null;

	constructor(path) {
		this.path = path; // of the file that is read
	}

	append(entry, id = `e${this.entries.length}`) {
		this.entries.push({ ...entry, id, parentId: this.leaf });
		this.leaf = id;
		return id;
	}

	/** An assistant's message that calls TOOL with each of CALLS: [id, path, lines]. */
	ask(calls, tool = "read") {
		const content = calls.map(([id, path, lines]) => ({ type: "toolCall", id, name: tool, arguments: { path, ...lines } }));
		return this.append({ type: "message", message: { role: "assistant", content, stopReason: "toolUse" } });
	}

	/** The answer to the call ID: TEXT, and what the metadata says of it. */
	answer(id, text, meta, toolName = "read") {
		const details = meta && { readcache: this.meta(text, meta) };
		const content = [{ type: "text", text }];
		return this.append({ type: "message", message: { role: "toolResult", toolCallId: id, toolName, content, details, isError: false } });
	}

	meta(text, { path = this.path, name, mode = "full", served, base, total = 101, lines, sealed = true, pieced }) {
		const [first, last] = lines ?? [1, total];
		return {
			v: 1,
			pathKey: path,
			...(name || !sealed ? { name: name ?? path } : {}),
			scopeKey: lines ? `r:${first}:${last}` : "full",
			servedHash: served,
			...(base ? { baseHash: base } : {}),
			mode,
			totalLines: total,
			rangeStart: first,
			rangeEnd: last,
			bytes: text.length,
			...(sealed ? { textHash: sha256(text).slice(0, 32), textBytes: text.length } : {}),
			...pieced, // pieces, rests, calls
		};
	}

	/** A read by a message of its own. */
	read(text, meta, { limit } = {}) {
		const id = `c${this.entries.length}`;
		this.ask([[id, meta?.name ?? this.path, { offset: meta?.lines?.[0], limit }]]);
		return this.answer(id, text, meta);
	}

	/** An edit that was done, or refused. */
	edit(isError = false, path = this.path) {
		const toolCallId = `c${this.entries.length}`;
		this.ask([[toolCallId, path]], "edit");
		const message = { role: "toolResult", toolCallId, toolName: "edit", content: [{ type: "text", text: "done" }], isError };
		return this.append({ type: "message", message });
	}

	/** An own change: an edit by EDITS, or a write of CONTENT. */
	change({ edits, content, id = `c${this.entries.length}` }) {
		const name = edits ? "edit" : "write";
		const call = { type: "toolCall", id, name, arguments: { path: this.path, edits, content } };
		this.append({ type: "message", message: { role: "assistant", content: [call], stopReason: "toolUse" } });
		return this.append({ type: "message", message: { role: "toolResult", toolCallId: id, toolName: name, content: [{ type: "text", text: "done" }], isError: false } });
	}

	refresh(lines, path = this.path) {
		const scopeKey = lines ? `r:${lines[0]}:${lines[1]}` : "full";
		return this.append({ type: "custom", customType: "pi-readcache", data: { v: 1, kind: "invalidate", pathKey: path, scopeKey, at: 1 } });
	}

	contextEdit(targetId, replacement = null) {
		return this.append({ type: "context_edit", targetId, replacement });
	}

	compaction() {
		return this.append({ type: "compaction", summary: "so far", firstKeptEntryId: null, tokensBefore: 1000 });
	}
}

const times = (n, what) => Array.from({ length: n }, (_, i) => what(i));

/**
 * Blocks of which the two of a pair leave FNV-1a, which has no key, in the same state: every choice of them gives
 * another name with the same number.
 */
const PAIRS = [
	["u0o344y5eo", "ld4adbxufc"],
	["lyqmfpe4j4", "ayspfdzu0n"],
	["m2pyjsww0p", "zfqp5vdrpo"],
	["ya5l0c4cms", "yrrt11ddek"],
	["rqtov3j5cg", "l1iczzmipo"],
	["2zg5uecclu", "tm4nudsoon"],
	["wdp5ch1b0p", "u3uh5jdibm"],
	["b5kwbs55tt", "scsd3aaxfx"],
	["yhhgwrjgc4", "p04t4s4jma"],
	["kmgavy5skt", "by5uj0fmbp"],
	["tnwehtog4p", "1c2x4n0arg"],
	["cazwocb3p5", "irmue0jrgr"],
	["nq4mrg5xnl", "mjxx2sdcmv"],
];

/** Many lines in few bytes. */
function longFile(n) {
	const text = `first\n${"\n".repeat(100 * n)}`;
	return { text, served: sha256(text), total: 100 * n + 2 };
}

/** As many names as there are choices. */
function collidingName(number) {
	return PAIRS.map((pair, i) => pair[(number >> i) & 1]).join("");
}

/** By name: what is done N times, on a branch of the file whose text is TEXT. */
export const shapes = {
	nothing: () => {},
	"names that collide where hashing has no key": (b, n) => {
		times(n, (i) => b.append({ type: "message", message: { role: "user", content: [] } }, collidingName(i)));
	},
	"names of one file": (b, n, text) => times(n, (i) => b.read(text, { name: `/n${i}${b.path}`, served: sha256(text) })),
	"calls and results of one message": (b, n, text) => {
		b.ask(times(n, (i) => [`call-${i}`, b.path]));
		times(n, (i) => b.answer(`call-${i}`, text, { served: sha256(text) }));
	},
	"results that nobody asked for": (b, n, text) => {
		times(32, (k) => b.ask(times(n / 32, (i) => [`call-${k}-${i}`, b.path])));
		times(n, (i) => b.answer(`other-${i}`, text, { served: sha256(text) }));
	},
	"page views and diffs": (b, n, text) => {
		times(n, (i) => b.read("page", { served: hashNumber(0), total: 4 * n, lines: [2 * i + 1, 2 * i + 1] }));
		times(n, (i) => b.read(`diff ${i}`, { mode: "diff", served: hashNumber(0), base: hashNumber(0), total: 4 * n }));
	},
	"diffs that rest on nothing": (b, n, text) => {
		times(n, (i) => b.read("diff", { mode: "diff", served: hashNumber(0), base: hashNumber(0) }));
	},
	"markers that nothing seals": (b, n, text) => {
		times(n, (i) => b.read("page", { served: hashNumber(i), lines: [1, 1] }));
		times(n, (i) => b.read("marker", { mode: "unchanged", served: hashNumber(-i), base: hashNumber(-i), sealed: false }));
	},
	"ranges and whole reads": (b, n, text) => {
		times(n, (i) => b.read("page", { served: hashNumber(0), total: 4 * n, lines: [i + 1, i + 1] }));
		times(n, () => b.read(text, { served: sha256(text) }));
	},
	"refreshed ranges and whole reads": (b, n, text) => {
		times(n, (i) => {
			b.read("page", { served: hashNumber(0), total: 4 * n, lines: [i + 1, i + 1] });
			b.refresh([i + 1, i + 1]);
			b.read(text, { served: sha256(text) });
		});
	},
	"refreshes of many names": (b, n, text) => {
		times(n, (i) => b.read(text, { name: `/n${i}${b.path}`, served: sha256(text) }));
		times(n, (i) => b.refresh([i + 1, i + 1]));
	},
	"files that are all forgotten": (b, n, text) => {
		times(n, (i) => b.read(text, { path: `/n${i}${b.path}`, name: `/n${i}${b.path}`, served: sha256(text) }));
		times(n, () => b.append({ type: "context_edit" }));
	},
	"holes and single lines": (b, n, text) => {
		times(n, (i) => b.read("page", { served: sha256(text), total: 4 * n, lines: [2 * i + 1, 2 * i + 1] }));
		times(200, (i) => b.refresh([i + 1, i + 1]));
		times(n, (i) => b.read("page", { served: sha256(text), total: 4 * n, lines: [2 * i + 1, 2 * i + 1] }));
	},
	"versions of one line": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		times(n, (i) => b.read("line", { served: hashNumber(i), total: 100, lines: [1, 1] }));
	},
	"pages of a kept version": (b, n, text, other) => {
		b.read(text, { served: sha256(text) });
		times(n, () => b.read("line", { served: sha256(other), total: 100, lines: [99, 99] }));
	},
	"reads without metadata": (b, n, text) => times(n, () => b.read(text)),
	"edits and reads": (b, n, text) =>
		times(n, () => {
			b.read(text, { served: sha256(text) });
			b.edit();
		}),
	"refused edits of other names": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		times(n, (i) => b.edit(true, `/n${i}${b.path}`));
	},
	"context edits": (b, n, text) => {
		const ids = times(n, () => b.read(text, { served: sha256(text) }));
		ids.forEach((id) => b.contextEdit(id));
		times(n, () => b.read(text, { served: sha256(text) }));
	},
	"context edits between reads": (b, n, text) =>
		times(n, () => b.contextEdit(b.read(text, { served: sha256(text) }))),
	compactions: (b, n, text) =>
		times(n, (i) => {
			b.read(text, { path: `/n${i}${b.path}`, name: `/n${i}${b.path}`, served: sha256(text) });
			b.compaction();
		}),
	"forks of a long trunk": (b, n, text) => {
		times(n, (i) => b.read(text, { served: sha256(text) }));
		const trunk = b.leaf;
		times(n, () => {
			b.leaf = trunk;
			b.read("[readcache: unchanged, 101 lines]", { mode: "unchanged", served: sha256(text), base: sha256(text) });
		});
	},
	"reads beside each other": (b, n, text) => {
		b.ask(times(n, (i) => [`call-${i}`, `${b.path}${i}`]));
		times(n, (i) => b.answer(`call-${i}`, text));
	},
	"results far from their message": (b, n, text) => {
		b.ask([["call", b.path]]);
		times(n, () => b.answer("call", text));
	},
	markers: (b, n, text) => {
		b.read(text, { served: sha256(text) });
		times(n, () => b.read("[readcache: unchanged, 101 lines]", { mode: "unchanged", served: sha256(text), base: sha256(text) }));
	},
	"markers of lines that were shown in parts": (b, n) => {
		const line = (i) => [i + 1, i + 1];
		const part = (i) => `line ${i + 1}\n\n[${4 * n - i} more lines in file. Use offset=${i + 2} to continue.]`;
		const total = 4 * n + 1;
		times(n, (i) => b.read(part(i), { served: hashNumber(i), total, lines: line(i) }, { limit: 1 }));
		times(n, (i) =>
			b.read(`[readcache: unchanged in lines ${i + 1}-${i + 1} of ${total}]`, {
				mode: "unchanged_range", served: hashNumber(-i), base: hashNumber(-i), total, lines: line(i),
			}, { limit: 1 }),
		);
	},
	"false markers of one message": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		b.ask(times(n, (i) => [`call-${i}`, b.path]));
		times(n, (i) => b.answer(`call-${i}`, "[readcache: unchanged, 99 lines]", { mode: "unchanged", served: sha256(text), base: sha256(text), total: 99 }));
	},
	"context edits of calls": (b, n, text) => {
		times(n, () => {
			b.read(text, { served: sha256(text) });
			b.contextEdit(b.entries.at(-2).id);
			b.read("[readcache: unchanged, 101 lines]", { mode: "unchanged", served: sha256(text), base: sha256(text) });
		});
	},
	"foreign diffs": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		const hunks = "@@ -1,3 +1,3 @@\n line 1 of the file\n-line 2 of the file\n+line two\n line 3 of the file\n";
		const diff = (i) => `[readcache: 1 lines changed of 101]\n--- a/f\n+++ b/f\n${hunks.replace("two", String(i))}`;
		times(n, (i) => b.read(diff(i), { mode: "diff", served: hashNumber(i), base: hashNumber(i - 1), total: 101 }));
	},
	"a message with many blocks": (b, n) => {
		b.append({ type: "message", message: { role: "assistant", content: times(n, (i) => ({ type: "text", text: `${i}` })) } });
	},
	"members of one name": (b, n) => {
		b.append({ type: "message", message: { role: "user" }, ...Object.fromEntries(times(n, (i) => [`member${i}`, i])) });
	},
	"own edits": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		times(n, (i) => b.change({ edits: [{ oldText: `line ${i ? `${i}.` : "7 of"}`, newText: `line ${i + 1}.` }] }));
	},
	"own edits of one id": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		times(n, (i) => b.change({ id: "same", edits: [{ oldText: `${i}`, newText: `${i + 1}` }] }));
	},
	"own edits with views between them": (b, n, text) => {
		times(n, (i) => {
			b.read("line", { served: hashNumber(i), lines: [i % 100 + 1, i % 100 + 1] });
			b.change({ edits: [{ oldText: "line", newText: "lines" }] });
		});
	},
	"own writes": (b, n, text) => times(n, (i) => b.change({ content: `${text}${i}` })),
	"own edits of many texts": (b, n) => b.change({ edits: times(n, (i) => ({ oldText: `a${i}`, newText: `b${i}` })) }),
	"own edits in a string": (b, n) => b.change({ edits: JSON.stringify(times(n, (i) => ({ oldText: `"\u00e9${i}`, newText: `\n${i}` }))) }),
	"own edits of large texts": (b, n, text) => times(8, () => b.change({ edits: [{ oldText: "x\n".repeat(n), newText: text.repeat(n / 100) }] })),
	"pieced answers that rest on much": (b, n, text) => {
		const rests = times(32, (i) => sha256(`page ${i}`).slice(0, 32));
		times(32, (i) => b.read(`page ${i}`, { served: sha256(text), lines: [i + 1, i + 1] }));
		times(32, (i) => b.change({ id: `own${i}`, edits: [{ oldText: `${i}`, newText: `${i}.` }] }));
		times(n, (i) =>
			b.read(`[readcache: lines 1-101 of 101 in 2 parts; ${i}]`, {
				mode: "diff", served: sha256(text), base: sha256(text), pieced: { pieces: 2, rests, calls: times(32, (k) => `own${k}`) },
			}),
		);
	},
	"pieced answers that rest on nothing": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		const rests = times(32, (i) => hashNumber(i).slice(0, 32));
		times(n, (i) => b.read(`parts ${i}`, { mode: "diff", served: sha256(text), base: sha256(text), pieced: { pieces: 2, rests } }));
	},
	"pieced answers in a row": (b, n, text) => {
		b.read(text, { served: sha256(text) });
		let before = sha256(text).slice(0, 32);
		times(n, (i) => {
			const answer = `[readcache: lines 1-101 of 101 in 1 part; + is text, you have the rest]\n@@ -1,101 +1,101 @@ unchanged, ${i}`;
			b.read(answer, { mode: "diff", served: sha256(text), base: sha256(text), pieced: { pieces: 1, rests: [before] } });
			before = sha256(answer).slice(0, 32);
		});
	},
	// A claim of a few words may be about all lines of a long file.
	"markers of a long file": (b, n) => {
		const { text, served, total } = longFile(n);
		b.read(text, { served, total });
		times(n, () => b.read(`[readcache: unchanged, ${total} lines]`, { mode: "unchanged", served, base: served, total }));
	},
	"markers of a part of a long file": (b, n) => {
		const { text, served, total } = longFile(n);
		b.read(text, { served, total });
		times(n, (i) => {
			const last = total - 1 - (i % 7);
			b.read(`[readcache: unchanged in lines 1-${last} of ${total}]`, { mode: "unchanged_range", served, base: served, total, lines: [1, last] });
		});
	},
	"diffs of a long file": (b, n) => {
		const { text, served, total } = longFile(n);
		b.read(text, { served, total });
		let base = served;
		times(n, (i) => {
			const now = sha256(text.replace("first\n", `first ${i}\n`));
			const diff = `[readcache: 1 lines changed of ${total}]\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-${i ? `first ${i - 1}` : "first"}\n+first ${i}\n`;
			b.read(diff, { mode: "diff", served: now, base, total });
			base = now;
		});
	},
	"a long file that was written": (b, n) => {
		const { text, served, total } = longFile(n);
		b.change({ content: text, id: "write" });
		const pieced = { pieces: 1, rests: [], calls: ["write"] };
		times(n, () => b.read(`[readcache: unchanged since you wrote it, ${total} lines]`, { mode: "diff", served, base: served, total, pieced }));
	},
	"own edits in a long file": (b, n) => {
		const { text, served: base, total } = longFile(n);
		const served = sha256(text.replace("first", "second"));
		b.read(text, { served: base, total });
		b.change({ edits: [{ oldText: "first", newText: "second" }], id: "edit" });
		const pieced = { pieces: 1, rests: [sha256(text).slice(0, 32)], calls: ["edit"] };
		const answer = `[readcache: your edits are in place: line 1; nothing else changed; ${total} lines]`;
		times(n, () => b.read(answer, { mode: "diff", served, base, total, pieced }));
	},
	"pieces of a long file": (b, n) => {
		const { text, served, total } = longFile(n);
		b.read(text, { served, total });
		const pieced = { pieces: 1, rests: [sha256(text).slice(0, 32)] };
		const answer = `[readcache: lines 1-${total} of ${total} in 1 part; + is text, all other lines are as shown before or as you wrote them]\n@@ -1,${total} +1,${total} @@ unchanged`;
		times(n, () => b.read(answer, { mode: "diff", served, base: served, total, pieced }));
	},
	"reads of one file": (b, n, text) => times(n, () => b.read(text, { served: sha256(text) })),
};

export const TEXT = times(100, (i) => `line ${i + 1} of the file\n`).join("");
export const OTHER = TEXT.replace("line 7 of", "line seven of");

/** The branch of SHAPE at size N for the file PATH. */
export function branchOf(shape, n, path) {
	const branch = new Branch(path);
	shapes[shape](branch, n, TEXT, OTHER);
	return branch;
}
