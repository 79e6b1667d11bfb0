// `readcache config`: what is in force, and who has said so.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A home, a project, and the two settings files; a string is written as it is, a value as JSON. */
function world(context, { user, project } = {}) {
	const home = join(context.dir, "home");
	const cwd = join(context.dir, "project");
	const files = {
		user: join(home, ".config", "readcache", "config.json"),
		project: join(cwd, ".pi", "readcache.json"),
	};
	mkdirSync(join(home, ".config", "readcache"), { recursive: true });
	mkdirSync(join(cwd, ".pi"), { recursive: true });
	const put = (file, value) => {
		if (value !== undefined) writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
	};
	put(files.user, user);
	put(files.project, project);
	const env = { HOME: home, XDG_CONFIG_HOME: "", READCACHE_BIND: "" };
	const run = (args = [], more = {}) => {
		const result = context.run(["config", ...args], { cwd, env: { ...env, ...more } });
		assert.equal(result.status, 0, result.stderr);
		assert.equal(result.stderr, "");
		return result.stdout;
	};
	return { home, cwd, files, run, json: (more) => JSON.parse(run(["--json"], more)) };
}

/** The remarks about FILE, joined. */
const said = (config, file) =>
	config.remarks
		.filter((remark) => remark.file === file)
		.map((remark) => remark.text)
		.join("\n");

const DEFAULTS = {
	policy: { value: "pieces", source: "default" },
	repeat: { value: 3, source: "default" },
	exclude: [],
	diff: {
		maxBytes: { value: 2 * 1024 * 1024, source: "default" },
		maxLines: { value: 12000, source: "default" },
	},
	storeMaxBytes: { value: 256 * 1024 * 1024, source: "default" },
	storeMaxAgeDays: { value: 90, source: "default" },
	bind: { value: "override", source: "default" },
	ttl: { value: "24h", source: "default" },
	iterationMode: { value: "on", source: "default" },
	checkoutMode: { value: "hardlink,symlink,copy", source: "default" },
};

