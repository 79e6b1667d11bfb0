// The session's tree: what was read on another branch, before a compaction, or in another session.
import { existsSync } from "node:fs";
import { matches, ok, same } from "../lib/expect.mjs";
import { reads, usage } from "../lib/provider.mjs";
import { readHeader } from "../lib/sessions.mjs";
import { changedBy, changeLine, lines, slice, unchanged, unchangedIn } from "../lib/texts.mjs";

const file = lines(40);
const range = { offset: 5, limit: 3 };

/** The user messages of the session, oldest first. */
async function userMessages(world) {
	const { entries } = await world.pi.ask("get_entries");
	return entries.filter(({ type, message }) => type === "message" && message.role === "user");
}

/** The compactions on file. */
async function compactions(world) {
	const { entries } = await world.pi.ask("get_entries");
	return entries.filter(({ type }) => type === "compaction");
}

export default [
	{
		name: "other-branch-and-back",
		rows: [11],
		sees: "on a branch where it never read the file, the file; back on the first one, a marker",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.prompt(); // something to branch at
			same(await world.read("a.txt"), file, "the first read");
			same(await world.read("a.txt"), unchanged(41), "known on this branch");
			const [, second] = await userMessages(world);
			const [, read] = await world.results();
			await world.navigate(second.id);
			same(await world.read("a.txt"), file, "unknown on the new branch");
			world.write("a.txt", changeLine(file, 9));
			matches(await world.read("a.txt"), changedBy(1, 41), "a diff to what this branch has seen");
			same(await world.navigate(read.id), read.id, "back to the first branch");
			matches(await world.read("a.txt"), changedBy(1, 41), "a diff to what the first branch has seen");
			same(await world.read("a.txt"), unchanged(41), "and then known");
		},
	},
	{
		name: "branch-with-summary",
		rows: [11],
		sees: "a summary of the branch it left, and the file when it reads again",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.prompt();
			await world.read("a.txt");
			const [, second] = await userMessages(world);
			await world.navigate(second.id, "summarize");
			same(world.provider.summaries.length, 1, "a summary was made");
			same(await world.read("a.txt"), file, "a summary is not the file");
		},
	},
	{
		name: "manual-compaction",
		rows: [12, 13, 14, 15],
		sees: "after a compaction the file and the lines again; back before it, a marker",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.read("a.txt", range);
			const before = (await world.results()).at(-1);
			await world.pi.ask("compact");
			same(await world.read("a.txt", range), slice(file, 5, 7), "the lines");
			same(await world.read("a.txt"), file, "the file");
			same(await world.read("a.txt", range), unchangedIn(5, 7, 41), "then known");
			await world.pi.ask("compact");
			same((await compactions(world)).length, 2, "compactions");
			same(await world.read("a.txt"), file, "the file after the second one");
			await world.navigate(before.id);
			same(await world.read("a.txt"), unchanged(41), "known before the compactions");
		},
	},
	{
		name: "compaction-in-a-run",
		rows: [13, 15],
		sees: "the file again when the host compacts between two reads of one run, whatever it keeps",
		model: { contextWindow: 20000 },
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			const read = reads({ path: "a.txt" });
			const texts = await world.prompt(read, { ...read, usage: usage(19500) }, read, read);
			same((await compactions(world)).length, 1, "compactions in the run");
			// The second one's marker leaves behind the compaction, so it leaves as its text.
			same(texts, [file, file, file, unchanged(41)], "what the four reads gave");
		},
	},
	{
		name: "compaction-by-an-extension",
		rows: [13, 15],
		sees: "the file again after another extension's compaction that keeps nothing",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "meddler"] });
			await world.pi.command("/e2e-meddle compact");
			const read = reads({ path: "a.txt" });
			same(await world.prompt(read, read, read), [undefined, file, unchanged(41)], "what the model saw");
			same((await compactions(world)).length, 1, "compactions");
		},
	},
	{
		name: "fork-and-clone",
		rows: [16],
		sees: "in a fork what its part of the conversation holds, and nothing of the other session's later reads",
		async run(world) {
			world.write("a.txt", file);
			world.write("b.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.read("b.txt");
			const original = await world.sessionFile();
			const [first, second] = await userMessages(world);
			await world.pi.ask("fork", { entryId: second.id });
			const forked = await world.sessionFile();
			ok(forked !== original, "another session file", forked);
			same(await world.read("a.txt"), unchanged(41), "read before the fork");
			same(await world.read("b.txt"), file, "read behind it");
			await world.pi.ask("clone");
			same(readHeader(await world.sessionFile()).parentSession, forked, "the clone's parent");
			same(await world.read("b.txt"), unchanged(41), "a clone knows it all");
			await world.pi.ask("fork", { entryId: first.id });
			same(await world.read("a.txt"), file, "a fork before the first message knows nothing");
		},
	},
	{
		name: "switch-and-new",
		rows: [17],
		sees: "in a new session the file; in the old one, switched back to, a marker",
		mode: "serve",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			const original = await world.sessionFile();
			const firstHelper = world.helperPid();
			await world.pi.ask("new_session");
			same(await world.read("a.txt"), file, "a new session knows nothing");
			ok(world.helperPid() !== firstHelper, "a helper of its own");
			ok(!existsSync(`/proc/${firstHelper}`), "the old session's helper has ended");
			const other = await world.sessionFile();
			await world.pi.ask("switch_session", { sessionPath: original });
			world.write("a.txt", changeLine(file, 30));
			matches(await world.read("a.txt"), changedBy(1, 41), "the old session knows the file");
			await world.pi.ask("switch_session", { sessionPath: other });
			matches(await world.read("a.txt"), changedBy(1, 41), "the other one too");
		},
	},
];
