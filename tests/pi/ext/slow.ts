// Test only: `slow` makes its whole batch run one call after the other; `pause` runs beside others.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
	for (const [name, executionMode] of [
		["slow", "sequential"],
		["pause", "parallel"],
	] as const) {
		pi.registerTool({
			name,
			label: name,
			description: `test: waits, ${executionMode}`,
			parameters: Type.Object({ ms: Type.Number() }),
			executionMode,
			async execute(_id: string, { ms }: any, signal: AbortSignal | undefined) {
				await new Promise((done, fail) => {
					const timer = setTimeout(done, ms);
					signal?.addEventListener(
						"abort",
						() => (clearTimeout(timer), fail(new Error("Operation aborted"))),
					);
				});
				return { content: [{ type: "text", text: `waited ${ms} ms` }], details: undefined };
			},
		} as any);
	}
}
