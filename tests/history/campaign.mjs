// Many histories: counted, and shortened where an answer is wrong.
import { History, plan } from "./history.mjs";
import { Unsupported } from "./report.mjs";

const COMPACT = ["unchanged", "unchanged_range", "diff"];
const MODES = ["full", ...COMPACT, "baseline_fallback", "plain", "delegate", "error"];
/** What must have occurred under the policies coverage and pieces. */
const COVER_REASONS = ["unchanged/covered", "unchanged_range/covered", "diff/changed_paged", "baseline_fallback/repeat", "baseline_fallback/failed_edit", "baseline_fallback/own_edit"];

const PIECE_REASONS = ["unchanged_range/own_text", "unchanged_range/pieces", "diff/own_text", "diff/pieces"];
const REASONS = { strict: [], coverage: COVER_REASONS, pieces: [...COVER_REASONS, ...PIECE_REASONS] };

/** The forms of SPEC.md 9, P5 by the words of a marker. */
const FORMS = { written: "P1", writtenRange: "P2", edited: "P3", editedRange: "P4", range: "P5", moved: "P6", parts: "P7" };

const LED = "own lines after a text";

/** More of what makes answers of a policy. */
const BENT = { pieces: { ownWork: 14, moving: 8, disown: 3, formatting: 6 } };

class Stats {
	constructor() {
		this.reads = 0;
		this.comparisons = 0;
		this.rechecks = 0;
		this.news = 0;
		this.expansions = { given: 0, missing: 0 };
		this.losses = 0;
		this.piecesMended = 0; // of those the ones in pieces
		this.mended = 0; // compact answers behind one that had lost what it rests on
		this.histories = 0;
		this.counts = { mode: {}, reason: {}, form: {}, action: {} };
	}

	#count(what, key) {
		this.counts[what][key] = (this.counts[what][key] ?? 0) + 1;
	}

	read({ mode, reason, compact, mended }) {
		this.reads++;
		const form = FORMS[compact?.form ?? compact?.kind];
		if (["own_text", "pieces"].includes(reason)) {
			this.#count("form", form);
			if (compact?.runs?.some(({ kind }, i, runs) => kind === "own" && runs[i - 1]?.kind === "text")) this.#count("form", LED);
			if (mended) this.piecesMended++;
		}
		if (compact?.again) this.#count("form", "again");
		if (mended) this.mended++;
		this.#count("mode", mode);
		if (reason) this.#count("reason", `${mode}/${reason}`);
	}

	/** The answer to the same request under another policy. */
	compared() {
		this.comparisons++;
	}

	/** A session was sent; NEWS: only what was new of it. */
	sent(news) {
		if (news) this.news++;
	}

	/** The same request was answered by a process that remembers nothing. */
	recheck() {
		this.rechecks++;
	}

	/** A compact answer was turned into its text, or its object was missing. */
	expanded(given) {
		this.expansions[given ? "given" : "missing"]++;
	}

	/** Texts were taken from the model without a record. */
	lost() {
		this.losses++;
	}

	action(name) {
		this.#count("action", name);
	}

	compactShare() {
		return COMPACT.reduce((sum, mode) => sum + (this.counts.mode[mode] ?? 0), 0) / Math.max(1, this.reads);
	}

	print() {
		for (const [what, counts] of Object.entries(this.counts)) {
			const list = Object.entries(counts).sort((a, b) => b[1] - a[1]);
			if (list.length > 0) console.log(`by ${what}: ${list.map(([key, n]) => `${key} ${n}`).join(", ")}`);
		}
		const where = `${this.reads} reads in ${this.histories} histories, ${this.comparisons} also under another policy`;
		console.log(`sessions continued by session.after: ${this.news}; answers compared with a process without memory: ${this.rechecks}`);
		console.log(`texts expanded: ${this.expansions.given}, missing: ${this.expansions.missing}; silent losses: ${this.losses}; compact behind a repaired answer: ${this.mended}, in pieces: ${this.piecesMended}`);
		console.log(`compact: ${(100 * this.compactShare()).toFixed(1)} % of ${where}`);
	}

	/** A run in which little is compact proves little. */
	weak(policy) {
		if (this.reads < 3000) return [];
		const reasons = REASONS[policy].filter((reason) => !this.counts.reason[reason]);
		const forms = policy === "pieces" ? ["again", LED, ...Object.values(FORMS)].filter((form) => !this.counts.form[form]) : [];
		const modes = MODES.filter((mode) => !this.counts.mode[mode]);
		const kinds = {
			"session.after": this.news,
			"a process without memory": this.rechecks,
			"an expansion": this.expansions.given,
			"a missing object": this.expansions.missing,
			"a silent loss": this.losses,
			"a repaired answer": this.mended,
			"a delegate beside a sibling": this.counts.reason["delegate/sibling"] ?? 0,
			"a text beside a sibling": this.counts.reason["baseline_fallback/sibling"] ?? 0,
		};
		const unused = Object.keys(kinds).filter((kind) => kinds[kind] === 0);
		if (policy === "pieces" && this.piecesMended === 0) unused.push("pieces behind a repaired answer");
		const never = [...modes, ...reasons, ...forms, ...unused].map((what) => `${what} never occurred`);
		return this.compactShare() < 0.15 ? [...never, "less than 15 % of the reads were compact"] : never;
	}
}

/** Run one history, a list of actions or a script; gives its violation or undefined. */
export async function attempt(settings, actions) {
	const history = new History(settings);
	try {
		await (typeof actions === "function" ? history.play(actions) : history.run(actions));
		return undefined;
	} catch (error) {
		if (error instanceof Unsupported) return error;
		error.message = `seed ${settings.seed}, history ${settings.index}: ${error.message}`;
		throw error;
	}
}

/** The shortest list of actions found that still fails by the same rule. */
export async function shrink(settings, actions, found) {
	const rules = (error) => error?.report.wrong.map(([rule]) => rule).join(" ");
	let [best, failure] = [actions.slice(0, found.report.history.step), found];
	let left = 300; // attempts: long enough for most, and an end for all
	for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
		for (let at = 0; at < best.length && left-- > 0; ) {
			const fewer = [...best.slice(0, at), ...best.slice(at + size)];
			const error = await attempt({ ...settings, stats: undefined }, fewer);
			if (rules(error) === rules(found)) [best, failure] = [fewer.slice(0, error.report.history.step), error];
			else at += size;
		}
	}
	return failure;
}

export async function runHistories({ seed, reads, jobs, history, makeEngine, onFailure, weights, relax, policy }) {
	const stats = new Stats();
	const bent = { ...BENT[policy], ...weights };
	let next = history ?? 0;
	const lane = async () => {
		const engine = makeEngine();
		while (stats.reads < reads && !(history !== undefined && next > history)) {
			const settings = { seed, index: next++, engine, stats, relax, policy };
			const actions = plan(seed, settings.index, bent);
			const error = await attempt(settings, actions);
			stats.histories++;
			if (error && (await onFailure(error, settings, actions))) break;
		}
		await engine.close();
	};
	await Promise.all(Array.from({ length: jobs }, lane));
	return stats;
}
