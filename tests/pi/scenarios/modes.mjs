// pi without an interface (print and JSON mode), and with other settings.
import { join } from "node:path";
import { matches, ok, same } from "../lib/expect.mjs";
import { reads } from "../lib/provider.mjs";
import { changedBy, changeLine, lines, slice, unchanged, unchangedIn } from "../lib/texts.mjs";

const file = lines(40);
const changed = changeLine(file, 9);
const read = reads({ path: "a.txt" });

export default [
	{
		name: "policy-coverage",
		sees: "a marker for lines shown in another range; the text after a refused edit, and every third time",
		async run(world) {
			world.choosePolicy("coverage");
			world.write("a.txt", lines(40));
			await world.start();
			await world.read("a.txt", { offset: 1, limit: 20 });
			const inside = { offset: 5, limit: 6 };
			same(await world.read("a.txt", inside), unchangedIn(5, 10, 41), "lines of the range before");
			await world.read("a.txt", { offset: 21 });
			same(await world.read("a.txt"), unchanged(41), "both parts make the whole");
			const refused = { name: "edit", args: { path: "a.txt", edits: [{ oldText: "nowhere", newText: "x" }] } };
			await world.prompt({ calls: [refused] });
			same(await world.read("a.txt"), lines(40), "after a refused edit");
			same(await world.read("a.txt"), unchanged(41), "then known again");
			same(await world.read("a.txt"), world.again(unchanged(41)), "and again");
			same(await world.read("a.txt"), lines(40), "the third marker in a row is the text");
			same(await world.read("a.txt"), unchanged(41), "and then known again");
		},
	},
	{
		name: "policy-by-default",
		sees: "without settings, a marker for lines shown in another range",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt", { offset: 1, limit: 20 });
			same(await world.read("a.txt", { offset: 5, limit: 6 }), unchangedIn(5, 10, 41), "lines of the range before");
		},
	},
	{
		name: "policy-strict",
		sees: "by the setting, the text of lines that were shown in another range or as its own, and markers however often",
		async run(world) {
			world.choosePolicy("strict");
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt", { offset: 1, limit: 20 });
			same(await world.read("a.txt", { offset: 5, limit: 6 }), slice(file, 5, 10), "lines of the range before");
			same(await world.read("a.txt"), file, "the whole file");
			for (let i = 0; i < 4; i++) same(await world.read("a.txt"), unchanged(41), "a marker");
			await world.prompt({ calls: [{ name: "write", args: { path: "a.txt", content: changed } }] });
			matches(await world.read("a.txt"), changedBy(1, 41), "after its own write a diff");
			await world.prompt({ calls: [{ name: "write", args: { path: "b.txt", content: file } }] });
			same(await world.read("b.txt"), file, "what it wrote and was never shown");
		},
	},
	{
		name: "print-mode",
		sees: "the file, then a marker; stdout has the answer only, stderr nothing",
		async run(world) {
			world.write("a.txt", file);
			const { stdout, texts } = await world.print([read, read]);
			same(texts, [file, unchanged(41)], "what the model saw");
			same(stdout, "Done.\n", "stdout");
			const [session] = world.sandbox.sessionFiles();
			const next = await world.print([read], { args: ["-p", "--session", session] });
			same(next.texts, [world.again(unchanged(41))], "what it saw in the continued session");
		},
	},
	{
		name: "print-mode-status",
		sees: "the status on stderr, none of it on stdout",
		async run(world) {
			world.write("a.txt", file);
			const messages = ["Go on.", "/readcache-status"];
			await world.print([read, read], { messages, stderr: /^readcache: 1 files?, [^]*tokens \(bytes\/4\)/ });
		},
	},
	{
		name: "print-mode-without-helper",
		sees: "the host's reads, and one line on stderr",
		async run(world) {
			world.write("a.txt", file);
			const env = { READCACHE_BIN: join(world.sandbox.root, "nothing-here") };
			const { texts, stdout } = await world.print([read, read], {
				env,
				stderr: /^readcache: [^\n]*READCACHE_BIN[^\n]*\n$/,
			});
			same([texts, stdout], [[file, file], "Done.\n"], "what the model and the user saw");
		},
	},
	{
		name: "json-mode",
		sees: "the file, then a marker; every line of stdout is an event and none an error",
		async run(world) {
			world.write("a.txt", file);
			const { stdout, texts } = await world.print([read, read], { args: ["--mode", "json"] });
			same(texts, [file, unchanged(41)], "what the model saw");
			const events = stdout
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line));
			ok(!events.some(({ type }) => type === "extension_error"), "no extension failed");
			const ends = events.filter(({ type, toolName }) => type === "tool_execution_end" && toolName === "read");
			same(
				ends.map(({ result }) => result.details.readcache.mode),
				["full", "unchanged"],
				"the modes in the events",
			);
		},
	},
];
