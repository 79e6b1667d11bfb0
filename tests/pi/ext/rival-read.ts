// The rival's `read`: the host's text behind a line of its own, or with E2E_RIVAL=same the host's text.
import { createReadToolDefinition } from "@earendil-works/pi-coding-agent";

export function rivalRead(): any {
	const base: any = createReadToolDefinition(process.cwd());
	if (process.env.E2E_RIVAL === "same") return { ...base };
	return {
		...base,
		async execute(...args: any[]) {
			const result = await base.execute(...args);
			return { ...result, content: [{ type: "text", text: `rival read\n${result.content[0].text}` }] };
		},
	};
}
