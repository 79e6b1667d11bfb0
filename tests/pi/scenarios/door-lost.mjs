// Regressions A3: what a compact answer stood for has to be found, and may not be there any more.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../lib/engine.mjs";
import { matches, ok, same } from "../lib/expect.mjs";
import { GONE } from "../lib/knowledge.mjs";
import { FOREIGN, hides, latest, markerAlone, stays } from "../lib/leaving.mjs";
import { changedBy, changeLine, lines, unchanged } from "../lib/texts.mjs";

const file = lines(60);
const changed = changeLine(file, 9);

export default [
	{
		name: "A3-marker-whose-details-were-dropped",
		sees: "no marker alone, when another extension has dropped its details before it was stored",
		async run(world) {
			world.foreign.push(FOREIGN);
			world.lost = () => true; // what it stood for may not be known any more
			world.write("a.txt", file);
			await world.start({ ...hides, extensions: [...hides.extensions, "meddler"] });
			same(await world.read("a.txt"), file, "the first read");
			await world.pi.command("/e2e-meddle drop-details");
			await world.read("a.txt");
			same(await world.metadata(), undefined, "the second one's metadata");
			await world.pi.command("/e2e-hide on");
			await world.prompt();
			const [, seen] = latest(world);
			ok(seen === file || GONE.test(seen), "the text, or a clear line", seen);
			await stays(world);
		},
	},
	{
		name: "A3-metadata-of-an-older-version",
		sees: "the text in place of a marker, in a session of a version that did not say what a marker rests on",
		async run(world) {
			world.foreign.push(FOREIGN);
			world.write("a.txt", file);
			await world.start();
			same(await world.read("a.txt"), file, "the first read");
			world.write("a.txt", changed);
			matches(await world.read("a.txt"), changedBy(1, 61), "a diff");
			same(await world.read("a.txt"), unchanged(61), "a marker");
			const session = await world.sessionFile();
			await world.stop();
			const forget = (key, value) => (key === "rests" ? undefined : value);
			const entries = readFileSync(session, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line, forget));
			writeFileSync(session, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
			await world.start({ ...hides, args: ["--session", session] });
			await world.pi.command("/e2e-hide on");
			await world.prompt();
			const [hidden, ...others] = latest(world);
			same(hidden, "[hider: gone]", "the text is hidden");
			same(others[0], changed, "the diff as its text");
			ok([changed, unchanged(61)].includes(others[1]), "the marker, or its text", others[1]);
			await stays(world);
		},
	},
	{
		name: "A3-object-gone-from-the-store",
		sees: "one clear line in place of a marker whose text is hidden and gone from the store",
		async run(world) {
			world.lost = () => true;
			await markerAlone(world);
			const objects = join(world.sandbox.work, ".pi/readcache/objects");
			ok(readdirSync(objects).length > 0, "there are objects");
			world.write("a.txt", changed); // nor does the file have it any more
			rmSync(objects, { recursive: true });
			await world.prompt();
			const [hidden, line] = latest(world);
			same(hidden, "[hider: gone]", "the text is hidden");
			matches(line, GONE, "what stands in the marker's place");
			matches(line, /\bread\b/, "how to get the lines again");
			await stays(world);
			same(await world.read("a.txt"), changed, "the file, when it is read again");
		},
	},
	{
		name: "A3-helper-crashed-at-the-door",
		mode: "serve",
		sees: "no marker alone, when the helper dies as it is asked for the text; then the next one gives it",
		async run(world) {
			world.lost = () => true;
			const dies = join(world.sandbox.root, "dies");
			const engine = `[ "$1" = --version ] && exec '${binary()}' --version
				while IFS= read -r line; do
					[ -e '${dies}' ] && exit 9
					printf '%s\\n' "$line" | '${binary()}'
				done`;
			await markerAlone(world, { READCACHE_BIN: world.helper("mortal", engine) });
			appendFileSync(dies, "");
			await world.prompt();
			const [, seen] = latest(world);
			ok(seen === file || GONE.test(seen), "the text, or a clear line", seen);
			same(await world.read("a.txt"), file, "a read goes on");
			ok(existsSync(dies), "no helper has answered");
		},
	},
	{
		name: "A3-helper-killed-before-the-door",
		mode: "serve",
		sees: "the text from a new helper, when the old one has died before the request",
		async run(world) {
			await markerAlone(world);
			process.kill(world.helperPid(), "SIGKILL"); // pi may notice it now, or when it asks
			await world.prompt();
			same(latest(world), ["[hider: gone]", file], "the text in the marker's place");
			await stays(world);
		},
	},
];
