// C source as tokens, as far as mutants need it.
//
// A token is {type, text, start, end}; the types are name, number, text (strings and characters), sign, and hash (a line
// for the preprocessor). Comments are no tokens.

const pattern = new RegExp(
	[
		/\/\*[^]*?\*\/|\/\/[^\n]*/, // comment
		/^[ \t]*#(?:[^\n\\]|\\[^])*/, // preprocessor
		/[LuU]?"(?:[^"\\\n]|\\[^])*"|[LuU]?'(?:[^'\\\n]|\\[^])*'/, // text
		/[A-Za-z_]\w*/, // name
		/\.?\d(?:[eEpP][+-]|[\w.])*/, // number
		/<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w]/, // sign
	]
		.map(({ source }) => `(${source})`)
		.join("|"),
	"gm",
);
const types = ["comment", "hash", "text", "name", "number", "sign"];

export function tokenize(source) {
	const tokens = [];
	for (const match of source.matchAll(pattern)) {
		const type = types[match.slice(1).findIndex((part) => part !== undefined)];
		if (type !== "comment") tokens.push({ type, text: match[0], start: match.index, end: match.index + match[0].length });
	}
	return tokens;
}

/** For every opening bracket among TOKENS the index of the one that closes it, and the other way round. */
export function pairs(tokens) {
	const partner = new Map();
	const open = [];
	for (const [at, { type, text }] of tokens.entries()) {
		if (type !== "sign") continue;
		if ("([{".includes(text)) open.push(at);
		else if (")]}".includes(text) && open.length > 0) {
			const from = open.pop();
			partner.set(from, at).set(at, from);
		}
	}
	return partner;
}

/** The functions that TOKENS define: {name, from, to}, where from and to are the body's braces. */
export function functions(tokens, partner) {
	const found = [];
	for (let at = 0; at < tokens.length; at++) {
		if (tokens[at].text !== "{" || tokens[at].type !== "sign") continue;
		const before = tokens[at - 1];
		if (before?.text === ")") found.push({ name: tokens[partner.get(at - 1) - 1].text, from: at, to: partner.get(at) });
		at = partner.get(at);
	}
	return found;
}
