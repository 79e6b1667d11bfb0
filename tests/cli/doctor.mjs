// `readcache doctor`: what is there, and what to do next.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A session in which nothing was read yet; without one nothing is kept. */
const EMPTY = { entries: [], leafId: null };

/**
 * A machine on which everything is installed: the program in <prefix>/bin, the extension in
 * <prefix>/share, pi on PATH, and the extension in pi's settings.
 */
function machine(context) {
	const at = (...parts) => join(context.dir, ...parts);
	for (const dir of ["home/.pi/agent", "prefix/bin", "prefix/share/readcache/pi", "tools", "project/.pi"])
		mkdirSync(at(dir), { recursive: true });
	const it = {
		program: at("prefix/bin/readcache"),
		extension: at("prefix/share/readcache/pi"),
		pi: at("tools/pi"),
		settings: at("home/.pi/agent/settings.json"),
		cwd: at("project"),
		env: { HOME: at("home"), PATH: at("tools"), XDG_CONFIG_HOME: at("xdg") },
	};
	for (const name of ["READCACHE_BIN", "READCACHE_MODE", "READCACHE_BIND", "PI_CODING_AGENT_DIR"]) it.env[name] = "";
	copyFileSync(context.binary, it.program);
	writeFileSync(join(it.extension, "package.json"), '{"name":"pi-readcache"}');
	// running it would leave a file behind
	writeFileSync(it.pi, `#!/bin/sh\necho run > ${at("pi-was-run")}\nexit 3\n`, { mode: 0o755 });
	it.list = (...packages) => writeFileSync(it.settings, JSON.stringify({ theme: "dark", packages }));
	it.list("../../../prefix/share/readcache/pi");
	// the copy, since it looks for what lies beside it
	it.run = (args = [], env = {}) =>
		spawnSync(it.program, ["doctor", ...args], {
			cwd: it.cwd,
			env: { ...process.env, ...it.env, ...env },
			encoding: "utf8",
		});
	it.json = (env) => {
		const { status, stdout, stderr } = it.run(["--json"], env);
		assert.equal(stderr, "");
		return { status, ...JSON.parse(stdout) };
	};
	/** Exactly these things are to be done, in this order. */
	it.needs = (env, ...patterns) => {
		const found = it.json(env);
		assert.equal(found.todo.length, patterns.length, JSON.stringify(found.todo, null, 1));
		patterns.forEach((pattern, index) => assert.match(found.todo[index], pattern));
		assert.equal(found.status, patterns.length ? 1 : 0);
		const text = it.run([], env);
		assert.equal(text.status, found.status);
		for (const line of found.todo) assert.ok(text.stdout.includes(`  ${line}\n`));
		return found;
	};
	return it;
}

