// What is the host's own must stay the host's own: prompts, errors, files that are no text.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { matches, ok, same } from "../lib/expect.mjs";
import { contentText, reads, toolTexts } from "../lib/provider.mjs";
import { lines, unchanged } from "../lib/texts.mjs";

const PNG = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"base64",
);

/** What the model is sent by pi with and without the extension for one batch: the texts and errors of the results. */
async function withAndWithout(world, batch) {
	const seen = {};
	for (const [which, extensions] of [
		["ours", ["readcache", "driver"]],
		["host", ["driver"]],
	]) {
		await world.start({ extensions });
		const texts = await world.batch(...batch);
		const results = (await world.results()).map(({ message }) => ({
			content: message.content,
			isError: message.isError,
		}));
		seen[which] = { texts, results, request: world.provider.requests.at(-1), details: await world.results() };
		await world.stop();
	}
	return seen;
}

export default [
	{
		name: "prompt-as-before",
		rows: [25, 26],
		sees: "the same system prompt and the same declaration of read; readcache_refresh is the only addition",
		async run(world) {
			world.write("a.txt", lines(3));
			const { ours, host } = await withAndWithout(world, [{ path: "a.txt" }]);
			const [mine, theirs] = [ours.request, host.request];
			same(mine.messages[0], theirs.messages[0], "the system prompt");
			const byName = ({ tools }) => Object.fromEntries(tools.map((tool) => [tool.function.name, tool]));
			const { readcache_refresh: added, ...rest } = byName(mine);
			same(rest, byName(theirs), "the host's tools");
			same(
				Object.keys(added.function.parameters.properties).sort(),
				["limit", "offset", "path"],
				"its parameters",
			);
			same(ours.texts, host.texts, "what a first read gives");
		},
	},
	{
		name: "errors-as-before",
		sees: "the host's own words for files that cannot be read",
		async run(world) {
			world.write("a.txt", lines(3));
			mkdirSync(join(world.sandbox.work, "directory"));
			const batch = [
				{ path: "missing.txt" },
				{ path: "directory" },
				{ path: "a.txt", offset: 99 },
				{ path: "a.txt/below" },
				{ path: "" },
			];
			const { ours, host } = await withAndWithout(world, batch);
			same(ours.results, host.results, "results with and without the extension");
			same(ours.texts, host.texts, "what the provider receives");
			ok(
				ours.results.every(({ isError }) => isError),
				"all are errors",
				ours.results,
			);
			matches(ours.texts[0], /^ENOENT: no such file or directory, access '.*missing\.txt'$/, "the first one");
			ok(
				ours.details.every(({ message }) => !message.details?.readcache),
				"no metadata",
			);
		},
	},
	{
		name: "image-and-binary",
		ownTool: true, // the host's own knows no path:a-b
		rows: [23],
		sees: "images and text that is not UTF-8 as the host gives them, every time",
		settings: { images: { autoResize: false } }, // which not every copy of the host is able to do
		async run(world) {
			world.write("dot.png", PNG);
			world.write("latin1.txt", Buffer.from("caf\xe9\nau lait\n", "latin1"));
			const batch = [{ path: "dot.png" }, { path: "latin1.txt" }];
			const images = ({ messages }) =>
				messages
					.flatMap(({ content }) => (Array.isArray(content) ? content : []))
					.filter(({ type }) => type === "image_url");
			await world.start({ extensions: [] });
			const host = await world.batch(...batch);
			const pictures = images(world.provider.requests.at(-1));
			same(pictures.length, 1, "pictures that the host sends");
			matches(host[0], /^Read image file \[image\/png\]/, "the host's text for an image");
			same(host[1], "caf\ufffd\nau lait\n", "the host's text with a replacement character");
			await world.stop();
			await world.start();
			same(await world.batch(...batch), host, "the host's own");
			same(images(world.provider.requests.at(-1)), pictures, "the pictures themselves");
			same(await world.batch(...batch), host, "again, no marker");
			const range = "au lait\n\n[1 more lines in file. Use offset=3 to continue.]";
			same(await world.read("latin1.txt:2-2"), range, "a range by suffix, which the host does not know");
			ok(
				(await world.results()).every(({ message }) => !message.details?.readcache),
				"no metadata",
			);
		},
	},
	{
		name: "status-stays-out",
		sees: "the user sees the status; not a word of it reaches the model or the session",
		async run(world) {
			world.write("a.txt", lines(30));
			await world.start();
			await world.read("a.txt");
			const before = await world.pi.ask("get_entries");
			const notices = await world.pi.command("/readcache-status");
			same(notices.length, 1, "one message to the user");
			ok(!["warning", "error"].includes(notices[0].notifyType), "it is no complaint", notices[0]);
			same(await world.pi.ask("get_entries"), before, "the session is as before");
			await world.read("a.txt");
			const request = world.provider.requests.at(-1);
			const texts = request.messages.map(({ content }) => contentText(content));
			const telling = notices[0].message.split("\n").find((line) => line.trim().length > 10);
			ok(!texts.some((text) => text.includes(telling)), "no message holds the status", telling);
			same([...toolTexts(request).values()].at(-1), unchanged(31), "the next read is as it would have been");
		},
	},
	{
		name: "savings",
		sees: "figures that equal what the provider's requests show: plain reads less what was served",
		async run(world) {
			const files = { "a.txt": lines(300), "b.txt": lines(100, "other") };
			for (const [name, text] of Object.entries(files)) world.write(name, text);
			await world.start();
			const served = [];
			for (const name of ["a.txt", "a.txt", "b.txt", "a.txt", "b.txt"]) {
				const text = await world.read(name);
				served.push({ plain: Buffer.byteLength(files[name]), text: Buffer.byteLength(text) });
			}
			const sum = (key) => served.reduce((total, each) => total + each[key], 0);
			const saved = sum("plain") - sum("text");
			const [{ message }] = await world.pi.command("/readcache-status");
			matches(message, new RegExp(`\\b${Math.floor(saved / 4)} tokens`), "the tokens saved");
			matches(message, new RegExp(`\\b${sum("text")} bytes served instead of ${sum("plain")}\\b`), "the bytes");
			matches(message, /bytes\/4/, "it names its estimator");
			const tokens = (saved / 4 / 1000).toFixed(1);
			same(world.pi.status("readcache"), `readcache: ~${tokens}k tokens saved (bytes/4)`, "the footer");
		},
	},
	{
		name: "no-footer-for-nothing",
		sees: "no footer while nothing is saved",
		async run(world) {
			world.write("a.txt", lines(300));
			await world.start();
			await world.read("a.txt");
			same(world.pi.status("readcache"), undefined, "the footer after a first read");
			await world.prompt(reads({ path: "a.txt" }));
			matches(world.pi.status("readcache"), /^readcache: ~\d+ tokens saved \(bytes\/4\)$/, "after a second one");
		},
	},
];
