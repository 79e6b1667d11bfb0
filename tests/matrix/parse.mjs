// A case file becomes a title and steps; what cannot be understood is refused with file and line.
import { basename } from "node:path";

export class CaseError extends Error {
	constructor(file, line, message) {
		super(`${file}:${line}: ${message}`);
	}
}

/** The words of LINE by a verb's USAGE, e.g. "FILE COUNT [WIDTH]"; TEXT and JSON take the rest of the line. */
function parseArguments(usage, rest, fail) {
	const args = {};
	for (const word of usage.split(" ").filter(Boolean)) {
		const name = word.replace(/[[\]]/g, "");
		const key = name.toLowerCase();
		rest = name === "TEXT" ? rest.slice(1) : rest.trimStart(); // text keeps its blanks
		if (rest === "") {
			if (word.startsWith("[")) continue;
			fail(`${name} is missing`);
		}
		if (name === "TEXT") {
			args[key] = rest;
			rest = "";
		} else if (name === "JSON") {
			try {
				args[key] = JSON.parse(rest);
			} catch (error) {
				fail(`this is not JSON: ${error.message}`);
			}
			rest = "";
		} else {
			const [value] = rest.split(/\s/, 1);
			rest = rest.slice(value.length);
			if (["COUNT", "WIDTH", "LINE"].includes(name)) {
				if (!/^\d+$/.test(value)) fail(`${name} is a number, not "${value}"`);
				args[key] = Number(value);
			} else {
				args[key] = value;
			}
		}
	}
	if (rest.trim() !== "") fail(`"${rest.trim()}" is too much here`);
	return args;
}

/** TEXT is a case file's content, VERBS the table of verbs.mjs. */
export function parseCase(file, text, verbs) {
	const lines = text.split("\n");
	const name = basename(file);
	const title = /^# (\d{2,3}) (\S.*)$/.exec(lines[0]);
	if (!title) throw new CaseError(file, 1, 'the first line is "# NN words of the row"');
	if (!name.startsWith(`${title[1]}-`)) throw new CaseError(file, 1, `the file's name does not begin with ${title[1]}-`);
	const steps = [];
	let unseen; // an answer that no expectation has looked at yet
	lines.forEach((line, index) => {
		const fail = (message) => {
			throw new CaseError(file, index + 1, message);
		};
		const step = steps.at(-1);
		if (line === "" || line.startsWith("#")) return;
		if (line.startsWith("|") || line.startsWith("\\")) {
			if (!step || step.endsAt !== index) fail("a text line without a verb above it");
			if (!step.definition.block) fail(`"${step.verb}" takes no text lines`);
			if (step.block?.closed) fail('nothing may follow the "\\" line');
			step.block ??= { lines: [], closed: false };
			if (line.startsWith("\\")) step.block.closed = true;
			else if (line === "|" || line.startsWith("| ")) step.block.lines.push(line.slice(2));
			else fail('a text line begins with "| "');
			step.endsAt = index + 1;
			return;
		}
		const [verb] = line.split(/\s/, 1);
		const definition = verbs[verb];
		if (!definition) fail(`there is no verb "${verb}"`);
		if (definition.asks) {
			if (unseen) throw new CaseError(file, unseen, "nobody looks at the answer");
			unseen = index + 1;
		}
		if (definition.expects) unseen = undefined;
		const args = parseArguments(definition.usage, line.slice(verb.length), fail);
		if (definition.modifies) {
			if (!definition.modifies.includes(step?.verb)) fail(`"${verb}" stands below ${definition.modifies.join(" or ")}`);
			step[verb] = args.text;
			return;
		}
		steps.push({ verb, definition, args, line: index + 1, source: line, endsAt: index + 1 });
	});
	if (unseen) throw new CaseError(file, unseen, "nobody looks at the answer");
	if (steps.length === 0) throw new CaseError(file, 1, "there are no steps");
	for (const step of steps) {
		if (step.block) {
			const { lines: block, closed } = step.block;
			step.text = block.join("\n") + (closed ? "" : "\n");
		} else if (step.definition.block === "must" && step.args.text === undefined) {
			throw new CaseError(file, step.line, `"${step.verb}" needs text`);
		}
		if (step.block && step.args.text !== undefined)
			throw new CaseError(file, step.line, "text on the line and below it");
		step.text ??= step.args.text;
	}
	return { number: title[1], title: title[2], file, steps };
}
