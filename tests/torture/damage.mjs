// An object that is not what its name says, in every way there is: it is
// found, what it holds is never shown, and the answer is the text.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NOBODY, ask, check, expectDiff, isRoot, knownFile, skip, startEngine, textOf } from "../hostile/harness.mjs";
import { AFTER, BEFORE } from "./project.mjs";
import { tally } from "./figures.mjs";

/** A project whose file has changed: with its base the answer is a diff, or, for some lines, that they are the same. */
function changed() {
	const known = knownFile(BEFORE);
	known.write(known.name, AFTER);
	const request = known.request(known.name, { session: known.session.inline() });
	const lines = { ...request, params: { ...request.params, offset: 3, limit: 4 } };
	return { known, object: known.object(BEFORE), requests: [request, lines] };
}

const plainLines = AFTER.split("\n").slice(2, 6).join("\n");

/** Each damage is made and met, by a whole read or by one of some lines; then the object is gone. */
async function eachDamage(damages) {
	const { object, requests } = changed();
	const engine = startEngine();
	for (const [index, [name, damage]] of damages.entries()) {
		tally.damages++;
		damage(object);
		const text = textOf(await engine.request(requests[index % 2]));
		if (index % 2) assert.ok(text.startsWith(plainLines), `${name}: ${text}`);
		else assert.equal(text, AFTER, name);
		assert.equal(existsSync(object), false, `${name}: removed`);
	}
	writeFileSync(object, BEFORE, { mode: 0o600 });
	expectDiff(await engine.request(requests[0]), "a line that is new");
	assert.deepEqual(await engine.close(), { code: 0, signal: null });
}

const bytes = Buffer.from(BEFORE);
const holding = (content) => (object) => writeFileSync(object, content, { mode: 0o600 });

function flipped(at, bit) {
	const copy = Buffer.from(bytes);
	copy[at] ^= 1 << bit;
	return [`bit ${bit} of byte ${at}`, holding(copy)];
}

/** Every byte, and of it one bit, or every one of them. */
function flips(full) {
	const bits = full ? [0, 1, 2, 3, 4, 5, 6, 7] : [undefined];
	return [...bytes.keys()].flatMap((at) => bits.map((bit) => flipped(at, bit ?? at % 8)));
}

function lengths() {
	const cuts = [...bytes.keys()].map((n) => [`cut to ${n} bytes`, holding(bytes.subarray(0, n))]);
	const longer = ["\n", "\0", BEFORE].map((more) => [`longer by ${more.length}`, holding(BEFORE + more)]);
	return [...cuts, ...longer];
}

function otherKinds(scene) {
	const aside = join(scene.dir, "aside");
	writeFileSync(aside, BEFORE);
	return [
		["a link to the right bytes", (object) => symlinkSync(aside, object)],
		["a link to nowhere", (object) => symlinkSync("nowhere", object)],
		["a directory", (object) => mkdirSync(object)],
		["a directory with the right name inside", (object) => mkdirSync(join(object, "x"), { recursive: true })],
		["a pipe", (object) => assert.equal(spawnSync("mkfifo", [object]).status, 0)],
	];
}

export default async function damage({ full }) {
	await check("damage: every bit that is flipped is found", () => eachDamage(flips(full)));
	await check("damage: every length but the right one is found", () => eachDamage(lengths()));
	await check("damage: two objects that changed places are found", () => swapped());
	await check("damage: what is no file is not followed, opened or waited for", async () => {
		for (const kind of otherKinds(changed().known)) await eachKind(kind);
	});
	for (const mode of [0o644, 0o666, 0o777, 0o4755, 0o400])
		await check(`damage: an object of the mode ${mode.toString(8)} is made private before it is used`, () => looseMode(mode));
	await check("damage: an object that may not be read costs the optimisation and is left alone", () => closed());
}

/** Whether it is removed depends on what it is; the answer does not. */
async function eachKind([name, make]) {
	for (const which of [0, 1]) {
		const { object, requests } = changed();
		const engine = startEngine();
		tally.damages++;
		rmSync(object);
		make(object);
		const text = textOf(await engine.request(requests[which]));
		assert.ok(which ? text.startsWith(plainLines) : text === AFTER, `${name}: ${text}`);
		assert.deepEqual(await engine.close(), { code: 0, signal: null });
	}
}

async function swapped() {
	const { known, object, requests } = changed();
	const other = known.write("other.txt", "the other version\n");
	known.show("other.txt");
	for (const request of requests) {
		tally.damages++;
		writeFileSync(known.object(other), BEFORE);
		writeFileSync(object, other);
		const engine = startEngine();
		const text = textOf(await engine.request(request));
		assert.ok(!text.includes("the other version"), text);
		assert.equal(existsSync(object), false, "removed");
		await engine.close();
		renameSync(known.object(other), object);
	}
}

async function looseMode(mode) {
	const { object, requests } = changed();
	tally.damages++;
	chmodSync(object, mode);
	const engine = startEngine();
	expectDiff(await engine.request(requests[0]), "a line that is new");
	assert.equal(lstatSync(object).mode & 0o7777, 0o600);
	await engine.close();
}

function closed() {
	if (!isRoot) skip("needs root, to ask as somebody else");
	const { known, object, requests } = changed();
	tally.damages++;
	chmodSync(object, 0);
	assert.equal(spawnSync("chown", ["-R", String(NOBODY), known.dir]).status, 0);
	assert.equal(textOf(ask(requests[0], { uid: NOBODY }).response), AFTER);
	assert.ok(existsSync(object));
}
