// SIGKILL after every system call of everything that writes. What is left is
// sound, and the next run neither sees nor leaves anything of it.
import { check } from "../hostile/harness.mjs";
import { CHANGES } from "./calls.mjs";
import { count } from "./inject.mjs";
import { plays } from "./plays.mjs";
import { numbers } from "./points.mjs";
import { Stage } from "./stage.mjs";
import { sweep } from "./sweep.mjs";
import { tally } from "./figures.mjs";

const SAMPLE = 16;

const WRITERS = [
	"first read (one-shot, entries)",
	"first read (serve, session file)",
	"diff (one-shot, entries)",
	"diff (serve, session file)",
	"store gc",
	"store verify",
	"refresh --session",
	"memo set",
	"memo record, file",
];

function judge(stage, run, fault) {
	tally.kills++;
	stage.play.judge(run, fault);
	if (!stage.play.damaged) stage.storeIsSound();
	const again = stage.run();
	stage.play.judge(again, undefined, { again: true });
	if (!stage.play.damaged) stage.storeIsSound();
	stage.tempsGo();
}

/** Some of the calls that change something: between two of them a kill leaves the same. */
function sampled(jobs) {
	const changes = jobs.filter(({ call }) => CHANGES.includes(call));
	return numbers(changes.length, SAMPLE).map((number) => changes[number - 1]);
}

export default async function kill({ full }) {
	for (const name of WRITERS)
		await check(`kill: ${name}`, async () => {
			const set = plays.get(name);
			const stage = new Stage(set);
			const { calls } = await count("calls", { ...stage.play, env: stage.env, cwd: stage.scene.cwd });
			const jobs = calls.map(({ call }, index) => ({ fault: "kill", number: index + 1, call }));
			await sweep(set, full ? jobs : sampled(jobs), judge);
		});
}
