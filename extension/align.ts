/** More than this is not compared pair by pair: what is in doubt is missing. */
const MAX_PAIRS = 4_000_000;

/**
 * Which of WANTED stand at which of PLACES: as many as possible, both in their order. Gives the place of each, -1 for what
 * is missing.
 */
export function align<T, U>(
	wanted: readonly T[],
	places: readonly U[],
	isSame: (one: T, place: U) => boolean,
): number[] {
	const found = wanted.map(() => -1);
	let from = 0;
	while (from < wanted.length && from < places.length && isSame(wanted[from]!, places[from]!)) found[from] = from++;
	let wantedEnd = wanted.length;
	let placesEnd = places.length;
	while (wantedEnd > from && placesEnd > from && isSame(wanted[wantedEnd - 1]!, places[placesEnd - 1]!))
		found[--wantedEnd] = --placesEnd;
	const rows = wantedEnd - from;
	const columns = placesEnd - from;
	if (rows === 0 || columns === 0 || rows * columns > MAX_PAIRS) return found;
	// The longest common subsequence of what is left, from its end.
	const best = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
	for (let i = rows - 1; i >= 0; i--)
		for (let k = columns - 1; k >= 0; k--)
			best[i]![k] = isSame(wanted[from + i]!, places[from + k]!)
				? best[i + 1]![k + 1]! + 1
				: Math.max(best[i + 1]![k]!, best[i]![k + 1]!);
	for (let i = 0, k = 0; i < rows && k < columns; ) {
		if (isSame(wanted[from + i]!, places[from + k]!)) found[from + i++] = from + k++;
		else if (best[i + 1]![k]! >= best[i]![k + 1]!) i++;
		else k++;
	}
	return found;
}
