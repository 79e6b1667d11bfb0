// How the names of a store are met, call by call. A process that may write in
// the project and nowhere else (a build in a sandbox) can put a link, a pipe or
// a second name of a user's file at any name of the store, at any time. So
// every name is one step below a directory that was opened in the same way, no
// call follows a link, no open waits, and nothing is changed that was not looked
// at just before. races.mjs tries to win such a race; this looks that there is
// none.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Clone } from "./clone.mjs";
import { check } from "./harness.mjs";
import { needStrace, traced } from "./trace.mjs";

const RUN = ["run", "-n", "t", "--dep", "in.txt", "--out", "o", "--out", "d", "--", "sh", "-c", "cp in.txt o; mkdir d; cp o d/a; cp o d/x; chmod +x d/x"];
const KEY = "0".repeat(16);
const PHASE = { phase: "p", cache: { scope: "cross-run", fingerprint: ["file:in.txt"] } };
const FLOW = {
	nodes: [
		{ id: "a", run: "cat in.txt >o.txt", deps: ["in.txt"], outs: ["o.txt"] },
		{ id: "b", run: "echo b", needs: ["a"] },
		{ id: "c", run: "cat ${b.stdout.file}", needs: ["b"] },
		{ id: "d", run: "echo d", needs: ["c"] },
	],
};

const request = (clone) => JSON.stringify({ v: 1, op: "read", cwd: clone.cwd, params: { path: "in.txt" }, session: { leafId: null, entries: [] } });
const gone = (...names) => (clone) => names.forEach((name) => rmSync(clone.path(name), { recursive: true, force: true }));

/** Everything in the store was last used long ago, so that each use is noted again. */
function aged(clone) {
	for (const name of readdirSync(clone.store, { recursive: true })) utimesSync(join(clone.store, name), 1e9, 1e9);
}

/** Every command and every action, in an order in which each finds something. */
const ORDERS = [
	{ args: ["read", "in.txt"] },
	{ args: [], input: request },
	{ args: [], input: request, before: aged },
	{ args: ["serve"], input: (clone) => `${request(clone)}\n${request(clone)}\n` },
	{ args: RUN },
	{ args: RUN },
	{ args: RUN, before: gone("o", "d") },
	{ args: ["run", "--checkout-mode", "symlink", ...RUN.slice(1)], before: gone("o", "d") },
	{ args: ["run", "--checkout-mode", "copy", ...RUN.slice(1)], before: gone("o", "d") },
	{ args: ["run", "--dry-run", ...RUN.slice(1)] },
	{ args: ["run", "--force", ...RUN.slice(1)], before: gone("o", "d") },
	{ args: ["memo", "key", "--agent", "a", "--prompt", "p"] },
	{ args: ["memo", "set", KEY] },
	{ args: ["memo", "get", KEY] },
	{ args: ["memo", "get", KEY], before: aged },
	{ args: ["memo", "record"], input: () => JSON.stringify({ ...PHASE, status: "done", output: "x" }) },
	{ args: ["memo", "lookup"], input: () => JSON.stringify(PHASE) },
	{ args: ["memo", "ls"] },
	{ args: ["flow", "./flow.json"] },
	{ args: ["flow", "./flow.json"] },
	{ args: ["flow", "./flow.json", "--no-cache"] },
	{ args: ["flow", "status", "./flow.json"] },
	{ args: ["flow", "validate", "./flow.json"] },
	{ args: ["flow", "checkout", "./flow.json", "--force"], before: gone("o.txt") },
	{ args: ["flow", "commit", "./flow.json"] },
	{ args: ["flow", "save", "./flow.json", "nightly"] },
	{ args: ["cache", "stats"] },
	{ args: ["cache", "verify"] },
	{ args: ["cache", "settings"] },
	{ args: ["cache", "gc", "--max-age", "0"], before: aged },
	{ args: ["cache", "adopt"] },
	{ args: ["cache", "adopt"], before: (clone) => rmSync(join(clone.store, "owner")) },
	{ args: ["status", "--session", "s.jsonl"] },
	{ args: ["refresh", "in.txt", "--session", "s.jsonl"] },
	...["replay", "audit", "shadow"].map((name) => ({ args: [name, "s.jsonl"] })),
	{ args: ["report", "s.jsonl", "-o", "page.html"] },
	{ args: ["config"] },
	{ args: ["doctor"] },
	{ args: ["flow", "clear", "./flow.json"] },
	{ args: ["memo", "rm", KEY] },
	{ args: ["memo", "clear"] },
	{ args: ["cache", "clear"] },
];

const SESSION = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n';

/** One trace for all the checks. */
let trace;

