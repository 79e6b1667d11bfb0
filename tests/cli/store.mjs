// `readcache store`: what is kept, is it intact, and does it stay within its limit.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** A session in which nothing was read yet; without one nothing is kept. */
const EMPTY = { entries: [], leafId: null };

/** The settings and the home of a user who has set nothing. */
function env(context) {
	return { HOME: join(context.dir, "home"), XDG_CONFIG_HOME: join(context.dir, "xdg"), TZ: "UTC" };
}

/** A project in which texts were read, each so many seconds ago. */
function project(context, texts = {}) {
	const cwd = join(context.dir, "project");
	mkdirSync(cwd);
	const world = { cwd, store: join(cwd, ".pi", "readcache") };
	world.run = (...args) => context.run(["store", ...args], { cwd, env: env(context) });
	world.json = (...args) => {
		const run = world.run(...args, "--json");
		assert.equal(run.stderr, "");
		return { status: run.status, ...JSON.parse(run.stdout) };
	};
	world.object = (text) => join(world.store, "objects", objectName(text));
	world.read = (text) => {
		writeFileSync(join(cwd, "a.txt"), text);
		const request = { v: 1, op: "read", cwd, params: { path: "a.txt" }, session: EMPTY };
		const run = context.run([], { cwd, env: env(context), input: JSON.stringify(request) });
		assert.equal(run.status, 0, run.stdout + run.stderr);
		assert.equal(JSON.parse(run.stdout).result.content[0].text, text);
	};
	for (const [text, age] of Object.entries(texts)) {
		world.read(text);
		setAge(world.object(text), age);
	}
	return world;
}

function objectName(text) {
	return `sha256-${createHash("sha256").update(text).digest("hex")}.txt`;
}

function setAge(file, seconds) {
	const when = Date.now() / 1000 - seconds;
	utimesSync(file, when, when);
}

const THREE = { "one\n": 30 * HOUR, "three\n": 20 * HOUR, "two\n": 10 * HOUR };

