// Session files, and the host's own word on what the model sees of a session.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node22, sdk } from "../../host/paths.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** The entries of a session file, without its header. */
export function readSession(file) {
	return readFileSync(file, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line))
		.filter(({ type }) => type !== "session");
}

/** The header of a session file. */
export function readHeader(file) {
	return JSON.parse(readFileSync(file, "utf8").split("\n", 1)[0]);
}

/** The tool results among ENTRIES, perhaps of one tool only. */
export function toolResults(entries, toolName) {
	const results = entries.filter(({ type, message }) => type === "message" && message.role === "toolResult");
	return toolName === undefined ? results : results.filter(({ message }) => message.toolName === toolName);
}

/** The entries from the root to LEAFID. */
export function branchOf(entries, leafId = entries.at(-1)?.id) {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const path = [];
	for (let entry = byId.get(leafId); entry; entry = byId.get(entry.parentId)) path.unshift(entry);
	return path;
}

/** buildSessionProjection of one pi version, in a Node 22 process that is started when it is first needed. */
class Projector {
	#waiting = [];

	constructor(version) {
		this.child = spawn(node22(), [join(here, "projector.mjs"), sdk(version)], {
			stdio: ["pipe", "pipe", "inherit"],
		});
		createInterface({ input: this.child.stdout }).on("line", (line) => this.#waiting.shift()(JSON.parse(line)));
		this.exit = new Promise((done) => this.child.on("close", done));
	}

	project(entries, leafId) {
		this.child.stdin.write(`${JSON.stringify({ entries, leafId })}\n`);
		return new Promise((done) => this.#waiting.push(done));
	}

	close() {
		this.child.stdin.end();
		return this.exit;
	}
}

const projectors = new Map();

/** The messages the model sees at LEAFID, by the host's own projection: [{message, sourceId}]. */
export async function projection(version, entries, leafId = entries.at(-1)?.id ?? null) {
	if (!projectors.has(version)) projectors.set(version, new Projector(version));
	const { error, messages } = await projectors.get(version).project(entries, leafId);
	if (error) throw new Error(`the host's projection failed: ${error}`);
	return messages;
}

/** End the processes that projection() started. */
export async function closeProjectors() {
	await Promise.all([...projectors.values()].map((projector) => projector.close()));
	projectors.clear();
}
