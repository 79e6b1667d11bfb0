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

/** What the model wrote itself, or changed at these PLACES, and nobody else since. */
export const wrote = (total) => `[readcache: unchanged since you wrote it, ${total} lines]`;
export const wroteIn = (first, last, total) => `[readcache: lines ${first}-${last} of ${total} are as you wrote them]`;
export const edits = (total, ...places) =>
	`[readcache: your edits are in place: ${places.join(", ")}; nothing else changed; ${total} lines]`;
export const editsIn = (first, last, total, ...places) =>
	`[readcache: your edits are in place: ${places.join(", ")}; nothing else changed in lines ${first}-${last} of ${total}]`;

/** Lines that were shown under other numbers. */
export const moved = (first, last, total, from) =>
	`[readcache: unchanged in lines ${first}-${last} of ${total}; shown before as lines ${from}-${from + last - first}]`;

/** PARTS, each with its own lines; a text is an array of lines. */
export function inParts(first, last, total, ...parts) {
	const words = "+ is text, you have the rest";
	const head = `[readcache: lines ${first}-${last} of ${total} in ${parts.length} ${parts.length === 1 ? "part" : "parts"}; ${words}]`;
	return [head, ...parts].join("\n");
}

/** The second of them in a row. */
export const again = (marker) => marker.replace("]", "; read again for the text]");

/** What a diff answer begins with. */
export const changedBy = (count, total) => new RegExp(`^\\[readcache: ${count} lines changed of ${total}\\]\\n`);

/** Lines FIRST to LAST of TEXT, and the host's notice when there are more. */
export function slice(text, first, last) {
	const all = text.split("\n");
	const shown = all.slice(first - 1, last).join("\n");
	const more = all.length - last;
	return more > 0 ? `${shown}\n\n[${more} more lines in file. Use offset=${last + 1} to continue.]` : shown;
}
