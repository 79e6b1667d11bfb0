// The one file that the plays are about, and what is asked about it.
import { ask, manyLines, textOf } from "../hostile/harness.mjs";
import { plainRead } from "../history/plain.mjs";
import { readOf } from "./oracle.mjs";

export const NAME = "notes.txt";
export const BEFORE = manyLines(60);
export const AFTER = manyLines(60, { 50: "a line that is new" });
export const UNCHANGED = `[readcache: unchanged, ${BEFORE.split("\n").length} lines]`;

/** The file is there, shown in the session, and kept in the store. */
export function known(scene) {
	scene.write(NAME, BEFORE);
	scene.show(NAME);
}

/**
 * The question for a read and its judge. FILE is what PATH means, CONTENT what
 * is in it; COMPACT the short answer that is right; DELEGATED: how the host is
 * asked where PATH means nothing to it.
 */
export function reading(scene, { path = NAME, lines = {}, file = NAME, content, compact, delegated, session = scene.session }) {
	const plain = plainRead(content, delegated ?? { path, ...lines }).text;
	return {
		request: { v: 1, op: "read", cwd: scene.cwd, params: { path, ...lines } },
		session,
		target: scene.path(delegated ? file : path),
		delegated,
		judge: readOf({ plain, compact, file: scene.path(file), content }),
	};
}

/** The text that an undisturbed engine gives, where only it knows every letter; LOOK judges it. */
export function undisturbed(scene, params, look) {
	const request = { v: 1, op: "read", cwd: scene.cwd, params, session: scene.session.inline() };
	const text = textOf(ask(request, scene.options).response);
	look(text);
	return text;
}
