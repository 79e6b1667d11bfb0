// The mutants of a source file: every small change that a wrong program could have, by the rules below.
//
// A mutant is {id, file, kind, start, end, from, to, text}: what stands at start..end is its host, and in it TEXT takes
// the place of from..to. Its id names the file, the function, the rule and the place by words, not by a line, so that it
// outlives edits elsewhere: `src/store/dir.c open_at: flag: openat(at, name, O_RDONLY | «O_NOFOLLOW»)`.
import { hostsIn } from "./hosts.mjs";

const bounds = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const equals = { "==": "!=", "!=": "==" };
const flips = { true: "false", false: "true" };
const weak = new Set(["&&", "||", "?", ":", ",", "="]);
/** A flag whose absence somebody could see. */
const isFlag = (token) => token?.type === "name" && /^(?!O_(RDONLY|CLOEXEC|NOCTTY)$)[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(token.text);

/** How far the operand reaches that ends before the token AT (STEP -1) or begins after it (1), within FROM..TO. */
function reach(tokens, partner, at, step, from, to) {
	let edge = at;
	for (let next = at + step; next >= from && next < to; next += step) {
		const { type, text } = tokens[next];
		if (type === "sign" && weak.has(text)) break;
		if (type === "sign" && (step < 0 ? "([{" : ")]}").includes(text)) break;
		if (type === "sign" && (step < 0 ? ")]}" : "([{").includes(text)) next = partner.get(next);
		edge = next;
	}
	return edge;
}

/** What the rules make of HOST: [rule, first token, end, text]. */
function* changes({ kind, from, to }, tokens, partner) {
	if (kind === "statement") return yield ["gone", from, to, ""];
	const operand = (at, step) => reach(tokens, partner, at, step, from, to);
	if (kind === "if") yield ["always", from, to, "true"];
	if (kind === "if" || kind === "loop") yield ["never", from, to, "false"];
	const isCondition = kind === "if" || kind === "loop";
	for (let at = from; at < to; at++) {
		const { type, text } = tokens[at];
		const previous = tokens[at - 1];
		const next = tokens[at + 1];
		if (type === "name") {
			if (text in flips && to === from + 1) yield ["flip", at, at + 1, flips[text]];
			if (isFlag(tokens[at]) && (previous?.text === "|" || next?.text === "|")) yield ["flag", at, at + 1, "0"];
		}
		if (type !== "sign") continue;
		if (text === "&&" || text === "||") {
			const neutral = text === "&&" ? "true" : "false";
			const left = operand(at, -1);
			if (tokens[left - 1]?.text !== text || left === from) yield ["without", left, at, neutral];
			yield ["without", at + 1, operand(at, 1) + 1, neutral];
		}
		if (text in bounds) yield ["bound", at, at + 1, bounds[text]];
		if (text in equals && !isCondition) yield ["equal", at, at + 1, equals[text]];
		if (text === "!" && !isCondition) yield ["not", at, at + 1, ""];
		if ((text === "+" || text === "-") && next?.text === "1" && tokens[at + 2]?.text !== "]") yield ["one", at + 1, at + 2, "0"];
		if (text === "?") {
			const left = operand(at, -1);
			yield ["either", left, at, "true"];
			yield ["either", left, at, "false"];
		}
	}
}

const plain = (text) => text.replace(/\/\*[^]*?\*\//g, " ").replace(/\s+/g, " ");

/** The words around a change, shortened. */
function place(source, start, end, from, to) {
	const before = plain(source.slice(start, from)).trimStart();
	const after = plain(source.slice(to, end)).trimEnd();
	const middle = plain(source.slice(from, to)).trim();
	const cut = (text, length, tail) => (text.length <= length ? text : tail ? `…${text.slice(-length)}` : `${text.slice(0, length)}…`);
	const mark = middle.length > 70 ? `${middle.slice(0, 35)}…${middle.slice(-34)}` : middle;
	return `${cut(before, 40, true)}«${mark}»${cut(after, 40, false)}`;
}

/** All mutants of SOURCE, the text of FILE. */
export function mutantsOf(file, source) {
	const { tokens, partner, hosts } = hostsIn(source);
	const found = [];
	const seen = new Map();
	for (const host of hosts) {
		const start = tokens[host.from].start;
		const end = tokens[host.to - 1].end;
		const done = new Set();
		for (const [rule, first, last, text] of changes(host, tokens, partner)) {
			const from = tokens[first].start;
			const to = tokens[last - 1].end;
			if (done.has(`${from} ${to} ${text}`)) continue;
			done.add(`${from} ${to} ${text}`);
			const word = rule === "either" || rule === "without" ? `${rule} ${text}` : rule;
			const words = `${file} ${host.fn}: ${rule === "without" ? rule : word}: ${place(source, start, end, from, to)}`;
			seen.set(words, (seen.get(words) ?? 0) + 1);
			const id = seen.get(words) > 1 ? `${words} #${seen.get(words)}` : words;
			found.push({ id, file, fn: host.fn, rule, kind: host.kind, start, end, from, to, text });
		}
	}
	return found;
}
