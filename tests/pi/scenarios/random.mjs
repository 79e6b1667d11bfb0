// A random walk: whatever the user, the files, other calls and other extensions do, the model is told the truth.
// READCACHE_PI_SEED and READCACHE_PI_STEPS choose another one; READCACHE_PI_REQUESTS ends it after so many requests.
import { sized } from "../../lib/size.mjs";
import { Walker } from "../lib/wander.mjs";

const seed = Number(process.env.READCACHE_PI_SEED ?? 20261116);
const requests = Number(process.env.READCACHE_PI_REQUESTS ?? Infinity);
const steps = Number(process.env.READCACHE_PI_STEPS ?? (requests < Infinity ? Infinity : sized(60)));

const walk = (name, options) => ({
	name,
	ownTool: true,
	sees: `nothing that its context does not support, in a random walk (seed ${seed})`,
	async run(world) {
		const walker = new Walker(world, seed, options);
		try {
			await walker.start();
			const progress = (tally) => console.log(`# pi ${world.version} ${name}: ${tally}`);
			await walker.walk({ steps, requests, progress });
		} catch (error) {
			error.story = walker.story();
			throw error;
		}
		return `seed ${seed}, ${world.tally}`;
	},
});

export default [
	walk("random-walk"),
	walk("random-walk-with-a-pruner", { company: "pruner" }),
	walk("random-walk-with-a-dedup-pruner", { company: "dedup" }),
	walk("random-walk-with-forgotten-calls", { company: "caller", policy: "pieces" }),
	walk("random-walk-under-pieces", { policy: "pieces" }),
	walk("random-walk-under-strict", { policy: "strict" }),
];
