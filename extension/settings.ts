/**
 * What the user has set: environment variables first, then the user's own file,
 * $XDG_CONFIG_HOME/readcache/config.json. A project's files are not looked at: a cloned repository must not decide
 * which program runs.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** serve: one helper process per session; oneshot: one per call; off: as if not installed. */
export type Mode = "serve" | "oneshot" | "off";

/** override: our own read tool; tool_result: somebody else's read, whose result may be made shorter. */
export type Binding = "override" | "tool_result";

export interface Settings {
	mode: Mode;
	binding: Binding;
	/** The executable to use, and no other; undefined: search. */
	executable: string | undefined;
	timeoutMs: number;
	/** How long the engine is left alone after it failed twice in a row. */
	pauseMs: number;
	/** What was set but not understood, a sentence each. */
	problems: string[];
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_PAUSE_MS = 60_000;
/** setTimeout's own limit. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

type Env = Record<string, string | undefined>;

function configFile(env: Env): string {
	const base = env.XDG_CONFIG_HOME;
	return join(base && isAbsolute(base) ? base : join(homedir(), ".config"), "readcache", "config.json");
}

function userConfig(env: Env, problems: string[]): Record<string, unknown> {
	const file = configFile(env);
	let text: string;
	try {
		text = readFileSync(file, "utf8");
	} catch {
		return {}; // there need not be one
	}
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as never;
	} catch {}
	problems.push(`${file} is no JSON object and is not used.`);
	return {};
}

/** One of `allowed`, the first of them if nothing is set. */
function choose<T extends string>(name: string, value: unknown, allowed: readonly T[], problems: string[]): T {
	if (value === undefined || value === "") return allowed[0]!;
	const found = allowed.find((one) => one === value);
	if (found !== undefined) return found;
	problems.push(`${name} is ${JSON.stringify(value)}, but must be one of ${allowed.join(", ")}.`);
	return allowed[0]!;
}

function milliseconds(name: string, value: string | undefined, otherwise: number, problems: string[]): number {
	if (value === undefined || value === "") return otherwise;
	const ms = Number(value);
	if (Number.isInteger(ms) && ms >= 1 && ms <= MAX_TIMEOUT_MS) return ms;
	problems.push(`${name} is ${JSON.stringify(value)}, but must be a number of milliseconds.`);
	return otherwise;
}

export function readSettings(env: Env): Settings {
	const problems: string[] = [];
	const mode = choose<Mode>("READCACHE_MODE", env.READCACHE_MODE, ["serve", "oneshot", "off"], problems);
	const bind = env.READCACHE_BIND || userConfig(env, problems).bind;
	return {
		mode,
		binding: choose<Binding>("The setting bind", bind, ["override", "tool_result"], problems),
		executable: env.READCACHE_BIN || undefined,
		timeoutMs: milliseconds("READCACHE_TIMEOUT_MS", env.READCACHE_TIMEOUT_MS, DEFAULT_TIMEOUT_MS, problems),
		pauseMs: milliseconds("READCACHE_PAUSE_MS", env.READCACHE_PAUSE_MS, DEFAULT_PAUSE_MS, problems),
		problems,
	};
}
