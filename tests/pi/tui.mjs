// What a person at the terminal sees: tui.mjs [VERSION]
import { versions } from "../host/paths.mjs";
import { isDeepStrictEqual } from "node:util";
import { Mismatch, matches, ok, same, show } from "./lib/expect.mjs";
import { reads } from "./lib/provider.mjs";
import { Sitting } from "./tui-sitting.mjs";

const lines = Array.from({ length: 300 }, (_, i) => `line ${i + 1} of a source text that is worth the trouble\n`);
const before = lines.join("");
const after = [...lines.slice(0, 149), "line 150 was edited\n", ...lines.slice(150)].join("");
const marker = "[readcache: unchanged, 301 lines]";

/** Bytes as the interface writes them in tokens; the numbers of this session are all between 1,000 and 10,000. */
function tokens(bytes) {
	const count = Math.floor(bytes / 4);
	ok(count >= 1000 && count < 10000, "a number of tokens that is written with one decimal", count);
	return `~${(count / 1000).toFixed(1)}k tokens saved (bytes/4)`;
}

/** What a compact answer saves, net of itself. */
const saved = (plain, served) => Buffer.byteLength(plain) - Buffer.byteLength(served);

// A screen is drawn piece by piece: all of what is expected is waited for.

/** The rows about reads on the screen are the last of EXPECTED; those before have scrolled out. */
function showsRows(sitting, expected) {
	return sitting.screen.until((text) => {
		const rows = text.split("\n").map((line) => line.trim());
		const shown = rows.filter((line) => /^(read |\[readcache: )/.test(line));
		return isDeepStrictEqual(shown, expected.slice(-Math.max(shown.length, 5)));
	}, `the rows of the reads:\n${expected.join("\n")}`);
}

/** All of TEXTS are on the screen, and nothing of WITHOUT. */
function showsAll(sitting, texts, without = []) {
	const what = `${JSON.stringify(texts)} ${without.length > 0 ? `without ${JSON.stringify(without)} ` : ""}on the screen`;
	return sitting.screen.until((text) => texts.every((one) => text.includes(one)) && !without.some((one) => text.includes(one)), what);
}

/** One session; each step goes on where the one before has ended. */
const steps = [
	[
		"collapsed reads say what was served and what was saved",
		async (sitting) => {
			sitting.write("source.txt", before);
			sitting.write("my notes.txt", "a note\n");
			sitting.start();
			const read = reads({ path: "source.txt" });
			const editAndRead = () => (sitting.write("source.txt", after), read);
			const texts = await sitting.prompt("Please read it.", [read, read, editAndRead], "I have read it three times.");
			same(texts.slice(0, 2), [before, marker], "what the model got");
			matches(texts[2], /^\[readcache: 1 lines changed of 301\]\n/, "what the model got after the edit");
			const [first, second] = [saved(before, texts[1]), saved(after, texts[2])];
			sitting.rows = [
				"read source.txt",
				"read source.txt",
				`[readcache: unchanged · ${tokens(first)}]`,
				"read source.txt",
				`[readcache: diff of 1 line · ${tokens(second)}]`,
			];
			sitting.saved = first + second;
			await sitting.screen.shows(`readcache: ${tokens(sitting.saved)}`);
			await showsRows(sitting, sitting.rows);
			sitting.keep("collapsed");
		},
	],
	[
		"Ctrl+O shows what the model got, and once more the rows",
		async (sitting) => {
			const { screen } = sitting;
			screen.press("C-o");
			// An expanded read shows the text and nothing else.
			const parts = ["+line 150 was edited", "line 300 of a source text", marker, "-line 150 of a source text"];
			await showsAll(sitting, parts, ["tokens saved (bytes/4)]"]);
			sitting.keep("expanded");
			screen.press("C-o");
			await showsRows(sitting, sitting.rows);
		},
	],
	[
		"/readcache-status shows the figures",
		async (sitting) => {
			const asked = sitting.provider.requests.length;
			await sitting.command("/readcache-status");
			await showsAll(sitting, [
				"store: 2 objects",
				"1 file, 1 scope known on this branch",
				"full 1, unchanged 1, unchanged_range 0, diff 1, baseline_fallback 0",
				`saved: about ${Math.floor(sitting.saved / 4)} tokens (bytes/4)`,
			]);
			sitting.keep("status");
			same(sitting.provider.requests.length, asked, "requests to the model");
		},
	],
	[
		"/readcache-refresh completes a path by Tab, quoted if it has a blank",
		async (sitting) => {
			const { screen } = sitting;
			await sitting.type("/readcache-refresh my");
			await screen.shows("→ my notes.txt");
			sitting.keep("completion");
			screen.press("Tab");
			await screen.shows('/readcache-refresh "my notes.txt"');
			sitting.keep("completed");
			screen.press("Enter");
			await screen.shows("the next read of my notes.txt is served as text");
			sitting.keep("refreshed");
			await sitting.type("/readcache-refresh ");
			await screen.shows("→ my notes.txt"); // the first of all
			await sitting.type("so");
			await screen.shows("→ source.txt");
			screen.press("Tab");
			await screen.shows("/readcache-refresh source.txt");
			screen.press("Enter");
			await screen.shows("the next read of source.txt is served as text");
			const texts = await sitting.prompt("Once more.", [reads({ path: "source.txt" })], "I have it in full.");
			same(texts.at(-1), after, "what the model got after the refresh");
			sitting.rows.push("read source.txt");
			await showsRows(sitting, sitting.rows);
			sitting.keep("after-refresh");
		},
	],
	["Ctrl+D ends pi and its helper", (sitting) => sitting.leave()],
	[
		"a resumed session shows its reads in the same way",
		async (sitting) => {
			const [file] = sitting.sandbox.sessionFiles();
			sitting.start("--session", file);
			await sitting.screen.shows("I have it in full.");
			await sitting.screen.shows(`readcache: ${tokens(sitting.saved)}`);
			await showsRows(sitting, sitting.rows);
			sitting.keep("resumed");
			await sitting.prompt("And again.", [reads({ path: "source.txt" })], "Nothing new.");
			sitting.rows.push("read source.txt", `[readcache: unchanged · ${tokens(saved(after, marker))}]`);
			await showsRows(sitting, sitting.rows);
			sitting.keep("resumed-read");
			await sitting.leave();
		},
	],
];

let passed = 0;
let failed = 0;

function report(name, version, error) {
	console.log(`${error ? "not ok" : "ok"} pi ${version}: ${name}`);
	if (!error) return (passed += 1);
	const details = [error.stack];
	if (error instanceof Mismatch) details.push(`expected: ${show(error.expected)}`, `actual: ${show(error.actual)}`);
	details.push(`again: tests/pi/tui ${version}`);
	console.log(details.join("\n").replace(/^/gm, "    "));
	return (failed += 1);
}

const chosen = process.argv[2] ? [process.argv[2]] : versions;
for (const version of chosen) {
	const sitting = await Sitting.begin(version);
	try {
		for (const [name, run] of steps) {
			let problem;
			await run(sitting).catch((error) => (problem = error));
			report(name, version, problem);
			if (problem) break; // what follows would start from a state that nobody knows
		}
	} finally {
		await sitting.end();
	}
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
