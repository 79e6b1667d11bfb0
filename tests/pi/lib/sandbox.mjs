// A place of its own for one pi: agent directory, work, home and sessions below one temporary directory, and a clean
// environment in which nothing of the user's is seen.
import { spawn } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cli, hostDir, node22 } from "../../host/paths.mjs";
import { binary } from "../../lib/engine.mjs";
import { PATIENCE } from "../../lib/wait.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** The extension under test: READCACHE_EXTENSION, or the one of this project. */
export const extension = resolve(process.env.READCACHE_EXTENSION ?? join(here, "../../../extension"));

/** A test-only extension of tests/pi/ext. */
export const testExtension = (name) => join(here, "../ext", `${name}.ts`);

/** Nothing but what is named on the command line is loaded. */
const FLAGS = [
	"--offline",
	"--no-skills",
	"--no-prompt-templates",
	"--no-themes",
	"--no-context-files",
	"--no-extensions",
	"--provider",
	"fake",
	"--model",
	"scripted",
];

const SETTINGS = {
	defaultProvider: "fake",
	defaultModel: "scripted",
	defaultThinkingLevel: "off",
	defaultProjectTrust: "never",
	quietStartup: true,
	retry: { enabled: false },
	cacheWarming: "off",
	enableInstallTelemetry: false,
	compaction: { keepRecentTokens: 1, reserveTokens: 1000 },
};

const MODEL = {
	id: "scripted",
	name: "Scripted",
	reasoning: false,
	input: ["text", "image"],
	contextWindow: 128000,
	maxTokens: 4096,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

export class Sandbox {
	/** `baseUrl`: the provider's. `env`: additions to the environment of every pi started here. */
	constructor({ version, baseUrl, settings = {}, model = {}, env = {} }) {
		this.version = version;
		this.root = realpathSync(mkdtempSync(join(tmpdir(), "readcache-pi-")));
		for (const name of ["agent", "work", "home", "sessions", "tmp"]) mkdirSync(join(this.root, name));
		this.agent = join(this.root, "agent");
		this.work = join(this.root, "work");
		this.home = join(this.root, "home");
		this.sessions = join(this.root, "sessions");
		this.#shareCompiledExtensions();
		this.env = { ...this.#cleanEnvironment(), ...env };
		const fake = { baseUrl, api: "openai-completions", apiKey: "dummy", models: [{ ...MODEL, ...model }] };
		this.#config("models.json", { providers: { fake } });
		this.configure(settings);
	}

	/** pi's settings from its next start on. */
	configure(settings) {
		this.#config("settings.json", { ...SETTINGS, ...settings });
	}

	/** pi compiles extensions at its start and keeps them below TMPDIR: half of a start-up. */
	#shareCompiledExtensions() {
		const shared = join(hostDir(), `jiti-cache-${this.version}`);
		mkdirSync(shared, { recursive: true });
		symlinkSync(shared, join(this.root, "tmp/jiti"));
	}

	#config(name, value) {
		writeFileSync(join(this.agent, name), JSON.stringify(value, null, "\t"));
	}

	#cleanEnvironment() {
		return {
			PATH: process.env.PATH,
			TERM: "xterm-256color",
			LANG: "C.UTF-8",
			HOME: this.home,
			TMPDIR: join(this.root, "tmp"),
			// One cache for all starts: it saves a good part of pi's start-up.
			NODE_COMPILE_CACHE: join(hostDir(), "compile-cache"),
			PI_CODING_AGENT_DIR: this.agent,
			PI_CODING_AGENT_SESSION_DIR: this.sessions,
			PI_OFFLINE: "1",
			PI_TELEMETRY: "0",
			PI_SKIP_VERSION_CHECK: "1",
			READCACHE_BIN: binary(),
		};
	}

	/** The command line of pi: {command, args}. `extensions`: paths, in the order of loading. */
	command({ extensions = [], args = [] } = {}) {
		const loaded = extensions.flatMap((path) => ["-e", path]);
		return { command: node22(), args: [cli(this.version), ...FLAGS, ...loaded, ...args] };
	}

	/** Start pi; gives the child process. A value of undefined takes a variable away. */
	spawn({ extensions, args, env = {}, cwd = this.work, stdio = ["pipe", "pipe", "pipe"] } = {}) {
		const line = this.command({ extensions, args });
		const all = Object.entries({ ...this.env, ...env }).filter(([, value]) => value !== undefined);
		return spawn(line.command, line.args, { cwd, env: Object.fromEntries(all), stdio });
	}

	/** Run pi to its end (print or json mode by ARGS); gives {code, signal, stdout, stderr, pid}. */
	run({ extensions, args, env, timeout = PATIENCE } = {}) {
		const child = this.spawn({ extensions, args, env });
		const out = { stdout: [], stderr: [] };
		child.stdout.on("data", (part) => out.stdout.push(part));
		child.stderr.on("data", (part) => out.stderr.push(part));
		child.stdin.end();
		const timer = setTimeout(() => child.kill("SIGKILL"), timeout);
		return new Promise((done, reject) => {
			child.on("error", reject);
			child.on("close", (code, signal) => {
				clearTimeout(timer);
				const [stdout, stderr] = [out.stdout, out.stderr].map((parts) => Buffer.concat(parts).toString());
				done({ code, signal, stdout, stderr, pid: child.pid });
			});
		});
	}

	/** The session files, oldest first. */
	sessionFiles() {
		return readdirSync(this.sessions)
			.filter((name) => name.endsWith(".jsonl"))
			.sort()
			.map((name) => join(this.sessions, name));
	}

	/** Files of the engine's store that should be gone when nothing runs. */
	leftInStore() {
		const tmp = join(this.work, ".pi/readcache/tmp");
		return existsSync(tmp) ? readdirSync(tmp) : [];
	}

	remove() {
		rmSync(this.root, { recursive: true, force: true });
	}
}

/** The processes that PID has started and that still run: [{pid, name}]. */
export function childrenOf(pid) {
	const children = [];
	for (const entry of readdirSync("/proc")) {
		if (!/^\d+$/.test(entry)) continue;
		try {
			const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
			const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
			const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
			if (Number(parent) === pid && state !== "Z") children.push({ pid: Number(entry), name });
		} catch {
			// it ended meanwhile
		}
	}
	return children;
}

/** The processes of a sandbox, known by its directory in their environment, whoever their parent is: [{pid, name}]. */
export function processesOf(sandbox) {
	const found = [];
	for (const entry of readdirSync("/proc")) {
		if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
		try {
			if (!readFileSync(`/proc/${entry}/environ`, "latin1").includes(sandbox.root)) continue;
			found.push({ pid: Number(entry), name: readFileSync(`/proc/${entry}/comm`, "latin1").trim() });
		} catch {
			// it ended meanwhile, or is another user's
		}
	}
	return found;
}
