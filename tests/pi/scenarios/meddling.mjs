// Other extensions that change or remove what a read delivered, and tools that read by themselves.
import { ok, same } from "../lib/expect.mjs";
import { reads, toolTexts } from "../lib/provider.mjs";
import { changeLine, lines, slice, unchanged, unchangedIn } from "../lib/texts.mjs";

const file = lines(40);
const extensions = ["readcache", "driver", "meddler"];
const read = reads({ path: "a.txt" });

/** What the model sees of the latest read when the next request is made. */
const seenLast = (world) => [...toolTexts(world.provider.requests.at(-1)).values()].at(-1);

/** The first read is meddled with so that the model sees SEEN; the second must be the file. */
function firstReadLost(kind, seen) {
	return async (world) => {
		world.foreign.push(/^\[meddler: /);
		world.write("a.txt", file);
		await world.start({ extensions });
		await world.pi.command(`/e2e-meddle ${kind}`);
		await world.prompt(read);
		same(seenLast(world), seen, "what the model has instead of the file");
		same(await world.read("a.txt"), file, "the file, when it is read again");
		same(await world.read("a.txt"), unchanged(41), "and then a marker");
		await world.pi.command(`/e2e-meddle ${kind}`);
		await world.prompt(read);
		same(seenLast(world), seen, "a marker is meddled with in the same way");
		const after = await world.read("a.txt");
		ok([file, unchanged(41), world.again(unchanged(41))].includes(after), "whatever comes then, the oracle has to agree", after);
	};
}

/** The first read's text never leaves for the provider, which the session does not know. */
function hiddenOnTheWay(where, order, limit) {
	return {
		limit,
		name: `hidden-in-${where}-${order}-us`,
		sees: "the file each time, when an extension takes the first read's text out of every request",
		async run(world) {
			world.foreign.push(/^\[hider: gone\]$/);
			world.write("a.txt", file);
			const both = order === "before" ? ["hider", "readcache"] : ["readcache", "hider"];
			await world.start({ extensions: [...both, "driver"], env: { E2E_HIDE: where } });
			await world.prompt(read);
			same(seenLast(world), "[hider: gone]", "what the model has instead of the file");
			same(await world.read("a.txt"), file, "the file, when it is read again");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
		},
	};
}

export default [
	{
		name: "rewritten-by-tool_result",
		failsOnTypescript: true,
		sees: "the file, after another extension put its own text in place of the first read's",
		run: firstReadLost("rewrite-result", "[meddler: rewritten by tool_result]"),
	},
	{
		name: "rewritten-by-message_end",
		failsOnTypescript: true,
		sees: "the file, after another extension put its own text in place of the first read's",
		run: firstReadLost("rewrite-message", "[meddler: rewritten by message_end]"),
	},
	{
		name: "omitted-by-context_edit",
		failsOnTypescript: true,
		sees: "the file, after the first read's result was taken out of its context",
		run: firstReadLost("omit", "No result provided"),
	},
	{
		name: "replaced-by-context_edit",
		failsOnTypescript: true,
		sees: "the file, after the first read's result was replaced in its context",
		run: firstReadLost("replace", "[meddler: pruned]"),
	},
	{
		name: "edit-undone-by-navigation",
		failsOnTypescript: true,
		sees: "on the edited branch the file; before the edit, where the result is back, a marker",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ extensions });
			await world.pi.command("/e2e-meddle omit");
			await world.prompt(read);
			const [result] = await world.results();
			same(await world.read("a.txt", { offset: 5, limit: 3 }), slice(file, 5, 7), "lines on the edited branch");
			await world.navigate(result.id);
			same(await world.read("a.txt", { offset: 5, limit: 3 }), unchangedIn(5, 7, 41), "lines before the edit");
		},
	},
	{
		name: "details-dropped",
		rows: [21],
		sees: "the file again, after another extension dropped the details of the first read",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ extensions });
			await world.pi.command("/e2e-meddle drop-details");
			same(await world.read("a.txt"), file, "the first read");
			same(await world.metadata(), undefined, "its metadata");
			same(await world.read("a.txt"), file, "the second one");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
			world.write("a.txt", changeLine(file, 3));
			await world.pi.command("/e2e-meddle drop-details");
			await world.read("a.txt");
			same(await world.read("a.txt"), changeLine(file, 3), "an answer of which nothing is stored proves nothing");
		},
	},
	{
		name: "nested-call",
		versions: ["1.5.0"],
		sees: "a marker for itself, while a script that reads the file gets the file, and nothing is recorded of that",
		async run(world) {
			world.write("a.txt", file);
			world.write("b.txt", file);
			await world.start({ extensions: ["readcache", "driver", "nested"] });
			const nested = (path) => ({ calls: [{ name: "script", args: { path } }] });
			await world.read("a.txt");
			const plain = { isError: false, text: file, structured: file };
			same(JSON.parse((await world.prompt(nested("a.txt")))[0]), plain, "what the script gets of a known file");
			same(await world.read("a.txt"), unchanged(41), "the model's own read");
			same(JSON.parse((await world.prompt(nested("b.txt")))[0]), plain, "what the script gets of another one");
			same(await world.read("b.txt"), file, "which the model has not read by that");
			same((await world.results()).length, 3, "read results in the session");
		},
	},
	hiddenOnTheWay("context", "before"),
	hiddenOnTheWay("context", "after"),
	hiddenOnTheWay("payload", "before"),
	hiddenOnTheWay(
		"payload",
		"after",
		"the host shows the request to extensions in the order of loading, and to none at the end",
	),
	{
		name: "written-into-before-a-batch",
		sees: "the file from each of several reads at once, after somebody has written into the result of its first read",
		async run(world) {
			world.foreign.push(/^\[scribbler: /);
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "driver", "scribbler"] });
			const [a, some] = [{ path: "a.txt" }, { path: "a.txt", offset: 5, limit: 3 }];
			await world.read("a.txt");
			world.write("b.txt", lines(10));
			await world.read("b.txt"); // now the helper knows the first result
			await world.pi.command("/e2e-scribble write");
			same(await world.batch(a, some, a), [file, slice(file, 5, 7), file], "a batch when it is another");
			same(await world.batch(a, some), [unchanged(41), unchangedIn(5, 7, 41)], "and then markers");
		},
	},
	{
		name: "hidden-but-another-file-has-the-text",
		sees: "the file, when its own text was hidden on the way and only another file's read shows the same text",
		async run(world) {
			world.foreign.push(/^\[hider: gone\]$/);
			world.write("a.txt", file);
			world.write("b.txt", `${file}and more\n`);
			await world.start({ extensions: ["hider", "readcache", "driver"], env: { E2E_HIDE: "context" } });
			await world.read("a.txt");
			await world.read("b.txt");
			same(await world.read("a.txt"), file, "the model has never seen that a.txt is this text");
		},
	},
];
