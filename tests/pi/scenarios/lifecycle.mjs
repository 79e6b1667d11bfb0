// The end of pi, in order or not, and what a resumed session knows.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { matches, ok, same } from "../lib/expect.mjs";
import { reads } from "../lib/provider.mjs";
import { changedBy, changeLine, lines, unchanged } from "../lib/texts.mjs";

const file = lines(40);
const withTools = ["readcache", "driver", "slow"];
const call = (name, args) => ({ name, args });

/** Kill pi when tool NAME has begun and the read beside it has ended. */
async function killIn(world, name, ...calls) {
	world.provider.play({ calls });
	const readEnded = world.pi.next(
		(event) => event.type === "tool_execution_end" && event.toolName === "read",
		"the read's end",
	);
	const begun = world.pi.next(
		(event) => event.type === "tool_execution_start" && event.toolName === name,
		`${name}'s begin`,
	);
	await world.pi.ask("prompt", { message: "Go on." });
	await Promise.all([readEnded, begun]);
	await world.crash();
}

export default [
	{
		name: "resume-after-exit",
		rows: [17],
		sees: "a marker or a diff in a resumed session, also without any file of the store",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			const session = await world.sessionFile();
			await world.stop();
			await world.start({ args: ["--session", session] });
			same(await world.read("a.txt"), unchanged(41), "known");
			await world.stop();
			world.write("a.txt", changeLine(file, 7));
			await world.start({ args: ["--continue"] });
			matches(await world.read("a.txt"), changedBy(1, 41), "changed while pi was away");
			await world.stop();
			rmSync(join(world.sandbox.work, ".pi"), { recursive: true });
			await world.start({ args: ["--continue"] });
			same(await world.read("a.txt"), unchanged(41), "the session alone tells it");
			await world.stop();
			appendFileSync(session, '{"type":"message","id":"torn');
			await world.start({ args: ["--session", session] });
			same(await world.read("a.txt"), world.again(unchanged(41)), "a torn last line is not in the way");
		},
	},
	{
		// Regression 3: a range without a hash of its text was believed whatever it said.
		name: "resume-with-metadata-of-an-older-version",
		sees: "the text, where an older session's range cannot prove what it showed",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			const range = { offset: 5, limit: 3 };
			const text = await world.read("a.txt", range);
			const session = await world.sessionFile();
			await world.stop();
			const gone = "[redacted by another extension]";
			world.foreign.push(/^\[redacted by another extension\]$/);
			const redact = (entry) => {
				const { message } = entry;
				if (message?.role !== "toolResult") return entry;
				const { textHash, textBytes, ...readcache } = message.details.readcache;
				return { ...entry, message: { ...message, content: [{ type: "text", text: gone }], details: { readcache } } };
			};
			const entries = readFileSync(session, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
			writeFileSync(session, entries.map((entry) => `${JSON.stringify(redact(entry))}\n`).join(""));
			await world.start({ args: ["--session", session] });
			same(await world.read("a.txt", range), text, "the same range again");
		},
	},
	{
		name: "resume-after-kill",
		rows: [17],
		sees: "after SIGKILL between two messages, a marker for what is on file",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			const session = await world.sessionFile();
			await world.crash();
			await world.start({ args: ["--session", session] });
			same(await world.read("a.txt"), unchanged(41), "known");
			await world.stop();
			await world.start({ args: ["--fork", session] });
			ok((await world.sessionFile()) !== session, "a session of its own");
			same(await world.read("a.txt"), world.again(unchanged(41)), "known in a fork that pi was started with");
		},
	},
	{
		name: "kill-in-a-parallel-batch",
		rows: [17],
		sees: "after SIGKILL in a batch whose results were not stored, the file",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ extensions: withTools });
			const session = await world.sessionFile();
			await killIn(world, "pause", call("read", { path: "a.txt" }), call("pause", { ms: 60000 }));
			await world.start({ args: ["--session", session] });
			same(await world.read("a.txt"), file, "its result never reached the model");
		},
	},
	{
		name: "kill-in-a-sequential-batch",
		rows: [17],
		sees: "after SIGKILL in a batch whose read was stored, a marker",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ extensions: withTools });
			const session = await world.sessionFile();
			await killIn(world, "slow", call("read", { path: "a.txt" }), call("slow", { ms: 60000 }));
			await world.start({ args: ["--session", session] });
			same(await world.read("a.txt"), unchanged(41), "its result was on file and is sent again");
		},
	},
	{
		name: "no-session",
		sees: "markers and diffs without any session file",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ args: ["--no-session"] });
			same(await world.read("a.txt"), file, "the file");
			same(await world.read("a.txt"), unchanged(41), "known");
			world.write("a.txt", changeLine(file, 7));
			matches(await world.read("a.txt"), changedBy(1, 41), "changed");
			same(world.sandbox.sessionFiles(), [], "session files");
		},
	},
	{
		name: "reload",
		sees: "a marker after the extensions were loaded anew",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.pi.ask("prompt", { message: "/e2e-reload" });
			same(await world.read("a.txt"), unchanged(41), "known");
			world.write("a.txt", changeLine(file, 7));
			matches(await world.read("a.txt"), changedBy(1, 41), "changed");
			same(world.pi.notices(), [], "messages to the user");
		},
	},
	{
		name: "retry-after-an-error",
		sees: "a marker after the host repeated a request that had failed",
		settings: { retry: { enabled: true, maxRetries: 2, baseDelayMs: 10 } },
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			const read = reads({ path: "a.txt" });
			same(await world.prompt(read, { status: 500 }, read), [file, unchanged(41)], "what the model saw");
		},
	},
	{
		name: "overflow",
		rows: [15],
		sees: "the file after the host compacted because the provider refused the request as too long",
		model: { contextWindow: 20000 },
		async run(world) {
			const error = {
				message: "This model's maximum context length is 20000 tokens.",
				code: "context_length_exceeded",
			};
			const read = reads({ path: "a.txt" });
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			same(await world.prompt({ status: 400, body: { error } }, read), [file], "what the model saw");
			ok(world.provider.summaries.length > 0, "the host has compacted");
		},
	},
	{
		name: "cut-off-answer",
		sees: "the truth after the model's own message was cut off in the middle of its calls",
		async run(world) {
			const read = reads({ path: "a.txt" });
			world.write("a.txt", file);
			await world.start();
			const texts = await world.prompt(read, { ...read, finish: "length" }, read);
			same(texts[0], file, "the first read");
			ok([file, unchanged(41)].includes(texts[2]), "the last one, as the oracle agrees", texts);
		},
	},
];
