// `readcache read`: the answer of the protocol, for a person.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changeLine, harmless, lines, parsed, Recording } from "./recording.mjs";

const file = lines(40);
const slice = (text, first, last) => text.split("\n").slice(first - 1, last).join("\n");

function begin(context, text = file) {
	const recording = new Recording(context);
	recording.write("a.txt", text);
	recording.user();
	recording.cli = (...args) => context.run(["read", ...args], { cwd: recording.cwd });
	return recording;
}

export const tests = [
	{
		name: "without a session always the file",
		run(context) {
			const { cli } = begin(context);
			for (let i = 0; i < 2; i++) assert.deepEqual(cli("a.txt"), { status: 0, stdout: file, stderr: "" });
		},
	},
	{
		name: "lines by suffix and by options are the same",
		run(context) {
			const { cli } = begin(context);
			const wanted = `${slice(file, 5, 7)}\n\n[34 more lines in file. Use offset=8 to continue.]`;
			for (const args of [["a.txt:5-7"], ["a.txt", "--offset", "5", "--limit", "3"], ["--limit=3", "--offset=5", "a.txt"]])
				assert.deepEqual(cli(...args), { status: 0, stdout: wanted, stderr: "" }, args.join(" "));
			assert.equal(cli("a.txt:38").stdout, slice(file, 38, 41));
		},
	},
	{
		name: "with a session the answer is the protocol's, at every leaf",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			recording.read("a.txt", { offset: 5, limit: 3 });
			recording.write("a.txt", changeLine(file, 9));
			recording.refresh({ path: "a.txt", offset: 1, limit: 1 });
			const session = recording.save();
			const seen = new Set();
			for (const leafId of [undefined, ...recording.live.entries.map(({ id }) => id)])
				for (const range of [{}, { offset: 5, limit: 3 }, { offset: 9, limit: 1 }, { offset: 1, limit: 1 }]) {
					const asked = recording.ask({ op: "read", params: { path: "a.txt", ...range }, session: { file: session, leafId } });
					const options = Object.entries(range).flatMap(([name, value]) => [`--${name}`, String(value)]);
					const leaf = leafId === undefined ? [] : ["--leaf", leafId];
					const told = recording.cli("a.txt", ...options, "--session", session, ...leaf);
					assert.deepEqual(told, { status: 0, stdout: asked.result.content[0].text, stderr: "" });
					const json = parsed(recording.cli("a.txt", ...options, "--session", session, ...leaf, "--json"));
					assert.deepEqual(json, asked);
					seen.add(asked.decision.reason);
				}
			assert.deepEqual([...seen].sort(), ["changed", "covered", "first_read", "lines_changed", "refreshed"]);
		},
	},
	{
		name: "a session by a relative name",
		run(context) {
			const recording = begin(context);
			recording.read("a.txt");
			recording.save("live", "../s.jsonl");
			const { stdout } = recording.cli("a.txt", "--session", "../../s.jsonl");
			assert.equal(recording.cli("a.txt", "--session", "../s.jsonl").status, 1, "no such session");
			assert.equal(stdout, "[readcache: unchanged, 41 lines]");
		},
	},
	{
		name: "--explain says why, on standard error",
		run(context) {
			const recording = begin(context);
			const { stdout, stderr } = recording.cli("a.txt", "--explain");
			assert.equal(stdout, file);
			assert.match(stderr, /^readcache: full \(no_session\): no session was named/);
			assert.match(stderr, /about 0 tokens saved \(bytes\/4\)\n$/);
			recording.read("a.txt");
			const known = recording.cli("a.txt", "--session", recording.save(), "--explain");
			assert.match(known.stderr, /^readcache: unchanged \(covered\): all of these lines were shown, and are as they were\n/);
			assert.match(known.stderr, new RegExp(`32 bytes served instead of ${file.length}, about \\d+ tokens saved`));
			recording.write("b.txt", "x");
			const tiny = recording.cli("b.txt", "--explain");
			assert.match(tiny.stderr, /1 bytes? served instead of 1/);
			recording.write(".env", "SECRET=1\n");
			assert.match(recording.cli(".env", "--explain").stderr, /^readcache: plain \(excluded\)/);
		},
	},
	{
		name: "a session that cannot be used is told, exit 1: a typing error must not look like an answer",
		run(context) {
			const recording = begin(context);
			writeFileSync(join(context.dir, "notes.txt"), "no session\n");
			for (const session of ["../notes.txt", "../missing", ".."]) {
				const { status, stdout, stderr } = recording.cli("a.txt", "--session", session);
				assert.deepEqual([status, stdout], [1, ""], session);
				assert.match(stderr, /^readcache: \.\..*: it is not a session that can be used, or has no such entry\n$/);
			}
			recording.read("a.txt");
			const nobody = recording.cli("a.txt", "--session", recording.save(), "--leaf", "nobody");
			assert.deepEqual([nobody.status, nobody.stdout], [1, ""]);
		},
	},
	{
		name: "reads that fail: the host's own message, exit 1",
		run(context) {
			const { cli } = begin(context);
			for (const [path, message] of [["missing.txt", /ENOENT/], [".", /EISDIR/], ["a.txt/x", /ENOTDIR/], ["a.txt:9-5", /Invalid range/]]) {
				const { status, stdout, stderr } = cli(path);
				assert.deepEqual([status, stdout], [1, ""], path);
				assert.match(stderr, message);
				assert.match(stderr, /^readcache: .+\n$/);
				const json = parsed(cli(path, "--json"), 1);
				assert.equal(json.ok, false);
			}
			assert.match(cli("a.txt", "--offset", "99").stderr, /beyond end of file/);
		},
	},
	{
		name: "what only the host can read: a sentence, exit 1",
		run(context) {
			const { cwd, cli } = begin(context);
			writeFileSync(join(cwd, "x.png"), Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
			writeFileSync(join(cwd, "latin1.txt"), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
			spawnSync("mkfifo", [join(cwd, "fifo")]);
			for (const name of ["x.png", "latin1.txt", "fifo"]) {
				const { status, stdout, stderr } = cli(name);
				assert.deepEqual([status, stdout], [1, ""], name);
				assert.match(stderr, new RegExp(`^readcache: ${name} is left to the host's own read: .+\n$`));
			}
		},
	},
	{
		name: "an empty file and files without a last line end are served as they are",
		run(context) {
			const { cwd, cli } = begin(context);
			for (const text of ["", "x", "\n", "a\r\nb", "\ufeffx\n"]) {
				writeFileSync(join(cwd, "t"), text);
				assert.deepEqual(cli("t"), { status: 0, stdout: text, stderr: "" });
			}
		},
	},
	{
		name: "options that cannot be meant, exit 2",
		run(context) {
			const { cli } = begin(context);
			const wrong = [
				[],
				["a.txt", "b.txt"],
				["a.txt", "--offset", "0"],
				["a.txt", "--offset", "-1"],
				["a.txt", "--offset", "2.5"],
				["a.txt", "--limit", "x"],
				["a.txt", "--limit", "99999999999999999999"],
				["a.txt", "--limit"],
				["a.txt", "--leaf", "x"],
				["--nonsense", "a.txt"],
			];
			for (const args of wrong) {
				const { status, stdout, stderr } = cli(...args);
				assert.deepEqual([status, stdout], [2, ""], JSON.stringify(args));
				assert.match(stderr, /^(readcache|\S*\/readcache|read): .+\n$/, JSON.stringify(args));
			}
		},
	},
	{
		name: "names that begin with a dash, hold blanks or other letters",
		run(context) {
			const recording = begin(context);
			for (const name of ["-n", "--json", "my file.txt", "ä.txt", "x:y.txt"]) {
				recording.write(name, file);
				assert.deepEqual(recording.cli("--", name), { status: 0, stdout: file, stderr: "" }, name);
			}
			recording.write("~", "tilde\n");
			assert.equal(recording.cli("./~").stdout, "tilde\n");
			symlinkSync("a.txt", join(recording.cwd, "link"));
			assert.equal(recording.cli("link").stdout, file);
		},
	},
	{
		name: "names in messages cannot reach the terminal",
		run(context) {
			const recording = begin(context);
			const name = "a\u001b[31m\u0007.txt";
			harmless(recording.cli(name).stderr);
			harmless(recording.cli("a.txt", "--offset", "1\u001b[31m").stderr);
			writeFileSync(join(recording.cwd, name), Buffer.from([0xff, 0xfe, 0x00]));
			const { status, stderr } = recording.cli(name);
			assert.equal(status, 1);
			harmless(stderr);
		},
	},
	{
		name: "a name that is not UTF-8",
		run(context) {
			const { cwd } = begin(context);
			const run = spawnSync("sh", ["-c", `exec "$0" read "$(printf 'a\\377')"`, context.binary], { cwd });
			assert.equal(run.status, 2);
			assert.match(run.stderr.toString(), /UTF-8/);
		},
	},
	{
		name: "standard output that is closed or full",
		async run(context) {
			const { cwd } = begin(context, lines(1900));
			const full = openSync("/dev/full", "w");
			const onto = spawnSync(context.binary, ["read", "a.txt"], { cwd, stdio: ["ignore", full, "pipe"], encoding: "utf8" });
			assert.equal(onto.status, 2);
			assert.match(onto.stderr, /^readcache: cannot write the output: .+\n$/);
			const child = spawn(context.binary, ["read", "a.txt"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
			child.stdout.destroy();
			const [status, signal] = await new Promise((done) => child.on("exit", (...how) => done(how)));
			assert.ok(status === 2 || status === 0 || signal === "SIGPIPE", `${status} ${signal}`);
		},
	},
	{
		name: "without a session nothing appears in the project, with one only the store",
		run(context) {
			const recording = begin(context);
			recording.cli("a.txt");
			assert.deepEqual(readdirSync(recording.cwd), ["a.txt"]);
			recording.cli("a.txt", "--session", recording.save());
			assert.deepEqual(readdirSync(recording.cwd).sort(), [".pi", "a.txt"]);
			assert.deepEqual(readdirSync(join(recording.cwd, ".pi")), ["readcache"]);
		},
	},
	{
		name: "a file that may not be read, a directory that is gone",
		run(context) {
			const recording = begin(context);
			mkdirSync(join(context.dir, "away"));
			if (process.getuid() !== 0) {
				chmodSync(join(recording.cwd, "a.txt"), 0);
				const { status, stderr } = recording.cli("a.txt");
				assert.equal(status, 1);
				assert.match(stderr, /EACCES/);
			}
			const gone = spawnSync("sh", ["-c", `rmdir "$PWD" && exec "$0" read a.txt`, context.binary], {
				cwd: join(context.dir, "away"),
				encoding: "utf8",
			});
			assert.equal(gone.status, 2);
			assert.match(gone.stderr, /current directory/);
		},
	},
];
