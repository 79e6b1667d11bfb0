/**
 * The engine, from the extension's side: found and started at the first request, asked with the branch as it stands,
 * and told about once when it cannot be used. A caller that gets NoAnswer uses the host's own read.
 */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { sessionJson } from "./branch.ts";
import { checkExecutable, findExecutable, NoExecutable } from "./executable.ts";
import { type Helper, HelperGone, Oneshot, Serve } from "./helper.ts";
import type { Answer, Request } from "./protocol.ts";
import type { Settings } from "./settings.ts";
import type { Sight } from "./sight.ts";
import { tellOnce } from "./tell.ts";

/** There is no answer, and the user knows what there is to know. */
export class NoAnswer extends Error {}

const MEANWHILE = "Until then pi's own read is used.";

export class Engine {
	#helper: Promise<Helper> | undefined;
	#stopped = false;

	constructor(
		private readonly settings: Settings,
		private readonly packageDir: string,
		private readonly sight: Sight,
	) {}

	/** The answer to `request` on the session's branch; NoAnswer if there is none, or it was aborted. */
	async ask(request: Request, ctx: ExtensionContext, signal?: AbortSignal): Promise<Answer> {
		try {
			const helper = await (this.#helper ??= this.#start());
			if (this.#stopped || signal?.aborted) throw new NoAnswer("too late");
			const session = sessionJson(ctx.sessionManager, (entry) => this.sight.hides(entry));
			return await helper.ask(request, session, signal);
		} catch (error) {
			if (error instanceof NoExecutable) tellOnce(ctx, `${error.message} ${MEANWHILE}`);
			if (error instanceof HelperGone)
				tellOnce(ctx, `${error.message}; pi's own read is used in this session. Run "readcache --version" to see whether it works.`);
			throw new NoAnswer(error instanceof Error ? error.message : String(error));
		}
	}

	/** End what was started. There is no way back: the session is over. */
	async stop(): Promise<void> {
		this.#stopped = true;
		const helper = await this.#helper?.catch(() => undefined);
		await helper?.stop();
	}

	async #start(): Promise<Helper> {
		const { executable, timeoutMs, mode } = this.settings;
		const file = findExecutable(executable, this.packageDir, process.env.PATH);
		await checkExecutable(file, timeoutMs);
		return mode === "oneshot" ? new Oneshot(file, timeoutMs) : new Serve(file, timeoutMs);
	}
}
