// Regressions of the second hunt at the door (SPEC.md section 15): ids that are used again, branches, and what others put
// into a request. `/e2e-hunt` (ext/hunter.ts) does what they may do.
import { same, ok } from "../lib/expect.mjs";
import { lines, unchanged } from "../lib/texts.mjs";
import { speaking } from "../lib/formats.mjs";
import { file, hunted, longAgo, MANY, marker, other, PRUNED, readAs, resumeChanged, sent, sentWhen, withMany } from "../lib/hunting.mjs";
import { GONE } from "../lib/knowledge.mjs";

const leaf = async (world) => (await world.pi.ask("get_entries")).leafId;

/** a.txt as r0, b.txt as r1; branch X has X as c1, branch Y has Y as c1. Gives the leaves. */
async function twoBranches(world, x, y) {
	world.tally.patient = true; // the oracle knows calls by their ids
	world.foreign.push(/^\[pruner: /);
	world.write("a.txt", file);
	world.write("b.txt", other);
	world.write("g.txt", "g".repeat(marker.length));
	await world.start(hunted);
	await world.prompt(readAs("r0", "a.txt"));
	await world.prompt(readAs("r1", "b.txt"));
	const fork = await leaf(world);
	await world.prompt(readAs("c1", x));
	const onX = await leaf(world);
	await world.navigate(fork);
	await world.prompt(readAs("c1", y));
	const onY = await leaf(world);
	return [onX, onY];
}

export default [
	{
		name: "hunt2-01a-hop-marker-leaves-alone",
		sees: "a's text in place of its marker, when a's text is pruned in the request and the request before had the marker of b under its id",
		async run(world) {
			const [onX] = await twoBranches(world, "a.txt", "b.txt");
			await world.navigate(onX);
			same(await sentWhen(world, "request 0"), [PRUNED, other, file], "on X, a's text pruned");
		},
	},
	{
		name: "hunt2-01b-hop-marker-becomes-another-files-text",
		sees: "a's marker or a's text for the read of a, when b's text is pruned in the request",
		async run(world) {
			const [onX] = await twoBranches(world, "a.txt", "b.txt");
			await world.navigate(onX);
			const texts = await sentWhen(world, "request 1");
			ok([marker, file].includes(texts[2]), "a's marker or text", texts[2]);
		},
	},
	{
		name: "hunt2-01c-hop-repaired-with-another-files-text",
		sees: "b's marker or b's text for the read of b, when a's text is pruned in the messages",
		async run(world) {
			const [onX, onY] = await twoBranches(world, "a.txt", "b.txt");
			await world.navigate(onX);
			same(await sentWhen(world, "messages 0"), [PRUNED, other, file], "on X");
			await world.navigate(onY);
			const texts = await sentWhen(world, "messages 0");
			ok([marker, other].includes(texts[2]), "b's marker or text", texts[2]);
		},
	},
	{
		name: "hunt2-02a-hop-text-as-long-as-the-marker-request",
		sees: "a's text in place of its marker, when the branch of the last request has a text of the marker's length under its id",
		async run(world) {
			const [onX] = await twoBranches(world, "a.txt", "g.txt");
			await world.navigate(onX);
			same(await sentWhen(world, "request 0"), [PRUNED, other, file], "on X, a's text pruned");
		},
	},
	{
		name: "hunt2-02b-hop-text-as-long-as-the-marker-blurred",
		sees: "a's text in place of its marker, when a's text is made another of the same length",
		async run(world) {
			world.foreign.push(/^x+ 1\n/);
			const [onX] = await twoBranches(world, "a.txt", "g.txt");
			await world.navigate(onX);
			same((await sentWhen(world, "blur 0"))[2], file, "on X, a's text blurred");
		},
	},
	{
		name: "hunt2-01d-hop-after-compactions",
		sees: "each marker's own text after a compaction, when the request before was of the other branch; no other extension",
		settings: { compaction: { keepRecentTokens: 100, reserveTokens: 1000 } },
		async run(world) {
			const [a, b] = [lines(600), lines(600, "another")];
			world.tally.patient = true;
			world.write("a.txt", a);
			world.write("b.txt", b);
			await world.start({ extensions: ["readcache", "driver"] });
			await world.prompt(readAs("r0", "a.txt"));
			await world.prompt(readAs("r1", "b.txt"));
			const fork = await leaf(world);
			await world.prompt(readAs("c1", "a.txt"));
			same(sent(world)[2], unchanged(601), "a marker on X");
			await world.pi.ask("compact");
			await world.prompt();
			same(sent(world), [a], "a's text on X");
			const onX = await leaf(world);
			await world.navigate(fork);
			await world.prompt(readAs("c1", "b.txt"));
			same(sent(world)[2], unchanged(601), "a marker on Y");
			await world.pi.ask("compact");
			await world.prompt();
			same(sent(world), [b], "b's text on Y");
			await world.navigate(onX);
			await world.prompt();
			same(sent(world)[0].slice(0, 30), a.slice(0, 30), "a's text, back on X");
		},
	},
	...["fold", "fold-all"].map((how) => ({
		name: `hunt2-03-${how}`,
		sees: "no marker alone, when the first of two equal reads is sent with the content of the second, which is left out",
		async run(world) {
			world.tally.patient = true;
			world.write("a.txt", file);
			await world.start(hunted);
			await world.read("a.txt");
			same(await world.read("a.txt"), marker, "a marker");
			world.comparesEvery = Infinity; // what is folded is not what the session says
			const texts = await sentWhen(world, `${how} 0 1`);
			same(texts.length, 1, "results");
			ok(texts[0] === file || GONE.test(texts[0]), "the text or a clear line", texts[0]);
		},
	})),
	{
		name: "hunt2-04-pin-in-the-request",
		sees: "no marker before its text, when the last call and result of the request also stand at its top",
		async run(world) {
			world.tally.patient = true;
			world.write("a.txt", file);
			await world.start(hunted);
			await world.read("a.txt");
			same(await world.read("a.txt"), marker, "a marker");
			const texts = await sentWhen(world, "pin");
			same(texts.length, 3, "results");
			ok(texts[0] === file || GONE.test(texts[0]), "the text or a clear line", texts);
		},
	},
	{
		name: "hunt2-04-unhide-in-the-request",
		sees: "no marker alone, when an extension puts a pair of an earlier request back into the request after a compaction",
		settings: { compaction: { keepRecentTokens: 10, reserveTokens: 1000 } },
		async run(world) {
			world.tally.patient = true;
			world.write("a.txt", file);
			await world.start(hunted);
			await world.read("a.txt");
			await world.pi.command("/e2e-hunt keep");
			same(await world.read("a.txt"), marker, "a marker");
			await world.pi.command("/e2e-hunt nothing");
			await world.prompt();
			await world.pi.ask("compact");
			const texts = await sentWhen(world, "unhide");
			ok(texts.every((text) => text === file || GONE.test(text)), "the text or a clear line", texts);
		},
	},
	{
		name: "hunt2-05a-twin-without-metadata",
		sees: "a file's own text, when it speaks of markers, has no metadata, and its call has the id of a marker whose text is pruned",
		async run(world) {
			world.tally.patient = true;
			world.foreign.push(/^\[pruner: /);
			const doc = `A repeated read gives\n${marker}\nand no text.\n`;
			world.write("a.txt", file);
			world.write("doc.md", doc);
			await world.start(hunted);
			await world.prompt(readAs("c1", "a.txt"));
			await world.prompt(readAs("c2", "a.txt"));
			const edit = { name: "edit", id: "c3", args: { path: "doc.md", edits: [{ oldText: "not there", newText: "nothing" }] } };
			await world.prompt({ calls: [{ name: "read", id: "c2", args: { path: "doc.md" } }, edit] });
			world.comparesEvery = Infinity; // the scenario says it itself
			const texts = await sentWhen(world, "messages 0");
			same(texts[1], file, "a's text in its marker's place");
			same(texts[2], doc, "doc.md, which the host has read because of the edit beside it");
		},
	},
	{
		name: "hunt2-05b-twin-without-metadata-all-of-it",
		sees: "a file's own text, when it speaks of markers, has no metadata, and its call has the id of a marker whose text is pruned",
		async run(world) {
			world.tally.patient = true;
			world.foreign.push(/^\[pruner: /);
			const doc = `A repeated read gives\n[readcache: unchanged, 9 lines]\nand no text.\n`;
			world.write("a.txt", file);
			world.write("doc.md", doc);
			await world.start(hunted);
			await world.prompt(readAs("c1", "a.txt"));
			await world.prompt(readAs("c2", "a.txt"));
			const edit = { name: "edit", id: "c3", args: { path: "doc.md", edits: [{ oldText: "not there", newText: "nothing" }] } };
			await world.prompt({ calls: [{ name: "read", id: "c2", args: { path: "doc.md" } }, edit] });
			world.comparesEvery = Infinity; // the scenario says it itself
			const texts = await sentWhen(world, "messages 0");
			same(texts[1], file, "a's text in its marker's place");
			same(texts[2], doc, "doc.md, which the host has read because of the edit beside it");
		},
	},
	...["openai-completions", "anthropic-messages", "openai-responses"].map((api) => ({
		name: `hunt2-06-block-added-and-text-pruned-in-${api}`,
		sees: "the text in place of a marker to which a block was added, when its text is pruned in the request",
		run: (world) =>
			speaking(api, world, async () => {
				world.tally.patient = true;
				world.foreign.push(/^\[pruner: /);
				world.write("a.txt", file);
				await world.start({ extensions: ["hunter", "annotator", "readcache", "driver"], env: { E2E_ANNOTATE: "block" } });
				await world.read("a.txt");
				await world.read("a.txt");
				const texts = await sentWhen(world, "request 0");
				ok(texts[1].startsWith(file), "the text", texts);
			}),
	})),
	{
		name: "hunt2-04-marker-moved-to-the-top-of-the-request",
		sees: "no marker before its text, when the last call and result of the request are moved to its top",
		async run(world) {
			world.tally.patient = true;
			world.write("a.txt", file);
			world.write("b.txt", other);
			await world.start(hunted);
			await world.read("a.txt");
			await world.read("b.txt");
			same(await world.read("a.txt"), marker, "a marker");
			const texts = await sentWhen(world, "top");
			same(texts.length, 3, "results");
			ok(texts[0] === file || GONE.test(texts[0]), "the text or a clear line", texts);
		},
	},
	{
		name: "hunt2-07a-twin-markers-without-details-wrong-text",
		sees: "a's text or a clear line for the read of a, when ids are used again, details are left out and a's text is pruned",
		async run(world) {
			world.tally.patient = true;
			world.foreign.push(/^\[pruner: /);
			world.write("a.txt", file);
			world.write("b.txt", other);
			await world.start(hunted);
			await world.prompt(readAs("c1", "a.txt"));
			await world.prompt(readAs("c2", "a.txt"));
			await world.prompt(readAs("c3", "b.txt"));
			await world.prompt(readAs("c2", "b.txt"));
			same(sent(world), [file, marker, other, marker], "two texts and their markers");
			const texts = await sentWhen(world, "bare 0");
			ok(texts[1] === file || GONE.test(texts[1]), "a's text or a clear line", texts);
		},
	},
	{
		name: "hunt2-07b-twin-markers-without-details-marker-alone",
		sees: "a's text or a clear line for the read of a, when ids are used again, details are left out and a's text is pruned",
		async run(world) {
			world.tally.patient = true;
			world.foreign.push(/^\[pruner: /);
			world.write("a.txt", file);
			world.write("b.txt", other);
			await world.start(hunted);
			await world.prompt(readAs("c1", "a.txt"));
			await world.prompt(readAs("c3", "b.txt"));
			await world.prompt(readAs("c2", "a.txt"));
			await world.prompt(readAs("c2", "b.txt"));
			same(sent(world), [file, other, marker, marker], "two texts and their markers");
			const texts = await sentWhen(world, "bare 0");
			ok(texts[2] === file || GONE.test(texts[2]), "a's text or a clear line", texts);
		},
	},
	{
		name: "hunt2-held-switch-of-sessions",
		sees: "each marker's own text in another session with the same ids",
		async run(world) {
			world.tally.patient = true;
			world.foreign.push(/^\[pruner: /);
			world.write("a.txt", file);
			world.write("b.txt", other);
			await world.start(hunted);
			await world.prompt(readAs("r0", "a.txt"));
			await world.prompt(readAs("c1", "a.txt"));
			same(await sentWhen(world, "messages 0"), [PRUNED, file], "in the first session");
			const first = await world.sessionFile();
			await world.pi.ask("new_session");
			await world.prompt(readAs("r0", "b.txt"));
			await world.prompt(readAs("c1", "b.txt"));
			same(sent(world), [other, marker], "in the second session");
			same(await sentWhen(world, "messages 0"), [PRUNED, other], "in the second session");
			await world.pi.ask("switch_session", { sessionPath: first });
			same(await sentWhen(world, "messages 0"), [PRUNED, file], "back in the first session");
		},
	},
	{
		name: "hunt2-11-long-ago-fold-all",
		sees: "no marker alone, when of two equal reads the first one's place, long ago, has the second one's result, and the second is left out",
		async run(world) {
			world.tally.patient = true;
			await longAgo(world, 1);
			const at = MANY + 2;
			await world.pi.command(`/e2e-hunt fold-all 0 ${at}`);
			await world.prompt();
			same([sent(world)[0], sent(world).length], [file, at], "before the second read");
			world.comparesEvery = Infinity; // what is folded is not what the session says
			await world.read("a.txt");
			const texts = sent(world);
			same(texts.length, at, "results");
			ok(texts[0] === file || GONE.test(texts[0]), "the text or a clear line", texts[0]);
		},
	},
	{
		name: "hunt2-12-long-ago-repair-that-flips-later",
		sees: "the same bytes for a marker in two requests between which only the model has read something",
		async run(world) {
			world.foreign.push(/^\[pruner: /);
			world.write("a.txt", file);
			world.write("c.txt", other);
			world.write("b.txt", "another\n");
			await world.start(hunted);
			for (const path of ["a.txt", "a.txt", "c.txt", "b.txt"]) await world.read(path);
			await resumeChanged(world, (entries) => withMany(entries, {}));
			same((await sentWhen(world, "messages 0"))[1], file, "a's text in its marker's place");
			const [first, before] = await sentWhen(world, "messages 2");
			same(first, file, "a's text is back");
			await world.read("c.txt");
			same(sent(world)[1].slice(0, 40), before.slice(0, 40), "what stands for the marker is what it was");
		},
	},
	...["openai-completions", "anthropic-messages", "openai-responses"].map((api) => ({
		name: `hunt2-14-ids-used-for-two-files-in-${api}`,
		sees: "a's text in its marker's place, when its text is pruned in the request and the marker's id was used again",
		run: (world) =>
			speaking(api, world, async () => {
				world.tally.patient = true;
				world.foreign.push(/^\[pruner: /);
				world.comparesEvery = Infinity;
				world.write("a.txt", file);
				world.write("b.txt", other);
				await world.start(hunted);
				await world.prompt(readAs("c1", "a.txt"));
				await world.prompt(readAs("c2", "a.txt"));
				await world.prompt(readAs("c2", "b.txt"));
				same(sent(world), [file, marker, other], "a text, its marker, another text");
				same(await sentWhen(world, "request 0"), [PRUNED, file, other], "a's text in its marker's place");
			}),
	})),
	{
		name: "hunt2-held-long-ago-pruned-in-the-request",
		sees: "the text, when a marker would rest on a text of long ago that is pruned in the request",
		async run(world) {
			await longAgo(world, 1);
			await world.prompt();
			await world.pi.command("/e2e-hunt request 0");
			await world.prompt();
			same(await world.read("a.txt"), file, "the text");
			await world.prompt();
			same(sent(world).at(-1), file, "and it stays");
		},
	},
];
