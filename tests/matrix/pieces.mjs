// Pieced answers (SPEC 9 and 16), judged without the engine's means: by what stands in the session, and by the texts that
// the file has had. What a reader was shown is kept as lines under their numbers; what it changed is done once more.
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { edited, editsOf } from "./edits.mjs";
import { Mismatch, sha256 } from "./world.mjs";

const way = "(?:; read again for the text)?\\]";
const places = "((?:(?:lines \\d+-\\d+|line \\d+|removed before line \\d+|removed at the end)(?:, |(?=;)))+)";
const head = (words) => new RegExp(`^\\[readcache: ${words}${way}$`);

/** By name: the words, and what their numbers are. */
const forms = {
	written: [head("unchanged since you wrote it, (\\d+) lines"), ["total"]],
	writtenRange: [head("lines (\\d+)-(\\d+) of (\\d+) are as you wrote them"), ["first", "last", "total"]],
	editedAll: [head(`your edits are in place: ${places}; nothing else changed; (\\d+) lines`), ["places", "total"]],
	editedRange: [head(`your edits are in place: ${places}; nothing else changed in lines (\\d+)-(\\d+) of (\\d+)`), ["places", "first", "last", "total"]],
	inPlace: [head("unchanged in lines (\\d+)-(\\d+)(?: of (\\d+)|; changes exist outside this range)"), ["first", "last", "total"]],
	moved: [head("unchanged in lines (\\d+)-(\\d+) of (\\d+); shown before as lines (\\d+)-(\\d+)"), ["first", "last", "total", "former", "formerLast"]],
	parts: [
		head("lines (\\d+)-(\\d+) of (\\d+) in (\\d+) parts?; \\+ is text, you have the rest"),
		["first", "last", "total", "count"],
	],
};
const whole = ["written", "editedAll", "parts"];
const ranges = ["writtenRange", "editedRange", "inPlace", "moved", "parts"];

function demand(condition, what, expected, actual) {
	if (!condition) throw new Mismatch(what, expected, actual);
}

/** One part of P7 from LINES on: {kind, first, n, former} and how many lines it takes. */
function parsePart(lines) {
	const shown = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@ unchanged$/.exec(lines[0]);
	if (shown) {
		const [former, m, first, n] = shown.slice(1).map(Number);
		demand(m === n, "numbers of lines in a part", n, lines[0]);
		return { kind: "shown", former, first, n, used: 1 };
	}
	const [, first, n, words] = /^@@ \+(\d+),(\d+) @@ (as you wrote it|as you wrote them|text)$/.exec(lines[0] ?? "") ?? [];
	demand(words, "a part", "one of the three forms", lines[0]);
	if (words !== "text") {
		demand((n === "1") === (words === "as you wrote it"), "words for one line or several", n, lines[0]);
		return { kind: "own", first: Number(first), n: Number(n), used: 1 };
	}
	const text = lines.slice(1, 1 + Number(n));
	demand(text.length === Number(n) && text.every((line) => line.startsWith("+")), "lines of a text part", `${n} lines with a +`, text);
	return { kind: "text", first: Number(first), n: Number(n), text: text.map((line) => line.slice(1)), used: 1 + text.length };
}

function parsePlaces(words) {
	return words.split(", ").map((word) => {
		const [, , first, last] = /^(lines?) (\d+)(?:-(\d+))?$/.exec(word) ?? [];
		if (first) return { first: Number(first), last: Number(last ?? first) };
		return { removed: Number(/\d+$/.exec(word)?.[0] ?? Infinity) };
	});
}

