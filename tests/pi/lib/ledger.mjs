// The files of a scenario: every version with its moment, so that "the file at the time of a call" is known.
import { existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

export class Ledger {
	#versions = new Map(); // absolute path -> [{at, bytes}], bytes undefined while there is no file
	#links = new Map(); // absolute path -> the file it leads to
	#open = new Map(); // absolute path -> what it may be when the tools that change it are done
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
		this.settle();
		const path = this.real(resolve(this.cwd, name));
		const bytes = Buffer.from(content);
		mkdirSync(dirname(path), { recursive: true });
		this.#note(path, bytes);
		writeFileSync(path, bytes);
	}

	unlink(name) {
		this.settle();
		const path = resolve(this.cwd, name);
		this.#note(path, undefined);
		unlinkSync(path);
	}

	/** A symbolic link NAME that leads to the file TARGET for good. */
	link(name, target) {
		const [path, file] = [resolve(this.cwd, name), resolve(this.cwd, target)];
		this.#links.set(path, file);
		symlinkSync(file, path);
	}

	/** NAME and TARGET are one file from now on: what is told of the one is told of the other. */
	same(name, target) {
		this.#links.set(resolve(this.cwd, name), this.real(resolve(this.cwd, target)));
	}

	/** The file that an absolute path leads to. */
	real(path) {
		return this.#links.get(path) ?? path;
	}

	has(path) {
		return this.#versions.has(this.real(path));
	}

	/** The file as it is last known; undefined: there is none. */
	latest(path) {
		return this.#versions.get(this.real(path))?.at(-1).bytes;
	}

	/** Tools begin to change the file at PATH; it will be one of these VERSIONS. */
	open(path, versions) {
		this.#open.set(this.real(path), versions);
	}

	/** Those tools are done: what have they left? */
	settle() {
		for (const [path, versions] of this.#open) {
			const bytes = existsSync(path) ? readFileSync(path) : undefined;
			if (!versions.some((one) => (one === undefined ? bytes === undefined : bytes?.equals(one))))
				throw new Error(`${path} is what no order of the calls gives: ${JSON.stringify(bytes?.toString())}`);
			this.#note(path, bytes);
		}
		this.#open.clear();
	}

	/** What the file may have been for a call sent and answered at these moments. */
	between(path, sentAt, answeredAt) {
		const versions = this.#versions.get(this.real(path)) ?? [{ at: 0, bytes: undefined }];
		const before = versions.filter(({ at }) => at <= sentAt).at(-1);
		const meanwhile = versions.filter(({ at }) => at > sentAt && at <= answeredAt);
		return [before, ...meanwhile].map(({ bytes }) => bytes);
	}
}
