// One history: a workspace, its sessions, and reads that are judged as they come.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, oneshot } from "../lib/engine.mjs";
import { Session } from "../lib/session.mjs";
import { ACTIONS } from "./actions.mjs";
import { besideOf } from "./beside.mjs";
import { Bill } from "./bill.mjs";
import { Expansions } from "./expand.mjs";
import { textOf, visible } from "./mind.mjs";
import { judge } from "./oracle.mjs";
import { directories, dirsField } from "./places.mjs";
import { hostResult } from "./plain.mjs";
import { describe, Unsupported } from "./report.mjs";
import { Rng, mix } from "./rng.mjs";
import { requestLine, Sent, sessionText, WAYS } from "./wire.mjs";
import { World } from "./world.mjs";

/** The list of actions of a history. Each has its own seed, so that a list with some left out can be run too. */
export function plan(seed, index, weights = {}) {
	const rng = new Rng(mix(seed, index));
	const table = {};
	for (const [name, { weight }] of Object.entries(ACTIONS)) table[name] = weights[name] ?? weight;
	// Every history has its own bent, so that rare things meet each other.
	const names = Object.keys(table);
	for (let n = rng.below(4); n > 0; n--) table[rng.pick(names)] += rng.from(3, 12);
	return Array.from({ length: rng.from(30, 150) }, () => ({ name: rng.weighted(table), seed: rng.bits() }));
}

/** The directories as they were told in the JSON text of a session. */
const dirsOf = (session) => /"dirs":\[[^\]]*\],/.exec(session)?.[0];

/** From the one that knows least. */
export const POLICIES = ["strict", "coverage", "pieces"];

/** The way out is said; and that edits are in place may be longer than a small diff of them. */
const PIECES_SPARE = 200;

/** Why coverage may give a text where strict does not. */
const MAY_COST_MORE = ["refreshed", "repeat", "failed_edit", "own_edit"];

export class History {
	constructor({ seed, index, engine, stats, relax, policy = "strict", empty }) {
		const rng = new Rng(mix(seed, index) ^ 0x5bd1e995);
		Object.assign(this, { engine, stats, relax, seed, index, policy });
		this.dir = realpathSync(mkdtempSync(join(tmpdir(), "readcache-history-")));
		this.world = new World(rng, this.dir, empty);
		this.way = rng.pick(WAYS);
		this.slim = !this.way.startsWith("file") && rng.chance(0.3); // the host checks the texts and leaves them out
		this.store = rng.chance(0.5) ? join(this.dir, "store") : undefined;
		this.session = Object.assign(new Session(), { cwd: this.world.cwd });
		this.bill = new Bill(rng);
		this.losses = []; // {witness, dropped, reference}, see mind.mjs
		this.sessions = [this.session];
		this.sent = new Map(); // session -> what the engine was sent of it
		this.calls = new Map(); // toolCallId -> what was asked, of which file and version
		this.refused = new Map(); // toolCallId of an edit that was refused -> the file's name
		this.done = new Map(); // the same of one that was done
		this.befores = new Map(); // toolCallId of an own change -> {real, before: what the file was}
		this.siblings = new Map(); // toolCallId of any other call -> {tool, target}
		this.live = new Set(); // the ids of those that the host is at work on
		this.expansions = new Expansions(this);
		this.stripped = new WeakSet(); // results without textHash
		this.pending = []; // results of a batch, not yet on the branch
		this.recent = [];
		this.log = [];
		this.count = 0;
		this.step = 0;
	}

	/** Run ACTIONS in order; throws Unsupported. */
	run(actions) {
		return this.play(async () => {
			for (const action of actions) {
				this.step++;
				const said = await ACTIONS[action.name].run(this, new Rng(action.seed));
				this.say(`${action.name}: ${said}`);
				this.stats?.action(action.name);
			}
		});
	}

	/** Run a SCRIPT in the workspace, which is gone afterwards. */
	async play(script) {
		try {
			this.session.user("go");
			await script(this);
			this.step++;
			await this.expansions.checkAll();
		} finally {
			rmSync(this.dir, { recursive: true, force: true });
		}
	}

	say(text) {
		this.log.push(`${String(this.step).padStart(4)} ${text}`);
	}

	storeDir() {
		return this.store ?? join(this.world.cwd, ".pi/readcache");
	}

	sessionFile() {
		return join(this.dir, `session-${this.sessions.indexOf(this.session)}.jsonl`);
	}

	/** The fields that every request of this history has. */
	fields(op, ask) {
		return { id: this.step, op, cwd: this.world.cwd, store: this.store, params: ask.params };
	}

	/** Go on with SESSION, in its directory. */
	enter(session) {
		this.session = session;
		this.world.enter(session.cwd);
	}

