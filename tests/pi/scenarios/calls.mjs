// What leaves when an answer rests on the model's own calls (SPEC.md section 15): it stands behind all of them, or it is
// sent as its text. The engine claims what it is told to (claimant.mjs); `/e2e-calls` (ext/caller.ts) does what others may
// do to the calls.
import { argumentsSent, asked, claim, claims, isUnsaid, said } from "../lib/claiming.mjs";
import { matches, ok, same } from "../lib/expect.mjs";
import { speaking } from "../lib/formats.mjs";
import { PRUNED, resumeChanged, withMany } from "../lib/hunting.mjs";
import { GONE } from "../lib/knowledge.mjs";
import { changeLine, lines, slice, unchanged } from "../lib/texts.mjs";

const file = lines(60);
const edited = changeLine(file, 9, "edited");
const wrote = "[readcache: unchanged since you wrote it, 61 lines]";
const inPlace = "[readcache: your edits are in place: line 9; nothing else changed; 61 lines]";
const inParts = [
	"[readcache: lines 5-12 of 61 in 3 parts; + is text, you have the rest]",
	"@@ -5,4 +5,4 @@ unchanged",
	"@@ +9,1 @@ as you wrote it",
	"@@ +10,3 @@ text",
	"+line 10",
	"+line 11",
	"+line 12",
].join("\n");
const apis = ["openai-completions", "anthropic-messages", "openai-responses"];
const company = { extensions: ["caller", "readcache", "driver"] };

const call = (name, id, args) => ({ calls: [{ name, id, args: { path: "a.txt", ...args } }] });
const write = (id, content = file) => call("write", id, { content });
const edit = (id, oldText = "line 9\n", newText = "edited\n") => call("edit", id, { edits: [{ oldText, newText }] });
const read = (id, range = {}) => call("read", id, range);

/** Text of the read with that ID when `/e2e-calls HOW` was said. */
async function when(world, how, ...ids) {
	await world.pi.command(`/e2e-calls ${how}`);
	await world.prompt();
	return said(world, ...ids);
}

/** a.txt is written by w1, and r1 is answered by that. */
async function written(world, start = company) {
	claims(world);
	await world.start(start);
	await world.prompt(write("w1"));
	await claim(world, { text: wrote, calls: ["w1"] });
	same(await world.prompt(read("r1")), [wrote], "what the engine claims");
}

/** a.txt is read as r0 and edited by e1, and r1 is answered by both. */
async function changed(world, start = company, text = inPlace, range = {}) {
	claims(world);
	world.write("a.txt", file);
	await world.start(start);
	same(await world.prompt(read("r0")), [file], "the first read");
	await world.prompt(edit("e1"));
	await claim(world, { text, rests: [0], calls: ["e1"] });
	same(await world.prompt(read("r1", range)), [text], "what the engine claims");
}

/** What somebody does to the call takes what it says away. */
const TAKES = ["strip 0", "cut 0", "twice 0", "decoy 0", "last 0", "drop 0"];

const taken = TAKES.flatMap((how) => [
	{
		name: `calls-${how.replace(" 0", "")}-in-the-messages`,
		sees: "the text in place of what rests on a call of which another extension sends something else",
		async run(world) {
			await written(world);
			same(await when(world, how, "r1"), [file], "the text");
			same(await when(world, "nothing", "r1"), [file], "the same bytes from then on");
		},
	},
	...apis.map((api) => ({
		name: `calls-${how.replace(" 0", "")}-in-the-request-in-${api}`,
		sees: "the text in place of what rests on a call that is another one in the request",
		run: (world) =>
			speaking(api, world, async () => {
				await written(world);
				same(await when(world, `request-${how}`, "r1"), [file], "the text");
			}),
	})),
]);

const stays = apis.flatMap((api) =>
	["nothing", "swap 0", "request-swap 0"].map((how) => ({
		name: `calls-stay-${how.replace(" 0", "")}-in-${api}`,
		sees: "what rests on a call for as long as that is there with all it says, however that is put",
		run: (world) =>
			speaking(api, world, async () => {
				await written(world);
				// words in another order are other words: then it may be sent as its text
				const texts = how === "request-swap 0" ? [wrote, file] : [wrote];
				for (let i = 0; i < 3; i++) ok(texts.includes((await when(world, how, "r1"))[0]), "what it says, or its text");
			}),
	})),
);

