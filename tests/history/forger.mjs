// Lies of the policy pieces. The engine of liar.mjs knows no pieces: to write all of section 16 a second time would be
// another engine with faults of its own. So the forger stands between the host and the real engine, and does one of two
// things: it hides from the engine what must end an answer, and passes on what the engine says in good faith; or it
// changes one thing in a right answer. Either is a whole answer with metadata that agrees, of the kind that an engine with
// that fault would give. Without a lie it changes nothing.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Engine } from "../lib/engine.mjs";
import { AGAIN, isWhole, parsePieced } from "./pieced.mjs";

const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 32);

// --- what the engine is not told: each gives another entry, or the same

const NOTHING = { type: "custom", customType: "nothing", data: {} };
const isOwnCall = ({ message }) => message?.role === "assistant" && message.content?.some?.(({ name }) => name === "edit" || name === "write");
const isOwnResult = ({ message }) => message?.role === "toolResult" && ["edit", "write"].includes(message.toolName);
const isRead = ({ message }) => message?.role === "toolResult" && message.toolName === "read";
const edits = (which) => (entry, all) => (entry.type === "context_edit" && all.some((one) => one.id === entry.targetId && which(one)) ? NOTHING : entry);

/** The calls in ENTRY are of the file that is ASKED for. */
function renamed(entry, asked, cwd) {
	const content = entry.message.content.map((block) => {
		const given = block.arguments?.path;
		if (!["edit", "write"].includes(block.name) || typeof given !== "string" || resolve(cwd, given) === resolve(cwd, asked)) return block;
		return { ...block, arguments: { ...block.arguments, path: asked } };
	});
	return { ...entry, message: { ...entry.message, content } };
}

const UNTOLD = {
	call_edited: edits(isOwnCall),
	result_edited: edits(isOwnResult),
	text_edited: edits(isRead),
	message_failed: (entry) => (isOwnCall(entry) ? { ...entry, message: { ...entry.message, stopReason: "toolUse" } } : entry),
	compaction: (entry) => (entry.type === "compaction" ? NOTHING : entry),
	refreshed: (entry) => (entry.customType === "pi-readcache" ? NOTHING : entry),
	bill: (entry) => (entry.message?.usage ? { ...entry, message: { ...entry.message, usage: undefined } } : entry),
	newer: (entry, all) => (isRead(entry) && entry === all.findLast(isRead) ? NOTHING : entry),
	other_name: (entry, all, { params, cwd }) => (isOwnCall(entry) ? renamed(entry, params.path.replace(/:\d+(-\d+)?$/, ""), cwd) : entry),
};

// --- what is changed in an answer: gives its new text, or undefined

/** The first number in TEXT behind WORDS, more by N. */
const shifted = (words, n) => (text) => text.replace(new RegExp(`(${words})(\\d+)`), (_, before, number) => `${before}${Number(number) + n}`);

/** C-D of the first part, or of a block, that says where its lines stood before. */
function formerOff(text) {
	const part = /@@ -(\d+),(\d+) \+\d+,\d+ @@ unchanged/.exec(text);
	if (!part) return text.replace(/shown before as lines (\d+)-(\d+)/, (_, c, d) => `shown before as lines ${Number(c) + 1}-${Number(d) + 1}`);
	const [whole, c] = part;
	return text.replace(whole, whole.replace(c, Number(c) + 1));
}

/** The parts of TEXT, of which PICK leaves some. */
function parts(text, pick) {
	const [head, ...rest] = text.split(/\n(?=@@ )/);
	const some = pick(rest);
	return [head.replace(/in \d+ parts?/, `in ${some.length} part${some.length === 1 ? "" : "s"}`), ...some].join("\n");
}

/** A part in two, or its last line left out. */
function splitPart(part) {
	const [, c, n, first] = /^@@ -(\d+),(\d+) \+(\d+)/.exec(part)?.map(Number) ?? [];
	if (!(n > 1)) return [part];
	const one = (at, size) => `@@ -${c + at},${size} +${first + at},${size} @@ unchanged`;
	return [one(0, 1), one(1, n - 1)];
}

const ownParts = (text) => text.replace(/@@ \+(\d+),(\d+) @@ as you wrote (it|them)/, "@@ -$1,$2 +$1,$2 @@ unchanged");
const shownParts = (text) => text.replace(/@@ -\d+,(\d+) \+(\d+),\d+ @@ unchanged/, (_, n, first) => `@@ +${first},${n} @@ as you wrote ${n === "1" ? "it" : "them"}`);

