// One scenario's world: provider, sandbox, files, the pi processes, and what must hold after every prompt and at the end.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCompact } from "../../history/grammar.mjs";
import { matches, same, until } from "./expect.mjs";
import { Oracle, withoutNote } from "./knowledge.mjs";
import { Ledger } from "./ledger.mjs";
import { contentText, Provider, reads, toolText } from "./provider.mjs";
import { Rpc } from "./rpc.mjs";
import { childrenOf, extension, processesOf, Sandbox, testExtension } from "./sandbox.mjs";
import { projection, readSession, toolResults } from "./sessions.mjs";
import { foresee } from "./siblings.mjs";
import { Tally } from "./tally.mjs";
import { again } from "./texts.mjs";

const DONE = { text: "Done." };

/** The engine's, where the settings name none. */
const DEFAULT_POLICY = "pieces";

/** Waits for the end of a sandbox's processes; gives the names of those that go on. */
async function stillRunning(sandbox) {
	await until(() => processesOf(sandbox).length === 0, "the helpers end").catch(() => {});
	return processesOf(sandbox).map(({ pid, name }) => `${name} (${pid})`);
}

/** The model was told something that its context does not support. */
export class Objection extends Error {}

/** STDERR: the text expected there, or a pattern. */
function endsWell(run, stderr) {
	same(run.code, 0, `pi's exit status (stderr: ${run.stderr})`);
	if (stderr instanceof RegExp) matches(run.stderr, stderr, "what pi says on stderr");
	else same(run.stderr, stderr, "what pi says on stderr");
}

export class World {
	#examined = 0;
	#inspected = 0;
	#lastEntry;
	#moves = 0; // of the user in processes that have ended
	#oracle = new Oracle();
	#stored = new Map(); // call id -> {text, details, isError}

	/** `mode`, `bind`: READCACHE_MODE and READCACHE_BIND for every pi, where the scenario does not set them. */
	static async create({ version, mode, bind, settings, model }) {
		const world = new World();
		world.provider = await new Provider({
			clock: () => world.ledger.now(),
			began: (calls, records) => world.#began(calls, records),
			ended: () => world.ledger.settle(),
		}).start();
		const env = { ...(mode ? { READCACHE_MODE: mode } : {}), ...(bind ? { READCACHE_BIND: bind } : {}) };
		world.sandbox = new Sandbox({ version, baseUrl: world.provider.baseUrl, settings, model, env });
		world.ledger = new Ledger(world.sandbox.work);
		world.version = version;
		world.policy = DEFAULT_POLICY;
		world.cwd = world.sandbox.work; // where pi runs
		world.foreign = []; // patterns of texts that test extensions put in place of an answer
		world.lost = () => false; // may the store have lost what served a call? By the call's id
		world.comparesEvery = 1; // how often the session is compared with what the provider received
		world.tally = new Tally();
		world.pi = undefined;
		return world;
	}

