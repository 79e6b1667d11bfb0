// `flow --json=lines`: a line of JSON for each event, while it happens.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { counting, World } from "./world.mjs";

const events = (text) => text.trimEnd().split("\n").map((line) => JSON.parse(line));
const short = ({ event, id, status }) => [event, id, status].filter((word) => word !== undefined).join(" ");

/** All that node ID said on STREAM, put together. */
const said = (list, id, stream = "stdout") =>
	Buffer.concat(list.filter((line) => line.event === "output" && line.id === id && line.stream === stream).map(({ text, base64 }) => (text === undefined ? Buffer.from(base64, "base64") : Buffer.from(text))));

export const tests = [
	{
		name: "B13 every event is a line: the run, started, output, finished, the end",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "a", run: "echo out; echo err >&2" }, { id: "b", run: "printf 'é\\377'" }]);
			const run = world.run("flow.json", "--json=lines");
			assert.deepEqual([run.status, run.stderr], [0, ""]);
			const list = events(run.stdout);
			assert.deepEqual(list.map(short), ["run", "started a", "output a", "output a", "finished a executed", "started b", "output b", "finished b executed", "end completed"]);
			assert.deepEqual([list[0].v, list[0].flow, list[0].nodes, list[0].run], [1, "flow.json", 2, list.at(-1).run]);
			assert.deepEqual([list[1].type, list[1].reason.length > 0], ["shell", true]);
			assert.deepEqual([said(list, "a").toString(), said(list, "a", "stderr").toString()], ["out\n", "err\n"]);
			assert.deepEqual(said(list, "b"), Buffer.from([0xc3, 0xa9, 0xff]));
			assert.equal(list[4].stdout, "out\n");
			const again = events(world.run("flow.json", "--json=lines").stdout);
			assert.deepEqual(again.map(short), ["run", "finished a cached", "finished b cached", "end completed"]);
			assert.deepEqual(events(world.run("flow.json", "--json=lines", "--explain").stdout).map(short), ["run", "planned a cached", "planned b cached", "end cached"]);
		},
	},
	{
		name: "B13 a node that is reused has used nothing",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "a", run: "echo" }, { id: "s", run: "cp flow.json out", deps: ["flow.json"], outs: ["out"] }]);
			assert.deepEqual(world.json("flow.json").list.map(({ usage }) => usage), [undefined, undefined]);
			const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, turns: 0 };
			assert.deepEqual(world.json("flow.json").list.map(({ usage }) => usage), [none, none]);
		},
	},
	{
		name: "B13 what a node says is told while it works, in whole characters",
		async run(context) {
			const world = new World(context);
			execFileSync("mkfifo", [world.path("go")]);
			// half a character, then the other one after the first line was seen
			world.flow([{ id: "slow", run: "printf 'first \\303'; read x < go; printf '\\251 last'" }]);
			const child = spawn(context.binary, ["flow", "flow.json", "--json=lines"], { cwd: world.cwd, env: { ...process.env, ...world.env } });
			const list = [];
			for await (const line of createInterface({ input: child.stdout })) {
				list.push(JSON.parse(line));
				if (list.at(-1).event === "output" && list.filter(({ event }) => event === "output").length === 1) writeFileSync(world.path("go"), "on\n");
			}
			assert.deepEqual(list.filter(({ event }) => event === "output").map(({ text }) => text), ["first ", "é last"]);
		},
	},
	{
		name: "B13 batches, failures, blocks and workflows inside: everything that was said is told once",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "x", run: "echo inner" }], { file: "inner.json" });
			world.flow([
				{ id: "all", run: "echo ${batch.item}", batch: { items: ["1", "2", "3"] } },
				{ id: "sub", type: "flow", run: "./inner.json" },
				{ id: "bad", run: "echo ${batch.item}; test ${batch.item} != 2", batch: { items: ["1", "2", "3"] } },
			]);
			const run = world.run("flow.json", "--json=lines");
			assert.equal(run.status, 1);
			const list = events(run.stdout);
			assert.equal(said(list, "all").toString(), "1\n2\n3\n");
			assert.equal(said(list, "sub/x").toString(), "inner\n");
			assert.equal(said(list, "bad").toString(), "1\n2\n");
			assert.deepEqual(list.filter(({ event }) => event !== "output").map(short), ["run", "started all", "finished all executed", "started sub", "started sub/x", "finished sub/x executed", "finished sub executed", "started bad", "finished bad failed", "end failed"]);
			world.flow([{ id: "ok", type: "approval" }, { id: "after", run: counting("after.count") }]);
			const blocked = world.run("flow.json", "--json=lines");
			assert.deepEqual([blocked.status, events(blocked.stdout).map(short)], [4, ["run", "started ok", "finished ok blocked", "end blocked"]]);
		},
	},
	{
		name: "B13 only lines can be asked for",
		run(context) {
			const world = new World(context);
			world.flow([{ id: "a", run: "true" }]);
			const run = world.run("flow.json", "--json=xml");
			assert.deepEqual([run.status, run.stdout], [2, ""]);
			assert.match(run.stderr, /--json=xml: only "lines" can be given there/);
		},
	},
];
