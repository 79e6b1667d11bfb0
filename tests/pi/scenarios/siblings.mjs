// Regressions A1: a read beside calls that change its file, in one assistant message.
import { linkSync } from "node:fs";
import { join } from "node:path";
import { parseCompact } from "../../history/grammar.mjs";
import { ok, same } from "../lib/expect.mjs";
import { again, changeLine, lines, unchanged } from "../lib/texts.mjs";

const TIMES = 20;
const file = lines(60);
const version = (i) => changeLine(file, 9, `version ${i}`);
const read = (path = "a.txt") => ({ name: "read", args: { path } });
const write = (i, path = "a.txt") => ({ name: "write", args: { path, content: version(i) } });
const edit = (i, path = "a.txt") => {
	const oldText = i === 0 ? "line 9\n" : `version ${i - 1}\n`;
	return { name: "edit", args: { path, edits: [{ oldText, newText: `version ${i}\n` }] } };
};
const bash = { name: "bash", args: { command: "true" } };

/** What a read beside the change to version I may find: it runs while the file is written. */
const possible = (i) => [i === 0 ? file : version(i - 1), version(i), ""];

/**
 * A known file is changed by calls beside a read of it, many times; `calls(i)` make version i of it. Gives what the
 * reads gave. BARE: the host has read by itself, and nothing is known of it.
 */
async function manyTimes(world, calls, { path = "a.txt", bare = true }) {
	const texts = [];
	for (let i = 0; i < TIMES; i++) {
		const batch = calls(i);
		const seen = await world.prompt({ calls: batch });
		const text = seen[batch.findIndex(({ name }) => name === "read")];
		ok(possible(i).includes(text), `the file, as it was or as it is (${i})`, text);
		if (bare) same(await world.metadata(), undefined, "its metadata: nobody knows which it was");
		texts.push(text);
	}
	const alone = await world.read(path);
	if (bare) same(alone, version(TIMES - 1), "the file, when it is read alone");
	// The read alone may have been a marker already: nobody knows which text the last one beside a change was.
	const marker = await world.read(path);
	ok([unchanged(61), again(unchanged(61))].includes(marker), "and then a marker", marker);
	return texts;
}

/** The scenario NAME: a.txt is known, then `calls(i)` change it. */
const beside = (name, sees, calls, { newest = false, prepare = () => {}, path, bare } = {}) => ({
	name,
	sees,
	async run(world) {
		world.write("a.txt", file);
		prepare(world);
		await world.start();
		same(await world.read(path ?? "a.txt"), file, "the first read");
		same(await world.read(path ?? "a.txt"), unchanged(61), "it is known");
		const texts = await manyTimes(world, (i) => calls(i, world), { path, bare });
		// The host alone gives the new text nearly each time: its read begins with the write and takes longer.
		const fresh = texts.filter((text, i) => text === version(i)).length;
		if (newest) ok(fresh >= TIMES / 2, "the read is made when the host would make it", fresh);
	},
});

export default [
	beside("A1-write-and-read", "the new text beside a write of the file", (i) => [write(i), read()], { newest: true }),
	beside("A1-read-and-write", "a text before a write of the file", (i) => [read(), write(i)]),
	beside("A1-edit-and-read", "a text beside an edit of the file", (i) => [edit(i), read()]),
	beside("A1-with-bash-between", "a text with a command between write and read", (i) => [write(i), bash, read()]),
	beside(
		"A1-by-bash",
		"a text beside a command that changes the file",
		(i, world) => {
			world.write("next.txt", version(i));
			const command = "cp next.txt new.txt && mv new.txt a.txt";
			return [{ name: "bash", args: { command }, changes: { path: "a.txt", to: version(i) } }, read()];
		},
		{ prepare: (world) => world.write("next.txt", file), bare: false },
	),
	beside("A1-other-spelling", "a text, though the write spells the path otherwise", (i, world) => {
		const spellings = ["./a.txt", join(world.sandbox.work, "a.txt"), "no/../link.txt", "link.txt", "hard.txt", "@a.txt"];
		return [write(i, spellings[i % spellings.length]), read()];
	}, {
		prepare(world) {
			world.ledger.link("link.txt", "a.txt");
			linkSync(join(world.sandbox.work, "a.txt"), join(world.sandbox.work, "hard.txt"));
			world.ledger.same("hard.txt", "a.txt");
			world.ledger.same("@a.txt", "a.txt");
		},
	}),
	beside("A1-read-by-a-link", "a text by a link, beside a write of the file", (i) => [write(i), read("link.txt")], {
		prepare: (world) => world.ledger.link("link.txt", "a.txt"),
		path: "link.txt",
	}),
	{
		name: "A1-missing-file",
		sees: "the file as it was or is, or that it is not there, while other calls of the message remove and make it",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			const remove = { name: "bash", args: { command: "rm -f a.txt" }, changes: { path: "a.txt" } };
			for (let i = 0; i < TIMES; i++) {
				world.write("a.txt", i === 0 ? file : version(i - 1));
				await world.read("a.txt");
				const [, , text] = await world.prompt({ calls: [remove, write(i), read()] });
				ok(/^ENOENT: /.test(text) || possible(i).includes(text), "the file as it was then", text);
			}
			world.write("a.txt", file);
			await world.read("a.txt"); // the oracle judges: a marker, if the file is as the last batch has shown it
			const marker = await world.read("a.txt");
			ok([unchanged(61), again(unchanged(61))].includes(marker), "and then a marker", marker);
		},
	},
	{
		name: "A1-one-after-the-other",
		sees: "a diff, or the file, behind a write in a batch that runs one call after the other; a text before it",
		async run(world) {
			world.choosePolicy("coverage"); // own.mjs has the same with pieces
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "slow"] });
			same(await world.read("a.txt"), file, "the first read");
			const slow = { name: "slow", args: { ms: 1 } };
			const [, , behind] = await world.prompt({ calls: [write(0), slow, read()] });
			ok(behind === version(0) || parseCompact(behind)?.kind === "diff", "what the write has made", behind);
			const [before] = await world.prompt({ calls: [read(), slow, write(1)] });
			same(before, version(0), "the file before the write that is still to come");
		},
	},
	{
		name: "A1-another-file",
		sees: "a marker beside a write of another file",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			same(await world.read("a.txt"), file, "the first read");
			same((await world.prompt({ calls: [write(0, "b.txt"), read()] }))[1], unchanged(61), "nobody changes it");
			same((await world.prompt({ calls: [edit(1, "b.txt"), read()] }))[1], world.again(unchanged(61)), "nobody changes it");
		},
	},
];
