// Which of many points are taken: all of them, or so many, evenly spread.

/** The numbers from 1 to N; or LIMIT of them, the first and the last among them. */
export function numbers(n, limit = n) {
	if (n <= limit) return Array.from({ length: n }, (_, index) => index + 1);
	const step = (n - 1) / (limit - 1);
	return Array.from({ length: limit }, (_, index) => 1 + Math.round(index * step));
}
