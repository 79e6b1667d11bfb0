// Sessions as they come out of random histories (tests/history), written as pi's files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../../lib/engine.mjs";
import { History, plan } from "../../history/history.mjs";
import { Unsupported } from "../../history/report.mjs";

/**
 * A history in which nobody changes what is written. An extension may change a result before it is stored: that is,
 * while nothing comes behind it.
 */
class Recorded extends History {
	/** Nothing has come behind the entry; behind a call, its only result. */
	#isFresh(entry) {
		const { entries } = this.session;
		const behind = entries.slice(entries.indexOf(entry) + 1);
		const shared = this.sessions.filter((session) => session.entries.includes(entry)).length > 1;
		const answered = entry.message?.role === "assistant" && behind.length === 1 && behind[0].message?.role === "toolResult";
		return !shared && (behind.length === 0 || answered);
	}

	/** Whoever looks for a result to change finds only such ones. */
	results(entries) {
		return entries === undefined ? super.results().filter((entry) => this.#isFresh(entry)) : super.results(entries);
	}

	replace(entry, changed) {
		return this.#isFresh(entry) ? super.replace(entry, changed) : entry;
	}

	/** The sessions are written before the workspace is gone. */
	play(script) {
		return super.play(async () => {
			try {
				await script(this);
			} finally {
				this.texts = this.sessions.map((session) => sessionText(session, this.world.cwd));
			}
		});
	}
}

export function sessionText(session, cwd) {
	const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd };
	const lines = [header, ...session.entries].map((entry) => entry.junk ?? JSON.stringify(entry));
	return `${lines.join("\n")}\n`;
}

function hasTwins({ entries }) {
	const ids = entries.map(({ id }) => id).filter(Boolean);
	return new Set(ids).size < ids.length;
}

/** Every other history by the policy coverage. */
const policyOf = (index) => (index % 2 === 0 ? "strict" : "coverage");

/**
 * The sessions of one history, without some actions: [{name, text, session}], the text as the file would hold it. All of
 * them are of one directory, as their header says.
 */
async function play(engine, seed, index, without) {
	const history = new Recorded({ seed, index, engine, policy: policyOf(index) });
	try {
		await history.run(plan(seed, index).filter(({ name }) => name !== "emigrate" && !without.includes(name)));
	} catch (error) {
		if (!(error instanceof Unsupported)) throw error; // what that test does not take is not recorded, and its own affair
	}
	if (history.sessions.some(hasTwins)) return []; // a fork of such a session is not what pi would make
	return history.texts.map((text, n) => ({ name: `${seed}-${index}-${n}`, text, session: history.sessions[n] }));
}

/** The sessions of COUNT random histories, from the history FIRST on. */
export async function record({ seed, count, first = 0, without = [] }) {
	const engine = new Engine();
	const out = [];
	try {
		for (let index = first; index < first + count; index++) out.push(...(await play(engine, seed, index, without)));
	} finally {
		await engine.close();
	}
	return out;
}

/** Write them into DIR; gives the paths. */
export function save(dir, sessions) {
	return sessions.map(({ name, text }) => {
		const file = join(dir, `${name}.jsonl`);
		writeFileSync(file, text);
		return file;
	});
}
