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

export function figures() {
	return Object.entries(WORDS)
		.filter(([name]) => tally[name] > 0)
		.map(([name, words]) => `${String(tally[name]).padStart(8)} ${words}`)
		.join("\n");
}
