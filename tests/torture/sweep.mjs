// One play, one point after the other, each with its faults.
import { Stage } from "./stage.mjs";
import { inject } from "./inject.mjs";
import { tally } from "./figures.mjs";

const WORKERS = 2;
const SHOWN = 5;

/** What is shown of it is its message: where it was noticed says nothing. */
class Wrong extends Error {
	constructor(message) {
		super(message);
		this.stack = message;
	}
}

/**
 * Play SET with every job ({fault, number}) once, each from the same
 * beginning. JUDGE gets the stage, the run and what was done to it. Throws if
 * some answer was wrong.
 */
export async function sweep(set, jobs, judge = judgeAll) {
	const failures = [];
	let next = 0;
	const work = async () => {
		const stage = new Stage(set);
		while (next < jobs.length) {
			const job = jobs[next++];
			try {
				await attempt(stage, job, judge);
			} catch (error) {
				failures.push(`${job.fault} at ${job.number}: ${job.hit ?? ""}\n${error.message}`);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(WORKERS, jobs.length) }, work));
	// The number of calls is not the same in every run, but a sweep that met nothing has tested nothing.
	const met = jobs.filter((job) => job.hit).length;
	if (met < jobs.length / 2 || jobs.length === 0) throw new Wrong(`only ${met} of ${jobs.length} faults were met`);
	if (failures.length) throw new Wrong(`${failures.length} of ${jobs.length} wrong\n${failures.slice(0, SHOWN).join("\n")}`);
}

async function attempt(stage, job, judge) {
	const { fault, number } = job;
	stage.restore();
	const run = await inject(fault, number, { ...stage.play, env: stage.env, cwd: stage.scene.cwd });
	if (!run.fired) return; // the number of calls is not the same in every run
	tally.faults++;
	job.hit = `${run.hit.call} ${run.hit.path ?? run.hit.fd ?? ""}`;
	judge(stage, run, described(fault, run));
}

function described(fault, { hit }) {
	const name = fault.replace("+", "");
	return { hit, error: name, late: name === "late", kill: name === "kill", onwards: name !== fault || name === "full" };
}

/** The answers, the store, and what must not have been touched. */
function judgeAll(stage, run, fault) {
	stage.play.judge(run, fault);
	if (!stage.play.damaged) stage.storeIsSound();
	stage.tempsGo();
}