	/** The model's calls are on their way: what may they find? */
	#began(calls, records) {
		const { calls: found, files } = foresee(calls, this.cwd, this.ledger);
		found.forEach((what, i) => Object.assign(records[i], what, { cwd: this.cwd }));
		for (const [path, versions] of files) this.ledger.open(path, versions);
	}

	write(name, content) {
		this.ledger.write(name, content);
	}

	unlink(name) {
		this.ledger.unlink(name);
	}

	/** The engine's policy from now on. */
	choosePolicy(policy) {
		const directory = join(this.sandbox.home, ".config/readcache");
		mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, "config.json"), JSON.stringify({ policy }));
		this.policy = policy;
	}

	/** MARKER, where it comes for the second time in a row. */
	again(marker) {
		return this.policy === "pieces" ? again(marker) : marker;
	}

	/** An executable script in place of the engine; gives its path. */
	helper(name, script) {
		const path = join(this.sandbox.root, name);
		writeFileSync(path, `#!/bin/sh\n${script}\n`);
		chmodSync(path, 0o755);
		return path;
	}

	/**
	 * Extensions in order of loading: names of tests/pi/ext, and "readcache" for the one under test.
	 * Without a list: ours and the driver.
	 */
	#extensions(names = ["readcache", "driver"]) {
		return names.map((name) => (name === "readcache" ? extension : testExtension(name)));
	}

	/** Start pi in RPC mode, in the directory CWD; it becomes `world.pi`. */
	async start({ extensions, args, env, cwd = this.sandbox.work } = {}) {
		this.cwd = cwd;
		this.#withUs(extensions, env);
		this.pi = new Rpc(this.sandbox, { extensions: this.#extensions(extensions), args, env, cwd });
		await this.pi.ask("get_state");
		return this.pi;
	}

	/** Is our extension there to look at what leaves? */
	#withUs(extensions, env) {
		this.off = { ...this.sandbox.env, ...env }.READCACHE_MODE === "off" || extensions?.includes("readcache") === false;
	}

	/** Play TURNS for one message to the model; gives the texts the model then saw for their calls, in order. */
	async prompt(...turns) {
		const before = new Set(this.provider.calls.keys());
		this.provider.play(...turns, DONE);
		await this.pi.prompt("Go on.");
		await this.inspect();
		return this.#texts(before);
	}

	/** Of every call since BEFORE: its text in the first request that had one. */
	#texts(before) {
		const { answers, calls } = this.provider;
		return [...calls.keys()].filter((id) => !before.has(id)).map((id) => answers.get(id));
	}

	/** One read; gives what the model saw. */
	async read(path, range = {}) {
		const [text] = await this.prompt(reads({ path, ...range }));
		return text;
	}

	/** Several reads in one assistant message. */
	batch(...args) {
		return this.prompt(reads(...args));
	}

	/** Print (or by ARGS json) mode from start to end, one message to the model with TURNS. */
	async print(turns, { extensions, args = ["-p"], env, messages = ["Go on."], stderr = "" } = {}) {
		const before = new Set(this.provider.calls.keys());
		this.#withUs(extensions, env);
		this.provider.play(...turns, DONE);
		const run = await this.sandbox.run({
			extensions: this.#extensions(extensions),
			args: [...args, ...messages],
			env,
		});
		endsWell(run, stderr);
		this.#remember(this.sandbox.sessionFiles().flatMap(readSession));
		this.#examineRequests();
		return { ...run, texts: this.#texts(before) };
	}

	/** The entry ids of the read results on file or in memory, oldest first. */
	async results(toolName = "read") {
		const { entries } = await this.pi.ask("get_entries");
		return toolResults(entries, toolName);
	}

	/** The metadata of the latest read result. */
	async metadata() {
		return (await this.results()).at(-1).message.details?.readcache;
	}

	async sessionFile() {
		return (await this.pi.ask("get_state")).sessionFile;
	}

	/** Move in the session's tree. */
	async navigate(id, option = "") {
		const [{ message }] = await this.pi.command(`/e2e-navigate ${id} ${option}`);
		if (!message.startsWith("e2e-navigate {")) throw new Error(message);
		return JSON.parse(message.slice("e2e-navigate ".length)).leafId;
	}

	/** The helper process of the running pi; undefined when there is none. */
	helperPid() {
		return childrenOf(this.pi.pid).find(({ name }) => name === "readcache")?.pid;
	}

	#remember(entries) {
		this.#lastEntry = entries.at(-1)?.id ?? this.#lastEntry;
		for (const { message } of toolResults(entries)) {
			const text = contentText(message.content);
			this.#stored.set(message.toolCallId, { text, details: message.details, isError: message.isError });
		}
	}

	/** After a prompt: the oracle over every new request; and the session must be what the provider received. */
	async inspect() {
		const compares = ++this.#inspected % this.comparesEvery === 0;
		const { entries, leafId } = compares ? await this.pi.ask("get_entries") : await this.#newEntries();
		this.#remember(entries);
		this.#examineRequests();
		if (compares) this.#compare(await projection(this.version, entries, leafId));
	}

	/** The entries since the last ones of this session. */
	async #newEntries() {
		const { data = await this.pi.ask("get_entries") } = await this.pi.send("get_entries", { since: this.#lastEntry });
		return data;
	}

	#examineRequests() {
		const { requests, calls } = this.provider;
		const { ledger, foreign, off, lost, policy } = this;
		for (; this.#examined < requests.length; this.#examined++) {
			const number = this.#examined + 1;
			const scene = { number, calls, ledger, foreign, off, lost, policy, details: this.#stored };
			const moves = this.#moves + (this.pi?.moves ?? 0);
			const reports = this.tally.add(this.#oracle.examine(requests[this.#examined], scene, moves));
			if (reports.length > 0 && !this.tally.patient) throw new Objection(`the oracle objects:\n${reports.join("\n")}`);
		}
	}

	/**
	 * What the host says the model sees is what the provider received, but for what others change on the way, and for
	 * compact answers that were sent as their text.
	 */
	#compare(projected) {
		const received = new Map(); // by id a list, because providers may use an id again
		for (const { role, tool_call_id: id, content } of this.provider.requests.at(-1).messages)
			if (role === "tool") received.set(id, [...(received.get(id) ?? []), withoutNote(toolText(content))]);
		for (const { message } of projected) {
			const text = message.role === "toolResult" ? received.get(message.toolCallId)?.shift() : undefined;
			if (text === undefined || this.foreign.some((pattern) => pattern.test(text))) continue;
			const said = contentText(message.content);
			if (message.toolName === "read" && parseCompact(said)) continue; // the oracle has judged what was sent
			same(text, said, "the provider received what the session says");
		}
	}

	#noExtensionError(pi) {
		const errors = pi.events.filter(({ type }) => type === "extension_error");
		same(errors, [], "no extension failed");
	}

	/** End the running pi in order. `stderr` is what it may have said there. */
	async stop({ stderr = "" } = {}) {
		const { code } = await this.pi.close();
		endsWell({ code, stderr: this.pi.stderr }, stderr);
		this.#noExtensionError(this.pi);
		this.#left();
	}

	/** End the running pi as a crash would. */
	async crash() {
		await this.pi.kill();
		same(this.pi.stderr, "", "nothing on stderr before the kill");
		this.#noExtensionError(this.pi);
		this.#left();
	}

	#left() {
		this.#examineRequests();
		this.#moves += this.pi.moves + 1;
		this.pi = undefined;
	}

	/** What holds at the end of every scenario. */
	async finish() {
		if (this.pi) await this.stop();
		this.#examineRequests();
		same(this.provider.problems, [], "the provider got nothing unexpected");
		same(this.provider.left, 0, "turns that were never asked for");
		same(await stillRunning(this.sandbox), [], "helpers left running");
		same(this.sandbox.leftInStore(), [], "files left in the store's tmp");
	}

	/** End what helpers have started themselves. */
	endChildren(besides = this.pi?.pid) {
		for (const { pid } of processesOf(this.sandbox)) {
			try {
				if (pid !== besides) process.kill(pid, "SIGKILL"); // started by this world's pi
			} catch {
				// ended meanwhile
			}
		}
	}

	/** Take everything away, whatever happened. */
	async remove() {
		if (this.pi && !this.pi.ended) await this.pi.kill();
		this.endChildren(undefined);
		await this.provider.close();
		this.sandbox.remove();
	}
}
