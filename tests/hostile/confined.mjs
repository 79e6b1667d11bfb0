// A serving process can do no more than it needs, as the kernel tells it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { binary } from "../lib/engine.mjs";
import { Scene, check, skip, startEngine, textOf } from "./harness.mjs";

/** The lines of /proc/PID/status, by their names. */
function statusOf(pid) {
	const lines = readFileSync(`/proc/${pid}/status`, "utf8").split("\n");
	return Object.fromEntries(lines.map((line) => line.split(/:\s*/)));
}

export default async function confined() {
	await check("confined: a serving process answers, and is under a filter that it cannot leave", async () => {
		if (!existsSync("/proc/self/status") || !("Seccomp" in statusOf("self"))) skip("the kernel has no filters");
		if (readFileSync(binary()).includes("__asan_init")) skip("the sanitizer needs more than that");
		const scene = new Scene();
		const content = scene.write("a.txt", "text\n");
		const engine = startEngine();
		assert.equal(textOf(await engine.request(scene.request("a.txt"))), content);
		const status = statusOf(engine.child.pid);
		assert.equal(status.Seccomp, "2", "mode: filter");
		assert.equal(status.NoNewPrivs, "1");
		assert.equal(status.Threads, "1");
		assert.deepEqual(await engine.close(), { code: 0, signal: null });
	});
}
