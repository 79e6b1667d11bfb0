// Where a mutant can sit: conditions, returned values, assigned values, and statements that do something.
//
// A host is {kind, from, to, fn}: the tokens from..to-1. Its kind says what may stand in its place:
//	if, loop	a condition
//	value		what is returned or assigned
//	call		an expression whose value nobody takes
//	statement	the whole of an assignment or call, with its semicolon: it can be left out
import { functions, pairs, tokenize } from "./tokens.mjs";

const typeWords = new Set("const static struct enum union unsigned signed int char short long float double void bool volatile register extern typedef".split(" "));
const skipWords = new Set(["break", "continue", "goto", "case", "default", "_Static_assert", "__asm__"]);
const assignments = new Set(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]);
// Nothing but memory, descriptors and locks that the end of the process gives back, or help for the compiler.
const cleanups = /^(free|close|closedir|fclose|munmap|arena_free|arena_(close|own)_fd|va_start|va_end|assert|posix_fadvise|madvise|\w+_(close|free|end|drop))$/;

class Walker {
	constructor(tokens, partner, fn) {
		Object.assign(this, { tokens, partner, fn, hosts: [] });
	}

	text(at) {
		return this.tokens[at]?.text;
	}

	host(kind, from, to) {
		if (to > from && !this.tokens.slice(from, to).some(({ type }) => type === "hash"))
			this.hosts.push({ kind, from, to, fn: this.fn.name });
	}

	/** The first token from FROM on that is TEXT and in no bracket; TO if there is none. */
	find(from, to, ...texts) {
		for (let at = from; at < to; at++) {
			if (texts.includes(this.text(at)) && this.tokens[at].type === "sign") return at;
			if (this.tokens[at].type === "sign" && "([{".includes(this.text(at))) at = this.partner.get(at);
		}
		return to;
	}

	isDeclaration(from) {
		const [first, second, third] = this.tokens.slice(from, from + 3);
		if (first.type !== "name") return false;
		if (typeWords.has(first.text) || second?.type === "name") return true;
		return second?.text === "*" && third?.type === "name" && /_t$|^[A-Z]+$/.test(first.text);
	}

	/** Statements between FROM and TO. */
	block(from, to) {
		for (let at = from; at < to; ) at = this.statement(at, to);
	}

	/** One statement or its head; gives where to go on. */
	statement(at, to) {
		const word = this.text(at);
		if (this.tokens[at].type === "hash" || word === ";" || word === "{" || word === "}" || word === "else" || word === "do") return at + 1;
		if (["if", "while", "for", "switch"].includes(word) && this.text(at + 1) === "(") return this.head(word, at + 1);
		if (skipWords.has(word)) return this.find(at, to, ";", ":") + 1;
		if (this.tokens[at].type === "name" && this.text(at + 1) === ":") return at + 2; // a label
		const end = this.find(at, to, ";");
		if (word === "return") this.host("value", at + 1, end);
		else if (this.isDeclaration(at)) this.declaration(at, end);
		else if (this.tokens[at].type === "name" && this.text(at + 1) === "(" && this.text(this.partner.get(at + 1) + 1) === "{")
			return this.partner.get(at + 1) + 1; // a macro that is a loop
		else this.expression(at, end);
		return end + 1;
	}

	head(word, open) {
		const close = this.partner.get(open);
		if (word === "for") {
			const first = this.find(open + 1, close, ";");
			this.host("loop", first + 1, this.find(first + 1, close, ";"));
		} else if (word !== "switch") this.host(word === "if" ? "if" : "loop", open + 1, close);
		return close + 1;
	}

	declaration(at, end) {
		if (this.text(at) === "static" || this.text(at) === "typedef") return;
		for (let from = at; from < end; ) {
			const comma = this.find(from, end, ",");
			const sign = this.find(from, comma, "=");
			const isArray = this.tokens.slice(from, sign).some(({ text }) => text === "[");
			if (sign < comma && !isArray && this.text(sign + 1) !== "{") this.host("value", sign + 1, comma);
			from = comma + 1;
		}
	}

	expression(at, end) {
		const sign = this.find(at, end, ...assignments);
		let callee = at;
		while (this.text(callee) === "(") callee = this.partner.get(callee) + 1; // casts
		if (sign < end) this.host("value", sign + 1, end);
		else this.host("call", at, end);
		if (!cleanups.test(this.text(callee))) this.host("statement", at, end + 1);
	}
}

/** What a mutant can be made of in SOURCE: {tokens, partner, hosts}. */
export function hostsIn(source) {
	const tokens = tokenize(source);
	const partner = pairs(tokens);
	const hosts = [];
	for (const fn of functions(tokens, partner)) {
		const walker = new Walker(tokens, partner, fn);
		walker.block(fn.from + 1, fn.to);
		hosts.push(...walker.hosts);
	}
	return { tokens, partner, hosts };
}