	#checked() {
		return this.slim ? (entry) => this.isIntact(entry) : () => false;
	}

	#session(ask, rng) {
		const checked = this.#checked();
		const sent = this.#sentOf(this.session);
		const how = ask.blind && this.way === "after" ? "branch" : this.way;
		const dirs = dirsField(this.session, rng);
		const whole = () => sessionText(this.session, { how, file: this.sessionFile(), checked, sent, dirs }, rng);
		if (!ask.blind) return whole();
		if (ask.blind === "none") return undefined;
		if (ask.blind === "leaf") return sessionText({ ...this.session, branch: () => this.session.entries, leafId: "nobody" }, { how: "all", checked }, rng);
		return whole().replace(/,?"leafId":("[^"]*"|null)/, "").replace(/"file":"[^"]*"/, '"file":"/nowhere/at-all"');
	}

	/** What the engine was sent of SESSION; a fork is another one. */
	#sentOf(session) {
		if (!this.sent.has(session)) this.sent.set(session, new Sent(`${this.dir} ${this.sent.size}`));
		return this.sent.get(session);
	}

	/** Ask the engine; what it does not remember is sent as a whole. */
	async #answer(fields, session) {
		const response = JSON.parse(await this.engine.settled(requestLine(fields, session)));
		const sent = this.#sentOf(this.session);
		if (!session?.startsWith(`{"id":${JSON.stringify(sent.id)}`)) return response;
		if (response.error?.code !== "unknown_leaf") {
			this.stats?.sent(session.includes('"after":'));
			sent.taken(this.session);
			return response;
		}
		return this.#answer(fields, sent.whole(this.session, { checked: this.#checked(), dirs: dirsOf(session) }));
	}

	/** Ask for something that needs no session: the whole of it goes along, and is known from then on. */
	tell(op, ask, rng) {
		const about = { checked: this.#checked(), dirs: dirsField(this.session, rng) };
		const session = this.way === "after" ? this.#sentOf(this.session).whole(this.session, about) : this.#session(ask, rng);
		return this.#answer(this.fields(op, ask), session);
	}

	/** A process that remembers nothing gives the same answer to the same question. */
	#forgetful(fields, session, response, about) {
		if (!(this.engine instanceof Engine)) return;
		const how = { checked: this.#checked(), dirs: dirsOf(session) };
		const whole = session?.includes('"after":') ? this.#sentOf(this.session).whole(this.session, how) : session;
		const fresh = oneshot(requestLine(fields, whole)).response;
		this.stats?.recheck();
		const said = ({ decision, delegate, error, result }) => JSON.stringify([decision, delegate, error, result?.content, result?.details?.readcache]);
		if (said(fresh) !== said(response)) {
			const why = `a process that remembers nothing says ${said(fresh).slice(0, 400)} (${this.way}${this.slim ? ", slim" : ""})`;
			throw new Unsupported({ wrong: [["memory", why]], ...about, response, history: this });
		}
	}

	/** Send one read and judge the answer. ASK is made by actions.mjs; gives {callId, response}. */
	async ask(ask, rng, { callId = this.newCall(), overlay } = {}) {
		const dirs = directories(this.session);
		const file = { ...this.world.look(ask.name), badRange: ask.badRange, roaming: dirs.length > 1, adrift: dirs.includes(null) };
		const fields = { ...this.fields("read", ask), toolCallId: callId, nested: ask.nested, overlay };
		const events = visible({ ...this, leafId: this.session.leafId });
		const session = this.#session(ask, rng);
		const beside = this.#beside(file, callId);
		const judged = async (policy) => {
			const response = await this.#answer({ ...fields, policy }, session);
			if (this.count % 5 === 0) this.#forgetful({ ...fields, policy }, session, response, { ask, file, policy });
			return { response, ...judge({ ask, file, response, events, relax: this.relax, policy, beside }) };
		};
		const verdict = await judged(this.policy);
		const { rests, calls: owns, pieces } = verdict.response.result?.details?.readcache ?? {};
		this.calls.set(callId, { ...ask, name: file.name, real: file.real, hash: file.hash, rests, owns, pieces, plain: verdict.plain, what: `${callId} (${describe(ask)})` });
		this.stats?.read(verdict);
		const outcome = `${verdict.mode}${verdict.reason ? ` (${verdict.reason})` : ""}`;
		this.say(`  ${callId} ${describe(ask)} -> ${outcome}`);
		this.#demand(verdict, { ask, file, events, beside, policy: this.policy });
		if (verdict.compact) await this.expansions.add(verdict, { ask, file, rng });
		if (this.count % 3 === 0) await this.#compare(verdict, judged, { ask, file, events, beside });
		return { callId, response: verdict.response, file };
	}

	#beside(file, own) {
		const { siblings, live, session } = this;
		return besideOf({ session, own, name: file.name, siblings, live, roaming: file.roaming });
	}

	#demand(verdict, about) {
		if (verdict.wrong.length > 0) throw new Unsupported({ ...verdict, ...about, history: this });
	}

	/**
	 * The same request under another policy that the engine knows: its answer must be proven too, and the policy that knows
	 * more never costs more.
	 */
	async #compare(verdict, judged, about) {
		const others = (this.engine.policies ?? POLICIES).filter((one) => one !== this.policy);
		const policy = others[Math.floor(this.count / 3) % others.length];
		const other = await judged(policy);
		this.stats?.compared(other);
		this.#demand(other, { ...about, policy });
		const both = [{ policy: this.policy, ...verdict }, { policy, ...other }];
		const [less, more] = both.sort((a, b) => POLICIES.indexOf(a.policy) - POLICIES.indexOf(b.policy));
		const spare = more.policy === "pieces" ? PIECES_SPARE : 0;
		// Where an own change may be undone a diff would not say so (SPEC.md 8, T13): pieces do, and may be longer.
		if (more.reason === "pieces" && less.mode === "diff" && about.events.some(({ own }) => own)) return;
		if (more.bytes <= less.bytes + spare || MAY_COST_MORE.includes(more.reason) || more.bytes === undefined || less.bytes === undefined) return;
		const why = `${more.mode} (${more.reason}) has ${more.bytes} bytes, ${less.policy} ${less.mode} (${less.reason}) ${less.bytes}`;
		this.#demand({ ...more, wrong: [["cost", why]] }, { ...about, policy: more.policy });
	}

	newCall() {
		return `c${++this.count}`;
	}

	/** The message a host stores for an answer; a delegated read it does itself. */
	outcome({ response, file }, ask) {
		if (response.result) return { result: response.result };
		const own = response.delegate ? hostResult(file, response.delegate.params ?? ask.params) : { error: response.error.message };
		if (own.error) return { result: { content: [{ type: "text", text: own.error }], details: {} }, isError: true };
		return { result: own };
	}

	append(callId, { result, isError = false }) {
		Object.assign(this.calls.get(callId), { delivered: textOf(result.content), bare: !result.details?.readcache });
		return this.session.result(result, callId, { isError });
	}

	/** A message of the model with these blocks; BILLED are the fields that say what it cost. */
	assistant(content, rng, { stopReason = "toolUse", ...billed } = this.bill.next(this, rng)) {
		return this.session.append({ type: "message", message: { role: "assistant", content, ...billed, stopReason } });
	}

	/** A read as the model does it: the call, the answer, the stored result. */
	async read(ask, rng, callId = this.newCall(), billed = undefined) {
		this.assistant([{ type: "toolCall", id: callId, name: "read", arguments: ask.params }], rng, billed);
		const answer = await this.ask(ask, rng, { callId });
		if (answer.response.result && !ask.bypass) this.recent = [ask, ...this.recent].slice(0, 5);
		return this.append(callId, this.outcome(answer, ask));
	}

	/** The model's call of "edit", of the file NAME by PATH, and what came of it. */
	edit(name, path, isError, rng) {
		const callId = this.newCall();
		this.assistant([{ type: "toolCall", id: callId, name: "edit", arguments: { path, edits: [{ oldText: "a", newText: "b" }] } }], rng);
		const text = isError ? `Could not find the exact text in ${path}.` : `Successfully replaced 1 block(s) in ${path}.`;
		return this.changed(callId, { tool: "edit", target: join(this.world.cwd, name), isError, text });
	}

	/** The result of an edit or a write of TARGET, which is its absolute path. */
	changed(callId, { tool, target, isError, text }) {
		if (!isError) this.done.set(callId, target);
		else if (tool === "edit" && target) this.refused.set(callId, target);
		return this.session.result({ content: [{ type: "text", text }], details: {} }, callId, { toolName: tool, isError });
	}

	/** An entry is never changed in place: forks share it. */
	replace(entry, changed) {
		this.session.entries[this.session.entries.indexOf(entry)] = changed;
		if (this.stripped.has(entry)) this.stripped.add(changed);
		return changed;
	}

	/** Has somebody else put another text in the place of the one delivered? */
	isAltered({ message }) {
		return textOf(message.content) !== this.calls.get(message.toolCallId).delivered;
	}

	isIntact(entry) {
		const { message } = entry;
		const known = message?.details?.readcache?.textHash && this.calls.has(message.toolCallId);
		return known !== undefined && known && !this.isAltered(entry);
	}

	/** Successful read results of this session, newest last. */
	results(entries = this.session.entries) {
		const isRead = ({ message }) => message?.role === "toolResult" && message.toolName === "read" && !message.isError;
		return entries.filter((entry) => isRead(entry) && this.calls.has(entry.message.toolCallId));
	}

	/** The results of the model's own edits and writes of real arguments. */
	ownResults(entries = this.session.entries) {
		return entries.filter(({ message }) => message?.role === "toolResult" && !message.isError && this.befores.has(message.toolCallId));
	}
}
