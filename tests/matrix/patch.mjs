// Apply a unified diff the slow and strict way: every context and removed line must be there.

/** Lines of TEXT, each with its LF if it has one. */
const pieces = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** BASE and DIFF are latin1 strings, so that any bytes pass through; gives the new text. */
export function applyPatch(base, diff) {
	const old = pieces(base);
	const lines = pieces(diff);
	const out = [];
	let at = 0; // lines of the base already used
	let i = 2;
	if (!lines[0]?.startsWith("--- a/") || !lines[1]?.startsWith("+++ b/")) throw new Error("the diff has no --- and +++ lines");
	if (i === lines.length) throw new Error("the diff has no hunk");
	while (i < lines.length) {
		const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[i]);
		if (!head) throw new Error(`not a hunk: ${lines[i]}`);
		i += 1;
		let removed = Number(head[2] ?? 1);
		let added = Number(head[4] ?? 1);
		// A hunk without old lines stands behind the line it names.
		const from = removed === 0 ? Number(head[1]) : Number(head[1]) - 1;
		if (from < at) throw new Error(`hunks overlap: ${head[0]}`);
		if (from > old.length) throw new Error(`the base ends before ${head[0]}`);
		while (at < from) out.push(old[at++]);
		const to = added === 0 ? Number(head[3]) : Number(head[3]) - 1;
		if (out.length !== to) throw new Error(`${head[0]} would land on line ${out.length + 1}`);
		while (removed > 0 || added > 0) {
			const line = lines[i++];
			if (line === undefined) throw new Error(`the hunk ${head[0]} ends too early`);
			let text = line.slice(1);
			if (lines[i]?.startsWith("\\ No newline")) {
				text = text.slice(0, -1);
				i += 1;
			}
			if (line[0] === " " || line[0] === "-") {
				if (old[at] !== text) throw new Error(`line ${at + 1} of the base is ${JSON.stringify(old[at])}, not ${JSON.stringify(text)}`);
				at += 1;
				removed -= 1;
			}
			if (line[0] === " " || line[0] === "+") {
				out.push(text);
				added -= 1;
			}
			if (!" -+".includes(line[0])) throw new Error(`not a line of a hunk: ${line}`);
		}
	}
	return [...out, ...old.slice(at)].join("");
}
