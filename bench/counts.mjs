// What repeats on a noisy machine: system calls, page faults and instructions of the main paths, as a table in Markdown.
//
//	counts.mjs TURNS, called by bench/run
//
// Instructions are those of `valgrind --tool=callgrind`, in user space; a processor with SHA instructions needs fewer
// for hashing than valgrind counts. What is not installed is left out.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../tests/lib/engine.mjs";
import { lines, Project } from "./project.mjs";

const MB = 1_000_000;
const ASKED = 10; // times more, to tell a request of serve from its start

function has(command) {
	return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Run COMMAND with INPUT; gives what it said on stderr. */
function stderrOf(command, args, input) {
	const { status, stderr } = spawnSync(command, args, { input, encoding: "utf8", maxBuffer: 1 << 26 });
	if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
	return stderr;
}

/** By name, most frequent first: "read 3, mmap 2". */
function systemCalls(dir, request) {
	const trace = join(dir, "trace");
	stderrOf("strace", ["-f", "-o", trace, binary()], request);
	const count = new Map();
	for (const [, name] of readFileSync(trace, "latin1").matchAll(/^\d+ +(\w+)\(/gm)) count.set(name, (count.get(name) ?? 0) + 1);
	const sorted = [...count].sort(([, a], [, b]) => b - a);
	const all = sorted.reduce((sum, [, n]) => sum + n, 0);
	return { all, names: sorted.map(([name, n]) => `${name} ${n}`).join(", ") };
}

const CALLGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"];
/** A process that stays confines itself, which valgrind would not survive: it is told that it cannot. */
const UNCONFINED = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=prctl", "-e", "inject=prctl:error=EPERM"];

function instructions([command, ...args], request) {
	return Number(/Collected : (\d+)/.exec(stderrOf(command, args, request))[1]);
}

/** Instructions of one request more. */
function ofServe(request) {
	const of = (times) => instructions([...UNCONFINED, ...CALLGRIND, binary(), "serve"], request.repeat(times));
	return Math.round((of(2 + ASKED) - of(2)) / ASKED);
}

/** The requests of the main paths. */
function requests(project) {
	project.write("subject.c", lines(600, "line").join(""));
	const unchanged = project.request("unchanged.json", "unchanged", "subject.c", project.inline(50, ["subject.c"]));
	project.write("changing.c", lines(600, "before").join(""));
	const session = project.inline(50, ["changing.c"]);
	project.write("changing.c", lines(600, "before").map((line, i) => (i === 300 ? "changed\n" : line)).join(""));
	const diff = project.request("diff.json", "diff", "changing.c", session);
	const grown = project.grown("grown.jsonl", 4 * MB, "subject.c");
	const branch = project.request("branch.json", "unchanged", "subject.c", grown.session);
	return { unchanged, diff, branch };
}

/** Of one process; the fewest of some, because where the kernel puts things is chance. */
function pageFaults(turns, request) {
	const run = ["1", "/bin/true", "--", "-i", request, binary()];
	const faults = () => JSON.parse(execFileSync(turns, run, { encoding: "utf8" })).sides[1].faults;
	return Math.min(...Array.from({ length: 5 }, faults));
}

/** Rows of [what, figure]. */
function counts(dir, turns) {
	const files = requests(new Project(join(dir, "counted")));
	const text = (name) => readFileSync(files[name], "utf8");
	const figure = (n) => n.toLocaleString("en");
	const rows = [["page faults of one process, unchanged read, 50 entries inline", figure(pageFaults(turns, files.unchanged))]];
	if (has("strace")) {
		const { all, names } = systemCalls(dir, text("unchanged"));
		rows.push(["its system calls", `${all} (${names})`]);
	}
	if (has("valgrind")) {
		const one = (name) => figure(instructions([...CALLGRIND, binary()], text(name)));
		rows.push(["its instructions, from start to end", one("unchanged")]);
		rows.push(["instructions of one process, whole branch of a 4 MB session file", one("branch")]);
	}
	if (has("valgrind") && has("strace")) {
		rows.push(["instructions of one more request in serve, the same read", figure(ofServe(text("unchanged")))]);
		rows.push(["instructions of one more request in serve, a diff of 600 lines", figure(ofServe(text("diff")))]);
	}
	return rows;
}

const dir = realpathSync(mkdtempSync(join(tmpdir(), "readcache-counts-")));
try {
	console.log("| what repeats | figure |\n|---|---|");
	for (const row of counts(dir, process.argv[2])) console.log(`| ${row.join(" | ")} |`);
} finally {
	rmSync(dir, { recursive: true, force: true });
}
