// A session that grows while one process serves it: what that process
// remembers must be what the whole branch would say, whatever goes wrong.
import { appendFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { BEFORE, NAME, UNCHANGED, known, reading } from "./project.mjs";
import { judgeAnswers } from "./oracle.mjs";

/**
 * The session's chapters: what is added to it, and whether the file is known
 * after that. AGAIN: the branch does not simply follow, all of it is sent.
 */
function chapters(scene) {
	const { session } = scene;
	const [, shown] = session.entries;
	const show = () => scene.record(NAME, { content: shown.message.content, details: shown.message.details });
	const refresh = () =>
		session.custom({
			customType: "pi-readcache",
			data: { v: 1, kind: "invalidate", pathKey: scene.path(NAME), scopeKey: "full", at: 1 },
		});
	const unknownView = () => scene.record("link.txt", { content: [{ type: "text", text: "something else" }] });
	return [
		{ add: () => {}, known: true, again: true },
		{ add: refresh, known: false },
		{ add: show, known: true },
		{ add: unknownView, known: false },
		{ add: show, known: true },
		{ add: () => session.compaction(), known: false, again: true },
		{ add: show, known: true, again: true },
	];
}

/** Requests and the entries that must be in the session by then. */
function questionsOf(scene) {
	known(scene);
	symlinkSync(NAME, scene.path("link.txt"));
	let [from, after] = [0, null];
	return chapters(scene).map(({ add, known: isKnown, again }) => {
		add();
		const { entries, leafId, id } = scene.session;
		const question = reading(scene, { content: BEFORE, compact: isKnown ? UNCHANGED : undefined });
		const chapter = { question, added: entries.slice(from), all: entries.slice(), leafId, after: again ? null : after, id };
		[from, after] = [entries.length, leafId];
		return chapter;
	});
}

/** The entries come with the requests, only what follows what was sent. */
function sent(scene) {
	return questionsOf(scene).map(({ question, added, all, leafId, after, id }) => {
		const session = after === null ? { id, leafId, entries: all } : { id, leafId, after, entries: added };
		return { question: { ...question, follows: after !== null }, session };
	});
}

/** The session is a file, which has grown before each request. */
function written(scene) {
	const file = join(scene.dir, "session.jsonl");
	const all = questionsOf(scene);
	const whole = scene.session.entries;
	scene.session.entries = all[0].all;
	scene.session.save(file);
	scene.session.entries = whole;
	return all.map(({ question, added, leafId }, index) => {
		const lines = index === 0 ? "" : added.map((entry) => JSON.stringify(entry) + "\n").join("");
		return { question, session: { file, leafId }, before: () => appendFileSync(file, lines) };
	});
}

function told(way) {
	return (scene) => {
		const steps = way(scene).map(({ question, session, before }, id) => {
			const request = { ...question.request, id, session };
			return { question: { ...question, request }, line: JSON.stringify(request) + "\n", before };
		});
		const play = { args: ["serve"], steps, questions: steps.map(({ question }) => question) };
		play.judge = (run, fault) => judgeAnswers(play, run, fault);
		return play;
	};
}

export const growing = {
	"a session that grows (serve, what follows)": told(sent),
	"a session that grows (serve, growing file)": told(written),
};
