// Read a file and parse every line of it, as a host in Node has to; prints the microseconds.  parse-lines.mjs FILE
import { readFileSync } from "node:fs";

const start = process.hrtime.bigint();
const bytes = readFileSync(process.argv[2]);
let entries = 0;
for (let at = 0, end; (end = bytes.indexOf(10, at)) >= 0; at = end + 1)
	if (JSON.parse(bytes.toString("utf8", at, end)).id !== undefined) entries++;
if (entries === 0) throw new Error("nothing was parsed");
console.log(Number(process.hrtime.bigint() - start) / 1000);
