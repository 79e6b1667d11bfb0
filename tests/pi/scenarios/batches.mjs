// Several calls in one assistant message, and calls that are given up.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { binary } from "../../lib/engine.mjs";
import { matches, same, until } from "../lib/expect.mjs";
import { reads } from "../lib/provider.mjs";
import { changedBy, changeLine, lines, unchanged } from "../lib/texts.mjs";

const file = lines(40);
const a = { path: "a.txt" };

async function parallel(world) {
	world.write("a.txt", file);
	world.write("b.txt", lines(10));
	await world.start();
	same(await world.batch(a, { path: "b.txt" }, a), [file, lines(10), file], "siblings do not know of each other");
	same(await world.batch(a, a), [unchanged(41), unchanged(41)], "the next batch knows");
	world.write("a.txt", changeLine(file, 3));
	for (const text of await world.batch(a, a))
		matches(text, changedBy(1, 41), "a diff to what was known before the batch");
	same(await world.read("a.txt"), unchanged(41), "known");
	const objects = join(world.sandbox.work, ".pi/readcache/objects");
	for (const name of readdirSync(objects)) {
		const hash = createHash("sha256")
			.update(readFileSync(join(objects, name)))
			.digest("hex");
		same(name, `sha256-${hash}.txt`, "an object is what its name says");
	}
}

export default [
	{
		name: "parallel-batch",
		rows: [1, 2, 3],
		sees: "the file for each of two reads in one batch, then markers",
		run: parallel,
	},
	{
		name: "oneshot-parallel-batch",
		rows: [20],
		sees: "the same from processes that run beside each other and write the same objects",
		mode: "oneshot",
		run: parallel,
	},
	{
		name: "sequential-batch",
		sees: "a marker for the second read of a batch that runs one call after the other",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			const read = { name: "read", args: a };
			const refresh = { name: "readcache_refresh", args: { path: "b.txt" } }; // it makes the batch sequential
			const [first, , second] = await world.prompt({ calls: [read, refresh, read] });
			same([first, second], [file, unchanged(41)], "the second call sees the first one's result");
		},
	},
	{
		name: "abort",
		ownTool: true, // bound to another read, the engine is asked when that has ended well
		rows: [22],
		sees: "nothing of a read that the user aborted; the next one is the file",
		async run(world) {
			const [bin, asked, go] = [binary(), ...["asked", "go"].map((name) => join(world.sandbox.root, name))];
			const late = `[ "$1" = --version ] && exec '${bin}' --version
				IFS= read -r line; : >'${asked}'; while [ ! -e '${go}' ]; do sleep 0.02; done; printf '%s\\n' "$line" | '${bin}'; exec '${bin}' "$@"`;
			world.write("a.txt", file);
			await world.start({ env: { READCACHE_BIN: world.helper("late", late), READCACHE_MODE: "serve" } });
			world.provider.play(reads(a));
			const settled = world.pi.next(({ type }) => type === "agent_settled", "agent_settled");
			await world.pi.ask("prompt", { message: "Go on." });
			await until(() => existsSync(asked), "the helper has the request");
			await world.pi.ask("abort");
			await settled; // while the helper still holds its answer back
			writeFileSync(go, "");
			const [{ message }] = await world.results();
			same([message.isError, message.content[0].text], [true, "Operation aborted"], "the aborted read");
			same(message.details?.readcache, undefined, "its metadata");
			same(await world.read("a.txt"), file, "the next read");
			same(await world.read("a.txt"), unchanged(41), "and the one after it");
		},
	},
	{
		name: "abort-beside-a-finished-read",
		rows: [22],
		sees: "a read that had ended before its batch was aborted, and a marker when it reads again",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "slow"] });
			world.provider.play({
				calls: [
					{ name: "read", args: a },
					{ name: "pause", args: { ms: 60000 } },
				],
			});
			const ended = world.pi.next(
				({ type, toolName }) => type === "tool_execution_end" && toolName === "read",
				"the read's end",
			);
			const settled = world.pi.next(({ type }) => type === "agent_settled", "agent_settled");
			await world.pi.ask("prompt", { message: "Go on." });
			await ended;
			await world.pi.ask("abort");
			await settled;
			same(await world.read("a.txt"), unchanged(41), "the finished read was sent to the model");
		},
	},
];
