// The database of a store, which is beside the user's key and not in the store
// (SPEC 19.6).
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The directories of all databases below STATE, the user's ~/.local/state. */
export function databases(state) {
	const dir = join(state, "readcache", "states");
	return existsSync(dir)
		? readdirSync(dir)
				.filter((name) => /^[0-9a-f]{32}$/.test(name))
				.map((name) => join(dir, name))
		: [];
}

/** Write BYTES to FILE, as it was named by database(); the directory goes with a damaged one. */
export function plantDatabase(file, bytes) {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	writeFileSync(file, bytes, { mode: 0o600 });
}

/** The file NAME of the only database below STATE. */
export function database(state, name = "state.mdb") {
	const all = databases(state);
	assert.equal(all.length, 1, `one database in ${state}`);
	return join(all[0], name);
}
