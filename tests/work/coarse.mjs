// A file system that keeps whole seconds only (ext4 with small inodes stands for FAT, HFS+ and old servers): two edits
// within a second look the same there, so nothing that was changed just before is believed by its times.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../lib/wait.mjs";
import { Project } from "./project.mjs";

/** Do ACT with a project on such a file system, which needs root and a loop device. */
async function onSeconds(context, act) {
	const [image, place] = [join(context.dir, "image"), join(context.dir, "seconds")];
	const does = (command, ...args) => spawnSync(command, args, { encoding: "utf8", env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` } });
	writeFileSync(image, "");
	truncateSync(image, 8 << 20);
	mkdirSync(place);
	const made = does("mkfs.ext4", "-q", "-F", "-I", "128", image);
	if (made.status !== 0) context.skip("mkfs.ext4 is missing or fails");
	if (does("mount", "-o", "loop", image, place).status !== 0) context.skip("a file system cannot be mounted here");
	try {
		await act(new Project({ ...context, state: join(context.dir, ".local", "state") }, "seconds/p"));
	} finally {
		does("umount", "-l", place);
	}
}

const facts = (path) => {
	const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
	return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
};

/**
 * Write B in the place of A, after BETWEEN, within one second: until the file system shows no difference. Where BETWEEN
 * takes long, it is begun with the second.
 */
async function unseen(p, name, between) {
	for (let i = 0; i < 200; i++) {
		if (i > 0) await new Promise((done) => setTimeout(done, 1001 - (Date.now() % 1000)));
		p.write(name, `A${i}\n`);
		const before = facts(p.path(name));
		between();
		p.write(name, `B${i}\n`);
		if (facts(p.path(name)) === before) return `B${i}\n`;
	}
	assert.fail("no two edits within a second in 200 attempts");
}

const COPY = ["-n", "copy", "--dep", "in", "--out", "out", "--", "cp", "in", "out"];
const FRESH = /^readcache: in was changed just before, on a file system that keeps whole seconds only, so the result is not kept this time\.\n$/;

export const tests = [
	{
		name: "B13 whole seconds: a second edit within the second is seen by run",
		run: (context) => onSeconds(context, async (p) => {
			const text = await unseen(p, "in", () => {
				for (let i = 0; i < 2; i++) p.run(COPY);
			});
			assert.equal(p.run(COPY).status, 0);
			assert.equal(p.read("out"), text);
		}),
	},
	{
		name: "B13 whole seconds: a second edit within the second is seen by flow",
		run: (context) => onSeconds(context, async (p) => {
			p.write("f.json", JSON.stringify({ nodes: [{ id: "copy", run: ["cp", "in", "out"], deps: ["in"], outs: ["out"] }] }));
			const flow = () => assert.equal(context.run(["flow", "f.json"], { cwd: p.dir }).status, 0);
			const text = await unseen(p, "in", () => {
				for (let i = 0; i < 3; i++) flow();
			});
			flow();
			assert.equal(p.read("out"), text);
		}),
	},
	{
		name: "B13 whole seconds: an input that is changed and put back while the command runs is not trusted",
		run: (context) => onSeconds(context, (p) => {
			p.write("in", "B\n");
			const args = ["-n", "t", "--dep", "in", "--out", "out", "--", "sh", "-c", "echo X >in; cat in >out; echo B >in"];
			const { status, stderr } = p.run(args);
			assert.equal(status, 0);
			assert.match(stderr, /not kept/);
			assert.equal(p.read("out"), "X\n");
			assert.equal(p.plan(args).decision, "work");
		}),
	},
	{
		name: "B13 whole seconds: said in one line, and kept when the second is over",
		run: (context) => onSeconds(context, async (p) => {
			await until(() => {
				p.write("in", "B\n");
				return FRESH.test(p.run(COPY).stderr);
			}, "it is never said");
			await until(() => p.run(COPY).stderr === "", "it is never kept");
			assert.equal(p.plan(COPY).decision, "reuse");
		}),
	},
];
