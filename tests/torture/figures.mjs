// What was done, for the last lines of the run.
export const tally = { points: 0, faults: 0, kills: 0, crashes: 0, damages: 0, processes: 0, writes: 0 };

const WORDS = {
	points: "system calls and allocations swept",
	faults: "faults injected",
	kills: "processes killed",
	crashes: "states after a lost write",
	damages: "damaged objects",
	processes: "processes beside each other",
	writes: "writes by them",
};

const WIDTH = 11;
const rows = [];

/** Do RUN, and note what it adds to the tally and how long it takes. */
export async function tallied(topic, run) {
	const before = { ...tally };
	const started = performance.now();
	await run();
	const row = { topic, seconds: Math.round((performance.now() - started) / 1000) };
	for (const name of Object.keys(tally)) row[name] = tally[name] - before[name];
	rows.push(row);
	console.log(`${topic}: ${row.seconds} s`);
}

function line(cells) {
	return cells.map((cell, index) => (index ? String(cell).padStart(WIDTH) : cell.padEnd(WIDTH + 1))).join("");
}

/** A row for each topic and one for all of them, then what the columns are. */
export function figures() {
	const names = Object.keys(tally).filter((name) => tally[name] > 0);
	const all = { topic: "all", seconds: rows.reduce((sum, row) => sum + row.seconds, 0), ...tally };
	return [
		line(["topic", "seconds", ...names]),
		...[...rows, all].map((row) => line([row.topic, row.seconds, ...names.map((name) => row[name] || "-")])),
		...names.map((name) => `${name}: ${WORDS[name]}`),
	].join("\n");
}
