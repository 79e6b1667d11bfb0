// What the extension sends to a helper that stays: only what the helper does not know yet, and never anything that is
// another by now. An engine with a witness (double.mjs) answers; the oracle judges as everywhere.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { node22 } from "../../host/paths.mjs";
import { binary } from "../../lib/engine.mjs";
import { matches, ok, same, until } from "../lib/expect.mjs";
import { reads } from "../lib/provider.mjs";
import { childrenOf } from "../lib/sandbox.mjs";
import { changedBy, changeLine, lines, unchanged, unchangedIn } from "../lib/texts.mjs";
import { Walker } from "../lib/wander.mjs";

const double = new URL("../double.mjs", import.meta.url).pathname;
const file = lines(40);
const never = 1e9;

/** The double becomes the engine of every pi of this world. */
function watch(world, { forgets = never } = {}) {
	const log = join(world.sandbox.root, "requests");
	const line = `exec '${node22()}' '${double}' '${binary()}' '${log}' ${forgets} "$@"`;
	world.sandbox.env.READCACHE_BIN = world.helper("double", line);
	world.write("a.txt", file);
}

/** What the engine was asked so far; nothing of it was wrong. */
function asked(world) {
	const log = join(world.sandbox.root, "requests");
	const notes = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
	same(notes.flatMap(({ problems }) => problems), [], "what the witness says");
	return notes;
}

/**
 * Every prompt ends with an answer without calls, which is sent for its bill.
 * Of each request since FROM: how many entries were sent, and whether they were the whole branch.
 */
function sent(world, from = 0) {
	return asked(world).slice(from).map(({ after, sent }) => `${after === undefined ? "whole" : "more"} ${sent}`);
}

/** Scenarios are in serve mode; STEPS are run behind a first read of a.txt, with nothing to tell the user at the end. */
function scenario(name, sees, steps, { extensions, env, ...options } = {}) {
	return {
		name,
		sees,
		mode: "serve",
		async run(world) {
			watch(world, options);
			await world.start({ extensions, env });
			same(await world.read("a.txt"), file, "the first read");
			await steps(world);
			asked(world);
			same(world.pi.notices().filter(({ notifyType }) => notifyType !== "info"), [], "messages to the user");
		},
	};
}

