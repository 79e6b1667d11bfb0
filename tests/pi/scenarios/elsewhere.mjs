// Regressions A4: a session that goes on in another directory, where relative paths of old calls mean other files.
import { join } from "node:path";
import { mkdirSync, rmSync } from "node:fs";
import { matches, ok, same } from "../lib/expect.mjs";
import { GONE } from "../lib/knowledge.mjs";
import { toolTexts } from "../lib/provider.mjs";
import { readHeader } from "../lib/sessions.mjs";
import { changedBy, changeLine, lines, unchanged } from "../lib/texts.mjs";

const file = lines(60);
const changed = changeLine(file, 9);

/** A session in the first directory, with a.txt read by its whole name; gives {whole, other}, the second directory. */
async function readHere(world, env) {
	const [whole, other] = [join(world.sandbox.work, "a.txt"), join(world.sandbox.root, "other")];
	mkdirSync(other);
	world.write("a.txt", file);
	world.write(join(other, "a.txt"), lines(60, "other"));
	await world.start({ env });
	same(await world.read(whole), file, "the first read");
	same(await world.read(whole), unchanged(61), "it is known");
	return { whole, other };
}

/** The session goes on as a fork in DIRECTORY. */
async function fork(world, directory, options = {}) {
	const session = await world.sessionFile();
	await world.stop();
	await world.start({ ...options, args: ["--fork", session], cwd: directory });
	const header = readHeader(await world.sessionFile());
	same([header.cwd, header.parentSession], [directory, session], "a fork in the other directory");
}

export default [
	{
		name: "A4-fork-elsewhere",
		sees: "the file after its own edit of it, though a fork has another directory; there, another file",
		async run(world) {
			const { whole, other } = await readHere(world);
			await world.prompt({ calls: [{ name: "write", args: { path: "a.txt", content: changed } }] });
			world.write("a.txt", file); // somebody takes the edit back
			await fork(world, other);
			same(await world.read(whole), file, "the file, which the model believes to be another");
			same(await world.read(whole), unchanged(61), "and then a marker");
			same(await world.read("a.txt"), lines(60, "other"), "the file of that name here");
			same(await world.read("a.txt"), unchanged(61), "and then a marker");
			same(await world.read(whole), world.again(unchanged(61)), "for the first one too");
		},
	},
	{
		name: "A4-fork-elsewhere-by-an-edit",
		sees: "the same after `edit`, by another spelling, in a fork of a fork",
		async run(world) {
			const { whole, other } = await readHere(world);
			const edits = [{ oldText: "line 9\n", newText: "changed\n" }];
			await world.prompt({ calls: [{ name: "edit", args: { path: "./a.txt", edits } }] });
			world.write("a.txt", file);
			await fork(world, other);
			await world.prompt();
			const third = join(world.sandbox.root, "third");
			mkdirSync(third);
			await fork(world, third);
			same(await world.read(whole), file, "the file, which the model believes to be another");
			same(await world.read(whole), unchanged(61), "and then a marker");
		},
	},
	{
		name: "A4-fork-elsewhere-after-a-newer-view",
		sees: "the file, when its text was seen otherwise by a relative path, without us, before the fork",
		async run(world) {
			const { whole, other } = await readHere(world);
			const session = await world.sessionFile();
			await world.stop();
			world.write("a.txt", changed);
			await world.start({ args: ["--session", session], env: { READCACHE_MODE: "off" } });
			same(await world.read("a.txt"), changed, "the host's own read");
			world.write("a.txt", file);
			await fork(world, other);
			same(await world.read(whole), file, "the file, which was seen otherwise since");
			same(await world.read(whole), unchanged(61), "and then a marker");
		},
	},
	{
		name: "A4-fork-whose-parent-is-gone",
		sees: "the file, when nobody can tell any more where a relative path was",
		async run(world) {
			const { whole, other } = await readHere(world);
			await world.prompt({ calls: [{ name: "write", args: { path: "a.txt", content: changed } }] });
			world.write("a.txt", file);
			const session = await world.sessionFile();
			await fork(world, other);
			rmSync(session);
			same(await world.read(whole), file, "the file, which the model believes to be another");
		},
	},
	{
		name: "A4-marker-alone-in-a-fork",
		sees: "the text in place of a marker from the other directory, or that it is gone, when the first text is dropped",
		async run(world) {
			world.foreign.push(/^\[dedup: /);
			world.lost = () => true; // the store may be the other directory's
			const { whole, other } = await readHere(world);
			await fork(world, other, { extensions: ["dedup", "readcache", "driver"] });
			await world.prompt();
			const [, seen] = toolTexts(world.provider.requests.at(-1)).values();
			ok(seen === file || GONE.test(seen), "the text, or a clear line", seen);
			world.write("a.txt", changed);
			const text = await world.read(whole);
			ok(text === changed, "the file: nothing is left that a diff could speak of", text);
		},
	},
	{
		name: "A4-fork-elsewhere-and-nothing-else",
		sees: "a marker and a diff by the whole name in a fork, where nothing stands against it",
		async run(world) {
			const { whole, other } = await readHere(world);
			await fork(world, other);
			same(await world.read(whole), world.again(unchanged(61)), "known");
			world.write("a.txt", changed);
			await world.read(whole); // the file or a diff: the text it was is in the other directory's store
			world.write("a.txt", file);
			matches(await world.read(whole), changedBy(1, 61), "changed again");
		},
	},
];