function everything() {
	needStrace();
	if (trace) return trace;
	const clone = new Clone();
	writeFileSync(clone.path("flow.json"), JSON.stringify(FLOW));
	writeFileSync(clone.path("s.jsonl"), SESSION);
	const calls = [];
	for (const { args, input, before } of ORDERS) {
		before?.(clone);
		for (const call of traced(clone, args, input?.(clone))) calls.push({ ...call, told: `${args.join(" ")}: ${call.line}` });
	}
	return (trace = { clone, calls, within: (path) => path?.startsWith(`${clone.store}/`) });
}

/** Flags by which a call does not follow the last step of a name; those of the others never do. */
const NO_FOLLOW = {
	openat: "O_NOFOLLOW",
	openat2: "O_NOFOLLOW",
	newfstatat: "AT_SYMLINK_NOFOLLOW",
	statx: "AT_SYMLINK_NOFOLLOW",
	utimensat: "AT_SYMLINK_NOFOLLOW",
	fchmodat: "AT_SYMLINK_NOFOLLOW",
	fchmodat2: "AT_SYMLINK_NOFOLLOW",
	fchownat: "AT_SYMLINK_NOFOLLOW",
	faccessat: "AT_SYMLINK_NOFOLLOW",
	faccessat2: "AT_SYMLINK_NOFOLLOW",
};
const NEVER_FOLLOW = ["renameat", "renameat2", "unlinkat", "mkdirat", "readlinkat", "symlinkat", "linkat"];

const isStep = (name) => !name.includes("/") && name !== ".." && name !== "";

/** Which descriptors of which process are directories that were opened step by step. */
class Descriptors {
	#of = new Map();

	has = (pid, fd) => this.#of.get(pid)?.has(fd) ?? false;

	#set(pid) {
		if (!this.#of.has(pid)) this.#of.set(pid, new Set());
		return this.#of.get(pid);
	}

	follow({ pid, name, fd, number, failed, args }, isGood) {
		if (failed) return;
		if (/^(clone3?|v?fork)$/.test(name)) this.#of.set(number, new Set(this.#set(pid)));
		else if (name === "dup" || (name === "fcntl" && args.includes("F_DUPFD"))) this.#mark(pid, number, this.has(pid, fd));
		else if (/^open/.test(name)) this.#mark(pid, number, isGood);
	}

	#mark(pid, fd, isGood) {
		if (isGood) this.#set(pid).add(fd);
		else this.#set(pid).delete(fd);
	}
}

/** Changes of an open file, and the descriptor that each is about. */
const CHANGES = /^(fchmod|fchown|ftruncate|fallocate|fsetxattr|write|pwrite64|writev|pwritev2?|copy_file_range|sendfile|utimensat)$/;

