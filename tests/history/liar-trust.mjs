// The trust state machine of liar.mjs: what a branch has shown, honest except for one lie.
import { isAbsolute } from "node:path";
import { knowsVersion } from "./cover.mjs";
import { place, realOf } from "./liar-files.mjs";

export const isAnchor = (mode) => mode === "full" || mode === "baseline_fallback";

/** The path's slots, what was shown of it, and what its names meant. */
export class Trust {
	constructor(lie) {
		this.lie = lie;
		this.slots = new Map(); // pathKey -> name -> scope -> {hash, seq}
		this.shown = [];
		this.names = new Map();
		this.refreshed = new Set();
		this.seq = 0;
		// for coverage
		this.holes = []; // lines that must be shown anew
		this.rows = new Map(); // path, name and scope -> {hash, count} of markers in a row
		this.refused = new Map(); // a file's name -> when an edit of it was refused
		this.edited = new Map(); // the same of one that was done
	}

	of(pathKey, name) {
		if (!this.slots.has(pathKey)) this.slots.set(pathKey, new Map());
		const names = this.slots.get(pathKey);
		const key = this.lie === "any_name" ? "" : name;
		if (!names.has(key)) names.set(key, new Map());
		return names.get(key);
	}

	/** Something was shown, whether or not it is evidence. */
	saw(meta, name, more) {
		const seq = ++this.seq;
		this.shown.push({ ...meta, name, seq, ...more });
		return seq;
	}

	/** The model sees another text than the metadata says, or none: a name's meaning and the file are in doubt. */
	doubt(meta, name, isGone) {
		this.saw(meta, name, { veiled: !isGone });
		if (!isGone || (this.names.get(name) ?? meta.pathKey) !== meta.pathKey) this.names.set(name, null);
		if (isGone) return;
		this.slots.delete(meta.pathKey);
		this.#leave(name);
	}

	/** Under NAME something else was seen: what it showed before of other files is old. */
	#leave(name, stays) {
		if (["ignore_turned", "ignore_moved"].includes(this.lie)) return;
		for (const [pathKey, names] of this.slots) if (pathKey !== stays) names.delete(name);
	}

	take(meta, name = meta.name ?? meta.pathKey) {
		const anchor = isAnchor(meta.mode);
		const shows = anchor || (meta.mode === "diff" && knowsVersion(this, { real: meta.pathKey, name }, meta.baseHash) !== undefined);
		const seq = this.saw(meta, name, { anchor, shows });
		this.count(meta, name);
		this.names.set(name, meta.pathKey);
		this.#leave(name, meta.pathKey);
		const slots = this.of(meta.pathKey, name);
		const full = slots.get("full")?.hash === meta.baseHash;
		const own = slots.get(meta.scopeKey)?.hash === meta.baseHash;
		const isFull = meta.scopeKey === "full";
		const mark = `${meta.pathKey} ${meta.scopeKey}`;
		const guards = {
			unchanged: isFull && full && meta.servedHash === meta.baseHash,
			diff: isFull && full,
			unchanged_range: !isFull && (own || full) && !this.refreshed.has(mark),
		};
		if (!isAnchor(meta.mode) && !guards[meta.mode] && this.lie !== "ignore_guards") return;
		if (isAnchor(meta.mode)) {
			this.refreshed.delete(mark);
			if (isFull) for (const one of this.refreshed) if (one.startsWith(`${meta.pathKey} `)) this.refreshed.delete(one);
		}
		const rests = meta.mode.startsWith("unchanged") ? this.#base(meta, slots)?.rests ?? [] : [meta.textHash];
		slots.set(meta.scopeKey, { hash: meta.servedHash, rests, seq: isAnchor(meta.mode) ? seq : this.#since(meta, slots, seq) });
	}

	/** The slot that a marker speaks of. */
	#base({ scopeKey, baseHash }, slots) {
		const bases = [slots.get(scopeKey), slots.get("full")].filter((slot) => slot?.hash === baseHash);
		return bases.reduce((best, slot) => (best && best.seq >= slot.seq ? best : slot), undefined);
	}

	/** Markers in a row; a text or a diff of the scope, or of all, ends it. */
	count({ pathKey, scopeKey, mode, servedHash }, name) {
		const key = JSON.stringify([pathKey, name, scopeKey]);
		const row = this.rows.get(key);
		if (mode.startsWith("unchanged")) return this.rows.set(key, { hash: servedHash, count: row?.hash === servedHash ? row.count + 1 : 1 });
		const start = JSON.stringify([pathKey, name]).slice(0, -1);
		for (const one of this.rows.keys()) if (one === key || (scopeKey === "full" && one.startsWith(start))) this.rows.delete(one);
		return undefined;
	}

	/** What was shown of these lines does not count any more; of all files if no path is given. */
	#hole(pathKey, scopeKey = "full") {
		const [, first, last] = scopeKey === "full" ? [0, 1, Infinity] : scopeKey.split(":").map(Number);
		this.holes.push({ pathKey, scopeKey, first, last, seq: this.seq });
	}

	/** A marker shows nothing: behind a view of another version it is as old as its base. */
	#since(meta, slots, seq) {
		const bases = [slots.get(meta.scopeKey), slots.get("full")].filter((slot) => slot?.hash === meta.baseHash);
		const base = Math.max(...bases.map((slot) => slot.seq), 0);
		const known = [meta.baseHash, meta.servedHash];
		const other = (view) => view.pathKey === meta.pathKey && view.seq > base && !known.includes(view.servedHash);
		return this.lie !== "ignore_newer" && this.shown.some(other) ? base : seq;
	}

	invalidate({ pathKey, scopeKey }) {
		if (typeof pathKey !== "string" || typeof scopeKey !== "string") return this.clear();
		if (this.lie === "ignore_refresh") return undefined;
		this.#hole(pathKey, scopeKey);
		if (scopeKey === "full") return this.slots.delete(pathKey);
		this.refreshed.add(`${pathKey} ${scopeKey}`);
		for (const slots of this.slots.get(pathKey)?.values() ?? []) slots.delete(scopeKey);
		return undefined;
	}

	clear() {
		this.#hole();
		this.slots.clear();
		return undefined;
	}

	/** Something unknown was seen under NAME, in one of the PLACES. */
	forget(name, places) {
		if (this.lie === "ignore_bare") return;
		if (!isAbsolute(name) && places.includes(null)) this.clear();
		for (const cwd of places) if (cwd !== null) this.#forgetIn(name, cwd);
	}

	/** A notice told that a line is over the limit: of that line nothing older is true, and nothing else was shown. */
	tooLong(text, name, places) {
		const line = Number(/^\[Line (\d+) /.exec(text)?.[1]);
		for (const cwd of places) {
			const { path } = cwd === null || this.lie === "ignore_long" ? {} : place(name, cwd);
			if (path !== undefined) this.saw({ pathKey: realOf(path), mode: "full", rangeStart: line, rangeEnd: line, totalLines: Infinity }, path, {});
		}
	}

	#forgetIn(name, cwd) {
		const { path } = place(name, cwd);
		if (path === undefined) return;
		for (const key of [path, this.names.get(path), realOf(path)]) {
			this.slots.delete(key);
			if (key) this.#hole(key);
			if (key) this.saw({ pathKey: key, mode: "full" }, path, { veiled: true });
		}
		this.names.set(path, null);
		this.#leave(path);
	}
}
