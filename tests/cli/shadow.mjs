// `readcache shadow`: what readcache would have served, against what it really serves for the same reads.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Rng } from "../history/rng.mjs";
import { bytes, changeLine, harmless, lines, parsed, Recording } from "./recording.mjs";

const FIGURES = ["reads", "baselineBytes", "servedBytes", "savedBytes", "savedRatio", "modes"];
const MODES = ["full", "unchanged", "unchanged_range", "diff", "baseline_fallback", "plain"];
const file = lines(40);

const shadow = (context, ...args) => parsed(context.run(["shadow", "--json", ...args]));

const modes = (some) => Object.fromEntries(MODES.map((mode) => [mode, some[mode] ?? 0]));

/** The figures of the session without readcache are those of the one with it. */
function agrees(recording, what) {
	const found = shadow(recording.context, "--policy", recording.policy ?? "pieces", recording.save("plain"));
	const real = recording.sums();
	const wanted = { ...real, modes: modes(real.modes) };
	const { reads, baselineBytes, servedBytes } = found;
	assert.deepEqual({ reads, baselineBytes, servedBytes, modes: found.modes }, wanted, what);
	assert.equal(found.savedBytes, baselineBytes - servedBytes);
	for (const { path, ...sum } of found.files) {
		const own = recording.reads.filter((read) => join(recording.cwd, read.path) === path);
		const expected = recording.sums(own);
		assert.deepEqual(
			[sum.reads, sum.baselineBytes, sum.servedBytes, sum.modes],
			[expected.reads, expected.baselineBytes, expected.servedBytes, modes(expected.modes)],
			`${what ?? ""} ${path}`,
		);
	}
	return found;
}

/** A session of one read, as pi writes it: CALL's arguments and the result's content. */
function oneRead(args, content, more = {}) {
	return [
		{ type: "message", message: { role: "assistant", content: [{ type: "toolCall", id: "c", name: "read", arguments: args }] } },
		{ type: "message", message: { role: "toolResult", toolCallId: "c", toolName: "read", content, isError: false, ...more } },
	];
}

const text = (value) => [{ type: "text", text: value }];