export default async function opens() {
	await check("opens: F1.11 every command and action is traced", () => {
		const { clone } = everything();
		const { commands } = JSON.parse(clone.run(["--help", "--json"]).stdout);
		for (const { name, actions } of commands)
			for (const action of actions.length ? actions : [undefined])
				assert.ok(ORDERS.some(({ args }) => args[0] === name && (!action || args[1] === action.name)), `${name} ${action?.name ?? ""}`);
	});
	await check("opens: F1.12 every name in the store is one step below a directory that was opened so, and no link is followed", () => {
		const { clone, calls, within } = everything();
		const good = new Descriptors();
		const seen = new Set();
		for (const call of calls) {
			for (const { fd, at, name, path } of call.names.filter(({ path }) => within(path))) {
				const self = name === "." && call.name === "openat";
				assert.ok(isStep(name) || self, `not one step: ${call.told}`);
				assert.ok(fd !== undefined && good.has(call.pid, fd), `below ${at}, which was not opened so: ${call.told}`);
				assert.ok(self || NEVER_FOLLOW.includes(call.name) || call.args.includes(NO_FOLLOW[call.name] ?? "unknown"), `may follow a link: ${call.told}`);
				assert.ok(!call.args.includes("AT_SYMLINK_FOLLOW"), call.told);
				seen.add(basename(path)).add(call.name);
			}
			// By whatever name: what was opened in the store was named there.
			if (within(call.got) && /^open/.test(call.name)) assert.ok(call.names.some(({ path }) => within(path)), `led into the store: ${call.told}`);
			const [taken] = call.names;
			const isRoot = taken?.path === clone.store && isStep(taken.name) && call.args.includes("O_NOFOLLOW");
			const isSelf = taken?.name === "." && good.has(call.pid, taken.fd);
			good.follow(call, isRoot || isSelf || (taken && isStep(taken.name) && good.has(call.pid, taken.fd) && call.args.includes("O_NOFOLLOW")));
		}
		for (const name of ["owner", "memo", "objects", "locks", "stages", "flows", "tmp", "last-gc", ".gitignore", "metadata.json", "journal", "linkat", "renameat", "unlinkat", "mkdirat", "newfstatat"]) assert.ok(seen.has(name), `${name} was seen`);
	});
	await check("opens: F1.13 no open of a name in the store waits, or cuts a file off", () => {
		const { calls, within } = everything();
		let n = 0;
		for (const { name, names, args, told } of calls) {
			if (!/^open|^creat/.test(name) || !names.some(({ path }) => within(path))) continue;
			n++;
			assert.ok(/O_NONBLOCK|O_DIRECTORY|O_EXCL/.test(args), `may wait: ${told}`);
			assert.ok(!args.includes("O_TRUNC"), told);
		}
		assert.ok(n > 100, `${n} opens`);
	});
	await check("opens: F1.14 what was there already is looked at by its name, last, before its bytes, mode or times change", () => {
		const { clone, calls, within } = everything();
		const made = new Set(); // files that a process has made itself
		const last = new Map();
		const changed = new Set();
		for (const call of calls) {
			const { pid, name, path, fd, told, names } = call;
			const before = last.get(pid);
			last.set(pid, call);
			const key = (number) => `${pid} ${number}`;
			if (!call.failed && /^open/.test(name)) made[call.args.includes("O_EXCL") ? "add" : "delete"](key(call.number));
			if (/^(utimensat|f?chmodat2?|f?chownat|truncate|chmod|l?chown|utimes?)$/.test(name)) assert.ok(!names.some(({ path }) => within(path)), `changed by its name: ${told}`);
			if (!CHANGES.test(name) || !within(path) || made.has(key(fd))) continue;
			if (isDirectory(clone, path)) continue; // it has one name only, and was opened step by step
			const [look] = before?.names ?? [];
			assert.ok(before?.name === "newfstatat" && !before.failed && look?.path === path && before.args.includes("AT_SYMLINK_NOFOLLOW"), `not looked at last: ${told}\nbut ${before?.line}`);
			assert.match(before.args, /st_nlink=1,/, told);
			changed.add(`${name} ${path.slice(clone.store.length + 1).split("/")[0]}`);
		}
		for (const what of ["pwrite64 locks", "utimensat objects", "utimensat memo", "write flows"]) assert.ok(changed.has(what), `${what} was seen: ${[...changed]}`);
	});
	await check("opens: H2 no file of a database is opened in the project, but beside the user's key", () => {
		const { clone, calls } = everything();
		const opened = calls.filter(({ name, failed, got }) => /^open/.test(name) && !failed && got?.includes("state.mdb")).map(({ got, told }) => ({ got, told }));
		for (const { got, told } of opened) assert.ok(got.startsWith(`${clone.home}/`), told);
		for (const name of ["state.mdb", "state.mdb-lock"]) assert.ok(opened.some(({ got }) => basename(got) === name), `${name} was seen`);
	});
	await check("opens: H2 where the user's own directory cannot hold the database, work goes on without it", () => {
		const unfit = {
			"a file is in the way": (dir) => writeFileSync(dir, "in the way"),
			"a link to the project is in the way": (dir, clone) => symlinkSync(clone.cwd, dir),
			"the directory of the key is open to others": (dir) => chmodSync(join(dir, ".."), 0o777),
		};
		for (const [what, spoil] of Object.entries(unfit)) {
			const clone = new Clone();
			const own = join(clone.home, ".local", "state", "readcache");
			mkdirSync(own, { recursive: true });
			spoil(join(own, "states"), clone);
			for (const made of ["input\n", "other\n"]) {
				writeFileSync(clone.path("in.txt"), made);
				gone("o", "d")(clone);
				for (let n = 0; n < 2; n++) {
					const { status, stderr } = clone.run(RUN);
					assert.equal(status, 0, `${what}: ${stderr}`);
					assert.equal(readFileSync(clone.path("o"), "utf8"), made, what);
				}
			}
			const files = readdirSync(clone.dir, { recursive: true }).filter((name) => name.includes("state.mdb"));
			assert.deepEqual(files, [], what);
		}
	});
}

const DIRECTORIES = ["objects", "tmp", "memo", "stages", "flows", "locks"];

/** By the store's form: the file itself may be gone by now. */
function isDirectory(clone, path) {
	const steps = path.slice(clone.store.length + 1).split("/");
	if (steps.length === 1) return DIRECTORIES.includes(steps[0]);
	return steps.length === 2 && ((steps[0] === "objects" && /^[0-9a-f]{2}$/.test(steps[1])) || ["stages", "flows"].includes(steps[0]));
}