/** What TEXT says: {form, first, last, ...}, with `runs` of all forms but those that name places. */
function parse(text, meta) {
	const [line] = text.split("\n", 1);
	for (const [form, [pattern, names]] of Object.entries(forms)) {
		const found = pattern.exec(line);
		if (!found) continue;
		const said = { form, first: 1, last: meta.totalLines };
		names.forEach((name, i) => (said[name] = name === "places" ? found[i + 1] : Number(found[i + 1] ?? meta.totalLines)));
		const n = said.last - said.first + 1;
		let rest = text.slice(line.length);
		if (form === "parts") {
			const lines = rest.split("\n").slice(1);
			said.runs = [];
			while (said.runs.length < said.count) {
				const run = parsePart(lines);
				said.runs.push(run);
				lines.splice(0, run.used);
			}
			rest = lines.map((one) => `\n${one}`).join("");
		} else if (names.includes("places")) said.places = parsePlaces(said.places);
		else if (form.startsWith("written")) said.runs = [{ kind: "own", first: said.first, n }];
		else said.runs = [{ kind: "shown", first: said.first, n, former: said.former ?? said.first }];
		demand(rest === "" || /^\n\n\[Showing lines [^\n]*\]$/.test(rest), "what follows a pieced answer", "nothing, or the host's notice", rest);
		return said;
	}
	throw new Mismatch("words of a pieced answer", "one of the forms", line);
}

/** The arguments by which the result's call was made, if they still stand in the model's context. */
function callOf(branch, gone, id) {
	const at = branch.flatMap((entry) =>
		entry.message?.role === "assistant" ? entry.message.content.filter((call) => call.type === "toolCall" && call.id === id).map((call) => ({ entry, call })) : [],
	);
	if (at.length !== 1) return undefined;
	const [{ entry, call }] = at;
	return gone.has(entry.id) || ["error", "aborted"].includes(entry.message.stopReason) ? undefined : call;
}

/** What the reader has of the file in META: lines that it was shown, newest last, and changes that it made itself. */
function recall(world, meta) {
	let branch = world.session.branch();
	branch = branch.slice(branch.findLastIndex(({ type }) => type === "compaction") + 1);
	const gone = new Set(branch.filter(({ type }) => type === "context_edit").map(({ targetId }) => targetId));
	const name = meta.name ?? meta.pathKey;
	const fileOf = (path) => {
		const full = resolve(world.cwd, String(path).replace(/^@/, ""));
		return full === name || (existsSync(full) && realpathSync(full) === meta.pathKey);
	};
	const known = { shown: [], changes: [] };
	const forget = () => (known.shown.length = known.changes.length = 0);
	for (const { id, type, message, data } of branch) {
		if (type === "custom" && data?.kind === "invalidate" && data.pathKey === meta.pathKey) forget();
		if (message?.role !== "toolResult" || message.isError || gone.has(id)) continue;
		const call = callOf(branch, gone, message.toolCallId);
		const told = message.details?.readcache;
		if (message.toolName === "read" && told === undefined && call && fileOf(call.arguments.path)) forget();
		if (!call) continue;
		if (message.toolName === "read" && told?.pathKey === meta.pathKey && (told.name ?? told.pathKey) === name) {
			const text = message.content?.[0]?.text ?? "";
			const marker = told.mode.startsWith("unchanged") && told.pieces === undefined;
			if (marker || (told.textHash !== undefined && sha256(text).slice(0, 32) !== told.textHash)) continue;
			const version = world.contents.get(told.servedHash);
			if (version) known.shown.push({ hash: told.servedHash, first: told.rangeStart, last: told.rangeEnd, text: version.toString(), lines: version.toString().split("\n") });
		}
		if (["edit", "write"].includes(message.toolName) && fileOf(call.arguments.path)) known.changes.push({ id: message.toolCallId, args: call.arguments });
	}
	return known;
}

