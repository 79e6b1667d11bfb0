/**
 * The engine as a process: one that stays (`readcache serve`) or one per request. A helper answers or fails; it never
 * gives half an answer, and what became of a request that failed does not matter, because nothing is recorded by it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { type Answer, BadAnswer, parseAnswer, type Request, requestLine } from "./protocol.ts";

/** The engine gave no answer: crash, time-out, junk. */
export class HelperFailure extends Error {}

/** It failed once too often and is not started again. */
export class HelperGone extends Error {}

export interface Helper {
	/** Rejects with the signal's abort reason if that comes first. */
	ask(request: Request, session: string | undefined, signal: AbortSignal | undefined): Promise<Answer>;
	/** End the process, if there is one; it is gone when the promise is fulfilled. */
	stop(): Promise<void>;
}

/** An answer is a file's text at most; a line that grows beyond this is none. */
const MAX_LINE = 64 * 1024 * 1024;
/** How long an idle process may take to leave when its input ends. */
const GRACE_MS = 1_000;
/** A crash may be bad luck; two are a pattern. */
const MAX_CRASHES = 2;

interface Waiting {
	resolve(answer: Answer): void;
	reject(error: Error): void;
}

/** Complete lines out of chunks; false once a line is too long to be one. */
class Lines {
	#parts: Buffer[] = [];
	#size = 0;

	push(chunk: Buffer, onLine: (line: string) => void): boolean {
		let rest = chunk;
		for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
			const line = Buffer.concat([...this.#parts, rest.subarray(0, end)]).toString("utf8");
			this.#parts = [];
			this.#size = 0;
			rest = rest.subarray(end + 1);
			onLine(line);
		}
		if (rest.length > 0) this.#parts.push(rest);
		this.#size += rest.length;
		return this.#size <= MAX_LINE;
	}
}

function launch(file: string, args: string[]): ChildProcess {
	// From "/", so that no directory is held; requests name theirs.
	const child = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"], cwd: "/" });
	// pi may leave whenever it wants: the helper sees its input end, and leaves too. While somebody waits for an
	// answer the request's timer holds the event loop.
	child.unref();
	for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref?(): void } | null)?.unref?.();
	child.stdin?.on("error", () => {}); // told by its exit
	return child;
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
			reject(new HelperFailure(`no answer in ${timeoutMs} ms`));
			onTimeout();
		}, timeoutMs);
		signal?.addEventListener("abort", onAbort, { once: true });
		answer.finally(done).then(resolve, reject);
	});
}

/** One process for all requests, started with the first one. */
export class Serve implements Helper {
	#child: ChildProcess | undefined;
	#exited: Promise<void> = Promise.resolve();
	#waiting = new Map<number, Waiting>();
	#lastId = 0;
	#crashes = 0;

	constructor(
		private readonly file: string,
		private readonly timeoutMs: number,
	) {}

	ask(request: Request, session: string | undefined, signal: AbortSignal | undefined): Promise<Answer> {
		if (this.#crashes >= MAX_CRASHES) return Promise.reject(new HelperGone("readcache ended unexpectedly, twice"));
		const child = (this.#child ??= this.#start());
		const id = ++this.#lastId;
		const answer = new Promise<Answer>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
		child.stdin?.write(requestLine(id, request, session));
		return limited(answer, this.timeoutMs, signal, () => this.#crash(child, "it hangs"));
	}

	stop(): Promise<void> {
		const child = this.#child;
		this.#child = undefined;
		this.#failAll("it was stopped");
		child?.stdin?.end();
		const timer = setTimeout(() => child?.kill("SIGKILL"), GRACE_MS);
		return this.#exited.finally(() => clearTimeout(timer));
	}

	#start(): ChildProcess {
		const child = launch(this.file, ["serve"]);
		const lines = new Lines();
		this.#exited = new Promise((resolve) => {
			child.once("error", () => resolve());
			child.once("close", () => resolve());
		});
		void this.#exited.then(() => this.#crash(child, "it ended"));
		child.stdout?.on("data", (chunk: Buffer) => {
			if (!lines.push(chunk, (line) => this.#receive(child, line))) this.#crash(child, "its line does not end");
		});
		return child;
	}

	#receive(child: ChildProcess, line: string): void {
		if (child !== this.#child) return;
		try {
			const { id, answer } = parseAnswer(line);
			const waiting = this.#waiting.get(id);
			if (waiting === undefined) throw new BadAnswer("nobody asked for it");
			this.#waiting.delete(id);
			waiting.resolve(answer);
		} catch (error) {
			this.#crash(child, error instanceof Error ? error.message : String(error));
		}
	}

	/** Give up a process that is of no more use; nothing if it was given up before. */
	#crash(child: ChildProcess, why: string): void {
		if (child !== this.#child) return;
		this.#child = undefined;
		this.#crashes++;
		child.kill("SIGKILL");
		this.#failAll(why);
	}

	#failAll(why: string): void {
		const failed = [...this.#waiting.values()];
		this.#waiting.clear();
		for (const { reject } of failed) reject(new HelperFailure(why));
	}
}

/** One process per request. */
export class Oneshot implements Helper {
	#running = new Set<ChildProcess>();

	constructor(
		private readonly file: string,
		private readonly timeoutMs: number,
	) {}

	ask(request: Request, session: string | undefined, signal: AbortSignal | undefined): Promise<Answer> {
		const child = launch(this.file, []);
		this.#running.add(child);
		const answer = new Promise<Answer>((resolve, reject) => {
			const lines = new Lines();
			const fail = (why: string) => reject(new HelperFailure(why));
			child.once("error", () => fail("it cannot be started"));
			child.once("close", () => {
				this.#running.delete(child);
				fail("it ended");
			});
			child.stdout?.on("data", (chunk: Buffer) => {
				const receive = (line: string) => {
					try {
						resolve(parseAnswer(line).answer);
					} catch (error) {
						fail(error instanceof Error ? error.message : String(error));
					}
				};
				if (!lines.push(chunk, receive)) fail("its line does not end");
			});
		});
		child.stdin?.end(requestLine(1, request, session));
		const end = () => void child.kill("SIGKILL");
		return limited(answer, this.timeoutMs, signal, end).catch((error) => {
			end(); // aborted, or of no use
			throw error;
		});
	}

	stop(): Promise<void> {
		const ends = [...this.#running].map((child) => {
			child.kill("SIGKILL");
			return new Promise<void>((resolve) => child.once("close", () => resolve()));
		});
		return Promise.all(ends).then(() => {});
	}
}
