// readcache audit: lies are found, and what it prints can be read. Many sessions: audit-sweep.mjs.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../lib/session.mjs";
import { audit, fixture } from "./audit/ask.mjs";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** Metadata of the known TypeScript implementation: no textHash, and whatever was read is "full". */
const foreign = (path, mode, content, { scope = "full", first = 1, last } = {}) => {
	const total = content.split("\n").length;
	const hash = sha256(content);
	const base = mode === "full" ? {} : { baseHash: hash };
	const range = { rangeStart: first, rangeEnd: last ?? total };
	return { v: 1, pathKey: path, scopeKey: scope, servedHash: hash, ...base, mode, totalLines: total, ...range, bytes: content.length };
};

class Foreign extends Session {
	#calls = 0;

	read(args, text, readcache) {
		const id = `call${++this.#calls}`;
		this.call(args, id);
		return this.result({ content: [{ type: "text", text }], details: { readcache } }, id).id;
	}
}

const numbered = (n) => Array.from({ length: n }, (_, i) => `line ${i + 1}`);

/** A long file, of which pi shows 2,000 lines, counted as seen whole. */
function truncatedAsFull() {
	const session = new Foreign();
	const lines = numbered(3001);
	const content = lines.join("\n");
	const shown = `${lines.slice(0, 2000).join("\n")}\n\n[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]`;
	session.user("go");
	session.read({ path: "big.log" }, shown, foreign("/w/big.log", "full", content));
	const scope = { scope: "r:2001:3001", first: 2001, last: 3001 };
	const rest = session.read({ path: "big.log", offset: 2001 }, "[readcache: unchanged in lines 2001-3001 of 3001]", foreign("/w/big.log", "unchanged_range", content, scope));
	const whole = session.read({ path: "big.log" }, "[readcache: unchanged, 3001 lines]", foreign("/w/big.log", "unchanged", content));
	session.read({ path: "big.log", offset: 7, limit: 4 }, "[readcache: unchanged in lines 7-10 of 3001]", foreign("/w/big.log", "unchanged_range", content, { scope: "r:7:10", first: 7, last: 10 }));
	return { session, rest, whole };
}

const hashOf = (text) => sha256(text).slice(0, 32);

/**
 * A file of ten lines that was read, in which the model then puts a line before the fourth and changes the eighth; and
 * the ANSWER to a read of lines 6 to 11 after that. NOW: what its metadata says that the file is then.
 */
function afterEdits(answer, now) {
	const session = new Foreign();
	const old = "a b c d e f g h i j".split(" ").join("\n");
	const meta = { ...foreign("/w/x", "full", old), textHash: hashOf(old), textBytes: old.length };
	session.user("go");
	session.read({ path: "x" }, old, meta);
	const edits = [{ oldText: "c\nd", newText: "c\nnew\nd" }, { oldText: "h", newText: "H" }];
	const call = { type: "toolCall", id: "edit1", name: "edit", arguments: { path: "x", edits } };
	session.append({ type: "message", message: { role: "assistant", content: [call], stopReason: "toolUse" } });
	session.result({ content: [{ type: "text", text: "done" }] }, "edit1", { toolName: "edit" });
	const about = { ...foreign("/w/x", "unchanged_range", now, { scope: "r:6:11", first: 6, last: 11 }), baseHash: sha256(old) };
	const told = { textHash: hashOf(answer), textBytes: answer.length, rests: [meta.textHash], pieces: 3, calls: ["edit1"] };
	const entryId = session.read({ path: "x", offset: 6, limit: 6 }, answer, { ...about, ...told });
	return { session, entryId };
}

