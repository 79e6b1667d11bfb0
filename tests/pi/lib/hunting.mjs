// What the hunts at the door need (scenarios hunt and hunt2): a.txt and b.txt, pi with the extension that meddles
// (ext/hunter.ts), and what then leaves.
import { readFileSync, writeFileSync } from "node:fs";
import { same } from "./expect.mjs";
import { toolText } from "./provider.mjs";
import { lines, unchanged } from "./texts.mjs";

export const file = lines(60);
export const other = lines(60, "another");
export const marker = unchanged(61);
export const PRUNED = "[pruner: gone]";
export const hunted = { extensions: ["hunter", "readcache", "driver"] };
export const readAs = (id, path) => ({ calls: [{ name: "read", id, args: { path } }] });

/** The tool results in the latest request, in order: ids may be there twice. */
export const sent = (world) =>
	world.provider.requests
		.at(-1)
		.messages.filter(({ role }) => role === "tool")
		.map(({ content }) => toolText(content));

/** What the next request has when `/e2e-hunt HOW` was said. */
export async function sentWhen(world, how) {
	await world.pi.command(`/e2e-hunt ${how}`);
	await world.prompt();
	return sent(world);
}

/** Stop pi, and start it with a session whose lines were made others by BY. */
export async function resumeChanged(world, by, options = hunted) {
	const session = await world.sessionFile();
	await world.stop();
	const entries = readFileSync(session, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
	writeFileSync(session, by(entries).map((entry) => `${JSON.stringify(entry)}\n`).join(""));
	await world.start({ ...options, args: ["--session", session] });
}

/** More results than the door looks at one by one: of those before them it knows the calls, unless something rests on one. */
export const MANY = 1100;

/** ENTRIES, and MANY reads of another file behind them; SAME: the second result has the first one's id. */
export function withMany(entries, { same: isSame }) {
	const results = entries.filter(({ message }) => message?.role === "toolResult");
	const [first, second] = results.map(({ message }) => message.toolCallId);
	const made = isSame ? JSON.parse(JSON.stringify(entries).replaceAll(second, first)) : entries;
	const at = entries.indexOf(results.at(-1));
	for (let i = 0; i < MANY; i++) {
		for (const [entry, which] of [[made[at - 1], "c"], [made[at], "r"]]) {
			const text = JSON.stringify({ ...entry, id: `${which}${String(i).padStart(7, "0")}`, parentId: made.at(-1).id });
			made.push(JSON.parse(text.replaceAll(results.at(-1).message.toolCallId, `many${i}`)));
		}
	}
	return made;
}

/** a.txt is read TIMES times, then another file, and then that again and again. */
export async function longAgo(world, times, options = {}) {
	world.foreign.push(/^\[pruner: /, /^x+ 1\n/, /^No result provided$/);
	world.write("a.txt", file);
	world.write("b.txt", "another\n");
	await world.start(hunted);
	for (let i = 0; i < times; i++) same(await world.read("a.txt"), i === 0 ? file : marker, "a.txt");
	await world.read("b.txt");
	await resumeChanged(world, (entries) => withMany(entries, options));
}
