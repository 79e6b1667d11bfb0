// What a model sees of files that it reads again.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { matches, ok, same } from "../lib/expect.mjs";
import { contentText } from "../lib/provider.mjs";
import { changedBy, changeLine, lines, slice, unchanged, unchangedIn, unchangedInside } from "../lib/texts.mjs";

const file = lines(40);

async function wholeFile(world) {
	world.write("a.txt", file);
	await world.start();
	same(await world.read("a.txt"), file, "the first read is the file");
	same(await world.read("a.txt"), unchanged(41), "the second one a marker");
	world.write("a.txt", changeLine(file, 20));
	const diff = await world.read("a.txt");
	matches(diff, changedBy(1, 41), "a changed file is a diff");
	matches(diff, /\n-line 20\n\+changed\n/, "of the changed line");
	same(await world.read("a.txt"), unchanged(41), "the diff's result is known");
	world.write("a.txt", lines(40, "other"));
	same(await world.read("a.txt"), lines(40, "other"), "where a diff would be no shorter, the file");
	same((await world.metadata()).mode, "baseline_fallback", "the mode of that");
	same(await world.read("a.txt"), unchanged(41), "and it is known then");
	if (world.version === "0.87.1") return;
	const ends = world.pi.events.filter(({ type, toolName }) => type === "tool_execution_end" && toolName === "read");
	const [texts, forPrograms] = [({ result }) => result.content[0].text, ({ result }) => result.structuredContent];
	same(ends.map(forPrograms), ends.map(texts), "newer hosts have the same text for programs");
}