const cases = {
	"an edit in place beside lines that it has moved": ({ dir, run }) => {
		const now = "a b c new d e f g H i j".split(" ").join("\n");
		const other = now.replace("f", "F");
		const inPlace = (place) => `[readcache: your edits are in place: line ${place}; nothing else changed in lines 6-11 of 11]`;
		const parts = (at) => [
			"[readcache: lines 6-11 of 11 in 3 parts; + is text, you have the rest]",
			`@@ -5,${at - 6} +6,${at - 6} @@ unchanged`,
			`@@ +${at},1 @@ as you wrote it`,
			`@@ -${at},${11 - at} +${at + 1},${11 - at} @@ unchanged`,
		].join("\n");
		const rows = [
			[inPlace(9), now],
			[inPlace(10), now, "the model changed line 9, too"],
			[inPlace(8), now, "the model did not write line 8"],
			[inPlace(9), other, "what the model wrote is another version of the file"],
			[parts(9), now],
			[parts(8), now, "the model did not write line 8"],
		];
		for (const [text, file, why] of rows) {
			const { session, entryId } = afterEdits(text, file);
			session.save(join(dir, "s.jsonl"), "/w");
			const { compact, violations } = audit(run, ["s.jsonl"]);
			assert.equal(compact, 1);
			assert.deepEqual(violations, why ? [{ entryId, path: "/w/x", scope: "r:6:11", why }] : [], text);
		}
	},

	"a truncated read that was counted as full": ({ dir, run }) => {
		const { session, rest, whole } = truncatedAsFull();
		session.save(join(dir, "s.jsonl"), "/w");
		const why = "lines 2001-3001 were never shown";
		assert.deepEqual(audit(run, ["s.jsonl"]), {
			status: 1,
			v: 1,
			answers: 4,
			compact: 3,
			violations: [
				{ entryId: rest, path: "/w/big.log", scope: "r:2001:3001", why },
				{ entryId: whole, path: "/w/big.log", scope: "full", why },
			],
			losses: [],
		});
	},

	"as text": ({ dir, run }) => {
		const { session, rest, whole } = truncatedAsFull();
		session.save(join(dir, "s.jsonl"), "/w");
		const { status, stdout, stderr } = run(["audit", "s.jsonl", fixture("sound.jsonl")]);
		assert.equal(stderr, "");
		assert.equal(status, 1);
		assert.equal(
			stdout,
			[
				"s.jsonl: 4 reads, 3 compact, 2 violations",
				`  ${rest}  /w/big.log lines 2001-3001: lines 2001-3001 were never shown`,
				`  ${whole}  /w/big.log: lines 2001-3001 were never shown`,
				`${fixture("sound.jsonl")}: 3 reads, 2 compact, no violation`,
				"all 2 sessions: 7 reads, 5 compact, 2 violations",
				"",
			].join("\n"),
		);
		assert.equal(run(["audit", "-q", fixture("sound.jsonl")]).stdout, "");
	},

	"a line too long, then unchanged": ({ dir, run }) => {
		const session = new Foreign();
		const content = "z".repeat(60000);
		session.read({ path: "x" }, "[Line 1 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '1p' x | head -c 51200]", foreign("/w/x", "full", content));
		const id = session.read({ path: "x" }, "[readcache: unchanged, 1 lines]", foreign("/w/x", "unchanged", content));
		session.save(join(dir, "s.jsonl"), "/w");
		const { violations } = audit(run, ["s.jsonl"]);
		assert.deepEqual(violations, [{ entryId: id, path: "/w/x", scope: "full", why: "nothing of the file was shown" }]);
	},

	"a marker on the other branch, and on the same one": ({ dir, run }) => {
		const session = new Foreign();
		const content = "a\nb\n";
		const root = session.user("go").id;
		session.read({ path: "x" }, content, foreign("/w/x", "full", content));
		session.read({ path: "x" }, "[readcache: unchanged, 3 lines]", foreign("/w/x", "unchanged", content));
		session.navigate(root);
		const id = session.read({ path: "./x" }, "[readcache: unchanged, 3 lines]", foreign("/w/x", "unchanged", content));
		session.save(join(dir, "s.jsonl"), "/w");
		const { violations } = audit(run, ["s.jsonl"]);
		assert.deepEqual(violations.map(({ entryId }) => entryId), [id]);
	},

	"a path with a range behind it": ({ dir, run }) => {
		const session = new Foreign();
		session.read({ path: "x:2-3" }, "b\nc\n\n[1 more lines in file. Use offset=4 to continue.]", undefined);
		session.read({ path: "/w/x:2-3" }, "[readcache: unchanged in lines 2-3 of 4]", undefined);
		const id = session.read({ path: "x:2-4" }, "[readcache: unchanged in lines 2-4 of 4]", undefined);
		session.save(join(dir, "s.jsonl"), "/w");
		const { compact, violations } = audit(run, ["s.jsonl"]);
		assert.equal(compact, 2);
		assert.deepEqual(violations, [{ entryId: id, path: "/w/x", scope: "r:2:4", why: "line 4 was never shown" }]);
	},

	"files that cannot be used": ({ dir, run }) => {
		writeFileSync(join(dir, "no.jsonl"), "hello\n");
		mkdirSync(join(dir, "d"));
		const { status, stdout, stderr } = run(["audit", "no.jsonl", "d", "gone.jsonl", fixture("sound.jsonl")]);
		assert.equal(status, 2);
		assert.match(stderr, /^readcache: no\.jsonl: .+\nreadcache: d: .+\nreadcache: gone\.jsonl: .+\n$/);
		assert.match(stdout, /3 reads, 2 compact, no violation/);
	},

	"help and usage": ({ run }) => {
		const help = run(["audit", "--help"]);
		assert.equal(help.status, 0);
		assert.match(help.stdout, /^Examples:\n/);
		const none = run(["audit"]);
		assert.equal(none.status, 2);
		assert.match(none.stderr, /See readcache audit --help\.\n$/);
	},

	"the fixture is what it should be": ({ run }) => {
		assert.equal(readFileSync(fixture("sound.jsonl"), "utf8").split("\n").length, 9);
		assert.deepEqual(audit(run, [fixture("sound.jsonl")]), { status: 0, v: 1, answers: 3, compact: 2, violations: [], losses: [] });
	},
};

export const tests = Object.entries(cases).map(([name, run]) => ({ name, run }));