export const tests = [
	{
		name: "--help begins with examples",
		run(context) {
			const { status, stdout } = context.run(["doctor", "-h"]);
			assert.equal(status, 0);
			assert.match(stdout, /^Examples:\n {2}readcache doctor /);
		},
	},
	{
		name: "all is well where everything is installed",
		run(context) {
			const it = machine(context);
			const found = it.needs({});
			assert.equal(found.v, 1);
			assert.equal(found.protocol, 1);
			assert.equal(found.program, it.program);
			assert.equal(found.pi, it.pi);
			assert.deepEqual(found.extension, {
				beside: it.extension,
				user: "../../../prefix/share/readcache/pi",
				project: null,
			});
			assert.deepEqual(found.store, {
				dir: join(it.cwd, ".pi/readcache"),
				state: "absent",
				objects: 0,
				bytes: 0,
				maxBytes: 256 * 1024 * 1024,
				database: null,
			});
			const version = context.run(["--version"]).stdout;
			assert.equal(version, `readcache ${found.version} (protocol ${found.protocol})\n`);
			const { stdout } = it.run();
			assert.match(stdout, /^readcache +\S+, protocol 1$/m);
			assert.match(found.builtWith, /^OpenSSL \d\S*, utf8proc [\d.]+, LMDB [\d.]+(?:, glibc [\d.]+)?$/);
			assert.ok(stdout.includes(`\nbuilt with ${found.builtWith}\n`), stdout);
			assert.match(stdout, /^settings +the defaults; policy pieces, bind override$/m);
			assert.match(stdout, /\nAll is well\.\n$/);
		},
	},
	{
		name: "pi is looked for, not run",
		run(context) {
			const it = machine(context);
			it.needs({ PATH: join(context.dir, "nowhere") }, /^Install pi, or add its directory to PATH/);
			it.needs({ PATH: "" }, /^Install pi/);
			it.needs({ PATH: `.:${join(context.dir, "tools")}` });
			assert.equal(existsSync(join(context.dir, "pi-was-run")), false);
		},
	},
	{
		name: "an extension that pi does not load yet is to be installed",
		run(context) {
			const it = machine(context);
			it.list("npm:something-else");
			it.needs({}, new RegExp(`^pi install ${it.extension}: pi does not load the extension yet`));
			rmSync(it.settings);
			it.needs({}, /^pi install /);
		},
	},
	{
		name: "the extension is found in every form pi lists it",
		run(context) {
			const it = machine(context);
			const forms = [
				it.extension,
				"~/../prefix/share/readcache/pi/",
				{ source: it.extension, skills: [] },
				"npm:pi-readcache",
				"npm:pi-readcache@0.1.0",
				"npm:@somebody/pi-readcache@1",
				"git:github.com/somebody/pi-readcache@v1",
				"https://example.org/somebody/pi-readcache.git",
			];
			for (const form of forms) {
				it.list("npm:other", form);
				assert.equal(it.needs({}).extension.user, form.source ?? form);
			}
			for (const form of ["npm:pi-readcache-tools", "npm:other@pi-readcache", "/somewhere/pi", 7]) {
				it.list(form);
				it.needs({}, /^pi install /);
			}
		},
	},
	{
		name: "a checkout is known by its package.json, and a project may list it",
		run(context) {
			const it = machine(context);
			const checkout = join(context.dir, "src", "extension");
			mkdirSync(checkout, { recursive: true });
			writeFileSync(join(checkout, "package.json"), '{"name":"pi-readcache"}');
			it.list(checkout);
			it.needs({});
			rmSync(it.settings);
			writeFileSync(join(it.cwd, ".pi/settings.json"), '{"packages":["../../src/extension"]}');
			assert.equal(it.needs({}).extension.project, "../../src/extension");
		},
	},
	{
		name: "a listed extension that is gone is to be removed",
		run(context) {
			const it = machine(context);
			it.list("/old/prefix/share/readcache/pi");
			it.needs({}, /^pi remove \/old\/prefix\/share\/readcache\/pi: /, /^pi install /);
			rmSync(it.extension, { recursive: true });
			it.needs({}, /^pi remove /, /^Install the extension: /);
		},
	},
	{
		name: "PI_CODING_AGENT_DIR is where pi's settings are",
		run(context) {
			const it = machine(context);
			const agent = join(context.dir, "agent");
			mkdirSync(agent);
			it.needs({ PI_CODING_AGENT_DIR: agent }, /^pi install /);
			writeFileSync(join(agent, "settings.json"), '{"packages":["../prefix/share/readcache/pi"]}');
			it.needs({ PI_CODING_AGENT_DIR: agent });
		},
	},
	{
		name: "settings of pi that cannot be understood are told",
		run(context) {
			const it = machine(context);
			writeFileSync(it.settings, "{");
			it.needs({}, new RegExp(`^Mend ${it.settings}: it is no JSON object`), /^pi install /);
		},
	},
	{
		name: "the environment that switches readcache off is told",
		run(context) {
			const it = machine(context);
			it.needs({ READCACHE_MODE: "off" }, /^Unset READCACHE_MODE/);
			it.needs({ READCACHE_BIN: "/no/such/program" }, /^Set READCACHE_BIN .*: \/no\/such\/program cannot be run/);
			it.needs({ READCACHE_BIN: it.program });
		},
	},
	{
		name: "a store that cannot be used is told with the reason",
		run(context) {
			const it = machine(context);
			writeFileSync(join(it.cwd, ".pi/readcache"), "a file");
			const found = it.needs({}, /^The store .*\/\.pi\/readcache cannot be used: a link, or something that is not a directory/);
			assert.equal(found.store.state, "unusable");
			rmSync(join(it.cwd, ".pi/readcache"));
			mkdirSync(join(it.cwd, ".pi/readcache"));
			writeFileSync(join(it.cwd, ".pi/readcache/diary.txt"), "mine");
			it.needs({}, /cannot be used: it holds other things than a store/);
		},
	},
	{
		name: "objects are counted, and a store over its limit is told",
		run(context) {
			const it = machine(context);
			writeFileSync(join(it.cwd, "a.txt"), "text\n");
			const input = JSON.stringify({ v: 1, op: "read", cwd: it.cwd, params: { path: "a.txt" }, session: EMPTY });
			assert.equal(context.run([], { cwd: it.cwd, env: it.env, input }).status, 0);
			assert.equal(it.needs({}).store.objects, 1);
			writeFileSync(join(it.cwd, ".pi/readcache.json"), '{"storeMaxBytes":4}');
			it.needs({}, /^readcache store gc: the store is over its limit/);
		},
	},
	{
		name: "settings that are not used lead to readcache config, last",
		run(context) {
			const it = machine(context);
			writeFileSync(join(it.cwd, ".pi/readcache.json"), '{"store":"/tmp/x"}');
			it.list();
			const found = it.needs({ PATH: "" }, /^Install pi/, /^pi install /, /^readcache config: /);
			assert.equal(found.config.remarks, 1);
			assert.equal(found.config.project, join(it.cwd, ".pi/readcache.json"));
		},
	},
];
