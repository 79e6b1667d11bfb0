// The oracle of every scenario. It looks at one provider request at a time and holds only what the texts in it can
// teach a model. A marker or a diff that those texts do not support is a lie, and so is a text that is not the file's.
import { resolve } from "node:path";
import { parseCompact } from "../../history/grammar.mjs";
import { judge, sha256 } from "../../history/oracle.mjs";
import { hostResult, kindOf, plainRead } from "../../history/plain.mjs";
import { contentText, toolText } from "./provider.mjs";

/** In place of a result: nothing is seen of the file. */
const NOTHING = [
	/^No result provided$/,
	/^Operation aborted$/,
	/^(ENOENT|EISDIR|ENOTDIR|EACCES|ELOOP): /,
	/^Offset \S+ is beyond end of file \(\d+ lines total\)$/,
	/^Invalid range/,
	/^Tool call "read" was not executed: /,
];

const SUFFIX = /^(.*):(\d+)(?:-(\d+))?$/s;

/** A call's arguments as lines of a file. The suffix counts where no file has the whole name. */
function asked({ path, offset, limit }, ledger) {
	const hit =
		offset === undefined && limit === undefined && !ledger.has(resolve(ledger.cwd, path))
			? SUFFIX.exec(path)
			: null;
	if (!hit) return { path, offset, limit, name: resolve(ledger.cwd, path) };
	const [first, last] = [Number(hit[2]), hit[3] === undefined ? undefined : Number(hit[3])];
	const name = resolve(ledger.cwd, hit[1]);
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
	const kinds = { unchanged: "unchanged", range: "unchanged_range", diff: "diff" };
	const mode = readcache?.mode ?? kinds[text === plain.text ? "" : parseCompact(text)?.kind] ?? "plain";
	return {
		ok: true,
		result: { content: [{ type: "text", text }], ...(Object.keys(filled).length > 0 ? { details: filled } : {}) },
		decision: { mode, baselineBytes: Buffer.byteLength(plain.text ?? ""), servedBytes: Buffer.byteLength(text) },
	};
}

/** hash -> bytes of every version that a read was judged by: what was seen was judged. */
const contents = new Map();

/** [[rule, why, belief?]] of one text, if the file had these BYTES. */
function judgeText(text, ask, bytes, { events, details }) {
	if (bytes === undefined) return [["plain", "there is no such file"]];
	if (kindOf(bytes) !== "text") {
		const host = contentText(hostResult(bytes, ask).content);
		const right = kindOf(bytes) === "image" ? text.startsWith("Read image file") : text === host;
		return right ? [] : [["plain", `the host's own read of such a file is ${JSON.stringify(host.slice(0, 200))}`]];
	}
	const plain = plainRead(bytes.toString("utf8"), ask);
	const file = { name: ask.name, real: ask.name, bytes, hash: sha256(bytes), contents, still: () => true };
	contents.set(file.hash, bytes);
	const { wrong } = judge({ ask, file, response: responseFor(text, details, plain), events });
	return details?.readcache ? wrong : wrong.filter(([rule]) => rule !== "metadata");
}

function describe({ number, ask, text, wrong }) {
	const lines = [
		`request ${number}: the answer to read ${JSON.stringify({ ...ask, name: undefined })} is not supported`,
	];
	lines.push(`  it is ${JSON.stringify(text.length > 400 ? `${text.slice(0, 300)}...${text.slice(-80)}` : text)}`);
	for (const [rule, why, belief] of wrong) {
		lines.push(`  ${rule}: ${why}`);
		if (belief) lines.push("  what the model can know from the texts before it:", belief.describe());
	}
	return lines.join("\n");
}

/** A read's answer as the model sees it, in the form the mind takes. */
function viewOf(ask, text, bytes, altered) {
	const call = { ...ask, what: `read ${JSON.stringify({ ...ask, name: undefined })}`, real: ask.name };
	// Of an image, or of another extension's text, nothing is known any more.
	if (altered || kindOf(bytes) === "image") return { view: { call, text, image: true } };
	return { view: { call: { ...call, hash: sha256(bytes) }, text, image: false } };
}

