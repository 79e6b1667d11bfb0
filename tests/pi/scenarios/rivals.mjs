// Another extension that also provides `read`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { matches, ok, same } from "../lib/expect.mjs";
import { changedBy, changeLine, lines, slice, unchanged, unchangedIn } from "../lib/texts.mjs";

const file = lines(40);
const bound = { READCACHE_BIND: "tool_result" };

/** The rival's reads are its own, always, and the user is told once whose they are. */
function stepsBack(rival, extensions) {
	return {
		name: `${rival}-${extensions[0] === "readcache" ? "after" : "before"}-ours`,
		ownTool: true,
		sees: "the other extension's reads, untouched; the user is told once that readcache steps back",
		async run(world) {
			world.foreign.push(/^rival read\n/);
			world.write("a.txt", file);
			await world.start({ extensions });
			for (let i = 0; i < 3; i++) {
				same(await world.read("a.txt"), `rival read\n${file}`, "the rival's own read");
				same(await world.metadata(), undefined, "its metadata");
			}
			await world.pi.ask("new_session");
			same(await world.read("a.txt"), `rival read\n${file}`, "the same in a new session");
			const notices = world.pi.notices();
			same(
				notices.map(({ notifyType }) => notifyType),
				["warning"],
				"messages to the user",
			);
			matches(notices[0].message, new RegExp(`^readcache: .*${rival}.*read`), "the message names the rival");
		},
	};
}

/** Bound to tool_result, with a `read` that delivers the host's own text. */
async function compactAnswers(world, extensions, env) {
	world.write("a.txt", file);
	await world.start({ extensions, env });
	same(await world.read("a.txt"), file, "the first read");
	same(await world.read("a.txt"), unchanged(41), "the second one");
	world.write("a.txt", changeLine(file, 20));
	matches(await world.read("a.txt"), changedBy(1, 41), "changed");
	same(await world.read("a.txt", { offset: 5, limit: 3 }), unchangedIn(5, 7, 41), "lines of it");
	same(world.pi.notices(), [], "messages to the user");
}

export default [
	stepsBack("rival-factory", ["rival-factory", "readcache", "driver"]),
	stepsBack("rival-factory", ["readcache", "rival-factory", "driver"]),
	stepsBack("rival-late", ["rival-late", "readcache", "driver"]),
	stepsBack("rival-late", ["readcache", "rival-late", "driver"]),
	{
		name: "rival-in-the-middle",
		ownTool: true,
		sees: "true answers, and a message if its reads are the other extension's from now on",
		async run(world) {
			world.foreign.push(/^rival read\n/);
			world.write("a.txt", file);
			await world.start({ extensions: ["readcache", "rival-command", "driver"] });
			same(await world.read("a.txt"), file, "the first read");
			await world.pi.command("/e2e-rival");
			const texts = [await world.read("a.txt"), await world.read("a.txt")];
			const theirs = texts.every((text) => text === `rival read\n${file}`);
			const ours = [unchanged(41), world.again(unchanged(41))];
			ok(theirs || texts.every((text, i) => text === ours[i]), "either the rival's reads or ours", texts);
			same(
				world.pi.notices().map(({ notifyType }) => notifyType),
				theirs ? ["warning"] : [],
				"messages to the user",
			);
		},
	},
	{
		name: "bound-to-the-host-read",
		sees: "markers and diffs in place of what the host's own read delivered",
		run: (world) => compactAnswers(world, ["readcache", "driver"], bound),
	},
	{
		name: "bound-to-a-plain-rival",
		sees: "markers and diffs in place of what another extension's read delivered, where that is the file's text",
		async run(world) {
			const config = join(world.sandbox.home, ".config/readcache");
			mkdirSync(config, { recursive: true });
			writeFileSync(join(config, "config.json"), '{"bind":"tool_result"}');
			await compactAnswers(world, ["rival-factory", "readcache", "driver"], { E2E_RIVAL: "same" });
		},
	},
	{
		name: "bound-to-a-decorating-rival",
		sees: "the other extension's text, untouched, because it is not the file's",
		async run(world) {
			world.foreign.push(/^rival read\n/);
			world.write("a.txt", file);
			await world.start({ extensions: ["rival-factory", "readcache", "driver"], env: bound });
			for (let i = 0; i < 2; i++) {
				same(await world.read("a.txt"), `rival read\n${file}`, "the rival's own read");
				same(await world.metadata(), undefined, "its metadata");
			}
			const range = await world.read("a.txt", { offset: 5, limit: 3 });
			same(range, `rival read\n${slice(file, 5, 7)}`, "lines of it");
			ok(!world.pi.notices().some(({ notifyType }) => notifyType === "warning"), "no complaint");
		},
	},
];
