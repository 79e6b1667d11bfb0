// What the model wrote itself it is not told again (SPEC.md sections 9 and 16), as long as that is in its context.
import { ok, same } from "../lib/expect.mjs";
import { speaking } from "../lib/formats.mjs";
import { toolTexts, usage } from "../lib/provider.mjs";
import { again, changeLine, edits, editsIn, inParts, lines, moved, slice, unchanged, unchangedIn, unchangedInside, wrote, wroteIn } from "../lib/texts.mjs";

const file = lines(60);
const meddled = { extensions: ["caller", "readcache", "driver"] };
const apis = ["openai-completions", "anthropic-messages", "openai-responses"];

const write = (content = file, path = "a.txt") => ({ name: "write", args: { path, content } });
const edit = (oldText, newText, path = "a.txt") => ({ name: "edit", args: { path, edits: [{ oldText, newText }] } });
const bash = (command, to, path = "a.txt") => ({ name: "bash", args: { command }, changes: { path, to } });
const read = (range = {}, path = "a.txt") => ({ name: "read", args: { path, ...range } });
const does = (...calls) => ({ calls });
const latest = (world) => [...toolTexts(world.provider.requests.at(-1)).values()].at(-1);

/** pi, with the policy by which all of this is. */
async function begin(world, options) {
	world.choosePolicy("pieces");
	await world.start(options);
}

/** a.txt, read once, and edited: line 9 becomes another. Gives the file. */
async function edited(world, start) {
	world.write("a.txt", file);
	await begin(world, start);
	same(await world.read("a.txt"), file, "the first read");
	await world.prompt(does(edit("line 9\n", "changed\n")));
	return changeLine(file, 9);
}

/** What /e2e-calls HOW does to the first own call takes it from the model. */
const FORGETS = ["strip 0", "cut 0", "drop 0", "request-strip 0", "request-drop 0"];

