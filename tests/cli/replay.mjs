// `readcache replay`: the trust of a leaf, worked out by hand from SPEC.md sections 5 to 8.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Rng } from "../history/rng.mjs";
import { changeLine, harmless, lines, parsed, Recording } from "./recording.mjs";

const MODES = ["full", "unchanged", "unchanged_range", "diff", "baseline_fallback"];
const file = lines(40);
const other = changeLine(file, 9);
const hash = (text) => createHash("sha256").update(text).digest("hex");

const replay = (context, path, ...args) => parsed(context.run(["replay", "--json", path, ...args]));

/** What is trusted, as [path, scope, hash, seq], and what is ignored, as [id, words of the reason]. */
function check(found, recording, { trust, ignored = [], boundary = null, modes = {} }) {
	const told = found.trust.map(({ path, scope, hash, seq }) => [path.slice(recording.cwd.length + 1), scope, hash, seq]);
	assert.deepEqual(told, trust.map(([path, scope, text, seq]) => [path, scope, hash(text), seq]), "trust");
	assert.deepEqual(found.ignored.map(({ entryId }) => entryId), ignored.map(([id]) => id), "ignored");
	for (const [i, [, why]] of ignored.entries()) assert.match(found.ignored[i].why, why);
	assert.equal(found.boundary.entryId, boundary, "boundary");
	assert.deepEqual(found.modes, Object.fromEntries(MODES.map((mode) => [mode, modes[mode] ?? 0])), "modes");
}

function begin(context, text = file) {
	const recording = new Recording(context);
	recording.write("a.txt", text);
	recording.user();
	return recording;
}

/** The entry of a read result, to be changed as others might. */
const entryOf = (recording, id) => recording.live.entries.find((entry) => entry.id === id);

