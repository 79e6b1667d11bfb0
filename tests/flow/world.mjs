// A project with a workflow in it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { database } from "../lib/database.mjs";

/** A command that leaves a line in FILE each time it runs, and says TEXT. */
export function counting(file, text = file) {
	return `echo x >> ${file}; echo ${text}`;
}

export class World {
	constructor(context, { env = {} } = {}) {
		this.context = context;
		this.cwd = join(context.dir, "project");
		this.store = join(this.cwd, ".pi", "readcache");
		this.env = { HOME: join(context.dir, "home"), XDG_CONFIG_HOME: join(context.dir, "xdg"), ...env };
		mkdirSync(this.cwd);
	}

	/** The user names the store in his settings: what tests put there by hand is believed. */
	nameStore() {
		mkdirSync(join(this.env.XDG_CONFIG_HOME, "readcache"), { recursive: true });
		writeFileSync(join(this.env.XDG_CONFIG_HOME, "readcache", "config.json"), JSON.stringify({ store: this.store }));
		return this;
	}

	/** Where the user's key is. */
	get state() {
		return join(this.env.HOME, ".local", "state");
	}

	/** A file of the store's database, if there is no other store. */
	database(name) {
		return database(this.state, name);
	}

	path(...names) {
		return join(this.cwd, ...names);
	}

	write(name, text) {
		writeFileSync(this.path(name), text);
	}

	text(name) {
		return readFileSync(this.path(name), "utf8");
	}

	/** Write a workflow file with these nodes. */
	flow(nodes, { file = "flow.json", ...rest } = {}) {
		this.write(file, JSON.stringify({ ...rest, nodes }));
	}

	/** `readcache flow ARGS`. */
	run(...args) {
		return this.context.run(["flow", ...args], { cwd: this.cwd, env: this.env });
	}

	/** The same, which must go well. */
	good(...args) {
		const run = this.run(...args);
		assert.equal(run.status, 0, run.stdout + run.stderr);
		assert.equal(run.stderr, "");
		return run.stdout;
	}

	/** With --json: {status, ..., nodes by id}. */
	json(...args) {
		const run = this.run(...args, "--json");
		assert.doesNotThrow(() => JSON.parse(run.stdout), run.stdout + run.stderr);
		const answer = JSON.parse(run.stdout);
		return { ...answer, exit: run.status, list: answer.nodes, nodes: Object.fromEntries(answer.nodes.map((node) => [node.id, node])) };
	}

	/** How each node ended: {a: "executed", b: "cached"}. */
	statuses(...args) {
		return Object.fromEntries(this.json(...args).list.map((node) => [node.id, node.status]));
	}

	/** How often the command of counting(FILE) ran. */
	times(file) {
		return existsSync(this.path(file)) ? this.text(file).split("\n").length - 1 : 0;
	}

	/** The directory of the session of a workflow's file. */
	session(file = this.path("flow.json")) {
		return join(this.store, "flows", createHash("sha256").update(file).digest("hex"));
	}

	metadata(file) {
		return JSON.parse(readFileSync(join(this.session(file), "metadata.json"), "utf8"));
	}

	/** Everything below the project and beside the key, with what the file system knows of it but for times of access. */
	listing() {
		const found = [];
		const walk = (dir) => {
			for (const name of readdirSync(dir).sort()) {
				const path = join(dir, name);
				const st = lstatSync(path, { bigint: true });
				const content = st.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : st.isSymbolicLink() ? readlinkSync(path) : "";
				found.push([path, st.mode, st.ino, st.size, st.mtimeNs, st.ctimeNs, content].join(" "));
				if (st.isDirectory()) walk(path);
			}
		};
		walk(this.cwd);
		const own = join(this.state, "readcache");
		if (existsSync(own)) walk(own);
		return found;
	}
}
