// What is written down about mutants: those with a name, those that change nothing, and who killed which.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const lines = (file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);

/** Paragraphs of an id and, indented, why nothing can tell it from the original: id -> reason. */
export function readEquivalents(file) {
	const found = new Map();
	let id;
	for (const line of lines(file)) {
		if (line.startsWith("#") || line.trim() === "") continue;
		if (!/^\s/.test(line)) found.set((id = line.trim()), "");
		else if (id) found.set(id, `${found.get(id)} ${line.trim()}`.trim());
	}
	return found;
}

const short = (id) => createHash("sha256").update(id).digest("hex").slice(0, 12);

/** Of each of IDS the test that killed it last: id -> test. In the file an id is a hash of it. */
export function readKillers(file, ids) {
	const tests = new Map(lines(file).filter((line) => line.includes("\t")).map((line) => line.split("\t")));
	return new Map([...ids].filter((id) => tests.has(short(id))).map((id) => [id, tests.get(short(id))]));
}

export function writeKillers(file, killers) {
	writeFileSync(file, [...killers].map(([id, test]) => `${short(id)}\t${test}\n`).sort().join(""));
}

/**
 * The mutants of the file NAMED: a title, a path, the test it dies of, the old text, the new one. Spaces may differ, the
 * words may not. Of an old text with a part in «» only that part goes.
 */
export function readNamed(file, sourceOf) {
	const found = [];
	for (const part of readFileSync(file, "utf8").split(/^== /m).slice(1)) {
		const [head, old, text] = part.split(/^---\n/m);
		const [title, path, killer] = head.trim().split("\n").map((line) => line.trim());
		const source = sourceOf(path);
		const literal = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
		const [before, middle, after] = old.includes("«") ? old.trim().split(/[«»]/) : ["", old.trim(), ""];
		const places = [...source.matchAll(new RegExp(`(${literal(before)})(${literal(middle)})${literal(after)}`, "g"))];
		if (places.length !== 1) throw new Error(`${file}: ${title}: its old text is ${places.length} times in ${path}`);
		const start = places[0].index + places[0][1].length;
		const end = start + places[0][2].length;
		found.push({ id: `named: ${title}`, file: path, rule: "named", kind: "instead", start, end, from: start, to: end, text: text.trim(), killer });
	}
	return found;
}
