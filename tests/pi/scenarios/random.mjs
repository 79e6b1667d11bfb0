// A random walk: whatever the user, the files and other extensions do, the model is told the truth.
// READCACHE_PI_SEED and READCACHE_PI_STEPS choose another one.
import { Walker } from "../lib/wander.mjs";

const seed = Number(process.env.READCACHE_PI_SEED ?? 20261116);
const steps = Number(process.env.READCACHE_PI_STEPS ?? 60);

const walk = (name, options) => [
	{
		name,
		ownTool: true,
		sees: `nothing that its context does not support, in ${steps} random steps (seed ${seed})`,
		async run(world) {
			const walker = new Walker(world, seed, options);
			try {
				await walker.start();
				for (let i = 0; i < steps; i++) await walker.step();
			} catch (error) {
				error.story = `the last steps (seed ${seed}):\n${walker.log.slice(-30).join("\n")}`;
				throw error;
			}
		},
	},
];

export default [...walk("random-walk"), ...walk("random-walk-with-a-pruner", { pruned: true })];
