// A project whose stages are run, and what can be seen of them from outside.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { database } from "../lib/database.mjs";
import { sized } from "../lib/size.mjs";

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Longer than the time within which a file that was just written is not believed (20 ms). */
export const settle = () => new Promise((done) => setTimeout(done, 40));

/** Sweeps over the steps of a run take every seventh (by READCACHE_SIZE); all if READCACHE_CRASH_ALL is set. */
export const STRIDE = process.env.READCACHE_CRASH_ALL ? 1 : Math.max(1, Math.round(700 / sized(100)));

export const UNDECLARED = "readcache: nothing is declared that the command reads (--dep, --fp), so this is repeated until its words or its program change.\n";

export class Project {
	constructor(context, name = "project") {
		this.context = context;
		this.dir = join(context.dir, name);
		this.store = join(this.dir, ".pi", "readcache");
		mkdirSync(this.dir);
	}

	/** The user names the store in his settings: what tests put there by hand is believed. */
	nameStore() {
		const dir = join(this.context.dir, ".config", "readcache");
		mkdirSync(dir, { recursive: true });
		writeFileSync(join(dir, "config.json"), JSON.stringify({ store: this.store }));
		return this;
	}

	/** Where the user's key is, by which the store is known as his: the same for all who run something here. */
	get state() {
		return this.context.state ?? join(this.context.dir, ".local", "state");
	}

	/** A file of the store's database, if there is no other store. */
	database(name) {
		return database(this.state, name);
	}

	path(...names) {
		return join(this.dir, ...names);
	}

	write(name, text) {
		mkdirSync(dirname(this.path(name)), { recursive: true });
		writeFileSync(this.path(name), text);
	}

	read(name) {
		return readFileSync(this.path(name), "utf8");
	}

	remove(name) {
		rmSync(this.path(name), { recursive: true, force: true });
	}

	/** `readcache run ARGS` here, but for the line that says that nothing is declared: it is not every test's matter. */
	run(args, options = {}) {
		const said = this.context.run(["run", ...args], { cwd: this.dir, ...options });
		return { ...said, stderr: said.stderr.replace(UNDECLARED, "") };
	}

	/** The same, which must end well; how many commands it has really run. */
	does(args, options) {
		const before = this.count();
		const { status, stderr } = this.run(args, options);
		assert.equal(status, 0, stderr);
		return this.count() - before;
	}

	/** What `run --dry-run` says of ARGS. */
	plan(args, options) {
		const { status, stdout, stderr } = this.run(["--dry-run", "--json", ...args], options);
		assert.equal(stderr, "");
		const plan = JSON.parse(stdout);
		assert.equal(status, plan.decision === "reuse" ? 0 : 1);
		return plan;
	}

	/** A shell command that counts its runs, outside of the project, and then does SCRIPT. */
	shell(script) {
		return ["--", "sh", "-c", `echo run >>'${this.counter}'; ${script}`];
	}

	get counter() {
		return join(this.context.dir, "count");
	}

	count() {
		try {
			return readFileSync(this.counter, "utf8").split("\n").length - 1;
		} catch {
			return 0;
		}
	}

	blob(text) {
		const hash = sha256(text);
		return join(this.store, "objects", hash.slice(0, 2), hash.slice(2));
	}

	lock(name, flow = "run") {
		return join(this.store, "stages", flow, `${name}.lock`);
	}

	/** All there is in the tree, in the store and beside the key, with everything that a change would change. */
	listing() {
		const found = {};
		const walk = (dir) => {
			for (const name of readdirSync(dir).sort()) {
				const path = join(dir, name);
				const { mode, size, ino, nlink, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
				found[path] = `${mode} ${size} ${ino} ${nlink} ${mtimeNs} ${ctimeNs}`;
				const kind = lstatSync(path);
				if (kind.isDirectory()) walk(path);
				else if (kind.isSymbolicLink()) found[path] += ` ${readlinkSync(path)}`;
				else found[path] += ` ${sha256(readFileSync(path))}`;
			}
		};
		walk(this.dir);
		const own = join(this.state, "readcache");
		if (existsSync(own)) walk(own);
		return found;
	}
}
