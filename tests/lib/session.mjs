// A session as pi keeps it: a tree of entries with ids, a leaf, appends only.
import { writeFileSync } from "node:fs";

export class Session {
	#count = 0;

	constructor() {
		this.id = "session-under-test";
		this.entries = [];
		this.leafId = null;
	}

	/** Append below the leaf, as pi does; gives the new entry. */
	append(entry) {
		const stored = {
			...entry,
			id: `e${(++this.#count).toString().padStart(7, "0")}`,
			parentId: this.leafId,
			timestamp: new Date(1_700_000_000_000 + this.#count * 1000).toISOString(),
		};
		this.entries.push(stored);
		this.leafId = stored.id;
		return stored;
	}

	user(text) {
		return this.append({ type: "message", message: { role: "user", content: [{ type: "text", text }] } });
	}

	/** The assistant's message with one read call. */
	call(args, toolCallId) {
		return this.append({
			type: "message",
			message: {
				role: "assistant",
				content: [{ type: "toolCall", id: toolCallId, name: "read", arguments: args }],
				stopReason: "toolUse",
			},
		});
	}

	/** The stored result of a read: RESULT is the `result` of a response. */
	result(result, toolCallId, { toolName = "read", isError = false } = {}) {
		return this.append({
			type: "message",
			message: { role: "toolResult", toolCallId, toolName, content: result.content, details: result.details, isError },
		});
	}

	compaction(firstKeptEntryId = null) {
		return this.append({ type: "compaction", summary: "what happened so far", firstKeptEntryId, tokensBefore: 1000 });
	}

	/** replacement: null removes the target from the model's context, a text replaces it. */
	contextEdit(targetId, replacement = null) {
		return this.append({
			type: "context_edit",
			targetId,
			replacement: replacement === null ? null : { content: replacement },
		});
	}

	/** The entry a refresh response asks the host to append. */
	custom({ customType, data }) {
		return this.append({ type: "custom", customType, data });
	}

	navigate(entryId) {
		this.leafId = entryId;
	}

	/** The branch from the root to the leaf; a cycle ends it, as in a session with an id twice. */
	branch(leafId = this.leafId) {
		const byId = new Map(this.entries.map((entry) => [entry.id, entry]));
		const path = new Set();
		for (let entry = byId.get(leafId); entry && !path.has(entry); entry = byId.get(entry.parentId)) path.add(entry);
		return [...path].reverse();
	}

	/** For a request's "session" field. */
	inline() {
		return { id: this.id, leafId: this.leafId, entries: this.entries };
	}

	/** Write pi's JSON lines file; gives a "session" field that names it. */
	save(file, cwd = "/", parentSession = undefined) {
		const header = { type: "session", version: 3, id: this.id, timestamp: "2026-01-01T00:00:00.000Z", cwd, parentSession };
		writeFileSync(file, [header, ...this.entries].map((entry) => JSON.stringify(entry) + "\n").join(""));
		return { file, leafId: this.leafId };
	}
}
