/**
 * Binding through tool_result: somebody else's read runs, and its result is shortened if the engine can prove that it
 * delivered just what a plain read delivers now.
 */
import { hash } from "node:crypto";
import type { ExtensionContext, ToolResultEvent } from "@earendil-works/pi-coding-agent";
import { issuedByModel } from "./branch.ts";
import type { Engine } from "./engine.ts";
import { type Answer, isCompact, metadataOf, type ReadParams } from "./protocol.ts";

/** The event's changes, as far as we make any. */
export interface Changes {
	content?: { type: "text"; text: string }[];
	details: unknown;
	structuredContent?: string;
}

export async function shortenResult(
	engine: Engine,
	event: ToolResultEvent,
	ctx: ExtensionContext,
): Promise<Changes | undefined> {
	const block = event.content[0];
	const given: unknown = event.details ?? {};
	if (typeof given !== "object") return undefined; // somebody's own, which cannot carry ours
	const details = given as { readcache?: unknown; truncation?: unknown };
	if (event.toolName !== "read" || event.isError || details.readcache !== undefined) return undefined;
	if (event.content.length !== 1 || block?.type !== "text" || !issuedByModel(ctx.sessionManager, event.toolCallId))
		return undefined;
	const { path, offset, limit } = event.input as unknown as ReadParams;
	let answer: Answer;
	try {
		const delivered = hash("sha256", block.text);
		const request = { op: "read", cwd: ctx.cwd, toolCallId: event.toolCallId, delivered } as const;
		answer = await engine.ask({ ...request, params: { path, offset, limit } }, ctx, ctx.signal);
	} catch {
		return undefined;
	}
	const metadata = answer.kind === "read" ? metadataOf(answer.details) : undefined;
	if (answer.kind !== "read" || metadata === undefined) return undefined;
	if (!isCompact(metadata)) return { details: { ...details, readcache: metadata } };
	// What was cut off a text says nothing about a marker.
	const { truncation: _, ...others } = details;
	return {
		content: [{ type: "text", text: answer.text }],
		details: { ...others, readcache: metadata },
		...("structuredContent" in event ? { structuredContent: answer.text } : {}),
	};
}