/** The versions that CHANGES made of any version that the file has had: {text, lines, own: [by line]}. */
function makeProducts(world, changes, shown) {
	const products = [];
	const has = (line) => line === "" || shown.some(({ lines, first, last }) => lines.slice(first - 1, last).includes(line));
	for (const { id, args } of changes) {
		if (typeof args.content === "string") {
			const lines = args.content.split("\n");
			products.push({ id, text: args.content, lines, own: lines.map(() => true) });
			continue;
		}
		const edits = editsOf(args);
		const bases = [...new Set([...[...world.contents.values()].map(String), ...products.map(({ text }) => text)])];
		for (const base of bases) {
			const made = edited(base, edits);
			if (!made) continue;
			const old = base.split("\n");
			const owned = (number) => products.some(({ text, own }) => text === base && own[number - 1]);
			// Of a line that was touched the reader must know what is left of it.
			const own = made.lines.map(({ from, kept }) => (kept ? owned(from[0]) : from.every((number) => owned(number) || has(old[number - 1]))));
			products.push({ id, base, text: made.text, lines: made.text.split("\n"), own, touched: made.lines.map(({ kept }) => !kept) });
		}
	}
	return products;
}

function checkShown(run, now, shown) {
	for (let i = 0; i < run.n; i++) {
		const number = run.former + i;
		const view = shown.findLast(({ first, last }) => first <= number && number <= last);
		const line = now[run.first + i - 1];
		demand(view?.lines[number - 1] === line, `line ${run.first + i}, which was shown as line ${number}`, line, view ? view.lines[number - 1] : "it was not shown");
	}
}

/**
 * The lines stand together in a version that the reader made, each of them its own, and it can tell which they are. After a
 * line of text BEFORE them that is one of its own: because that stood just before them, and by their numbers or because it is
 * there only once. Else by their numbers.
 */
function checkOwn(run, now, products, before) {
	const lines = now.slice(run.first - 1, run.first - 1 + run.n);
	const once = (all) => before !== undefined && all.indexOf(before) === all.lastIndexOf(before);
	const wrote = before !== undefined && products.some((product) => product.lines.some((line, i) => line === before && product.own[i]));
	const good = products.some((product) => {
		const follows = (at) => product.lines[at - 1] === before && product.own[at - 1];
		const led = (at) => once(now) && once(product.lines) && follows(at);
		for (let at = 0; at + run.n <= product.lines.length; at++)
			if ((at === run.first - 1 ? !wrote || follows(at) : led(at)) && lines.every((line, i) => product.lines[at + i] === line && product.own[at + i])) return true;
		return false;
	});
	demand(good, `lines ${run.first}-${run.first + run.n - 1}, as the reader wrote them`, "lines of its own that it can tell", lines.join("\n"));
}

/** Does a version that the reader has seen become TEXT by its own changes alone? */
function onlyOwnChanges(text, known, products) {
	const seen = new Set(known.shown.map((view) => view.text));
	for (const product of products) if (product.base === undefined || seen.has(product.base)) seen.add(product.text);
	return products.some((product) => product.text === text && seen.has(text));
}

function checkPlaces(said, now, known, products) {
	const text = now.join("\n");
	demand(onlyOwnChanges(text, known, products), "nothing else changed", "only changes of the reader's own", said.places);
	const made = products.filter((product) => product.text === text);
	let next = said.first;
	const between = (to) => {
		for (; next < to; next++) {
			const line = now[next - 1];
			const there = known.shown.some(({ lines, first, last }) => lines.slice(first - 1, last).includes(line));
			demand(there || made.some(({ own }) => own[next - 1]), `line ${next}, which no edit has touched`, line, "it was not shown");
		}
	};
	for (const { first, last, removed } of said.places) {
		if (removed !== undefined) {
			demand(removed === Infinity || (removed >= next && removed <= said.last), "where lines were removed", "among the lines", removed);
			continue;
		}
		demand(first >= next && last <= said.last, "places", "in their order, among the lines asked for", said.places);
		between(first);
		for (; next <= last; next++) demand(made.some(({ own, touched }) => own[next - 1] && (touched?.[next - 1] ?? true)) || products.some(({ lines, touched }) => touched?.some((one, i) => one && lines[i] === now[next - 1])), `line ${next}, a place of an edit`, "an edit of the reader's", now[next - 1]);
	}
	between(said.last + 1);
}

