// Regressions A2 and A3: what a compact answer speaks of has left the request, so the text goes out in its place.
import { matches, ok, same } from "../lib/expect.mjs";
import { FOREIGN, hides, latest, stays, stored } from "../lib/leaving.mjs";
import { reads, usage } from "../lib/provider.mjs";
import { changedBy, changeLine, lines, moved, slice, unchanged, unchangedInside } from "../lib/texts.mjs";

const file = lines(60);
const changed = changeLine(file, 9);
const read = reads({ path: "a.txt" });
const PRUNED = "[dedup: a later call is the same]";

/** a.txt is read; then `more`; then it is read again, and the host compacts before that answer leaves. */
function compacted(name, { settings, more = () => {} }) {
	return {
		name,
		settings,
		sees: "the text in place of the marker, in the only request that has it, when the host compacts before it leaves",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			same(await world.read("a.txt"), file, "the first read");
			await more(world);
			const texts = await world.prompt({ ...read, usage: usage(127500) });
			ok(world.provider.summaries.length > 0, "the host has compacted");
			same(texts, [file], "what the provider got in the marker's place");
			same((await stored(world)).at(-1), unchanged(61), "the session has the marker");
			await stays(world);
			same(await world.read("a.txt"), file, "the file, when it is read behind the compaction");
			same(await world.read("a.txt"), unchanged(61), "and then a marker");
		},
	};
}

/** pi with the deduplicating pruner BEFORE or AFTER us. */
async function startWithDedup(world, order, env) {
	world.foreign.push(FOREIGN);
	world.write("a.txt", file);
	const both = order === "before" ? ["dedup", "readcache"] : ["readcache", "dedup"];
	await world.start({ extensions: [...both, "driver"], env });
}

async function deduplicated(world) {
	same(await world.read("a.txt"), file, "the first read");
	await world.read("a.txt");
	same(latest(world), [PRUNED, file], "the text in the marker's place");
	await stays(world);
	same(await stored(world), [file, unchanged(61)], "the session has the marker");
	world.write("a.txt", changed);
	await world.read("a.txt");
	same(latest(world), [PRUNED, PRUNED, changed], "the text of now for the third read");
	world.write("a.txt", file);
	await world.prompt();
	same(latest(world).at(-1), changed, "which stays the text of then");
	await world.read("a.txt", { offset: 5, limit: 3 }); // the oracle judges
}

/** A chain: text, diff, marker; `hide` takes the text away, so the diff is sent as its text, and the marker stays. */
async function chain(world, hide) {
	same(await world.read("a.txt"), file, "the first read");
	world.write("a.txt", changed);
	matches(await world.read("a.txt"), changedBy(1, 61), "a diff");
	same(await world.read("a.txt"), unchanged(61), "a marker");
	const [, diff] = latest(world);
	await hide();
	world.write("a.txt", lines(7));
	await world.prompt();
	same(latest(world), ["[hider: gone]", changed, unchanged(61)], "the diff as its text of then");
	await stays(world);
	same((await stored(world))[1], diff, "the session has the diff");
}

