// Files that nodes make and read are compared as places, however they are written.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { counting, World } from "./world.mjs";

/** A world with a directory sub, and links to it and to the project. */
function world(context) {
	const made = new World(context);
	mkdirSync(made.path("sub"));
	mkdirSync(made.path("a"));
	symlinkSync("sub", made.path("link"));
	symlinkSync("..", made.path("sub", "up"));
	symlinkSync(made.cwd, join(context.dir, "elsewhere"));
	return made;
}

/** [what the first makes, what the second reads]. */
const EDGES = (made, context) => [
	["mid", join(made.cwd, "mid")],
	["mid", "./mid"],
	["mid", "a/../mid"],
	["mid", ".//mid"],
	["mid", "sub/up/mid"],
	["mid", join(context.dir, "elsewhere", "mid")],
	["./mid", "mid"],
	["sub/mid", "link/mid"],
	["sub/../sub/mid", "link/mid"],
	["out", "out/deep/mid"],
	["out/", "out/mid"],
	["out/mid", "out"],
	["out/mid", "link/../out/"],
	["sub/mid", "link/*"],
	["sub/mid", join(made.cwd, "sub", "m?d")],
	["out", "out/*.txt"],
	["out/x.c", "./{out,src}/*.c"],
	["mid", "**/mid"],
	["out/mid", "**/m[a-k]d"],
	["out/deep/mid", "o*/**"],
];

const SPECS = (made) => [
	["mid", "file:mid"],
	["mid", `file:${join(made.cwd, "mid")}`],
	["sub/mid", "file:link/mid"],
	["mid", "glob:m*"],
	["sub/mid", "glob!:link/*"],
	["out", "glob!:out/**/*.c"],
	["mid", "glob:**/m*"],
];

/** [the outputs of one node, those of another, what is told]. */
const OVERLAPS = (made) => [
	["o", "o", /"o" is made by "first" too\./],
	["o", "./o", /"\.\/o" is made by "first" too, as "o"\./],
	["o", "a/../o", /"a\/\.\.\/o" is made by "first" too, as "o"\./],
	["sub/o", "link/o", /"link\/o" is made by "first" too, as "sub\/o"\./],
	["d", "d/", /"d\/" is made by "first" too, as "d"\./],
	["d", "d/x", /"d\/x" is in "d", which "first" makes\./],
	["d/x/y", "d", /"d" has "d\/x\/y" in it, which "first" makes\./],
	["d/", "./d/x", /"\.\/d\/x" is in "d\/", which "first" makes\./],
	["link", "link/o", /"link\/o" is in "link", which "first" makes\./],
	["link/o", "link", /"link" has "link\/o" in it, which "first" makes\./],
	["o", join(made.cwd, "o"), /is made by "first" too, as "o"\./],
];

const order = (made) => made.json("flow.json", "--explain").list.map(({ id }) => id);

export const tests = [
	{
		name: "everybody who reads in a directory waits for who makes it, and nobody else does",
		run(context) {
			const made = world(context);
			const reading = (id, name) => ({ id, run: `cat ${name}`, deps: [name], needs: [] });
			made.write("sub/z", "z\n");
			made.flow([
				reading("x", "out/x"),
				reading("y", "out/y"),
				reading("z", "sub/z"),
				reading("again", "out/x"),
				{ id: "maker", run: "mkdir out; echo x > out/x; echo y > out/y", outs: ["out"], needs: [] },
			]);
			const { exit, nodes } = made.json("flow.json");
			assert.equal(exit, 0);
			assert.deepEqual([nodes.x.stdout, nodes.y.stdout, nodes.z.stdout, nodes.again.stdout], ["x\n", "y\n", "z\n", "x\n"]);
		},
	},
	{
		name: "B4 who reads what another makes waits for it, however it is written",
		run(context) {
			const made = world(context);
			for (const [out, dep] of EDGES(made, context)) {
				made.flow([{ id: "reads", run: "true", deps: [dep], needs: [] }, { id: "makes", run: "true", outs: [out] }]);
				assert.deepEqual(order(made), ["makes", "reads"], `${out} ${dep}`);
				made.flow([{ id: "reads", run: "true", code: [dep] }, { id: "makes", run: "true", outs: [out] }]);
				const late = made.run("validate", "flow.json");
				assert.match(late.stderr, /node 'reads': it reads what "makes" makes, but that comes later/, `${out} ${dep}`);
			}
			for (const [out, dep] of [["mid", "midi"], ["sub/mid", "a/mid"], ["sub/mid", "a/*"], ["out", "*.c"], ["out/x", "outer"]]) {
				made.flow([{ id: "reads", run: "true", deps: [dep], needs: [] }, { id: "makes", run: "true", outs: [out] }]);
				assert.deepEqual(order(made), ["reads", "makes"], `${out} ${dep}`);
			}
		},
	},
	{
		name: "B4 so does who has a fingerprint of it; and the same file again changes nothing for him",
		run(context) {
			const made = world(context);
			for (const [out, spec] of SPECS(made)) {
				made.flow([{ id: "reads", run: "true", cache: { fingerprint: [spec] }, needs: [] }, { id: "makes", run: "true", outs: [out] }]);
				assert.deepEqual(order(made), ["makes", "reads"], `${out} ${spec}`);
			}
			made.write("in", "1");
			made.flow([{ id: "reads", run: counting("reads.count", "$(cat mid)"), cache: { fingerprint: ["file:./mid"] }, needs: [] }, { id: "makes", run: "tr 1 one < in > mid", deps: ["in"], outs: ["mid"] }]);
			made.good("flow.json");
			assert.equal(made.times("reads.count"), 1);
			assert.deepEqual(made.statuses("flow.json", "--rerun", "makes"), { makes: "executed", reads: "cached" });
			made.write("in", "2");
			assert.deepEqual(made.statuses("flow.json", "--explain"), { makes: "stale", reads: "stale" });
			const { nodes } = made.json("flow.json");
			assert.deepEqual([nodes.makes.status, nodes.reads.status, nodes.reads.stdout], ["executed", "executed", "2\n"]);
		},
	},
	{
		name: "B4 two outputs that are one place, or in each other, are refused with both nodes named",
		run(context) {
			const made = world(context);
			for (const [one, two, message] of OVERLAPS(made)) {
				made.flow([{ id: "first", run: "touch ran", outs: [one] }, { id: "second", run: "touch ran", outs: [two], needs: [] }]);
				for (const args of [["flow.json"], ["validate", "flow.json"]]) {
					const run = made.run(...args);
					assert.equal(run.status, 2, `${one} ${two}: ${run.stdout}`);
					assert.match(run.stderr, message);
					assert.match(run.stderr, /node 'second': /);
				}
			}
			assert.throws(() => made.text("ran"));
			made.flow([{ id: "first", run: "true", outs: ["d/x"] }, { id: "second", run: "true", outs: ["d/xy"] }, { id: "third", run: "true", outs: ["a/x"] }]);
			made.good("validate", "flow.json");
		},
	},
];
