// For scenarios about what leaves: the reads in the latest request, in the session, and in the request after that.
import { readFileSync } from "node:fs";
import { ok, same } from "./expect.mjs";
import { toolTexts } from "./provider.mjs";
import { readSession, toolResults } from "./sessions.mjs";
import { lines, unchanged } from "./texts.mjs";

/** What test extensions put in the place of a text that they take away. */
export const FOREIGN = /^\[(dedup|hider): /;

/** Start pi so that `/e2e-hide on` takes the first read's text away. */
export const hides = { extensions: ["hider", "readcache", "driver"], env: { E2E_HIDE: "on command" } };

/** The texts of all reads in the latest request. */
export const latest = (world) => [...toolTexts(world.provider.requests.at(-1)).values()];

/** What the session has of the reads, on file. */
export async function stored(world) {
	const entries = readSession(await world.sessionFile());
	return toolResults(entries, "read").map(({ message }) => message.content[0].text);
}

/** The request that comes next has the same texts as the latest one, and the session is as it was. */
export async function stays(world) {
	const [before, kept] = [latest(world), readFileSync(await world.sessionFile(), "utf8")];
	await world.prompt();
	same(latest(world).slice(0, before.length), before, "the same bytes in the next request");
	ok(readFileSync(await world.sessionFile(), "utf8").startsWith(kept), "the session file has only grown");
}

/** A marker for a.txt, lines(60), whose text is hidden from now on. */
export async function markerAlone(world, env = {}) {
	world.foreign.push(FOREIGN);
	world.write("a.txt", lines(60));
	await world.start({ ...hides, env: { ...hides.env, ...env } });
	same(await world.read("a.txt"), lines(60), "the first read");
	same(await world.read("a.txt"), unchanged(61), "a marker");
	await world.pi.command("/e2e-hide on");
}
