// Sessions of any size in bounded memory: replay and shadow hold no texts.
//
//	READCACHE_SESSION_MB=200 node tests/cli/run.mjs memory        the size of SPEC and issue; 60 MB without it
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const MEGABYTES = Number(process.env.READCACHE_SESSION_MB ?? 60);
const LIMIT_KB = 64 * 1024; // for 200 MB; what an entry needs grows with their number
const limit = Math.round(LIMIT_KB * Math.max(0.4, MEGABYTES / 200));

/**
 * A session of so many megabytes: a user's word, a call, a text of 13 kB, again and again, and CHATTER calls of a shell
 * between them. Gives how many reads.
 */
function generate(path, chatter) {
	const out = openSync(path, "w");
	let [size, n, parentId, i] = [0, 0, null, 0];
	const write = (entry) => {
		size += writeSync(out, `${JSON.stringify(entry)}\n`);
	};
	const add = (message) => {
		const id = (++n).toString(16).padStart(8, "0");
		write({ type: "message", id, parentId, timestamp: "2026-01-01T00:00:00.000Z", message });
		parentId = id;
	};
	write({ type: "session", version: 3, id: "big", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/work/project" });
	while (size < MEGABYTES * 1e6) {
		const name = `src/f${++i % 300}.ts`;
		const version = Math.floor(i / 900);
		const line = (k) => `const v${k} = "${name} line ${k}${k % 50 === 0 ? ` ${version}` : ""}"; // some code here\n`;
		const text = Array.from({ length: 200 }, (_, k) => line(k)).join("");
		add({ role: "user", content: [{ type: "text", text: `go ${i}` }] });
		add({ role: "assistant", stopReason: "toolUse", content: [{ type: "toolCall", id: `c${i}`, name: "read", arguments: { path: name } }] });
		add({ role: "toolResult", toolCallId: `c${i}`, toolName: "read", content: [{ type: "text", text }], isError: false });
		for (let k = 0; k < chatter; k++) {
			add({ role: "assistant", stopReason: "toolUse", content: [{ type: "toolCall", id: `s${i}-${k}`, name: "bash", arguments: { command: `make test-${k}` } }] });
			add({ role: "toolResult", toolCallId: `s${i}-${k}`, toolName: "bash", content: [{ type: "text", text: "some output\n".repeat(25) }], isError: false });
		}
	}
	closeSync(out);
	return i;
}

/** The highest peak that Linux tells of a process, in kB; 0 when it has ended. */
function peakOf(pid) {
	try {
		return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
	} catch {
		return 0;
	}
}

/** Run to the end, looking at the memory all the while; gives {stdout, peak}. */
async function watch(binary, args) {
	const child = spawn(binary, args, { stdio: ["ignore", "pipe", "inherit"] });
	const parts = [];
	let [peak, ended] = [0, false];
	child.stdout.on("data", (part) => parts.push(part));
	const end = new Promise((done) => child.on("close", (status) => ((ended = true), done(status))));
	while (!ended) {
		peak = Math.max(peak, peakOf(child.pid));
		await new Promise((done) => setTimeout(done, 1));
	}
	assert.equal(await end, 0);
	return { stdout: Buffer.concat(parts).toString(), peak };
}

export const tests = [
	// in a session that people recorded an entry has 950 bytes
	["large texts", 0],
	["a thousand bytes an entry", 12],
].map(([what, chatter]) => ({
	name: `a session of ${MEGABYTES} MB, ${what}`,
	async run(context) {
		if (peakOf(process.pid) === 0) context.skip("there is no /proc to look at");
		if (readFileSync(context.binary).includes("__asan_init")) context.skip("a sanitizer has its own memory");
		const path = join(context.dir, "big.jsonl");
		const reads = generate(path, chatter);
		for (const args of [["replay"], ["replay", "--all-leaves"], ["shadow", "--policy", "strict"], ["audit"]]) {
			const { stdout, peak } = await watch(context.binary, [...args, "--json", path]);
			const told = JSON.parse(stdout);
			if (args[0] === "shadow") assert.equal(told.reads, reads);
			assert.ok(peak > 0 && peak < limit, `${args.join(" ")}: ${peak} kB, more than ${limit} kB`);
			if (process.env.READCACHE_SESSION_MB) console.log(`  ${args.join(" ")}: ${reads} reads, ${peak} kB at most`);
		}
	},
}));
