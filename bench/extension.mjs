// What a read through the pi extension costs, as ratios to the host's own read in the same run.
//
//	<node 22> bench/extension.mjs [ROUNDS]
//
// Prints JSON: groups of cases, the host's own read first. The cases of a group take turns, so that whatever else the
// machine does hits all alike; groups, because a case of 100 ms leaves nothing of the caches to one of 1 ms. bench/run
// calls this. READCACHE_EXTENSION and READCACHE_BIN name others than those of this checkout.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BenchSession, lines, write } from "./extension-session.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const extension = resolve(process.env.READCACHE_EXTENSION ?? join(root, "extension"));
process.env.READCACHE_BIN ??= join(root, "build/readcache");
const WARM_UP = 5; // rounds
const LIMIT = 1; // of the host's own read, for a repeated one
const rounds = Number(process.argv[2] ?? 300);
if (!Number.isInteger(rounds) || rounds < 1) {
	console.error("usage: bench/extension.mjs [ROUNDS]");
	process.exit(2);
}

const host = await BenchSession.start();
const ours = await BenchSession.start(extension);

/**
 * COUNT entries more on the branch; subject.c and changing.c are read first. A hundred are really made; what follows
 * are the same results again, because making 10,000 reads would take minutes.
 */
async function lengthenBranch(count) {
	const before = ours.entries.getBranch().length;
	const length = () => ours.entries.getBranch().length - before;
	const results = [];
	ours.say("please look at this");
	for (const path of ["subject.c", "changing.c"]) await ours.read(path);
	for (let i = 0; length() < Math.min(count, 100) - 2; i++) {
		const path = `other-${i}.c`;
		write(path, lines(20, `word ${i}`));
		results.push({ path, result: await ours.read(path) });
	}
	for (let i = length(); i < count - 2; i += 2) {
		const { path, result } = results[(i / 2) % results.length | 0];
		ours.store(ours.ask(path), structuredClone(result));
	}
	while (length() < count) ours.say("and again");
	if (length() !== count) throw new Error(`a branch of ${length()} entries instead of ${count}`);
}

/** Any order: what a case leaves behind must not always hit the same next one. */
function shuffled(list) {
	return list.map((value) => ({ value, at: Math.random() })).sort((a, b) => a.at - b.at).map(({ value }) => value);
}

/** Run CASES in turns; gives their figures. */
async function measure(cases, count) {
	const firsts = [];
	for (const { run } of cases) firsts.push(await run());
	const times = cases.map(() => []);
	for (let round = 0; round < WARM_UP + count; round++) {
		for (const at of shuffled([...cases.keys()])) {
			const us = await cases[at].run();
			if (round >= WARM_UP) times[at].push(us);
		}
	}
	for (const list of times) list.sort((a, b) => a - b);
	const median = (list) => list[list.length >> 1];
	return cases.map(({ name, against, limit }, at) => ({
		name,
		against,
		limit,
		rounds: count,
		firstUs: firsts[at],
		medianUs: median(times[at]),
		bestUs: times[at][0],
	}));
}

const hostRead = { name: "the host's own read", run: () => host.time("subject.c", undefined) };

/** The usual session: 50 entries. */
async function measureShort() {
	ours.entries.resetLeaf();
	await lengthenBranch(50);
	let version = 0;
	const cases = [
		hostRead,
		{ name: "unchanged, 50 entries", limit: LIMIT, run: () => ours.time("subject.c", "unchanged") },
		{
			name: "first read, full text",
			run: () => {
				write("fresh.c", lines(600, `fresh ${++version}`));
				return ours.time("fresh.c", "full");
			},
		},
		{
			name: "changed, a diff",
			run: () => {
				write("changing.c", lines(600, "before").with(300, `changed ${++version}\n`));
				return ours.time("changing.c", "diff");
			},
		},
	];
	return measure(cases, rounds);
}

/** A branch of COUNT entries. The first call is what it costs when nothing of it is remembered, as after a resume. */
async function measureLong(count, times) {
	write("changing.c", lines(600, "before"));
	ours.entries.resetLeaf();
	await lengthenBranch(count);
	return measureUnchanged(`unchanged, ${count.toLocaleString("en")} entries`, times);
}

/** The branch of the measurement before, compacted, and then as long as the usual one. */
async function measureCompacted(times) {
	ours.entries.appendCompaction("what happened so far", null, 1000);
	await lengthenBranch(50);
	return measureUnchanged("the same, then compacted", times);
}

function measureUnchanged(name, times) {
	return measure([hostRead, { name, limit: LIMIT, run: () => ours.time("subject.c", "unchanged") }], Math.ceil(times));
}

/** A provider's format of MESSAGES. */
function payloadOf(messages) {
	return {
		messages: messages.map(({ role, content, toolCallId }) =>
			role === "toolResult"
				? { role: "tool", tool_call_id: toolCallId, content: content[0].text }
				: { role, content: content.map(({ id, name, text }) => text ?? { id, type: "function", function: { name } }) },
		),
	};
}

/**
 * The look at a request, of the branch of the measurement before and one read more each time. What the host itself does
 * for every request that an extension may look at is to copy its messages.
 */
async function measureDoor(times) {
	const [look] = ours.handlers("context_with_system");
	const [lookAgain] = ours.handlers("before_provider_request");
	const messages = () => ours.entries.getBranch().flatMap(({ type, message }) => (type === "message" ? [message] : []));
	const timed = async (run) => {
		const start = process.hrtime.bigint();
		await run();
		return Number(process.hrtime.bigint() - start) / 1000;
	};
	const copy = { name: "the host's copy of the messages", run: () => timed(() => structuredClone(messages())) };
	const door = {
		name: "the look at a request of 20,000 entries",
		against: copy.name,
		limit: 0.1,
		run: async () => {
			await ours.read("subject.c");
			const sent = structuredClone(messages());
			const payload = payloadOf(sent);
			return timed(async () => {
				if ((await look({ type: "context_with_system", messages: sent })) !== undefined) throw new Error("something was repaired");
				if ((await lookAgain({ type: "before_provider_request", payload })) !== undefined) throw new Error("something was replaced");
			});
		},
	};
	return measure([copy, door], Math.ceil(times));
}

write("subject.c", lines(600, "line"));
write("changing.c", lines(600, "before"));
ours.say("please look at this");
const startUs = await ours.time("subject.c", "full");
const groups = [
	await measureShort(),
	await measureLong(2_000, rounds / 3),
	await measureLong(20_000, rounds / 10),
	await measureDoor(rounds / 10),
	await measureCompacted(rounds),
];
await Promise.all([host.end(), ours.end()]);

console.log(JSON.stringify({ startUs, groups }));
