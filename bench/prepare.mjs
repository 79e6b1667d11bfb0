// Write one request: an unchanged read of a 600-line file, on a branch of 50
// entries that the executable itself has made.  prepare.mjs DIRECTORY
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneshot } from "../tests/lib/engine.mjs";
import { Session } from "../tests/lib/session.mjs";

const cwd = process.argv[2];
const session = new Session();
mkdirSync(cwd, { recursive: true });

const lines = (count, word) => Array.from({ length: count }, (_, i) => `${word} ${i + 1} of some source text\n`).join("");
const request = (path) => ({ v: 1, id: 1, op: "read", cwd, params: { path }, session: session.inline() });

function read(path) {
	const { response } = oneshot(request(path));
	session.call({ path }, `call-${path}`);
	session.result(response.result, `call-${path}`);
	return response;
}

// Other files and talk around it, as in a real session: 50 entries in all.
writeFileSync(join(cwd, "subject.c"), lines(600, "line"));
for (let i = 0; i < 23; i++) writeFileSync(join(cwd, `other-${i}.c`), lines(20, `word ${i}`));
session.user("please look at this");
read("subject.c");
for (let i = 0; session.entries.length < 49; i++) read(`other-${i}.c`);
session.user("and again");

const { response } = oneshot(request("subject.c"));
if (response.decision?.mode !== "unchanged" || session.entries.length !== 50)
	throw new Error(`not the request to measure: ${JSON.stringify(response.decision)}, ${session.entries.length} entries`);
writeFileSync(join(cwd, "request.json"), JSON.stringify(request("subject.c")));
