// Is a limit kept? With READCACHE_BENCH_CHECK set (bench/run --check), a benchmark that has broken one says which and fails.
const broken = [];

/** "yes" or "NO" for a figure that must not be over LIMIT; "" if there is none. */
export function kept(what, value, limit) {
	if (limit === undefined) return "";
	if (value <= limit) return "yes";
	broken.push(`${what}: ${value.toPrecision(3)}, the limit is ${limit.toPrecision(3)}`);
	return "NO";
}

process.on("exit", () => {
	if (!process.env.READCACHE_BENCH_CHECK || broken.length === 0) return;
	for (const sentence of broken) console.error(`over its limit: ${sentence}`);
	process.exitCode = 1;
});
