/**
 * What the engine is asked and what it answers: protocol v1, SPEC.md section 2. An answer is believed only if it has
 * the shape it must have; everything else is a BadAnswer, and the read is the host's own.
 */

export const PROTOCOL = 1;

/** The arguments of pi's read tool. */
export interface ReadParams {
	path: string;
	offset?: number;
	limit?: number;
}

/** A request without its id and session, which are added on the way out. */
export interface Request {
	op: "read" | "refresh" | "status" | "expand";
	cwd: string;
	toolCallId?: string;
	params?: ReadParams;
	/** sha256 of the text that another tool has delivered for this very request. */
	delivered?: string;
	/** Of the answer that is to be expanded. */
	metadata?: Metadata;
}

/** The metadata of a read, as far as it is looked at here; the engine alone understands the rest. */
export interface Metadata {
	mode: string;
	bytes: number;
	textBytes?: number;
	pathKey: string;
	name?: string;
	scopeKey?: string;
	servedHash?: string;
	textHash?: string;
	/** The texts that a compact answer rests on, by their textHash. */
	rests?: string[];
	/** Of an answer in pieces: how many runs of lines that were shown, or that the model wrote itself, or that are new. */
	pieces?: number;
	/** The model's own calls that it rests on. */
	calls?: string[];
	/** What these said, by hashes: added here, not by the engine (seal.ts). */
	callHashes?: string[];
}

export interface ReadAnswer {
	kind: "read";
	text: string;
	details: { truncation?: unknown; readcache?: Metadata } | undefined;
}

export type Answer =
	| ReadAnswer
	| { kind: "delegate"; params: ReadParams | undefined }
	| { kind: "error"; code: string; message: string }
	| { kind: "refresh"; entry: { customType: string; data: unknown }; text: string }
	| { kind: "status"; text: string }
	| { kind: "expand"; text: string };

export class BadAnswer extends Error {}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The request's line. The session, if it is needed, comes as JSON already: it is put together from remembered parts. */
export function requestLine(id: number, request: Request, session: string | undefined): string {
	const where = session === undefined ? "" : `"session":${session},`;
	return `{"v":${PROTOCOL},"id":${id},${where}${JSON.stringify(request).slice(1)}\n`;
}

/** Metadata that a session entry or an answer carries; undefined if it cannot be that. */
export function metadataOf(details: unknown): Metadata | undefined {
	if (!isObject(details) || !isObject(details.readcache)) return undefined;
	const { mode, bytes, pathKey, name, textHash, rests, pieces, calls, callHashes } = details.readcache;
	const isText = (value: unknown) => value === undefined || typeof value === "string";
	const isList = (value: unknown) =>
		value === undefined || (Array.isArray(value) && value.every((one) => typeof one === "string"));
	const isCount = (value: unknown) => value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1);
	return typeof mode === "string" &&
		Number.isSafeInteger(bytes) &&
		typeof pathKey === "string" &&
		isText(name) &&
		isText(textHash) &&
		isList(rests) &&
		isCount(pieces) &&
		isList(calls) &&
		isList(callHashes)
		? (details.readcache as never)
		: undefined;
}

const COMPACT = new Set(["unchanged", "unchanged_range", "diff"]);

/** Does the answer refer to a text that the model has, instead of giving it? */
export function isCompact({ mode }: Metadata): boolean {
	return COMPACT.has(mode);
}

/** Is it put together of pieces, which rest on what was shown and on what the model wrote itself? */
export function isPieced({ pieces, calls }: Metadata): boolean {
	return pieces !== undefined || calls !== undefined;
}

/** Does it carry the text itself? */
export function isAnchor({ mode }: Metadata): boolean {
	return mode === "full" || mode === "baseline_fallback";
}

function readAnswer(result: Json): ReadAnswer {
	const [block, ...others] = Array.isArray(result.content) ? result.content : [];
	if (!isObject(block) || block.type !== "text" || typeof block.text !== "string" || others.length > 0)
		throw new BadAnswer("its result is not one text");
	if (result.details !== undefined && !isObject(result.details)) throw new BadAnswer("its details are no object");
	const details = result.details as ReadAnswer["details"];
	if (details?.readcache !== undefined && metadataOf(details) === undefined)
		throw new BadAnswer("its metadata is none");
	return { kind: "read", text: block.text, details };
}

function paramsOf(value: unknown): ReadParams | undefined {
	if (value === undefined) return undefined;
	if (!isObject(value) || typeof value.path !== "string") throw new BadAnswer("it delegates to no path");
	return value as unknown as ReadParams;
}

/** Understand one line of the engine; `id` is the request's. */
export function parseAnswer(line: string): { id: number; answer: Answer } {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		throw new BadAnswer("it is no JSON");
	}
	if (!isObject(value) || value.v !== PROTOCOL || typeof value.id !== "number")
		throw new BadAnswer("it has no version or id");
	return { id: value.id, answer: answerOf(value) };
}

function answerOf(value: Json): Answer {
	const { error, result, delegate, entry, status, text } = value;
	if (value.ok !== true) {
		if (!isObject(error) || typeof error.code !== "string" || typeof error.message !== "string")
			throw new BadAnswer("it is an error without a message");
		return { kind: "error", code: error.code, message: error.message };
	}
	if (isObject(result)) return readAnswer(result);
	if (isObject(delegate)) return { kind: "delegate", params: paramsOf(delegate.params) };
	if (isObject(entry) && typeof entry.customType === "string" && typeof text === "string")
		return { kind: "refresh", entry: { customType: entry.customType, data: entry.data }, text };
	if (isObject(status) && typeof text === "string") return { kind: "status", text };
	if (typeof text === "string") return { kind: "expand", text };
	throw new BadAnswer("it is no answer of this protocol");
}
