// Every allocation fails once, and from there on; whoever makes it, the C
// library, LMDB and xdiff included: inject stands in front of malloc itself.
// In a sanitized build every piece of an arena is an allocation of its own.
import { check } from "../hostile/harness.mjs";
import { sized } from "../lib/size.mjs";
import { count } from "./inject.mjs";
import { chosenPlays } from "./plays.mjs";
import { numbers } from "./points.mjs";
import { Stage } from "./stage.mjs";
import { sweep } from "./sweep.mjs";
import { tally } from "./figures.mjs";

const SAMPLE = sized(8, 4);

export default async function allocs({ full }) {
	for (const [name, set] of chosenPlays(full))
		await check(`allocs: ${name}`, async () => {
			const stage = new Stage(set);
			const { counted } = await count("allocs", { ...stage.play, env: stage.env, cwd: stage.scene.cwd });
			tally.points += counted;
			const points = numbers(counted, full ? counted : SAMPLE);
			await sweep(set, points.flatMap((number) => [{ fault: "null", number }, { fault: "null+", number }]));
		});
}
