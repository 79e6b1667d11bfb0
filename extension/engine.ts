/**
 * The engine, from the extension's side: found and started at the first request, asked with the branch as it stands,
 * and told about once when it cannot be used. A caller that gets NoAnswer uses the host's own read.
 */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { checkExecutable, findExecutable, NoExecutable } from "./executable.ts";
import { type Helper, Oneshot, Serve } from "./helper.ts";
import type { Answer, Request } from "./protocol.ts";
import type { Settings } from "./settings.ts";
import type { Sight } from "./sight.ts";
import { tellOnce } from "./tell.ts";

/** There is no answer, and the user knows what there is to know. */
export class NoAnswer extends Error {}

/** One failure may be bad luck; after the second one the engine is not asked any more in this session. */
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
	/** Aborted when the session is over. */
	#over = new AbortController();

	constructor(
		private readonly settings: Settings,
		private readonly packageDir: string,
		private readonly sight: Sight,
	) {}

	/** The answer to `request` on the session's branch; NoAnswer if there is none, or it was aborted. */
	async ask(request: Request, ctx: ExtensionContext, signal?: AbortSignal): Promise<Answer> {
		try {
			if (this.#failures >= MAX_FAILURES) throw new NoAnswer("readcache failed twice in this session.");
			const helper = await unlessAborted((this.#helper ??= this.#start()), signal);
			if (this.#over.signal.aborted) throw new NoAnswer("the session is over");
			const view = { sessions: ctx.sessionManager, hidden: this.sight.hidden };
			return await helper.ask(request, view, signal);
		} catch (error) {
			this.#tell(ctx, error);
			throw new NoAnswer(error instanceof Error ? error.message : String(error));
		}
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
		else if (this.#failures >= MAX_FAILURES)
			tellOnce(ctx, "the helper crashed or gave no answer, twice; pi's own read is used in this session.");
	}

	async #start(): Promise<Helper> {
		const { executable, timeoutMs, mode } = this.settings;
		const file = findExecutable(executable, this.packageDir, process.env.PATH);
		await checkExecutable(file, timeoutMs, this.#over.signal);
		const onFailure = () => this.#failures++;
		return mode === "oneshot" ? new Oneshot(file, timeoutMs, onFailure) : new Serve(file, timeoutMs, onFailure);
	}
}
