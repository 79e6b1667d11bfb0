// `readcache cache`: one surface for versions, results and kept outputs.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Project } from "./project.mjs";

const HOUR = 3600;
const key = (n) => String(n).padStart(64, "0");

class Cache extends Project {
	constructor(context) {
		super(context);
		this.nameStore();
	}

	cache(args, options = {}) {
		return this.context.run(["cache", ...args], { cwd: this.dir, ...options });
	}

	json(...args) {
		const { status, stdout, stderr } = this.cache([...args, "--json"]);
		assert.equal(stderr, "");
		return { status, ...JSON.parse(stdout) };
	}

	file(n) {
		return join(this.store, "memo", `${key(n)}.json`);
	}

	/** A result that was kept and last used so many seconds ago. */
	keep(n, age = 0, record = {}) {
		const { status } = this.context.run(["memo", "set", key(n)], { cwd: this.dir, input: "value" });
		assert.equal(status, 0);
		if (Object.keys(record).length > 0) writeFileSync(this.file(n), JSON.stringify({ value: "value", expires_at: 0, ...record }));
		const when = Date.now() / 1000 - age;
		utimesSync(this.file(n), when, when);
	}

	/** An output that a stage has made; HOURS old. */
	output(text, hours) {
		this.write("in", text);
		const { status, stderr } = this.run(["--dep", "in", "--out", "out", "--", "cp", "in", "out"]);
		assert.equal(status, 0, stderr);
		assert.ok(existsSync(this.blob(text)));
		const when = Date.now() / 1000 - hours * HOUR;
		utimesSync(this.blob(text), when, when);
	}
}

