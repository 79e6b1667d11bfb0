// Where a play is played: a project, its session and its store, and a copy of
// all of it to begin from again.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { Scene, sha256 } from "../hostile/harness.mjs";

/** All that may stand in a store. */
const STORE_NAMES = new Set([".gitignore", "CACHEDIR.TAG", "last-gc", "objects", "tmp", "memo", "stages", "flows", "locks", "owner"]);

export class Stage {
	#master;

	/** SET builds the scene; what it gives is the play. */
	constructor(set) {
		this.scene = new Scene();
		this.home = join(this.scene.dir, "home");
		this.env = { HOME: this.home, XDG_CONFIG_HOME: "" };
		this.scene.options.env = this.env;
		mkdirSync(this.home);
		this.play = set(this.scene, this);
		this.#master = `${this.scene.dir}.master`;
		copy(this.scene.dir, this.#master);
	}

	/** As it was when it was built. */
	restore() {
		rmSync(this.scene.dir, { recursive: true, force: true });
		copy(this.#master, this.scene.dir);
	}

	/** The play's own run of the executable, undisturbed. */
	run() {
		return this.outcome(this.play.args, this.play.input);
	}

	/** Any run of the executable, undisturbed. */
	outcome(args, input = "") {
		const run = spawnSync(binary(), args, { input, cwd: this.scene.cwd, env: { ...process.env, ...this.env } });
		return { stdout: run.stdout.toString(), stderr: run.stderr.toString(), exit: run.status };
	}

	get temps() {
		return names(join(this.scene.store, "tmp"));
	}

	/** The contract of SPEC 11, whatever happened: no object is wrong or open, nothing else is there. */
	storeIsSound() {
		for (const name of names(this.scene.store))
			assert.ok(STORE_NAMES.has(name), `${name} in the store`);
		for (const name of names(join(this.scene.store, "objects"))) {
			const path = join(this.scene.store, "objects", name);
			assert.equal(name, `sha256-${sha256(readFileSync(path))}.txt`, "an object is not what its name says");
			assert.equal(lstatSync(path).mode & 0o7777, 0o600, "mode of an object");
		}
	}

	/** Whoever asks for it is told of every wrong object; afterwards there is none. */
	verified() {
		const { exit, stderr } = this.outcome(["store", "verify"]);
		assert.ok([0, 1].includes(exit), `verify: ${stderr}`);
		this.storeIsSound();
	}

	/** What a fault left in tmp goes with the first clean-up after an hour. */
	tempsGo() {
		if (this.temps.length === 0) return;
		for (const name of this.temps) aged(join(this.scene.store, "tmp", name), 2 * 3600);
		const { exit, stderr } = this.outcome(["store", "gc"]);
		assert.equal(exit, 0, `gc: ${stderr}`);
		assert.deepEqual(this.temps, [], "a temporary file outlived the clean-up");
	}
}

/** Last used SECONDS ago. */
export function aged(path, seconds) {
	const when = Date.now() / 1000 - seconds;
	utimesSync(path, when, when);
}

function copy(from, to) {
	cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

export function names(dir) {
	return existsSync(dir) ? readdirSync(dir).sort() : [];
}
