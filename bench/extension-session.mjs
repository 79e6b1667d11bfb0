// Sessions of the real pi in this process, with no model behind them, and reads made as its agent makes them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sdk } from "../tests/host/paths.mjs";

const work = realpathSync(mkdtempSync(join(tmpdir(), "readcache-bench-")));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
for (const name of ["agent", "home", "project"]) mkdirSync(join(work, name));
const agentDir = join(work, "agent");
const cwd = join(work, "project");
// Before pi is loaded: nothing of the user's may be seen.
const environment = { HOME: join(work, "home"), PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1", PI_TELEMETRY: "0" };
const foreign = ["XDG_CONFIG_HOME", "READCACHE_BIND", "READCACHE_MODE", "READCACHE_TIMEOUT_MS"];
Object.assign(process.env, environment);
for (const name of foreign) delete process.env[name];
const pi = await import(sdk("0.87.1"));

const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
const NOBODY = { api: "none", provider: "none", model: "none", usage: USAGE };
const ASSISTANT = { role: "assistant", ...NOBODY, stopReason: "toolUse", timestamp: 0 };

/** The file's lines; no two files of different WORDs are equal. */
export function lines(count, word) {
	return Array.from({ length: count }, (_, i) => `${word} ${i + 1} of some source text\n`);
}

export function write(name, content) {
	writeFileSync(join(cwd, name), content.join(""));
}

export class BenchSession {
	#calls = 0;

	/** A session in memory with these extensions, loaded as pi loads them. */
	static async start(...extensions) {
		const settingsManager = pi.SettingsManager.create(cwd, agentDir);
		const common = { cwd, agentDir, settingsManager };
		const resourceLoader = new pi.DefaultResourceLoader({ ...common, additionalExtensionPaths: extensions });
		await resourceLoader.reload();
		const sessionManager = pi.SessionManager.inMemory(cwd);
		const { session, extensionsResult } = await pi.createAgentSession({ ...common, resourceLoader, sessionManager });
		if (extensionsResult.errors.length > 0) throw new Error(JSON.stringify(extensionsResult.errors));
		await session.bindExtensions({ mode: "print" });
		return new BenchSession(session, sessionManager);
	}

	constructor(session, entries) {
		this.session = session;
		this.entries = entries;
		this.tool = session.agent.state.tools.find(({ name }) => name === "read");
	}

	say(text) {
		this.entries.appendMessage({ role: "user", content: [{ type: "text", text }], timestamp: 0 });
	}

	/** The assistant's message with one read call becomes the leaf; gives the call's id. */
	ask(path) {
		const id = `call-${++this.#calls}`;
		this.entries.appendMessage({ ...ASSISTANT, content: [{ type: "toolCall", id, name: "read", arguments: { path } }] });
		return id;
	}

	store(toolCallId, { content, details }) {
		const message = { role: "toolResult", toolCallId, toolName: "read", content, details, isError: false };
		this.entries.appendMessage({ ...message, timestamp: 0 });
	}

	/** A read of the model, from its call to the stored result. */
	async read(path) {
		const id = this.ask(path);
		const result = await this.tool.execute(id, { path }, undefined);
		this.store(id, result);
		return result;
	}

	/**
	 * Microseconds of one read that has to be served in MODE. Asking and storing are not in it, and at the end the
	 * branch is as before.
	 */
	async time(path, mode) {
		const leaf = this.entries.getLeafId();
		const id = this.ask(path);
		await new Promise(setImmediate); // what the call before has left to do is done now
		const start = process.hrtime.bigint();
		const result = await this.tool.execute(id, { path }, undefined);
		const us = Number(process.hrtime.bigint() - start) / 1000;
		if (leaf === null) this.entries.resetLeaf();
		else this.entries.branch(leaf);
		const got = result.details?.readcache?.mode;
		if (got !== mode) throw new Error(`not the read to measure: ${path} was served as ${got}, not as ${mode}`);
		return us;
	}

	/** What our extension does with a request: its handlers of EVENT, with the host's own context. */
	handlers(event) {
		const runner = this.session.extensionRunner;
		return runner.extensions.flatMap(({ handlers }) => handlers.get(event) ?? []).map((handler) => (value) => handler(value, runner.createContext()));
	}

	end() {
		return this.session.dispose();
	}
}
