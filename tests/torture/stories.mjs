// The verbs of the protocol, and the reads in which a fault could do harm.
//
// A story builds its project and gives its questions: a request without its
// session, the session, and the judge of the answer.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyDiff, parseDiff } from "../history/patch.mjs";
import { ask } from "../hostile/harness.mjs";
import { Session } from "../lib/session.mjs";
import { AFTER, BEFORE, NAME, UNCHANGED, known, reading, undisturbed } from "./project.mjs";

const OTHER = "something else\n";

export const stories = {
	"first read"(scene) {
		scene.write("other.txt", OTHER);
		scene.show("other.txt");
		scene.write(NAME, BEFORE);
		return [reading(scene, { content: BEFORE })];
	},
	unchanged(scene) {
		known(scene);
		return [reading(scene, { content: BEFORE, compact: UNCHANGED })];
	},
	diff(scene) {
		known(scene);
		scene.write(NAME, AFTER);
		const fits = (text) => assert.equal(applyDiff(BEFORE, parseDiff(text.slice(text.indexOf("\n") + 1))), AFTER);
		return [reading(scene, { content: AFTER, compact: undisturbed(scene, { path: NAME }, fits) })];
	},
	range(scene) {
		known(scene);
		scene.write(NAME, AFTER);
		const lines = { offset: 10, limit: 5 };
		const fits = (text) => assert.match(text, /^\[readcache: unchanged in lines 10-14; changes exist outside this range\]/);
		return [reading(scene, { content: AFTER, lines, compact: undisturbed(scene, { path: NAME, ...lines }, fits) })];
	},
	"range behind the path"(scene) {
		scene.write(NAME, BEFORE);
		const path = `${NAME}:10-14`;
		scene.show(path);
		const fits = (text) => assert.match(text, /^\[readcache: unchanged in lines 10-14 of 61\]/);
		const delegated = { path: NAME, offset: 10, limit: 5 };
		return [reading(scene, { path, content: BEFORE, delegated, compact: undisturbed(scene, { path }, fits) })];
	},
	"a file whose name looks like a range"(scene) {
		scene.write(NAME, BEFORE);
		const file = `${NAME}:2-3`;
		return [reading(scene, { path: file, file, content: scene.write(file, OTHER) })];
	},
	"a view that nobody knows, through a link"(scene) {
		known(scene);
		symlinkSync(NAME, scene.path("link.txt"));
		scene.record("link.txt", { content: [{ type: "text", text: OTHER }] });
		return [reading(scene, { content: BEFORE })];
	},
	"a link that was turned"(scene) {
		scene.write("other.txt", OTHER);
		scene.show("other.txt");
		scene.write(NAME, BEFORE);
		const link = scene.path("link.txt");
		symlinkSync(NAME, link);
		scene.show("link.txt");
		rmSync(link);
		symlinkSync("other.txt", link);
		return [reading(scene, { path: "link.txt", file: "other.txt", content: OTHER })];
	},
	"excluded by the user"(scene, { home }) {
		return excluded(scene, join(home, ".config/readcache/config.json"));
	},
	"excluded by the project"(scene) {
		return excluded(scene, scene.path(".pi/readcache.json"));
	},
	"two sessions, one of them refreshed"(scene) {
		known(scene);
		const refreshed = new Session();
		for (const { type, message } of scene.session.entries) refreshed.append({ type, message });
		const data = { v: 1, kind: "invalidate", pathKey: scene.path(NAME), scopeKey: "full", at: 1 };
		refreshed.custom({ customType: "pi-readcache", data });
		return [reading(scene, { content: BEFORE, session: refreshed }), reading(scene, { content: BEFORE, compact: UNCHANGED })];
	},
	refresh(scene) {
		known(scene);
		symlinkSync(NAME, scene.path("link.txt"));
		return [refreshing(scene, {}, "full"), refreshing(scene, { offset: 10, limit: 5 }, "r:10:14")];
	},
	status(scene) {
		known(scene);
		scene.show(NAME);
		const request = { v: 1, op: "status", cwd: scene.cwd };
		const { status } = ask({ ...request, session: scene.session.inline() }, scene.options).response;
		assert.equal(status.modes.unchanged, 1);
		return [{ request, session: scene.session, judge: (response) => judgeFigures(response.status, status) }];
	},
};

/** What the settings keep out of the store stays out, even if they cannot be read. */
function excluded(scene, settings) {
	mkdirSync(dirname(settings), { recursive: true });
	writeFileSync(settings, JSON.stringify({ exclude: [NAME] }));
	scene.write(NAME, BEFORE);
	return [{ ...reading(scene, { content: BEFORE }), excluded: BEFORE }];
}

/** The entry must name the file itself, or it would refresh nothing. */
function refreshing(scene, lines, scopeKey) {
	const request = { v: 1, op: "refresh", cwd: scene.cwd, params: { path: "link.txt", ...lines } };
	const judge = ({ entry }) => {
		assert.equal(entry.data.pathKey, scene.path(NAME));
		assert.equal(entry.data.scopeKey, scopeKey);
	};
	return { request, session: scene.session, target: scene.path("link.txt"), judge };
}

/** Figures of a session that was read are right; what cannot be seen of the store does not count. */
function judgeFigures({ store, ...status }, { store: whole, ...expected }) {
	assert.ok(store.objects <= whole.objects && store.bytes <= whole.bytes, `${store.objects} objects`);
	if (status.session === "ok") assert.deepEqual(status, expected);
	else assert.equal(status.paths + status.scopes + status.servedBytes, 0, `figures of a session that is ${status.session}`);
}
