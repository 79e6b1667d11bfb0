// `readcache refresh`: an entry behind the session's last one, which pi reads.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installed, node22, sdk } from "../host/paths.mjs";
import { harmless, lines, parsed, Recording } from "./recording.mjs";

const file = lines(40);

function begin(context, name) {
	const recording = new Recording(context, name);
	recording.write("a.txt", file);
	recording.user();
	recording.read("a.txt");
	recording.read("a.txt", { offset: 5, limit: 3 });
	recording.session = recording.save();
	recording.cli = (...args) => context.run(["refresh", ...args], { cwd: recording.cwd });
	recording.answer = (...args) => context.run(["read", ...args, "--session", recording.session], { cwd: recording.cwd }).stdout;
	recording.lastLine = () => JSON.parse(readFileSync(recording.session, "utf8").trimEnd().split("\n").at(-1));
	return recording;
}

export const tests = [
	{
		name: "a whole file",
		run(context) {
			const recording = begin(context);
			assert.equal(recording.answer("a.txt"), "[readcache: unchanged, 41 lines]");
			const { status, stdout, stderr } = recording.cli("a.txt", "--session", recording.session);
			assert.deepEqual([status, stderr], [0, ""]);
			assert.match(stdout, /^.*a\.txt.*\n$/);
			const { type, customType, data, id, parentId, timestamp } = recording.lastLine();
			assert.deepEqual([type, customType, parentId], ["custom", "pi-readcache", recording.live.leafId]);
			assert.match(id, /^[0-9a-f]{8}$/);
			assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60000, timestamp);
			assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
			assert.ok(Math.abs(data.at - Date.now()) < 60000);
			assert.deepEqual({ ...data, at: 0 }, { v: 1, kind: "invalidate", pathKey: join(recording.cwd, "a.txt"), scopeKey: "full", at: 0 });
			assert.equal(recording.answer("a.txt"), file, "the next read gives the text");
		},
	},
	{
		name: "some lines, in both spellings",
		run(context) {
			for (const [i, args] of [["a.txt", "5-7"], ["a.txt:5-7"]].entries()) {
				const recording = begin(context, `p${i}`);
				assert.equal(recording.cli(...args, "--session", recording.session).status, 0);
				assert.equal(recording.lastLine().data.scopeKey, "r:5:7");
				assert.equal(recording.answer("a.txt:8-41"), "[readcache: unchanged in lines 8-41 of 41]", "other lines are not concerned");
				assert.match(recording.answer("a.txt:5-7"), /^line number 5 /);
				assert.equal(recording.answer("a.txt"), file, "they are in it");
				assert.equal(recording.cli("a.txt", "38", "--session", recording.session).status, 0);
				assert.equal(recording.lastLine().data.scopeKey, "r:38:41");
			}
		},
	},
	{
		name: "--json shows the entry, --dry-run appends nothing",
		run(context) {
			const recording = begin(context);
			const before = readFileSync(recording.session, "utf8");
			const told = parsed(recording.cli("a.txt", "--session", recording.session, "--dry-run", "--json"));
			assert.deepEqual(Object.keys(told), ["v", "entry"]);
			assert.equal(told.v, 1);
			assert.equal(told.entry.customType, "pi-readcache");
			assert.equal(recording.cli("-n", "a.txt", "--session", recording.session).status, 0);
			assert.equal(readFileSync(recording.session, "utf8"), before);
			const real = parsed(recording.cli("a.txt", "--session", recording.session, "--json"));
			assert.deepEqual(recording.lastLine().data, real.entry.data);
		},
	},
	{
		name: "a torn last line is ended first, and stays no entry",
		run(context) {
			const recording = begin(context);
			appendFileSync(recording.session, '{"type":"message","id":"torn');
			assert.equal(recording.cli("a.txt", "--session", recording.session).status, 0);
			assert.equal(recording.lastLine().parentId, recording.live.leafId);
			assert.equal(recording.answer("a.txt"), file);
		},
	},
	{
		name: "twice: two entries, one behind the other",
		run(context) {
			const recording = begin(context);
			recording.cli("a.txt", "--session", recording.session);
			const { id } = recording.lastLine();
			recording.cli("a.txt", "5-7", "--session", recording.session);
			assert.equal(recording.lastLine().parentId, id);
		},
	},
	{
		name: "pi reads the session afterwards",
		run(context) {
			const versions = installed();
			if (versions.length === 0 || !existsSync(node22())) context.skip("the hosts are not there");
			for (const version of versions)
				for (const torn of ["", '{"type":"message","id":"torn']) {
					const recording = begin(context, `p${version}${torn.length}`);
					appendFileSync(recording.session, torn);
					recording.cli("a.txt", "--session", recording.session);
					const { id } = recording.lastLine();
					const script = `const { SessionManager } = await import(${JSON.stringify(sdk(version))});
						const manager = SessionManager.open(${JSON.stringify(realpathSync(recording.session))});
						console.log(JSON.stringify({ leaf: manager.getLeafId(), branch: manager.getBranch() }));`;
					const run = spawnSync(node22(), ["--input-type=module", "-e", script], { encoding: "utf8", env: { ...process.env, HOME: context.dir } });
					assert.equal(run.status, 0, run.stderr);
					const { leaf, branch } = JSON.parse(run.stdout);
					assert.equal(leaf, id, version);
					assert.deepEqual(branch.map((entry) => entry.id), [...recording.live.branch().map((entry) => entry.id), id]);
					assert.equal(branch.at(-1).data.kind, "invalidate");
				}
		},
	},
	{
		name: "files and sessions that cannot be used, exit 1, and nothing is written",
		run(context) {
			const recording = begin(context);
			const before = readFileSync(recording.session, "utf8");
			mkdirSync(join(context.dir, "folder"));
			writeFileSync(join(context.dir, "empty"), "");
			writeFileSync(join(context.dir, "notes.txt"), "no session\n");
			spawnSync("mkfifo", [join(context.dir, "fifo")]);
			for (const name of ["folder", "empty", "notes.txt", "fifo", "missing"]) {
				const { status, stdout, stderr } = recording.cli("a.txt", "--session", join(context.dir, name));
				assert.deepEqual([status, stdout], [1, ""], name);
				assert.match(stderr, /^readcache: .+\n$/);
			}
			assert.equal(readFileSync(join(context.dir, "notes.txt"), "utf8"), "no session\n");
			assert.equal(readFileSync(join(context.dir, "empty"), "utf8"), "");
			for (const args of [["a.txt", "99-100"], ["a.txt:9-5"]]) {
				const { status, stdout } = recording.cli(...args, "--session", recording.session);
				assert.deepEqual([status, stdout], [1, ""], args.join(" "));
			}
			assert.equal(readFileSync(recording.session, "utf8"), before);
		},
	},
	{
		name: "a session of version 1 is left alone",
		run(context) {
			const recording = begin(context);
			writeFileSync(recording.session, readFileSync(recording.session, "utf8").replace('"version":3', '"version":1'));
			const { status, stdout, stderr } = recording.cli("a.txt", "--session", recording.session);
			assert.deepEqual([status, stdout], [1, ""]);
			assert.match(stderr, /version 1/);
		},
	},
	{
		name: "options that cannot be meant, exit 2",
		run(context) {
			const recording = begin(context);
			const before = readFileSync(recording.session, "utf8");
			for (const args of [[], ["a.txt"], ["a.txt", "1-2", "3"], ["a.txt", "7-5"], ["a.txt", "x"], ["a.txt", ""], ["a.txt", "0-3"], ["a.txt", "--nonsense"]]) {
				const session = args.length > 0 && args.length < 2 ? [] : ["--session", recording.session];
				const { status, stdout, stderr } = recording.cli(...args, ...session);
				assert.deepEqual([status, stdout], [2, ""], JSON.stringify(args));
				assert.notEqual(stderr, "");
			}
			assert.equal(readFileSync(recording.session, "utf8"), before);
		},
	},
	{
		name: "names cannot reach the terminal; a dash is a name behind --",
		run(context) {
			const recording = begin(context);
			const name = "x\u001b[31m\u0007";
			recording.write(name, file);
			recording.write("-n", file);
			const { status, stdout } = recording.cli(name, "--session", recording.session);
			assert.equal(status, 0);
			harmless(stdout);
			assert.equal(recording.cli("--session", recording.session, "--", "-n").status, 0);
			assert.equal(recording.lastLine().data.pathKey, join(recording.cwd, "-n"));
			harmless(recording.cli("a.txt", "--session", name).stderr);
		},
	},
];