/** A session file with these entries, one after the other. */
function saved(context, entries, { name = "s.jsonl", version = 3, cwd = "/work/project" } = {}) {
	const path = join(context.dir, name);
	const header = { type: "session", version, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd };
	const chained = entries.map((entry, i) =>
		version === 1 ? entry : { id: `e${i}`, parentId: i > 0 ? `e${i - 1}` : null, ...entry },
	);
	writeFileSync(path, [header, ...chained].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
	return path;
}

/** Steps of a random history. Every version of a file has a number of lines of its own: see the limit below. */
function wander(recording, rng, steps, { ranges }) {
	const versions = { "a.txt": [], "b.txt": [] };
	const results = [];
	const write = (name) => {
		const known = versions[name];
		if (known.length > 1 && rng.chance(0.3)) return recording.write(name, rng.pick(known)); // changed back
		const from = known.at(-1) ?? lines(rng.from(5, 60), name);
		const version = `${changeLine(from, rng.from(1, 20), `changed ${known.length}`)}one more ${known.length}\n`;
		known.push(version);
		return recording.write(name, version);
	};
	for (const name of Object.keys(versions)) write(name);
	recording.user();
	for (let i = 0; i < steps; i++) {
		const name = rng.pick(Object.keys(versions));
		const step = rng.from(1, 20);
		if (step <= 7) results.push(recording.read(name));
		else if (step <= 11) results.push(recording.read(name, ranges ? { offset: rng.from(1, 3) * 2, limit: rng.from(1, 2) * 3 } : {}));
		else if (step <= 12) results.push(...recording.batch([{ path: name }, { path: name, ...(ranges && { offset: 2, limit: 3 }) }, { path: name }]));
		else if (step <= 15) write(name);
		else if (step <= 16) recording.compact();
		else if (step <= 17 && results.length > 0) recording.edit(rng.pick(results), rng.chance(0.5) ? "gone" : null);
		else if (step <= 18 && results.length > 0) recording.navigate(rng.pick(results));
		else if (step <= 19) recording.edit(recording.asked ?? recording.user(), rng.chance(0.5) ? "gone" : null);
		else recording.refresh(rng.chance(0.5) ? { path: name } : { path: name, offset: 2, limit: 3 });
	}
}

export const tests = [
	{
		name: "the shape of --json",
		run(context) {
			const twice = (value, more) => saved(context, [...oneRead({ path: "a" }, text(value)), ...oneRead({ path: "a" }, text(value))], more);
			const line = "abc, and enough of it that a marker is shorter\n";
			const found = shadow(context, twice(line));
			assert.deepEqual(Object.keys(found).slice(0, 2), ["v", "policy"]);
			assert.equal(found.v, 1);
			assert.equal(found.policy, "pieces");
			for (const name of [...FIGURES, "violations", "strict", "files"]) assert.ok(name in found, name);
			assert.equal(found.violations, 0);
			assert.deepEqual(Object.keys(found.modes), MODES);
			assert.deepEqual(Object.keys(found.files[0]), ["path", ...FIGURES]);
			assert.equal(found.files[0].path, "/work/project/a");
			// by hand, from SPEC 9
			const marker = bytes("[readcache: unchanged, 2 lines]");
			const n = bytes(line);
			assert.equal(found.baselineBytes, 2 * n);
			assert.equal(found.servedBytes, n + marker);
			assert.equal(found.savedBytes, n - marker);
			assert.equal(found.savedRatio, Math.round(((n - marker) / (2 * n)) * 10000) / 10000);
			// a marker that would be longer than the file is not given
			const { baselineBytes, servedBytes, savedBytes, savedRatio, modes: given } = shadow(context, twice("abc\n", { name: "small.jsonl" }));
			assert.deepEqual({ baselineBytes, servedBytes, savedBytes, savedRatio }, { baselineBytes: 8, servedBytes: 8, savedBytes: 0, savedRatio: 0 });
			assert.deepEqual(given, modes({ full: 1, baseline_fallback: 1 }));
		},
	},
	{
		name: "figures worked out by hand",
		run(context) {
			const changed = changeLine(file, 9);
			const path = saved(context, [
				...oneRead({ path: "a.txt" }, text(file)),
				...oneRead({ path: "a.txt" }, text(file)),
				...oneRead({ path: "a.txt", offset: 5, limit: 3 }, text(`${file.split("\n").slice(4, 7).join("\n")}\n\n[34 more lines in file. Use offset=8 to continue.]`)),
				...oneRead({ path: "a.txt" }, text(changed)),
				...oneRead({ path: "./a.txt" }, text(changed)),
			]);
			const found = shadow(context, path);
			const l = file.split("\n");
			const diff = [
				"[readcache: 1 lines changed of 41]",
				"--- a/a.txt",
				"+++ b/a.txt",
				`@@ -6,7 +6,7 @@ ${l[4]}`,
				` ${l[5]}`, ` ${l[6]}`, ` ${l[7]}`, `-${l[8]}`, "+changed", ` ${l[9]}`, ` ${l[10]}`, ` ${l[11]}`, "",
			].join("\n");
			assert.deepEqual(found.modes, modes({ full: 1, unchanged: 2, unchanged_range: 1, diff: 1 }));
			const markers = ["[readcache: unchanged, 41 lines]", "[readcache: unchanged, 41 lines]", "[readcache: unchanged in lines 5-7 of 41]"];
			assert.equal(found.servedBytes, [file, ...markers, diff].reduce((sum, each) => sum + bytes(each), 0));
			assert.equal(found.files.length, 1, "./a.txt is a.txt");
		},
	},
	{
		name: "whole files, ranges, changes, a fork, a compaction: the bytes that a real engine serves",
		run(context) {
			const recording = new Recording(context);
			recording.write("a.txt", file);
			recording.write("b.txt", lines(3000)); // the host cuts it
			recording.user();
			const first = recording.read("a.txt");
			recording.read("a.txt");
			recording.read("a.txt", { offset: 5, limit: 3 });
			recording.read("b.txt");
			recording.read("b.txt");
			recording.read("b.txt", { offset: 2001 });
			recording.write("a.txt", changeLine(`${file}more\n`, 9));
			recording.read("a.txt");
			recording.read("a.txt", { offset: 5, limit: 3 });
			recording.navigate(first);
			recording.read("a.txt");
			recording.read("a.txt");
			recording.compact();
			recording.read("a.txt", { offset: 5, limit: 3 });
			recording.read("a.txt");
			recording.read("a.txt", { offset: 5, limit: 3 });
			const found = agrees(recording);
			assert.ok(found.modes.diff === 2 && found.modes.unchanged >= 2 && found.modes.unchanged_range >= 4);
			assert.ok(found.savedRatio > 0.3, `saved ${found.savedRatio}`);
			assert.equal(found.files[0].path, join(recording.cwd, "b.txt"), "most saved first");
		},
	},
	{
		name: "reads of one batch do not see each other",
		run(context) {
			const recording = new Recording(context);
			recording.write("a.txt", file);
			recording.user();
			recording.batch([{ path: "a.txt" }, { path: "a.txt" }, { path: "a.txt", offset: 2, limit: 2 }]);
			assert.deepEqual(recording.reads.map(({ mode }) => mode), ["full", "full", "full"]);
			recording.batch([{ path: "a.txt" }, { path: "a.txt" }]);
			agrees(recording);
		},
	},
	{
		name: "context edits, refreshes, failed messages",
		run(context) {
			const recording = new Recording(context);
			recording.write("a.txt", file);
			recording.user();
			recording.edit(recording.read("a.txt"));
			recording.read("a.txt");
			recording.edit(recording.read("a.txt", { offset: 2, limit: 4 }), "something else");
			recording.read("a.txt");
			recording.read("a.txt");
			recording.read("a.txt", { offset: 20, limit: 2 });
			recording.edit(recording.asked, "another message"); // the message that asked: its result goes, nothing is put there
			recording.read("a.txt");
			recording.refresh({ path: "a.txt", offset: 5, limit: 3 });
			recording.read("a.txt", { offset: 5, limit: 3 });
			recording.read("a.txt", { offset: 5, limit: 3 });
			recording.refresh({ path: "a.txt" });
			recording.read("a.txt");
			recording.batch([{ path: "a.txt", offset: 1, limit: 1 }], { stopReason: "aborted" });
			recording.read("a.txt", { offset: 1, limit: 1 });
			recording.batch([{ path: "a.txt" }], { stopReason: "error" });
			recording.read("a.txt");
			agrees(recording);
		},
	},
	{
		name: "an edit that is edited again: the latest counts",
		run(context) {
			const recording = new Recording(context);
			recording.write("a.txt", file);
			recording.user();
			recording.read("a.txt");
			const range = recording.read("a.txt", { offset: 2, limit: 4 });
			recording.edit(range, "another text");
			recording.edit(range, null);
			recording.read("a.txt");
			agrees(recording);
		},
	},
	// Of a version of which a recording has some lines only, nobody can tell whether it differs elsewhere, as coverage does.
	...[["strict", true], ["coverage", false]].flatMap(([policy, ranges]) =>
		Array.from({ length: Number(process.env.READCACHE_HISTORIES ?? 8) }, (_, i) => ({
			name: `random history ${i + 1}, ${policy}${ranges ? "" : ", whole files"}`,
			run(context) {
				const recording = new Recording(context, "project", { policy });
				wander(recording, new Rng(Number(process.env.READCACHE_SEED ?? 1) * 1000 + i), 30, { ranges });
				agrees(recording);
			},
		})),
	),
	{
		name: "texts that are not the host's count as served in full, and prove nothing",
		run(context) {
			const image = [{ type: "text", text: "Read image file [image/png]" }, { type: "image", data: "AAAA", mimeType: "image/png" }];
			const odd = [
				[{ path: "a", offset: 0 }, text(file)],
				[{ path: "a", limit: "5" }, text(file)],
				[{ path: "a" }, image],
				[{ path: "a" }, text("[readcache: unchanged, 3 lines]")],
				[{ path: "a" }, text(`caf\ufffd\n`)],
				[{ path: 7 }, text(file)],
				[{ path: "a" }, text("x".repeat(60000))],
				[{ path: ".env" }, text(file)],
				[{ path: "a", offset: 3 }, text("[Line 3 is 60.0KB, exceeds 50.0KB limit. Use bash: sed -n '3p' a | head -c 51200]")],
			];
			for (const [args, content] of odd) {
				const found = shadow(context, saved(context, [...oneRead(args, content), ...oneRead(args, content)]));
				const size = content.length > 1 ? 0 : 2 * bytes(content[0].text);
				assert.deepEqual([found.reads, found.baselineBytes, found.servedBytes], [2, size, size], JSON.stringify(args));
				assert.deepEqual(found.modes, modes({ plain: 2 }), JSON.stringify([args, content]).slice(0, 200));
			}
			// T12: what such a read showed voids what was known before
			const known = oneRead({ path: "a" }, text(file));
			const found = shadow(context, saved(context, [...known, ...oneRead({ path: "a" }, image), ...known, ...known]));
			assert.deepEqual(found.modes, modes({ full: 2, plain: 1, unchanged: 1 }));
		},
	},
	{
		name: "errors and results nobody asked for",
		run(context) {
			const failed = oneRead({ path: "a" }, text("ENOENT"), { isError: true });
			const [, lonely] = oneRead({ path: "a" }, text(file));
			const found = shadow(context, saved(context, [...failed, { ...lonely, message: { ...lonely.message, toolCallId: "x" } }]));
			assert.equal(found.reads, 1);
			assert.deepEqual(found.modes, modes({ plain: 1 }));
		},
	},
	{
		name: "versions 1, 2 and 3 of the session's format",
		run(context) {
			const entries = [...oneRead({ path: "a" }, text(file)), ...oneRead({ path: "a" }, text(file))];
			const [one, two, three] = [1, 2, 3].map((version) => shadow(context, saved(context, entries, { version })));
			assert.deepEqual(one, three);
			assert.deepEqual(two, three);
			assert.deepEqual(three.modes, modes({ full: 1, unchanged: 1 }));
		},
	},
	{
		name: "several sessions: sums, one line for a file, nothing known from another session",
		run(context) {
			const read = oneRead({ path: "a" }, text(file));
			const [x, y] = ["x.jsonl", "y.jsonl"].map((name) => saved(context, [...read, ...read], { name }));
			const one = shadow(context, x);
			const both = shadow(context, x, y);
			assert.equal(both.sessions, 2);
			assert.deepEqual(both.modes, modes({ full: 2, unchanged: 2 }));
			assert.equal(both.servedBytes, 2 * one.servedBytes);
			assert.equal(both.savedRatio, one.savedRatio);
			assert.deepEqual(both.files.map(({ path, reads }) => [path, reads]), [["/work/project/a", 4]]);
		},
	},
	{
		name: "a session without reads",
		run(context) {
			const found = shadow(context, saved(context, []));
			assert.deepEqual(
				[found.reads, found.baselineBytes, found.servedBytes, found.savedBytes, found.savedRatio, found.files],
				[0, 0, 0, 0, 0, []],
			);
			const { status, stdout } = context.run(["shadow", saved(context, [])]);
			assert.equal(status, 0);
			assert.doesNotMatch(stdout, /NaN|inf|\n\n/);
		},
	},
	{
		name: "for people: says how many reads, bytes and files, and no more files than asked for",
		run(context) {
			const entries = Array.from({ length: 15 }, (_, i) => [0, 1].flatMap(() => oneRead({ path: `f${i}` }, text(file)))).flat();
			const path = saved(context, entries);
			const { status, stdout, stderr } = context.run(["shadow", path]);
			assert.equal(status, 0);
			assert.equal(stderr, "");
			assert.match(stdout, /^30 reads in 1 session, policy pieces\n/);
			assert.match(stdout, /saved \d+\.\d %/);
			assert.equal(stdout.match(/^ {2}\/work\/project\/f/gm).length, 10);
			assert.equal(context.run(["shadow", "--files", "3", path]).stdout.match(/^ {2}\//gm).length, 3);
			assert.equal(context.run(["shadow", "--files=0", path]).stdout.match(/^ {2}\//gm), null);
			harmless(stdout);
		},
	},
	{
		name: "coverage stands side by side with strict, and both are what runs of their own say",
		run(context) {
			const slice = (from, n) => `${file.split("\n").slice(from - 1, from - 1 + n).join("\n")}\n\n[${42 - from - n} more lines in file. Use offset=${from + n} to continue.]`;
			const part = (offset, limit) => oneRead({ path: "a.txt", offset, limit }, text(slice(offset, limit)));
			const paths = [
				saved(context, [...part(1, 20), ...part(21, 15), ...part(11, 20), ...part(11, 20)]),
				saved(context, [...oneRead({ path: "b" }, text("b\n")), ...oneRead({ path: "b" }, text("b\n"))], { name: "t.jsonl" }),
			];
			const [strict, coverage] = ["strict", "coverage"].map((policy) => shadow(context, "--policy", policy, ...paths));
			const { servedBytes, savedBytes, savedRatio } = strict;
			assert.deepEqual(coverage.strict, { servedBytes, savedBytes, savedRatio });
			assert.ok(coverage.servedBytes < servedBytes && savedBytes > 0);
			assert.deepEqual(Object.keys(coverage).filter((name) => name !== "strict"), Object.keys(strict));
			// of both lines for people: what stands behind the bytes read
			const told = (...args) => context.run(["shadow", "--files=0", ...args, ...paths]).stdout;
			const [one, other] = [told("--policy=strict"), told("--policy=coverage")].map((all) => all.match(/ read, (.*)\n/)[1]);
			assert.notEqual(one, other);
			assert.equal(told("--policy=coverage").split("\n")[2], `strict: ${one}; coverage: ${other}`);
			assert.equal(told("--policy=pieces"), told());
			assert.match(told().split("\n")[2], /^strict: .*; pieces: /);
			assert.doesNotMatch(told("--policy=strict"), /strict: /);
			// by neither policy a marker that is longer than the file: nothing is lost
			const small = context.run(["shadow", "--policy=coverage", paths[1]]).stdout;
			assert.match(small, /\nstrict: 4 bytes served, saved 0\.0 %; coverage: 4 bytes served, saved 0\.0 %\n/);
			assert.doesNotMatch(small, /lost/);
		},
	},
	{
		name: "notices of older hosts, without the period at their end, are the host's too",
		run(context) {
			const long = lines(3000, "a line of a file that is longer than a page, ");
			const page = (from, n) => `${long.split("\n").slice(from - 1, from - 1 + n).join("\n")}\n\n`;
			const limited = (from, n, end) =>
				oneRead({ path: "a", offset: from, limit: n }, text(`${page(from, n)}[${3001 - from - n + 1} more lines in file. Use offset=${from + n} to continue${end}`));
			const cut = (n, end) => oneRead({ path: "a" }, text(`${page(1, n)}[Showing lines 1-${n} of 3001 (50.0KB limit). Use offset=${n + 1} to continue${end}`));
			const n = page(1, 3000).slice(0, 50 * 1024).split("\n").length - 1;
			for (const end of [".]", "]"]) {
				const found = shadow(context, "--policy=coverage", saved(context, [...limited(1, 20, end), ...limited(11, 10, end), ...cut(n, end), ...cut(n, end)]));
				assert.deepEqual(found.modes, modes({ full: 2, unchanged_range: 2 }), end);
				assert.equal(found.violations, 0, end);
			}
		},
	},
	{
		name: "--reads lists every read once, and the list adds up",
		run(context) {
			const other = changeLine(file, 20, "changed");
			const entries = [
				...oneRead({}, text("what?")),
				...oneRead({ path: "a" }, text(file)),
				...oneRead({ path: "a" }, text(file)),
				...oneRead({ path: "b" }, text(other)),
				...oneRead({ path: "a" }, text(other)),
			];
			const [path, again] = ["s.jsonl", "t.jsonl"].map((name) => saved(context, entries, { name }));
			const found = shadow(context, "--policy=strict", "--reads", path);
			assert.deepEqual(
				found.answers.map(({ entryId, path: name, mode, reason }) => [entryId, name, mode, reason]),
				[
					["e1", undefined, "plain", undefined],
					["e3", "/work/project/a", "full", "first_read"],
					["e5", "/work/project/a", "unchanged", "same_file"],
					["e7", "/work/project/b", "full", "first_read"],
					["e9", "/work/project/a", "diff", "changed"],
				],
			);
			for (const name of ["baselineBytes", "servedBytes"])
				assert.equal(found.answers.reduce((sum, answer) => sum + answer[name], 0), found[name], name);
			assert.ok(found.answers.every((answer) => answer.file === undefined));
			assert.deepEqual(shadow(context, "--policy=strict", "--reads", path, again).answers.map((answer) => answer.file), [path, again].flatMap((name) => Array(5).fill(name)));
			assert.equal(shadow(context, path).answers, undefined);
		},
	},
	{
		name: "names of recorded files cannot reach the terminal",
		run(context) {
			const path = saved(context, oneRead({ path: "a\u001b[31m\nb\u0007" }, text(file)));
			harmless(context.run(["shadow", path]).stdout);
			assert.equal(shadow(context, path).files[0].path, "/work/project/a\u001b[31m\nb\u0007");
		},
	},
	{
		name: "files that cannot be used: a sentence each, and the others are still counted",
		run(context) {
			const good = saved(context, oneRead({ path: "a" }, text(file)));
			mkdirSync(join(context.dir, "folder"));
			writeFileSync(join(context.dir, "empty"), "");
			writeFileSync(join(context.dir, "notes.txt"), "no session\n");
			spawnSync("mkfifo", [join(context.dir, "fifo")]);
			for (const name of ["folder", "empty", "notes.txt", "fifo", "missing"]) {
				const { status, stdout, stderr } = context.run(["shadow", name]);
				assert.deepEqual([status, stdout], [2, ""], name);
				assert.match(stderr, new RegExp(`^readcache: ${name}: .+\n$`), name);
				const both = context.run(["shadow", name, good]);
				assert.equal(both.status, 2);
				assert.match(both.stdout, /^1 read in 1 session/);
			}
		},
	},
	{
		name: "options that cannot be meant",
		run(context) {
			for (const args of [[], ["--policy", "lax", "x"], ["--files", "-1", "x"], ["--files", "many", "x"], ["--nonsense"]]) {
				const { status, stdout, stderr } = context.run(["shadow", ...args]);
				assert.deepEqual([status, stdout], [2, ""], args.join(" "));
				assert.match(stderr, /\n$/);
			}
			const path = saved(context, oneRead({ path: "a" }, text(file)), { name: "-s.jsonl" });
			assert.equal(context.run(["shadow", "--policy", "strict", "--", "-s.jsonl"]).status, 0, path);
		},
	},
];
