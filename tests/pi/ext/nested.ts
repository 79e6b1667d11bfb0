// Test only: a tool that reads a file by itself, as scripts of pi 1.5.0 do; its result says what it got.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
	pi.registerTool({
		name: "script",
		label: "script",
		description: "test: reads a file",
		parameters: Type.Object({ path: Type.String() }),
		async execute(_id: string, params: any, _signal: any, _update: any, ctx: any) {
			const { result, isError } = await ctx.executeTool("read", { path: params.path });
			const got = {
				isError,
				text: result.content[0].text,
				structured: result.structuredContent,
				details: result.details,
			};
			return { content: [{ type: "text", text: JSON.stringify(got) }], details: undefined };
		},
	} as any);
}
