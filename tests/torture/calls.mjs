// Every system call fails once: for every play, every call, every fault.
import { check } from "../hostile/harness.mjs";
import { sized } from "../lib/size.mjs";
import { count } from "./inject.mjs";
import { chosenPlays } from "./plays.mjs";
import { numbers } from "./points.mjs";
import { Stage } from "./stage.mjs";
import { sweep } from "./sweep.mjs";
import { tally } from "./figures.mjs";

const ERRORS = ["EIO", "ENOSPC", "EINTR", "EACCES", "EMFILE"];
const TRANSFERS = ["read", "write", "pread64", "pwrite64", "getrandom"];

/** Faults from one call on: the disk is gone, or full; no more descriptors; no rights. */
const LASTING = ["EIO+", "EACCES+", "ENOSPC+", "EMFILE+"];

/** Calls that change something: they may have been done though they failed. */
export const CHANGES = ["mkdirat", "openat", "write", "renameat", "renameat2", "unlinkat", "linkat", "fchmod", "close", "ftruncate"];

function faultsOf({ call }) {
	return [
		...ERRORS,
		...LASTING,
		...(TRANSFERS.includes(call) ? ["short", "short+"] : []),
		...(call === "write" ? ["full"] : []),
		...(CHANGES.includes(call) ? ["late"] : []),
	];
}

const SAMPLE = sized(24, 8);

/** All faults at all calls; in the short form one at some, so that neighbours and plays differ. */
function jobsOf(calls, full, salt) {
	return numbers(calls.length, full ? calls.length : SAMPLE).flatMap((number) => {
		const faults = faultsOf(calls[number - 1]).map((fault) => ({ fault, number }));
		return full ? faults : [faults[(number * 7 + salt) % faults.length]];
	});
}

export default async function calls({ full }) {
	let salt = 0;
	for (const [name, set] of chosenPlays(full))
		await check(`calls: ${name}`, async () => {
			const stage = new Stage(set);
			const run = await count("calls", { ...stage.play, env: stage.env, cwd: stage.scene.cwd });
			stage.play.judge(run);
			tally.points += run.calls.length;
			await sweep(set, jobsOf(run.calls, full, salt++));
		});
}
