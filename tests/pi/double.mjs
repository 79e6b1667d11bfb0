// The engine with a witness beside it, for scenarios about what the extension sends:
//
//	double.mjs ENGINE LOG FORGETS serve
//
// Every request goes to the engine as it is. A second engine is asked the same with the whole branch, put together here
// from what was sent before: the two answers must be equal, if the first one is not that the branch is not known. With
// FORGETS = 3 every third request that says `after` is answered by that. LOG gets a line of JSON for each request, with
// what was wrong, if anything was.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [engine, log, forgets, ...args] = process.argv.slice(2);
if (args[0] !== "serve") process.exit(spawnSync(engine, args, { stdio: "inherit" }).status);

/** `serve`, asked one line at a time. */
class Serve {
	#answers;
	#child = spawn(engine, ["serve"], { stdio: ["pipe", "pipe", "inherit"] });

	constructor() {
		this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
	}

	async ask(line) {
		this.#child.stdin.write(`${line}\n`);
		return (await this.#answers.next()).value;
	}

	end() {
		this.#child.stdin.end();
	}
}

/** What the engine has to remember of the session, by SPEC.md 2.1. */
class Remembered {
	#id;
	#chain = [];
	/** What was sent under the present id: entries must not change under it. */
	#sent = new Map();

	/** The whole branch; undefined: it is not known what `after` is. Tells what is wrong by PROBLEM. */
	whole({ id, after, entries, leafId }, problem) {
		if (id !== this.#id) this.#sent.clear();
		const at = after === undefined || id !== this.#id ? -1 : this.#chain.findIndex((entry) => entry.id === after);
		if (after !== undefined && at < 0) return undefined;
		this.#id = id;
		this.#chain = [...this.#chain.slice(0, at + 1), ...entries];
		for (const entry of entries) {
			const before = this.#sent.get(entry.id);
			if (before !== undefined && before !== JSON.stringify(entry)) problem(`${entry.id} is not what it was`);
			this.#sent.set(entry.id, JSON.stringify(entry));
		}
		this.#chain.forEach((entry, i) => {
			if (entry.parentId !== (this.#chain[i - 1]?.id ?? null)) problem(`${entry.id} is below ${entry.parentId}`);
		});
		if (leafId !== (this.#chain.at(-1)?.id ?? null)) problem(`${leafId} is not the last entry`);
		return { id, leafId, entries: this.#chain };
	}
}

/** An answer without the time in it. */
function timeless(answer) {
	return answer.replace(/"at":\d+/, '"at":0');
}

const [serve, witness, remembered] = [new Serve(), new Serve(), new Remembered()];
let told = 0; // requests that said `after`

async function answer(line) {
	const request = JSON.parse(line);
	if (request.session === undefined) return serve.ask(line); // it is about no branch
	const { id, after, entries, dirs } = request.session;
	const note = { bytes: Buffer.byteLength(line), op: request.op, id, after, sent: entries.length, problems: [] };
	const forgotten = after !== undefined && ++told % Number(forgets) === 0;
	const whole = forgotten ? undefined : remembered.whole(request.session, (what) => note.problems.push(what));
	const refusal = { v: 1, id: request.id, ok: false, error: { code: "unknown_leaf", message: "forgotten" } };
	const said = forgotten ? JSON.stringify(refusal) : await serve.ask(line);
	const { ok, error, decision } = JSON.parse(said);
	if (whole !== undefined && error?.code !== "unknown_leaf") {
		const other = await witness.ask(JSON.stringify({ ...request, session: { ...whole, dirs } }));
		if (timeless(other) !== timeless(said)) note.problems.push(`${said} but of the whole branch ${other}`);
	} else if (after === undefined) {
		note.problems.push("the whole branch is not known");
	}
	appendFileSync(log, `${JSON.stringify({ ...note, said: ok ? decision?.mode : error.code })}\n`);
	return said;
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${await answer(line)}\n`);
serve.end();
witness.end();
