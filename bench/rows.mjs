// What is measured in the engine, a row each: two sides that take turns (turns.c), and how much longer the second one may
// take. `by` is the figure that counts: the fastest round, which other work on the machine disturbs least; or the median
// where a round is so short that the fastest one is the scheduler's luck.
import { copyFileSync } from "node:fs";
import { binary } from "../tests/lib/engine.mjs";
import { lines } from "./project.mjs";

const MB = 1_000_000;

/** How large the files are. */
export const FORMS = {
	long: { name: "long", large: 200, medium: 30, text: 50 },
	short: { name: "short", large: 20, medium: 4, text: 10 },
};

const times = (rounds, share) => Math.max(3, Math.ceil(rounds * share));
const readcache = () => [binary()];
const serve = () => [binary(), "serve"];
const mode = (name) => ["-e", `"mode":"${name}"`];

/** Rows 1 and 2: an unchanged read of a 600-line file, 50 entries inline. */
function unchanged(project) {
	project.write("subject.c", lines(600, "line").join(""));
	return project.request("unchanged.json", "unchanged", "subject.c", project.inline(50, ["subject.c"]));
}

function* inlineRows(project, rounds) {
	const request = unchanged(project);
	yield {
		what: "one process, unchanged read, 50 entries inline",
		against: "spawning /bin/true",
		limit: 1.6,
		aim: 1.3,
		by: "fastest",
		rounds: times(rounds, 1),
		sides: [["/bin/true"], ["-i", request, ...mode("unchanged"), ...readcache()]],
	};
	yield {
		what: "serve, the same request",
		against: "echo through a resident cat",
		limit: 3,
		aim: 2,
		by: "median",
		rounds: times(rounds, 2),
		sides: [
			["-r", request, "cat"],
			["-r", request, ...mode("unchanged"), ...serve()],
		],
	};
}

function* diffRow(project, rounds) {
	const before = lines(600, "before");
	const changed = (n) => before.map((line, i) => (i === 300 ? `changed ${n}\n` : line));
	const versions = [1, 2].map((n) => project.write(`version-${n}.c`, changed(n).join("")));
	const base = project.write("base.c", before.join(""));
	const changing = project.path("changing.c");
	copyFileSync(base, changing);
	const session = project.inline(50, ["changing.c"]);
	copyFileSync(versions[0], changing);
	const request = project.request("diff.json", "diff", "changing.c", session);
	yield {
		what: "serve, a changed 600-line file, diff",
		against: "git diff --no-index of the two",
		limit: 0.2,
		by: "fastest",
		rounds: times(rounds, 0.2),
		sides: [
			["-w", changing, ...versions, "-x", "1", "-e", "+changed", "git", "diff", "--no-index", base, changing],
			["-r", request, ...mode("diff"), ...serve()],
		],
	};
}

/** The host appends to the file between any two reads. */
function* growingRow(project, rounds, { medium }) {
	const count = times(rounds, 0.1);
	const side = (name, bytes) => {
		const { leafId, session } = project.grown(`${name}.jsonl`, bytes, "subject.c");
		const request = project.request(`${name}.json`, "unchanged", "subject.c", session);
		const more = project.appends(`${name}-more.jsonl`, leafId, count + 10);
		return ["-r", request, "-a", session.file, more, ...mode("unchanged"), ...serve()];
	};
	yield {
		what: `serve, warm, session file of ${medium} MB, no compaction`,
		against: "the same with 0.2 MB",
		limit: 2,
		aim: 1.2,
		by: "median",
		rounds: count,
		sides: [side("small", 0.2 * MB), side("medium", medium * MB)],
	};
}

function* compactedRow(project, rounds, { large }) {
	const side = (name, bytes) => {
		const session = project.compacted(`${name}.jsonl`, bytes, 0.3 * MB, "subject.c");
		const request = project.request(`${name}.json`, "unchanged", "subject.c", session);
		return ["-i", request, ...mode("unchanged"), ...readcache()];
	};
	yield {
		what: `one process, session file of ${large} MB, compaction near its end`,
		against: "1 MB with the same tail",
		limit: 1.5,
		by: "fastest",
		rounds: times(rounds, 0.05),
		sides: [side("compacted-small", 1 * MB), side("compacted-large", large * MB)],
	};
}

function* wholeRows(project, rounds, { large }) {
	const { session } = project.grown("whole.jsonl", large * MB, "subject.c");
	const request = project.request("whole.json", "unchanged", "subject.c", session);
	yield {
		what: `one process, session file of ${large} MB, whole branch`,
		against: "Node: JSON.parse of every line",
		limit: 0.12,
		by: "fastest",
		rounds: times(rounds, 0.003),
		megabytes: large,
		aimMegabytesPerSecond: 1500,
		peakLimitKb: 64 * 1024,
		sides: [
			["-t", process.execPath, new URL("parse-lines.mjs", import.meta.url).pathname, session.file],
			["-i", request, ...mode("unchanged"), ...readcache()],
		],
	};
}

function* textRow(project, rounds, { text }) {
	const file = project.write("long.txt", lines(Math.ceil((text * MB) / 34), "line").join(""));
	const session = project.inline(3, ["long.txt"]);
	const request = project.request("long.json", "unchanged_range", "long.txt", session);
	yield {
		what: `one process, hash and lines of a text of ${text} MB`,
		against: "openssl dgst -sha256",
		limit: 1.3,
		by: "fastest",
		rounds: times(rounds, 0.01),
		megabytes: text,
		sides: [
			["openssl", "dgst", "-sha256", file],
			["-i", request, ...mode("unchanged_range"), ...readcache()],
		],
	};
}

/** One after the other, because each has its files made first. */
export function* engineRows(project, rounds, form) {
	yield* inlineRows(project, rounds);
	yield* diffRow(project, rounds);
	yield* growingRow(project, rounds, form);
	yield* compactedRow(project, rounds, form);
	yield* wholeRows(project, rounds, form);
	yield* textRow(project, rounds, form);
}
