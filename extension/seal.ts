/**
 * What the model's own calls said when an answer came to rest on them. A result has the hash of its text in its metadata; a
 * call has none, and a session's file can be another one when the session goes on. So the answer takes them along.
 */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { upwards } from "./branch.ts";
import { callsIn, hashOfCall, type OwnCall } from "./own.ts";
import type { Metadata } from "./protocol.ts";

/** The same with the hashes of its calls, if all of them are on the branch. */
export function sealed(metadata: Metadata, sessions: ExtensionContext["sessionManager"]): Metadata {
	const { calls } = metadata;
	if (calls === undefined) return metadata;
	const hashes = new Map<string, string>();
	for (const entry of upwards(sessions)) {
		if (hashes.size === new Set(calls).size) break;
		if (entry.type !== "message" || entry.message.role !== "assistant") continue;
		for (const { id, arguments: args } of callsIn(entry.message.content))
			if (calls.includes(id) && !hashes.has(id)) hashes.set(id, hashOfCall(JSON.stringify(args) ?? ""));
	}
	const callHashes = calls.flatMap((id) => hashes.get(id) ?? []);
	return callHashes.length === calls.length ? { ...metadata, callHashes } : metadata;
}

/** Do these CALLS say what they said when the answer was given? */
export function isSealed({ callHashes = [] }: Partial<Metadata>, calls: readonly OwnCall[]): boolean {
	return callHashes.length === calls.length && calls.every((call, i) => call.hash === callHashes[i]);
}
