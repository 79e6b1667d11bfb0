// Regressions of a hunt at the door (SPEC.md section 15): a compact answer whose text is not in the request. The numbers
// are those of the findings; `/e2e-hunt` (ext/hunter.ts) does what others may do.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { sha256 } from "../../history/oracle.mjs";
import { matches, ok, same } from "../lib/expect.mjs";
import { speaking } from "../lib/formats.mjs";
import { file, hunted, longAgo, marker, other, PRUNED, readAs, resumeChanged, sent, sentWhen } from "../lib/hunting.mjs";
import { GONE } from "../lib/knowledge.mjs";
import { changedBy, changeLine, lines, slice, unchangedIn } from "../lib/texts.mjs";

const NOTE = "\n[annotator: 43% used]";

const cat = { calls: [{ name: "bash", args: { command: "cat a.txt" } }] };

/** a.txt is read twice, so there is a text and a marker. */
async function textAndMarker(world, options = hunted) {
	world.foreign.push(/^\[pruner: /, /^\[stamp: /);
	world.write("a.txt", file);
	await world.start(options);
	same(await world.read("a.txt"), file, "the first read");
	same(await world.read("a.txt"), marker, "a marker");
}

const isText = (text) => text === file || GONE.test(text);

/** What may stand in the metadata of a marker, if somebody writes a session file. */
const HOSTILE = {
	"rests-of-numbers": (meta) => ({ ...meta, rests: [1] }),
	"rests-an-object": (meta) => ({ ...meta, rests: {} }),
	"rests-on-itself": (meta) => ({ ...meta, rests: [meta.textHash] }),
	"rests-without-end": (meta) => ({ ...meta, rests: Array(100000).fill(meta.rests[0]) }),
	"bytes-a-string": (meta) => ({ ...meta, bytes: "12" }),
	"name-a-number": (meta) => ({ ...meta, name: 5 }),
	"mode-unknown": (meta) => ({ ...meta, mode: "Unchanged" }),
	"of-version-2": (meta) => ({ ...meta, v: 2 }),
	"hash-of-another-text": (meta) => ({ ...meta, textHash: "0".repeat(32) }),
	"not-an-object": () => "unchanged",
};

/** ENTRIES up to the first read, then a message with COUNT calls, and diffs. Each rests on REACH results before it. */
function withDiffs(entries, count, reach) {
	const at = entries.findIndex(({ message }) => message?.role === "toolResult");
	const [call, result] = [entries[at - 1], entries[at]];
	const [asked] = call.message.content.filter(({ type }) => type === "toolCall");
	const content = Array.from({ length: count }, (_, i) => ({ ...asked, id: `x${i + 1}` }));
	const calls = { ...call, id: "aa000000", parentId: result.id, message: { ...call.message, content } };
	const made = [...entries.slice(0, at + 1), calls];
	const meta = { ...result.message.details.readcache, mode: "diff" };
	const hashes = [meta.textHash];
	for (let i = 1; i <= count; i++) {
		const text = diffText(i);
		const textHash = sha256(Buffer.from(text)).slice(0, 32);
		const own = { baseHash: meta.servedHash, textHash, textBytes: text.length, rests: hashes.slice(-reach) };
		const details = { readcache: { ...meta, ...own } };
		const message = { ...result.message, toolCallId: `x${i}`, content: [{ type: "text", text }], details };
		made.push({ ...result, id: `bb${String(i).padStart(6, "0")}`, parentId: made.at(-1).id, message });
		hashes.push(textHash);
	}
	return made;
}

const diffText = (i) => `[readcache: 1 lines changed of 61]\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${i - 1}\n+${i}\n`;

/** A session of COUNT diffs is gone on with; gives the request in which result HIDDEN is another text. */
async function amongDiffs(world, { count, reach, hidden }) {
	world.write("a.txt", file);
	await world.start();
	same(await world.read("a.txt"), file, "the first read");
	await resumeChanged(world, (entries) => withDiffs(entries, count, reach));
	await world.pi.command(`/e2e-hunt request ${hidden}`);
	world.provider.play({ text: "Done." });
	await world.pi.prompt("Go on.");
	const texts = sent(world);
	world.provider.requests.length = 0; // the oracle has no word on diffs that are not of the file
	return texts;
}

const fifo = (world) => {
	const path = join(world.sandbox.root, "fifo");
	execFileSync("mkfifo", [path]);
	return path;
};

export default [
	...["pruner", "compaction"].map((who) => ({
		name: `hunt-01-diff-of-a-paged-file-${who}`,
		sees: "the lines in place of their marker, when the page that had them is gone and the diff shows only the first",
		settings: { compaction: { keepRecentTokens: 400, reserveTokens: 1000 } },
		async run(world) {
			const long = lines(2600, "l");
			const changed = changeLine(long, 100);
			world.foreign.push(/^\[pruner: /);
			world.choosePolicy("coverage");
			world.write("a.txt", long);
			await world.start(hunted);
			await world.read("a.txt");
			await world.read("a.txt", { offset: 2001 });
			world.write("a.txt", changed);
			matches(await world.read("a.txt"), changedBy(1, 2601), "a diff of the whole file");
			const range = { offset: 2300, limit: 100 };
			same(await world.read("a.txt", range), unchangedIn(2300, 2399, 2601), "a marker that rests on it");
			if (who === "compaction") await world.pi.ask("compact");
			const texts = await sentWhen(world, who === "pruner" ? "messages 1" : "nothing");
			same(texts.length, who === "pruner" ? 4 : 2, "results in the request");
			same(texts.at(-1), slice(changed, 2300, 2399), "the lines in the marker's place");
		},
	})),
	...["line", "block"].map((how) => ({
		name: `hunt-02-${how}-added-to-the-marker`,
		sees: "the text in place of a marker to which another extension adds something, when its text is pruned",
		async run(world) {
			world.foreign.push(/^\[pruner: /);
			world.write("a.txt", file);
			world.write("b.txt", other);
			await world.start({ extensions: ["hunter", "annotator", "readcache", "driver"], env: { E2E_ANNOTATE: how } });
			same(await world.read("a.txt"), file + NOTE, "the first read");
			same(await world.read("b.txt"), other + NOTE, "another file");
			same(await world.read("a.txt"), marker + NOTE, "a marker");
			const [first, , last] = await sentWhen(world, "messages 0");
			same(first, PRUNED, "the first text");
			ok(last.startsWith(file), "the text in the marker's place", last);
		},
	})),
	{
		name: "hunt-02-line-stored-with-the-marker",
		sees: "no marker alone, when another extension has stored something with it and its text is pruned",
		async run(world) {
			const noted = "\n[hunter: noted]";
			world.foreign.push(/^\[pruner: /, /\[hunter: noted\]$/, GONE);
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "hunter", "driver"] });
			same(await world.read("a.txt"), file, "the first read");
			await world.pi.command("/e2e-hunt note");
			same(await world.read("a.txt"), marker + noted, "a marker");
			const [first, last] = await sentWhen(world, "messages 0");
			same(first, PRUNED, "the first text");
			ok(last.startsWith(file) || GONE.test(last), "the text in the marker's place, or a clear line", last);
		},
	},
	{
		name: "hunt-03-session-of-an-older-version",
		sees: "the text in place of a marker, when its text is pruned and metadata tells neither what was shown nor its base",
		async run(world) {
			await textAndMarker(world);
			const old = new Set(["textHash", "textBytes", "rests"]);
			const forget = (key, value) => (old.has(key) ? undefined : value);
			await resumeChanged(world, (entries) => JSON.parse(JSON.stringify(entries, forget)));
			same(await sentWhen(world, "messages 0"), [PRUNED, file], "the text in the marker's place");
			await world.prompt();
			same(sent(world), [PRUNED, file], "the same in the next request");
		},
	},
	{
		name: "hunt-03-hostile-metadata",
		sees: "no marker alone, whatever a session file says of it, when its text is pruned",
		async run(world) {
			const kinds = Object.keys(HOSTILE);
			world.foreign.push(/^\[pruner: /);
			world.lost = () => true; // nobody has to find what is not told
			for (const kind of kinds) world.write(kind, file);
			await world.start(hunted);
			const all = kinds.map((path) => ({ path }));
			same(await world.batch(...all), kinds.map(() => file), "the first reads");
			same(await world.batch(...all), kinds.map(() => marker), "markers");
			await resumeChanged(world, (entries) => {
				const markers = entries.filter(({ message }) => message?.details?.readcache?.mode === "unchanged");
				markers.forEach(({ message: { details } }, i) => (details.readcache = HOSTILE[kinds[i]](details.readcache)));
				return entries;
			});
			const texts = await sentWhen(world, `messages ${[...kinds.keys()].join(" ")}`);
			same(texts.slice(0, kinds.length), kinds.map(() => PRUNED), "the texts");
			const alone = kinds.filter((_, i) => !isText(texts[kinds.length + i]));
			same(alone, [], "markers that leave alone");
		},
	},
	...["openai-completions", "anthropic-messages", "openai-responses"].map((api) => ({
		name: `hunt-04-text-pruned-in-${api}`,
		sees: "one text in place of its marker, and another file's marker beside its text, when one text is pruned in the request",
		run: (world) =>
			speaking(api, world, async () => {
				world.foreign.push(/^\[pruner: /);
				world.write("a.txt", file);
				world.write("b.txt", other);
				await world.start(hunted);
				for (const path of ["a.txt", "b.txt", "a.txt", "b.txt"]) await world.read(path);
				same(sent(world), [file, other, marker, marker], "two texts and their markers");
				const mended = [PRUNED, other, file, marker];
				same(await sentWhen(world, "request 0"), mended, "the text in place of the first marker");
				await world.prompt();
				same(sent(world), mended, "the same in the next request");
				await world.prompt(cat);
				same(sent(world), [...mended, file], "and when a command gives the same text behind it");
			}),
	})),
	{
		name: "hunt-05-ids-used-twice",
		sees: "no marker before its text, when ids of calls were used again and a text is pruned in the request",
		async run(world) {
			world.tally.patient = true; // the oracle knows calls by their ids
			world.foreign.push(/^\[pruner: /);
			world.write("a.txt", file);
			await world.start(hunted);
			await world.prompt(readAs("c1", "a.txt"));
			await world.prompt(readAs("c2", "a.txt"));
			await world.pi.command("/readcache-refresh a.txt");
			await world.prompt(readAs("c1", "a.txt"));
			await world.prompt(readAs("c2", "a.txt"));
			same(sent(world), [file, marker, file, marker], "text and marker, twice");
			same((await sentWhen(world, "request 0")).slice(0, 3), [PRUNED, file, file], "without the first text");
			const last = [];
			for (const [how, before] of [["request 2", [file, marker, PRUNED]], ["request 0 2", [PRUNED, file, PRUNED]]]) {
				const texts = await sentWhen(world, how);
				same(texts.slice(0, 3), before, how);
				last.push(texts[3]);
			}
			ok(last.every((text) => [file, marker].includes(text)), "the text stands before it, or in its place", last);
		},
	},
	...["versions", "files"].map((what) => ({
		name: `hunt-06-ids-used-for-two-${what}`,
		sees: "each marker's own text in its place, when ids of calls were used again for another text",
		async run(world) {
			world.tally.patient = true; // the oracle knows calls by their ids
			world.foreign.push(/^\[pruner: /);
			world.write("a.txt", file);
			world.write("b.txt", other);
			await world.start(hunted);
			await world.prompt(readAs("c1", "a.txt"));
			await world.prompt(readAs("c2", "a.txt"));
			if (what === "versions") world.write("a.txt", other);
			const second = what === "versions" ? "a.txt" : "b.txt";
			await world.prompt(readAs("c1", second));
			await world.prompt(readAs("c2", second));
			same(sent(world), [file, marker, other, marker], "two texts and their markers");
			same(await sentWhen(world, "request 0 2"), [PRUNED, file, PRUNED, other], "without both texts");
			same(await sentWhen(world, "request 2"), [file, marker, PRUNED, other], "without the second");
			same(await sentWhen(world, "request 0"), [PRUNED, file, other, marker], "without the first");
		},
	})),
	...[["fifo", fifo], ["device", () => "/dev/zero"], ["session-itself", (world) => world.sessionFile()]].map(([what, make]) => ({
		name: `hunt-07-parent-is-a-${what}`,
		sees: "a marker at once, when the file that is named as the session's parent is none",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			same(await world.read("a.txt"), file, "the first read");
			const parentSession = await make(world);
			await resumeChanged(world, ([header, ...entries]) => [{ ...header, parentSession }, ...entries]);
			same(await world.read("a.txt"), marker, "the second one");
		},
	})),
	{
		name: "hunt-08-diffs-that-rest-on-two",
		sees: "60 diffs at once, each of which rests on the two before it, when one is pruned in the request",
		async run(world) {
			const texts = await amongDiffs(world, { count: 60, reach: 2, hidden: 60 });
			const diffs = Array.from({ length: 59 }, (_, i) => diffText(i + 1));
			same(texts, [file, ...diffs, PRUNED], "what is supported stays");
		},
	},
	{
		name: "hunt-08-long-chain-of-diffs",
		sees: "the text in place of the last of 8,000 diffs, when the one before it is pruned in the request",
		async run(world) {
			const texts = await amongDiffs(world, { count: 8000, reach: 1, hidden: 7999 });
			same([texts.length, ...texts.slice(-3)], [8001, diffText(7998), PRUNED, file], "the text in the last one's place");
		},
	},
	{
		name: "hunt-09-results-made-anew-without-details",
		sees: "the text in place of a marker, when a pruner leaves the details of all results out",
		async run(world) {
			await textAndMarker(world, { extensions: ["readcache", "hunter", "driver"] });
			same(await sentWhen(world, "bare 0"), [PRUNED, file], "the text in the marker's place");
			await world.prompt();
			same(sent(world), [PRUNED, file], "the same in the next request");
		},
	},
	{
		name: "hunt-09-marker-stored-without-details",
		sees: "no marker alone, when another extension has replaced its details and its text is pruned",
		async run(world) {
			world.foreign.push(/^\[pruner: /);
			world.lost = () => true; // what it stood for may not be known any more
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "meddler", "hunter", "driver"] });
			same(await world.read("a.txt"), file, "the first read");
			await world.pi.command("/e2e-meddle drop-details");
			same(await world.read("a.txt"), marker, "a marker");
			same(await world.metadata(), undefined, "its metadata");
			const [first, last] = await sentWhen(world, "messages 0");
			same(first, PRUNED, "the first text");
			ok(isText(last), "the text in the marker's place, or a clear line", last);
		},
	},
	...["openai-completions", "anthropic-messages", "openai-responses"].map((api) => ({
		name: `hunt-10-call-left-out-in-${api}`,
		sees: "the text in place of its marker, when call and result are left out and a command gives the same text behind it",
		run: (world) =>
			speaking(api, world, async () => {
				await textAndMarker(world);
				await world.prompt(cat);
				same(sent(world), [file, marker, file], "a text, its marker, and the text again");
				same(await sentWhen(world, "pair"), [file, file], "the text in the marker's place");
				await world.prompt();
				same(sent(world), [file, file], "the same in the next request");
			}),
	})),
	{
		name: "hunt-11-results-stamped-in-the-request",
		sees: "the text in place of a marker, when an extension stamps all results of the request and prunes one",
		async run(world) {
			await textAndMarker(world);
			same(await sentWhen(world, "stamp 0"), [PRUNED, `[stamp: 12:01] ${file}`], "the text in the marker's place");
		},
	},
	{
		name: "hunt-12-equal-marker-without-details",
		sees: "never one file's text for a read of another, when one marker has its text pruned and an equal one lost its details",
		run: (world) =>
			speaking("openai-responses", world, async () => {
				world.foreign.push(/^\[pruner: /);
				world.lost = () => true; // what it stood for may not be known any more
				world.write("a.txt", file);
				world.write("b.txt", other);
				await world.start({ extensions: ["meddler", "hunter", "readcache", "driver"] });
				for (const path of ["a.txt", "b.txt", "a.txt"]) await world.read(path);
				await world.pi.command("/e2e-meddle drop-details");
				await world.read("b.txt");
				same(sent(world), [file, other, marker, marker], "two texts and their markers");
				const [first, second, third, last] = await sentWhen(world, "request 0");
				same([first, second, third], [PRUNED, other, file], "the text in place of the first marker");
				ok([marker, other].includes(last), "the second marker, or its own text", last);
			}),
	},
	...["before", "behind"].map((when) => ({
		name: `hunt-13-another-text-of-the-same-length-${when}-the-marker`,
		sees: "the text in place of a marker, when another text of the same length stands where it was",
		async run(world) {
			world.foreign.push(/^x+ 1\n/);
			world.write("a.txt", file);
			await world.start(hunted);
			same(await world.read("a.txt"), file, "the first read");
			if (when === "behind") same(await world.read("a.txt"), marker, "a marker");
			await world.pi.command("/e2e-hunt blur 0");
			if (when === "before") await world.read("a.txt");
			const [blurred, last] = await sentWhen(world, "blur 0");
			same(blurred, file.replace(/[a-z]/g, "x"), "what the other extension made of it");
			same(last, file, "the text");
		},
	})),
	{
		name: "hunt-13-marker-hidden-and-shown-again",
		sees: "the text in place of a marker that was kept from the model for a while, when its text is kept from it now",
		async run(world) {
			await textAndMarker(world);
			same(await sentWhen(world, "messages 1"), [file, PRUNED], "the marker is hidden");
			same(await sentWhen(world, "messages 0"), [PRUNED, file], "its text in its place");
		},
	},
	{
		name: "hunt-14-long-ago-another-text-of-the-same-length",
		sees: "the text, when the marker would rest on one that was made another long ago",
		async run(world) {
			await longAgo(world, 1);
			await world.prompt();
			await world.pi.command("/e2e-hunt blur 0");
			same(await world.read("a.txt"), file, "the text");
			same((await sentWhen(world, "blur 0")).at(-1), file, "and it stays");
		},
	},
	{
		name: "hunt-14-long-ago-the-text-of-a-marker",
		sees: "the text in place of a marker of long ago, when its text is made another of the same length",
		async run(world) {
			await longAgo(world, 2);
			same((await sentWhen(world, "nothing"))[1], marker, "a marker");
			same((await sentWhen(world, "blur 0"))[1], file, "its text");
		},
	},
	{
		name: "hunt-14-long-ago-a-marker-shown-again",
		sees: "the text in place of a marker of long ago that was kept from the model for a while",
		async run(world) {
			await longAgo(world, 2);
			same((await sentWhen(world, "messages 1"))[1], PRUNED, "the marker is hidden");
			same((await sentWhen(world, "messages 0"))[1], file, "its text in its place");
		},
	},
	{
		name: "hunt-14-long-ago-an-id-for-two-calls",
		sees: "the text in place of a marker of long ago that has the id of the read it rests on",
		async run(world) {
			await longAgo(world, 2, { same: true });
			same((await sentWhen(world, "drop 1"))[0], file, "the marker is left out");
			same((await sentWhen(world, "drop 0"))[1], file, "its text in its place; the host fills the gap before it");
		},
	},
];
