/**
 * The results of `read` in a request that is about to leave, as messages of the host.
 */
import { isAnchor, metadataOf, type Metadata } from "./protocol.ts";

/** A read result that carries metadata of ours, as it stands in a request or in the session. */
export interface Delivered {
	callId: string;
	/** All of its texts. */
	text: string;
	/** undefined: it is there, but is none that can be understood. */
	meta: Metadata | undefined;
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

/** Is this a result of `read`? */
export function isReadResult(message: unknown): message is Message {
	const { role, toolName } = message as Message;
	return role === "toolResult" && toolName === "read";
}

const isText = (block: Block | undefined): block is { text: string } =>
	block?.type === "text" && typeof block.text === "string";

/** The texts of content, joined as providers join them; undefined if there is none. */
export function textsOf(content: unknown): string | undefined {
	if (!Array.isArray(content)) return undefined;
	const texts = (content as Block[]).filter(isText);
	return texts.length === 0 ? undefined : texts.map(({ text }) => text).join("\n");
}

/** How our markers and diffs begin. Others may have written around them. */
const CLAIM = /\[readcache: (?:unchanged\b|\d+ lines changed of )/;

/** A text that is nothing but a marker, or a diff of ours. */
const ONLY_CLAIM = /^\[readcache: (?:unchanged[^\n]*\](?:\n\n\[[^\n]*\])?$|\d+ lines changed of \d+\]\n--- )/;

export const isOnlyClaim = (text: string) => ONLY_CLAIM.test(text);

/** Metadata by the id of the call that it was given for, if anybody knows. */
export type LookUp = (callId: string) => Metadata | undefined;

/**
 * undefined for a result that is not ours. Somebody may have taken the metadata from it: it is looked up then, and where
 * nobody knows it, it is ours by its words.
 */
export function deliveredBy({ toolCallId, content, details }: Message, lookUp: LookUp): Delivered | undefined {
	const text = textsOf(content);
	if (text === undefined) return undefined;
	const callId = String(toolCallId);
	if ((details as { readcache?: unknown } | null | undefined)?.readcache !== undefined)
		return { callId, text, meta: metadataOf(details) };
	const meta = lookUp(callId);
	return meta !== undefined || isOnlyClaim(text) ? { callId, text, meta } : undefined;
}

/** Does it refer to a text instead of giving it? By its words, unless its metadata says that they are the file's. */
export function isClaim({ text, meta }: Delivered): boolean {
	return (meta === undefined || !isAnchor(meta)) && CLAIM.test(text);
}

/** CONTENT with TO in the place of CLAIM; of all of it, if nobody can tell where that begins and ends. */
export function replaceClaim(content: unknown, claim: string | undefined, to: string): Block[] {
	const blocks = content as Block[];
	const at = claim === undefined ? -1 : blocks.findIndex((block) => isText(block) && block.text.includes(claim));
	if (at < 0) return [{ type: "text", text: to }];
	const text = (blocks[at] as { text: string }).text.replace(claim!, () => to);
	return blocks.with(at, { ...blocks[at], text });
}
