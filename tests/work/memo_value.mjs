// `readcache memo key|get|set|rm`: values under the keys of agents' calls (rows F1 to F13).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Project, sha256 } from "./project.mjs";

const KEY = "ab".repeat(32);

class Memo extends Project {
	constructor(context) {
		super(context);
		this.nameStore();
	}

	memo(args, options = {}) {
		return this.context.run(["memo", ...args], { cwd: this.dir, ...options });
	}

	file(key = KEY) {
		return join(this.store, "memo", `${key}.json`);
	}

	record(key = KEY) {
		return JSON.parse(readFileSync(this.file(key), "utf8"));
	}

	set(value, ...args) {
		const { status, stderr } = this.memo(["set", KEY, ...args], { input: value });
		assert.deepEqual([status, stderr], [0, ""]);
	}

	/** The value, or undefined for a miss. */
	get(...args) {
		const { status, stdout, stderr } = this.memo(["get", KEY, ...args]);
		assert.equal(stderr, "");
		if (status === 0) return stdout;
		assert.deepEqual([status, stdout], [1, ""]);
		return undefined;
	}

	why(...args) {
		const { status, stdout } = this.memo(["get", KEY, "--json", ...args]);
		const answer = JSON.parse(stdout);
		assert.equal(status, answer.hit ? 0 : 1);
		return answer.hit ? "hit" : answer.reasons[0].code;
	}

	/** A record that some other program, or a hand, has written. */
	foreign(text, mode = 0o600) {
		mkdirSync(join(this.store, "memo"), { recursive: true, mode: 0o700 });
		writeFileSync(this.file(), typeof text === "string" ? text : JSON.stringify(text), { mode });
		chmodSync(this.file(), mode);
	}

	key(...args) {
		const { status, stdout, stderr } = this.memo(["key", ...args]);
		assert.deepEqual([status, stderr], [0, ""], stderr);
		return stdout;
	}
}

const seconds = () => Math.floor(Date.now() / 1000);

