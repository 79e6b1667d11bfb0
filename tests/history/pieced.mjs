// The words of pieced answers, P1 to P7 of SPEC.md 9: what an answer says, by its text alone.

/** The way out, which stands before the last bracket of a marker. */
export const AGAIN = "; read again for the text";

const WAY = `(${AGAIN})?\\]`;
const PLACE = "(?:lines \\d+-\\d+|line \\d+|removed before line \\d+|removed at the end)";
const PLACES = `(${PLACE}(?:, ${PLACE})*)`;
const NOTICE = /^\n\n(\[Showing lines [^\n]*\])$/;

/** By form: the first line, and what its groups are. */
const HEADS = {
	written: ["unchanged since you wrote it, (\\d+) lines", ["total"]],
	writtenRange: ["lines (\\d+)-(\\d+) of (\\d+) are as you wrote them", ["first", "last", "total"]],
	edited: [`your edits are in place: ${PLACES}; nothing else changed; (\\d+) lines`, ["places", "total"]],
	editedRange: [`your edits are in place: ${PLACES}; nothing else changed in lines (\\d+)-(\\d+) of (\\d+)`, ["places", "first", "last", "total"]],
	moved: ["unchanged in lines (\\d+)-(\\d+) of (\\d+); shown before as lines (\\d+)-(\\d+)", ["first", "last", "total", "former", "formerLast"]],
	parts: ["lines (\\d+)-(\\d+) of (\\d+) in (\\d+) parts?; \\+ is text, you have the rest", ["first", "last", "total", "count"]],
};
const PATTERNS = Object.entries(HEADS).map(([form, [words, names]]) => ({ form, names, pattern: new RegExp(`^\\[readcache: ${words}${WAY}$`) }));

const SHOWN = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@ unchanged$/;
const OTHERS = /^@@ \+(\d+),(\d+) @@ (as you wrote it|as you wrote them|text)$/;

/** {first, last} of lines, or {removed: the line before which some are gone}, Infinity at the end. */
function parsePlace(words) {
	const numbers = words.match(/\d+/g)?.map(Number) ?? [];
	if (words.startsWith("removed")) return { removed: numbers[0] ?? Infinity };
	return { first: numbers[0], last: numbers[1] ?? numbers[0], words };
}

/** Take one part off LINES: {kind, first, n, former?, text?}; throws what is wrong. */
function takePart(lines) {
	const head = lines.shift() ?? "";
	const shown = SHOWN.exec(head);
	if (shown) {
		const [former, olds, first, n] = shown.slice(1, 5).map(Number);
		if (olds !== n || n === 0) throw new Error(`the numbers of ${head}`);
		return { kind: "shown", first, n, former };
	}
	const other = OTHERS.exec(head);
	if (!other) throw new Error(`no part begins with ${JSON.stringify(head)}`);
	const [first, n] = [Number(other[1]), Number(other[2])];
	if (n === 0 || (other[3] !== "text" && (n === 1) !== (other[3] === "as you wrote it"))) throw new Error(`the words of ${head}`);
	if (other[3] !== "text") return { kind: "own", first, n };
	const text = lines.splice(0, n);
	if (text.length < n || !text.every((line) => line.startsWith("+"))) throw new Error(`the text of ${head}`);
	return { kind: "text", first, n, text: text.map((line) => line.slice(1)) };
}

function parseParts(said, rest) {
	const lines = rest.split("\n").slice(1);
	said.runs = Array.from({ length: said.count }, () => takePart(lines));
	return lines.map((line) => `\n${line}`).join("");
}

/** The rest behind the first line: parts, and the host's notice. */
function parseRest(said, head, rest) {
	if (said.form === "parts") {
		if (head.includes(" in 1 parts;") || (said.count !== 1 && head.includes(" part;"))) throw new Error("the number of parts in words");
		rest = parseParts(said, rest);
	}
	if (rest !== "" && !NOTICE.test(rest)) throw new Error(`behind it stands ${JSON.stringify(rest.slice(0, 80))}`);
	said.notice = NOTICE.exec(rest)?.[1] ?? "";
}

/** A pieced answer {kind: "pieced", form, first, last, total, again, notice, places?, runs?}; undefined for any other text. */
export function parsePieced(text) {
	const [head] = text.split("\n", 1);
	if (!head.startsWith("[readcache: ")) return undefined;
	for (const { form, names, pattern } of PATTERNS) {
		const hit = pattern.exec(head);
		if (!hit) continue;
		const said = { kind: "pieced", form, again: hit.at(-1) !== undefined };
		names.forEach((name, i) => (said[name] = name === "places" ? hit[i + 1].split(", ").map(parsePlace) : Number(hit[i + 1])));
		if (said.first === undefined) Object.assign(said, { first: 1, last: said.total });
		try {
			parseRest(said, head, text.slice(head.length));
		} catch (error) {
			said.broken = error.message;
		}
		return said;
	}
	return undefined;
}

/** Is it about the whole file? */
export const isWhole = ({ first, last, total }) => first === 1 && last === total;