export default [
	compacted("A2-compaction-before-the-request", {}),
	compacted("A2-compaction-with-default-settings", {
		settings: { compaction: {} },
		async more(world) {
			// More than the host keeps of the latest messages.
			for (const name of ["b.txt", "c.txt"]) {
				world.write(name, lines(1900, `${name} has a long line with number`));
				await world.read(name);
			}
		},
	}),
	...["before", "after"].flatMap((order) => [
		{
			name: `A3-dedup-pruner-${order}-us`,
			sees: "the text in the newest of equal reads, when an extension drops the older ones' texts",
			async run(world) {
				await startWithDedup(world, order);
				await deduplicated(world);
			},
		},
		{
			name: `A3-dedup-pruner-${order}-us-on-command`,
			sees: "the text in place of a marker that was sent before, when an extension begins to drop older texts",
			async run(world) {
				await startWithDedup(world, order, { E2E_DEDUP_OFF: "1" });
				same(await world.batch({ path: "a.txt" }), [file], "the first read");
				same(await world.read("a.txt"), unchanged(61), "a marker");
				await world.pi.command("/e2e-dedup on");
				await world.prompt();
				same(latest(world), [PRUNED, file], "the text in the marker's place");
				await stays(world);
			},
		},
	]),
	{
		name: "A3-dedup-pruner-after-us-in-context_with_system",
		sees: "the same, when that extension is the last one to change the messages",
		async run(world) {
			await startWithDedup(world, "after", { E2E_DEDUP: "context_with_system" });
			await deduplicated(world);
		},
	},
	...["line", "block"].map((how) => ({
		name: `A3-annotated-by-a-${how}`,
		sees: "no marker alone, when an extension adds something to the last result and another one drops the older ones",
		async run(world) {
			world.foreign.push(FOREIGN);
			world.write("a.txt", file);
			await world.start({ extensions: ["dedup", "annotator", "readcache", "driver"], env: { E2E_ANNOTATE: how } });
			world.write("b.txt", lines(30));
			same(await world.read("a.txt"), `${file}\n[annotator: 43% used]`, "the first read");
			await world.read("b.txt");
			const text = await world.read("a.txt");
			ok(text.startsWith(file), "the text in place of the second one", text);
			await world.prompt();
			ok(latest(world)[2].startsWith(file), "and in the next request", latest(world)[2]);
		},
	})),
	{
		name: "A3-dedup-pruner-without-details",
		sees: "the text in place of a marker, when an extension makes all messages anew and leaves their details out",
		async run(world) {
			await startWithDedup(world, "before", { E2E_DEDUP_BARE: "1", E2E_DEDUP_OFF: "1" });
			same(await world.read("a.txt"), file, "the first read");
			same(await world.read("a.txt"), unchanged(61), "a marker");
			await world.pi.command("/e2e-dedup on");
			await world.prompt();
			same(latest(world), [PRUNED, file], "the text in the marker's place");
			await stays(world);
			same(await world.read("a.txt"), file, "and when it is read again");
		},
	},
	{
		name: "A3-pruner-at-before-provider-request",
		sees: "the text in the newest of equal reads, when an extension drops the older ones from the request itself",
		async run(world) {
			await startWithDedup(world, "before", { E2E_DEDUP: "payload" });
			await deduplicated(world);
		},
	},
	{
		name: "A3-pruner-at-before-provider-request-after-us",
		limit: "the host shows the request to extensions in the order of loading, and to none at the end",
		sees: "a marker alone, when an extension loaded after us drops the text from the request itself",
		async run(world) {
			await startWithDedup(world, "after", { E2E_DEDUP: "payload" });
			same(await world.read("a.txt"), file, "the first read");
			await world.read("a.txt");
		},
	},
	{
		name: "A3-chain-of-diffs",
		sees: "the text in place of a diff whose base is hidden, and the marker behind it",
		async run(world) {
			world.foreign.push(FOREIGN);
			world.write("a.txt", file);
			await world.start(hides);
			await chain(world, () => world.pi.command("/e2e-hide on"));
		},
	},
	{
		name: "A3-range-and-cut-text",
		sees: "lines, and a text that the host cuts, in place of their markers, notices and all",
		async run(world) {
			const long = lines(2300);
			world.foreign.push(FOREIGN);
			world.write("a.txt", file);
			world.write("long.txt", long);
			await world.start({ extensions: ["dedup", "readcache", "driver"] });
			const range = { offset: 5, limit: 3 };
			const shown = await world.read("long.txt");
			await world.read("a.txt", range);
			await world.read("long.txt");
			await world.read("a.txt", range);
			same(latest(world), [PRUNED, PRUNED, shown, slice(file, 5, 7)], "what the plain reads gave");
			await stays(world);
		},
	},
	{
		name: "A3-hidden-by-an-edit-of-the-session",
		sees: "the text in place of a marker whose text was taken out of the context by an edit",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "driver", "scribbler"] });
			same(await world.read("a.txt"), file, "the first read");
			same(await world.read("a.txt"), unchanged(61), "a marker");
			await world.pi.command("/e2e-scribble omit");
			await world.prompt();
			same(latest(world), ["No result provided", file], "the text in the marker's place");
			await stays(world);
		},
	},
	{
		name: "A3-text-that-was-shown-of-other-lines-since",
		sees: "the text in place of a marker, when the first of two equal texts is hidden, and the second is of other lines",
		async run(world) {
			const four = "a line that stands in this file more than once\n".repeat(4).trimEnd();
			const six = `${four.slice(0, four.indexOf("\n") + 1).repeat(2)}${four}`;
			world.foreign.push(FOREIGN);
			world.write("a.txt", four);
			await world.start(hides);
			same(await world.read("a.txt"), four, "the first read");
			world.write("a.txt", six);
			await world.pi.command("/readcache-refresh a.txt 3-6");
			same(await world.read("a.txt", { offset: 3 }), four, "the same text for other lines");
			same(await world.read("a.txt"), unchanged(6), "a marker that rests on both");
			await world.pi.command("/e2e-hide on");
			await world.prompt();
			same(latest(world), ["[hider: gone]", four, six], "the text in the marker's place");
			await stays(world);
		},
	},
	{
		name: "A3-more-texts-than-are-named",
		sees: "the text in place of a marker that rests on very many answers, when one with former numbers is hidden",
		async run(world) {
			const inserted = file.replace("line 36\n", "new\nline 36\n");
			world.foreign.push(/^\[pruner: /);
			world.choosePolicy("pieces");
			world.write("a.txt", file);
			await world.start({ extensions: ["pruner", "readcache", "driver"] });
			for (let n = 1; n <= 33; n++) await world.read("a.txt", { offset: n, limit: 1 });
			await world.read("a.txt", { offset: 40, limit: 20 });
			world.write("a.txt", inserted);
			same(await world.read("a.txt", { offset: 41, limit: 20 }), moved(41, 60, 62, 40), "lines that have moved");
			await world.read("a.txt", { offset: 34, limit: 7 });
			const marker = await world.read("a.txt", { offset: 1, limit: 60 });
			same(marker, unchangedInside(1, 60), "a marker that rests on all of them");
			await world.pi.command("/e2e-prune hide 1000 34");
			await world.prompt();
			same(latest(world).at(-1), slice(inserted, 1, 60), "the text in its place");
			await stays(world);
		},
	},
	{
		name: "A3-nothing-to-repair",
		sees: "what the session has, letter for letter, when nobody takes a text away",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.read("a.txt");
			world.write("a.txt", changed);
			await world.read("a.txt");
			await world.read("a.txt", { offset: 5, limit: 3 });
			same(latest(world), await stored(world), "the reads in the request");
			await stays(world);
		},
	},
];
