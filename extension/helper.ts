/**
 * The engine as a process: one that stays (`readcache serve`) or one per request. A helper answers or fails; it never
 * gives half an answer, and what became of a request that failed does not matter, because nothing is recorded by it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { View } from "./branch.ts";
import { Memory, supports, type Told } from "./memory.ts";
import { type Answer, parseAnswer, type Request, requestLine } from "./protocol.ts";

export interface Helper {
	/**
	 * The answer to `request` in the session of `view`, if it is about one. Rejects if there is none: crash, time-out,
	 * junk, abort.
	 */
	ask(request: Request, view: View | undefined, signal: AbortSignal | undefined): Promise<Answer>;
	/** End what is running. It never takes longer than STOP_MS. */
	stop(): Promise<void>;
}

/** An answer is a file's text at most; a line that grows beyond this is none. */
const MAX_LINE = 64 * 1024 * 1024;
/** How long a process may take to leave when its input ends. */
const GRACE_MS = 1_000;
/** How long anybody waits for a process to be gone: a stuck one must not hold up the host. */
const STOP_MS = 2_000;

/** How long the words of a process that has left may be on the way. */
const DRAIN_MS = 250;

/** Of a request that is about no session. */
const NOTHING_TOLD: Told = { json: undefined, evidence: new Map() };

interface Waiting {
	resolve(answer: Answer): void;
	reject(error: Error): void;
}

/** A process that is asked and answers, line by line. It is used until it fails once. */
class Child {
	/** What it was told of the session. */
	readonly memory = new Memory();
	#process: ChildProcess;
	#waiting = new Map<number, Waiting>();
	#parts: Buffer[] = [];
	#size = 0;
	#failure: string | undefined;
	#exited: Promise<void>;

	constructor(file: string, args: string[], onFailure: () => void) {
		// From "/", so that no directory is held; requests name theirs.
		const child = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"], cwd: "/" });
		this.#process = child;
		this.#exited = new Promise((resolve) => {
			child.once("error", () => resolve());
			child.once("exit", () => resolve());
		});
		const fail = (why: string) => {
			if (this.#failure === undefined) onFailure();
			this.fail(why);
		};
		// What it said last may still be on the way when it has left.
		child.once("close", () => fail("it ended"));
		void this.#exited.then(() => setTimeout(() => fail("it ended"), DRAIN_MS).unref());
		child.stdin.on("error", () => fail("it does not listen"));
		child.stdout.on("error", () => fail("it cannot be heard"));
		child.stdout.on("data", (chunk: Buffer) => {
			const why = this.#hear(chunk);
			if (why !== undefined) fail(why);
		});
		// pi may leave whenever it wants: the helper sees its input end, and leaves too. While somebody waits for
		// an answer the request's timer holds the event loop.
		child.unref();
		for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
	}

	/** Put it into words for this process, which knows what it was told before. */
	tell(view: View | undefined): Told {
		return view === undefined ? NOTHING_TOLD : this.memory.session(view);
	}

	ask(id: number, line: string): Promise<Answer> {
		return new Promise((resolve, reject) => {
			if (this.#failure !== undefined) return reject(new Error(this.#failure));
			this.#waiting.set(id, { resolve, reject });
			this.#process.stdin?.write(line);
		});
	}

	/** Nothing more will be asked. */
	end(): void {
		this.#process.stdin?.end();
	}

	/** It is of no more use: nobody waits for it or hears it any more. */
	fail(why: string): void {
		if (this.#failure !== undefined) return;
		this.#failure = why;
		this.#process.kill("SIGKILL");
		// A child of its own may hold the pipe and go on writing.
		this.#process.stdout?.destroy();
		this.#process.stdin?.destroy();
		this.#parts = [];
		const failed = [...this.#waiting.values()];
		this.#waiting.clear();
		for (const { reject } of failed) reject(new Error(why));
	}

	/** Ask it to leave; make it, if it does not. */
	async stop(): Promise<void> {
		const ended = (ms: number) => {
			let timer: NodeJS.Timeout | undefined;
			const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
			return Promise.race([this.#exited, limit]).finally(() => clearTimeout(timer));
		};
		if (this.#failure === undefined && this.#waiting.size === 0) {
			this.end();
			await ended(GRACE_MS);
		}
		this.fail("it was stopped");
		await ended(STOP_MS - GRACE_MS);
	}

	/** What was heard, as answers; a string says why it is no such thing. */
	#hear(chunk: Buffer): string | undefined {
		let from = 0;
		for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
			const why = this.#answer(this.#line(chunk, from, end));
			if (why !== undefined) return why;
			from = end + 1;
		}
		if (from < chunk.length) this.#parts.push(chunk.subarray(from));
		this.#size += chunk.length - from;
		return this.#size > MAX_LINE ? "its line does not end" : undefined;
	}

	/** The line that ends in `chunk`; mostly it is the chunk. */
	#line(chunk: Buffer, from: number, end: number): string {
		if (this.#parts.length === 0) return chunk.toString("utf8", from, end);
		const parts = [...this.#parts, chunk.subarray(from, end)];
		this.#parts = [];
		this.#size = 0;
		return Buffer.concat(parts).toString("utf8");
	}

	#answer(line: string): string | undefined {
		try {
			const { id, answer } = parseAnswer(line);
			const waiting = this.#waiting.get(id);
			if (waiting === undefined) return "nobody asked for its answer";
			this.#waiting.delete(id);
			waiting.resolve(answer);
			return undefined;
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}
}

/** Wait for `answer`, but not beyond the time limit or an abort. */
function limited(
	answer: Promise<Answer>,
	timeoutMs: number,
	signal: AbortSignal | undefined,
	onTimeout: () => void,
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const done = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
		};
		const onAbort = () => {
			done();
			reject(new Error("Operation aborted"));
		};
		const timer = setTimeout(() => {
			done();
			reject(new Error(`no answer in ${timeoutMs} ms`));
			onTimeout();
		}, timeoutMs);
		signal?.addEventListener("abort", onAbort, { once: true });
		answer.then(
			(value) => {
				done();
				resolve(value);
			},
			(error) => {
				done();
				reject(error);
			},
		);
	});
}

