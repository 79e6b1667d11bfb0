// bench/savings: recorded sessions, answered once more by the engine, with their files rebuilt from what they show.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readSession, replay } from "../../bench/replay.mjs";
import { bytes, changeLine, lines } from "./recording.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const file = lines(40);
const linesOf = (text, first, last) => text.split("\n").slice(first - 1, last).join("\n");

/** A session as a host without readcache writes it. */
class Recorded {
	entries = [];

	#add(entry) {
		const before = this.entries.at(-1)?.id ?? null;
		this.entries.push({ id: `e${this.entries.length}`, parentId: before, ...entry });
	}

	call(name, args, text, { usage, isError = false } = {}) {
		const id = `call-${this.entries.length}`;
		this.#add({ type: "message", message: { role: "assistant", content: [{ type: "toolCall", id, name, arguments: args }], usage, model: "m", provider: "p" } });
		this.#add({ type: "message", message: { role: "toolResult", toolCallId: id, toolName: name, content: [{ type: "text", text }], isError } });
		return this;
	}

	read(args, text, more) {
		return this.call("read", typeof args === "string" ? { path: args } : args, text, more);
	}

	/** Lines FIRST to LAST of TEXT, with the host's notice. */
	range(path, text, first, last) {
		const rest = text.split("\n").length - last;
		return this.read({ path, offset: first, limit: last - first + 1 }, `${linesOf(text, first, last)}\n\n[${rest} more lines in file. Use offset=${last + 1} to continue.]`);
	}

	edit(path, oldText, newText, said = "Successfully replaced 1 block(s).", more = {}) {
		return this.call("edit", { path, edits: [{ oldText, newText }] }, said, more);
	}

	say(usage) {
		this.#add({ type: "message", message: { role: "assistant", content: [], usage, model: "m", provider: "p" } });
		return this;
	}

	compaction(firstKeptEntryId) {
		this.#add({ type: "compaction", summary: "", firstKeptEntryId });
		return this;
	}

	save({ dir }, name) {
		const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/work/project" };
		writeFileSync(join(dir, name), [header, ...this.entries].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
		return join(dir, name);
	}
}

/** What each read gets under POLICY. */
async function answers(context, recorded, policy) {
	const { answers: all, remove } = await replay(readSession(recorded.save(context, `${policy}.jsonl`)), policy);
	remove();
	return all.map(({ mode, reason }) => (reason === undefined ? mode : `${mode} (${reason})`));
}

export const tests = [
	{
		name: "each read is weighed by the requests that carry it, up to a barrier",
		run(context) {
			const usage = (input, cacheRead, cacheWrite) => ({ input, cacheRead, cacheWrite });
			const dir = join(context.dir, "corpus");
			mkdirSync(dir);
			// The first read: written to the cache, read twice; the second one, of a marker: read once, then compacted away.
			new Recorded()
				.read("a", file, { usage: usage(1, 0, 99) })
				.say(usage(1, 0, 99))
				.read("a", file, { usage: usage(1, 0, 99) })
				.say(usage(1, 99, 0))
				.compaction("e3")
				.say(usage(200, 0, 0))
				.save(context, "corpus/s.jsonl");
			const told = spawnSync(process.execPath, [join(ROOT, "bench/savings.mjs"), "--json", dir], { encoding: "utf8" });
			assert.equal(told.status, 0, told.stderr);
			const [{ sessions, policies }] = JSON.parse(told.stdout);
			const { saved, kinds, reads, violations } = policies.strict;
			assert.deepEqual([sessions, reads, violations], [1, 2, 0]);
			const size = bytes(file);
			const marker = bytes("[readcache: unchanged, 41 lines]");
			assert.deepEqual(saved.bytes, { baseline: 2 * size, served: size + marker });
			assert.deepEqual(kinds, { full: { reads: 1, bytes: 0 }, unchanged: { reads: 1, bytes: size - marker } });
			// carried by: the message after it, the one that asked again, the last one before the compaction; and by that one
			assert.deepEqual(saved.resent, { baseline: 4 * size, served: 3 * size + marker });
			const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
			near(saved.price.baseline, size * (1.25 + 1 + 0.1) + size * 1);
			near(saved.price.served, size * (1.25 + 1 + 0.1) + marker * 1);
		},
	},
	{
		name: "a file is what its reads and the model's calls make of it",
		async run(context) {
			const edited = file.replace("line number 12 of", "LINE TWELVE OF");
			const recorded = new Recorded()
				.read("a", file)
				.edit("a", "line number 12 of", "LINE TWELVE OF")
				.read("a", edited)
				.call("write", { path: "b", content: file }, "Successfully wrote b")
				.read("b", file);
			assert.deepEqual(await answers(context, recorded, "pieces"), ["full (first_read)", "diff (own_text)", "diff (own_text)"]);
			assert.deepEqual(await answers(context, recorded, "coverage"), ["full (first_read)", "diff (changed)", "full (first_read)"]);
		},
	},
	{
		name: "an edit in lines that were never shown is found by a later read",
		async run(context) {
			const edited = changeLine(file, 30, "somebody else's\nand one more");
			const recorded = new Recorded()
				.range("a", file, 1, 20)
				.edit("a", linesOf(file, 30, 30), "somebody else's\nand one more")
				.range("a", edited, 25, 35)
				.range("a", edited, 1, 20);
			assert.deepEqual(await answers(context, recorded, "pieces"), ["full (first_read)", "full (first_read)", "unchanged_range (own_text)"]);
		},
	},
	{
		name: "what another host replaced at every place is an edit for each",
		async run(context) {
			const edited = file.replaceAll("somebody", "nobody");
			const recorded = new Recorded()
				.read("a", file)
				.edit("a", "somebody", "nobody", "The file a has been updated. All occurrences were successfully replaced.")
				.range("a", edited, 3, 12);
			assert.deepEqual(await answers(context, recorded, "pieces"), ["full (first_read)", "unchanged_range (own_text)"]);
		},
	},
	{
		name: "what somebody else has changed is no change of the model's, and a refused edit is none at all",
		async run(context) {
			const edited = file.replace("line number 12 of", "LINE TWELVE OF");
			const formatted = edited.replace("line number 20 of", "line  number 20  of");
			const recorded = new Recorded()
				.read("a", file)
				.edit("a", "line number 12 of", "LINE TWELVE OF")
				.read("a", formatted)
				.edit("a", "no such line", "x", "Could not find the text.", { isError: true })
				.read("a", formatted);
			assert.deepEqual(await answers(context, recorded, "pieces"), ["full (first_read)", "diff (changed)", "baseline_fallback (failed_edit)"]);
		},
	},
	{
		name: "a read that is not the host's, or older than it, is counted as it was; an older notice is understood",
		async run(context) {
			const old = `${linesOf(file, 1, 20)}\n\n[21 more lines in file. Use offset=21 to continue]`;
			const recorded = new Recorded()
				.read({ path: "a", limit: 20 }, old)
				.read({ path: "a", limit: 20 }, old)
				.read({ path: "b", limit: 20 }, "     1\tnumbered\n     2\tby another host\n[there is more]\n\n[Use some=3.]")
				.call("read", { path: "c" }, "no such file", { isError: true });
			assert.deepEqual(await answers(context, recorded, "strict"), ["full (first_read)", "unchanged_range (same_file)", "full (first_read)"]);
		},
	},
];
