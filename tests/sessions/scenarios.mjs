// What is recorded, and what each leaf can be trusted with: written from SPEC.md sections 5 to 8, not from an answer.
//
// `book.note(trust, more)` says what holds at the leaf where the session stands: trust is a list of
// [file, scope, the file's text at that time, sequence number]; more may tell `ignored`, how many entries prove
// nothing, and `behind`, whether the branch counts from a compaction on.
import { reads } from "../pi/lib/provider.mjs";
import { changeLine, lines } from "../pi/lib/texts.mjs";

const file = lines(40);
const other = changeLine(file, 9);
const range = { offset: 5, limit: 3 };
const read = reads({ path: "a.txt" });
const meddled = ["readcache", "driver", "meddler"];

/** The user messages of the session, oldest first. */
async function userMessages(world) {
	const { entries } = await world.pi.ask("get_entries");
	return entries.filter(({ type, message }) => type === "message" && message.role === "user");
}

export const scenarios = [
	{
		name: "plain",
		about: "whole files, a marker, lines, a change, another file",
		async run(world, book) {
			world.write("a.txt", file);
			world.write("b.txt", "only one line");
			await world.start();
			await world.read("a.txt");
			await book.note([["a.txt", "full", file, 1]]);
			await world.read("a.txt");
			await book.note([["a.txt", "full", file, 2]]);
			await world.read("a.txt", range);
			await book.note([["a.txt", "full", file, 2], ["a.txt", "r:5:7", file, 3]]);
			world.write("a.txt", other);
			await world.read("a.txt"); // a diff
			await world.read("b.txt");
			await world.read("missing.txt"); // an error shows no file
			const trust = [["a.txt", "full", other, 4], ["a.txt", "r:5:7", file, 3], ["b.txt", "full", "only one line", 5]];
			await book.note(trust);
		},
	},
	{
		name: "ranges",
		about: "a file the host cuts, its rest, a range suffix, lines that stay while others change",
		async run(world, book) {
			const long = Array.from({ length: 2100 }, (_, i) => `${i % 10}\n`).join("");
			world.write("a.txt", long);
			await world.start();
			await world.read("a.txt"); // 2,000 lines of 2,101
			await world.read("a.txt", { offset: 2001 });
			await world.read("a.txt:5-7");
			const cut = ["a.txt", "r:1:2000", long, 1];
			await book.note([cut, ["a.txt", "r:5:7", long, 3], ["a.txt", "r:2001:2101", long, 2]]);
			const longer = `${long}more\n`;
			world.write("a.txt", longer);
			await world.read("a.txt:5-7"); // the same lines of another version: a marker
			await world.read("a.txt", { offset: 2001 }); // they have changed: the text
			await book.note([cut, ["a.txt", "r:5:7", longer, 4], ["a.txt", "r:2001:2102", longer, 5], ["a.txt", "r:2001:2101", long, 2]]);
		},
	},
	{
		name: "batch",
		about: "reads of one message, which do not see each other",
		async run(world, book) {
			world.write("a.txt", file);
			await world.start();
			await world.batch({ path: "a.txt" }, { path: "a.txt" }, { path: "a.txt", ...range });
			await book.note([["a.txt", "full", file, 2], ["a.txt", "r:5:7", file, 3]]);
		},
	},
	{
		name: "tree",
		about: "two branches with the same beginning, and one with a summary of what was left",
		async run(world, book) {
			world.write("a.txt", file);
			await world.start();
			await world.prompt(); // something to branch at
			await world.read("a.txt");
			const [first] = await world.results();
			await world.read("a.txt", range);
			await book.note([["a.txt", "full", file, 1], ["a.txt", "r:5:7", file, 2]]);
			const [, second] = await userMessages(world);
			await world.navigate(second.id); // before the first read
			await book.note([]);
			world.write("a.txt", other);
			await world.read("a.txt");
			await book.note([["a.txt", "full", other, 1]]);
			await world.navigate(first.id);
			await book.note([["a.txt", "full", file, 1]]);
			await world.read("a.txt"); // a diff to what this branch has seen
			await book.note([["a.txt", "full", other, 2]]);
			await world.navigate(second.id, "summarize");
			await book.note([]);
			await world.read("a.txt", range);
			await book.note([["a.txt", "r:5:7", other, 1]]);
		},
	},
	{
		name: "fork",
		about: "a session that begins with a part of another one",
		async run(world, book) {
			world.write("a.txt", file);
			world.write("b.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.read("b.txt");
			await book.note([["a.txt", "full", file, 1], ["b.txt", "full", file, 2]]);
			const [, second] = await userMessages(world);
			await world.pi.ask("fork", { entryId: second.id });
			await world.read("a.txt"); // a marker
			await book.note([["a.txt", "full", file, 2]]);
		},
	},
	{
		name: "compaction",
		about: "two compactions, and the way back before them",
		async run(world, book) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.read("a.txt", range);
			const before = (await world.results()).at(-1);
			await world.pi.ask("compact");
			await book.note([], { behind: true });
			await world.read("a.txt", range); // the text again
			await world.read("a.txt"); // the text again
			await world.read("a.txt", range); // a marker
			await book.note([["a.txt", "full", file, 2], ["a.txt", "r:5:7", file, 3]], { behind: true });
			await world.pi.ask("compact");
			await world.read("a.txt");
			await book.note([["a.txt", "full", file, 1]], { behind: true });
			await world.navigate(before.id);
			await book.note([["a.txt", "full", file, 1], ["a.txt", "r:5:7", file, 2]]);
			await world.read("a.txt");
			await book.note([["a.txt", "full", file, 3], ["a.txt", "r:5:7", file, 2]]);
		},
	},
	{
		name: "context-edit",
		about: "a result taken out of the context, one replaced, and the way back before the edit",
		async run(world, book) {
			world.foreign.push(/^\[meddler: /);
			world.write("a.txt", file);
			await world.start({ extensions: meddled });
			await world.pi.command("/e2e-meddle omit");
			await world.prompt(read); // 1, omitted
			const [result] = await world.results();
			await book.note([], { ignored: 1 });
			await world.read("a.txt"); // 2, the text
			await book.note([["a.txt", "full", file, 2]], { ignored: 1 });
			await world.pi.command("/e2e-meddle replace");
			await world.prompt(reads({ path: "a.txt", ...range })); // 3, a marker, replaced
			await book.note([["a.txt", "full", file, 2]], { ignored: 2 });
			await world.read("a.txt"); // 4: nobody knows what stands in place of the lines, so the text
			await book.note([["a.txt", "full", file, 4]], { ignored: 2 });
			await world.navigate(result.id); // before the edit the first result is there
			await book.note([["a.txt", "full", file, 1]]);
			await world.read("a.txt", range);
			await book.note([["a.txt", "full", file, 1], ["a.txt", "r:5:7", file, 2]]);
		},
	},
	{
		name: "refresh",
		about: "a whole file and some lines refreshed, by the user and by the model",
		async run(world, book) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.read("a.txt", range);
			await world.pi.command("/readcache-refresh a.txt 5-7");
			await book.note([["a.txt", "full", file, 1]]);
			await world.read("a.txt", range); // 3, the text
			await book.note([["a.txt", "full", file, 1], ["a.txt", "r:5:7", file, 3]]);
			await world.pi.command("/readcache-refresh a.txt");
			await book.note([]);
			await world.read("a.txt"); // 4
			const refresh = { name: "readcache_refresh", args: { path: "a.txt", ...range } };
			await world.prompt({ calls: [refresh] });
			await book.note([["a.txt", "full", file, 4]]);
			await world.read("a.txt"); // 5, a marker
			await book.note([["a.txt", "full", file, 5]]);
		},
	},
	{
		name: "rewritten",
		about: "another extension puts its text in place of a result, or drops its details",
		async run(world, book) {
			world.foreign.push(/^\[meddler: /);
			world.write("a.txt", file);
			await world.start({ extensions: meddled });
			await world.pi.command("/e2e-meddle rewrite-message");
			await world.prompt(read); // 1, altered
			await book.note([], { ignored: 1 });
			await world.read("a.txt"); // 2
			await book.note([["a.txt", "full", file, 2]], { ignored: 1 });
			await world.pi.command("/e2e-meddle drop-details");
			await world.prompt(read); // a view of which nothing is known
			await book.note([], { ignored: 2 });
			await world.read("a.txt", range);
			// a view without metadata has a number, too
			await book.note([["a.txt", "r:5:7", file, undefined]], { ignored: 2 });
		},
	},
];
