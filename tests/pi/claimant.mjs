// An engine that claims what a scenario tells it to, true or not, for scenarios about what the extension makes of it:
//
//	claimant.mjs ENGINE DIRECTORY [serve]
//
// The engine answers. If DIRECTORY has a file `next`, JSON {text, rests, calls}, the next answer to a read that is a text
// becomes an answer in pieces with that text: `rests` are numbers of earlier answers, from 0, `calls` ids. DIRECTORY/asked
// gets a line of JSON for each request, DIRECTORY/answers the textHash of each answer.
import { createHash } from "node:crypto";
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [engine, directory, ...args] = process.argv.slice(2);
const place = (name) => join(directory, name);
const linesOf = (name) => (existsSync(place(name)) ? readFileSync(place(name), "utf8").trim().split("\n") : []);

/** The answer in pieces that stands for ANSWER. */
function claimed(answer, { text, rests = [], calls }) {
	const { readcache } = answer.result.details;
	const mode = readcache.scopeKey === "full" ? "diff" : "unchanged_range";
	const answers = linesOf("answers");
	const said = { textHash: createHash("sha256").update(text).digest("hex").slice(0, 32), textBytes: Buffer.byteLength(text) };
	const pieces = { rests: rests.map((number) => answers[number]), pieces: 1, calls };
	const meta = { ...readcache, mode, baseHash: readcache.servedHash, ...said, ...pieces };
	return { ...answer, result: { content: [{ type: "text", text }], details: { readcache: meta } }, decision: { ...answer.decision, mode } };
}

function handle(request, line) {
	appendFileSync(place("asked"), `${request}\n`);
	let answer = JSON.parse(line);
	if (answer.result?.details?.readcache === undefined) return line;
	if (existsSync(place("next"))) {
		answer = claimed(answer, JSON.parse(readFileSync(place("next"), "utf8")));
		rmSync(place("next"));
	}
	appendFileSync(place("answers"), `${answer.result.details.readcache.textHash}\n`);
	return JSON.stringify(answer);
}

if (args[0] === "serve") {
	const child = spawn(engine, args, { stdio: ["pipe", "pipe", "inherit"] });
	const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	for await (const line of createInterface({ input: process.stdin })) {
		child.stdin.write(`${line}\n`);
		process.stdout.write(`${handle(line, (await answers.next()).value)}\n`);
	}
	child.stdin.end();
} else if (args.length > 0) {
	process.exit(spawnSync(engine, args, { stdio: "inherit" }).status);
} else {
	const request = readFileSync(0, "utf8");
	const { stdout, status } = spawnSync(engine, [], { input: request });
	process.stdout.write(`${handle(request.trim(), stdout.toString())}\n`);
	process.exitCode = status;
}