export const tests = [
	{
		name: "B13 a link that --store names is followed, to nothing too; one to the project itself is refused",
		run(context) {
			const m = new Memo(context);
			mkdirSync(m.path("mine"), { mode: 0o755 });
			symlinkSync("mine", m.path("link"));
			symlinkSync("none-yet", m.path("dangling"));
			symlinkSync(".", m.path("self"));
			symlinkSync("circle", m.path("circle"));
			for (const [link, real] of [["link", "mine"], ["dangling", "none-yet"]]) {
				assert.equal(m.memo(["get", KEY, "--store", link]).status, 1, link);
				assert.deepEqual(m.memo(["set", KEY, "--store", link], { input: "v" }), { status: 0, stdout: "", stderr: "" });
				assert.equal(m.memo(["get", KEY, "--store", real]).stdout, "v");
				assert.equal(m.memo(["get", KEY, "--store", link]).stdout, "v");
			}
			for (const link of ["self", "circle"]) {
				const { status, stderr } = m.memo(["set", KEY, "--store", link], { input: "v" });
				assert.equal(status, 3, link);
				assert.match(stderr, /^readcache: .*\.\n$/);
			}
		},
	},
	{
		name: "B13 --store may be a plain directory of {value, expires_at}: read, written and expired as it is",
		run(context) {
			const m = new Memo(context);
			mkdirSync(m.path("plain"));
			const file = (key) => m.path("plain", `${key}.json`);
			const old = "cd".repeat(32);
			writeFileSync(file(KEY), JSON.stringify({ value: "theirs", expires_at: 0 }));
			writeFileSync(file(old), JSON.stringify({ value: "old", expires_at: seconds() - 1 }));
			const memo = (...args) => m.memo([args[0], ...args.slice(1), "--store", "plain"], { input: "ours" });
			assert.deepEqual(memo("get", KEY), { status: 0, stdout: "theirs", stderr: "" });
			assert.equal(memo("get", old).status, 1);
			assert.ok(!existsSync(file(old)), "the first to meet it deletes it");
			const other = "ef".repeat(32);
			assert.equal(memo("set", other).status, 0);
			assert.deepEqual([JSON.parse(readFileSync(file(other), "utf8")).value, statSync(file(other)).mode & 0o777], ["ours", 0o600]);
			assert.ok(!existsSync(m.path("plain", "memo")));
			assert.equal(memo("ls").stdout.trim().split("\n").length, 2);
			assert.equal(memo("rm", KEY).status, 0);
			assert.ok(!existsSync(file(KEY)));
			// anything else in it is somebody's: it is left alone
			writeFileSync(m.path("plain", "notes.txt"), "mine");
			assert.equal(memo("get", other).status, 3);
		},
	},
	{
		name: "B11 a link or a directory in the place of a value is a miss; set replaces it or says what to do; verify names it",
		run(context) {
			const m = new Memo(context);
			m.set("first");
			const inTheWay = {
				link: () => symlinkSync("/etc/passwd", m.file()),
				"a link to nothing": () => symlinkSync("nothing", m.file()),
				"an empty directory": () => mkdirSync(m.file()),
				"a directory": () => (mkdirSync(m.file()), writeFileSync(join(m.file(), "mine"), "text")),
			};
			for (const [what, make] of Object.entries(inTheWay)) {
				rmSync(m.file(), { recursive: true, force: true });
				make();
				assert.equal(m.get(), undefined, what);
				assert.equal(m.why(), "damaged", what);
				const told = context.run(["cache", "verify", "-n"], { cwd: m.dir });
				assert.deepEqual([told.status, told.stdout.includes(`\nmemo/${KEY}.json: it is not what was written.\n`)], [1, true], what);
				if (what !== "a directory") {
					m.set("second");
					assert.equal(m.get(), "second", what);
					continue;
				}
				const set = m.memo(["set", KEY], { input: "second" });
				assert.equal(set.status, 3);
				assert.equal(set.stderr, `readcache: ${m.file()}: nothing was kept: it is a directory with something in it; remove it.\n`);
				assert.equal(readFileSync(join(m.file(), "mine"), "utf8"), "text");
				assert.equal(context.run(["cache", "verify"], { cwd: m.dir }).status, 1);
				assert.equal(readFileSync(join(m.file(), "mine"), "utf8"), "text");
			}
			assert.notEqual(readFileSync("/etc/passwd", "utf8"), "second");
		},
	},
	{
		name: "F1 the key of a call is sha256 of its four fields, each with a NUL behind it",
		run(context) {
			const m = new Memo(context);
			const rows = [
				[["ab", "", "u", "m"], "20a298032e57c9db46d717a8957b1865df5ffcdf76e9717c374a33b68eb1f4a3"],
				[["a", "b", "u", "m"], "bd13558e611cc666b1085c4fba7b9275694ef2350fd45f3a228f3d54d84579c7"],
				[["", "", "", ""], "df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119"],
			];
			for (const [[agent, system, prompt, model], key] of rows) {
				assert.equal(m.key("--agent", agent, "--system", system, "--prompt", prompt, "--model", model), `${key}\n`);
				assert.equal(sha256(`${agent}\0${system}\0${prompt}\0${model}\0`), key);
			}
			assert.equal(m.key(), `${rows[2][1]}\n`, "fields that are not given are empty");
			const fields = ["--agent", "--system", "--prompt", "--model"];
			const keys = new Set(fields.map((field) => m.key(field, "x")));
			assert.equal(keys.size, 4, "no field can pose as another");
		},
	},
	{
		name: "F2 turns are joined by 0x01, and one turn is itself",
		run(context) {
			const m = new Memo(context);
			const call = ["--agent", "my-agent", "--system", "sys", "--model", "llama3"];
			assert.equal(m.key(...call, "--prompt", "p1", "--prompt", "p2"), "7d5ee459dc9242c9fadf9f409708c0ffc583506b0603ad8e83ad313e4b331842\n");
			assert.equal(m.key(...call, "--prompt", "p1"), `${sha256("my-agent\0sys\0p1\0llama3\0")}\n`);
			m.write("long", "q".repeat(300000));
			const long = m.key(...call, "--prompt", "p1", "--prompt-file", "long", "--prompt", "p3");
			assert.equal(long, `${sha256(`my-agent\0sys\0p1\x01${"q".repeat(300000)}\x01p3\0llama3\0`)}\n`);
		},
	},
	{
		name: "F3 a NUL in a field or 0x01 in a turn is refused: it could move a boundary",
		run(context) {
			const m = new Memo(context);
			m.write("nul", "a\0b");
			m.write("one", "a\x01b");
			for (const args of [["--prompt", "a\x01b"], ["--prompt-file", "one"], ["--prompt-file", "nul"], ["--system-file", "nul"]]) {
				const { status, stdout, stderr } = m.memo(["key", ...args]);
				assert.deepEqual([status, stdout], [2, ""], args.join(" "));
				assert.match(stderr, /NUL byte|byte 0x01/);
			}
			assert.equal(m.key("--system-file", "one"), `${sha256("\0a\x01b\0\0\0")}\n`, "0x01 separates turns only");
		},
	},
	{
		name: "F4 get gives the value byte for byte, or a miss without a word",
		run(context) {
			const m = new Memo(context);
			assert.equal(m.get(), undefined);
			for (const value of ["hello\n", "no line end", "ümläut \u{1f600}\n\n", "nul \0 inside", "x".repeat(1 << 20)]) {
				m.set(value);
				assert.equal(m.get(), value);
			}
			for (const damage of ["", "{", "null", "[]", "{}", '{"value":1,"expires_at":0}', '{"value":"x","expires_at":"0"}', '{"value":"x","expires_at":0} x', "\xff"]) {
				m.foreign(damage);
				assert.equal(m.get(), undefined, JSON.stringify(damage));
				assert.equal(m.why(), "damaged", JSON.stringify(damage));
			}
		},
	},
	{
		name: "F4 bytes that are no text come back as they were",
		run(context) {
			const m = new Memo(context);
			const bytes = Buffer.from(Array.from({ length: 1024 }, (_, i) => (i * 7) & 255));
			m.write("value", bytes);
			assert.equal(m.memo(["set", KEY, "--file", "value"]).status, 0);
			assert.equal(m.record().encoding, "base64");
			assert.deepEqual(Buffer.from(m.record().value, "base64"), bytes);
			const answer = JSON.parse(m.memo(["get", KEY, "--json"]).stdout);
			assert.deepEqual(Buffer.from(answer.value, "base64"), bytes);
			// through a shell, because the harness makes text of what it reads
			const out = join(m.dir, "out");
			const child = spawn("sh", ["-c", `'${m.context.binary}' memo get ${KEY} >'${out}'`], { cwd: m.dir, env: { PATH: process.env.PATH, HOME: m.context.dir } });
			return new Promise((done) => child.on("close", done)).then(() => assert.deepEqual(readFileSync(out), bytes));
		},
	},
	{
		name: "F5 an expired record is deleted by the first get that meets it, others stay",
		run(context) {
			const m = new Memo(context);
			const other = "cd".repeat(32);
			m.foreign({ value: "old", expires_at: seconds() - 10 });
			writeFileSync(m.file(other), JSON.stringify({ value: "old too", expires_at: seconds() - 10 }));
			assert.equal(m.why(), "expired");
			assert.ok(!existsSync(m.file()));
			assert.ok(existsSync(m.file(other)));
			assert.equal(m.why(), "first");
		},
	},
	{
		name: "F6 without a ttl, or with 0, a record never expires; a negative one is refused",
		run(context) {
			const m = new Memo(context);
			for (const args of [[], ["--ttl", "0"]]) {
				m.set("v", ...args);
				assert.equal(m.record().expires_at, 0);
			}
			const old = new Date("2001-01-01");
			m.foreign({ value: "v", expires_at: 0 });
			utimesSync(m.file(), old, old);
			assert.equal(m.get(), "v");
			for (const ttl of ["-1s", "-5m", "soon", "", "5", "1w"]) {
				const { status, stderr } = m.memo(["set", KEY, `--ttl=${ttl}`], { input: "v" });
				assert.equal(status, 2, ttl);
				assert.match(stderr, /write a number with its unit/);
			}
		},
	},
	{
		name: "F7 expires_at is in seconds, rounded up; at that second the record is expired",
		run(context) {
			const m = new Memo(context);
			m.set("v", "--ttl", "1s");
			const { expires_at, createdAt, ttl_ms } = m.record();
			assert.equal(ttl_ms, 1000);
			assert.equal(expires_at, Math.ceil((createdAt + 1000) / 1000));
			assert.ok(expires_at * 1000 - createdAt >= 1000);
			m.foreign({ value: "v", expires_at: seconds() });
			assert.equal(m.why(), "expired");
			m.foreign({ value: "v", expires_at: seconds() + 100 });
			assert.equal(m.why(), "hit");
		},
	},
	{
		name: "F8 one file of mode 0600 in a directory of mode 0700, whatever the umask",
		async run(context) {
			const m = new Memo(context);
			for (const mask of ["000", "022", "077", "777"]) {
				const child = spawn("sh", ["-c", `umask ${mask}; echo v | '${context.binary}' memo set ${KEY}`], { cwd: m.dir, env: { PATH: process.env.PATH, HOME: m.context.dir } });
				const code = await new Promise((done) => child.on("close", done));
				assert.equal(code, 0, mask);
				assert.equal(statSync(m.file()).mode & 0o7777, 0o600, mask);
				assert.equal(statSync(join(m.store, "memo")).mode & 0o7777, 0o700, mask);
				assert.equal(statSync(m.store).mode & 0o7777, 0o700, mask);
			}
			chmodSync(join(m.store, "memo"), 0o755);
			chmodSync(m.file(), 0o644);
			const modes = () => [m.file(), join(m.store, "memo")].map((path) => (statSync(path).mode & 0o7777).toString(8));
			assert.equal(m.get(), "v\n");
			assert.deepEqual(modes(), ["644", "755"], "whoever looks changes no mode");
			m.memo(["set", KEY], { input: "v\n" });
			assert.deepEqual(modes(), ["600", "700"], "what is looser is tightened when something is kept");
		},
	},
	{
		name: "F8 a file with value and expires_at is a record; ours can be read as one",
		run(context) {
			const m = new Memo(context);
			m.foreign('{"value":"by hand\\n","expires_at":0}', 0o644);
			assert.equal(m.get(), "by hand\n");
			m.foreign('{ "expires_at": 0, "other": {"x": [1]}, "value": "\\u0068i" }\n');
			assert.equal(m.get(), "hi");
			m.set("ours");
			const { value, expires_at } = m.record();
			assert.deepEqual({ value, expires_at }, { value: "ours", expires_at: 0 });
		},
	},
	{
		name: "F8 a record that is not what was written is a miss",
		run(context) {
			const m = new Memo(context);
			m.set("the answer is 42");
			const whole = readFileSync(m.file(), "utf8");
			const changes = [
				["the answer is 42", "the answer is 43"],
				[`"key":"${KEY}"`, `"key":"${"0".repeat(64)}"`],
				['"status":"done"', '"status":"failed"'],
				[/"createdAt":(\d)/, '"createdAt":9'],
			];
			for (const [from, to] of changes) {
				assert.notEqual(whole.replace(from, to), whole);
				m.foreign(whole.replace(from, to));
				assert.equal(m.why(), "damaged", String(from));
			}
			m.foreign(whole);
			assert.equal(m.why(), "hit");
		},
	},
	{
		name: "F9 two writers of one key never mix, and leave nothing behind",
		async run(context) {
			const m = new Memo(context);
			const values = Array.from({ length: 8 }, (_, i) => String(i).repeat(200000));
			const writers = values.map((value, i) => {
				m.write(`v${i}`, value);
				const args = Array.from({ length: 10 }, () => `'${context.binary}' memo set ${KEY} --file v${i}`).join(" && ");
				const child = spawn("sh", ["-c", args], { cwd: m.dir, env: { PATH: process.env.PATH, HOME: m.context.dir } });
				return new Promise((done) => child.on("close", done));
			});
			let running = true;
			const all = Promise.all(writers).then((codes) => ((running = false), codes));
			while (running) {
				const value = m.get();
				assert.ok(value === undefined || values.includes(value), "a torn record");
				await new Promise((done) => setTimeout(done, 5));
			}
			assert.deepEqual(await all, Array(8).fill(0));
			assert.ok(values.includes(m.get()));
			assert.deepEqual(readdirSync(join(m.store, "tmp")), []);
		},
	},
	{
		name: "F10 what one process has kept the next one finds, by whatever spelling of the store",
		run(context) {
			const m = new Memo(context);
			m.set("v");
			assert.equal(m.memo(["get", KEY, "--store", m.store]).stdout, "v");
			assert.equal(m.memo(["get", KEY, "--store", ".pi/../.pi/readcache/"]).stdout, "v");
			mkdirSync(m.path("sub"));
			assert.equal(m.context.run(["memo", "get", KEY], { cwd: m.path("sub"), env: { XDG_CONFIG_HOME: m.path("none") } }).status, 1, "another project");
		},
	},
	{
		name: "F11 an empty value is not kept: a command that failed has no answer",
		run(context) {
			const m = new Memo(context);
			const { status, stderr } = m.memo(["set", KEY], { input: "" });
			assert.equal(status, 2);
			assert.match(stderr, /nothing to keep/);
			assert.ok(!existsSync(m.store));
		},
	},
	{
		name: "F12 T21 a key is 8 to 64 hexadecimal digits: get misses, set refuses, nothing leaves the store",
		run(context) {
			const m = new Memo(context);
			m.set("v");
			const before = readdirSync(m.dir);
			for (const key of ["../x", "../../../../x", "abc", "a".repeat(7), "a".repeat(65), "ABCDEF0123456789", "abcdefgh", "/etc/passwd", "", ".", "abcdef01/..", "abcdef0\n1"]) {
				const got = m.memo(["get", key]);
				assert.deepEqual([got.status, got.stdout], [1, ""], key);
				const set = m.memo(["set", key], { input: "v" });
				assert.equal(set.status, 2, key);
				assert.match(set.stderr, /a key is 8 to 64 hexadecimal digits/);
				assert.equal(m.memo(["rm", key]).status, 2, key);
			}
			assert.deepEqual(readdirSync(m.dir), before);
			assert.deepEqual(readdirSync(join(m.store, "memo")).filter((name) => name.endsWith(".json")), [`${KEY}.json`]);
			assert.equal(m.memo(["set", "abcdef01"], { input: "short" }).status, 0);
			assert.equal(m.memo(["get", "abcdef01"]).stdout, "short");
		},
	},
	{
		name: "F12 a link in the store's way is not followed",
		run(context) {
			const m = new Memo(context);
			m.set("v");
			m.write("secret", '{"value":"secret","expires_at":0}');
			const other = "ef".repeat(32);
			symlinkSync(m.path("secret"), m.file(other));
			const got = m.memo(["get", other]);
			assert.deepEqual([got.status, got.stdout], [1, ""]);
			assert.equal(m.memo(["set", other], { input: "mine" }).status, 0, "it is replaced");
			assert.equal(m.read("secret"), '{"value":"secret","expires_at":0}');
			rmSync(m.store, { recursive: true });
			mkdirSync(m.path("elsewhere"));
			symlinkSync(m.path("elsewhere"), m.store);
			assert.equal(m.memo(["set", KEY], { input: "v" }).status, 3);
			assert.deepEqual(readdirSync(m.path("elsewhere")), []);
		},
	},
	{
		name: "F13 the key is over what is really sent: variables that are filled in count",
		run(context) {
			const m = new Memo(context);
			const template = (name) => `Review {{file}}`.replace("{{file}}", name);
			const keys = new Set(["a.c", "b.c"].map((name) => m.key("--agent", "x", "--prompt", template(name))));
			assert.equal(keys.size, 2);
			// tools and temperature have no field in this key: hosts that have them use memo lookup
			const phase = (more) => JSON.parse(m.memo(["lookup"], { input: JSON.stringify({ phase: "p", cache: { scope: "cross-run" }, ...more }) }).stdout).key;
			assert.notEqual(phase({ with: { temperature: 0 } }), phase({ with: { temperature: 1 } }));
			assert.notEqual(phase({ tools: ["read"] }), phase({ tools: ["read", "bash"] }));
		},
	},
	{
		name: "get --ttl is the reader's own limit, and removes nothing",
		run(context) {
			const m = new Memo(context);
			m.foreign({ value: "v", expires_at: 0, createdAt: Date.now() - 3600_000 });
			assert.equal(m.why("--ttl", "30m"), "too-old");
			assert.equal(m.why("--ttl", "2h"), "hit");
			assert.equal(m.memo(["get", KEY, "--ttl", "0"]).status, 2);
		},
	},
	{
		name: "rm removes, and says by its status whether there was anything",
		run(context) {
			const m = new Memo(context);
			m.set("v");
			assert.equal(m.memo(["rm", KEY]).status, 0);
			assert.equal(m.memo(["rm", KEY]).status, 1);
			assert.equal(m.get(), undefined);
		},
	},
	{
		name: "a store that cannot be used is told, with status 3",
		run(context) {
			const m = new Memo(context);
			m.write("file", "x");
			for (const args of [["set", KEY], ["get", KEY], ["ls"]]) {
				const input = args[0] === "set" ? "v" : "";
				const { status, stderr } = m.memo([...args, "--store", "file"], { input });
				assert.equal(status, 3, args[0]);
				assert.match(stderr, /a link, or something that is not a directory/);
			}
		},
	},
	{
		name: "get opens no database, and starts no other program",
		run(context) {
			const m = new Memo(context);
			m.set("v");
			m.get();
			assert.deepEqual(readdirSync(m.store).filter((name) => name.startsWith("state")), []);
		},
	},
];
