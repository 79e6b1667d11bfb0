// The host takes texts from the model and writes nothing down; only the bill of the next message tells.
import { againAsk, anyAsk } from "./asks.mjs";

/** Which of the calls are taken: all, some, the newest, the older of equal ones. */
const WHICH = {
	all: (results) => results,
	old: (results, rng) => results.slice(0, -rng.from(1, 2)),
	half: (results, rng) => results.filter(() => rng.chance(0.5)),
	newest: (results, rng) => results.slice(-rng.from(1, 3)),
	equal: (results) => results.filter(({ message }, i) => results.slice(i + 1).some((later) => later.message.content[0]?.text === message.content[0]?.text)),
};

/** What may stand before the message that tells: none of it is one to compare with. */
const MUFFLERS = {
	nothing: () => {},
	user: (h) => h.session.user("go on"),
	entry: (h) => h.session.append({ type: "custom", customType: "todo", data: {} }),
	words: (h) => say(h, {}),
	failed: (h) => say(h, { provider: "one", model: h.bill.model.model, usage: less(h), stopReason: "error" }),
	aborted: (h) => say(h, { model: h.bill.model.model, usage: less(h), stopReason: "aborted" }),
	free: (h) => say(h, { model: h.bill.model.model, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }),
	other: (h) => say(h, { provider: "x", model: "another", usage: less(h) }),
};

/** A bill that is no fall by itself, and would hide one. */
const less = (h) => ({ input: Math.ceil(0.85 * h.bill.total(h)), output: 1, cacheRead: 0 });

/** The model says something; its message is told by its words. */
function say(h, billed) {
	return h.assistant([{ type: "text", text: `so far ${h.newCall()}` }], undefined, { stopReason: "stop", ...billed });
}

/** Texts are lost, the next message tells. Then something is read, in that message or in one behind it. */
export async function loss(h, rng) {
	const results = [...h.results(h.session.branch()), ...h.ownResults(h.session.branch())];
	const which = rng.pick(Object.keys(WHICH));
	const dropped = new Set(WHICH[which](results, rng).map(({ message }) => message.toolCallId));
	if (dropped.size === 0) return "nothing to lose";
	const some = rng.pick([...dropped]);
	const gone = h.calls.get(some)?.name ?? h.done.get(some);
	const ask = rng.chance(0.7) ? h.recent.find(({ name }) => h.world.look(name).name === gone) ?? againAsk(h, rng) : anyAsk(h, rng);
	const muffler = rng.pick(Object.keys(MUFFLERS));
	MUFFLERS[muffler](h);
	const callId = h.newCall();
	const words = rng.chance(0.25) ? `I see ${callId}` : undefined;
	const billed = h.bill.lose(h, { witness: words ?? callId, dropped }, rng);
	if (!billed) return "the bill would not tell";
	h.stats?.lost();
	if (words) h.assistant([{ type: "text", text: words }], rng, { stopReason: "stop", ...billed });
	await h.read(ask, rng, callId, words ? undefined : billed);
	return `${which} (${[...dropped].join(" ")}) behind ${muffler}`;
}
