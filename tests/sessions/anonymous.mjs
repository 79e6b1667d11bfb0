// A recorded session without anything of the place and the moment it was made in: the same run gives the same bytes.

const START = Date.UTC(2026, 0, 1);
const PROJECT = "/work/project";
const HOSTS_OWN = ["sections", "toolsAdded"];

/** Entries in the order of the file; names are shared by the sessions of one scenario, which fork from each other. */
export class Anonymous {
	#ids = new Map();
	#sessions = new Map();

	constructor(sandbox) {
		this.places = [
			[sandbox.work, PROJECT],
			[sandbox.sessions, "/work/sessions"],
			[sandbox.root, "/work"],
		];
	}

	#session(id) {
		if (!this.#sessions.has(id)) this.#sessions.set(id, `00000000-0000-4000-8000-${String(this.#sessions.size + 1).padStart(12, "0")}`);
		return this.#sessions.get(id);
	}

	/** The stable id of an entry. */
	id(id) {
		if (!this.#ids.has(id)) this.#ids.set(id, `e${String(this.#ids.size + 1).padStart(7, "0")}`);
		return this.#ids.get(id);
	}

	path(text) {
		let moved = text;
		for (const [from, to] of this.places) moved = moved.replaceAll(from, to);
		return moved;
	}

	#value(value, at) {
		if (typeof value === "string") return this.#ids.get(value) ?? this.path(value);
		if (Array.isArray(value)) return value.map((each) => this.#value(each, at));
		if (value === null || typeof value !== "object") return value;
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#member(name, each, at)]));
	}

	#member(name, value, at) {
		// The host's prompts and tool descriptions are long and say nothing about reads.
		if (HOSTS_OWN.includes(name) && value !== null && typeof value === "object") return Array.isArray(value) ? [] : {};
		if (name === "timestamp" && typeof value === "string") return new Date(at).toISOString();
		if ((name === "timestamp" || name === "at") && typeof value === "number") return at;
		if (name === "durationMs") return 0;
		return this.#value(value, at);
	}

	/** The session file's text. */
	text(header, entries) {
		for (const { id } of entries) this.id(id);
		const all = [{ ...header, id: this.#session(header.id) }, ...entries];
		const named = (name, value) => (name === "parentSession" && typeof value === "string" ? "/work/sessions/parent.jsonl" : value);
		return all.map((entry, i) => `${JSON.stringify(this.#value(entry, START + i * 1000), named)}\n`).join("");
	}
}