/** All of it is told as the model's own. */
function ownAll(text, said) {
	const end = said.again ? `${AGAIN}]` : "]";
	if (said.form.startsWith("written")) return text;
	const notice = said.notice ? `\n\n${said.notice}` : "";
	if (isWhole(said)) return `[readcache: unchanged since you wrote it, ${said.total} lines${end}${notice}`;
	return `[readcache: lines ${said.first}-${said.last} of ${said.total} are as you wrote them${end}${notice}`;
}

/** A diff, or parts, are told as an edit that is in place where their first change is. */
function inPlace(text, said, { meta }) {
	const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/m.exec(text);
	const diff = text.startsWith("[readcache: ") && / lines changed of (\d+)\]\n--- /.exec(text);
	if (!hunk || (said ? said.form !== "parts" : !diff)) return text;
	const at = Math.min(Number(hunk[1]) + 3, meta.rangeEnd);
	return `[readcache: your edits are in place: line ${at}; nothing else changed${isWhole({ first: meta.rangeStart, last: meta.rangeEnd, total: meta.totalLines }) ? `; ${meta.totalLines} lines` : ` in lines ${meta.rangeStart}-${meta.rangeEnd} of ${meta.totalLines}`}]`;
}

/** All of the text in one part. */
function costly(text, said, { meta, decision }) {
	if (said || text.startsWith("[readcache: ") || decision.mode === "plain" || meta === undefined || text.includes("\n\n[")) return text;
	const { rangeStart: first, rangeEnd: last, totalLines: total } = meta;
	const lines = text.split("\n");
	const n = Math.ceil(lines.length / 2) + 1;
	if (n >= lines.length || meta.mode === "full") return text;
	const head = `[readcache: lines ${first}-${last} of ${total} in 2 parts; + is text, you have the rest]`;
	return [head, `@@ +${first},${n} @@ text`, ...lines.slice(0, n).map((line) => `+${line}`), `@@ -${first + n},${lines.length - n} +${first + n},${lines.length - n} @@ unchanged`].join("\n");
}

const pieced = (change) => (text, said, about) => (said ? change(text, said, about) : text);
const form = (name, change) => (text, said, about) => (said?.form.startsWith(name) ? change(text, said, about) : text);

const CHANGED = {
	former_off: pieced(formerOff),
	place_other: form("edited", shifted("place: lines? ", 1)),
	place_missing: form("edited", (text) => text.replace(/place: [^,;]*, /, "place: ")),
	place_wider: form("edited", (text) => text.replace(/: line (\d+)([,;])/, (_, n, end) => `: lines ${n}-${Number(n) + 1}${end}`)),
	removal_untold: form("edited", (text) => text.replace(/, removed (before line \d+|at the end)(?=[,;])/, "")),
	removal_elsewhere: form("edited", shifted("removed before line ", 1)),
	total_off: pieced((text) => text.replace(/(, |; | of )(\d+)( lines[\];]| in lines|\]|;| are| in \d+ part)/, (_, a, n, b) => `${a}${Number(n) + 1}${b}`)),
	range_off: pieced((text) => text.replace(/lines (\d+)-(\d+) of/, (_, a, b) => `lines ${a}-${Number(b) - 1} of`)),
	old_text: form("parts", (text) => text.replace(/\n\+[^\n]*/, "\n+an older text")),
	text_short: form("parts", (text) => text.replace(/@@ \+(\d+),(\d+) @@ text\n\+[^\n]*/, (_, at, n) => `@@ +${Number(at) + 1},${n - 1} @@ text`)),
	part_missing: form("parts", (text) => parts(text, (all) => all.slice(0, -1))),
	part_between_missing: form("parts", (text) => parts(text, (all) => (all.length > 2 ? all.toSpliced(1, 1) : all))),
	part_twice: form("parts", (text) => parts(text, (all) => all.flatMap(splitPart))),
	part_short: form("parts", (text) => parts(text, (all) => all.map((part) => splitPart(part).at(-1)))),
	count_off: form("parts", (text) => text.replace(/in (\d+) parts/, (_, n) => `in ${Number(n) + 1} parts`)),
	own_as_shown: form("parts", ownParts),
	shown_as_own: form("parts", shownParts),
	moved_as_kept: form("moved", (text) => text.replace(/; shown before as lines \d+-\d+/, "")),
	all_own: pieced(ownAll),
	in_place: inPlace,
	costly,
	way_out_missing: (text) => text.replace(AGAIN, ""),
	way_out_early: (text) => (text.startsWith("[readcache: ") && !text.includes(AGAIN) && !text.includes("\n--- ") ? text.replace("]", `${AGAIN}]`) : text),
	not_as_it_is: (text, said, { meta }) => (said?.form === "parts" ? text.replace(/\n@@ \+(\d+),1 @@ text\n[^\n]*/, (_, n) => `\n@@ -${n},1 +${n},1 @@ unchanged`) : text),
};

