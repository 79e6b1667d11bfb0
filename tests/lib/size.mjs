// How long random tests go on: READCACHE_SIZE, in percent of what they do without it. scripts/test asks for
// 40, and for half of that where they are sanitized; READCACHE_SIZE=1000 is a long run.
const percent = Number(process.env.READCACHE_SIZE || 100);
if (!(percent > 0)) throw new Error(`READCACHE_SIZE is a number of percent, not ${process.env.READCACHE_SIZE}`);

/** So many rounds instead of USUAL, but not less than LEAST, which a test needs to meet every case. */
export function sized(usual, least = 1) {
	return Math.max(least, Math.round((usual * percent) / 100));
}