export const tests = [
	{
		name: "store is the same command under its older name",
		run(context) {
			const c = new Cache(context);
			c.keep(1);
			for (const args of [["stats"], ["stats", "--json"], ["gc", "-n"], ["verify"], ["--help"]]) {
				const cache = context.run(["cache", ...args], { cwd: c.dir });
				assert.deepEqual(context.run(["store", ...args], { cwd: c.dir }), cache, args.join(" "));
				assert.equal(cache.status, 0);
			}
		},
	},
	{
		name: "stats counts versions, results and outputs, and changes nothing",
		run(context) {
			const c = new Cache(context);
			c.keep(1);
			c.keep(2);
			c.output("made\n", 0);
			const before = c.listing();
			const { records, outputs, database } = c.json("stats");
			assert.deepEqual(database, { dir: dirname(c.database()), bytes: statSync(c.database()).size });
			assert.deepEqual(outputs, { count: 1, bytes: 5 });
			assert.equal(records.count, readdirSync(join(c.store, "memo")).filter((name) => name.endsWith(".json")).length);
			const { stdout } = c.cache(["stats"]);
			assert.match(stdout, /^file versions +0$/m);
			assert.match(stdout, /^results +3 \([^)]* of at most 256 MiB\)$/m);
			assert.match(stdout, /^kept outputs +1 \(5 bytes, no limit\)$/m);
			assert.ok(stdout.includes(`database         ${dirname(c.database())} (`), stdout);
			assert.ok(context.run(["doctor"], { cwd: c.dir }).stdout.includes(`database   ${dirname(c.database())}: `));
			assert.deepEqual(c.listing(), before);
			assert.equal(c.json("clear").status, 0);
			assert.equal(c.json("stats").database, null, "clear removes it");
			assert.match(c.cache(["stats"]).stdout, /^database +none$/m);
		},
	},
	{
		name: "gc removes results that expired or were not used for too long; an hour is safe",
		run(context) {
			const c = new Cache(context);
			c.keep(1, 91 * 24 * HOUR);
			c.keep(2, 89 * 24 * HOUR);
			c.keep(3, 0, { expires_at: 1 });
			c.keep(4, 2 * HOUR);
			writeFileSync(c.file(5), "damaged");
			writeFileSync(c.file(6), "damaged");
			utimesSync(c.file(6), Date.now() / 1000 - 2 * HOUR, Date.now() / 1000 - 2 * HOUR);
			const told = c.json("gc", "-n");
			assert.equal(told.records.removed.count, 3);
			assert.ok([1, 2, 3, 4, 5, 6].every((n) => existsSync(c.file(n))), "a dry run removes nothing");
			const { stdout } = c.cache(["gc"]);
			assert.equal(stdout, "Nothing to remove of 0 file versions (0 bytes).\nRemoved 3 of 6 results and 0 of 0 kept outputs.\n");
			assert.match(c.cache(["gc"]).stdout, /\nNothing to remove of 3 results and 0 kept outputs\.\n$/);
			assert.deepEqual([1, 2, 3, 4, 5, 6].filter((n) => existsSync(c.file(n))), [2, 4, 5]);
		},
	},
	{
		name: "gc keeps the size: the least recently used results go first",
		run(context) {
			const c = new Cache(context);
			for (let n = 1; n <= 6; n++) c.keep(n, (10 - n) * HOUR);
			c.keep(7, 0);
			const size = statSync(c.file(1)).size;
			const { records } = c.json("gc", "--max-bytes", String(3 * size));
			assert.equal(records.removed.count, 4);
			assert.deepEqual([1, 2, 3, 4, 5, 6, 7].filter((n) => existsSync(c.file(n))), [5, 6, 7]);
			assert.equal(c.json("gc", "--max-bytes", "0").records.removed.count, 2, "what was used within the hour stays");
			assert.ok(existsSync(c.file(7)));
		},
	},
	{
		name: "being used is noted: what is asked for stays",
		run(context) {
			const c = new Cache(context);
			c.keep(1, 80 * 24 * HOUR);
			assert.equal(context.run(["memo", "get", key(1)], { cwd: c.dir }).status, 0);
			assert.equal(c.json("gc", "--max-age", "30").records.removed.count, 0);
			c.keep(2, 80 * 24 * HOUR);
			context.run(["memo", "ls"], { cwd: c.dir });
			assert.equal(c.json("gc", "--max-age", "30").records.removed.count, 1, "a listing is no use");
		},
	},
	{
		name: "a listing writes nothing, not even a lock of the state",
		run(context) {
			const c = new Cache(context);
			c.keep(1);
			c.output("made\n", 0);
			assert.ok(existsSync(c.database("state.mdb-lock")));
			for (const dir of [c.store, dirname(c.database())]) for (const name of readdirSync(dir)) utimesSync(join(dir, name), 1, 1);
			const before = c.listing();
			for (const args of [["memo", "ls"], ["memo", "ls", "--json"], ["cache", "stats"]]) {
				assert.equal(context.run(args, { cwd: c.dir }).status, 0);
				assert.deepEqual(c.listing(), before, args.join(" "));
			}
		},
	},
	{
		name: "gc removes outputs that no result and no stage refers to",
		async run(context) {
			const c = new Cache(context);
			c.output("one\n", 3);
			c.output("two\n", 3);
			// the time of change cannot be set back: only what is an hour old goes
			assert.equal(c.json("gc").outputs.removed.count, 0);
			assert.ok(existsSync(c.blob("one\n")) && existsSync(c.blob("two\n")));
			c.remove(".pi/readcache/memo");
			c.remove(".pi/readcache/stages");
			const { outputs } = c.json("gc", "-n");
			assert.deepEqual([outputs.count, outputs.removed.count], [2, 0], "young ones stay in any case");
		},
	},
	{
		name: "verify reads everything, names what is damaged, and removes it",
		run(context) {
			const c = new Cache(context);
			c.keep(1);
			c.keep(2);
			c.output("made\n", 0);
			assert.equal(c.cache(["verify"]).status, 0);
			writeFileSync(c.file(2), readFileSync(c.file(2), "utf8").replace("value", "other"));
			c.remove("out");
			c.context.run(["cache", "settings"], { cwd: c.dir });
			const blob = c.blob("made\n");
			writeFileSync(blob, "edit\n", { flag: "r+" });
			const told = c.json("verify", "-n");
			assert.deepEqual([told.status, told.damagedKept.length], [1, 2]);
			assert.ok(told.damagedKept.every((fault) => !fault.removed));
			const { status, stdout } = c.cache(["verify"]);
			assert.equal(status, 1);
			assert.match(stdout, new RegExp(`memo/${key(2)}.json: it is not what was written; removed`));
			assert.match(stdout, /objects\/[0-9a-f]{2}\/[0-9a-f]{62}: it is not what was written; removed/);
			assert.ok(!existsSync(blob) && !existsSync(c.file(2)) && existsSync(c.file(1)));
			assert.equal(c.cache(["verify"]).status, 0);
		},
	},
	{
		name: "clear removes all that the store made, follows no link, and leaves a store that works",
		run(context) {
			const c = new Cache(context);
			c.keep(1);
			c.output("made\n", 0);
			c.write("precious/file", "x");
			symlinkSync(c.path("precious"), join(c.store, "memo", "link"));
			const { removed, left } = c.json("clear");
			assert.ok(removed >= 4);
			assert.equal(left, 1, "the link");
			assert.equal(c.read("precious/file"), "x");
			assert.equal(c.read("out"), "made\n", "what was brought back into the tree stays");
			assert.deepEqual(readdirSync(join(c.store, "memo")), ["link"]);
			assert.equal(c.json("stats").outputs.count, 0);
			c.keep(1);
			assert.equal(context.run(["memo", "get", key(1)], { cwd: c.dir }).stdout, "value");
		},
	},
	{
		name: "W15 settings are shown and set in the user's file, and the rest of it stays",
		run(context) {
			const c = new Cache(context);
			const env = { XDG_CONFIG_HOME: c.path("xdg") };
			const file = c.path("xdg/readcache/config.json");
			const settings = (...args) => c.cache(["settings", ...args], { env });
			const shown = () => {
				const { v, file: path, ...values } = JSON.parse(settings("--json").stdout);
				return [v, path, values];
			};
			assert.deepEqual(shown(), [1, file, {
				ttl: { value: "24h", source: "default" },
				"iteration-mode": { value: "on", source: "default" },
				"checkout-mode": { value: "hardlink,symlink,copy", source: "default" },
			}]);
			for (const [name, value] of [["ttl", "48h"], ["iteration-mode", "off"], ["checkout-mode", "copy"]]) {
				const { status, stderr } = settings(name, value);
				assert.deepEqual([status, stderr], [0, ""]);
			}
			assert.match(settings("show").stdout, /^ttl +48h \(user\)\niteration-mode +off \(user\)\ncheckout-mode +copy \(user\)\n$/);
			writeFileSync(file, '{"policy":"coverage", "ttl":"1h",\n "exclude":["a", "b"]}');
			assert.equal(settings("ttl", "2d").status, 0);
			assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { policy: "coverage", exclude: ["a", "b"], ttl: "2d" });
			assert.equal(settings("ttl", "default").status, 0);
			assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { policy: "coverage", exclude: ["a", "b"] });
			const wrong = [
				[["ttl", "-5m"], '"-5m" is not an option, and no number here may be negative.'],
				[["ttl", "-5"], '"-5" is not an option, and no number here may be negative.'],
				[["ttl", "--", "-5m"], '"-5m" will not do: ttl is a number with its unit, as in 30m, 24h or 7d.'],
				[["ttl"], "ttl needs one value: a number with its unit, as in 30m, 24h or 7d."],
				[["iteration-mode", "on", "off"], "iteration-mode needs one value: on or off."],
				[["tll", "1h"], '"tll" is not ttl, iteration-mode or checkout-mode.'],
			];
			for (const [args, sentence] of wrong)
				assert.equal(settings(...args).stderr, `readcache: ${sentence} See readcache cache --help.\n`);
			for (const args of [["ttl", "soon"], ["iteration-mode", "maybe"], ["checkout-mode", "reflink"], ["tll", "1h"], ["ttl"], ["ttl", "1h", "2h"]]) {
				const { status, stderr } = settings(...args);
				assert.equal(status, 2, args.join(" "));
				assert.match(stderr, /^readcache: .*\. See readcache cache --help\.\n$/);
			}
			writeFileSync(file, "{ broken");
			const broken = settings("ttl", "1h");
			assert.equal(broken.status, 2);
			assert.match(broken.stderr, /it is no JSON object; mend it first/);
			assert.equal(readFileSync(file, "utf8"), "{ broken");
		},
	},
	{
		name: "a settings file that is a link stays one",
		run(context) {
			const c = new Cache(context);
			const file = c.path("xdg/readcache/config.json");
			mkdirSync(dirname(file), { recursive: true });
			c.write("dotfiles/readcache.json", "{}");
			symlinkSync(c.path("dotfiles/readcache.json"), file);
			assert.equal(c.cache(["settings", "ttl", "3h"], { env: { XDG_CONFIG_HOME: c.path("xdg") } }).status, 0);
			assert.deepEqual(JSON.parse(c.read("dotfiles/readcache.json")), { ttl: "3h" });
		},
	},
];