// --- what is changed beside the text

const META = {
	pieces_missing: (meta) => void delete meta.pieces,
	pieces_off: (meta, said) => void (said?.form === "parts" && (meta.pieces += 1)),
	calls_missing: (meta) => void delete meta.calls,
	calls_fewer: (meta) => void (meta.calls?.length > 1 && meta.calls.pop()),
	calls_of_nobody: (meta) => void (meta.calls &&= ["nobody"]),
	calls_turned: (meta) => void meta.calls?.reverse(),
	rests_missing: (meta) => void delete meta.rests,
	rests_fewer: (meta) => void meta.rests?.pop(),
	reason_other: (meta, said, decision) => void (decision.reason = decision.reason === "pieces" ? "own_text" : "pieces"),
};

/** Every lie, with the actions that give it an occasion; and one under another policy. */
const OCCASION = { ownWork: 30, moving: 15, disown: 8 };
export const PIECE_LIES = Object.fromEntries([...Object.keys({ ...UNTOLD, ...CHANGED, ...META }), "any_policy"].map((lie) => [lie, OCCASION]));

export class Forger {
	constructor(lie) {
		this.lie = lie;
		this.engine = new Engine();
	}

	line(text) {
		return this.settled(text);
	}

	close() {
		return this.engine.close();
	}

	async settled(line) {
		const request = JSON.parse(line);
		if (request.session?.after) return JSON.stringify({ v: 1, id: request.id, ok: false, error: { code: "unknown_leaf", message: "it remembers nothing" } });
		const untold = request.op === "read" && request.policy === "pieces" && this.lie in UNTOLD ? this.#untold(request) : undefined;
		if (this.lie === "any_policy" && request.policy) request.policy = "pieces";
		const said = await this.engine.settled(untold ?? (this.lie === "any_policy" ? JSON.stringify(request) : line));
		return request.op === "read" && request.policy === "pieces" ? this.#changed(said) : said;
	}

	/** The request with another session; undefined if that cannot be read. */
	#untold(request) {
		let { session } = request;
		try {
			if (session?.file) session = inline(session);
		} catch {
			return undefined; // junk
		}
		if (!session?.entries) return undefined;
		const other = (entry) => {
			const told = UNTOLD[this.lie](entry, session.entries, request);
			return told === NOTHING ? { ...NOTHING, id: entry.id, parentId: entry.parentId } : told;
		};
		return JSON.stringify({ ...request, session: { ...session, id: undefined, entries: session.entries.map((entry) => (entry?.id ? other(entry) : entry)) } });
	}

	#changed(line) {
		const response = JSON.parse(line);
		const text = response.result?.content?.[0]?.text;
		if (typeof text !== "string") return line;
		const { decision, result } = response;
		const meta = result.details?.readcache;
		const said = parsePieced(text);
		if (this.lie in META && meta?.pieces !== undefined) META[this.lie](meta, said, decision);
		const other = CHANGED[this.lie]?.(text, said, { meta, decision }) ?? text;
		if (other === text) return JSON.stringify(response);
		result.content[0].text = other;
		decision.servedBytes = Buffer.byteLength(other);
		const now = parsePieced(other);
		if (meta) Object.assign(meta, { textHash: hash(other), textBytes: Buffer.byteLength(other) });
		if (meta && now && !said) Object.assign(meta, { mode: meta.scopeKey === "full" ? "diff" : "unchanged_range", pieces: now.count ?? 1, rests: meta.rests ?? [], baseHash: meta.baseHash ?? meta.servedHash });
		else if (meta && now) meta.pieces = now.count ?? meta.pieces;
		if (meta && now) Object.assign(decision, { mode: meta.mode, reason: ["parts", "moved"].includes(now.form) ? "pieces" : "own_text" });
		return JSON.stringify(response);
	}
}

/** A session file as entries in the request. */
function inline({ file, leafId }) {
	const [header, ...entries] = readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
	if (header.parentSession) throw new Error("its directories are elsewhere");
	return { entries, leafId: leafId === undefined ? entries.at(-1)?.id : leafId, dirs: [header.cwd] };
}