export const tests = [
	{
		name: "--help begins with examples and shows a file to copy",
		run(context) {
			const { status, stdout } = context.run(["config", "--help"]);
			assert.equal(status, 0);
			assert.match(stdout, /^Examples:\n {2}readcache config /);
			// the file in the help must be one that is understood
			const example = /^ {2}\{\n[^]*?^ {2}\}\n/m.exec(stdout)[0];
			const config = world(context, { user: example }).json();
			assert.deepEqual(config.remarks, []);
			assert.equal(config.settings.policy.source, "user");
			assert.equal(config.settings.exclude.length, 2);
		},
	},
	{
		name: "without files the defaults are in force",
		run(context) {
			const { json, run, files, cwd } = world(context);
			const config = json();
			assert.equal(config.v, 1);
			assert.deepEqual(config.settings, {
				...DEFAULTS,
				store: { value: join(cwd, ".pi", "readcache"), source: "default" },
			});
			assert.deepEqual(config.files, {
				user: { path: files.user, state: "absent" },
				project: { path: files.project, state: "absent" },
			});
			assert.deepEqual(config.remarks, []);
			assert.match(run(), /^policy +default +pieces$/m);
			assert.match(run(), /^diff\.maxBytes +default +2097152 \(2 MiB\)$/m);
		},
	},
	{
		name: "the user's file may set everything",
		run(context) {
			const { json, home } = world(context, {
				user: {
					policy: "strict",
					repeat: 100,
					exclude: ["*.secret", "private/"],
					diff: { maxBytes: 10_000_000, maxLines: 50_000 },
					store: "~/.cache/readcache",
					storeMaxBytes: 1,
					storeMaxAgeDays: 400,
					bind: "tool_result",
					ttl: "48h",
					iterationMode: "off",
					checkoutMode: "copy,symlink",
				},
			});
			const { settings, remarks } = json();
			assert.deepEqual(remarks, []);
			assert.deepEqual(settings, {
				policy: { value: "strict", source: "user" },
				repeat: { value: 100, source: "user" },
				exclude: [
					{ value: "*.secret", source: "user" },
					{ value: "private/", source: "user" },
				],
				diff: {
					maxBytes: { value: 10_000_000, source: "user" },
					maxLines: { value: 50_000, source: "user" },
				},
				store: { value: join(home, ".cache/readcache"), source: "user" },
				storeMaxBytes: { value: 1, source: "user" },
				storeMaxAgeDays: { value: 400, source: "user" },
				bind: { value: "tool_result", source: "user" },
				ttl: { value: "48h", source: "user" },
				iterationMode: { value: "off", source: "user" },
				checkoutMode: { value: "copy,symlink", source: "user" },
			});
		},
	},
	{
		name: "a project's file tightens",
		run(context) {
			const { json } = world(context, {
				user: { policy: "coverage", exclude: ["a"], diff: { maxLines: 100 } },
				project: { policy: "strict", exclude: ["b"], diff: { maxLines: 99 }, storeMaxBytes: 0, storeMaxAgeDays: 7 },
			});
			const { settings, remarks } = json();
			assert.deepEqual(remarks, []);
			assert.deepEqual(settings.policy, { value: "strict", source: "project" });
			assert.deepEqual(settings.exclude, [
				{ value: "a", source: "user" },
				{ value: "b", source: "project" },
			]);
			assert.deepEqual(settings.diff.maxLines, { value: 99, source: "project" });
			assert.deepEqual(settings.storeMaxBytes, { value: 0, source: "project" });
			assert.deepEqual(settings.storeMaxAgeDays, { value: 7, source: "project" });
		},
	},
	{
		name: "a project's file cannot loosen anything, and it is said why",
		run(context) {
			const { json, files, cwd } = world(context, {
				user: { policy: "strict" },
				project: {
					policy: "coverage",
					exclude: [],
					diff: { maxBytes: 2 ** 40, maxLines: 12001 },
					store: "/tmp/stolen",
					storeMaxBytes: 2 ** 50,
					storeMaxAgeDays: 91,
					repeat: 4,
					bind: "tool_result",
					ttl: "1h",
					iterationMode: "off",
					checkoutMode: "copy",
				},
			});
			const config = json();
			assert.deepEqual(config.settings, {
				...DEFAULTS,
				policy: { value: "strict", source: "user" },
				store: { value: join(cwd, ".pi", "readcache"), source: "default" },
			});
			const remarks = said(config, files.project);
			const names = ["policy", "diff.maxBytes", "diff.maxLines", "store", "storeMaxBytes", "storeMaxAgeDays", "bind"];
			names.push("repeat", "ttl", "iterationMode", "checkoutMode");
			assert.equal(config.remarks.length, names.length);
			for (const name of names)
				assert.ok(remarks.includes(`"${name}"`), `${name}: ${remarks}`);
		},
	},
	{
		name: "settings of the work cache that mean nothing are told",
		run(context) {
			const wrong = [
				["ttl", ["0", "5", "soon", "-1h", 24]],
				["iterationMode", ["yes", "", true]],
				["checkoutMode", ["", "reflink", "copy,copy", "copy,", "copy symlink", ["copy"]]],
			];
			for (const [name, values] of wrong)
				for (const value of values) {
					const { json, files } = world(context, { user: { [name]: value } });
					const config = json();
					assert.deepEqual(config.settings[name], DEFAULTS[name], `${name} ${value}`);
					assert.ok(said(config, files.user).startsWith(`"${name}" must be `), `${name} ${value}`);
				}
		},
	},
	{
		name: "names that nobody knows are told, and the rest counts",
		run(context) {
			const { json, files, run } = world(context, { user: { storeMaxByte: 5, storeMaxBytes: 6 } });
			const config = json();
			assert.equal(said(config, files.user), '"storeMaxByte" is not a setting; it is ignored.');
			assert.equal(config.settings.storeMaxBytes.value, 6);
			assert.ok(run().includes(`${files.user}: "storeMaxByte" is not a setting; it is ignored.\n`));
		},
	},
	{
		name: "a project's file cannot write on the terminal",
		run(context) {
			const { run } = world(context, { project: { "\u001b[2J": 1, exclude: ["\u001b]0;title\u0007"] } });
			assert.doesNotMatch(run(), /[\u0000-\u0009\u000b-\u001f]/);
			assert.match(run(), /\\x1b\[2J/);
		},
	},
	{
		name: "an unusable user's file is told and the defaults are used",
		run(context) {
			const { json, files } = world(context, { user: '{"policy":"strict"' });
			const config = json();
			assert.equal(config.files.user.state, "ignored");
			assert.equal(said(config, files.user), "it is not valid JSON; it is ignored.");
			assert.deepEqual(config.settings.policy, DEFAULTS.policy);
		},
	},
	{
		name: "XDG_CONFIG_HOME counts if it is absolute",
		run(context) {
			const { json, files } = world(context, { user: { storeMaxBytes: 1 } });
			const xdg = join(context.dir, "xdg");
			mkdirSync(join(xdg, "readcache"), { recursive: true });
			writeFileSync(join(xdg, "readcache", "config.json"), '{"storeMaxBytes":2}');
			assert.equal(json({ XDG_CONFIG_HOME: xdg }).settings.storeMaxBytes.value, 2);
			const relative = json({ XDG_CONFIG_HOME: "../xdg" });
			assert.equal(relative.settings.storeMaxBytes.value, 1);
			assert.equal(relative.files.user.path, files.user);
		},
	},
	{
		name: "the project's file is never reached through a link",
		run(context) {
			const { json, files, cwd } = world(context, { project: { storeMaxBytes: 1 } });
			const aside = join(context.dir, "aside.json");
			renameSync(files.project, aside);
			symlinkSync(aside, files.project);
			const linked = json();
			assert.equal(linked.files.project.state, "ignored");
			assert.match(said(linked, files.project), /symbolic link/);
			assert.equal(linked.settings.storeMaxBytes.source, "default");
			// and not through a linked .pi either
			rmSync(files.project);
			renameSync(aside, files.project);
			renameSync(join(cwd, ".pi"), join(context.dir, "pi"));
			symlinkSync(join(context.dir, "pi"), join(cwd, ".pi"));
			const through = json();
			assert.equal(through.files.project.state, "ignored");
			assert.match(said(through, files.project), /\.pi is a symbolic link/);
			assert.equal(through.settings.storeMaxBytes.source, "default");
		},
	},
	{
		name: "a project's file over 64 KiB is ignored",
		run(context) {
			const good = '{"storeMaxBytes":1}'.padEnd(65536);
			const { json, files } = world(context, { project: good });
			assert.equal(json().settings.storeMaxBytes.value, 1);
			writeFileSync(files.project, good + " ");
			assert.equal(json().settings.storeMaxBytes.source, "default");
			assert.match(said(json(), files.project), /larger than 64 KiB/);
		},
	},
	{
		name: "what cannot be read is told with the system's reason",
		run(context) {
			if (process.getuid?.() === 0) context.skip("root reads everything");
			const { json, files } = world(context, { user: { storeMaxBytes: 1 } });
			chmodSync(files.user, 0);
			assert.match(said(json(), files.user), /Permission denied/);
		},
	},
	{
		name: "READCACHE_BIND decides before the file",
		run(context) {
			const { json } = world(context, { user: { bind: "override" } });
			assert.deepEqual(json({ READCACHE_BIND: "tool_result" }).settings.bind, {
				value: "tool_result",
				source: "environment",
			});
			const wrong = json({ READCACHE_BIND: "nonsense" });
			assert.equal(wrong.settings.bind.value, "override");
			assert.equal(wrong.remarks[0].file, "READCACHE_BIND");
		},
	},
	{
		name: "arguments it does not have are refused",
		run(context) {
			for (const args of [["show"], ["--yaml"], ["-x"]]) {
				const { status, stdout, stderr } = context.run(["config", ...args]);
				assert.equal(status, 2);
				assert.equal(stdout, "");
				assert.match(stderr, /^readcache: (config takes no arguments|there is no option --?[a-z]+)\. See readcache config --help\.\n$/);
			}
		},
	},
];
