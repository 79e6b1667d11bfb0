// What the cache itself takes for a workflow: memory, as the most that the process ever held above that of a workflow
// of one node, and bytes in the store. READCACHE_SAY=1 prints the figures, also of 10 and of 1,000 nodes.
//
// The most that it held is what the system says was resident: its own pages, and those of files, which are the program
// and the database. How much of the database was looked at depends on how often it was written meanwhile, so on the
// machine's speed; it is small (SPEC.md 21.5).
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

/** A node that says FIELD of FILE, which is about the readcache around it, in KiB; done in every run. */
const kib = (file, field) => ({ id: "last", run: `sed -n 's/^${field}:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$PPID/${file}`, cache: { scope: "off" } });

/** The most memory that it has held. */
const LAST = kib("status", "VmHWM");

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

/** The memory of its own, in bytes, after 16 stages that take so many SECONDS each. */
function own(context, seconds) {
	const dir = join(context.dir, `${seconds}`);
	mkdirSync(dir);
	const world = new World({ ...context, dir });
	world.flow([...Array.from({ length: 16 }, (_, i) => ({ id: `n${i}`, run: `sleep ${seconds}; echo ${i} >o${i}`, outs: [`o${i}`] })), kib("smaps_rollup", "Anonymous")]);
	return 1024 * Number(world.good("flow.json", "-q", "--jobs", "1"));
}

const saved = {
	name: "B5 a run that is saved after each of its nodes, which take long, has no more memory of its own than one that is saved once",
	run(context) {
		if (readFileSync(context.binary).includes("__asan_init")) context.skip("a sanitizer has its own memory");
		const [quick, slow] = [own(context, 0), own(context, 0.6)];
		if (process.env.READCACHE_SAY) console.log(`16 stages: ${quick / 1024} KiB, saved one by one ${slow / 1024} KiB`);
		// 3 KiB for each is less than a table, and more than what an allocator may leave unused
		assert.ok(slow < quick + 16 * 3072, `${quick} bytes, and ${slow}`);
	},
};

const small = Object.keys(KINDS).map((kind) => ({
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

export const tests = [...small, saved];