function checkRuns(said, now, known, products) {
	let next = said.first;
	let before;
	for (const run of said.runs) {
		demand(run.first === next && run.n > 0, "begin of a part", next, run.first);
		next += run.n;
		if (run.kind === "text") {
			demand(before?.kind !== "text", "text behind text", "one part", run);
			const lines = now.slice(run.first - 1, next - 1);
			demand(JSON.stringify(lines) === JSON.stringify(run.text), `lines ${run.first}-${next - 1} of a part`, lines.join("\n"), run.text.join("\n"));
		} else if (run.kind === "own") checkOwn(run, now, products, before?.text?.at(-1));
		else checkShown(run, now, known.shown);
		before = run;
	}
	demand(next === said.last + 1, "end of the last part", said.last, next - 1);
}

/** All that the metadata and the decision must say of an answer in pieces. */
function checkFields(said, meta, decision, known) {
	const form = said.form;
	const full = meta.scopeKey === "full";
	demand((full ? whole : ranges).includes(form), `form of ${meta.scopeKey}`, full ? whole : ranges, form);
	demand(meta.mode === (full ? "diff" : "unchanged_range"), "mode of a pieced answer", full ? "diff" : "unchanged_range", meta.mode);
	demand(said.first === meta.rangeStart && said.last === meta.rangeEnd && said.total === meta.totalLines, "lines in words and metadata", [meta.rangeStart, meta.rangeEnd, meta.totalLines], said);
	demand(Number.isInteger(meta.pieces) && meta.pieces >= 1, "pieces", "a number from 1 on", meta.pieces);
	if (said.runs) demand(meta.pieces === said.runs.length, "pieces", said.runs.length, meta.pieces);
	if (form === "parts") demand(said.count <= 4, "number of parts", "at most 4", said.count);
	if (said.places) demand(said.places.length <= 8, "number of places", "at most 8", said.places.length);
	demand(Array.isArray(meta.rests) && meta.rests.length <= 32 && new Set(meta.rests).size === meta.rests.length, "rests of a pieced answer", "a list", meta.rests);
	const calls = meta.calls ?? [];
	const ids = known.changes.map(({ id }) => id);
	demand(meta.calls === undefined || (calls.length > 0 && calls.length <= 32), "calls", "some, or no field", meta.calls);
	demand(calls.every((id, i) => ids.includes(id) && (i === 0 || ids.indexOf(calls[i - 1]) < ids.indexOf(id))), "calls", `of ${ids.join(", ")}, oldest first`, calls);
	const own = said.places || said.runs?.some(({ kind }) => kind === "own");
	if (own) demand(calls.length > 0, "calls of what the reader wrote", "at least one", calls);
	if (said.runs?.some(({ kind }) => kind === "shown")) demand(meta.rests.length > 0, "rests of lines that were shown", "at least one", meta.rests);
	const bases = meta.rests.length > 0 ? known.shown.map(({ hash }) => hash) : [meta.servedHash];
	demand(bases.includes(meta.baseHash), "baseHash", bases, meta.baseHash);
	if (decision.reason === "own_text") demand(calls.length > 0 && !["moved", "parts"].includes(form), "reason", "pieces", decision.reason);
	else demand(!["written", "editedAll", "editedRange"].includes(form), "reason", "own_text", decision.reason);
	const limit = form === "parts" ? Math.floor(decision.baselineBytes / 2) : decision.baselineBytes - 1;
	demand(decision.servedBytes <= limit, "bytes of a pieced answer", `at most ${limit}`, decision.servedBytes);
}

/** An answer with `pieces` in its metadata. */
export function checkPieces(world, meta, decision, text) {
	const said = parse(text, meta);
	const known = recall(world, meta);
	checkFields(said, meta, decision, known);
	const now = world.read(meta.pathKey).toString().split("\n");
	const products = makeProducts(world, known.changes.filter(({ id }) => meta.calls?.includes(id)), known.shown);
	if (said.places) checkPlaces(said, now, known, products);
	else checkRuns(said, now, known, products);
}
