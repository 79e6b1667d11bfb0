/** What was saved, net of what was served, in words. Tokens are estimated, and every figure names the rule. */
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { isPieced, type Metadata, metadataOf } from "./protocol.ts";

const BYTES_PER_TOKEN = 4;
const ESTIMATOR = "bytes/4";

/** Bytes that a read did not cost; negative where a marker is longer than the text. */
export function savedBytes(metadata: Metadata): number {
	return metadata.textBytes === undefined ? 0 : metadata.bytes - metadata.textBytes;
}

/** The same over all reads of a session, on whatever branch. */
export function savedInSession(entries: SessionEntry[]): number {
	let saved = 0;
	for (const entry of entries) {
		if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
		const metadata = entry.message.toolName === "read" ? metadataOf(entry.message.details) : undefined;
		if (metadata !== undefined) saved += savedBytes(metadata);
	}
	return saved;
}

function shorten(n: number): string {
	if (n < 1_000) return String(n);
	if (n < 10_000) return `${(n / 1_000).toFixed(1)}k`;
	if (n < 1_000_000) return `${Math.round(n / 1_000)}k`;
	return `${(n / 1_000_000).toFixed(1)}M`;
}

/** "~4.2k tokens saved (bytes/4)" */
export function savingText(bytes: number): string {
	const tokens = Math.floor(Math.abs(bytes) / BYTES_PER_TOKEN);
	return `~${shorten(tokens)} tokens ${bytes < 0 ? "lost" : "saved"} (${ESTIMATOR})`;
}

/** What an answer says of the model's own edits, or in how many parts. */
function piecedText(metadata: Metadata, text: string): string | undefined {
	const parts = /^\[readcache: lines \d+-\d+ of \d+ in (\d+) parts?;/.exec(text)?.[1];
	if (parts !== undefined) return `${parts} ${parts === "1" ? "part" : "parts"}`;
	const range = metadata.mode === "unchanged_range" ? " range" : "";
	if (text.startsWith("[readcache: your edits are in place: ")) return `unchanged${range} since your edit`;
	if (/^\[readcache: (?:unchanged since you wrote|lines \d+-\d+ of \d+ are as you wrote)/.test(text))
		return `unchanged${range} since you wrote it`;
	return /; shown before as lines? \d/.test(text.split("\n", 1)[0]!) ? "unchanged range, moved" : undefined;
}

/** What a compact answer was, in a few words; undefined for a text. */
function servedText(metadata: Metadata, text: string): string | undefined {
	const pieced = isPieced(metadata) ? piecedText(metadata, text) : undefined;
	if (pieced !== undefined) return pieced;
	switch (metadata.mode) {
		case "unchanged":
			return "unchanged";
		case "unchanged_range":
			return "unchanged range";
		case "diff": {
			const lines = /^\[readcache: (\d+) lines? changed/.exec(text)?.[1];
			return lines === undefined ? "diff" : `diff of ${lines} ${lines === "1" ? "line" : "lines"}`;
		}
		default:
			return undefined;
	}
}

/** The line under a collapsed read; undefined where the host's own look says it all. */
export function rowText(details: unknown, text: string): string | undefined {
	const metadata = metadataOf(details);
	const served = metadata && servedText(metadata, text);
	return served && `[readcache: ${served} · ${savingText(savedBytes(metadata!))}]`;
}

/** The footer's text; undefined while there is nothing to say. */
export function footerText(bytes: number): string | undefined {
	return bytes >= BYTES_PER_TOKEN ? `readcache: ${savingText(bytes)}` : undefined;
}