export default [
	...taken,
	...stays,
	{
		name: "calls-of-a-diff-in-parts",
		sees: "parts that rest on a text and on a call; the text of their lines when the call says less",
		async run(world) {
			await changed(world, company, inParts, { offset: 5, limit: 8 });
			same(await when(world, "nothing", "r1"), [inParts], "the parts");
			same(await when(world, "request-strip 0", "r1"), [slice(edited, 5, 12)], "the text of the lines");
		},
	},
	...["messages", "request"].map((where) => ({
		name: `calls-text-taken-from-the-${where}`,
		sees: "the text, when the text is taken away that an answer rests on besides a call",
		async run(world) {
			world.foreign.push(/^\[pruner: /);
			await changed(world, { extensions: ["hunter", "caller", "readcache", "driver"] });
			await world.pi.command(`/e2e-hunt ${where} 0`);
			same(await when(world, "nothing", "r1"), [edited], "the text");
		},
	})),
	{
		name: "calls-answer-on-answer",
		sees: "the texts of two answers, of which the second rests on the first, and that on a call that is stripped",
		async run(world) {
			world.foreign.push(/^\[pruner: /);
			await written(world, { extensions: ["hunter", "caller", "readcache", "driver"] });
			await world.prompt(edit("e1"));
			await claim(world, { text: inPlace, rests: [0], calls: ["e1"] });
			same(await world.prompt(read("r2")), [inPlace], "what the engine claims");
			same(await when(world, "request-strip 1", "r1", "r2"), [wrote, edited], "the second one's call");
			same(await when(world, "strip 0", "r1", "r2"), [file, inPlace], "the first one's call, and there is its text");
			await world.pi.command("/e2e-hunt messages 1");
			same(await when(world, "strip 0", "r1", "r2"), [PRUNED, edited], "and its text");
		},
	},
	{
		name: "calls-answer-on-repaired-lines",
		sees: "an answer that rests on lines that are sent as their text",
		async run(world) {
			await changed(world, company, inParts, { offset: 5, limit: 8 });
			const moved = "[readcache: unchanged in lines 6-9 of 61; shown before as lines 6-9]";
			await claim(world, { text: moved, rests: [1], calls: [] });
			same(await world.prompt(read("r2", { offset: 6, limit: 4 })), [moved], "what the engine claims");
			same(await when(world, "strip 0", "r1", "r2"), [slice(edited, 5, 12), moved], "the lines are there");
		},
	},
	{
		name: "calls-with-ids-used-again",
		sees: "the text in place of what rests on a call whose id is used again",
		async run(world) {
			await written(world);
			await world.prompt({ calls: [{ name: "bash", id: "w1", args: { command: "true" } }] });
			same(said(world, "r1"), [file], "the text");
		},
	},
	{
		name: "calls-used-before",
		sees: "the host's own text, when the engine claims a call whose id was there before",
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt({ calls: [{ name: "bash", id: "w1", args: { command: "true" } }] });
			await world.prompt(write("w1"));
			same(argumentsSent(world, "w1"), undefined, "nothing was asked yet");
			await claim(world, { text: wrote, calls: ["w1"] });
			same(await world.prompt(read("r1")), [file], "the text");
			same(argumentsSent(world, "w1"), { path: "a.txt" }, "what the engine is sent of a call that nobody can tell");
		},
	},
	...[["nowhere", "w2"], ["to-a-read", "r0"]].map(([name, id]) => ({
		name: `calls-lead-${name}`,
		sees: "another answer, when the engine claims a call that is not there, or is none of edit and write",
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt(write("w1"));
			await world.prompt(read("r0"));
			await claim(world, { text: wrote, rests: [0], calls: [id] });
			// who stays is asked once more, with all of the branch
			const [text] = await world.prompt(read("r1"));
			ok([unchanged(61), world.again(unchanged(61)), file].includes(text), "what it says when it is asked again, or the host's own text", text);
			ok(!isUnsaid(world), "it was claimed");
		},
	})),
	{
		name: "calls-and-nothing-else",
		sees: "the text, when the engine claims to rest on nothing",
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt(write("w1"));
			await world.prompt(read("r0"));
			await claim(world, { text: wrote });
			same(await world.prompt(read("r1")), [file], "the text");
		},
	},
	{
		name: "calls-beside-the-read",
		sees: "the host's own text, when the engine claims a call of the read's own message",
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt(write("w0"));
			await world.prompt(read("r0"));
			const other = { name: "write", id: "w1", args: { path: "b.txt", content: file } };
			await claim(world, { text: wrote, rests: [0], calls: ["w1"] });
			await world.prompt({ calls: [other, read("r1").calls[0]] });
			same(said(world, "r1"), [wrote], "it stands behind it");
		},
	},
	{
		name: "calls-in-a-later-message",
		sees: "the text, when an answer rests on a call that is behind it by now",
		async run(world) {
			await written(world);
			same(await when(world, "last 0", "r1"), [file], "the text");
		},
	},
	...["omit", "reword"].map((how) => ({
		name: `calls-${how}-by-a-context-edit`,
		sees: "the text, when a context edit takes the call out of the context or puts words in its place",
		async run(world) {
			await written(world);
			same(await when(world, how, "r1"), [file], "the text");
			same(await when(world, "nothing", "r1"), [file], "and again");
			same(await world.prompt(read("r2")), [file], "a read of it");
			same(argumentsSent(world, "w1"), { path: "a.txt" }, "what the engine is sent of it");
		},
	})),
	{
		name: "calls-before-a-compaction",
		sees: "the text in place of an answer that a compaction has left without the call",
		settings: { compaction: { keepRecentTokens: 20, reserveTokens: 1000 } },
		async run(world) {
			await written(world);
			await world.prompt();
			await world.pi.ask("compact");
			await world.prompt();
			const texts = said(world, "r1");
			same(texts, [file], "the answer is kept, the call is not");
		},
	},
	{
		name: "calls-kept-by-a-compaction",
		sees: "an answer and the call that it rests on, both kept by a compaction",
		settings: { compaction: { keepRecentTokens: 600, reserveTokens: 1000 } },
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt({ ...read("r0"), text: "a word ".repeat(2000) });
			await world.prompt(write("w1"));
			await claim(world, { text: wrote, calls: ["w1"] });
			same(await world.prompt(read("r1")), [wrote], "what the engine claims");
			await world.pi.ask("compact");
			await world.prompt();
			same(said(world, "w1").length, 1, "the call is kept");
			same(said(world, "r1"), [wrote], "what it says");
		},
	},
	{
		name: "calls-on-another-branch",
		sees: "the text, when the branch gone to has another call with that id",
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt(read("r0"));
			const fork = (await world.pi.ask("get_entries")).leafId;
			await world.prompt(write("w1", edited));
			await claim(world, { text: wrote, calls: ["w1"] });
			same(await world.prompt(read("r1")), [wrote], "on one branch");
			const here = (await world.pi.ask("get_entries")).leafId;
			await world.navigate(fork);
			await world.prompt(write("w1", file));
			await world.prompt(read("r1"));
			ok([wrote, file].includes(said(world, "r1")[0]), "on the other one"); // by the policy
			await claim(world, { text: wrote, calls: ["w1"] });
			same(await world.prompt(read("r2")), [wrote], "and again");
			await world.navigate(here);
			await world.prompt();
			same(said(world, "r1"), [wrote], "back on the first");
			same(await when(world, "strip 0", "r1"), [edited], "what was written there");
		},
	},
	{
		name: "calls-of-a-resumed-session",
		sees: "what rests on a call, when the session goes on in another pi",
		async run(world) {
			await written(world);
			await resumeChanged(world, (entries) => entries, company);
			await world.prompt();
			same(said(world, "r1"), [wrote], "what it says");
			same(await when(world, "strip 0", "r1"), [file], "the text");
		},
	},
	{
		name: "calls-of-a-session-that-was-changed",
		sees: "the text, when the session's file has another call when it goes on",
		async run(world) {
			await written(world);
			const changed = (entries) => JSON.parse(JSON.stringify(entries).replace("line 9\\nline 10", "line 9\\nline ten"));
			await resumeChanged(world, changed, company);
			await world.prompt();
			same(said(world, "r1"), [file], "the text");
		},
	},
	{
		name: "calls-of-another-hand",
		sees: "the text, when nobody has noted what the call said",
		async run(world) {
			await written(world);
			const bare = (entries) => JSON.parse(JSON.stringify(entries), (key, value) => (key === "callHashes" ? undefined : value));
			await resumeChanged(world, bare, company);
			await world.prompt();
			same(said(world, "r1"), [file], "the text");
		},
	},
	...["nothing", "strip 0", "request-strip 0"].map((how) => ({
		name: `calls-without-metadata-${how.replace(" 0", "")}`,
		sees: "what rests on a call, or its text, when an extension sends results without details",
		async run(world) {
			await written(world, { extensions: ["hunter", "caller", "readcache", "driver"] });
			await world.pi.command("/e2e-hunt bare 99");
			same(await when(world, how, "r1"), [how === "nothing" ? wrote : file], "what it says");
		},
	})),
	...["strip 0", "request-strip 0"].map((how) => ({
		name: `calls-with-a-note-${how.replace(" 0", "")}`,
		sees: "the text and the note, when the call is stripped and an extension has added a note",
		async run(world) {
			claims(world);
			await world.start({ extensions: ["annotator", "caller", "readcache", "driver"] });
			await world.prompt(write("w1"));
			await claim(world, { text: wrote, calls: ["w1"] });
			same(await world.prompt(read("r1")), [`${wrote}\n[annotator: 43% used]`], "what the engine claims, and the note");
			const [text] = await when(world, how, "r1");
			ok(text.startsWith(file), "the text", text);
			ok(!text.includes(wrote), "no claim besides", text);
		},
	})),
	...["strip 0", "request-strip 0", "twice 0", "request-twice 0"].map((how) => ({
		name: `calls-long-ago-${how.replace(" 0", "")}`,
		sees: "the text, when the call of long ago is another one, in a request with very many results",
		async run(world) {
			await written(world);
			world.write("b.txt", "another\n");
			await world.prompt({ calls: [{ name: "read", id: "r2", args: { path: "b.txt" } }] });
			await resumeChanged(world, (entries) => withMany(entries, {}), company);
			await world.prompt();
			same(said(world, "r1"), [wrote], "while it is there");
			same(await when(world, how, "r1"), [file], "the text");
		},
	})),
	{
		name: "calls-of-a-fork",
		sees: "what rests on a call, in a fork of the session",
		async run(world) {
			await written(world);
			await world.prompt();
			await world.pi.ask("clone");
			await world.prompt();
			same(said(world, "r1"), [wrote], "what it says");
			same(await when(world, "request-strip 0", "r1"), [file], "the text");
		},
	},
	{
		name: "calls-written-into",
		sees: "the text, when somebody has written other arguments into the session's memory",
		async run(world) {
			await written(world);
			same(await when(world, "write", "r1"), [file], "the text");
			same(await world.prompt(read("r2")), [file], "a read of it");
			const sent = asked(world).at(-1).session;
			same(sent.after, undefined, "all is sent anew");
			same(argumentsSent(world, "w1"), { path: "a.txt" }, "what the engine is sent of it");
		},
	},
	{
		name: "calls-sent-to-the-engine",
		sees: "nothing of it: the engine is sent what the model itself wrote, and nothing else of any call",
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt(write("w1"));
			await world.prompt(edit("e1"));
			await world.prompt({ calls: [{ name: "bash", id: "b1", args: { command: "true" } }, ...read("r1").calls] });
			same(argumentsSent(world, "w1"), { path: "a.txt", content: file }, "a write");
			same(argumentsSent(world, "e1"), { path: "a.txt", edits: [{ oldText: "line 9\n", newText: "edited\n" }] }, "an edit");
			same(argumentsSent(world, "b1"), undefined, "a command");
			same(argumentsSent(world, "r1"), { path: "a.txt" }, "a read");
		},
	},
	...["strip 0", "cut 0", "drop 0", "request-strip 0", "request-cut 0", "request-drop 0"].map((how) => ({
		name: `calls-not-sent-to-the-engine-${how.replace(" 0", "")}`,
		sees: "nothing of it: the engine is not sent arguments that the model was not sent when it asked",
		async run(world) {
			claims(world);
			await world.start(company);
			await world.prompt(write("w1"));
			await world.prompt(read("r1"));
			same(argumentsSent(world, "w1"), { path: "a.txt", content: file }, "while they are there");
			await world.pi.command(`/e2e-calls ${how}`);
			await world.prompt(read("r2"));
			same(argumentsSent(world, "w1"), { path: "a.txt" }, "when they are not");
			same(asked(world).at(-1).session.after, undefined, "all is sent anew");
			await world.pi.command("/e2e-calls nothing");
			await world.prompt(read("r3"));
			same(argumentsSent(world, "w1"), { path: "a.txt", content: file }, "when they are back");
		},
	})),
	{
		name: "calls-text-lost",
		sees: "one clear line, when the call is gone and nobody has the text",
		async run(world) {
			await written(world);
			await world.pi.command("/e2e-calls strip 0");
			world.sandbox.env.READCACHE_MODE = "serve";
			await resumeChanged(world, (entries) => entries, { ...company, env: { READCACHE_BIN: "/bin/false" } }).catch(() => {});
			world.pi.stderr = "";
			await world.pi.command("/e2e-calls strip 0");
			await world.prompt();
			matches(said(world, "r1")[0], GONE, "what it says");
		},
	},
];
