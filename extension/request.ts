/**
 * The results of `read` in a request that is about to leave: as messages of the host, and as what a provider's own
 * format makes of them.
 */
import { metadataOf, type Metadata } from "./protocol.ts";

/** A read result with metadata, as it stands in a request. */
export interface Delivered {
	callId: string;
	text: string;
	meta: Metadata;
}

interface Block {
	type?: unknown;
	text?: unknown;
}

interface Message {
	role?: unknown;
	toolName?: unknown;
	toolCallId?: unknown;
	content?: unknown;
	details?: unknown;
}

/** Is this a result of `read`? Most messages are not, and need no closer look. */
export function isReadResult(message: unknown): message is Message {
	const { role, toolName } = message as Message;
	return role === "toolResult" && toolName === "read";
}

/** The text of content that is one text and nothing else. */
export function onlyText(content: unknown): string | undefined {
	if (!Array.isArray(content) || content.length !== 1) return undefined;
	const { type, text } = (content[0] ?? {}) as Block;
	return type === "text" && typeof text === "string" ? text : undefined;
}

/** undefined for a result that carries no metadata, or is not one text. */
export function deliveredBy({ toolCallId, content, details }: Message): Delivered | undefined {
	const meta = metadataOf(details);
	const text = meta && onlyText(content);
	return text === undefined ? undefined : { callId: String(toolCallId), text, meta: meta! };
}

type Item = Record<string, unknown>;

/** The text of a tool result in a provider's format: a string, or one block of text. */
function textOf(content: unknown): string | undefined {
	return typeof content === "string" ? content : onlyText(content);
}

/**
 * Call `at` for the tool results of a payload, in order; it says whether to go on. False if it said no, or if the
 * payload is in a format that is not known here.
 */
export function eachResult(payload: unknown, at: (callId: unknown, text: string | undefined) => boolean): boolean {
	const { messages, input } = (payload ?? {}) as Item;
	const items = Array.isArray(messages) ? messages : input;
	if (!Array.isArray(items)) return false;
	for (const item of items as Item[]) {
		if (item.role === "tool") {
			if (!at(item.tool_call_id, textOf(item.content))) return false; // chat completions
		} else if (item.type === "function_call_output") {
			if (!at(item.call_id, textOf(item.output))) return false; // responses
		} else if (item.role === "user" && Array.isArray(item.content)) {
			for (const block of item.content as Item[])
				if (block?.type === "tool_result" && !at(block.tool_use_id, textOf(block.content))) return false; // messages
		}
	}
	return true;
}
