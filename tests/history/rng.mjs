// Seeded choices: a seed and the number of a history give the same history on every machine.

export class Rng {
	#state;

	constructor(seed) {
		this.#state = seed >>> 0;
	}

	/** 32 random bits (mulberry32). */
	bits() {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let x = this.#state;
		x = Math.imul(x ^ (x >>> 15), x | 1);
		x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
		return (x ^ (x >>> 14)) >>> 0;
	}

	/** An integer from 0 to n-1. */
	below(n) {
		return Math.floor((this.bits() / 2 ** 32) * n);
	}

	/** An integer from a to b, both possible. */
	from(a, b) {
		return a + this.below(b - a + 1);
	}

	chance(p) {
		return this.bits() / 2 ** 32 < p;
	}

	pick(list) {
		return list[this.below(list.length)];
	}

	/** A key of TABLE {key: weight}. */
	weighted(table) {
		const keys = Object.keys(table);
		let at = (this.bits() / 2 ** 32) * keys.reduce((sum, key) => sum + table[key], 0);
		for (const key of keys) {
			at -= table[key];
			if (at < 0) return key;
		}
		return keys[keys.length - 1];
	}

	shuffle(list) {
		const out = [...list];
		for (let i = out.length - 1; i > 0; i--) {
			const j = this.below(i + 1);
			[out[i], out[j]] = [out[j], out[i]];
		}
		return out;
	}
}

/** Two numbers to one seed. */
export function mix(a, b) {
	return new Rng((Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(b + 1, 0xc2b2ae35)) >>> 0).bits();
}
