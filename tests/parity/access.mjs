// What may not be read. Root may read everything, so it becomes somebody else
// once the hosts are loaded.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, Engine } from "../lib/engine.mjs";
import { expectations, judge, loadHosts, shown } from "./oracle.mjs";

const nobody = 65534;

// [directory, mode of it, name, mode of the file]
const files = [
	[".", 0o755, "none", 0o000],
	[".", 0o755, "writeonly", 0o200],
	[".", 0o755, "execonly", 0o111],
	[".", 0o755, "open", 0o644],
	[".", 0o755, "it\u2019s", 0o000],
	[".", 0o755, "e\u0301", 0o000],
	["closed", 0o000, "f", 0o644],
	["listonly", 0o444, "f", 0o644],
	["searchonly", 0o111, "f", 0o644],
	["searchonly", 0o111, "none", 0o000],
	["it's", 0o000, "f", 0o644],
	["it\u2019s.d", 0o755, "f", 0o644],
];

function build(root) {
	for (const [dir, , name, mode] of files) {
		mkdirSync(join(root, dir), { recursive: true });
		writeFileSync(join(root, dir, name), "one\ntwo\nthree\n");
		chmodSync(join(root, dir, name), mode);
	}
	symlinkSync("none", join(root, "link"));
	symlinkSync("closed/f", join(root, "linkclosed"));
	symlinkSync("open", join(root, "linkopen"));
	mkdirSync(join(root, "store"));
	chmodSync(join(root, "store"), 0o700);
	for (const [dir, mode] of files) if (dir !== ".") chmodSync(join(root, dir), mode);
}

const paths = ["none", "writeonly", "execonly", "open", "open:2", "none:2", "none:x", "it's", "it's:2", "\u00e9", "closed", "closed/f", "closed/nope", "closed/f:2", "closed/it's", "closed/1 PM.x", "closed/\u00e9", "closed/..", "closed/../open", "listonly", "listonly/f", "searchonly", "searchonly/f", "searchonly/none", "searchonly/nope", "it's/f", "it's.d/f", "link", "linkclosed", "linkopen", "link:2", "linkclosed:2", "nope", "none/x", "~/none", "file:ROOT/none"];

/** Become nobody; the executable must be within reach for it. */
function drop(root) {
	if (process.getuid() !== 0) return;
	const copy = join(root, "readcache");
	copyFileSync(binary(), copy);
	chmodSync(copy, 0o755);
	process.env.READCACHE_BIN = copy;
	process.setgroups([]);
	process.setgid(nobody);
	process.setuid(nobody);
}

async function run(root, hosts) {
	process.env.HOME = root;
	const engine = new Engine();
	let passed = 0;
	let failed = 0;
	// the first store cannot be written by nobody, the second not be made
	for (const store of [join(root, "store"), join(root, "new store")]) {
		for (const path of paths) {
			const params = { path: path.replace("file:ROOT", `file://${root}`) };
			const request = { v: 1, op: "read", cwd: root, params, store };
			const expected = await expectations(hosts, request);
			const response = await engine.request(request);
			const reason = judge(response, expected);
			if (reason === null) passed++;
			else {
				failed++;
				console.log(`not ok: access, as uid ${process.getuid()}: ${JSON.stringify(request)}\n  ${reason}`);
				for (const one of expected) console.log(`  host:    ${shown(one.invalid ? "Invalid range" : one.answers[0])}`);
				console.log(`  engine:  ${shown(response)}`);
			}
		}
	}
	await engine.close();
	return { passed, failed };
}

/** The parent cleans up: nobody may not. */
async function main() {
	const root = process.env.READCACHE_ACCESS_DIR;
	const hosts = await loadHosts();
	drop(root);
	const { passed, failed } = await run(root, hosts);
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed > 0 ? 1 : 0;
}

function parent() {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "readcache-access-")));
	chmodSync(root, 0o755);
	try {
		build(root);
		const run = spawnSync(process.execPath, [process.argv[1]], { stdio: "inherit", env: { ...process.env, READCACHE_ACCESS_DIR: root } });
		process.exitCode = run.status ?? 1;
	} finally {
		for (const [dir] of files) chmodSync(join(root, dir), 0o755);
		rmSync(root, { recursive: true, force: true });
	}
}

await (process.env.READCACHE_ACCESS_DIR ? main() : parent());
