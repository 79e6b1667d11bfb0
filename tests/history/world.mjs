// The workspace: a few files of the kinds that make reads differ, and how they change.
import { existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { sha256 } from "./oracle.mjs";

const WORDS = ["alpha", "beta", "gamma", "delta", "return", "value", "x", "count += 1;", "if (ok) {", "}"];
// Lines that a careless diff reader takes for its own.
const TRAPS = ["", "", "-", "+", "--- a/file", "+++ b/file", "@@ -1,3 +1,4 @@", "\\ No newline at end of file", " ", "\t}"];
const ODD = ["\0", "é", "漢字", "😀", "\u2028", "\r", "\ufffd", "\ufeff"];

function word(rng) {
	return `${rng.pick(WORDS)} ${rng.pick(WORDS)} ${rng.below(1000)}`;
}

const LINE = {
	text: (rng) => (rng.chance(0.12) ? rng.pick(TRAPS) : word(rng)),
	code: (rng) => (rng.chance(0.1) ? `function ${rng.pick(WORDS).slice(0, 4)}${rng.below(99)}() {` : `${"\t".repeat(rng.below(3))}${word(rng)}`),
	crlf: (rng) => `${word(rng)}\r`,
	odd: (rng) => `${rng.pick(ODD)}${word(rng)}${rng.pick(ODD)}`,
	same: (rng) => (rng.chance(0.03) ? "y" : "x"),
	one: (rng) => word(rng),
	big: (rng) => `n ${rng.below(10000)}`,
	wide: (rng) => `${word(rng)} `.repeat(rng.from(35, 80)),
	first: (rng) => word(rng),
	secret: (rng) => `KEY=${rng.below(100000)}`,
};

const COUNT = {
	text: [30, 70],
	code: [80, 160],
	crlf: [30, 50],
	odd: [30, 60],
	same: [25, 40],
	one: [0, 1],
	big: [2500, 2700],
	wide: [60, 80],
	first: [20, 40],
	secret: [30, 31],
};

/** Ranges that are asked for again and again: [offset, limit]. */
const FAVOURITES = {
	one: [[1, 1], [1, undefined], [2, undefined], [1, 5]],
	big: [[1995, 12], [2001, undefined], [100, 20], [1, 2000], [undefined, 40]],
	wide: [[10, 8], [40, undefined], [5, undefined], [undefined, 12]],
	any: [[5, 8], [10, 11], [1, 5], [8, undefined], [undefined, 12], [12, 500], [1, 500], [20, undefined]],
};

const NAMES = {
	text: "notes.txt",
	code: "src/main.js",
	crlf: "dos.txt",
	odd: "odd.txt",
	same: "same.txt",
	one: "one.txt",
	big: "big.log",
	wide: "wide.txt",
	first: "first.txt",
	secret: ".env",
};

const kindOfName = (name) => Object.keys(NAMES).find((kind) => NAMES[kind] === name);

const TOO_LONG = "z".repeat(60000);

export class World {
	/** With EMPTY there are no files: whoever plays in it writes its own. */
	constructor(rng, dir, empty = false) {
		this.dir = dir;
		this.cwd = join(dir, "work");
		for (const sub of ["src", "one", "two"]) mkdirSync(join(this.cwd, sub), { recursive: true });
		this.versions = new Map(); // path -> contents it had, oldest first
		this.contents = new Map(); // hash -> bytes, of all that was looked at
		this.kinds = new Map();
		this.usurped = new Map(); // a file's path while a link has its place -> its bytes
		this.places = new Map(); // directory -> {names, linkTargets} of what was played with there
		if (!empty) this.#choose(rng);
	}

	#choose(rng) {
		const kinds = ["text", "code", ...rng.shuffle(["crlf", "odd", "same", "one", "first"]).slice(0, rng.from(0, 2))];
		if (rng.chance(0.25)) kinds.push("big");
		if (rng.chance(0.2)) kinds.push("wide");
		if (rng.chance(0.1)) kinds.push("secret");
		for (const kind of kinds) this.#add(NAMES[kind], kind, rng);
		this.names = kinds.map((kind) => NAMES[kind]);
		if (rng.chance(0.4)) this.#links(rng);
		// Few names and few ranges, so that answers meet earlier ones.
		if (rng.chance(0.5)) this.names = rng.shuffle(this.names).slice(0, rng.from(1, 3));
		this.favourites = {};
		for (const [kind, ranges] of Object.entries(FAVOURITES)) this.favourites[kind] = rng.shuffle(ranges).slice(0, rng.from(2, 4));
	}

	/** A link to a file, and one to a directory with a file of the same name. */
	#links(rng) {
		this.linkTargets = { "link.txt": ["notes.txt", "src/main.js"], dir: ["one", "two"] };
		this.#add("one/inner.txt", "text", rng);
		this.#add("two/inner.txt", rng.chance(0.3) ? "same" : "text", rng);
		for (const link of Object.keys(this.linkTargets)) symlinkSync(this.linkTargets[link][0], join(this.cwd, link));
		this.names.push("link.txt", "dir/inner.txt", "one/inner.txt");
	}

	/** Another directory beside the first one. */
	place(name) {
		return join(this.dir, name);
	}

	/** A path from here to NAME in the directory FROM. */
	pathTo(from, name) {
		return relative(this.cwd, join(from, name));
	}

	/** The directory DIR gets files of the names that are known here: a copy, or others. */
	settle(dir, rng) {
		if (existsSync(dir)) return;
		mkdirSync(dir);
		const own = this.names.filter((name) => !name.startsWith("..") && kindOfName(name));
		const from = this.cwd;
		this.places.set(from, { names: this.names, linkTargets: this.linkTargets });
		for (const name of own) {
			const kind = kindOfName(name);
			const old = rng.chance(0.5) && existsSync(join(from, name)) ? readFileSync(join(from, name)) : undefined;
			this.kinds.set(join(dir, name), kind);
			this.write(join(dir, name), old ?? this.fresh(kind, rng));
		}
		const far = this.names.map((name) => relative(dir, join(from, name)));
		this.places.set(dir, { names: [...new Set([...own, ...far])] });
	}

	/** From now on paths are relative to DIR. */
	enter(dir) {
		if (dir === this.cwd) return;
		this.places.set(this.cwd, { names: this.names, linkTargets: this.linkTargets });
		this.cwd = dir;
		Object.assign(this, { linkTargets: undefined, ...this.places.get(dir) });
	}

	#add(name, kind, rng) {
		this.kinds.set(join(this.cwd, name), kind);
		this.write(join(this.cwd, name), this.fresh(kind, rng));
	}

	/** A completely new content. */
	fresh(kind, rng) {
		const lines = Array.from({ length: rng.from(...COUNT[kind]) }, () => LINE[kind](rng));
		if (kind === "first" && rng.chance(0.3)) lines.unshift(TOO_LONG);
		if (rng.chance(0.7) && lines.length > 0) lines.push("");
		return Buffer.from(lines.join("\n"));
	}

	/** The real file behind a name, or the name itself where nothing is. */
	real(name) {
		try {
			return realpathSync(resolve(this.cwd, name));
		} catch {
			return resolve(this.cwd, name);
		}
	}

	kindOf(name) {
		return this.kinds.get(this.real(name)) ?? "text";
	}

	/** The name of the file with the most lines. */
	largest() {
		const size = (name) => COUNT[this.kindOf(name)][1];
		return this.names.reduce((best, name) => (size(name) > size(best) ? name : best));
	}

	favourite(name, rng) {
		const [offset, limit] = rng.pick(this.favourites[this.kindOf(name)] ?? this.favourites.any);
		return { offset, limit };
	}

	write(path, bytes) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, bytes);
		const key = realpathSync(path); // a dangling link may have been written through
		const known = this.versions.get(key) ?? [];
		if (!known.at(-1)?.equals(bytes)) known.push(Buffer.from(bytes));
		this.versions.set(key, known.slice(-12));
	}

	/** The file as it is: what the oracle takes for the truth. */
	look(name) {
		const path = resolve(this.cwd, name);
		const real = this.real(name);
		const file = { name: path, real, excluded: /(^|\/)\.env/.test(name), still: (other) => this.real(other) === real };
		if (!existsSync(path)) return file;
		const bytes = readFileSync(path);
		const hash = sha256(bytes);
		this.contents.set(hash, bytes);
		return { ...file, bytes, hash, contents: this.contents };
	}

	/** A file gives its place to a link, or gets it back. */
	usurp() {
		const path = join(this.cwd, "notes.txt");
		const bytes = this.usurped.get(path);
		if (!bytes && !existsSync(path)) return "nothing to usurp";
		if (!bytes) this.usurped.set(path, readFileSync(path));
		else this.usurped.delete(path);
		rmSync(path, { force: true });
		if (bytes) this.write(path, bytes);
		else symlinkSync("src/main.js", path);
		return bytes ? "notes.txt is a file again" : "notes.txt -> src/main.js";
	}

	/** A link turned to its other target. */
	turn(link) {
		const path = join(this.cwd, link);
		const [a, b] = this.linkTargets[link];
		const now = readlinkSync(path);
		rmSync(path);
		symlinkSync(now === a ? b : a, path);
		return `${link} -> ${readlinkSync(path)}`;
	}
}

