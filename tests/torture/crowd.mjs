// 32 processes that store versions of 200 files, and readers and gc among
// them; also on a full disk, on a read-only one, and as somebody who may not
// write. Nothing is lost, nothing is torn, and nobody who asks is told of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NOBODY, check, cut, isRoot, knownFile, objectsAreIntact, sharedBinary, skip } from "../hostile/harness.mjs";
import { AFTER, BEFORE, undisturbed } from "./project.mjs";
import { ages, hammer, keyName, keyText, reads, repeats } from "./hammer.mjs";
import { tally } from "./figures.mjs";

const KEYS = 200;
const here = dirname(fileURLToPath(import.meta.url));

/** A project with all the files, and one that was read and has changed. */
function project() {
	const scene = knownFile(BEFORE);
	scene.write(scene.name, AFTER);
	const diff = undisturbed(scene, { path: scene.name }, (text) => assert.match(text, /^\[readcache: 1 lines changed of 61\]\n/));
	for (let n = 0; n < KEYS; n++) scene.write(keyName(n), keyText(n));
	const changed = { name: scene.name, session: scene.session.inline(), diff };
	return { scene, place: { cwd: scene.cwd, store: scene.store, changed } };
}

export default async function crowd({ full }) {
	const size = { processes: 32, puts: full ? 1000 : 30, keys: KEYS };
	const counted = (run) => async () => {
		await run(size);
		tally.processes += size.processes;
		tally.writes += size.processes * size.puts;
	};
	await check("crowd: nothing is lost or torn among readers", counted(together));
	await check("crowd: nor while gc, verify and stats run", counted(withCleaning));
	await check("crowd: a full disk costs only the optimisation", counted(onFullDisk));
	await check("crowd: a read-only file system costs only the optimisation", counted(onReadOnlyDisk));
	await check("crowd: a store that may not be written to costs only the optimisation", counted(asNobody));
}

const isThere = (scene, n) => existsSync(scene.object(keyText(n)));
const every = (test) => Array.from({ length: KEYS }, (_, n) => n).every(test);

async function together(size) {
	const { scene, place } = project();
	await hammer({ place, ...size, beside: [reads, reads] });
	objectsAreIntact(scene.store);
	// So many that each of them was written: the dice are the same in every run.
	if (size.processes * size.puts > 20 * KEYS) assert.ok(every((n) => isThere(scene, n)), "a version was lost");
	assert.deepEqual(readdirSync(join(scene.store, "tmp")), []);
}

async function withCleaning(size) {
	const { scene, place } = project();
	const others = [["gc", "--max-bytes", "1"], ["verify", "-n"], ["stats"]].map((args) => repeats("store", ...args));
	await hammer({ place, ...size, beside: [reads, reads, ages, ...others] });
	objectsAreIntact(scene.store);
	assert.deepEqual(readdirSync(join(scene.store, "tmp")), []);
	await hammer({ place, processes: 1, puts: 20 * KEYS, keys: KEYS });
	assert.ok(every((n) => isThere(scene, n)), "a version cannot be stored any more");
}

/** The hammer in a process of its own, after SCRIPT has made the place ready at $1; $2... start it. */
function elsewhere(place, script, size) {
	if (!isRoot) skip("needs root");
	const command = [process.execPath, join(here, "hammer-here.mjs"), JSON.stringify({ place, ...size })];
	const run = spawnSync("unshare", ["-m", "/bin/sh", "-c", script, "sh", place.store, ...command], {
		env: { ...process.env, READCACHE_BIN: sharedBinary() },
	});
	if (run.error || run.status === 99) skip("no mounts here");
	assert.equal(run.status, 0, cut(`${run.stderr}${run.stdout}`, 2000));
	return run.stdout.toString().trim();
}

const START = 'place=$1; shift; "$@" || exit 1; ls -A "$place/tmp"';

/** Room for about a third of the versions. */
function onFullDisk(size) {
	const mount = 'cp -a "$1" "$1.copy" && mount -t tmpfs -o size=256k tmpfs "$1" || exit 99; cp -a "$1.copy/." "$1"';
	const verify = '"$READCACHE_BIN" store verify --store "$place" >/dev/null || exit 1';
	assert.equal(elsewhere(project().place, `${mount}; ${START}; ${verify}`, size), "", "nothing is left in tmp");
}

function onReadOnlyDisk(size) {
	const { scene, place } = project();
	const mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99';
	assert.equal(elsewhere(place, `${mount}; ${START}`, size), "");
	objectsAreIntact(scene.store);
}

/** Root may write everywhere, so it is somebody else. */
function asNobody(size) {
	const { scene, place } = project();
	assert.equal(spawnSync("chown", ["-R", String(NOBODY), scene.dir]).status, 0);
	for (const name of ["objects", "tmp", "."]) chmodSync(join(scene.store, name), 0o500);
	const become = `exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups "$@"`;
	assert.equal(elsewhere(place, `shift; ${become}`, size), "");
	objectsAreIntact(scene.store);
}
