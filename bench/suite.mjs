// Measure everything, print one table, write build/bench.json.  suite.mjs ROUNDS TURNS WORK, called by bench/run
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, node22 } from "../tests/host/paths.mjs";
import { kept } from "./limit.mjs";
import { machine } from "./machine.mjs";
import { Project } from "./project.mjs";
import { engineRows, FORMS } from "./rows.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const LONG = 1000; // rounds
const [rounds, turns, work] = [Number(process.argv[2]), ...process.argv.slice(3)];
const withPi = installed().includes("0.87.1");
const form = rounds >= LONG ? FORMS.long : FORMS.short;

function run(command, args) {
	return execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26 });
}

/** The row with its figures. */
function measured({ sides, ...row }) {
	const said = JSON.parse(run(turns, [String(row.rounds), ...sides[0], "--", ...sides[1]]));
	const [reference, ours] = said.sides;
	return withRatios({ ...row, reference, ours });
}

function withRatios(row) {
	const { ours, reference } = row;
	return { ...row, ratioFastest: ours.bestUs / reference.bestUs, ratioMedian: ours.medianUs / reference.medianUs };
}

/** Reads through the extension, in the real pi. */
function extensionRows() {
	if (!withPi) return [];
	const { groups } = JSON.parse(run(node22(), [join(root, "bench/extension.mjs"), String(Math.ceil(rounds / 20) + 10)]));
	return groups.flatMap(([host, ...reads]) =>
		reads.map(({ name, against, limit, rounds: count, ...ours }) =>
			withRatios({
				what: `in pi, serve, ${name}`,
				against: against ?? "pi's own read",
				limit,
				by: "fastest",
				rounds: count,
				reference: host,
				ours,
			}),
		),
	);
}

const ratio = (value) => (value === undefined ? "" : value.toFixed(value < 1 ? 3 : 2));
const time = (us) => (us < 10_000 ? `${us.toFixed(0)} us` : `${(us / 1000).toFixed(0)} ms`);
const met = (value, aim) => (aim === undefined ? "" : value <= aim ? "yes" : "NO");

/** What a row shows: figure and verdict. */
function cells(row) {
	const value = row.by === "median" ? row.ratioMedian : row.ratioFastest;
	return [
		row.what,
		row.against,
		`${time(row.ours.medianUs)} : ${time(row.reference.medianUs)}`,
		`${time(row.ours.bestUs)} : ${time(row.reference.bestUs)}`,
		ratio(row.ratioMedian) + (row.by === "median" ? "*" : " "),
		ratio(row.ratioFastest) + (row.by === "fastest" ? "*" : " "),
		ratio(row.limit),
		kept(`${row.what} (${row.against})`, value, row.limit),
		ratio(row.aim),
		met(value, row.aim),
	];
}

/** Rows that are no ratio: speed and memory of a row above. */
function besides({ what, ours, megabytes, aimMegabytesPerSecond, peakLimitKb }) {
	const list = [];
	if (aimMegabytesPerSecond !== undefined) {
		const speed = megabytes / (ours.bestUs / 1e6);
		const verdict = speed >= aimMegabytesPerSecond ? "yes" : "NO";
		list.push(["  its speed", "", "", `${speed.toFixed(0)} MB/s`, "", "", "", "", `${aimMegabytesPerSecond}`, verdict]);
	}
	if (peakLimitKb !== undefined)
		list.push(["  its peak memory", "", "", `${(ours.peakKb / 1024).toFixed(1)} MB`, "", "", `${peakLimitKb / 1024} MB`, kept(`${what}, peak memory in KB`, ours.peakKb, peakLimitKb), "", ""]);
	return list;
}

const HEAD = ["what", "against", "median", "fastest", "ratio", "ratio", "limit", "met", "aim", "met"];
const LEFT = 2; // columns of words

function print(table) {
	const widths = HEAD.map((_, i) => Math.max(...[HEAD, ...table].map((row) => row[i].length)));
	for (const row of [HEAD, widths.map((n) => "-".repeat(n)), ...table])
		console.log(row.map((cell, i) => (i < LEFT ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "));
}

const rows = [];
const project = new Project(join(work, "project"));
for (const row of engineRows(project, rounds, form)) rows.push(measured(row));
rows.push(...extensionRows());

const report = { date: new Date().toISOString(), command: `bench/run ${rounds}`, form: form.name, machine: machine(), rows };
if (existsSync(join(root, "build")))
	writeFileSync(join(root, "build/bench.json"), `${JSON.stringify(report, null, "\t")}\n`);

console.log(`${report.date.slice(0, 10)}, ${report.machine.text}; ${report.command} (${form.name} form)`);
console.log("ours : the reference; * is the ratio that counts\n");
print(rows.flatMap((row) => [cells(row), ...besides(row)]));
if (!withPi) console.log("pi extension: not measured, the host is missing (tests/host/setup fetches it)");
