// Random files, and edits of them as models make them: most are right, some nearly.

const words = ["x", "foo", "bar", "foo(bar)", "\tif (a) {", "}", "}", "  return 1;", "é", "e\u0301", "€uro", "日本語", "😀", "'q'", "\u2018q\u2019", '"d"', "\u201cd\u201d", "a-b", "a\u2014b", "\u2212", "...", "\u2026", "\u00a0", "\ufb01", "fi", "\u2460", "\uff41", "\u212b", "\u00c5", "\ud55c", "\u1112\u1161\u11ab", "\u200b", "\u2028", "\f", "\0", "\ufeff", "½", "$&", "\\n", "%s"];
const blanks = ["", "", "", "", "", "", " ", "\t", "  ", "\u3000"];

function line(random) {
	let text = random.chance(0.3) ? random.pick(["\t", "  ", "    "]) : "";
	for (let count = random.weighted([[2, 0], [6, 1], [6, 2], [3, 4]]); count > 0; count--) text += random.pick(words) + random.pick(["", " ", " "]);
	// A number makes it the only one of its kind, as most lines of a program are.
	if (random.chance(0.6)) text += random.int(0, 999);
	return text + (random.chance(0.1) ? random.pick(blanks) : "");
}

function endings(random) {
	return random.weighted([
		[60, ["\n"]],
		[15, ["\r\n"]],
		[8, ["\n", "\r\n"]],
		[2, ["\n", "\r"]],
		[1, ["\r"]],
	]);
}

function randomFile(random) {
	const ends = endings(random);
	const count = random.weighted([[1, 0], [4, 1], [20, random.int(2, 8)], [20, random.int(5, 60)], [1, random.int(500, 2500)]]);
	let text = random.chance(0.08) ? "\ufeff" : "";
	for (let i = 0; i < count; i++) text += line(random) + (i + 1 < count || random.chance(0.7) ? random.pick(ends) : "");
	return text;
}

const lf = (text) => text.replace(/\r\n?/g, "\n");

/** A piece of TEXT, {from, to}, that begins and ends at lines, near them or anywhere. */
function piece(random, text) {
	const starts = [0];
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
	const first = random.int(0, starts.length - 1);
	const last = Math.min(starts.length - 1, first + random.weighted([[6, 0], [4, 1], [2, random.int(0, 8)]]));
	let from = starts[first];
	let to = last + 1 < starts.length ? starts[last + 1] : text.length; // with its line end
	const shape = random.weighted([[4, "lines"], [6, "no end"], [2, "end before"], [6, "inside"]]);
	if (shape !== "lines" && text[to - 1] === "\n") to--;
	if (shape === "end before" && from > 0) from--;
	if (shape === "inside") {
		from = random.int(from, to);
		to = random.int(from, Math.min(text.length, to + random.pick([0, 0, 3])));
	}
	return { from, to };
}

/** The same piece, and more of what is around it until it is there once. */
function only(text, { from, to }) {
	while (to - from < 400 && (from === to || text.indexOf(text.slice(from, to)) !== from || text.indexOf(text.slice(from, to), from + 1) >= 0)) {
		if (to < text.length) to++;
		else if (from > 0) from--;
		else break;
	}
	return { from, to };
}

/** What a model writes in the place of OLD. */
function rewritten(random, old) {
	const lines = old.split("\n");
	const at = random.int(0, lines.length - 1);
	return random.weighted([
		[3, () => ""],
		[1, () => old],
		[1, () => "\n"],
		[4, () => line(random)],
		[3, () => old + line(random)],
		[3, () => line(random) + old],
		[4, () => lines.toSpliced(at, 0, line(random)).join("\n")],
		[3, () => lines.toSpliced(at, 1).join("\n")],
		[4, () => lines.with(at, line(random)).join("\n")],
		[2, () => `${old}${old.endsWith("\n") ? "" : "\n"}${line(random)}\n`],
		[1, () => `\n${old}`],
	])();
}

/** OLD as a model remembers it: not quite. */
function misremembered(random, old) {
	const swaps = [
		[/'/g, "\u2019"],
		[/[\u2018\u2019]/g, "'"],
		[/"/g, "\u201c"],
		[/[\u201c\u201d]/g, '"'],
		[/-/g, "\u2013"],
		[/[\u2014\u2212]/g, "-"],
		[/\u00a0/g, " "],
		[/ /g, "\u00a0"],
		[/\n/g, " \n"],
		[/[ \t]+(?=\n|$)/g, ""],
		[/$/, " "],
	];
	const [what, by] = random.pick(swaps);
	return random.weighted([[6, () => old.replace(what, by)], [1, () => old.normalize("NFC")], [1, () => old.normalize("NFD")], [1, () => old.normalize("NFKC")], [1, () => old.trim()]])();
}

function randomReplacement(random, text) {
	const found = random.chance(0.85) ? only(text, piece(random, text)) : piece(random, text);
	let oldText = text.slice(found.from, found.to);
	const newText = rewritten(random, oldText);
	if (random.chance(0.08)) oldText = misremembered(random, oldText);
	else if (random.chance(0.02)) oldText += random.pick(["", "nowhere", "\n\n\n"]);
	else if (random.chance(0.01)) oldText = "";
	const withCr = (part) => part.replace(/\n/g, "\r\n");
	if (random.chance(0.04)) return { oldText: withCr(oldText), newText: withCr(newText) };
	if (random.chance(0.01)) return { oldText, newText: newText.replace(/\n/g, "\r") };
	return { oldText, newText };
}

/** EDITS as the arguments of a call. ODD: the host may refuse them as they are. */
function written(random, edits) {
	const path = "f.txt";
	const spaced = random.chance(0.5) ? 2 : 0;
	const last = edits.at(-1);
	return random.weighted([
		[12, () => ({ args: { path, edits } })],
		[2, () => ({ args: { path, edits: JSON.stringify(edits, null, spaced) } })],
		[1, () => ({ args: { path, ...last, edits: edits.slice(0, -1) } })],
		[1, () => ({ args: { path, ...last, edits: JSON.stringify(edits.slice(0, -1)) } })],
		[1, () => (edits.length === 1 ? { args: { path, ...last } } : { args: { path, edits } })],
		[1, () => (edits.length === 1 ? { args: { path, edits: last } } : { args: { path, edits } })],
		[1, () => (edits.length === 1 ? { args: { path, edits: JSON.stringify(last, null, spaced) } } : { args: { path, edits } })],
		[0.3, () => ({ odd: true, args: { path, edits: JSON.stringify(edits).slice(0, -1) } })],
		[0.3, () => ({ odd: true, args: { path, edits: [...edits, { oldText: "x" }] } })],
		[0.3, () => ({ odd: true, args: { path, edits: [] } })],
	])();
}

const badBytes = ["ff", "80", "c3", "e282", "eda080"];

/** {tool, args, file, edits, odd} */
export function randomEdit(random) {
	const text = randomFile(random);
	let file = Buffer.from(text);
	if (random.chance(0.05)) return { tool: "write", args: { path: "f.txt", content: randomFile(random) }, file };
	const content = lf(text.replace(/^\ufeff/, ""));
	const edits = [];
	for (let count = random.weighted([[10, 1], [4, 2], [2, 3], [1, random.int(4, 12)]]); count > 0; count--) edits.push(randomReplacement(random, content));
	if (random.chance(0.02)) file = Buffer.concat([file, Buffer.from(random.pick(badBytes), "hex")]);
	return { tool: "edit", file, edits, ...written(random, edits) };
}
