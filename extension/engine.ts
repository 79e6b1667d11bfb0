/**
 * The engine, from the extension's side: found and started at the first request, asked with the branch as it stands,
 * and told about once when it cannot be used. A caller that gets NoAnswer uses the host's own read.
 */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { View } from "./branch.ts";
import { dirsOf } from "./dirs.ts";
import { Checked, findExecutable, NoExecutable } from "./executable.ts";
import { type Helper, Oneshot, Serve } from "./helper.ts";
import { type Answer, type Metadata, metadataOf, type ReadAnswer, type Request } from "./protocol.ts";
import { sealed } from "./seal.ts";
import type { Settings } from "./settings.ts";
import { tellOnce } from "./tell.ts";

/** There is no answer, and the user knows what there is to know. */
export class NoAnswer extends Error {}

/** One failure may be bad luck; after the second one the engine is left alone for a while. */
const MAX_FAILURES = 2;

/** Wait for `promise`, but not beyond an abort. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (signal === undefined) return promise;
	return new Promise((resolve, reject) => {
		const onAbort = () => reject(new NoAnswer("aborted"));
		if (signal.aborted) return onAbort();
		signal.addEventListener("abort", onAbort, { once: true });
		promise.finally(() => signal.removeEventListener("abort", onAbort)).then(resolve, reject);
	});
}

export class Engine {
	#helper: Promise<Helper> | undefined;
	#failures = 0;
	/** Until then it is not asked; the clock is the process's own. */
	#restsUntil = 0;
	/** It was left alone, if only for a moment: by the time the user is told, that may be over. */
	#hasRested = false;
	/** The metadata of the answers to calls of `read`: others may take it from the results. */
	readonly served = new Map<string, Metadata[]>();
	/** Aborted when the session is over. */
	#over = new AbortController();

	constructor(
		private readonly settings: Settings,
		private readonly packageDir: string,
		/** The ids of results that were kept from the model when it was last asked. */
		private readonly hidden: () => ReadonlySet<string>,
	) {}

	/** The answer to `request` on the session's branch; NoAnswer if there is none, or it was aborted. */
	async ask(request: Request, ctx: ExtensionContext, signal?: AbortSignal): Promise<Answer> {
		try {
			if (performance.now() < this.#restsUntil) throw new NoAnswer("readcache failed twice.");
			const helper = await unlessAborted((this.#helper ??= this.#start()), signal);
			if (this.#over.signal.aborted) throw new NoAnswer("the session is over");
			const answer = await helper.ask(request, request.op === "expand" ? undefined : this.#view(ctx), signal);
			if (answer.kind === "read") this.#keep(answer, request.toolCallId, ctx);
			return answer;
		} catch (error) {
			this.#tell(ctx, error);
			throw new NoAnswer(error instanceof Error ? error.message : String(error));
		}
	}

	/** The answer's metadata, as it will be stored. */
	#keep(answer: ReadAnswer, callId: string | undefined, ctx: ExtensionContext): void {
		const metadata = metadataOf(answer.details);
		if (metadata === undefined) return;
		answer.details!.readcache = sealed(metadata, ctx.sessionManager);
		if (callId !== undefined) this.#note(callId, answer.details!.readcache);
	}

	/** Ids may be used again: all that was said to a call with this one counts. */
	#note(callId: string, metadata: Metadata): void {
		const known = this.served.get(callId);
		if (known === undefined) this.served.set(callId, [metadata]);
		else known.push(metadata);
	}

	#view(ctx: ExtensionContext): View {
		return { sessions: ctx.sessionManager, hidden: this.hidden(), dirs: dirsOf(ctx.sessionManager, ctx.cwd) };
	}

	/** End what was started. There is no way back: the session is over. */
	async stop(): Promise<void> {
		this.#over.abort();
		const helper = await this.#helper?.catch(() => undefined);
		await helper?.stop();
	}

	#tell(ctx: ExtensionContext, error: unknown): void {
		if (error instanceof NoExecutable)
			tellOnce(ctx, `${error.message} Until the next session pi's own read is used.`);
		else if (this.#hasRested)
			tellOnce(ctx, "the helper crashed or gave no answer, twice; pi's own read is used, and it is tried again later.");
	}

	#fail(): void {
		if (++this.#failures < MAX_FAILURES) return;
		this.#failures = 0;
		this.#hasRested = true;
		this.#restsUntil = performance.now() + this.settings.pauseMs;
	}

	async #start(): Promise<Helper> {
		const { executable, timeoutMs, mode } = this.settings;
		const file = findExecutable(executable, this.packageDir, process.env.PATH);
		const checked = new Checked(file, timeoutMs, this.#over.signal);
		await checked.check();
		const Kind = mode === "oneshot" ? Oneshot : Serve;
		return new Kind(file, timeoutMs, () => checked.check(), () => this.#fail());
	}
}
