// The way to the file's text when a marker is not enough.
import { matches, ok, same } from "../lib/expect.mjs";
import { contentText, reads } from "../lib/provider.mjs";
import { lines, slice, unchanged, unchangedIn } from "../lib/texts.mjs";

const file = lines(40);
const range = { offset: 5, limit: 3 };

async function invalidations(world) {
	const { entries } = await world.pi.ask("get_entries");
	return entries
		.filter(({ type, customType }) => type === "custom" && customType === "pi-readcache")
		.map(({ data }) => data);
}

export default [
	{
		name: "refresh-by-command",
		rows: [27, 30],
		sees: "the file after /readcache-refresh, whole or by lines; the command itself stays unseen",
		async run(world) {
			const name = "my file's copy.txt";
			world.write(name, file);
			await world.start();
			await world.read(name);
			same(await world.read(name, range), unchangedIn(5, 7, 41), "lines of a known file");
			const notices = await world.pi.command(`/readcache-refresh "${name}"`);
			same([notices.length, notices[0].notifyType ?? "info"], [1, "info"], "one message to the user");
			const [{ kind, v, scopeKey, pathKey }] = await invalidations(world);
			same({ kind, v, scopeKey }, { kind: "invalidate", v: 1, scopeKey: "full" }, "the entry");
			ok(pathKey.endsWith(`/${name}`), "its path", pathKey);
			same(await world.read(name, range), slice(file, 5, 7), "a refreshed file's ranges are refreshed");
			same(await world.read(name), file, "the file once more");
			same(await world.read(name), unchanged(41), "and then a marker");
			await world.pi.command(`/readcache-refresh "${name}" 5-7`);
			same((await invalidations(world))[1].scopeKey, "r:5:7", "a refreshed range");
			same(await world.read(name, range), slice(file, 5, 7), "the lines once more");
			same(await world.read(name, range), unchangedIn(5, 7, 41), "and then a marker");
			same(await world.read(name), world.again(unchanged(41)), "the whole file is known");
			await world.pi.command(`/readcache-refresh "${name}" 5-7`);
			same(await world.read(name), file, "the whole file once more, for these lines are in it");
			same(await world.read(name, range), unchangedIn(5, 7, 41), "and so they are known again");
			const said = world.provider.requests
				.at(-1)
				.messages.map(({ content }) => contentText(content))
				.join("\n");
			ok(!said.includes("readcache-refresh"), "the model knows nothing of the command");
		},
	},
	{
		name: "messages-are-visible",
		sees: "nothing; the user's terminal gets no command that a name has in it (issue C, F6)",
		async run(world) {
			const name = "n\u001b[31m\u009b2J\u202egnp\u2066\u200b\u{e0041}.txt";
			world.write(name, file);
			await world.start();
			await world.read(name);
			const notices = [
				...(await world.pi.command(`/readcache-refresh "${name}"`)),
				...(await world.pi.command(`/readcache-refresh "none ${name}" ${name}`)),
				...(await world.pi.command("/readcache-status")),
			];
			ok(notices.length === 3, "three messages", JSON.stringify(notices));
			for (const { message } of notices)
				ok(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]|\u{e0041}/u.test(message), "no raw character", JSON.stringify(message));
			ok(notices.some(({ message }) => message.includes("n\\x1b[31m\\u{9b}2J\\u{202e}gnp\\u{2066}\\u{200b}\\u{e0041}")), "it is spelled out", JSON.stringify(notices));
		},
	},
	{
		name: "refresh-is-offered-with-read",
		sees: "readcache_refresh among its tools where read is, and not where read is not",
		async run(world) {
			const offered = async (...args) => {
				await world.start({ args });
				await world.prompt(); // it only answers
				await world.stop();
				return world.provider.requests.at(-1).tools.map((tool) => tool.function.name).filter((name) => /read/.test(name));
			};
			same((await offered()).sort(), ["read", "readcache_refresh"], "by default");
			same(await offered("--exclude-tools", "read"), [], "without read");
		},
	},
	{
		name: "refresh-words",
		sees: "paths with blanks unquoted or in single quotes, and a sentence for arguments that cannot be used",
		async run(world) {
			world.write("my file.txt", file);
			await world.start();
			for (const words of ["my file.txt", "'my file.txt'"]) {
				await world.read("my file.txt");
				await world.pi.command(`/readcache-refresh ${words}`);
				same(await world.read("my file.txt"), file, `refreshed by ${words}`);
			}
			await world.pi.command("/readcache-refresh my file.txt 5-7");
			same((await invalidations(world)).at(-1).scopeKey, "r:5:7", "a range behind an unquoted path");
			for (const words of ["", "'my file.txt' 7-5", "'my file.txt"]) {
				const [notice] = await world.pi.command(`/readcache-refresh ${words}`);
				same(notice.notifyType, "error", `the user is told about ${JSON.stringify(words)}`);
			}
			same((await invalidations(world)).length, 3, "refreshes in all");
		},
	},
	{
		name: "refresh-by-tool",
		rows: [28],
		sees: "the file after the model asked for it, also in the same batch",
		async run(world) {
			const refresh = { name: "readcache_refresh", args: { path: "a.txt" } };
			const read = { name: "read", args: { path: "a.txt" } };
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			const [said, text] = await world.prompt({ calls: [refresh] }, reads({ path: "a.txt" }));
			matches(said, /a\.txt/, "the tool's answer names the file");
			same(text, file, "the file in the next turn");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
			const [, together] = await world.prompt({ calls: [refresh, read] });
			same(together, file, "the file in the same batch");
			await world.prompt({ calls: [{ name: "readcache_refresh", args: { path: "a.txt", ...range } }] });
			same(await world.read("a.txt", range), slice(file, 5, 7), "refreshed lines");
			same(
				(await invalidations(world)).map(({ scopeKey }) => scopeKey),
				["full", "full", "r:5:7"],
				"the entries",
			);
		},
	},
	{
		name: "refresh-survives-restart",
		rows: [29],
		sees: "the file in a session that was refreshed before pi ended",
		async run(world) {
			world.write("a.txt", file);
			await world.start();
			await world.read("a.txt");
			await world.pi.command("/readcache-refresh a.txt");
			const session = await world.sessionFile();
			await world.stop();
			await world.start({ args: ["--session", session] });
			same(await world.read("a.txt"), file, "the file once more");
			same(await world.read("a.txt"), unchanged(41), "and then a marker");
		},
	},
];
