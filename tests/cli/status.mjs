// `readcache status`: what is known and saved on a branch.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harmless, lines, parsed, Recording } from "./recording.mjs";

const file = lines(40);

function begin(context, name) {
	const recording = new Recording(context, name);
	recording.write("a.txt", file);
	recording.user();
	recording.cli = (...args) => context.run(["status", ...args], { cwd: recording.cwd });
	return recording;
}

export const tests = [
	{
		name: "the answer of the protocol, for people and as JSON",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			recording.read("a.txt");
			recording.read("a.txt", { offset: 5, limit: 3 });
			const session = recording.save();
			const asked = recording.ask({ op: "status", session: { file: session } });
			assert.deepEqual(parsed(recording.cli("--session", session, "--json")), asked);
			assert.deepEqual(recording.cli("--session", session), { status: 0, stdout: `${asked.text}\n`, stderr: "" });
			const { status } = asked;
			assert.deepEqual([status.paths, status.scopes, status.session], [1, 2, "ok"]);
			const { baselineBytes, servedBytes } = recording.sums();
			assert.deepEqual([status.baselineBytes, status.servedBytes], [baselineBytes, servedBytes]);
			const saved = baselineBytes - servedBytes;
			const [about, store] = asked.text.split("\n").slice(2);
			assert.equal(about, `saved: about ${Math.floor(saved / 4)} tokens (bytes/4), net: ${servedBytes} bytes served instead of ${baselineBytes}`);
			assert.equal(store, `store: 1 object, ${status.store.bytes} bytes in ${join(recording.cwd, ".pi/readcache")}`);
		},
	},
	{
		name: "what was lost, if markers were longer than what they stand for",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			const session = recording.save();
			const stored = readFileSync(session, "utf8");
			writeFileSync(session, stored.replace(/"bytes":\d+/g, '"bytes":21'));
			const { stdout } = recording.cli("--session", session);
			const { servedBytes } = recording.sums();
			const lost = Math.floor((servedBytes - 21) / 4);
			assert.equal(stdout.split("\n")[2], `lost: about ${lost} tokens (bytes/4), net: ${servedBytes} bytes served instead of 21`);
		},
	},
	{
		name: "another leaf",
		run(context) {
			const recording = begin(context);
			const first = recording.read("a.txt");
			recording.read("a.txt");
			const { status } = parsed(recording.cli("--session", recording.save(), "--leaf", first, "--json"));
			assert.deepEqual([status.modes.full, status.modes.unchanged], [1, 0]);
		},
	},
	{
		name: "without a session: the store alone",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			const { status } = parsed(recording.cli("--json"));
			assert.deepEqual([status.session, status.paths, status.store.objects], ["none", 0, 1]);
			assert.match(recording.cli().stdout, /store: 1 object, /);
		},
	},
	{
		name: "a session without reads",
		run(context) {
			const recording = begin(context);
			const { status, stdout } = recording.cli("--session", recording.save());
			assert.equal(status, 0);
			assert.match(stdout, /^readcache: 0 files, 0 scopes known on this branch\n/);
		},
	},
	{
		name: "sessions that cannot be used, exit 1",
		run(context) {
			const recording = begin(context);
			mkdirSync(join(context.dir, "folder"));
			writeFileSync(join(context.dir, "empty"), "");
			writeFileSync(join(context.dir, "notes.txt"), "no session\n");
			spawnSync("mkfifo", [join(context.dir, "fifo")]);
			for (const name of ["folder", "empty", "notes.txt", "fifo", "missing"])
				for (const json of [[], ["--json"]]) {
					const { status, stdout, stderr } = recording.cli("--session", join(context.dir, name), ...json);
					assert.deepEqual([status, stdout], [1, ""], name);
					assert.match(stderr, /^readcache: .+\n$/);
				}
			const { status, stderr } = recording.cli("--session", recording.save(), "--leaf", "nobody");
			assert.equal(status, 1);
			assert.match(stderr, /no such entry/);
		},
	},
	{
		name: "options that cannot be meant, exit 2",
		run(context) {
			const recording = begin(context);
			for (const args of [["x"], ["--leaf", "x"], ["--session"], ["--nonsense"]]) {
				const { status, stdout, stderr } = recording.cli(...args);
				assert.deepEqual([status, stdout], [2, ""], args.join(" "));
				assert.notEqual(stderr, "");
			}
		},
	},
	{
		name: "names cannot reach the terminal",
		run(context) {
			const recording = begin(context, "pro\u001b[31mject");
			harmless(recording.cli().stdout);
			harmless(recording.cli("--session", "a\u001b[31m").stderr);
		},
	},
];
