// The helper dies, hangs, talks nonsense or is not there: reads go on, and the user is told once.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../lib/engine.mjs";
import { matches, ok, same, until } from "../lib/expect.mjs";
import { reads } from "../lib/provider.mjs";
import { lines, unchanged } from "../lib/texts.mjs";

const file = lines(40);
const serve = { READCACHE_MODE: "serve" };
/** Milliseconds after which a helper that hangs is given up; it must have said its version in less. */
const LIMIT = "3000";

/** A script that says its version as the engine does and does BODY for everything else. */
const script = (body) => `[ "$1" = --version ] && exec '${binary()}' --version\n${body}`;

/** BODY, with a line in a file for every start. */
const counting = (world, body) => `echo started >>'${join(world.sandbox.root, "starts")}'\n${body}`;
const starts = (world) => readFileSync(join(world.sandbox.root, "starts"), "utf8").split("\n").length - 1;

async function killHelper(world) {
	const pid = world.helperPid();
	ok(pid, "there is a helper");
	process.kill(pid, "SIGKILL");
	await until(() => !existsSync(`/proc/${pid}`), "pi has noticed the helper's end");
}

/** Reads that are all the host's own: the file each time, and nothing stored. */
async function hostReads(world, times) {
	for (let i = 0; i < times; i++) {
		same(await world.read("a.txt"), file, "the host's own read");
		same(await world.metadata(), undefined, "its metadata");
	}
}

/** The user was told once, in one message that PATTERN describes. */
function toldOnce(world, pattern) {
	const notices = world.pi.notices();
	same(
		notices.map(({ notifyType }) => notifyType),
		["warning"],
		"messages to the user",
	);
	matches(notices[0].message, pattern, "the message");
}

/** pi with READCACHE_BIN at PATH: every read is the host's own, and the user is told once. */
function unusable(makeBin, pattern, env = {}) {
	return async (world) => {
		world.write("a.txt", file);
		await world.start({ env: { READCACHE_BIN: makeBin(world), ...env } });
		same(world.pi.notices(), [], "nothing is said before it matters");
		await hostReads(world, 3);
		toldOnce(world, pattern);
		await world.pi.ask("new_session");
		await hostReads(world, 1);
		if (!env.READCACHE_MODE) toldOnce(world, pattern);
	};
}

