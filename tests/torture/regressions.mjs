// What the sweeps have found, each at the very place where it was found. A
// number is never used again.
import assert from "node:assert/strict";
import { check } from "../hostile/harness.mjs";
import { count } from "./inject.mjs";
import { plays } from "./plays.mjs";
import { numbers } from "./points.mjs";
import { Stage } from "./stage.mjs";
import { sweep } from "./sweep.mjs";

/** The first allocations of a process, before it has a request. */
const EARLY = 12;

/** number, what went wrong; the play, the fault, and at which calls, or at how many allocations. */
const REGRESSIONS = [
	[1, "a name that could not be looked up was taken for a range of another file",
		"a file whose name looks like a range (one-shot, entries)", "EIO", at("access", "notes.txt:2-3")],
	[2, "a file behind a range that could not be looked up was told to be missing",
		"range behind the path (one-shot, entries)", "EIO", at("access", "/notes.txt")],
	[3, "a view through a link that could not be followed voided nothing",
		"a view that nobody knows, through a link (one-shot, entries)", "EIO", at("readlink", "link.txt")],
	[4, "a file was kept although the user's settings, which could not be read, exclude it",
		"excluded by the user (one-shot, entries)", "EIO", at("newfstatat", "config.json")],
	[5, "a file was kept although the project's settings, which could not be read, exclude it",
		"excluded by the project (one-shot, entries)", "EIO", at("newfstatat", "readcache.json")],
	[6, "a refresh named the link when it could not be followed",
		"refresh (one-shot, entries)", "EIO+", at("readlink", "link.txt")],
	[7, "a standard input that failed was taken for its end",
		"unchanged (serve, entries)", "EIO", ({ call, fd }) => call === "read" && fd === 0],
	[8, "verify found nothing damaged in a store that it could not read",
		"store verify", "EIO", at("getdents64")],
	[9, "half an entry was left in a session when the disk got full",
		"refresh --session", "full", at("write")],
	[10, "no memory for a request was told as a request that is too long",
		"unchanged (one-shot, entries)", "null", EARLY],
	[11, "a request for the status was delegated, and a path looked into that was not there, without memory",
		"status (one-shot, entries)", "null", EARLY],
	[12, "a serving process without any memory for a line looked for it without end",
		"unchanged (serve, entries)", "null+", EARLY],
	[13, "the memory of a spelling was lost when the arena was exhausted next",
		"a view that nobody knows, through a link (one-shot, entries)", "null", Infinity],
	[14, "a lock whose file could not be looked at was tried for without end",
		"memo record, file", "EIO+", at("newfstatat")],
];

/** Is a call CALL, of a path with this END? */
function at(call, end = "") {
	return (made) => made.call === call && (made.path ?? "").endsWith(end);
}

export default async function regressions() {
	for (const [number, title, name, fault, where] of REGRESSIONS)
		await check(`regression ${number}: ${title}`, async () => {
			const stage = new Stage(plays.get(name));
			const allocs = typeof where === "number";
			const run = await count(allocs ? "allocs" : "calls", { ...stage.play, env: stage.env, cwd: stage.scene.cwd });
			const points = allocs
				? numbers(Math.min(run.counted, where))
				: run.calls.flatMap((call, index) => (where(call) ? [index + 1] : []));
			assert.notEqual(points.length, 0, "the call is no longer made");
			await sweep(plays.get(name), points.map((point) => ({ fault, number: point })));
		});
}