export default [
	...apis.map((api) => ({
		name: `own-edit-and-read-in-${api}`,
		sees: "where its edits are, in place of a file that nobody else has changed",
		run: (world) =>
			speaking(api, world, async () => {
				await edited(world);
				same(await world.read("a.txt"), edits(61, "line 9"), "after an edit");
				await world.prompt(does(edit("line 20\nline 21\n", "another\nand\none more\n")));
				await world.prompt(does(edit("line 40\n", "")));
				same(await world.read("a.txt"), edits(61, "lines 20-22", "removed before line 41"), "after two more");
			}),
	})),
	{
		name: "own-edit-and-ranges",
		sees: "what became of its edits in the lines asked for; text only of what it does not know",
		async run(world) {
			world.write("a.txt", file);
			await begin(world);
			await world.read("a.txt", { offset: 1, limit: 40 });
			await world.prompt(does(edit("line 9\n", "changed\n")));
			same(await world.read("a.txt", { offset: 5, limit: 10 }), editsIn(5, 14, 61, "line 9"), "an edit among the lines");
			same(await world.read("a.txt", { offset: 20, limit: 10 }), unchangedInside(20, 29), "no edit among them");
			await world.prompt(does(edit("line 3\n", "line 3\none more\nand more\n")));
			const moves = "lines behind an edit that adds two";
			same(await world.read("a.txt", { offset: 22, limit: 10 }), moved(22, 31, 63, 20), moves);
			same(await world.read("a.txt", { offset: 4, limit: 2 }), "one more\nand more\n\n[58 more lines in file. Use offset=6 to continue.]", "too little for words");
			const text = await world.read("a.txt", { offset: 30, limit: 24 });
			const rest = Array.from({ length: 11 }, (_, i) => `+line ${i + 41}`);
			const parts = inParts(30, 53, 63, "@@ -28,13 +30,13 @@ unchanged", ["@@ +43,11 @@ text", ...rest].join("\n"));
			ok([parts, slice(world.ledger.latest(`${world.cwd}/a.txt`).toString(), 30, 53)].includes(text), "some lines that were never shown", text);
		},
	},
	...apis.map((api) => ({
		name: `own-write-and-read-in-${api}`,
		sees: "that a file is as it wrote it, whole and in parts, though it never read it",
		run: (world) =>
			speaking(api, world, async () => {
				await begin(world);
				await world.prompt(does(write()));
				same(await world.read("a.txt"), wrote(61), "after a write");
				same(await world.read("a.txt", { offset: 30, limit: 20 }), unchangedIn(30, 49, 61), "other lines, since it was told");
				await world.prompt(does(edit("line 9\n", "changed\n")));
				same(await world.read("a.txt"), edits(61, "line 9"), "and an edit");
			}),
	})),
	{
		name: "own-write-and-ranges",
		sees: "that lines are as it wrote them, of a file that it never read",
		async run(world) {
			await begin(world);
			await world.prompt(does(write()));
			same(await world.read("a.txt", { offset: 5, limit: 20 }), wroteIn(5, 24, 61), "some lines");
			same(await world.read("a.txt", { offset: 25, limit: 30 }), wroteIn(25, 54, 61), "others");
			await world.prompt(does(edit("line 9\n", "changed\n")));
			const text = await world.read("a.txt", { offset: 7, limit: 9 });
			ok([editsIn(7, 15, 61, "line 9"), slice(changeLine(file, 9), 7, 15)].includes(text), "some of the first ones, and an edit", text);
		},
	},
	{
		name: "own-write-over-a-file",
		sees: "that a file is as it wrote it, over one that it had read",
		async run(world) {
			world.write("a.txt", lines(30, "old"));
			await begin(world);
			await world.read("a.txt");
			await world.prompt(does(write()));
			same(await world.read("a.txt"), wrote(61), "after a write");
		},
	},
	{
		name: "own-edit-and-a-formatter",
		sees: "text or a diff of what a formatter made of its edit, never that its edit is in place",
		async run(world) {
			const after = await edited(world);
			world.write("a.txt", after.replace("changed\n", "\tchanged;\n")); // nobody says so
			const text = await world.read("a.txt");
			ok(text.includes("\tchanged;\n") || /^\+\tchanged;$/m.test(text), "its line is there", text);
			ok(!text.includes("in place"), "nothing is said of its edit", text);
		},
	},
	{
		name: "own-write-and-a-formatter",
		sees: "text or a diff of what a formatter made of what it wrote",
		async run(world) {
			await begin(world);
			await world.prompt(does(write()));
			world.write("a.txt", file.replace("line 9\n", "line nine\n"));
			const text = await world.read("a.txt");
			ok(/^[+]?line nine$/m.test(text), "the line is there", text);
			ok(!text.includes("since you wrote"), "it is not as it was written", text);
		},
	},
	...FORGETS.map((how) => ({
		name: `own-edit-forgotten-by-${how.replace(" 0", "")}`,
		sees: "the file, when an extension keeps its edit from it, before the read and behind it",
		async run(world) {
			world.comparesEvery = Infinity; // the session says something else
			const after = await edited(world, meddled);
			same(await world.read("a.txt"), edits(61, "line 9"), "while it is there");
			await world.pi.command(`/e2e-calls ${how}`);
			await world.prompt();
			same(latest(world), after, "its text, in what leaves");
			const text = await world.read("a.txt");
			ok(text === after || text === unchanged(61), "the file, or a marker for that text", text);
			await world.prompt(does(edit("line 30\n", "another\n")));
			await world.pi.command("/e2e-calls nothing");
		},
	})),
	{
		name: "own-edit-that-it-never-saw",
		sees: "the file or a diff, when an extension has kept its edit from it since before it asks",
		async run(world) {
			world.comparesEvery = Infinity;
			const after = await edited(world, meddled);
			await world.pi.command("/e2e-calls strip 0");
			const text = await world.read("a.txt");
			ok(text === after || /^\+changed$/m.test(text), "its line is there", text);
		},
	},
	{
		name: "own-edit-and-a-compaction",
		sees: "the file, when a compaction has taken its edit away",
		async run(world) {
			const after = await edited(world);
			same(await world.read("a.txt"), edits(61, "line 9"), "before");
			await world.pi.ask("compact");
			same(await world.read("a.txt"), after, "after it");
			same(await world.read("a.txt"), unchanged(61), "and then a marker");
		},
	},
	{
		name: "own-edit-and-a-compaction-on-the-way",
		sees: "the file, when a compaction comes between a read and the request that would tell of its edit",
		async run(world) {
			const after = await edited(world);
			const [text] = await world.prompt({ ...does(read()), usage: usage(127500) });
			same(text, after, "in the only request that has it");
			same(await world.read("a.txt"), after, "a read of it"); // what was sent as text is no evidence
		},
	},
	{
		name: "own-writes-in-two-sessions",
		sees: "of each session's file that it is as it was written there, though the calls have the same ids",
		async run(world) {
			const [one, other] = [lines(60), lines(60, "another")];
			const writeAs = (content) => does({ ...write(content), id: "w1" });
			await begin(world, meddled);
			await world.prompt(writeAs(one));
			same(await world.read("a.txt"), wrote(61), "in the first");
			const first = await world.sessionFile();
			await world.pi.ask("new_session");
			await world.prompt(writeAs(other));
			same(await world.read("a.txt"), wrote(61), "in the second");
			world.comparesEvery = Infinity;
			await world.pi.command("/e2e-calls strip 0");
			await world.prompt();
			same(latest(world), other, "the text of the second, when its call is stripped");
			await world.pi.ask("switch_session", { sessionPath: first });
			await world.prompt();
			same(latest(world), wrote(61), "what the first was told, where nobody strips its call");
			await world.pi.command("/e2e-calls strip 0");
			await world.prompt();
			same(latest(world), one, "its own text, when it is");
			await world.pi.command("/e2e-calls nothing");
			await world.prompt();
			ok([one, wrote(61)].includes(latest(world)), "what it was", latest(world));
		},
	},
	...["omit", "reword"].map((how) => ({
		name: `own-edit-${how}-by-a-context-edit`,
		sees: "the file, when a context edit has taken its edit away",
		async run(world) {
			const after = await edited(world, meddled);
			same(await world.read("a.txt"), edits(61, "line 9"), "before");
			await world.pi.command(`/e2e-calls ${how} 0`);
			await world.prompt();
			same(latest(world), after, "its text, in what leaves");
			const text = await world.read("a.txt");
			ok(text === after || /^\+changed$/m.test(text), "its line is there", text);
		},
	})),
	{
		name: "own-edits-in-one-message",
		sees: "both edits of one message, and none of them beside a read in the same message",
		async run(world) {
			world.write("a.txt", file);
			await begin(world);
			await world.read("a.txt");
			const [, , beside] = await world.prompt(does(edit("line 9\n", "changed\n"), edit("line 30\n", "another\n"), read()));
			ok(!beside.startsWith("[readcache: "), "no compact answer beside them", beside); // the oracle says more
			const text = await world.read("a.txt");
			ok(text === edits(61, "line 9", "line 30") || text === changeLine(changeLine(file, 9), 30, "another"), "both, or the text", text);
			same(await world.read("a.txt"), unchanged(61).replace("]", text.startsWith("[") ? "; read again for the text]" : "]"), "and then a marker");
		},
	},
	{
		name: "own-edits-in-one-message-read-later",
		sees: "where both edits of one message are",
		async run(world) {
			world.write("a.txt", file);
			await begin(world);
			await world.read("a.txt");
			await world.prompt(does(edit("line 9\n", "changed\n"), edit("line 30\n", "another\n")));
			same(await world.read("a.txt"), edits(61, "line 9", "line 30"), "both");
		},
	},
	{
		name: "own-edit-with-several-replacements",
		sees: "the places of all replacements of one edit",
		async run(world) {
			world.write("a.txt", file);
			await begin(world);
			await world.read("a.txt");
			const list = [{ oldText: "line 9\n", newText: "changed\n" }, { oldText: "line 31\nline 32\n", newText: "" }, { oldText: "line 50\n", newText: "line 50\nmore\n" }];
			await world.prompt(does({ name: "edit", args: { path: "a.txt", edits: list } }));
			same(await world.read("a.txt"), edits(60, "line 9", "removed before line 31", "lines 48-49"), "all of them");
		},
	},
	{
		name: "own-edit-and-read-one-after-the-other",
		sees: "where its edit is, in a batch that runs one call after the other",
		async run(world) {
			world.write("a.txt", file);
			await begin(world, { extensions: ["readcache", "slow", "driver"] });
			await world.read("a.txt");
			const slow = { name: "slow", args: { ms: 1 } };
			const texts = await world.prompt(does(edit("line 9\n", "changed\n"), slow, read()));
			same(texts[2], edits(61, "line 9"), "behind the edit");
		},
	},
	{
		name: "own-lines-moved-by-a-command",
		sees: "under which numbers it has seen lines that a command has moved",
		async run(world) {
			world.write("a.txt", file);
			await begin(world);
			await world.read("a.txt");
			const to = `first\nsecond\n${file}`;
			await world.prompt(does(bash("printf 'first\\nsecond\\n' | cat - a.txt > b.txt && mv b.txt a.txt", to)));
			same(await world.read("a.txt", { offset: 20, limit: 30 }), moved(20, 49, 63, 18), "lines behind what was put in");
		},
	},
	{
		name: "own-way-out",
		sees: "how to see the text in the second marker in a row, and the text in place of the third",
		async run(world) {
			world.write("a.txt", file);
			await begin(world);
			await world.read("a.txt");
			const said = [await world.read("a.txt"), await world.read("a.txt"), await world.read("a.txt"), await world.read("a.txt")];
			same(said, [unchanged(61), again(unchanged(61)), file, unchanged(61)], "four reads");
			const range = { offset: 5, limit: 20 };
			const lined = [await world.read("a.txt", range), await world.read("a.txt", range), await world.read("a.txt", range)];
			same(lined, [unchangedIn(5, 24, 61), again(unchangedIn(5, 24, 61)), slice(file, 5, 24)], "three of some lines");
		},
	},
	{
		name: "own-write-way-out",
		sees: "the text of what it wrote, when it asks for the third time",
		async run(world) {
			await begin(world);
			await world.prompt(does(write()));
			const said = [await world.read("a.txt"), await world.read("a.txt"), await world.read("a.txt")];
			ok(said[0] === wrote(61) && [again(wrote(61)), again(unchanged(61))].includes(said[1]), "the second one says how", said.slice(0, 2));
			same(said[2], file, "the third");
		},
	},
	{
		name: "own-write-done-otherwise",
		sees: "the file or where it differs, when an extension has made something else of a write than the model gave",
		async run(world) {
			world.comparesEvery = Infinity;
			await begin(world, meddled);
			await world.pi.command("/e2e-calls execute");
			const to = file.replace("line 9\n", "another\n");
			await world.prompt(does({ ...write(), changes: { path: "a.txt", to } }));
			const text = await world.read("a.txt");
			const { arguments: given } = world.provider.requests.at(-1).messages.find(({ tool_calls: calls }) => calls?.[0].function.name === "write").tool_calls[0].function;
			ok(text === to || /^\+another$/m.test(text) || JSON.parse(given).content === to, "what it is, unless the model is told that it wrote so", text);
		},
	},
	{
		name: "own-edit-undone",
		sees: "the file or a diff, when its edit was undone by somebody",
		async run(world) {
			await edited(world);
			world.write("a.txt", file);
			const text = await world.read("a.txt");
			ok(text === file || /^\+line 9$/m.test(text), "the line as it was", text);
		},
	},
	{
		name: "own-edit-by-another-spelling",
		sees: "that a file is as it wrote it, by whatever spelling, and never that another one is",
		async run(world) {
			await begin(world);
			await world.prompt(does(write(file, "./a.txt")));
			same(await world.read("a.txt"), wrote(61), "the same file");
			world.write("sub/a.txt", lines(30, "other"));
			same(await world.read("sub/a.txt"), lines(30, "other"), "another one of that name");
		},
	},
	{
		name: "own-edit-resumed",
		sees: "where its edits are, in a session that goes on in another pi, and in a fork of it",
		async run(world) {
			const after = await edited(world);
			const session = await world.sessionFile();
			await world.stop();
			await begin(world, { args: ["--session", session] });
			same(await world.read("a.txt"), edits(61, "line 9"), "resumed");
			await world.stop();
			await begin(world, { args: ["--fork", session] });
			await world.prompt(does(edit("line 30\n", "another\n")));
			same(await world.read("a.txt"), edits(61, "line 30"), "in a fork, since it was told last");
			ok(after !== file, "it was changed");
		},
	},
	{
		name: "own-edit-on-another-branch",
		sees: "the file as it is on disk, when it goes back to before its edit",
		async run(world) {
			world.write("a.txt", file);
			await begin(world);
			await world.read("a.txt");
			const fork = (await world.pi.ask("get_entries")).leafId;
			await world.prompt(does(edit("line 9\n", "changed\n")));
			same(await world.read("a.txt"), edits(61, "line 9"), "there");
			await world.navigate(fork);
			const text = await world.read("a.txt");
			ok(/^\+changed$/m.test(text) || text === changeLine(file, 9), "here nobody has told it", text);
		},
	},
];
