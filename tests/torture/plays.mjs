// Everything that is played while things go wrong, by name: every story by
// every way to tell it, and the commands.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { metaOf } from "../hostile/harness.mjs";
import { commands } from "./commands.mjs";
import { growing } from "./growing.mjs";
import { judgeAnswers } from "./oracle.mjs";
import { memo } from "./memo.mjs";
import { stories } from "./stories.mjs";

const WAYS = {
	"one-shot, entries": { serve: false, file: false },
	"one-shot, session file": { serve: false, file: true },
	"serve, entries": { serve: true, file: false },
	"serve, session file": { serve: true, file: true },
};

/** One-shot asks the first question; a `serve` process gets all of them, twice. */
function tell(story, scene, stage, { serve, file }) {
	const asked = story(scene, stage);
	const sessions = [...new Set(asked.map(({ session }) => session))];
	const carried = new Map(sessions.map((session, n) => [session, carry(session, file && join(scene.dir, `session${n}.jsonl`))]));
	const questions = (serve ? [...asked, ...asked] : asked.slice(0, 1)).map((question, id) => {
		const request = { ...question.request, id, session: carried.get(question.session) };
		return { ...question, request };
	});
	const input = questions.map(({ request }) => JSON.stringify(request) + "\n").join("");
	const play = { args: serve ? ["serve"] : [], input, questions };
	play.judge = (run, fault) => {
		const responses = judgeAnswers(play, run, fault);
		for (const { excluded } of asked) if (excluded && fault?.error !== "EACCES") isPrivate(scene, excluded, responses);
	};
	return play;
}

/** Settings that may not be read are nobody's; whatever else happens to them, CONTENT stays out of the store. */
function isPrivate(scene, content, responses) {
	assert.ok(!existsSync(scene.object(content)), "something of an excluded file was kept");
	for (const response of responses) assert.equal(metaOf(response), undefined, "metadata of an excluded file");
}

function carry(session, file) {
	return file ? session.save(file) : session.inline();
}

/** name -> a function of (scene, stage) that sets the stage and gives the play. */
export const plays = new Map([
	...Object.entries(stories).flatMap(([name, story]) =>
		Object.entries(WAYS).map(([way, how]) => [`${name} (${way})`, (scene, stage) => tell(story, scene, stage, how)]),
	),
	...Object.entries(growing),
	...Object.entries(commands),
	...Object.entries(memo),
]);

/** What the short form leaves out: two of the four ways, and what others have much the same. */
const LEFT_OUT = [/\(one-shot, session file\)$/, /\(serve, entries\)$/, /^memo (lookup|record), (glob|git|a file that was absent)$/, /^memo lookup, file$/];

export function chosenPlays(full) {
	return [...plays].filter(([name]) => full || !LEFT_OUT.some((pattern) => pattern.test(name)));
}
