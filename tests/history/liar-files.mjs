// Files and the store, as the engine of liar.mjs sees them.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sha256 } from "./oracle.mjs";

export function realOf(path) {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** The path and the range that a request means. */
export function place(given, cwd) {
	const name = given.replace(/^@/, "");
	const path = resolve(cwd, name);
	const hit = /^(.*):([^:]*)$/s.exec(name);
	if (existsSync(path) || !hit || !existsSync(resolve(cwd, hit[1]))) return { path, given };
	const range = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(hit[2]);
	const [first, last] = range ? [Number(range[1]), range[2] === undefined ? undefined : Number(range[2])] : [2, 1];
	if (last < first) return { bad: true };
	return { path: resolve(cwd, hit[1]), given: given.slice(0, given.lastIndexOf(":")), offset: first, limit: last && last - first + 1 };
}

export class Store {
	constructor(request, lie) {
		this.dir = join(request.store ?? join(request.cwd, ".pi/readcache"), "objects");
		this.lie = lie;
	}

	#path(hash) {
		return join(this.dir, `sha256-${hash}.txt`);
	}

	put(hash, bytes) {
		try {
			mkdirSync(this.dir, { recursive: true });
			writeFileSync(this.#path(hash), bytes);
		} catch {
			// costs the optimisation only
		}
	}

	get(hash, unverified = this.lie === "damaged_store") {
		try {
			const bytes = readFileSync(this.#path(hash));
			if (unverified || sha256(bytes) === hash) return bytes.toString("utf8");
		} catch {
			// as good as missing
		}
		return undefined;
	}
}