export const tests = [
	{
		name: "--help begins with examples and tells the exit statuses",
		run(context) {
			const { status, stdout, stderr } = context.run(["store", "--help"]);
			assert.equal(status, 0);
			assert.equal(stderr, "");
			assert.match(stdout, /^Examples:\n {2}readcache cache stats/);
			assert.match(stdout, /Exit status:\n {2}0 {2}/);
		},
	},
	{
		name: "what cannot be meant is refused with a sentence",
		run(context) {
			const world = project(context);
			const wrong = {
				"": /say what to do: stats, verify, gc, clear, adopt or settings/,
				"clean": /"clean" is not stats, verify, gc, clear, adopt or settings/,
				"gc now": /"now" is one argument too many/,
				"stats -n": /--dry-run is for verify and gc/,
				"verify --max-bytes 1": /--max-bytes is for gc only/,
				"gc --max-bytes 1T": /"1T" is not a number of bytes/,
				"gc --max-bytes -1": /"-1" is not a number of bytes/,
				"gc --max-bytes": /--max-bytes needs a value/,
				"stats --max-age 1": /--max-age is for gc only/,
				"gc --max-age -1": /"-1" is not a number of days/,
				"gc --max-age 1d": /"1d" is not a number of days/,
				"gc --force": /there is no option --force/,
				"gc -nx": /there is no option -x/,
			};
			for (const [line, message] of Object.entries(wrong)) {
				const run = world.run(...line.split(" ").filter(Boolean));
				assert.equal(run.status, 2, line);
				assert.equal(run.stdout, "", line);
				assert.match(run.stderr, message);
				assert.match(run.stderr, /^readcache: [^\n]*\. See readcache store --help\.\n$/);
			}
		},
	},
	{
		name: "where nothing was read yet there is no store, and none is made",
		run(context) {
			const world = project(context);
			for (const action of ["stats", "verify", "gc"]) {
				const run = world.run(action);
				assert.equal(run.status, 0);
				assert.equal(run.stdout, `There is no store at ${world.store} yet; what is kept first makes it.\n`);
			}
			assert.equal(world.json("stats").state, "absent");
			assert.deepEqual(readdirSync(world.cwd), []);
		},
	},
	{
		name: "stats counts objects, bytes, times and temporary files",
		run(context) {
			const world = project(context, THREE);
			writeFileSync(join(world.store, "tmp", "0".repeat(32)), "half");
			const stats = world.json("stats");
			assert.equal(stats.v, 1);
			assert.equal(stats.store, world.store);
			assert.equal(stats.state, "ready");
			assert.equal(stats.objects, 3);
			assert.equal(stats.bytes, 4 + 4 + 6);
			assert.equal(stats.maxBytes, 256 * 1024 * 1024);
			assert.ok(Math.abs(Date.now() - stats.oldest - 30 * HOUR * 1000) < 60000);
			assert.ok(Math.abs(Date.now() - stats.newest - 10 * HOUR * 1000) < 60000);
			assert.equal(stats.tempFiles, 1);
			assert.equal(stats.tempBytes, 4);
			const { stdout } = world.run("stats");
			assert.match(stdout, /^file versions +3$/m);
			assert.match(stdout, /^size +14 bytes of at most 256 MiB$/m);
			assert.match(stdout, /^temporary files +1$/m);
		},
	},
	{
		name: "gc removes what was used longest ago, until the limit is kept",
		run(context) {
			const world = project(context, THREE);
			const told = world.json("gc", "--max-bytes", "10", "--dry-run");
			assert.equal(told.dryRun, true);
			assert.deepEqual(told.removed, { count: 1, bytes: 4 });
			assert.ok(existsSync(world.object("one\n")), "--dry-run removes nothing");
			assert.match(world.run("gc", "-n", "--max-bytes", "10").stdout, /^Would remove 1 file version \(4 bytes\) .* would be left\.\n$/);
			const run = world.run("gc", "--max-bytes", "10");
			assert.equal(run.status, 0);
			assert.equal(
				run.stdout,
				"Removed 1 file version (4 bytes) and 0 old temporary files (0 bytes); 2 file versions (10 bytes) left.\n",
			);
			assert.ok(!existsSync(world.object("one\n")), "the oldest is gone");
			assert.ok(existsSync(world.object("three\n")) && existsSync(world.object("two\n")));
			assert.equal(world.run("gc", "--max-bytes", "1K").stdout, "Nothing to remove of 2 file versions (10 bytes).\n");
		},
	},
	{
		name: "gc keeps what was used within the last hour, and says so",
		run(context) {
			const world = project(context, { "one\n": HOUR - 60, "two\n": 2 * HOUR });
			const { status, stdout } = world.run("gc", "--max-bytes", "0");
			assert.equal(status, 0);
			assert.match(stdout, /over the limit of 0 bytes: what was used within the last hour stays/);
			assert.deepEqual(readdirSync(join(world.store, "objects")), [objectName("one\n")]);
		},
	},
	{
		name: "gc removes temporary files of more than an hour, and only those",
		run(context) {
			const world = project(context, THREE);
			const [old, fresh, foreign] = ["1".repeat(32), "2".repeat(32), "notes.txt"];
			for (const name of [old, fresh, foreign]) writeFileSync(join(world.store, "tmp", name), "x");
			setAge(join(world.store, "tmp", old), 2 * HOUR);
			setAge(join(world.store, "tmp", foreign), 2 * HOUR);
			assert.deepEqual(world.json("gc").tempFiles, { count: 1, bytes: 1 });
			assert.deepEqual(readdirSync(join(world.store, "tmp")).sort(), [fresh, foreign].sort());
			assert.equal(readdirSync(join(world.store, "objects")).length, 3);
		},
	},
	{
		name: "gc removes what was not used for as many days as the settings or --max-age say",
		run(context) {
			const world = project(context, { "one\n": 91 * DAY, "three\n": 89 * DAY, "two\n": 2 * DAY });
			const gc = world.json("gc");
			assert.equal(gc.maxAgeDays, 90);
			assert.deepEqual(gc.removed, { count: 1, bytes: 4 });
			assert.ok(!existsSync(world.object("one\n")));
			writeFileSync(join(world.cwd, ".pi", "readcache.json"), '{"storeMaxAgeDays":60}');
			assert.deepEqual(world.json("gc", "-n").removed, { count: 1, bytes: 6 });
			assert.deepEqual(world.json("gc", "--max-age", "89").removed, { count: 1, bytes: 6 });
			assert.deepEqual(world.json("gc", "--max-age", "3").removed, { count: 0, bytes: 0 });
			assert.deepEqual(readdirSync(join(world.store, "objects")), [objectName("two\n")]);
		},
	},
	{
		name: "a read that keeps something runs gc by itself, an hour after the last one",
		run(context) {
			const world = project(context, THREE);
			const stamp = join(world.store, "last-gc");
			const kept = () => readdirSync(join(world.store, "objects")).sort();
			const before = kept();
			mkdirSync(join(world.cwd, ".pi"), { recursive: true });
			writeFileSync(join(world.cwd, ".pi", "readcache.json"), '{"storeMaxBytes":0}');
			setAge(stamp, HOUR - 60);
			world.read("four\n");
			assert.deepEqual(kept(), [...before, objectName("four\n")].sort(), "too early");
			setAge(stamp, HOUR + 60);
			world.read("four\n");
			assert.equal(kept().length, 4, "nothing new was kept");
			world.read("five\n");
			assert.deepEqual(kept(), [objectName("five\n"), objectName("four\n")].sort(), "only the last hour's are left");
			setAge(world.object("four\n"), 5 * HOUR);
			world.read("six\n");
			assert.ok(existsSync(world.object("four\n")), "the hour began anew");
		},
	},
	{
		name: "the limit of the settings is gc's limit",
		run(context) {
			const world = project(context, THREE);
			writeFileSync(join(world.cwd, ".pi", "readcache.json"), '{"storeMaxBytes":4}');
			assert.match(world.run("stats").stdout, /^size +14 bytes, over the limit of 4 bytes$/m);
			const gc = world.json("gc");
			assert.equal(gc.maxBytes, 4);
			assert.deepEqual(gc.after, { count: 1, bytes: 4 });
			assert.ok(existsSync(world.object("two\n")));
		},
	},
	{
		name: "after gc a read is answered as before, only without a diff",
		run(context) {
			const world = project(context, THREE);
			world.run("gc", "--max-bytes", "0");
			const request = { v: 1, op: "read", cwd: world.cwd, params: { path: "a.txt" }, session: EMPTY };
			const run = context.run([], { cwd: world.cwd, env: env(context), input: JSON.stringify(request) });
			assert.equal(JSON.parse(run.stdout).result.content[0].text, "two\n");
		},
	},
	{
		name: "verify names damaged objects, removes them, and exits with 1",
		run(context) {
			const world = project(context, THREE);
			writeFileSync(world.object("two\n"), "TWO\n");
			const told = world.json("verify", "-n");
			assert.equal(told.status, 1);
			assert.equal(told.objects, 3);
			assert.deepEqual(told.damaged, [
				{ name: objectName("two\n"), why: "its bytes have another hash", removed: false },
			]);
			assert.ok(existsSync(world.object("two\n")), "--dry-run removes nothing");
			const run = world.run("verify");
			assert.equal(run.status, 1);
			assert.equal(
				run.stdout,
				`${objectName("two\n")}: its bytes have another hash; removed.\n` + "3 file versions (14 bytes) checked, 1 damaged.\n",
			);
			assert.ok(!existsSync(world.object("two\n")));
			const again = world.run("verify");
			assert.equal(again.status, 0);
			assert.equal(again.stdout, "2 file versions (10 bytes) checked, 0 damaged.\n");
		},
	},
	{
		name: "--store names another store; what is none is left alone",
		run(context) {
			const world = project(context, THREE);
			const elsewhere = { cwd: context.dir, env: env(context) };
			const stats = context.run(["store", "stats", "--json", "--store", "project/.pi/readcache"], elsewhere);
			assert.equal(JSON.parse(stats.stdout).objects, 3);
			const mine = join(context.dir, "mine");
			mkdirSync(mine);
			writeFileSync(join(mine, "diary.txt"), "dear diary");
			const link = join(context.dir, "link");
			symlinkSync(world.store, link);
			const refused = {
				[mine]: /holds other things than a store/,
				[join(context.dir, "nowhere")]: /there is no such directory/,
				[context.dir]: /cannot be the current directory or one above/,
				[link]: /a link, or something that is not a directory/,
				[join(mine, "diary.txt")]: /a link, or something that is not a directory/,
			};
			for (const [dir, why] of Object.entries(refused))
				for (const action of ["stats", "verify", "gc"]) {
					const run = context.run(["store", action, "--store", dir], elsewhere);
					assert.equal(run.status, 2, `${action} ${dir}`);
					assert.equal(run.stdout, "");
					assert.match(run.stderr, why);
				}
			assert.deepEqual(readdirSync(mine), ["diary.txt"]);
			assert.equal(readdirSync(join(world.store, "objects")).length, 3);
		},
	},
	{
		name: "the store of the user's settings is the one that is looked at",
		run(context) {
			const world = project(context, THREE);
			const home = env(context).HOME;
			mkdirSync(join(context.dir, "xdg", "readcache"), { recursive: true });
			mkdirSync(home);
			writeFileSync(join(context.dir, "xdg", "readcache", "config.json"), '{"store":"~/cache"}');
			const stats = world.json("stats");
			assert.equal(stats.store, join(home, "cache"));
			assert.equal(stats.state, "absent");
		},
	},
];
