/** The read tool: the host's own, with the engine asked first. */
import type { ExtensionContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { createReadToolDefinition, getAgentDir, SettingsManager } from "@earendil-works/pi-coding-agent";
import type { Text } from "@earendil-works/pi-tui";
import { issuedByModel } from "./branch.ts";
import type { Engine } from "./engine.ts";
import { rowText } from "./figures.ts";
import type { Answer, ReadParams } from "./protocol.ts";

type HostRead = ReturnType<typeof createReadToolDefinition>;
type Result = Awaited<ReturnType<HostRead["execute"]>>;

/** Errors that are no answer to the read, only to the question. */
const OUR_ERRORS = new Set(["bad_request", "too_large", "out_of_memory", "unknown_leaf"]);

/** The host makes its own tool with this setting; so must we. */
function autoResizeImages(ctx: ExtensionContext): boolean {
	try {
		const options = { projectTrusted: ctx.isProjectTrusted() };
		return SettingsManager.create(ctx.cwd, getAgentDir(), options).getImageAutoResize();
	} catch {
		return true; // the host's default
	}
}

/** Can JSON say these arguments? NaN and infinity would silently be left out. */
function canBeAsked({ path, offset, limit }: ReadParams): boolean {
	const isPlain = (n: unknown) => n === undefined || (typeof n === "number" && Number.isFinite(n));
	return typeof path === "string" && isPlain(offset) && isPlain(limit);
}

export function makeRead(engine: Engine, ctx: ExtensionContext): ToolDefinition {
	const host = createReadToolDefinition(ctx.cwd, { autoResizeImages: autoResizeImages(ctx) });

	const result = (text: string, details: unknown): Result => ({
		content: [{ type: "text", text }],
		details: details as Result["details"],
		// Newer hosts give programs the text itself.
		...("outputSchema" in host ? { structuredContent: text } : {}),
	});

	const execute: HostRead["execute"] = async (id, params, signal, onUpdate, now) => {
		const hostRead = (what: ReadParams = params) => host.execute(id, what, signal, onUpdate, now);
		if (!canBeAsked(params) || !issuedByModel(now.sessionManager, id)) return hostRead();
		let answer: Answer;
		try {
			const { path, offset, limit } = params;
			const request = { op: "read", cwd: now.cwd, toolCallId: id, params: { path, offset, limit } } as const;
			answer = await engine.ask(request, now, signal);
		} catch {
			return hostRead(); // aborted: it says so itself
		}
		if (signal?.aborted) throw new Error("Operation aborted");
		if (answer.kind === "read") return result(answer.text, answer.details);
		if (answer.kind === "error" && !OUR_ERRORS.has(answer.code)) throw new Error(answer.message);
		return hostRead(answer.kind === "delegate" ? answer.params : undefined);
	};

	const renderResult: HostRead["renderResult"] = (shown, options, theme, context) => {
		const component = host.renderResult!(shown, options, theme, context);
		const block = shown.content[0];
		const row = block?.type === "text" ? rowText(shown.details, block.text) : undefined;
		if (row !== undefined && !options.expanded && !context.isError)
			(component as Partial<Text>).setText?.(`\n${theme.fg("muted", row)}`);
		return component;
	};

	return { ...host, execute, renderResult } as ToolDefinition;
}