export default [
	{
		name: "whole-file",
		rows: [1, 2, 3, 4],
		sees: "the file, then a marker, then a diff, and the file where a diff is no use",
		run: wholeFile,
	},
	{
		name: "oneshot-whole-file",
		rows: [1, 2, 3, 4],
		sees: "the same with one process per call, and none between calls",
		mode: "oneshot",
		async run(world) {
			await wholeFile(world);
			same(world.helperPid(), undefined, "no helper stays");
		},
	},
	{
		name: "ranges",
		ownTool: true, // the host's own knows no path:a-b
		rows: [5, 6, 7, 8, 9, 18],
		sees: "the lines asked for, then a marker as long as those very lines are the same",
		async run(world) {
			const range = { offset: 5, limit: 3 };
			world.write("a.txt", file);
			await world.start();
			same(await world.read("a.txt", range), slice(file, 5, 7), "the first read is the lines");
			same(await world.read("a.txt", range), unchangedIn(5, 7, 41), "the second one a marker");
			same(await world.read("a.txt:5-7"), world.again(unchangedIn(5, 7, 41)), "path:5-7 asks for the same lines");
			same(await world.read("a.txt:5"), slice(file, 5, 41), "path:5 asks for line 5 to the end");
			const outside = changeLine(file, 20);
			world.write("a.txt", outside);
			same(await world.read("a.txt", range), unchangedInside(5, 7), "changed elsewhere: a marker that says so");
			const inside = changeLine(outside, 6);
			world.write("a.txt", inside);
			same(await world.read("a.txt", range), slice(inside, 5, 7), "changed inside: the lines");
			const shifted = `new\n${inside}`;
			world.write("a.txt", shifted);
			same(await world.read("a.txt", range), slice(shifted, 5, 7), "shifted by a line above: the lines");
			const twice = changeLine(shifted, 6, "changed again");
			world.write("a.txt", twice);
			same(await world.read("a.txt"), twice, "the whole file");
			same(
				await world.read("a.txt", range),
				unchangedIn(5, 7, 42),
				"lines of the whole file seen last, not of the older range",
			);
		},
	},
	{
		name: "malformed-range",
		ownTool: true, // the host's own knows no path:a-b
		rows: [10],
		sees: "an error that names the bad range; nothing is recorded",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			for (const path of ["a.txt:7-5", "a.txt:0", "a.txt:x-y"]) {
				matches(await world.read(path), /^Invalid range/, `the error for ${path}`);
				const { isError, details } = (await world.results()).at(-1).message;
				same([isError, details?.readcache], [true, undefined], `an error without metadata for ${path}`);
			}
		},
	},
	{
		name: "truncated-by-lines",
		rows: [24],
		failsOnTypescript: true,
		sees: "a file of more than 2000 lines can be read on to its end, as the notice asks",
		async run(world) {
			const long = lines(4500);
			const all = long.split("\n");
			const part = (first, last) =>
				`${all.slice(first - 1, last).join("\n")}\n\n[Showing lines ${first}-${last} of 4501. Use offset=${last + 1} to continue.]`;
			world.write("long.txt", long);
			await world.start();
			same(await world.read("long.txt"), part(1, 2000), "the first 2000 lines");
			same(await world.read("long.txt", { offset: 2001 }), part(2001, 4000), "the next 2000");
			same(await world.read("long.txt", { offset: 4001 }), all.slice(4000).join("\n"), "the rest");
			const notice = "\n\n[Showing lines 1-2000 of 4501. Use offset=2001 to continue.]";
			same(
				await world.read("long.txt"),
				unchangedIn(1, 2000, 4501) + notice,
				"again: a marker for what was shown",
			);
			const [{ message }] = await world.results();
			same(
				[message.details.truncation.truncatedBy, message.details.readcache.scopeKey],
				["lines", "r:1:2000"],
				"what is stored",
			);
			same(
				await world.read("long.txt", { offset: 4001 }),
				unchangedIn(4001, 4501, 4501),
				"the rest is known too",
			);
		},
	},
	{
		name: "truncated-by-bytes",
		rows: [24],
		failsOnTypescript: true,
		sees: "a file of more than 50 KB can be read on to its end, as the notice asks",
		async run(world) {
			const row = "x".repeat(999);
			const all = Array.from({ length: 80 }, (_, i) => `${i + 1} ${row}`.slice(0, 999));
			world.write("wide.txt", all.join("\n"));
			await world.start();
			// 51 lines of 999 bytes and their line ends are 50,999 bytes; one more would be over 51,200.
			const notice = "\n\n[Showing lines 1-51 of 80 (50.0KB limit). Use offset=52 to continue.]";
			same(await world.read("wide.txt"), all.slice(0, 51).join("\n") + notice, "the first 50 KB");
			same(await world.read("wide.txt", { offset: 52 }), all.slice(51).join("\n"), "the rest");
			same(await world.read("wide.txt"), unchangedIn(1, 51, 80) + notice, "again: a marker for what was shown");
		},
	},
	{
		name: "object-missing",
		rows: [19],
		sees: "the file when the store has lost the version it was compared with",
		async run(world) {
			const objects = join(world.sandbox.work, ".pi/readcache/objects");
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			for (const name of readdirSync(objects)) rmSync(join(objects, name));
			world.write("a.txt", changeLine(file, 3));
			same(await world.read("a.txt"), changeLine(file, 3), "the whole file, no diff");
			same(await world.read("a.txt"), unchanged(41), "and it is known then");
		},
	},
	{
		name: "gone-and-back",
		sees: "the host's error while the file is gone; a marker when the same text is back, the file when it is another",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			world.unlink("a.txt");
			matches(await world.read("a.txt"), /^ENOENT: /, "while it is gone");
			world.write("a.txt", file);
			same(await world.read("a.txt"), unchanged(41), "the same file again");
			world.unlink("a.txt");
			world.write("a.txt", lines(40, "other"));
			same(await world.read("a.txt"), lines(40, "other"), "another file");
		},
	},
	{
		name: "own-edit",
		sees: "after its own edit or write the text or a diff, never a marker about lines from before",
		async run(world) {
			const old = file.split("\n")[2];
			const edit = { name: "edit", args: { path: "a.txt", edits: [{ oldText: `${old}\n`, newText: "by the model\n" }] } };
			const edited = file.replace(`${old}\n`, "by the model\n");
			world.choosePolicy("coverage"); // the scenarios in own.mjs are about pieces
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.prompt({ calls: [edit] });
			world.write("a.txt", file); // somebody undoes it
			same(await world.read("a.txt"), file, "after an edit that was undone");
			same(await world.read("a.txt"), unchanged(41), "known again");
			await world.prompt({ calls: [edit] });
			world.write("a.txt", edited); // what it is already; the oracle is told
			matches(await world.read("a.txt"), /^\+by the model$/m, "after one that is there, a diff");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
			await world.prompt({ calls: [{ name: "write", args: { path: "./a.txt", content: file } }] });
			world.write("a.txt", edited);
			same(await world.read("a.txt"), edited, "after a write that was undone");
		},
	},
	{
		name: "nothing-but-the-store",
		sees: "a work directory in which nothing but the ignored .pi/readcache has appeared",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.read("a.txt");
			await world.stop();
			const { work, home, root } = world.sandbox;
			same(readdirSync(work).sort(), [".pi", "a.txt"], "the work directory");
			same(readdirSync(join(work, ".pi")), ["readcache"], "its .pi");
			same(readFileSync(join(work, ".pi/readcache/.gitignore"), "utf8").trim(), "*", "git does not see it");
			same(readdirSync(home), [], "the home directory");
			same(
				readdirSync(join(root, "tmp")).filter((name) => name.includes("readcache")),
				[],
				"the temporary directory",
			);
		},
	},
	{
		name: "same-call-ids",
		sees: "the truth from a provider that gives every call the same id",
		async run(world) {
			world.write("a.txt", file);
			world.write("b.txt", lines(10));
			await world.start();
			const seen = [];
			for (const path of ["a.txt", "b.txt", "a.txt", "b.txt"]) {
				await world.prompt({ calls: [{ name: "read", args: { path }, id: "call_0" }] });
				const { messages } = world.provider.requests.at(-1);
				seen.push(contentText(messages.findLast(({ role }) => role === "tool").content));
			}
			same(seen.slice(0, 2), [file, lines(10)], "the first reads");
			ok([file, unchanged(41)].includes(seen[2]), "whatever comes then, the oracle has to agree", seen[2]);
			ok([lines(10), unchanged(11)].includes(seen[3]), "and for the other file", seen[3]);
		},
	},
	{
		name: "secrets",
		sees: "a file of secrets as the host gives it, every time; no copy of it is kept",
		async run(world) {
			world.write(".env", file);
			world.write("a.txt", lines(3));
			await world.start();
			await world.read("a.txt");
			for (let i = 0; i < 2; i++) {
				same(await world.read(".env"), file, "the file");
				same(await world.metadata(), undefined, "its metadata");
			}
			same(readdirSync(join(world.sandbox.work, ".pi/readcache/objects")).length, 1, "kept versions");
		},
	},
];
