/**
 * An entry of the session as the engine is sent it: only the fields that a replay needs, and what the model itself wrote.
 *
 * What the engine decides is left to the engine; the one thing done here is to compare a read result's stored text
 * with the hash in its metadata, because sending all texts would cost more than reading the files.
 */
import { hash } from "node:crypto";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { isBoundary } from "./branch.ts";
import { copyOf, isSameJson } from "./json.ts";
import { type CallBlock, callsIn, isOwn } from "./own.ts";

type Message = Extract<SessionEntry, { type: "message" }>["message"];
type Assistant = Extract<Message, { role: "assistant" }>;
type Result = Extract<Message, { role: "toolResult" }>;

const TOOLS = ["read", "edit", "write"]; // those that show a file to the model, or change one for it

/** What a call is given: which file it is about, and what it makes of that; not so if it IS_HIDDEN from the model. */
function projectArguments({ name, arguments: args }: CallBlock, isHidden: boolean): object | undefined {
	const { path, edits, oldText, newText, content } = (args ?? {}) as Record<string, unknown>;
	if (!TOOLS.includes(name)) return undefined;
	if (name === "read" || isHidden) return { path };
	return name === "edit" ? { path, edits, oldText, newText } : { path, content };
}

/**
 * Its calls, if one of them is of such a tool: who asked for a result, for which path, what the model wrote itself, and
 * what else ran beside it. And its bill, by which a loss shows that nobody recorded.
 */
function projectAssistant(message: Assistant, isHidden: boolean): object | undefined {
	const calls = callsIn(message.content);
	const { role, stopReason, usage, model, provider } = message;
	const bill = usage && { usage: { input: usage.input, cacheRead: usage.cacheRead, cacheWrite: usage.cacheWrite } };
	if (!calls.some(({ name }) => TOOLS.includes(name))) return bill && { role, stopReason, model, provider, ...bill };
	const content = calls.map((call) => {
		const { id, name } = call;
		return { type: "toolCall", id, name, arguments: projectArguments(call, isHidden) };
	});
	return { role, stopReason, model, provider, ...bill, content };
}

/** The text of a result that is nothing but text. */
function onlyText(content: Result["content"]): string | undefined {
	const block = content?.[0];
	return content?.length === 1 && block?.type === "text" ? block.text : undefined;
}

/** What the engine needs to see of the content: nothing if it is what was delivered, something else if it is not. */
function projectContent(content: Result["content"], textHash: unknown): Result["content"] | undefined {
	if (typeof textHash !== "string") return content; // an older session: let the engine look
	const text = onlyText(content);
	// A lone surrogate has no UTF-8: its hash would be another text's.
	const intact =
		text !== undefined &&
		text.isWellFormed() &&
		hash("sha256", text).slice(0, 32) === textHash;
	return intact ? undefined : [];
}

/** The host's notice that not even one line fits: it shows nothing, and the engine sees that by these. */
function showsNoLine({ content, details }: Result): object | undefined {
	const truncation = (details as { truncation?: { firstLineExceedsLimit?: unknown } } | undefined)?.truncation;
	const isNotice = truncation?.firstLineExceedsLimit === true && onlyText(content)?.startsWith("[Line ");
	return isNotice ? { content, details: { truncation: { firstLineExceedsLimit: true } } } : undefined;
}

function projectResult(message: Result): object {
	const details = message.details as { readcache?: unknown; truncation?: unknown } | undefined;
	const projected = { role: "toolResult", toolName: "read", toolCallId: message.toolCallId };
	if (details?.readcache === undefined) return { ...projected, ...showsNoLine(message) };
	const truncation = details.truncation as { truncated?: unknown; outputLines?: unknown } | undefined;
	return {
		...projected,
		content: projectContent(message.content, (details.readcache as { textHash?: unknown } | null)?.textHash),
		details: {
			readcache: details.readcache,
			truncation: truncation && { truncated: truncation.truncated, outputLines: truncation.outputLines },
		},
	};
}

