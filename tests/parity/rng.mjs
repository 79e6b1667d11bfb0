// Random numbers that come again with the same seed.

/** A generator for one case: every case can be made alone, without those before it. */
export function generator(seed, number) {
	let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
	// mulberry32
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
	for (let i = 0; i < 4; i++) next();
	const random = {
		/** an integer from LOW to HIGH, both included */
		int: (low, high) => low + Math.floor(next() * (high - low + 1)),
		chance: (probability) => next() < probability,
		pick: (list) => list[Math.floor(next() * list.length)],
		/** one of [[weight, value], ..] */
		weighted(table) {
			let left = next() * table.reduce((sum, [weight]) => sum + weight, 0);
			for (const [weight, value] of table) if ((left -= weight) < 0) return value;
			return table.at(-1)[1];
		},
	};
	return random;
}