export const tests = [
	{
		name: "the shape of --json",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			const found = replay(context, recording.save());
			assert.deepEqual(Object.keys(found), ["v", "leafId", "boundary", "trust", "modes", "ignored"]);
			assert.equal(found.v, 1);
			assert.equal(found.leafId, recording.live.leafId);
			assert.deepEqual(found.boundary, { entryId: null, index: 0 });
			assert.deepEqual(found.trust, [{ path: join(recording.cwd, "a.txt"), scope: "full", hash: hash(file), seq: 1 }]);
			assert.deepEqual(Object.keys(found.modes), MODES);
			assert.deepEqual(found.ignored, []);
		},
	},
	{
		name: "full, marker, range, diff",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt"); // 1: full = file
			recording.read("a.txt"); // 2: full = file
			recording.read("a.txt", { offset: 5, limit: 3 }); // 3: r:5:7 = file
			recording.write("a.txt", other);
			recording.read("a.txt"); // 4: full = other, by a diff
			const trust = [["a.txt", "full", other, 4], ["a.txt", "r:5:7", file, 3]];
			const modes = { full: 1, unchanged: 1, unchanged_range: 1, diff: 1 };
			check(replay(context, recording.save()), recording, { trust, modes });
		},
	},
	{
		name: "every leaf of a fork, by itself and by --all-leaves",
		run(context) {
			const recording = begin(context);
			const first = recording.read("a.txt"); // 1
			recording.read("a.txt", { offset: 1, limit: 2 }); // 2, on the first branch only
			const left = recording.live.leafId;
			recording.navigate(first);
			recording.write("a.txt", other);
			recording.read("a.txt"); // 2, on the second one: a diff
			const right = recording.live.leafId;
			const path = recording.save();
			check(replay(context, path, "--leaf", left), recording, {
				trust: [["a.txt", "full", file, 1], ["a.txt", "r:1:2", file, 2]],
				modes: { full: 1, unchanged_range: 1 },
			});
			check(replay(context, path, "--leaf", right), recording, { trust: [["a.txt", "full", other, 2]], modes: { full: 1, diff: 1 } });
			check(replay(context, path, `--leaf=${first}`), recording, { trust: [["a.txt", "full", file, 1]], modes: { full: 1 } });
			const all = replay(context, path, "--all-leaves");
			assert.deepEqual(Object.keys(all), ["v", "leaves"]);
			assert.deepEqual(all.leaves.map(({ leafId }) => leafId), [left, right]);
			for (const leaf of all.leaves) {
				const { v, ...alone } = replay(context, path, "--leaf", leaf.leafId);
				assert.deepEqual(leaf, alone);
			}
			const { leafId } = replay(context, path);
			assert.equal(leafId, right, "without --leaf the last entry");
		},
	},
	{
		name: "nothing before the latest compaction counts",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			recording.compact();
			recording.read("a.txt");
			const boundary = recording.compact();
			const none = replay(context, recording.save());
			check(none, recording, { trust: [], boundary });
			assert.equal(none.boundary.index, recording.live.entries.length, "the first entry that counts");
			recording.read("a.txt", { offset: 3, limit: 2 });
			check(replay(context, recording.save()), recording, { trust: [["a.txt", "r:3:4", file, 1]], boundary, modes: { full: 1 } });
		},
	},
	{
		name: "T1: what the host cut is no whole file",
		run(context) {
			const recording = begin(context, lines(3000));
			recording.read("a.txt");
			const [[, scope]] = replay(context, recording.save()).trust.map(({ path, scope }) => [path, scope]);
			assert.match(scope, /^r:1:\d+$/);
			// an implementation that takes it for the whole file
			const id = recording.read("a.txt", { offset: 2, limit: 2 });
			const { details } = entryOf(recording, id).message;
			Object.assign(details, { truncation: { truncated: true, outputLines: 7 } });
			const found = replay(context, recording.save());
			assert.deepEqual(found.trust.map((item) => item.scope), [scope]);
			assert.deepEqual(found.ignored.map(({ entryId }) => entryId), [id]);
			assert.match(found.ignored[0].why, /cut/);
		},
	},
	{
		name: "T4: context edits of results and of messages that asked, failed messages",
		run(context) {
			const recording = begin(context);
			const first = recording.read("a.txt"); // 1
			const second = recording.read("a.txt", { offset: 5, limit: 3 }); // 2
			const asked = recording.asked;
			const third = recording.read("a.txt", { offset: 9, limit: 3 }); // 3
			const [fourth] = recording.batch([{ path: "a.txt", offset: 20, limit: 3 }], { stopReason: "aborted" }); // 4
			const trust = [["a.txt", "full", file, 1], ["a.txt", "r:5:7", file, 2], ["a.txt", "r:9:11", file, 3]];
			const modes = { full: 1, unchanged_range: 3 };
			const aborted = [fourth, /call/];
			check(replay(context, recording.save()), recording, { trust, modes, ignored: [aborted] });
			recording.edit(asked);
			check(replay(context, recording.save()), recording, { trust: [trust[0], trust[2]], modes, ignored: [[second, /call/], aborted] });
			recording.edit(first, "nothing");
			// with the text the markers that spoke of it are gone
			const ignored = [[first, /edit/], [second, /call/], [third, /base/], aborted];
			check(replay(context, recording.save()), recording, { trust: [], modes, ignored });
			recording.read("a.txt"); // 5
			const unknown = recording.both((session) => session.append({ type: "context_edit", targetId: 7 }));
			check(replay(context, recording.save()), recording, {
				trust: [],
				modes: { ...modes, full: 2 },
				ignored: [...ignored, [unknown, /target cannot be told/]],
			});
		},
	},
	{
		name: "T7: refreshes",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt"); // 1
			recording.read("a.txt", { offset: 5, limit: 3 }); // 2
			recording.refresh({ path: "a.txt", offset: 5, limit: 3 });
			check(replay(context, recording.save()), recording, { trust: [["a.txt", "full", file, 1]], modes: { full: 1, unchanged_range: 1 } });
			recording.read("a.txt", { offset: 5, limit: 3 }); // 3: the text
			const trust = [["a.txt", "full", file, 1], ["a.txt", "r:5:7", file, 3]];
			check(replay(context, recording.save()), recording, { trust, modes: { full: 2, unchanged_range: 1 } });
			recording.refresh({ path: "a.txt" });
			check(replay(context, recording.save()), recording, { trust: [], modes: { full: 2, unchanged_range: 1 } });
			recording.read("a.txt");
			const torn = recording.both((session) => session.custom({ customType: "pi-readcache", data: { v: 1, kind: "invalidate" } }));
			check(replay(context, recording.save()), recording, {
				trust: [],
				modes: { full: 3, unchanged_range: 1 },
				ignored: [[torn, /invalidation/]],
			});
		},
	},
	{
		name: "T9 and T12: results that others changed",
		run(context) {
			const recording = begin(context);
			recording.write("b.txt", file);
			recording.read("b.txt"); // 1
			const first = recording.read("a.txt"); // 2
			entryOf(recording, first).message.content = [{ type: "text", text: "[pruned]" }];
			const second = recording.read("a.txt", { offset: 2, limit: 1 });
			const trust = [["a.txt", "r:2:2", file, 3], ["b.txt", "full", file, 1]];
			check(replay(context, recording.save()), recording, { trust, modes: { full: 3 }, ignored: [[first, /text/]] });
			delete entryOf(recording, second).message.details;
			check(replay(context, recording.save()), recording, {
				trust: [trust[1]],
				modes: { full: 2 },
				ignored: [[first, /text/], [second, /metadata/]],
			});
		},
	},
	{
		name: "a marker whose base was never shown",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			const marker = recording.read("a.txt");
			recording.live.entries.splice(1, 2); // the first call and its result
			recording.live.entries[1].parentId = recording.live.entries[0].id;
			check(replay(context, recording.save()), recording, { trust: [], modes: { unchanged: 1 }, ignored: [[marker, /base/]] });
		},
	},
	{
		name: "T8: what cannot be read ends the branch; a leaf that cannot be read has no trust",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			const broken = recording.user("to be broken");
			const asked = recording.live.entries.length;
			recording.read("a.txt", { offset: 2, limit: 2 });
			const path = recording.save();
			const whole = readFileSync(path, "latin1");
			writeFileSync(path, whole.replace("to be broken", "to be \xff broken"), "latin1");
			const found = replay(context, path);
			check(found, recording, { trust: [], modes: { unchanged_range: 1 }, ignored: [[recording.live.leafId, /base/]] });
			assert.deepEqual(found.boundary, { entryId: null, index: 0 });
			assert.match(context.run(["replay", path]).stdout, /cannot be read/);
			const leaf = context.run(["replay", path, "--leaf", broken]);
			assert.deepEqual([leaf.status, leaf.stdout], [1, ""], asked);
			assert.match(leaf.stderr, /cannot be read/);
		},
	},
	{
		name: "T8: an id twice, and a circle",
		run(context) {
			const recording = begin(context);
			const first = recording.read("a.txt");
			const { entries } = recording.live;
			entries.push({ ...entries[0] });
			const twice = context.run(["replay", "--json", recording.save()]);
			assert.deepEqual([twice.status, twice.stdout], [1, ""]);
			entries.pop();
			entries[0].parentId = first;
			const circle = context.run(["replay", "--json", recording.save()]);
			assert.deepEqual([circle.status, circle.stdout], [1, ""]);
			assert.match(circle.stderr, /^readcache: .+\n$/);
		},
	},
	{
		name: "--all-leaves --json names also a leaf that cannot be replayed",
		run(context) {
			const recording = begin(context);
			const first = recording.read("a.txt");
			recording.live.entries.push({ type: "x", id: "twin", parentId: first }, { type: "x", id: "twin", parentId: first });
			const { status, stdout, stderr } = context.run(["replay", "--all-leaves", "--json", recording.save()]);
			assert.equal(status, 1);
			assert.match(stderr, /twin/);
			for (const leaf of JSON.parse(stdout).leaves) assert.equal(leaf.leafId, "twin");
		},
	},
	{
		name: "junk lines, a torn last line, entries of unknown types: the trust stays",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			recording.live.append({ type: "a_type_of_tomorrow", data: { x: "\ud800" } });
			const path = recording.save();
			appendFileSync(path, 'no JSON\n\n{"type":"message","id":"torn","mess');
			check(replay(context, path), recording, { trust: [["a.txt", "full", file, 1]], modes: { full: 1 } });
		},
	},
	{
		name: "version 1: entries are named by their lines",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			for (const entry of recording.live.entries) {
				delete entry.id;
				delete entry.parentId;
			}
			const path = recording.save();
			writeFileSync(path, readFileSync(path, "utf8").replace('"version":3,', ""));
			const found = replay(context, path);
			assert.equal(found.leafId, "#4");
			check(found, recording, { trust: [["a.txt", "full", file, 1]], modes: { full: 1 } });
			check(replay(context, path, "--leaf", "#3"), recording, { trust: [] });
		},
	},
	{
		name: "what status counts for the same leaf, along random histories",
		run(context) {
			for (let seed = 1; seed <= 2; seed++) {
				const rng = new Rng(seed);
				const recording = new Recording(context, `p${seed}`);
				const results = [];
				recording.write("a.txt", file);
				for (let i = 0; i < 25; i++) {
					const step = rng.from(1, 12);
					if (step <= 5) results.push(recording.read("a.txt"));
					else if (step <= 8) results.push(recording.read("a.txt", { offset: rng.from(1, 4), limit: 3 }));
					else if (step <= 9) recording.write("a.txt", changeLine(file, rng.from(1, 20), `v${i}`));
					else if (step <= 10 && results.length > 0) recording.edit(rng.pick(results), rng.chance(0.5) ? "x" : null);
					else if (step <= 11 && results.length > 0) recording.navigate(rng.pick(results));
					else recording.refresh({ path: "a.txt", offset: 1, limit: 3 });
				}
				const path = recording.save();
				for (const { leafId, trust, modes } of replay(context, path, "--all-leaves").leaves) {
					const { status } = recording.ask({ op: "status", session: { file: path, leafId } });
					assert.deepEqual({ scopes: status.scopes, modes: status.modes }, { scopes: trust.length, modes }, leafId);
				}
			}
		},
	},
	{
		name: "for people",
		run(context) {
			const recording = begin(context);
			const first = recording.read("a.txt");
			recording.read("a.txt", { offset: 5, limit: 3 });
			recording.edit(first);
			const { status, stdout, stderr } = context.run(["replay", recording.save()]);
			assert.deepEqual([status, stderr], [0, ""]);
			assert.match(stdout, new RegExp(`^leaf: ${recording.live.leafId}\n`));
			assert.match(stdout, /^counts from: the beginning, 6 of 6 entries of the branch$/m);
			assert.match(stdout, /^trusted: 0 scopes of 0 files$/m);
			assert.match(stdout, new RegExp(`^ {2}${first} {2}\\S`, "m"));
			recording.read("a.txt");
			const again = context.run(["replay", recording.save()]).stdout;
			assert.match(again, new RegExp(`^ {2}${hash(file).slice(0, 12)} {2}${recording.cwd}/a.txt$`, "m"));
			assert.match(context.run(["replay", "--all-leaves", recording.save()]).stdout, /^leaf: /);
		},
	},
	{
		name: "names and ids from a session cannot reach the terminal",
		run(context) {
			const recording = new Recording(context);
			const name = "a\u001b[31m\nb\u0007.txt";
			recording.write(name, file);
			recording.user();
			recording.read(name);
			recording.live.entries.at(-1).id = "id\u001b[2J\u0007";
			harmless(context.run(["replay", recording.save()]).stdout);
			const { trust } = replay(context, recording.save());
			assert.equal(trust[0].path, join(recording.cwd, name));
			// a leaf that cannot be replayed is named in a message
			recording.live.entries.push({ ...recording.live.entries.at(-1) });
			const twice = context.run(["replay", recording.save()]);
			assert.equal(twice.status, 1);
			harmless(twice.stderr);
		},
	},
	{
		name: "no entries",
		run(context) {
			const recording = new Recording(context);
			const path = recording.save();
			const { status, stdout, stderr } = context.run(["replay", path]);
			assert.deepEqual([status, stdout], [2, ""]);
			assert.match(stderr, /no entries/);
			assert.deepEqual(replay(context, path, "--all-leaves"), { v: 1, leaves: [] });
		},
	},
	{
		name: "files and options that cannot be used",
		run(context) {
			mkdirSync(join(context.dir, "folder"));
			writeFileSync(join(context.dir, "empty"), "");
			writeFileSync(join(context.dir, "notes.txt"), "no session\n");
			spawnSync("mkfifo", [join(context.dir, "fifo")]);
			for (const name of ["folder", "empty", "notes.txt", "fifo", "missing"]) {
				const { status, stdout, stderr } = context.run(["replay", name]);
				assert.deepEqual([status, stdout], [2, ""], name);
				assert.match(stderr, new RegExp(`^readcache: ${name}: .+\n$`), name);
			}
			const recording = begin(context);
			const path = recording.save("live", "-s.jsonl");
			for (const args of [[], [path, path], ["--leaf"], [path, "--leaf", "x", "--all-leaves"], [path, "--leaf", "nobody"], ["--nonsense", path]]) {
				const { status, stdout, stderr } = context.run(["replay", ...args]);
				assert.deepEqual([status, stdout], [2, ""], args.join(" "));
				assert.notEqual(stderr, "");
			}
			assert.equal(context.run(["replay", "--", "-s.jsonl"]).status, 0);
		},
	},
];
