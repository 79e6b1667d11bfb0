// readcache report, without a browser: its data, its page as text, its errors.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../lib/session.mjs";

/** A session in which the real executable answers the reads, as pi would have it recorded. */
export class Author {
	#calls = 0;

	constructor({ run, dir }, name = "session") {
		this.run = run;
		this.cwd = join(dir, `${name}-work`);
		this.file = join(dir, `${name}.jsonl`);
		this.session = new Session();
		mkdirSync(this.cwd, { recursive: true });
	}

	write(name, text) {
		mkdirSync(join(this.cwd, name, ".."), { recursive: true });
		writeFileSync(join(this.cwd, name), text);
	}

	#answer(params, toolCallId) {
		const request = { v: 1, op: "read", cwd: this.cwd, params, toolCallId, session: this.session.inline(), policy: this.policy };
		const response = JSON.parse(this.run([], { input: JSON.stringify(request) }).stdout);
		if (response.result) return response.result;
		return { content: [{ type: "text", text: readFileSync(join(this.cwd, params.path), "utf8") }] };
	}

	/** One message of the assistant with these reads; gives the mode of each answer. */
	read(...asked) {
		const calls = asked.map((args) => ({ type: "toolCall", id: `call-${++this.#calls}`, name: "read", arguments: args }));
		const results = asked.map((params) => this.#answer(params));
		const message = { role: "assistant", content: calls, stopReason: "toolUse" };
		this.session.append({ type: "message", message });
		results.forEach((result, i) => (this.last = this.session.result(result, calls[i].id)));
		return results.map(({ details }) => details?.readcache?.mode ?? "plain");
	}

	/** A read in one message with a call of TOOL, which is still running when the read is answered; gives its mode. */
	beside(tool, params) {
		const [id, other] = [`call-${++this.#calls}`, `call-${++this.#calls}`];
		const content = [
			{ type: "toolCall", id: other, name: tool, arguments: {} },
			{ type: "toolCall", id, name: "read", arguments: params },
		];
		this.session.append({ type: "message", message: { role: "assistant", content, stopReason: "toolUse" } });
		const result = this.#answer(params, id);
		this.session.result({ content: [{ type: "text", text: "done" }] }, other, { toolName: tool });
		this.last = this.session.result(result, id);
		return result.details?.readcache?.mode ?? "plain";
	}

	/** The file is read once more and answered by a marker, as by versions that gave one for any text. */
	marked(path, text) {
		const id = `call-${++this.#calls}`;
		const { readcache } = this.last.message.details;
		const { servedHash: baseHash } = readcache;
		const textHash = createHash("sha256").update(text).digest("hex").slice(0, 32);
		const meta = { ...readcache, mode: "unchanged", baseHash, textHash, textBytes: text.length };
		this.session.call({ path }, id);
		this.last = this.session.result({ content: [{ type: "text", text }], details: { readcache: meta } }, id);
	}

	/** A read as a host without readcache records it. */
	plain(path) {
		const id = `call-${++this.#calls}`;
		this.session.call({ path }, id);
		const text = readFileSync(join(this.cwd, path), "utf8");
		return (this.last = this.session.result({ content: [{ type: "text", text }] }, id));
	}

	refresh(params) {
		const request = { v: 1, op: "refresh", cwd: this.cwd, params };
		const { entry } = JSON.parse(this.run([], { input: JSON.stringify(request) }).stdout);
		return this.session.custom(entry);
	}

	save() {
		this.session.save(this.file, this.cwd);
		return this.file;
	}
}

export const lines = (n, word = "line") => Array.from({ length: n }, (_, i) => `${word} ${i + 1}, of some length\n`).join("");

