// The work cache: memo, run and flow.
//
//	node tests/work/run.mjs [NAME...]       modules or tests whose name holds one of these
//	node tests/work/run.mjs --module NAME    all of one module
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { runModules } from "../lib/modules.mjs";

await runModules(dirname(fileURLToPath(import.meta.url)), process.argv.slice(2));
