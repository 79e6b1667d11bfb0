// The text behind a compact answer: at any later time the store gives what the plain read gave then, or says that it
// has it no more.
import { Unsupported } from "./report.mjs";

/** What speaks against RESPONSE for a text that was TEXT; LOST: its object was tampered with. */
export function expandWrong(response, { text, lost }) {
	if (response.ok === true) {
		if (response.text === text) return [];
		return [["expand", `the text was ${JSON.stringify(text.slice(-200))}, this is ${JSON.stringify(String(response.text).slice(-200))}`]];
	}
	if (response.error?.code !== "object_missing") return [["expand", `refused with ${response.error?.code}`]];
	return lost ? [] : [["expand", "the object is in the store, and it was not found"]];
}

export class Expansions {
	#answers = [];
	#harmed = new Set(); // hashes of versions whose objects somebody else has touched

	constructor(history) {
		this.history = history;
		this.count = 0;
	}

	harm(hashes) {
		for (const hash of hashes) this.#harmed.add(hash);
	}

	/** A compact answer was given; sometimes it is asked for at once. */
	async add({ response, plain }, { ask, file, rng }) {
		const { cwd } = this.history.world;
		const metadata = response.result.details?.readcache;
		const answer = { metadata, text: plain, cwd, store: this.history.storeDir(), ask, file };
		this.#answers.push(answer);
		if (rng.chance(0.2)) await this.#check(answer);
	}

	/** Some answer of this history. */
	async checkOne(rng) {
		if (this.#answers.length === 0) return "nothing to expand";
		const answer = rng.pick(this.#answers);
		await this.#check(answer);
		return answer.metadata.scopeKey;
	}

	async checkAll() {
		for (const answer of this.#answers) await this.#check(answer);
	}

	async #check({ metadata, text, cwd, store, ask, file }) {
		const { engine, step, stats, policy } = this.history;
		const response = JSON.parse(await engine.settled(JSON.stringify({ v: 1, id: step, op: "expand", cwd, store, metadata })));
		const wrong = expandWrong(response, { text, lost: this.#harmed.has(file.hash) });
		stats?.expanded(response.ok);
		if (wrong.length > 0) throw new Unsupported({ wrong, ask, file, response: { ...response, metadata }, policy, history: this.history });
	}
}
