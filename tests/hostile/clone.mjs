// A user, a file of his own, and a project that he has from somebody else.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../lib/engine.mjs";
import { PATIENCE } from "../lib/wait.mjs";
import { freshDir } from "./harness.mjs";

export const MINE = "a file of the user that no repository may touch\n";

/** A user with a file of his own, who works in a project that he cloned. */
export class Clone {
	constructor(dir = freshDir()) {
		this.dir = dir;
		this.home = join(dir, "home");
		this.cwd = join(dir, "project");
		for (const path of [this.home, this.cwd]) mkdirSync(path, { recursive: true });
		this.victim = join(dir, "victim");
		writeFileSync(this.victim, MINE, { mode: 0o644 });
		writeFileSync(join(this.cwd, "in.txt"), "input\n");
		writeFileSync(join(this.cwd, "flow.json"), JSON.stringify(FLOW));
	}

	get store() {
		return join(this.cwd, ".pi", "readcache");
	}

	path(...names) {
		return join(this.cwd, ...names);
	}

	/** The same project as somebody else has it, who publishes it with his store. */
	byStranger(work) {
		const home = this.home;
		this.home = join(this.dir, "stranger");
		mkdirSync(this.home, { recursive: true });
		work(this);
		this.home = home;
		return this;
	}

	inStore(...names) {
		const path = join(this.store, ...names);
		mkdirSync(join(path, ".."), { recursive: true });
		return path;
	}

	run(args, { input = "", env = {} } = {}) {
		const { status, signal, stdout, stderr } = spawnSync(binary(), args, {
			cwd: this.cwd,
			input,
			env: { PATH: process.env.PATH, HOME: this.home, ...env },
			encoding: "utf8",
			timeout: PATIENCE,
		});
		assert.equal(signal, null, `${args.join(" ")}: ended by a signal: ${stderr}`);
		return { status, stdout, stderr };
	}
}

const FLOW = { nodes: [{ id: "say", type: "shell", run: "echo from the flow" }] };