export default [
	scenario("sent-once", "the same on a long branch as on a short one, and what is sent does not grow", async (world) => {
		world.choosePolicy("strict"); // the same answer, however often
		const read = reads({ path: "a.txt" });
		const texts = await world.prompt(...Array.from({ length: 30 }, () => read));
		same(texts, texts.map(() => unchanged(41)), "the reads");
		const [first, second, ...others] = asked(world);
		same([first.after, first.sent], [undefined, 1], "the first request is the whole branch: a call");
		same(second.sent, 3, "then its result, the answer that ended the first prompt, and a call");
		same(others.map((note) => note.sent), Array(29).fill(2), "then a result and a call");
		ok(others.every(({ bytes }) => bytes < second.bytes + 100), "bytes of a request", others.map(({ bytes }) => bytes));
	}),
	scenario("sent-in-a-batch", "files and markers for reads beside each other, which cost one branch", async (world) => {
		const batch = [{ path: "a.txt" }, { path: "b.txt" }, { path: "a.txt" }];
		world.write("b.txt", lines(10));
		same(await world.batch(...batch), [unchanged(41), lines(10), unchanged(41)], "the batch");
		same(sent(world), ["whole 1", "more 3", "more 0", "more 0"], "what was sent");
	}),
	scenario("sent-after-navigation", "what each branch has read, when it goes from one to the other", async (world) => {
		const [first] = await world.results();
		same(await world.read("a.txt"), unchanged(41), "known");
		world.write("a.txt", changeLine(file, 9));
		matches(await world.read("a.txt"), changedBy(1, 41), "a diff");
		const [, , last] = await world.results();
		await world.navigate(first.id);
		matches(await world.read("a.txt"), changedBy(1, 41), "a diff here too");
		await world.navigate(last.id);
		same(await world.read("a.txt"), unchanged(41), "known on the branch with the diff");
		same(sent(world), ["whole 1", "more 3", "more 3", "more 1", "more 7"], "back to where both were");
	}),
	scenario("sent-after-a-compaction", "the file after a compaction; back before it, a marker", async (world) => {
		const [first] = await world.results();
		await world.pi.ask("compact");
		same(await world.read("a.txt"), file, "the file");
		same(await world.read("a.txt"), unchanged(41), "and then a marker");
		await world.navigate(first.id);
		same(await world.read("a.txt"), unchanged(41), "known before the compaction");
		same(sent(world), ["whole 1", "whole 2", "more 3", "whole 3"], "nothing of what a compaction is in between of");
	}),
	scenario(
		"sent-with-a-context-edit",
		"a file again, after a read of it was taken out of its context, long after the helper was told of it",
		async (world) => {
			world.write("b.txt", lines(10));
			same(await world.read("b.txt"), lines(10), "another file");
			await world.pi.command("/e2e-scribble omit");
			same(await world.read("a.txt"), file, "the file again");
			same(await world.read("b.txt"), unchanged(11), "the other one is still there");
			same(sent(world), ["whole 1", "more 3", "whole 8", "more 3"], "all of it, when a text is no longer sent to the model");
		},
		{ extensions: ["readcache", "driver", "scribbler"] },
	),
	scenario("sent-to-a-new-helper", "markers, from a new helper too", async (world) => {
		same(await world.read("a.txt"), unchanged(41), "known");
		const [helper] = childrenOf(world.pi.pid);
		process.kill(helper.pid, "SIGKILL");
		await until(() => !existsSync(`/proc/${helper.pid}`), "pi has noticed the helper's end");
		same(await world.read("a.txt"), world.again(unchanged(41)), "a new helper gets it all");
		same(sent(world), ["whole 1", "more 3", "whole 7"], "what was sent");
	}),
	scenario(
		"sent-again-when-forgotten",
		"nothing of a helper that forgets the branch now and then",
		async (world) => {
			world.choosePolicy("strict"); // the same answer, however often
			world.write("b.txt", lines(10));
			const a = { path: "a.txt" };
			for (let i = 0; i < 4; i++) same(await world.read("a.txt"), unchanged(41), "a read");
			same(await world.batch(a, { path: "b.txt" }, a, a), [unchanged(41), lines(10), unchanged(41), unchanged(41)], "a batch");
			const said = asked(world).map((note) => note.said);
			ok(said.filter((what) => what === "unknown_leaf").length >= 3, "the helper has forgotten", said);
			asked(world).forEach(({ said: what }, i, all) => {
				if (what !== "unknown_leaf") return;
				ok(all.slice(i + 1).some(({ after }) => after === undefined), "the whole branch follows", sent(world));
			});
		},
		{ forgets: 2 },
	),
	scenario(
		"sent-again-when-hidden",
		"the file while the text of its first read is hidden on the way; markers before and after that",
		async (world) => {
			world.foreign.push(/^\[hider: gone\]$/);
			world.write("b.txt", lines(10));
			same(await world.read("b.txt"), lines(10), "another file");
			await world.pi.command("/e2e-hide on");
			same(await world.read("a.txt"), file, "the file, when it is read again");
			same(await world.read("b.txt"), unchanged(11), "the other one is there");
			await world.pi.command("/e2e-hide off");
			same(await world.read("a.txt"), unchanged(41), "it is there twice");
			same(sent(world), ["whole 1", "more 3", "whole 7", "more 3", "whole 13"], "all of it, when one is another");
		},
		{ extensions: ["hider", "readcache", "driver"], env: { E2E_HIDE: "on command" } },
	),
	scenario(
		"sent-again-when-hidden-elsewhere",
		"the file, where its text is hidden since it was last on that branch",
		async (world) => {
			world.foreign.push(/^\[hider: gone\]$/);
			const [first] = await world.results();
			same(await world.read("a.txt"), unchanged(41), "known");
			await world.pi.ask("compact");
			same(await world.read("a.txt"), file, "the file after a compaction");
			await world.pi.command("/e2e-hide on");
			await world.navigate(first.id);
			same(await world.read("a.txt"), file, "the file, which is hidden here");
			await world.pi.command("/e2e-hide off");
			same(await world.read("a.txt"), unchanged(41), "it is there twice");
			same(sent(world), ["whole 1", "more 3", "whole 2", "whole 3", "whole 6"], "all of it, when one is another");
		},
		{ extensions: ["hider", "readcache", "driver"], env: { E2E_HIDE: "on command" } },
	),
	scenario(
		"sent-again-when-altered",
		"the file, after somebody has written into the result of its first read",
		async (world) => {
			world.foreign.push(/^\[scribbler: /);
			world.write("b.txt", lines(10));
			same(await world.read("b.txt"), lines(10), "another file");
			await world.pi.command("/e2e-scribble write");
			same(await world.read("b.txt"), unchanged(11), "nobody wrote into that");
			same(await world.read("a.txt"), file, "the file");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
			same(sent(world), ["whole 1", "more 3", "more 3", "more 3", "whole 10", "more 3"], "all of it, when it counts");
		},
		{ extensions: ["readcache", "driver", "scribbler"] },
	),
	{
		name: "sent-in-a-random-walk",
		ownTool: true,
		mode: "serve",
		sees: "nothing that its context does not support, and the answers to the whole branch",
		async run(world) {
			const seed = Number(process.env.READCACHE_PI_SEED ?? 20261117);
			watch(world, { forgets: 7 });
			const walker = new Walker(world, seed, { company: "pruner", quiet: true }); // two engines must find the same
			try {
				await walker.start();
				await walker.walk({ steps: Number(process.env.READCACHE_PI_STEPS ?? 60) });
				asked(world);
			} catch (error) {
				error.story = walker.story();
				throw error;
			}
		},
	},
];