/** Every kind of answer and every kind of entry, on two branches. */
export function everyKind(context, name) {
	const author = new Author(context, name);
	const { session } = author;
	author.write("src/main.c", lines(200));
	author.write("src/util.c", lines(120, "util"));
	author.write("notes.md", lines(80, "note"));
	author.write(".env", "SECRET=1\n");
	session.user("look at it");
	assert.deepEqual(author.read({ path: "src/main.c" }), ["full"]);
	assert.deepEqual(author.read({ path: "src/main.c" }), ["unchanged"]);
	author.write("src/main.c", lines(200).replace("line 7,", "line seven,"));
	assert.deepEqual(author.read({ path: "src/main.c" }), ["diff"]);
	assert.deepEqual(author.read({ path: "src/util.c", offset: 1, limit: 20 }), ["full"]);
	assert.deepEqual(author.read({ path: "src/util.c", offset: 1, limit: 20 }), ["unchanged_range"]);
	assert.deepEqual(author.read({ path: "src/util.c", offset: 50, limit: 20 }), ["full"]); // other lines
	assert.deepEqual(author.read({ path: ".env" }), ["plain"]);
	author.write("src/main.c", lines(200, "other"));
	assert.deepEqual(author.read({ path: "src/main.c" }), ["baseline_fallback"]); // changed too much
	const fork = session.leafId;
	author.refresh({ path: "src/main.c" });
	assert.deepEqual(author.read({ path: "src/main.c" }), ["full"]); // refreshed
	assert.deepEqual(author.read({ path: "notes.md" }, { path: "notes.md" }), ["full", "full"]); // one batch
	session.contextEdit(author.last.id);
	session.navigate(fork);
	session.user("another way");
	assert.deepEqual(author.read({ path: "src/main.c" }), ["unchanged"]);
	session.compaction(fork);
	assert.deepEqual(author.read({ path: "src/main.c" }), ["full"]); // after a compaction
	const edited = author.last;
	session.contextEdit(edited.id);
	assert.deepEqual(author.read({ path: "src/main.c" }), ["full"]); // earlier text gone
	author.plain("notes.md");
	author.save();
	return author;
}

/** Names that some program might take for something else. */
export const HOSTILE = [
	`<img src=x onerror=alert(1)>.txt`,
	`</script><script>alert(2)<`,
	`line\u2028separator\u2029.txt`,
	`"quotes' & entities&lt;.txt`,
	`\u202egnp.exe\u2066 \u05d0\u05d1\u05d2.txt`,
	`__proto__`,
	`${"long-".repeat(45)}.txt`,
];

/** A session about files with such names, each read twice; entry ids are of the same kind. */
export function hostile(context) {
	const author = new Author(context, "hostile");
	for (const name of HOSTILE) {
		const path = name.replaceAll("/", "\u2215");
		author.write(path, lines(40));
		author.read({ path });
		author.read({ path });
		author.session.contextEdit(`<b>${path}`);
	}
	author.save();
	return author;
}

/** The data behind the page. */
export function dataOf({ run }, ...files) {
	const { status, stdout, stderr } = run(["report", "--json", ...files]);
	assert.equal(stderr, "");
	assert.equal(status, 0);
	const data = JSON.parse(stdout);
	assert.equal(data.v, 1);
	return data;
}

export function pageOf({ run, dir }, ...files) {
	const page = join(dir, "report.html");
	const { status, stdout, stderr } = run(["report", ...files, "-o", page]);
	assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" });
	return readFileSync(page, "utf8");
}

/** The trust at the end of the branch that ends with stretch LEAF, by the steps' changes alone. */
function trustOf(session, leaf) {
	const way = [];
	for (let at = leaf; at !== null; at = session.stretches[at].parent) way.unshift(at);
	const trusted = new Map();
	for (const step of way.flatMap((at) => session.steps.filter(({ stretch }) => stretch === at))) {
		if (step.forgets) trusted.clear();
		for (const [key, hash] of step.changes ?? [])
			if (hash === undefined) trusted.delete(key);
			else trusted.set(key, hash);
	}
	const items = [...trusted].map(([key, hash]) => `${session.files[session.keys[key].file].path} ${session.keys[key].scope} ${hash}`);
	return items.sort();
}

/** The same by `readcache replay`. */
function replayOf({ run }, file, leafId) {
	const { status, stdout, stderr } = run(["replay", "--json", "--leaf", leafId, file]);
	assert.equal(status, 0, stderr);
	const { trust } = JSON.parse(stdout);
	return trust.map(({ path, scope, hash }) => `${path} ${scope} ${hash.slice(0, 12)}`).sort();
}

