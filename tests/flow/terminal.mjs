// The display on a terminal: lines, and one below them that tells what works now.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { Screen } from "../pi/tui-screen.mjs";
import { World } from "./world.mjs";

function screen(world, args, env = {}) {
	const directory = world.path("..", "tmux");
	mkdirSync(directory, { recursive: true });
	return new Screen({ directory, cwd: world.cwd, env: { PATH: process.env.PATH, LANG: "C.UTF-8", ...world.env, ...env }, command: world.context.binary, args: ["flow", ...args] });
}

function needsTmux(context) {
	if (spawnSync("tmux", ["-V"]).status !== 0) context.skip("tmux is missing. On Debian: apt-get install tmux");
}

export const tests = [
	{
		name: "W13 live: a line below tells what works now, and goes when it has ended",
		async run(context) {
			needsTmux(context);
			const world = new World(context);
			world.flow([
				{ id: "quick", run: "echo 1" },
				{ id: "slow", run: "while [ ! -e go ]; do sleep 0.02; done; echo result" },
			]);
			const shown = screen(world, ["flow.json"]);
			try {
				await shown.until((text) => /✓ Node 'quick' completed \(\d+ms\)\n\[1\/2\] slow \d+(\.\d)?m?s/.test(text), "the line below");
				world.write("go", "");
				const text = await shown.until((now) => (/2 nodes: 0 cached, 2 executed/.test(now) ? now : undefined), "the end");
				assert.match(text, /✓ Node 'slow' completed \(/);
				assert.doesNotMatch(text, /\[1\/2\]/);
				assert.match(text, /\nresult/);
			} finally {
				shown.close();
			}
		},
	},
	{
		name: "W13 colours on a terminal, unless NO_COLOR",
		async run(context) {
			needsTmux(context);
			const world = new World(context);
			world.flow([{ id: "a", run: "echo 1" }, { id: "b", run: "echo 2" }]);
			for (const [env, coloured] of [[{}, true], [{ NO_COLOR: "1" }, false]]) {
				const shown = screen(world, ["flow.json"], env);
				try {
					await shown.until((text) => /2 nodes: /.test(text), "the end");
					assert.equal(/\x1b\[32m✓/.test(shown.coloured()), coloured, JSON.stringify(shown.coloured()));
				} finally {
					shown.close();
				}
			}
		},
	},
];
