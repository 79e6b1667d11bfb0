// A signal that ends a run: its commands are gone, what was done is kept, and whoever called sees the signal.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { counting, World } from "./world.mjs";

const isThere = (pid) => {
	try {
		// one that nobody has waited for is gone too
		return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
	} catch {
		return false;
	}
};

/** Start a run, send SIGNAL when node `slow` has begun to work, and wait for the end. */
async function interrupted(context, signal, slow) {
	const world = new World(context);
	execFileSync("mkfifo", [world.path("never")]);
	world.flow([{ id: "first", run: counting("first.count") }, { id: "slow", run: slow }, { id: "after", run: counting("after.count") }]);
	const child = spawn(context.binary, ["flow", "flow.json", "--json=lines"], { cwd: world.cwd, env: { ...process.env, ...world.env } });
	const said = [];
	let sent = false;
	const ended = new Promise((done) => child.on("close", (code, by) => done({ code, by })));
	for await (const line of createInterface({ input: child.stdout })) {
		said.push(JSON.parse(line));
		if (!sent && said.at(-1).event === "output" && said.at(-1).id === "slow") sent = process.kill(child.pid, signal);
	}
	const pids = said.filter(({ event, id }) => event === "output" && id === "slow").flatMap(({ text }) => text.split("\n").filter((pid) => /^\d+$/.test(pid)));
	return { world, pids, said, ...(await ended) };
}

export const tests = [
	...["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => ({
		name: `B7 ${signal} ends a run by itself: no command is left, nothing more is begun, what was done is kept`,
		async run(context) {
			const { world, by, pids, said } = await interrupted(context, signal, "(read x < never) & printf '%s\\n%s\\n' $$ $!; read x < never");
			assert.equal(by, signal, JSON.stringify(said));
			assert.equal(pids.length, 2);
			assert.deepEqual(pids.filter(isThere), []);
			assert.ok(!existsSync(world.path("after.count")));
			assert.equal(said.at(-1).status, "failed");
			assert.deepEqual(world.json("flow.json", "--explain").list.map(({ status }) => status), ["cached", "stale", "stale"]);
		},
	})),
	{
		name: "B7 a command that ends well in spite of a signal is kept; the rest is not begun, and the run ends by the signal",
		async run(context) {
			const { world, by } = await interrupted(context, "SIGINT", "trap 'echo caught; exit 0' INT; echo $$; read x < never");
			assert.equal(by, "SIGINT");
			assert.ok(!existsSync(world.path("after.count")));
			assert.deepEqual(world.json("flow.json", "--explain").list.map(({ status }) => status), ["cached", "cached", "stale"]);
		},
	},
];
