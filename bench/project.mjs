// The files and requests that are measured: every request is one line in a file, and has been answered once as it has
// to be.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneshot } from "../tests/lib/engine.mjs";
import { Session } from "../tests/lib/session.mjs";
import { SessionFile } from "./session-file.mjs";

/** The figures in README are of strict, which was the default when they were first measured. */
const POLICY = process.env.READCACHE_BENCH_POLICY ?? "strict";

/** The lines of a file; files of different WORDs differ everywhere. */
export function lines(count, word) {
	return Array.from({ length: count }, (_, i) => `${word} ${i + 1} of some source text\n`);
}

export class Project {
	constructor(dir) {
		this.dir = dir;
		mkdirSync(dir, { recursive: true });
	}

	path(name) {
		return join(this.dir, name);
	}

	write(name, content) {
		writeFileSync(this.path(name), content);
		return this.path(name);
	}

	ask(path, session) {
		const { response, stdout, stderr } = oneshot(this.#request(path, session));
		if (!response?.ok) throw new Error(`no answer for ${path}: ${stdout}${stderr}`);
		return response;
	}

	#request(path, session) {
		return { v: 1, id: 1, op: "read", cwd: this.dir, params: { path }, session, policy: POLICY };
	}

	/** The file NAME with the request, which must be answered by MODE. */
	request(name, mode, path, session) {
		const { decision } = this.ask(path, session);
		if (decision.mode !== mode) throw new Error(`not the request to measure: ${name}: ${JSON.stringify(decision)}`);
		return this.write(name, `${JSON.stringify(this.#request(path, session))}\n`);
	}

	/** A branch of COUNT entries inline that begins with reads of PATHS; other files and talk are around them. */
	inline(count, paths) {
		const session = new Session();
		const read = (path) => {
			const { result } = this.ask(path, session.inline());
			session.call({ path }, `call-${path}`);
			session.result(result, `call-${path}`);
		};
		session.user("please look at this");
		for (const path of paths) read(path);
		for (let i = 0; session.entries.length < count - 2; i++) {
			this.write(`other-${i}.c`, lines(20, `word ${i}`).join(""));
			read(`other-${i}.c`);
		}
		while (session.entries.length < count) session.user("and again");
		return session.inline();
	}

	/** A session file of BYTES bytes; its first entries are a read of PATH. */
	grown(name, bytes, path) {
		const file = new SessionFile(this.path(name));
		file.answered("call-subject", { path }, this.ask(path, undefined).result);
		file.grow(bytes);
		file.say("and again");
		return { leafId: file.leafId, session: file.end() };
	}

	/** A session file of BYTES bytes that ends with a compaction, a read of PATH, and TAIL bytes after it. */
	compacted(name, bytes, tail, path) {
		const { result } = this.ask(path, undefined);
		const file = new SessionFile(this.path(name));
		file.grow(bytes - tail);
		file.compact();
		file.answered("call-subject", { path }, result);
		file.grow(bytes);
		return file.end();
	}

	/** COUNT more lines for a session file whose leaf is LEAFID, one below the other. */
	appends(name, leafId, count) {
		let parentId = leafId;
		const text = Array.from({ length: count }, (_, i) => {
			const id = `more${i.toString(16).padStart(4, "0")}`;
			const message = { role: "user", content: [{ type: "text", text: `and again, ${i}` }], timestamp: 0 };
			const entry = { type: "message", id, parentId, timestamp: "2026-01-01T00:00:00.000Z", message };
			parentId = id;
			return `${JSON.stringify(entry)}\n`;
		});
		return this.write(name, text.join(""));
	}
}