/** One walk over a request's messages: what the model can know at every point of it. */
class Walk {
	constructor(scene) {
		this.scene = scene;
		this.asks = new Map();
		this.events = [];
		this.batch = 0; // how many events were there before the latest assistant message
		this.messages = []; // that message and its results so far
		this.reports = [];
	}

	take(message) {
		// What an older answer rests on may be gone since.
		if (this.scene.pruned && message.role !== "tool") this.reports = [];
		if (message.tool_calls) this.#call(message);
		const ask = message.role === "tool" ? this.asks.get(message.tool_call_id) : undefined;
		if (ask) this.#answer(message.tool_call_id, ask, toolText(message.content));
		if (message.role === "tool") this.messages.push(message);
		return this;
	}

	#call(message) {
		this.batch = this.events.length;
		this.messages = [message];
		for (const { id, function: call } of message.tool_calls)
			if (call.name === "read") this.asks.set(id, asked(JSON.parse(call.arguments), this.scene.ledger));
	}

	#answer(id, ask, text) {
		const { foreign = [], ledger, calls, answeredAt = Infinity } = this.scene;
		if (foreign.some((pattern) => pattern.test(text))) return this.events.push(viewOf(ask, text, undefined, true));
		if (NOTHING.some((pattern) => pattern.test(text))) return undefined;
		const versions = ledger.between(ask.name, calls.get(id)?.sentAt ?? 0, answeredAt);
		const { bytes, wrong } = this.#best(versions, id, ask, text);
		if (wrong.length > 0) this.reports.push(describe({ number: this.scene.number, ask, text, wrong }));
		return bytes === undefined ? undefined : this.events.push(viewOf(ask, text, bytes, false));
	}

	/** The first version and context by which the answer is right; else what is wrong by the first ones. */
	#best(versions, id, ask, text) {
		const stored = this.scene.details?.get(id);
		const details = stored?.text === text ? stored.details : undefined;
		let first;
		for (const bytes of versions) {
			for (const events of this.#contexts(id)) {
				const wrong = judgeText(text, ask, bytes, { events, details });
				if (wrong.length === 0) return { bytes, wrong };
				first ??= { bytes, wrong };
			}
		}
		return first;
	}

	/**
	 * By which texts an answer may be proven. A call that runs beside others answers to what was there before them all.
	 * One that a compaction kept, while it put what it speaks of into a summary, answers to what the model saw when it
	 * made the call; that the compaction tore them apart is the host's doing.
	 */
	#contexts(id) {
		const contexts = [this.events, this.events.slice(0, this.batch)];
		const { issuedBy, summaries } = this.scene.calls.get(id) ?? {};
		if (issuedBy === undefined || summaries === (this.scene.summaries ?? summaries)) return contexts;
		const earlier = new Walk({ ...this.scene, summaries: undefined });
		for (const message of [...issuedBy.messages, ...this.messages]) earlier.take(message);
		return [...contexts, earlier.events, earlier.events.slice(0, earlier.batch)];
	}
}

/**
 * Examine REQUEST (OpenAI messages). Gives one report for every unsupported answer. The SCENE:
 *   number      of the request, for the report
 *   answeredAt  the ledger's time when the request came
 *   summaries   how many summaries had been made then
 *   calls       call id -> {sentAt, issuedBy, summaries}, of the provider
 *   ledger      the file versions
 *   details     call id -> {text, details} as the host stored them, for the metadata
 *   foreign     patterns of texts that other extensions put in place of an answer
 *   pruned      they take texts away at any time: only the latest answers are judged
 */
export function examine(request, scene) {
	const walk = new Walk(scene);
	for (const message of request.messages) walk.take(message);
	return walk.reports;
}
