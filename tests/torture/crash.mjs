// A power cut. Nothing is synced, so whatever was written last may be there in
// part, as zeros, or not at all, each file by itself: all of these states, and
// what the next read makes of them.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../hostile/harness.mjs";
import { AFTER, BEFORE } from "./project.mjs";
import { plays } from "./plays.mjs";
import { Stage, names } from "./stage.mjs";
import { tally } from "./figures.mjs";

/** What may be left of a file with TEXT; undefined: nothing. */
const REMAINS = {
	whole: (text) => text,
	absent: () => undefined,
	empty: () => "",
	"cut short": (text) => text.slice(0, text.length >> 1),
	"all zeros": (text) => "\0".repeat(text.length),
	"zeros at the end": (text) => text.slice(0, text.length >> 1).padEnd(text.length, "\0"),
};

const TEMP = "0123456789abcdef".repeat(2);

/** The base of the diff, the new version, its temporary file, and the notes, in every combination. */
function states(scene, full) {
	const files = {
		base: [scene.object(BEFORE), BEFORE],
		version: [scene.object(AFTER), AFTER],
		temp: [join(scene.store, "tmp", TEMP), AFTER],
		note: [join(scene.store, ".gitignore"), "*\n"],
	};
	let all = [{}];
	for (const name of Object.keys(files))
		all = all.flatMap((state) => Object.keys(REMAINS).map((remains) => ({ ...state, [name]: remains })));
	return all
		.filter((_, index) => full || index % 25 === 0)
		.map((state) => ({ state, write: () => Object.entries(state).forEach(([name, remains]) => leave(...files[name], REMAINS[remains])) }));
}

function leave(path, text, remains) {
	const left = remains(text);
	if (left === undefined) rmSync(path, { force: true });
	else writeFileSync(path, left, { mode: 0o600 });
}

export default async function crash({ full }) {
	for (const name of ["diff (one-shot, entries)", "diff (serve, session file)"])
		await check(`crash: ${name} after every power cut`, () => {
			const stage = new Stage(plays.get(name));
			for (const { state, write } of states(stage.scene, full)) {
				tally.crashes++;
				stage.restore();
				write();
				afterwards(stage, state);
			}
		});
	await check("crash: a store whose directories were lost is made again", () => withoutDirectories());
}

function afterwards(stage, state) {
	const about = JSON.stringify(state);
	try {
		stage.play.judge(stage.run(), undefined);
	} catch (error) {
		throw new Error(`${about}: ${error.message}`);
	}
	const base = stage.scene.object(BEFORE);
	if (existsSync(base)) assert.equal(readFileSync(base, "utf8"), BEFORE, `a damaged base was left: ${about}`);
	stage.verified();
	stage.tempsGo();
}

function withoutDirectories() {
	const stage = new Stage(plays.get("first read (one-shot, entries)"));
	for (const lost of ["objects", "tmp", ".", "CACHEDIR.TAG"]) {
		tally.crashes++;
		stage.restore();
		rmSync(join(stage.scene.store, lost), { recursive: true });
		stage.play.judge(stage.run(), undefined);
		stage.storeIsSound();
		assert.ok(names(join(stage.scene.store, "objects")).length > 0, `nothing is stored after ${lost} was lost`);
	}
}
