// A strict unified diff: every number, every context line and every missing final newline must be right.

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: .*)?$/s;
const NO_NEWLINE = "\\ No newline at end of file";

/** A diff's own lines: each with its LF, so that a missing final newline is a difference. */
function pieces(text) {
	const lines = text.split("\n").map((line) => line + "\n");
	const rest = lines.pop().slice(0, -1);
	return rest === "" ? lines : [...lines, rest];
}

/** Gives {oldName, newName, hunks}, or throws. A hunk is {oldStart, newStart, rows: [[sign, piece]]}. */
export function parseDiff(text) {
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop(); // the diff's own final newline
	if (!lines[0]?.startsWith("--- ")) throw new Error("no --- line");
	if (!lines[1]?.startsWith("+++ ")) throw new Error("no +++ line");
	const diff = { oldName: lines[0].slice(4), newName: lines[1].slice(4), hunks: [] };
	let at = 2;
	while (at < lines.length) {
		const { hunk, next } = parseHunk(lines, at);
		diff.hunks.push(hunk);
		at = next;
	}
	if (diff.hunks.length === 0) throw new Error("no hunk");
	return diff;
}

function parseHunk(lines, at) {
	const head = HUNK.exec(lines[at]);
	if (!head) throw new Error(`no hunk header: ${JSON.stringify(lines[at])}`);
	const [oldStart, oldCount, newStart, newCount] = head.slice(1).map((n, i) => (n === undefined && i % 2 ? 1 : Number(n)));
	const rows = [];
	let [olds, news] = [0, 0];
	at++;
	while (olds < oldCount || news < newCount || lines[at] === NO_NEWLINE) {
		const line = lines[at++];
		if (line === undefined) throw new Error("the hunk ends early");
		if (line === NO_NEWLINE && rows.length > 0 && rows.at(-1)[1].endsWith("\n")) {
			rows.at(-1)[1] = rows.at(-1)[1].slice(0, -1);
			continue;
		}
		const sign = line[0];
		if (!" +-".includes(sign ?? "?")) throw new Error(`no diff line: ${JSON.stringify(line)}`);
		rows.push([sign, line.slice(1) + "\n"]);
		if (sign !== "+") olds++;
		if (sign !== "-") news++;
	}
	if (olds !== oldCount || news !== newCount) throw new Error("the hunk's numbers are wrong");
	// A side of no lines names the line before it.
	const first = (start, count) => (count === 0 ? start + 1 : start);
	return { hunk: { oldStart: first(oldStart, oldCount), newStart: first(newStart, newCount), rows }, next: at };
}

/** Context before the first change: less than three lines only at the file's start or end. */
function contextLines(rows) {
	return rows.findIndex(([sign]) => sign !== " ");
}

/** The text after the diff, or an error if it does not fit line for line. */
export function applyDiff(text, diff) {
	const old = pieces(text);
	const out = [];
	let at = 0;
	for (const hunk of diff.hunks) {
		if (hunk.oldStart - 1 < at) throw new Error("hunks overlap");
		while (at < hunk.oldStart - 1) {
			if (at >= old.length) throw new Error("a hunk behind the end");
			out.push(old[at++]);
		}
		if (out.length !== hunk.newStart - 1) throw new Error(`a hunk's new start ${hunk.newStart}, should be ${out.length + 1}`);
		if (contextLines(hunk.rows) < 3 && at !== 0) throw new Error("too little context before a hunk");
		for (const [sign, piece] of hunk.rows) {
			if (sign !== "+" && old[at++] !== piece) throw new Error(`line ${at} is not ${JSON.stringify(piece)}`);
			if (sign !== "-") out.push(piece);
		}
		if (contextLines([...hunk.rows].reverse()) < 3 && at !== old.length) throw new Error("too little context behind a hunk");
	}
	out.push(...old.slice(at));
	if (out.slice(0, -1).some((piece) => !piece.endsWith("\n"))) throw new Error("a line without newline inside the file");
	return out.join("");
}

/** The new side of every hunk: [[first line, texts]], by the new numbers. */
export function shownByDiff(diff) {
	return diff.hunks.map((hunk) => {
		const news = hunk.rows.filter(([sign]) => sign !== "-").map(([, piece]) => piece);
		const texts = news.map((piece) => piece.replace(/\n$/, ""));
		return { first: hunk.newStart, texts, endsFile: news.length > 0 && !news.at(-1).endsWith("\n") };
	});
}

/** Every changed block counts by the larger of its removed and added lines. */
export function countChanged(diff) {
	let sum = 0;
	for (const { rows } of diff.hunks) {
		let [minus, plus] = [0, 0];
		for (const [sign] of [...rows, [" "]]) {
			if (sign === "-") minus++;
			if (sign === "+") plus++;
			if (sign !== " ") continue;
			sum += Math.max(minus, plus);
			[minus, plus] = [0, 0];
		}
	}
	return sum;
}
