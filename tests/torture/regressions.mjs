// What the sweeps have found, each at the very place where it was found. A
// number is never used again.
import assert from "node:assert/strict";
import { check } from "../hostile/harness.mjs";
import { count } from "./inject.mjs";
import { plays } from "./plays.mjs";
import { Stage } from "./stage.mjs";
import { sweep } from "./sweep.mjs";

const onPath = (end) => ({ path }) => path?.endsWith(end);
const named = (name) => ({ call }) => call === name;
const both = (a, b) => (call) => a(call) && b(call);

const REGRESSIONS = [
	[1, "a name that could not be looked up was taken for a range of another file", "a file whose name looks like a range (one-shot, entries)", "EIO", both(named("access"), onPath("notes.txt:2-3"))],
	[2, "a file behind a range that could not be looked up was told to be missing", "range behind the path (one-shot, entries)", "EIO", both(named("access"), onPath("notes.txt"))],
	[3, "a view through a link that could not be followed voided nothing", "a view that nobody knows, through a link (one-shot, entries)", "EIO", both(named("readlink"), onPath("link.txt"))],
	[4, "a file was kept although the user's settings, which could not be read, exclude it", "excluded by the user (one-shot, entries)", "EIO", onPath("config.json")],
	[5, "a file was kept although the project's settings, which could not be read, exclude it", "excluded by the project (one-shot, entries)", "EIO", onPath("readcache.json")],
	[6, "a refresh named the link when it could not be followed", "refresh (one-shot, entries)", "EIO+", both(named("readlink"), onPath("link.txt"))],
	[7, "a standard input that failed was taken for its end", "unchanged (serve, entries)", "EIO", both(named("read"), ({ fd }) => fd === 0)],
	[8, "verify found nothing damaged in a store that it could not read", "store verify", "EIO", named("getdents64")],
];

export default async function regressions() {
	for (const [number, title, name, fault, is] of REGRESSIONS)
		await check(`regression ${number}: ${title}`, async () => {
			const stage = new Stage(plays.get(name));
			const { calls } = await count("calls", { ...stage.play, env: stage.env, cwd: stage.scene.cwd });
			const jobs = calls.flatMap((call, index) => (is(call) ? [{ fault, number: index + 1 }] : []));
			assert.notEqual(jobs.length, 0, "the call is no longer made");
			await sweep(plays.get(name), jobs);
		});
}
