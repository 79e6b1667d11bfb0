// Regression A5: a text that an extension took away without a trace, in a session that is read from its file later.
import { oneshot } from "../../lib/engine.mjs";
import { ok, same } from "../lib/expect.mjs";
import { lines } from "../lib/texts.mjs";

const file = lines(1900); // most of a request

/** What an engine that has only the session's file answers to a read of a.txt. */
function askedLater(world, session) {
	const request = { v: 1, op: "read", cwd: world.sandbox.work, toolCallId: "later", params: { path: "a.txt" } };
	const { response } = oneshot({ ...request, session: { file: session } });
	ok(response?.ok, "an answer", response);
	return response;
}

/** A session in which a.txt is read and, if HIDES, hidden afterwards, which only the provider's bill tells. */
async function session(world, hides) {
	world.foreign.push(/^\[hider: gone\]$/);
	world.write("a.txt", file);
	await world.start({ extensions: ["readcache", "hider", "driver"], env: { E2E_HIDE: "on command" } });
	same(await world.read("a.txt"), file, "the first read");
	if (hides) await world.pi.command("/e2e-hide on");
	await world.prompt();
	const path = await world.sessionFile();
	await world.stop();
	return path;
}

export default [
	{
		name: "A5-taken-away-without-a-trace",
		sees: "the file from an engine that has only the session's file, after the bill has fallen for no known reason",
		async run(world) {
			const { result, decision } = askedLater(world, await session(world, true));
			same(result.content[0].text, file, "the answer");
			ok(!["unchanged", "unchanged_range", "diff"].includes(decision.mode), "not a compact one", decision);
		},
	},
	{
		name: "A5-nothing-taken-away",
		sees: "a marker from an engine that has only the session's file, where nothing was taken away",
		async run(world) {
			same(askedLater(world, await session(world, false)).decision.mode, "unchanged", "the answer's mode");
		},
	},
];
