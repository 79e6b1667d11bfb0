// Test only: session operations that RPC has no command for, and a look at what is registered.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	const command = (name: string, run: (words: string[], ctx: any) => unknown) =>
		pi.registerCommand(name, {
			description: `test driver: ${name}`,
			handler: async (args, ctx) => {
				const words = args.trim().split(/\s+/);
				try {
					const value = await run(words, ctx);
					ctx.ui.notify(`${name} ${JSON.stringify(value ?? null)}`, "info");
				} catch (error: any) {
					ctx.ui.notify(`${name} failed: ${error.message}`, "error");
				}
			},
		});

	command("e2e-navigate", async ([id, option], ctx) => {
		await ctx.navigateTree(id, { summarize: option === "summarize" });
		return { leafId: ctx.sessionManager.getLeafId() };
	});

	command("e2e-tools", () =>
		pi.getAllTools().map((tool: any) => ({ name: tool.name, source: tool.sourceInfo?.path })),
	);

	// What runs behind a reload belongs to the module that was replaced: nothing is said then.
	pi.registerCommand("e2e-reload", {
		description: "test driver: e2e-reload",
		handler: async (_args, ctx) => ctx.reload(),
	});
}
