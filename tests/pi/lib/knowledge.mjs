// The oracle of every scenario. It looks at one provider request at a time and holds only what the texts in it can
// teach a model. A marker or a diff that those texts do not support is a lie, and so is a text that is not the file's.
import { resolve } from "node:path";
import { parseCompact } from "../../history/grammar.mjs";
import { judge, sha256 } from "../../history/oracle.mjs";
import { hostResult, kindOf, plainRead } from "../../history/plain.mjs";
import { contentText, toolText } from "./provider.mjs";
import { changeBy } from "./siblings.mjs";

/** In place of a result: nothing is seen of the file. */
const NOTHING = [
	/^No result provided$/,
	/^Operation aborted$/,
	/^(ENOENT|EISDIR|ENOTDIR|EACCES|ELOOP): /,
	/^Offset \S+ is beyond end of file \(\d+ lines total\)$/,
	/^Invalid range/,
	/^Tool call "read" was not executed: /,
];

/** So do test extensions that take a text away. Those that put another one in its place are `foreign`. */
const TAKEN = /^\[(pruner|dedup|hider): /;

/** What a test extension adds to a result; the model knows that it is no part of it. */
const NOTE = /\n\[annotator: [^\n]*\]$/;

/** A result as the session has it. */
export const withoutNote = (text) => text.replace(NOTE, "");

/** In place of a compact answer that has lost its text, where the store has lost it too. */
export const GONE = /^\[readcache: [^\n]*no longer in context[^\n]*\]$/;

const SUCCESS = /^Successfully (wrote|replaced) /;
const SUFFIX = /^(.*):(\d+)(?:-(\d+))?$/s;

/** A call's arguments as lines of a file. The suffix counts where no file has the whole name. */
function asked({ path, offset, limit }, cwd, ledger) {
	const hit =
		offset === undefined && limit === undefined && !ledger.has(resolve(cwd, path)) ? SUFFIX.exec(path) : null;
	if (!hit) return { path, offset, limit, name: resolve(cwd, path) };
	const [first, last] = [Number(hit[2]), hit[3] === undefined ? undefined : Number(hit[3])];
	const name = resolve(cwd, hit[1]);
	return {
		path: hit[1],
		offset: first,
		limit: last === undefined ? undefined : last - first + 1,
		name,
		suffix: true,
	};
}

/** What judge() needs beside the text: the metadata as stored, the rest filled in so that only truth is judged. */
function responseFor(text, details, plain) {
	const truncation = text === plain.text ? plain.truncation : undefined;
	const readcache = details?.readcache;
	const filled = { ...(truncation ? { truncation } : {}), ...(readcache ? { readcache } : {}) };
	const pieced = plain.shown?.last === plain.total && plain.shown.first === 1 ? "diff" : "unchanged_range";
	const kinds = { unchanged: "unchanged", range: "unchanged_range", diff: "diff", pieced };
	const mode = readcache?.mode ?? kinds[text === plain.text ? "" : parseCompact(text)?.kind] ?? "plain";
	return {
		ok: true,
		result: { content: [{ type: "text", text }], ...(Object.keys(filled).length > 0 ? { details: filled } : {}) },
		decision: { mode, baselineBytes: Buffer.byteLength(plain.text ?? ""), servedBytes: Buffer.byteLength(text) },
	};
}

/** The request is what was sent: what an answer says it rests on is no proof. */
const REQUEST_ONLY = new Set(["rests"]);

/**
 * Rules about the moment of an answer, which tests/history judges: when to stop saying the same and what is said before,
 * what is worth it, what its metadata names, and whether the version it names was in sight then; its lines, and the calls
 * that wrote them, must be in sight in every request.
 */
const ELSEWHERE = ["repeat", "again", "failed_edit", "cost", "wording", "pieces"];

/** hash -> bytes of every version that a read was judged by: what was seen was judged. */
const contents = new Map();

/** [[rule, why, belief?]] of one text, if the file had these BYTES. */
function judgeText(text, ask, bytes, { events, details, ledger, policy }) {
	if (bytes === undefined) return [["plain", "there is no such file"]];
	if (kindOf(bytes) !== "text") {
		const host = contentText(hostResult({ name: ask.name, bytes }, ask).content);
		const right = kindOf(bytes) === "image" ? text.startsWith("Read image file") : text === host;
		return right ? [] : [["plain", `the host's own read of such a file is ${JSON.stringify(host.slice(0, 200))}`]];
	}
	const plain = plainRead(bytes.toString("utf8"), ask);
	const real = ledger.real(ask.name);
	const still = (name) => ledger.real(name) === real;
	const file = { name: ask.name, real, bytes, hash: sha256(bytes), contents, still };
	contents.set(file.hash, bytes);
	const response = responseFor(text, details, plain);
	const { wrong } = judge({ ask, file, response, events, policy, relax: REQUEST_ONLY, beside: {} });
	const others = details?.readcache ? ELSEWHERE : [...ELSEWHERE, "metadata"];
	return wrong.filter(([rule]) => !others.includes(rule));
}

/** The file after an edit of the model's: by what it CALLED, of which the request may say less. */
const afterwards = ({ before }, called) =>
	changeBy(called)?.apply(before === undefined ? undefined : Buffer.from(before))?.toString();

function describe({ number, id, ask, text, wrong }) {
	const lines = [
		`request ${number}: the answer to ${id}, read ${JSON.stringify({ ...ask, name: undefined })}, is not supported`,
	];
	lines.push(`  it is ${JSON.stringify(text.length > 400 ? `${text.slice(0, 300)}...${text.slice(-80)}` : text)}`);
	for (const [rule, why, belief] of wrong) {
		lines.push(`  ${rule}: ${why}`);
		if (belief) lines.push("  what the model can know from the texts before it:", belief.describe());
	}
	return lines.join("\n");
}

/** A read's answer as the model sees it, in the form the mind takes. */
function viewOf(ask, text, bytes, { altered, ledger }) {
	const what = `read ${JSON.stringify({ ...ask, name: undefined })}`;
	const call = { ...ask, what, real: ledger.real(ask.name) };
	// Of an image, or of another extension's text, nothing is known any more.
	if (altered || kindOf(bytes) === "image") return { view: { call, text, image: true } };
	return { view: { call: { ...call, hash: sha256(bytes) }, text, image: false } };
}

/**
 * The oracle of one world. A request mostly begins as the one before it did: of that part the verdicts stay.
 * The scene of a request:
 *   calls       call id -> {sentAt, answeredAt, cwd, sequential?, versions?, pending?, named?}, of the provider and of siblings.mjs
 *   ledger      the file versions
 *   details     call id -> {text, details} as the host stored them
 *   foreign     patterns of texts that other extensions put in place of an answer
 *   off         we are not there: nobody mends what was said before
 *   policy      the engine's
 *   lost        may a text be gone from the store that served a call? (id) => boolean
 *   number      of the request, for the report
 */
export class Oracle {
	#steps = []; // of the latest request: {said, events, batch, verdict}; as many events as there were before it
	#asks = new Map();
	#events = [];
	#batch = 0; // how many events were there before the latest assistant message
	#repairs = new Map(); // call id -> the text that was sent in place of its compact answer
	#moves;
	/** The system prompt, and the first thing said: the summary after a compaction. */
	#opening;

	/**
	 * Judge REQUEST (OpenAI messages). MOVES says whether something else than a prompt was done since: what was repaired
	 * before must still be what it was, if nothing was, and if the host has not compacted the session by itself. Gives {reports: one for every unsupported answer, and how many
	 * are compact, repaired, needless: repaired though the compact answer would be supported, and gone}.
	 */
	examine(request, scene, moves = 0) {
		const opening = JSON.stringify(request.messages.slice(0, 2));
		if (moves !== this.#moves || opening !== this.#opening) this.#repairs.clear();
		this.#moves = moves;
		this.#opening = opening;
		this.#rewind(request.messages);
		for (const message of request.messages.slice(this.#steps.length)) this.#take(message, scene);
		const verdicts = this.#steps.flatMap(({ verdict }) => verdict ?? []);
		const found = (kind) => verdicts.filter((verdict) => verdict.kind === kind).length;
		const reports = verdicts.flatMap((verdict) => this.#report(verdict, scene));
		const needless = verdicts.filter((verdict) => verdict.needless).length;
		return { reports, compact: found("compact"), repaired: found("repaired"), needless, gone: found("gone") };
	}

	#report(verdict, scene) {
		const { id, kind, text } = verdict;
		// A session that goes on without us is sent as it is; nothing of that is our word.
		if (scene.off && (kind === "compact" || kind === "gone")) return [];
		const wrong = [...verdict.wrong, ...this.#stable(id, kind, text)];
		return wrong.length > 0 ? [describe({ ...verdict, wrong, number: scene.number })] : [];
	}

	/** Once repaired, the same bytes from then on. */
	#stable(id, kind, text) {
		const before = this.#repairs.get(id);
		if (kind === "repaired") this.#repairs.set(id, text);
		if (before === undefined || before === text || !["compact", "repaired", "gone"].includes(kind)) return [];
		return [["stable", `the request before had ${JSON.stringify(before.slice(0, 200))} there`]];
	}

	/** Go back to where MESSAGES leave those of the latest request. */
	#rewind(messages) {
		const other = this.#steps.findIndex(({ said }, i) => i >= messages.length || said !== JSON.stringify(messages[i]));
		if (other === -1) return;
		({ events: this.#events.length, batch: this.#batch } = this.#steps[other]);
		this.#steps.length = other;
	}

	#take(message, scene) {
		const calls = (message.tool_calls ?? []).map(({ id }) => id);
		const step = { said: JSON.stringify(message), calls, events: this.#events.length, batch: this.#batch };
		this.#steps.push(step);
		if (message.tool_calls) this.#call(message, scene);
		const call = message.role === "tool" ? this.#asks.get(message.tool_call_id) : undefined;
		const text = withoutNote(toolText(message.content));
		if (call?.ask) step.verdict = this.#answer(message.tool_call_id, call.ask, text, scene);
		if (call?.changes && SUCCESS.test(text)) this.#events.push({ own: this.#ownOf(message.tool_call_id, call, scene) });
	}

	/** What the model knows of its own edit: what it said, and the file before that, where the calls beside it tell it. */
	#ownOf(id, { changes: name, tool, args }, { calls, ledger }) {
		const beside = this.#events.slice(this.#batch).findLast(({ own }) => own && ledger.real(own.name) === ledger.real(name));
		const { sentAt = 0 } = calls.get(id) ?? {};
		const before = beside ? afterwards(beside.own, calls.get(beside.own.id)) : ledger.between(name, sentAt, sentAt)[0]?.toString();
		const twice = this.#steps.flatMap((step) => step.calls).filter((one) => one === id).length > 1;
		return { id, name, tool, args, before, twice, hidden: false };
	}

	#call(message, { calls, ledger }) {
		this.#batch = this.#events.length;
		for (const { id, function: call } of message.tool_calls) {
			const [args, cwd] = [JSON.parse(call.arguments), calls.get(id)?.cwd ?? ledger.cwd];
			if (call.name === "read") this.#asks.set(id, { ask: asked(args, cwd, ledger) });
			if (["edit", "write"].includes(call.name)) this.#asks.set(id, { changes: resolve(cwd, args.path), tool: call.name, args });
		}
	}

	/** {id, ask, text, kind, wrong} of an answer; undefined where there is none. */
	#answer(id, ask, text, scene) {
		const { foreign = [], ledger, details, lost = () => false } = scene;
		if (TAKEN.test(text) || NOTHING.some((pattern) => pattern.test(text))) return undefined;
		if (foreign.some((pattern) => pattern.test(text))) {
			this.#events.push(viewOf(ask, text, undefined, { altered: true, ledger }));
			return undefined;
		}
		const stored = details?.get(id);
		const wasCompact = stored !== undefined && parseCompact(stored.text) !== undefined;
		if (GONE.test(text)) {
			// Without its metadata nobody knows what it stood for.
			const mayBe = wasCompact && (lost(id) || stored.details?.readcache === undefined);
			const wrong = mayBe ? [] : [["gone", "nothing was lost"]];
			return { id, ask, text, kind: "gone", wrong };
		}
		const { bytes, wrong, plain } = this.#best(id, ask, text, scene);
		const needless = wasCompact && text !== stored.text && this.#best(id, ask, stored.text, scene).wrong.length === 0;
		if (bytes !== undefined) this.#events.push(viewOf(ask, text, bytes, { ledger }));
		const kind = !plain && parseCompact(text) ? "compact" : wasCompact && text !== stored.text ? "repaired" : "text";
		// Somebody may write into the session's memory; the host sends what it had.
		if (kind === "text" && stored !== undefined && stored.text !== text && !TAKEN.test(stored.text))
			wrong.push(["session", `the session says ${JSON.stringify(stored.text.slice(0, 200))}`]);
		return { id, ask, text, kind, needless, wrong: [...wrong, ...this.#besideChanges(id, kind, stored, scene)] };
	}

	/** T14: nothing compact beside a call that changes the file; beside one that says so, the host's own read. */
	#besideChanges(id, kind, stored, { calls }) {
		const { pending, named } = calls.get(id) ?? {};
		if (pending && kind === "compact") return [["sibling", "a call beside it changes the file"]];
		if (!named || !stored?.details?.readcache) return [];
		return [["sibling", "it has metadata, and a call beside it says that it changes the file"]];
	}

	/** The first version and context by which the answer is right; else what is wrong by the first ones. */
	#best(id, ask, text, { details, calls, ledger, policy }) {
		const stored = details?.get(id);
		const known = stored?.text === text ? stored.details : undefined;
		const { sentAt = 0, answeredAt = Infinity, versions, sequential } = calls.get(id) ?? {};
		// A call that runs beside others answers to what was there before them all.
		const contexts = sequential ? [this.#events] : [this.#events, this.#events.slice(0, this.#batch)];
		let first;
		for (const bytes of versions ?? ledger.between(ask.name, sentAt, answeredAt)) {
			const plain = bytes !== undefined && text === plainRead(bytes.toString("utf8"), ask).text;
			for (const events of contexts) {
				const wrong = judgeText(text, ask, bytes, { events, details: known, ledger, policy });
				if (wrong.length === 0) return { bytes, wrong, plain };
				first ??= { bytes, wrong, plain };
			}
		}
		return first;
	}
}