/** Is the sum of the reads what the session says? */
function checkSums(session) {
	const reads = session.steps.filter(({ kind }) => kind === "read");
	const sum = (list, name) => list.reduce((total, item) => total + item[name], 0);
	for (const list of [reads, session.files, Object.values(session.byMode)])
		for (const name of ["baselineBytes", "servedBytes"]) assert.equal(sum(list, name), session[name], name);
	for (const list of [session.files, Object.values(session.byMode)]) {
		assert.equal(sum(list, "reads"), session.reads);
		assert.equal(sum(list, "savedBytes"), session.savedBytes);
	}
	assert.equal(reads.length, session.reads);
	assert.equal(session.savedBytes, session.baselineBytes - session.servedBytes);
	assert.equal(session.savedTokens, Math.trunc(session.savedBytes / 4));
	assert.equal(sum(session.reasons, "reads"), session.reads - session.compact);
	for (const [mode, reads] of Object.entries(session.modes)) assert.equal(session.byMode[mode].reads, reads);
}

/** The figures of each policy, in the data and in the page, are those of `readcache shadow`. */
function checkShadow(context, file) {
	const [{ shadow }] = dataOf(context, file).sessions;
	const page = pageOf(context, file).replace(/<script[\s\S]*<\/script>/g, "");
	for (const policy of ["strict", "coverage"]) {
		const { stdout } = context.run(["shadow", "--json", "--policy", policy, file]);
		const { recordedCompact, ...wanted } = JSON.parse(stdout);
		for (const name of ["reads", "baselineBytes", "servedBytes", "savedBytes", "modes", "violations"])
			assert.deepEqual(shadow[policy][name], wanted[name], `${policy} ${name}`);
		assert.equal(shadow.recordedCompact, recordedCompact);
		const { modes, reads, baselineBytes, servedBytes, savedBytes, savedRatio } = wanted;
		const markers = modes.unchanged + modes.unchanged_range;
		const [row] = page.match(new RegExp(`<tr data-policy="${policy}">.*?</tr>`));
		assert.deepEqual(
			[...row.matchAll(/value="(-?\d+)"/g)].map(([, value]) => Number(value)),
			[reads - markers - modes.diff, markers, modes.diff, baselineBytes, servedBytes, savedBytes],
		);
		const percent = Number(row.match(/>(\u2212?[\d.,]+)\u00a0%</)[1].replace("\u2212", "-"));
		assert.ok(Math.abs(percent - 100 * savedRatio) <= 0.51, `${percent} %, ${savedRatio}`);
	}
	return { shadow, page };
}

const script = (page) => page.match(/<script>([\s\S]*)<\/script>\n<\/body>/)[1];
const style = (page) => page.match(/<style>([\s\S]*?)<\/style>/)[1];
const block = (page) => page.match(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/)[1];
const figure = (page, name) => Number(page.match(new RegExp(`data-figure="${name}" value="(-?\\d+)"`))[1]);
const sha = (text) => createHash("sha256").update(text).digest("base64");

function refuses({ run }, args, pattern) {
	const { status, stdout, stderr } = run(["report", ...args]);
	assert.equal(status, 2, stderr);
	assert.equal(stdout, "");
	assert.match(stderr, /^readcache: [^\n]*\n$/);
	assert.match(stderr, pattern);
}

