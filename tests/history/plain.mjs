// The host's own read, written again from its description, so that the oracle shares no code with the engine.

const MAX_LINES = 2000;
const MAX_BYTES = 51200;

const size = (text) => Buffer.byteLength(text, "utf8");

/** Ties go up, as in JavaScript's toFixed. */
export function formatSize(bytes) {
	if (bytes < 1024) return `${bytes}B`;
	if (bytes < 1048576) return `${(bytes / 1024).toFixed(1)}KB`;
	return `${(bytes / 1048576).toFixed(1)}MB`;
}

/** The lines that fit, and why no more. The empty piece behind a final LF is no line here. */
function fit(lines) {
	const kept = [];
	let bytes = 0;
	for (const line of lines.slice(0, MAX_LINES)) {
		const more = size(line) + (kept.length > 0 ? 1 : 0);
		if (bytes + more > MAX_BYTES) return { kept, by: "bytes" };
		kept.push(line);
		bytes += more;
	}
	return { kept, by: "lines" };
}

/** details.truncation for the selected text. */
function truncate(selected) {
	const lines = selected === "" ? [] : selected.split("\n");
	if (lines.at(-1) === "") lines.pop();
	const about = {
		totalLines: lines.length,
		totalBytes: size(selected),
		lastLinePartial: false,
		maxLines: MAX_LINES,
		maxBytes: MAX_BYTES,
	};
	if (about.totalLines <= MAX_LINES && about.totalBytes <= MAX_BYTES) {
		return {
			...about,
			content: selected,
			truncated: false,
			truncatedBy: null,
			outputLines: about.totalLines,
			outputBytes: about.totalBytes,
			firstLineExceedsLimit: false,
		};
	}
	const tooLong = size(lines[0]) > MAX_BYTES;
	const { kept, by } = fit(tooLong ? [] : lines);
	const content = kept.join("\n");
	return {
		...about,
		content,
		truncated: true,
		truncatedBy: tooLong ? "bytes" : by,
		outputLines: kept.length,
		outputBytes: size(content),
		firstLineExceedsLimit: tooLong,
	};
}

/**
 * What the host answers for TEXT: {error}, or the text with the lines really shown
 * (null when the first one is over the limit) and the notice that ends it.
 */
export function plainRead(text, { path, offset, limit }) {
	const lines = text.split("\n");
	const total = lines.length;
	const start = (offset ?? 1) - 1;
	if (start >= total) return { error: `Offset ${offset} is beyond end of file (${total} lines total)`, total };
	const end = limit === undefined ? total : Math.min(start + limit, total);
	const truncation = truncate(lines.slice(start, end).join("\n"));
	const answer = { lines, total, truncated: truncation.truncated, shown: { first: start + 1, last: end }, notice: "" };
	if (truncation.truncated) answer.truncation = truncation;
	if (truncation.firstLineExceedsLimit) {
		const long = formatSize(size(lines[start]));
		const sed = `sed -n '${start + 1}p' ${path} | head -c ${MAX_BYTES}`;
		answer.text = `[Line ${start + 1} is ${long}, exceeds ${formatSize(MAX_BYTES)} limit. Use bash: ${sed}]`;
		answer.shown = null;
		return answer;
	}
	if (truncation.truncated) {
		const last = start + truncation.outputLines;
		const why = truncation.truncatedBy === "bytes" ? ` (${formatSize(MAX_BYTES)} limit)` : "";
		answer.shown.last = last;
		answer.notice = `[Showing lines ${start + 1}-${last} of ${total}${why}. Use offset=${last + 1} to continue.]`;
	} else if (end < total) {
		answer.notice = `[${total - end} more lines in file. Use offset=${end + 1} to continue.]`;
	}
	answer.text = truncation.content + (answer.notice ? `\n\n${answer.notice}` : "");
	return answer;
}

const STARTS = ["\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a"];

/** How the host would take BYTES: "image", "not_utf8" or "text". Only the images this test makes. */
export function kindOf(bytes) {
	const head = bytes.subarray(0, 16).toString("latin1");
	if (STARTS.some((start) => head.startsWith(start))) return "image";
	return Buffer.from(bytes.toString("utf8"), "utf8").equals(bytes) ? "text" : "not_utf8";
}

/** The content the host's own read of a file puts into the session; text that is no UTF-8 becomes U+FFFD. */
export function hostResult({ name, bytes }, request) {
	if (bytes === undefined) return { error: `ENOENT: no such file or directory, access '${name}'` };
	if (kindOf(bytes) === "image") {
		const data = bytes.toString("base64");
		return {
			content: [
				{ type: "text", text: "Read image file [image/gif]" },
				{ type: "image", data, mimeType: "image/gif" },
			],
		};
	}
	const plain = plainRead(bytes.toString("utf8"), request);
	if (plain.error) return { error: plain.error };
	const details = plain.truncation ? { truncation: plain.truncation } : undefined;
	return { content: [{ type: "text", text: plain.text }], details };
}
