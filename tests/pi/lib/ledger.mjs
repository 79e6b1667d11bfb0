// The files of a scenario: every version with its moment, so that "the file at the time of a call" is known.
import { mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

export class Ledger {
	#versions = new Map(); // absolute path -> [{at, bytes}], bytes undefined while there is no file
	#now = 0;

	constructor(cwd) {
		this.cwd = cwd;
	}

	now() {
		return this.#now;
	}

	#note(path, bytes) {
		const known = this.#versions.get(path) ?? [{ at: 0, bytes: undefined }];
		known.push({ at: ++this.#now, bytes });
		this.#versions.set(path, known);
	}

	write(name, content) {
		const path = resolve(this.cwd, name);
		const bytes = Buffer.from(content);
		mkdirSync(dirname(path), { recursive: true });
		this.#note(path, bytes);
		writeFileSync(path, bytes);
	}

	unlink(name) {
		const path = resolve(this.cwd, name);
		this.#note(path, undefined);
		unlinkSync(path);
	}

	has(path) {
		return this.#versions.has(path);
	}

	/** What the file may have been for a call sent and answered at these moments. */
	between(path, sentAt, answeredAt) {
		const versions = this.#versions.get(path) ?? [{ at: 0, bytes: undefined }];
		const before = versions.filter(({ at }) => at <= sentAt).at(-1);
		const meanwhile = versions.filter(({ at }) => at > sentAt && at <= answeredAt);
		return [before, ...meanwhile].map(({ bytes }) => bytes);
	}
}
