// projector.mjs SDK: for every input line {entries, leafId} one output line {messages} as the host projects them.
import { createInterface } from "node:readline";

const { buildSessionProjection } = await import(process.argv[2]);

function project({ entries, leafId }) {
	try {
		const projected = buildSessionProjection(entries, leafId);
		return {
			messages: projected.entries.flatMap(({ sourceEntry, messages }) =>
				messages.map((message) => ({ message, sourceId: sourceEntry.id })),
			),
		};
	} catch (error) {
		return { error: error.stack };
	}
}

for await (const line of createInterface({ input: process.stdin }))
	process.stdout.write(`${JSON.stringify(project(JSON.parse(line)))}\n`);