/** The fields of an entry that count; undefined: the entry does not. IS_HIDDEN: the model was sent its calls as others. */
function project(entry: SessionEntry, isHidden = false): object | undefined {
	switch (entry.type) {
		case "message": {
			const { message } = entry;
			if (message.role === "assistant") {
				const projected = projectAssistant(message, isHidden);
				return projected && { type: "message", message: projected };
			}
			if (message.role !== "toolResult") return undefined;
			if (message.toolName === "read" && !message.isError)
				return { type: "message", message: projectResult(message) };
			if (message.toolName !== "edit" && (message.toolName !== "write" || message.isError)) return undefined;
			const { role, toolName, toolCallId, isError } = message;
			return { type: "message", message: { role, toolName, toolCallId, isError } };
		}
		case "custom":
			if (entry.customType !== "pi-readcache") return undefined;
			return { type: "custom", customType: entry.customType, data: entry.data };
		case "context_edit":
			return { type: "context_edit", targetId: entry.targetId, replacement: entry.replacement ? {} : null };
		default:
			return isBoundary(entry) ? { type: entry.type } : undefined;
	}
}

/** What a projection is made of. */
export interface Parts {
	content: unknown;
	block: unknown;
	text: unknown;
	details: unknown;
	metadata: unknown;
	/** What the model's own calls are given. */
	calls: readonly unknown[];
}

const NONE: readonly never[] = [];

/** A projection as it was made. */
interface Remembered extends Parts {
	json: string | undefined;
}

/**
 * Entries are appended and never changed, so most of the work is done once per entry. Another extension may still hold
 * the message and write into it: the parts that prove something are compared, by identity, which costs nothing, but for
 * what the model's own calls say.
 */
const remembered = new WeakMap<SessionEntry, Remembered>();

/** The entry's parts as they are now. */
export function partsOf(entry: SessionEntry): Parts {
	if (entry.type !== "message") return { content: 0, block: 0, text: 0, details: 0, metadata: 0, calls: NONE };
	const message = entry.message as { role: string; content?: unknown; details?: { readcache?: unknown } };
	const { content, details } = message;
	const block = Array.isArray(content) ? content[0] : undefined;
	return { content, block, text: block?.text, details, metadata: details?.readcache, calls: givenIn(message) };
}

/** Copies: what is compared with them later may be the same objects, written into. */
function givenIn({ role, content }: { role: string; content?: unknown }): readonly unknown[] {
	const own = role === "assistant" ? callsIn(content).filter(isOwn) : NONE;
	return own.length === 0 ? NONE : own.map(({ arguments: args }) => copyOf(args));
}

/** Has nobody written into the entry between the one and the other? */
export function isAsBefore(before: Parts, parts: Parts): boolean {
	return (
		before.content === parts.content &&
		before.block === parts.block &&
		before.text === parts.text &&
		before.details === parts.details &&
		before.metadata === parts.metadata &&
		isSameJson(before.calls, parts.calls)
	);
}

/** JSON of the entry's fields without id and parent, which are the chain's; undefined: the entry does not count. */
export function fieldsOf(entry: SessionEntry): string | undefined {
	const parts = partsOf(entry);
	const before = remembered.get(entry);
	if (before !== undefined && isAsBefore(before, parts)) return before.json;
	const projected = project(entry);
	const json = projected && JSON.stringify(projected).slice(1);
	remembered.set(entry, { ...parts, json });
	return json;
}

/** The ids of the calls that such a message has: of each it is told when it has a result. */
export function callsOf(entry: SessionEntry): string[] {
	if (entry.type !== "message" || entry.message.role !== "assistant") return [];
	const calls = callsIn(entry.message.content);
	return calls.some(({ name }) => TOOLS.includes(name)) ? calls.map(({ id }) => id) : [];
}

/** Of a result of which nothing else matters: that it is there. */
export function answeredFieldsOf(entry: SessionEntry): string | undefined {
	if (entry.type !== "message" || entry.message.role !== "toolResult") return undefined;
	const { role, toolName, toolCallId, isError } = entry.message;
	return JSON.stringify({ type: "message", message: { role, toolName, toolCallId, isError } }).slice(1);
}

/** The ids of the calls by which the model itself changes files. */
export function ownCallsOf(entry: SessionEntry): string[] {
	if (entry.type !== "message" || entry.message.role !== "assistant") return [];
	return callsIn(entry.message.content).filter(isOwn).map(({ id }) => id);
}

/** The fields of what the model has not got: a result as one whose text is another by now, calls without what they say. */
export function hiddenFieldsOf(entry: SessionEntry): string | undefined {
	if (entry.type !== "message") return fieldsOf(entry);
	if (entry.message.role === "assistant") return JSON.stringify(project(entry, true)).slice(1);
	if (entry.message.role !== "toolResult") return fieldsOf(entry);
	return JSON.stringify(project({ ...entry, message: { ...entry.message, content: [] } })).slice(1);
}