/** A line near the edge of a favourite range, or anywhere. */
function place(lines, edge, rng) {
	const at = rng.chance(0.6) ? edge + rng.from(-2, 2) : rng.below(lines.length + 1);
	return Math.max(0, Math.min(at, lines.length - 1));
}

const EDITS = {
	replace: (lines, at, make, rng) => {
		for (let i = at; i < Math.min(at + rng.from(1, 3), lines.length); i++) lines[i] = make();
	},
	insert: (lines, at, make, rng) => lines.splice(at, 0, ...Array.from({ length: rng.from(1, 3) }, make)),
	remove: (lines, at, make, rng) => lines.splice(at, rng.from(1, 3)),
	double: (lines, at) => lines.splice(at, 0, lines[at] ?? ""),
	swap: (lines, at) => {
		if (at + 1 < lines.length) [lines[at], lines[at + 1]] = [lines[at + 1], lines[at]];
	},
	append: (lines, at, make, rng) => {
		const end = lines.at(-1) === "" ? lines.length - 1 : lines.length;
		lines.splice(end, 0, ...Array.from({ length: rng.from(1, 4) }, make));
	},
	cut: (lines, at, make, rng) => (lines.length = Math.max(1, rng.chance(0.3) ? at : lines.length - rng.from(1, 6))),
	newline: (lines) => (lines.length > 1 && lines.at(-1) === "" ? lines.pop() : lines.push("")),
	long: (lines, at, make, rng) => (lines[rng.chance(0.5) ? 0 : at] = TOO_LONG),
};

const EDIT_WEIGHTS = { replace: 40, insert: 12, remove: 10, double: 3, swap: 4, append: 8, cut: 6, newline: 7 };

/** Another content near to BYTES; gives {bytes, what}. */
export function edited(bytes, kind, edge, rng) {
	const lines = bytes.toString("latin1").split("\n");
	const make = () => Buffer.from(LINE[kind](rng)).toString("latin1");
	const weights = kind === "first" ? { ...EDIT_WEIGHTS, long: 15 } : EDIT_WEIGHTS;
	const done = [];
	for (let n = rng.chance(0.75) ? 1 : rng.from(2, 4); n > 0; n--) {
		const how = rng.weighted(weights);
		const at = place(lines, edge, rng);
		EDITS[how](lines, at, make, rng);
		done.push(`${how} at ${at + 1}`);
	}
	return { bytes: Buffer.from(lines.join("\n"), "latin1"), what: done.join(", ") };
}
