// Waiting for the thing itself, on a machine of any speed.
import { inspect } from "node:util";

/** So long does a test wait for what should come at once; only what never comes takes it. */
export const PATIENCE = 300_000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Ask CONDITION again and again until it gives something; that is the result. When it does not come, the error says
 * WHAT was waited for and, by SEEN, what there was instead.
 */
export async function until(condition, what, { seen, patience = PATIENCE, interval = 5 } = {}) {
	for (const end = Date.now() + patience; ; await pause(interval)) {
		const value = await condition();
		if (value) return value;
		if (Date.now() < end) continue;
		const last = seen ? await seen() : undefined;
		const shown = last === undefined ? "" : `\nseen: ${typeof last === "string" ? last.replace(/^/gm, "| ") : inspect(last)}`;
		throw new Error(`not in ${patience / 1000} s: ${what}${shown}`);
	}
}

/** PROMISE, but not forever. */
export function within(promise, what, { seen, patience = PATIENCE } = {}) {
	let timer;
	const late = new Promise((_, reject) => {
		const shown = () => (seen ? `\nseen: ${inspect(seen())}` : "");
		timer = setTimeout(() => reject(new Error(`not in ${patience / 1000} s: ${what}${shown()}`)), patience);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
