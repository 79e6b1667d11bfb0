// pi without an interface: print and JSON mode.
import { join } from "node:path";
import { ok, same } from "../lib/expect.mjs";
import { reads } from "../lib/provider.mjs";
import { lines, unchanged } from "../lib/texts.mjs";

const file = lines(40);
const read = reads({ path: "a.txt" });

export default [
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
			same(next.texts, [unchanged(41)], "what it saw in the continued session");
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
