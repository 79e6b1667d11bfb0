// Where the calls of a session were made: each session has a directory, and a fork may have been made elsewhere.
import { Session } from "../lib/session.mjs";
import { makeAsk } from "./asks.mjs";
import { writeSession } from "./wire.mjs";

/** A child of SESSION with the path to ENTRY: same ids, and new ones that do not clash. */
export function childOf(session, entry, { cwd, file }) {
	const child = new Session();
	const top = Math.max(0, ...session.entries.map(({ id }) => Number(id?.slice(1)) || 0));
	for (let n = 0; n < top; n++) child.append({ type: "label" });
	child.entries = entry ? session.branch(entry.id) : [];
	child.leafId = entry?.id ?? null;
	return Object.assign(child, { cwd, parent: session, parentFile: file });
}

/** The directories of SESSION and of all it comes from, newest first; null for one that nobody can tell any more. */
export function directories(session) {
	const list = [];
	for (let one = session; one; one = one.parent) {
		list.push(one.cwd);
		if (one.parentLost) return [...list, null];
	}
	return list;
}

/** What a host tells of them: at least those that are not where it works now. */
export function dirsField(session, rng) {
	const all = directories(session);
	const others = all.filter((dir) => dir !== session.cwd);
	const told = rng.chance(0.5) ? others : all;
	return told.length === 0 ? "" : `"dirs":${JSON.stringify(rng.shuffle([...new Set(told)]))},`;
}

/** Another directory, with files of the same names; the session is forked into it. */
export function emigrate(h, rng) {
	const { world } = h;
	const from = world.cwd;
	const to = rng.pick(["else", "third"].map((name) => world.place(name)).filter((dir) => dir !== from));
	world.settle(to, rng);
	const parent = h.session;
	const entry = rng.chance(0.8) ? parent.branch().at(-1) : rng.pick(parent.branch());
	writeSession(parent, h.sessionFile());
	const child = childOf(parent, entry, { cwd: to, file: h.sessionFile() });
	child.parentLost = rng.chance(0.1);
	if (child.parentLost) child.parentFile += ".gone";
	h.sessions.push(child);
	h.enter(child);
	// What was asked for before is the other directory's, by a path that still leads there.
	h.recent = h.recent.map(({ name, offset, limit }) => {
		const path = world.pathTo(from, name);
		return makeAsk(path, path, { offset, limit });
	});
	return `session ${h.sessions.length - 1} in ${to}${child.parentLost ? ", its parent is lost" : ""}`;
}