export const tests = [
	{
		name: "help begins with examples",
		run({ run }) {
			const { status, stdout, stderr } = run(["report", "--help"]);
			assert.deepEqual([status, stderr], [0, ""]);
			assert.match(stdout, /^Examples:\n {2}readcache report /);
		},
	},
	{
		name: "every read has the reason it had",
		run(context) {
			const { compactModes, sessions: [session] } = dataOf(context, everyKind(context).file);
			const reads = session.steps.filter(({ kind }) => kind === "read");
			const told = reads.map(({ file, mode, reason }) => [session.files[file].shown, mode, reason].join(" ").trim());
			assert.deepEqual(told, [
				"src/main.c full first_read",
				"src/main.c unchanged",
				"src/main.c diff",
				"src/util.c full first_read",
				"src/util.c unchanged_range",
				"src/util.c full other_lines",
				".env plain excluded",
				"src/main.c baseline_fallback changed",
				"src/main.c full refreshed",
				"notes.md full first_read",
				"notes.md full same_batch",
				"src/main.c unchanged",
				"src/main.c full after_compaction",
				"src/main.c full evidence_lost",
				"notes.md plain not_by_readcache",
			]);
			assert.deepEqual([session.compact, session.violations], [4, 0]);
			assert.deepEqual(session.stretches.map(({ parent, leaf }) => [parent, leaf]), [[null, false], [0, true], [0, true]]);
			checkSums(session);
			const compact = session.steps.filter(({ mode }) => compactModes.includes(mode));
			assert.equal(compact.length, session.compact);
			assert.ok(compact.length > 0 && compact.every(({ servedBytes, baselineBytes }) => servedBytes < baselineBytes));
		},
	},
	{
		name: "a command beside the read and a short text are reasons of their own",
		run(context) {
			const author = new Author(context);
			const text = lines(60);
			author.write("a.txt", text);
			author.write("tiny.txt", "x\n");
			author.read({ path: "a.txt" });
			assert.equal(author.beside("bash", { path: "a.txt" }), "baseline_fallback");
			assert.equal(author.beside("grep", { path: "a.txt" }), "unchanged");
			author.write("a.txt", text.replace("line 7,", "line seven,"));
			assert.equal(author.beside("of_some_extension", { path: "a.txt" }), "baseline_fallback");
			assert.deepEqual(author.read({ path: "a.txt", offset: 60 }), ["baseline_fallback"]);
			author.read({ path: "tiny.txt" });
			assert.deepEqual(author.read({ path: "tiny.txt" }), ["baseline_fallback"]);
			author.write("tiny.txt", "y\n");
			assert.deepEqual(author.read({ path: "tiny.txt" }), ["baseline_fallback"]);
			author.policy = "coverage"; // no base has exactly these lines
			author.write("b.txt", text);
			author.read({ path: "b.txt", offset: 1, limit: 20 });
			author.read({ path: "b.txt", offset: 21 });
			assert.equal(author.beside("bash", { path: "b.txt", offset: 11, limit: 20 }), "baseline_fallback");
			assert.deepEqual(author.read({ path: "b.txt", offset: 60 }), ["baseline_fallback"]);
			const [session] = dataOf(context, author.save()).sessions;
			const reads = session.steps.filter(({ kind, mode }) => kind === "read" && mode === "baseline_fallback");
			assert.deepEqual(reads.map(({ file, reason }) => `${session.files[file].shown} ${reason}`), [
				"a.txt sibling",
				"a.txt sibling",
				"a.txt marker_not_smaller",
				"tiny.txt marker_not_smaller",
				"tiny.txt changed",
				"b.txt sibling",
				"b.txt marker_not_smaller",
			]);
			checkSums(session);
		},
	},
	{
		name: "every reason in the source has words, and every word a reason",
		run() {
			const source = (name) => readFileSync(new URL(`../../src/${name}`, import.meta.url), "utf8");
			const all = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, found]) => found))].sort();
			const table = (text, name) => text.match(new RegExp(`\\b${name}\\[\\w*\\] = \\{\n([\\s\\S]*?)\n\\};`))[1];
			const given = all(source("answer/decide.c"), /"([a-z_0-9]+)"/g);
			const delegated = all(
				["serve/read.c", "serve/subject.c", "serve/service.c", "file/snapshot.c"].map(source).join("\n"),
				/(?:delegate\([&\w]+, |\.reason = )"([a-z_0-9]+)"/g,
			);
			assert.ok(given.length > 20 && delegated.length > 8);
			const explain = source("cli/explain.c");
			assert.deepEqual(all(table(explain, "reasons"), /^\t\{"([a-z_0-9]+)", "/gm), given);
			assert.deepEqual(all(table(explain, "delegates"), /^\t\{"([a-z_0-9]+)", "/gm), delegated);
			// What a report, which sees only what was recorded, calls them.
			const told = {
				first_read: "first_read", refreshed: "refreshed", moved: "moved", newer_view: "newer_view", repeat: "repeat",
				own_edit: "own_edit", failed_edit: "failed_edit", sibling: "sibling", marker_not_smaller: "marker_not_smaller",
				changed: "none", same_file: "none", same_lines: "none", covered: "none", own_text: "none", pieces: "none",
				diff_not_useful: "changed", diff_failed: "changed", base_missing: "changed", lines_changed: "lines_changed",
				excluded: "excluded", nested: "not_by_readcache", settings_unread: "not_by_readcache", no_key: "not_by_readcache",
				no_line_shown: "not_by_readcache", no_session: "unknown", no_branch: "unknown", bypass: "unknown",
			};
			assert.deepEqual(Object.keys(told).sort(), given);
			const words = all(source("inspect/report_reason.c"), /^\t\[REASON_\w+\] = \{"([a-z_]+)", "/gm);
			assert.deepEqual(Object.values(told).filter((name) => !words.includes(name)), []);
			const names = all(source("inspect/report_reason.h"), /^\tREASON_(\w+)\b/gm).map((name) => name.toLowerCase());
			assert.deepEqual(words, names.filter((name) => name !== "count").sort());
		},
	},
	{
		name: "the trust along a branch ends where replay ends",
		run(context) {
			const { file } = everyKind(context);
			const [session] = dataOf(context, file).sessions;
			const leaves = [...session.stretches.keys()].filter((i) => session.stretches[i].leaf);
			let compared = 0;
			for (const leaf of leaves) {
				assert.deepEqual(trustOf(session, leaf), replayOf(context, file, session.stretches[leaf].lastId));
				compared += trustOf(session, leaf).length;
			}
			assert.ok(compared > 2);
		},
	},
	{
		name: "an edit that came later takes nothing back from before",
		run(context) {
			const author = new Author(context);
			author.write("a.txt", lines(50));
			author.read({ path: "a.txt" });
			const first = author.last;
			assert.deepEqual(author.read({ path: "a.txt" }), ["unchanged"]);
			author.session.contextEdit(first.id);
			const [session] = dataOf(context, author.save()).sessions;
			assert.deepEqual([session.compact, session.violations], [1, 0]);
			assert.deepEqual(trustOf(session, 0), []);
			assert.deepEqual(session.steps.at(-1).changes, [[0]]);
		},
	},
	{
		name: "edits in a row, with a fork between them, take away what they take on each branch",
		run(context) {
			const author = new Author(context);
			const { session } = author;
			author.write("a.txt", lines(50));
			author.write("b.txt", lines(50));
			const results = ["a.txt", "b.txt"].map((path) => (author.read({ path }), author.last.id));
			const first = session.contextEdit(results[0]);
			session.user("between");
			session.contextEdit(results[1]);
			author.read({ path: "a.txt" });
			session.navigate(first.id);
			session.user("another way");
			const { sessions } = dataOf(context, author.save());
			for (const leaf of [1, 2]) {
				const { lastId } = sessions[0].stretches[leaf];
				assert.deepEqual(trustOf(sessions[0], leaf), replayOf(context, author.file, lastId));
				assert.equal(trustOf(sessions[0], leaf).length, 1);
			}
		},
	},
	{
		name: "a compact answer that nobody could know is counted, and warned of",
		run(context) {
			const author = new Author(context);
			author.write("a.txt", lines(50));
			author.read({ path: "a.txt" });
			author.read({ path: "a.txt" });
			author.session.compaction();
			const copy = structuredClone(author.last); // as if it had been answered once more
			const call = author.session.call({ path: "a.txt" }, "again");
			author.session.append({ ...copy, message: { ...copy.message, toolCallId: call.message.content[0].id } });
			const [session] = dataOf(context, author.save()).sessions;
			assert.deepEqual([session.compact, session.violations, session.files[0].violations], [2, 1, 1]);
			assert.equal(session.steps.at(-1).evidence, false);
			assert.match(session.steps.at(-1).violation, /compaction/);
			const page = pageOf(context, author.file);
			assert.match(page, /class="figure safe warn"/);
			assert.deepEqual([figure(page, "safe"), figure(page, "violations")], [1, 1]);
		},
	},
	{
		name: "answers by coverage are safe, though no base was trusted, and its ways out have reasons",
		run(context) {
			const author = new Author(context);
			author.policy = "coverage";
			author.write("a.txt", lines(60));
			author.read({ path: "a.txt", offset: 1, limit: 30 });
			author.read({ path: "a.txt", offset: 31, limit: 20 });
			const part = { path: "a.txt", offset: 10, limit: 35 };
			assert.deepEqual(author.read(part), ["unchanged_range"]);
			assert.deepEqual(author.read(part), ["unchanged_range"]);
			assert.deepEqual(author.read(part), ["baseline_fallback"]); // it asks again and again
			const edit = { type: "toolCall", id: "edit-1", name: "edit", arguments: { path: "a.txt", edits: [] } };
			author.session.append({ type: "message", message: { role: "assistant", content: [edit], stopReason: "toolUse" } });
			author.session.result({ content: [{ type: "text", text: "no match" }] }, "edit-1", { toolName: "edit", isError: true });
			assert.deepEqual(author.read({ path: "a.txt", offset: 1, limit: 30 }), ["baseline_fallback"]);
			author.refresh({ path: "a.txt", offset: 5, limit: 2 });
			assert.deepEqual(author.read({ path: "a.txt", offset: 1, limit: 30 }), ["full"]);
			const [session] = dataOf(context, author.save()).sessions;
			const reads = session.steps.filter(({ kind }) => kind === "read");
			assert.deepEqual([session.compact, session.violations], [2, 0]);
			assert.equal(reads[2].evidence, false);
			assert.deepEqual(reads.map(({ reason }) => reason ?? ""), ["first_read", "other_lines", "", "", "repeat", "failed_edit", "refreshed"]);
			assert.deepEqual(trustOf(session, 0), replayOf(context, author.file, session.stretches[0].lastId));
			assert.doesNotMatch(pageOf(context, author.file), /safe warn/);
		},
	},
	{
		name: "what each policy would save is what shadow says, without a script",
		run(context) {
			const plain = new Author(context, "plain");
			plain.write("a.txt", lines(60));
			plain.plain("a.txt");
			plain.plain("a.txt");
			const { page } = checkShadow(context, plain.save());
			assert.match(page, /<caption>What each policy would save<\/caption>/);
			assert.doesNotMatch(page, /cannot be answered again/);

			const ranges = new Author(context, "ranges");
			ranges.policy = "strict"; // so that one read is recorded as a text that coverage would have spared
			ranges.write("a.txt", lines(60));
			for (const [offset, limit] of [[1, 30], [31, 20], [10, 35], [10, 35]]) ranges.read({ path: "a.txt", offset, limit });
			const { shadow, page: other } = checkShadow(context, ranges.save());
			assert.ok(shadow.coverage.savedBytes > shadow.strict.savedBytes);
			assert.equal(shadow.recordedCompact, 1);
			assert.match(other, / 1 compact answer of readcache cannot be answered again: /);

			const many = checkShadow(context, everyKind(context, "every").file);
			assert.equal(many.shadow.recordedCompact, 4);
			assert.match(many.page, / 4 compact answers of readcache cannot be answered again: /);
		},
	},
	{
		name: "nothing is told of policies where nothing was read",
		run(context) {
			const author = new Author(context);
			author.session.user("hello");
			const [session] = dataOf(context, author.save()).sessions;
			assert.equal("shadow" in session, false);
			assert.doesNotMatch(pageOf(context, author.file), /data-policy|What each policy/);
		},
	},
	{
		name: "small files may cost more than they save, and it says so",
		run(context) {
			const author = new Author(context);
			author.write("a.txt", "x\n");
			author.read({ path: "a.txt" });
			author.marked("a.txt", "[readcache: unchanged, 2 lines]");
			const [session] = dataOf(context, author.save()).sessions;
			assert.equal(session.modes.unchanged, 1);
			assert.ok(session.savedBytes < 0);
			checkSums(session);
			const page = pageOf(context, author.file);
			assert.equal(figure(page, "savedBytes"), session.savedBytes);
			assert.match(page, /<h3>Cost<\/h3>/);
		},
	},
	{
		name: "a session without readcache is shown, with the way to shadow",
		run(context) {
			const author = new Author(context);
			author.write("a.txt", lines(50));
			author.plain("a.txt");
			author.plain("a.txt");
			const [session] = dataOf(context, author.save()).sessions;
			assert.equal(session.readcache, false);
			assert.equal(session.modes.plain, 2);
			assert.equal(session.savedBytes, 0);
			assert.equal(session.files[0].shown, "a.txt");
			checkSums(session);
			assert.match(pageOf(context, author.file), /Recorded without readcache[\s\S]*readcache shadow/);
		},
	},
	{
		name: "sessions of version 1, empty ones, and damaged ones",
		run(context) {
			const author = new Author(context);
			author.write("a.txt", lines(50));
			author.read({ path: "a.txt" });
			author.read({ path: "a.txt" });
			author.save();
			const [header, ...entries] = readFileSync(author.file, "utf8").trimEnd().split("\n");
			const file = join(context.dir, "other.jsonl");
			const one = (...texts) => (writeFileSync(file, texts.map((text) => `${text}\n`).join("")), dataOf(context, file).sessions[0]);

			assert.deepEqual([one(header).entries, one(header).reads], [0, 0]);
			pageOf(context, file);
			const first = { ...JSON.parse(header), version: undefined };
			const linear = one(JSON.stringify(first), ...entries.map((text) => JSON.stringify({ ...JSON.parse(text), id: undefined, parentId: undefined })));
			assert.deepEqual([linear.version, linear.reads, linear.compact, linear.violations], [1, 2, 1, 0]);

			const torn = one(header, ...entries, entries[0].slice(0, 40));
			assert.deepEqual([torn.skippedLines, torn.reads, torn.violations], [1, 2, 0]);
			// The first answer is gone: nothing bears out the second one.
			const orphan = one(header, ...entries.slice(2));
			assert.deepEqual([orphan.stretches[0].orphan, orphan.reads, orphan.violations], [true, 1, 1]);
			const bad = Buffer.from(`${entries[1].slice(0, -1)},"x":"?"}`, "latin1");
			bad[bad.length - 3] = 0xff; // no UTF-8: pi reads it, we must not
			writeFileSync(file, Buffer.concat([Buffer.from(`${header}\n${entries[0]}\n`), bad, Buffer.from(`\n${entries[2]}\n${entries[3]}\n`)]));
			const [unreadable] = dataOf(context, file).sessions;
			assert.deepEqual(unreadable.steps.map(({ kind }) => kind), ["unreadable", "read"]);
			assert.deepEqual([unreadable.violations, unreadable.steps[0].forgets], [1, true]);
			assert.match(pageOf(context, file), /What each policy would save/);
			one(header, ...entries, JSON.stringify({ type: "custom", id: JSON.parse(entries[0]).id, parentId: JSON.parse(entries.at(-1)).id }));
			assert.match(pageOf(context, file), / 2 reads are left out, /);
			const twice = one(header, ...entries, entries[0], entries[1]);
			assert.ok(twice.steps.some(({ kind }) => kind === "unreadable"));
			pageOf(context, file);
		},
	},
	{
		name: "what comes from a session is text, whatever it looks like",
		run(context) {
			const { file, cwd } = hostile(context);
			const data = dataOf(context, file);
			const page = pageOf(context, file);
			const shown = data.sessions[0].files.map(({ shown }) => shown);
			assert.deepEqual(shown.toSorted(), HOSTILE.map((name) => name.replaceAll("/", "\u2215")).toSorted());
			assert.ok(data.sessions[0].files.every(({ path }) => path.startsWith(cwd)));

			assert.deepEqual(JSON.parse(block(page)), data);
			assert.doesNotMatch(block(page), /[<>&\u2028\u2029]/);
			assert.equal(page.match(/<script/g).length, 2);
			assert.equal(page.match(/<\/script/g).length, 2);
			assert.doesNotMatch(page.replace(script(page), ""), /<img|<b>|onerror=alert\(1\)>/);
			assert.ok(page.includes("&lt;img src=x onerror=alert(1)&gt;.txt</bdi>"));
		},
	},
	{
		name: "the page asks for nothing, and lets only its own code run",
		run(context) {
			const { file } = everyKind(context);
			const page = pageOf(context, file);
			const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
			assert.match(policy, /^default-src 'none'; img-src data:; /);
			assert.ok(policy.includes(`style-src 'sha256-${sha(style(page))}'`));
			assert.ok(policy.includes(`script-src 'sha256-${sha(script(page))}'`));
			assert.deepEqual([...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, to]) => to).filter((to) => !/^(#|data:)/.test(to)), []);
			assert.doesNotMatch(page, / style="| on[a-z]+="|@import|url\(|\{\{/);
			assert.deepEqual([...page.matchAll(/https?:[^"' ]*/g)].map(([url]) => url), ["http://www.w3.org/2000/svg"]);
		},
	},
	{
		name: "the main figures need no script",
		run(context) {
			const { file } = everyKind(context);
			const [session] = dataOf(context, file).sessions;
			const page = pageOf(context, file);
			for (const name of ["savedBytes", "servedBytes", "baselineBytes", "compact", "reads"])
				assert.equal(figure(page, name), session[name], name);
			assert.match(page, /estimate: bytes\/4/);
			for (const { reason, reads, servedBytes } of session.reasons)
				assert.match(page, new RegExp(`data-reason="${reason}".*?value="${reads}".*?value="${servedBytes}"`));
			for (const [mode, { reads, servedBytes }] of Object.entries(session.byMode))
				assert.match(page, new RegExp(`data-mode="${mode}".*?value="${reads}".*?value="${servedBytes}"`));
		},
	},
	{
		name: "several sessions: an overview, and sums over all",
		run(context) {
			const files = [everyKind(context, "one").file, hostile(context).file];
			const data = dataOf(context, ...files);
			assert.equal(data.sessions.length, 2);
			for (const name of ["reads", "compact", "violations", "baselineBytes", "servedBytes", "savedBytes"])
				assert.equal(data[name], data.sessions[0][name] + data.sessions[1][name], name);
			const page = pageOf(context, ...files);
			assert.equal(figure(page, "savedBytes"), data.savedBytes);
			assert.equal(page.match(/<details class="session" id="s[01]">/g).length, 2);
			assert.match(page, /<a href="#s1">/);
		},
	},
	{
		name: "the page is put in its place whole, and only where a file may be replaced",
		run(context) {
			const { run, dir } = context;
			const { file } = everyKind(context);
			const place = join(dir, "out");
			mkdirSync(place);
			const page = join(place, "p.html");
			writeFileSync(page, "old");
			assert.equal(run(["report", file, "-o", page]).status, 0);
			assert.match(readFileSync(page, "utf8"), /^<!doctype html>/);
			assert.equal(lstatSync(page).mode & 0o777, 0o666 & ~process.umask());
			assert.deepEqual(readdirSync(place), ["p.html"]);
			assert.equal(run(["report", file, "-o", "-"]).stdout, readFileSync(page, "utf8"));

			symlinkSync(page, join(place, "link.html"));
			const before = readFileSync(file, "utf8");
			refuses(context, [file, "-o", join(place, "link.html")], /not a regular file/);
			refuses(context, [file, "-o", "/dev/null"], /not a regular file/);
			refuses(context, [file, "-o", place], /directory/);
			refuses(context, [file, "-o", file], /one of the sessions/);
			refuses(context, [file, "-o", join(place, "no", "p.html")], /No such file/);
			assert.equal(readFileSync(file, "utf8"), before);
			assert.deepEqual(readdirSync(place).toSorted(), ["link.html", "p.html"]);
		},
	},
	{
		name: "what cannot be used is told in a sentence",
		run(context) {
			const { run, dir } = context;
			const { file } = everyKind(context);
			const page = join(dir, "p.html");
			writeFileSync(join(dir, "no.jsonl"), "hello\n");
			refuses(context, [], /session files/);
			refuses(context, [file], /-o/);
			refuses(context, [file, "-o", page, "--json"], /not both/);
			refuses(context, [file, "-o", ""], /-o/);
			refuses(context, [join(dir, "missing.jsonl"), "-o", page], /missing\.jsonl: No such file/);
			refuses(context, [join(dir, "no.jsonl"), "--json"], /not a pi session/);
			refuses(context, [dir, "--json"], /:/);
			assert.equal(existsSync(page), false);
			// What can be used is shown; the status tells that something was not.
			const { status, stderr } = run(["report", file, join(dir, "no.jsonl"), "-o", page]);
			assert.equal(status, 2);
			assert.match(stderr, /no\.jsonl: /);
			assert.match(readFileSync(page, "utf8"), /<title>readcache: session\.jsonl<\/title>/);
		},
	},
];