export default [
	{
		name: "helper-killed-once",
		sees: "nothing of the helper's end between two reads",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ env: serve });
			await world.read("a.txt");
			await killHelper(world);
			same(await world.read("a.txt"), unchanged(41), "a new helper answers");
			same(world.pi.notices(), [], "messages to the user");
		},
	},
	{
		name: "helper-killed-twice",
		sees: "the host's own reads after the helper ended twice; the user is told once",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ env: serve });
			await world.read("a.txt");
			await killHelper(world);
			await world.read("a.txt");
			await killHelper(world);
			await hostReads(world, 3);
			toldOnce(world, /^readcache: .*pi's own read/);
			same(world.helperPid(), undefined, "no third helper");
			await world.pi.ask("new_session");
			same(await world.read("a.txt"), file, "a new session begins anew");
			same(await world.read("a.txt"), unchanged(41), "with a helper");
		},
	},
	{
		name: "helper-tried-again-after-a-pause",
		sees: "the host's own reads while the helper fails; when it works again, a marker; the user is told once",
		async run(world) {
			const broken = join(world.sandbox.root, "broken");
			const body = counting(world, `[ -e '${broken}' ] && exit 9\nexec '${binary()}' "$@"`);
			const env = { ...serve, READCACHE_BIN: world.helper("mended", script(body)), READCACHE_PAUSE_MS: "1" };
			writeFileSync(broken, "");
			world.write("a.txt", file);
			await world.start({ env });
			await hostReads(world, 3);
			ok(starts(world) > 2, "it is tried again", starts(world));
			toldOnce(world, /^readcache: .*tried again later/);
			rmSync(broken);
			same(await world.read("a.txt"), file, "of the host's own reads nothing is known");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
			toldOnce(world, /^readcache: /);
		},
	},
	{
		name: "helper-again-after-a-pause",
		sees: "markers again some time after the helper ended twice",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ env: { ...serve, READCACHE_PAUSE_MS: "1" } });
			await world.read("a.txt");
			await killHelper(world);
			await world.read("a.txt");
			await killHelper(world);
			same(await world.read("a.txt"), world.again(unchanged(41)), "the third helper knows the session");
			same(await world.read("a.txt"), file, "and stays: that was the second marker in a row");
			same(await world.read("a.txt"), unchanged(41), "the first one");
		},
	},
	{
		name: "helper-replaced-by-another-protocol",
		sees: "the host's own reads when the program was replaced by one of another protocol, with one process per call too",
		async run(world) {
			const other = world.helper("other", 'echo "readcache 9.0.0 (protocol 2)"');
			const program = world.helper("program", script(`exec '${binary()}' "$@"`));
			world.write("a.txt", file);
			await world.start({ env: { READCACHE_MODE: "oneshot", READCACHE_BIN: program } });
			await world.read("a.txt");
			same(await world.read("a.txt"), unchanged(41), "a marker");
			renameSync(other, program);
			await hostReads(world, 2);
			toldOnce(world, /^readcache: .*protocol 2/);
		},
	},
	{
		name: "helper-dies-in-a-request",
		sees: "the host's own read for the request in which the helper died; then all is as before",
		async run(world) {
			const flag = join(world.sandbox.root, "died");
			const body = `[ -e '${flag}' ] && exec '${binary()}' "$@"\nIFS= read -r line; : >'${flag}'; exit 1`;
			world.write("a.txt", file);
			await world.start({ env: { ...serve, READCACHE_BIN: world.helper("mortal", script(body)) } });
			await hostReads(world, 1);
			same(await world.read("a.txt"), file, "of the host's own read nothing is known");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
			same(world.pi.notices(), [], "messages to the user");
		},
	},
	{
		name: "helper-hangs",
		sees: "the host's own read after the time limit; then the helper is not asked any more",
		async run(world) {
			const bin = world.helper("hanging", script(counting(world, "exec sleep 600")));
			world.write("a.txt", file);
			await world.start({ env: { ...serve, READCACHE_BIN: bin, READCACHE_TIMEOUT_MS: LIMIT } });
			await hostReads(world, 4);
			toldOnce(world, /^readcache: /);
			same(starts(world), 2, "starts of the helper");
		},
	},
	{
		name: "helper-talks-nonsense",
		sees: "the host's own reads, whatever the helper says",
		async run(world) {
			const body = `while IFS= read -r line; do echo '{"v":1,"ok":true,"result":7}'; done`;
			world.write("a.txt", file);
			await world.start({ env: { ...serve, READCACHE_BIN: world.helper("nonsense", script(body)) } });
			await hostReads(world, 3);
			toldOnce(world, /^readcache: /);
		},
	},
	{
		name: "helper-says-what-nothing-shows",
		sees: "the host's own reads, when the helper calls a file unchanged that was never read",
		async run(world) {
			const meta = { v: 1, pathKey: join(world.sandbox.work, "a.txt"), scopeKey: "full", mode: "unchanged", bytes: 1 };
			const result = { content: [{ type: "text", text: unchanged(41) }], details: { readcache: meta } };
			const said = JSON.stringify({ v: 1, id: 0, ok: true, result }).replace('"id":0', '"id":\'$n\'');
			const body = `n=0; while IFS= read -r line; do n=$((n + 1)); echo '${said}'; done`;
			world.write("a.txt", file);
			await world.start({ env: { ...serve, READCACHE_BIN: world.helper("believer", script(body)) } });
			await hostReads(world, 2);
		},
	},
	{
		name: "helper-of-another-protocol",
		sees: "the host's own reads, and once a message that names the protocols",
		run: unusable(
			(world) => world.helper("newer", 'echo "readcache 9.0.0 (protocol 2)"'),
			/^readcache: .*protocol 2/,
		),
	},
	{
		name: "helper-missing",
		sees: "the host's own reads, and once a message that names READCACHE_BIN",
		run: unusable((world) => join(world.sandbox.root, "nothing-here"), /^readcache: .*READCACHE_BIN/),
	},
	{
		name: "oneshot-helper-fails",
		sees: "the host's own reads when every process of a call fails",
		async run(world) {
			world.write("a.txt", file);
			await world.start({
				env: { READCACHE_MODE: "oneshot", READCACHE_BIN: world.helper("failing", script("exit 1")) },
			});
			await hostReads(world, 4);
			toldOnce(world, /^readcache: .*pi's own read/);
		},
	},
	{
		name: "oneshot-helper-hangs",
		sees: "the host's own read after the time limit, and no process left",
		async run(world) {
			const env = { READCACHE_MODE: "oneshot", READCACHE_TIMEOUT_MS: LIMIT };
			world.write("a.txt", file);
			await world.start({ env: { ...env, READCACHE_BIN: world.helper("hanging", script(counting(world, "exec sleep 600"))) } });
			await hostReads(world, 4);
			toldOnce(world, /^readcache: /);
			same(starts(world), 2, "starts of the helper");
		},
	},
	{
		// Regression 1: pi waited for the pipe, which the script's own child still held.
		name: "helper-leaves-a-child-behind",
		sees: "the host's own reads, and a new session without waiting",
		async run(world) {
			const bin = world.helper("wrapper", script("sleep 600; true"));
			world.write("a.txt", file);
			await world.start({ env: { ...serve, READCACHE_BIN: bin, READCACHE_TIMEOUT_MS: LIMIT } });
			await hostReads(world, 1);
			await world.pi.ask("new_session"); // whose patience is shorter than the child's sleep
			world.endChildren();
		},
	},
	{
		// Regression 2: an abort did not end the waiting for the first start.
		name: "abort-while-the-helper-starts",
		sees: "an aborted read, without waiting for a program that does not tell its version",
		async run(world) {
			world.write("a.txt", file);
			const env = { ...serve, READCACHE_BIN: world.helper("mute", "exec sleep 600"), READCACHE_TIMEOUT_MS: "600000" };
			await world.start({ env });
			world.provider.play(reads({ path: "a.txt" }));
			const begun = world.pi.next((event) => event.type === "tool_execution_start", "the read's begin");
			const settled = world.pi.prompt("Go on.");
			await begun;
			await world.pi.ask("abort");
			await settled; // long before the time limit
		},
	},
	{
		name: "relative-executable",
		sees: "a marker by a program that is named relative to where pi was started",
		async run(world) {
			world.write("a.txt", file);
			world.write("own/readcache", `#!/bin/sh\nexec '${binary()}' "$@"\n`);
			chmodSync(join(world.sandbox.work, "own/readcache"), 0o755);
			await world.start({ env: { READCACHE_BIN: "own/readcache" } });
			await world.read("a.txt");
			same(await world.read("a.txt"), unchanged(41), "the second read");
			same(world.pi.notices(), [], "messages to the user");
		},
	},
	{
		name: "switched-off",
		sees: "pi as if the extension were not there",
		mode: "off",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await hostReads(world, 2);
			const tools = world.provider.requests.at(-1).tools.map((tool) => tool.function.name);
			ok(!tools.includes("readcache_refresh"), "no tool of ours", tools);
			const { commands } = await world.pi.ask("get_commands");
			same(
				commands.map(({ name }) => name).filter((name) => name.startsWith("readcache")),
				[],
				"our commands",
			);
			same(world.pi.notices(), [], "messages to the user");
		},
	},
	{
		name: "settings-not-understood",
		sees: "what it would see without the settings; the user is told which ones were not understood",
		async run(world) {
			world.write("a.txt", file);
			await world.start({ env: { READCACHE_MODE: "sometimes", READCACHE_TIMEOUT_MS: "soon" } });
			same(await world.read("a.txt"), file, "the first read");
			same(await world.read("a.txt"), unchanged(41), "the second one");
			const said = world.pi.notices().map(({ message, notifyType }) => `${notifyType} ${message}`);
			same(said.length, 2, "messages to the user");
			matches(
				said.join("\n"),
				/^warning readcache: .*READCACHE_MODE.*\nwarning readcache: .*READCACHE_TIMEOUT_MS/,
				"them",
			);
		},
	},
];
