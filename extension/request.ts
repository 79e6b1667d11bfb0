/**
 * The results of `read` in a request that is about to leave, as messages of the host.
 */
import { isAnchor, metadataOf, type Metadata } from "./protocol.ts";
import { claimIn, isIntact } from "./support.ts";

/** A read result that carries metadata of ours, as it stands in a request or in the session. */
export interface Delivered {
	callId: string;
	/** All of its texts. */
	text: string;
	/** undefined: it is there, but cannot be understood. */
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

/** How our markers, diffs and answers in pieces begin. Others may have written around them. */
const CLAIM =
	/\[readcache: (?:unchanged\b|\d+ lines changed of |your edits are in place: |lines \d+-\d+ of \d+ (?:are as you wrote |in \d+ parts?; ))/;

/** A text that is nothing but a marker, a diff or pieces of ours. */
const ONLY_CLAIM = new RegExp(
	[
		/^\[readcache: (?:unchanged|your edits are in place: |lines \d+-\d+ of \d+ are as you wrote )[^\n]*\](?:\n\n\[[^\n]*\])?$/,
		/^\[readcache: \d+ lines changed of \d+\]\n--- /,
		/^\[readcache: lines \d+-\d+ of \d+ in \d+ parts?; [^\n]*\]\n@@ /,
	]
		.map(({ source }) => source)
		.join("|"),
);

/** Has it the words of one of our compact answers? */
export const hasClaim = (text: string) => CLAIM.test(text);

export const isOnlyClaim = (text: string) => ONLY_CLAIM.test(text);

/** All metadata that was given for a call with this id: ids may be used again. TEXT is what its result says now. */
export type LookUp = (callId: string, text: string) => readonly Metadata[];

/**
 * undefined for a result that is not ours. Somebody may have taken the metadata from it: it is looked up then, and must
 * fit the text; where nobody knows it, the result is ours by its words.
 */
export function deliveredBy({ toolCallId, content, details }: Message, lookUp: LookUp): Delivered | undefined {
	const text = textsOf(content);
	if (text === undefined) return undefined;
	const callId = String(toolCallId);
	if ((details as { readcache?: unknown } | null | undefined)?.readcache !== undefined)
		return { callId, text, meta: metadataOf(details) };
	const known = lookUp(callId, text);
	const meta = known.find((one) => isIntact({ text, meta: one })) ?? known.find((one) => claimIn({ text, meta: one }) !== undefined);
	return meta !== undefined || isOnlyClaim(text) ? { callId, text, meta } : undefined;
}

/** Does it refer to a text instead of giving it? By its words, unless they are the file's by their metadata. */
export function isClaim(delivered: Delivered): boolean {
	const { text, meta } = delivered;
	if (meta === undefined || !isAnchor(meta)) return hasClaim(text);
	return isOnlyClaim(text) && !isIntact(delivered);
}

/** CONTENT with TO in the place of CLAIM; of all of it, if nobody can tell where that begins and ends. */
export function replaceClaim(content: unknown, claim: string | undefined, to: string): Block[] {
	const blocks = content as Block[];
	const at = claim === undefined ? -1 : blocks.findIndex((block) => isText(block) && block.text.includes(claim));
	if (at < 0) return [{ type: "text", text: to }];
	const text = (blocks[at] as { text: string }).text.replace(claim!, () => to);
	return blocks.with(at, { ...blocks[at], text });
}
