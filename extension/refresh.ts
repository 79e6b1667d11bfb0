/** /readcache-refresh and the tool readcache_refresh: the next read of a file, or of some lines, is served as text. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import type { Engine } from "./engine.ts";
import type { ReadParams } from "./protocol.ts";
import { tell } from "./tell.ts";

class BadArguments extends Error {}

const USAGE = "Usage: /readcache-refresh <path> [start-end]";

function range(text: string): { offset: number; limit?: number } {
	const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
	const offset = Number(first);
	const end = last === undefined ? undefined : Number(last);
	if (!(offset >= 1) || (end !== undefined && end < offset))
		throw new BadArguments(`"${text}" is no range of lines. ${USAGE}`);
	return end === undefined ? { offset } : { offset, limit: end - offset + 1 };
}

/** A quoted path, or all up to a range at the end; but what exists as it is written is a path. */
export function parseArguments(args: string, cwd: string): ReadParams {
	const text = args.trim();
	if (text === "") throw new BadArguments(USAGE);
	const quote = text[0]!;
	if (quote === '"' || quote === "'") {
		const end = text.indexOf(quote, 1);
		const path = text.slice(1, end);
		if (end < 0 || path === "") throw new BadArguments(`The quoted path has no end. ${USAGE}`);
		const rest = text.slice(end + 1).trim();
		return rest === "" ? { path } : { path, ...range(rest) };
	}
	const [, path, lines] = /^(.*\S)\s+(\d+(?:-\d+)?)$/.exec(text) ?? [];
	if (path === undefined || existsSync(resolve(cwd, text))) return { path: text };
	return { path, ...range(lines!) };
}

/** Ask for the entry and append it; what it says is for the user or the model. */
async function refresh(
	pi: ExtensionAPI,
	engine: Engine,
	params: ReadParams,
	ctx: ExtensionContext,
	signal?: AbortSignal,
): Promise<string> {
	const answer = await engine.ask({ op: "refresh", cwd: ctx.cwd, params }, ctx, signal);
	if (answer.kind === "error") throw new Error(answer.message);
	if (answer.kind !== "refresh") throw new Error("readcache gave no answer to a refresh.");
	pi.appendEntry(answer.entry.customType, answer.entry.data);
	return answer.text;
}

export async function refreshCommand(pi: ExtensionAPI, engine: Engine, args: string, ctx: ExtensionContext) {
	try {
		tell(ctx, await refresh(pi, engine, parseArguments(args, ctx.cwd), ctx));
	} catch (error) {
		tell(ctx, `readcache: nothing was refreshed. ${error instanceof Error ? error.message : error}`, "error");
	}
}

const parameters = Type.Object({
	path: Type.String({ description: "Path to the file" }),
	offset: Type.Optional(Type.Number({ description: "First line (1-indexed)" })),
	limit: Type.Optional(Type.Number({ description: "Number of lines" })),
});

const NAME = "readcache_refresh";

/** The tool is offered where `read` is, and nowhere else: what it promises is about the next read. */
export class Offer {
	#isWithdrawn = false;

	constructor(private readonly pi: ExtensionAPI) {}

	/** The host's tools may have changed. */
	follow(): void {
		const active = this.pi.getActiveTools();
		const isOffered = active.includes(NAME);
		if (active.includes("read") === isOffered) return;
		if (isOffered) this.pi.setActiveTools(active.filter((name) => name !== NAME));
		else if (this.#isWithdrawn) this.pi.setActiveTools([...active, NAME]);
		this.#isWithdrawn = isOffered;
	}
}

export function makeRefreshTool(pi: ExtensionAPI, engine: Engine): ToolDefinition {
	const tool: ToolDefinition<typeof parameters> = {
		name: NAME,
		label: "readcache refresh",
		description: "Make the next read of a file return its full text instead of an unchanged marker or a diff.",
		parameters,
		// A read in the same batch must come after it, or it would not know.
		executionMode: "sequential",
		async execute(_id, params, signal, _onUpdate, ctx) {
			const { path, offset, limit } = params;
			const text = await refresh(pi, engine, { path, offset, limit }, ctx, signal);
			return { content: [{ type: "text", text }], details: undefined };
		},
	};
	return tool as ToolDefinition;
}