/** One process for all requests, started with the first one and again after it failed. */
export class Serve implements Helper {
	#child: Child | undefined;
	#lastId = 0;

	constructor(
		private readonly file: string,
		private readonly timeoutMs: number,
		/** Is the program one that can be asked? Rejects if not. */
		private readonly check: () => Promise<void>,
		/** Told of every process that is given up. */
		private readonly onFailure: () => void,
	) {}

	async ask(request: Request, view: View | undefined, signal: AbortSignal | undefined): Promise<Answer> {
		if (this.#child === undefined) await this.check();
		const child = (this.#child ??= this.#start());
		const answer = await this.#askChild(child, request, child.tell(view), signal);
		if (answer !== undefined) return answer;
		child.memory.forget();
		const second = await this.#askChild(child, request, child.tell(view), signal);
		if (second === undefined) throw new Error("readcache gave no answer that fits the session.");
		return second;
	}

	async stop(): Promise<void> {
		const child = this.#child;
		this.#child = undefined;
		await child?.stop();
	}

	/** The answer of CHILD; undefined if it is none that can be used for what it was told. */
	async #askChild(
		child: Child,
		request: Request,
		told: Told,
		signal: AbortSignal | undefined,
	): Promise<Answer | undefined> {
		const id = ++this.#lastId;
		const said = child.ask(id, requestLine(id, request, told.json));
		const answer = await limited(said, this.timeoutMs, signal, () => {
			this.#giveUp();
			child.fail("it hangs");
		});
		return supports(told, answer) ? answer : undefined;
	}

	#start(): Child {
		const child: Child = new Child(this.file, ["serve"], () => {
			if (child === this.#child) this.#giveUp();
		});
		return child;
	}

	#giveUp(): void {
		this.#child = undefined;
		this.onFailure();
	}
}

/** One process per request. */
export class Oneshot implements Helper {
	#running = new Set<Child>();

	constructor(
		private readonly file: string,
		private readonly timeoutMs: number,
		/** Is the program one that can be asked? Rejects if not. */
		private readonly check: () => Promise<void>,
		/** Told of every request that a process did not answer. */
		private readonly onFailure: () => void,
	) {}

	async ask(request: Request, view: View | undefined, signal: AbortSignal | undefined): Promise<Answer> {
		await this.check();
		const child = new Child(this.file, [], () => {});
		this.#running.add(child);
		try {
			const told = child.tell(view);
			const said = child.ask(1, requestLine(1, request, told.json));
			child.end();
			const answer = await limited(said, this.timeoutMs, signal, () => {});
			await child.stop(); // it keeps the version when the answer is out
			if (!supports(told, answer)) throw new Error("readcache gave no answer that fits the session.");
			return answer;
		} catch (error) {
			if (!signal?.aborted) this.onFailure();
			throw error;
		} finally {
			this.#running.delete(child);
			child.fail("it is not needed any more");
		}
	}

	async stop(): Promise<void> {
		await Promise.all([...this.#running].map((child) => child.stop()));
	}
}
