// Files to read, and what SPEC.md section 9 says of them.

/** A file of COUNT lines; the host counts one more, the empty one behind the last LF. */
export const lines = (count, word = "line") => Array.from({ length: count }, (_, i) => `${word} ${i + 1}\n`).join("");

/** TEXT with line NUMBER changed. */
export function changeLine(text, number, to = "changed") {
	const all = text.split("\n");
	all[number - 1] = to;
	return all.join("\n");
}

export const unchanged = (total) => `[readcache: unchanged, ${total} lines]`;
export const unchangedIn = (first, last, total) => `[readcache: unchanged in lines ${first}-${last} of ${total}]`;
export const unchangedInside = (first, last) =>
	`[readcache: unchanged in lines ${first}-${last}; changes exist outside this range]`;

/** What a diff answer begins with. */
export const changedBy = (count, total) => new RegExp(`^\\[readcache: ${count} lines changed of ${total}\\]\\n`);

/** Lines FIRST to LAST of TEXT, and the host's notice when there are more. */
export function slice(text, first, last) {
	const all = text.split("\n");
	const shown = all.slice(first - 1, last).join("\n");
	const more = all.length - last;
	return more > 0 ? `${shown}\n\n[${more} more lines in file. Use offset=${last + 1} to continue.]` : shown;
}
