// What the cache itself takes for a workflow: memory, as the most that the process ever held above that of a workflow
// of one node, and bytes in the store. READCACHE_SAY=1 prints the figures, also of 10 and of 1,000 nodes.
import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { World } from "./world.mjs";

/** Nodes with a small output: N commands that say a line, N that read what the one before said, N that make a file. */
const KINDS = {
	commands: (i) => ({ id: `n${i}`, run: `echo ${i}` }),
	values: (i) => ({ id: `n${i}`, run: i > 0 ? ["echo", `\${n${i - 1}.stdout}`] : "echo 0" }),
	stages: (i) => ({ id: `n${i}`, run: `echo ${i} >o${i}`, outs: [`o${i}`] }),
};

/** Says the most memory that the readcache around it has held, in KiB; done in every run. */
const LAST = { id: "last", run: "sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$PPID/status", cache: { scope: "off" } };

/** Bytes of all files in DIR, and of the blocks they take. */
function size(dir) {
	let [bytes, blocks] = [0, 0];
	for (const name of readdirSync(dir)) {
		const st = lstatSync(join(dir, name));
		const inside = st.isDirectory() ? size(join(dir, name)) : { bytes: st.size, blocks: 512 * st.blocks };
		bytes += inside.bytes;
		blocks += inside.blocks;
	}
	return { bytes, blocks };
}

/** A workflow of N nodes of KIND, run twice in a project of its own: with everything to do, and with nothing. */
function figures(context, kind, n, beside = "") {
	const dir = join(context.dir, `${kind}-${n}-${beside}`);
	mkdirSync(dir);
	const world = new World({ ...context, dir });
	world.flow([...Array.from({ length: n }, (_, i) => KINDS[kind](i)), LAST]);
	const run = () => 1024 * Number(world.good("flow.json", "-q"));
	const [cold, warm] = [run(), run()];
	return { cold, warm, ...size(world.store) };
}

/** The same without what a workflow of only the last node takes. */
function above(context, kind, n) {
	const [all, none] = [figures(context, kind, n), figures(context, kind, 0, n)];
	return Object.fromEntries(Object.keys(all).map((key) => [key, all[key] - none[key]]));
}

export const tests = Object.keys(KINDS).map((kind) => ({
	name: `the cache takes less than 1 MB for a workflow of 100 ${kind}, of memory and of the store`,
	run(context) {
		if (readFileSync(context.binary).includes("__asan_init")) context.skip("a sanitizer has its own memory");
		const takes = above(context, kind, 100);
		if (process.env.READCACHE_SAY)
			for (const [n, figure] of [[10, above(context, kind, 10)], [100, takes], [1000, above(context, kind, 1000)]])
				console.log(`${n} ${kind}: ${Object.entries(figure).map(([key, bytes]) => `${key} ${Math.round(bytes / 1024)} KiB`).join(", ")}`);
		for (const key of ["cold", "warm", "bytes"]) assert.ok(takes[key] < 1e6, `${key}: ${takes[key]} bytes`);
	},
}));
