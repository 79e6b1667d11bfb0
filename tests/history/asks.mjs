// Requests: which file, which lines, in which spelling.
import { join } from "node:path";

function spell(h, name, rng) {
	if (rng.chance(0.85)) return name;
	return rng.pick([`./${name}`, join(h.world.cwd, name), `src/../${name}`, `@${name}`]);
}

/** NAME is the file's name in the workspace, offset and limit are what the request means. */
export function makeAsk(name, path, { offset, limit, suffix, ...more } = {}) {
	const params = suffix ? { path: `${path}${suffix}` } : { path, offset, limit };
	if (more.bypass) params.bypass_cache = true;
	return { name, path, offset, limit, suffix, params, ...more };
}

export function fullAsk(h, rng, more) {
	const name = rng.pick(h.world.names);
	return makeAsk(name, spell(h, name, rng), more);
}

export function rangeAsk(h, rng, more) {
	const name = rng.pick(h.world.names);
	const range = rng.chance(0.85) ? h.world.favourite(name, rng) : { offset: rng.from(1, 30), limit: rng.from(1, 20) };
	const { offset, limit } = range;
	const path = spell(h, name, rng);
	if (offset === undefined || !rng.chance(0.25)) return makeAsk(name, path, { ...range, ...more });
	const suffix = limit === undefined ? `:${offset}` : `:${offset}-${offset + limit - 1}`;
	return makeAsk(name, path, { ...range, suffix, ...more });
}

export const anyAsk = (h, rng, more) => (rng.chance(0.5) ? fullAsk(h, rng, more) : rangeAsk(h, rng, more));

/** The same request again, or another one of the same file. */
export function againAsk(h, rng) {
	return h.recent.length === 0 ? anyAsk(h, rng) : h.recent[Math.min(rng.below(4), rng.below(h.recent.length))];
}

/** The real file that is most worth a change: one that was just read. */
export function target(h, rng) {
	const name = h.recent.length > 0 && rng.chance(0.7) ? rng.pick(h.recent).name : rng.pick(h.world.names);
	return { name, file: h.world.look(name) };
}

/** How many lines there are behind NAME; 0 where nothing is. */
export const linesOf = (h, name) => h.world.look(name).bytes?.toString("utf8").split("\n").length ?? 0;

/** Lines in and around those of an earlier request: inside, over its edge, next to it. */
export function nearAsk(h, rng) {
	const ask = againAsk(h, rng);
	const total = Math.max(1, linesOf(h, ask.name));
	const first = Math.min(ask.offset ?? 1, total);
	const last = Math.min(total, ask.limit === undefined ? total : first + ask.limit - 1);
	const start = rng.chance(0.7) ? rng.from(first, last) : Math.max(1, first - rng.from(1, 6));
	const end = rng.chance(0.7) ? rng.from(start, Math.max(start, last)) : last + rng.from(1, 6);
	const limit = rng.chance(0.15) ? undefined : end - start + 1;
	return makeAsk(ask.name, ask.path, { offset: start, limit });
}
