// For scenarios in which the engine claims what it is told to (claimant.mjs): answers that rest on the model's own calls.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { node22 } from "../../host/paths.mjs";
import { binary } from "../../lib/engine.mjs";
import { toolText } from "./provider.mjs";

const claimant = new URL("../claimant.mjs", import.meta.url).pathname;
const directory = (world) => join(world.sandbox.root, "claims");

/** The claimant becomes the engine of every pi of this world. */
export function claims(world) {
	mkdirSync(directory(world), { recursive: true });
	const line = `exec '${node22()}' '${claimant}' '${binary()}' '${directory(world)}' "$@"`;
	world.sandbox.env.READCACHE_BIN = world.helper("claimant", line);
	world.tally.patient = true; // what is claimed need not be so
	world.comparesEvery = Infinity;
}

/** The host's ids of calls: in responses each has an item's id behind it. */
async function hostIds(world, ids) {
	const { entries } = await world.pi.ask("get_entries");
	const content = entries.flatMap(({ message }) => (message?.role === "assistant" ? message.content : []));
	return ids.map((id) => content.find((block) => block.type === "toolCall" && block.id.split("|")[0] === id)?.id ?? id);
}

/** What the next read that has a result is told instead: {text, rests, calls}. */
export async function claim(world, { calls, ...next }) {
	const said = { ...next, ...(calls ? { calls: await hostIds(world, calls) } : {}) };
	writeFileSync(join(directory(world), "next"), JSON.stringify(said));
}

/** Is it still to be said? */
export const isUnsaid = (world) => existsSync(join(directory(world), "next"));

/** The requests to the engine. */
export function asked(world) {
	const file = join(directory(world), "asked");
	if (!existsSync(file)) return [];
	return readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
}

/** The arguments of the call with that ID as the engine was last sent them. */
export function argumentsSent(world, id) {
	const entries = asked(world).flatMap(({ session }) => session?.entries ?? []);
	const calls = entries.flatMap(({ message }) => (message?.role === "assistant" ? (message.content ?? []) : []));
	return calls.findLast((call) => call.id === id)?.arguments;
}

/** What is said of reads in the latest request, by the ids of their calls, in order. */
export function said(world, ...ids) {
	const { messages } = world.provider.requests.at(-1);
	const found = messages.filter(({ role, tool_call_id: id }) => role === "tool" && ids.includes(id));
	return found.map(({ content }) => toolText(content));
}
