// Record the sessions of tests/sessions/recorded once more, with the real pi and our extension:
//   node tests/sessions/make.mjs [--pi VERSION] [--only NAME]
// They are committed; this is for new scenarios, and when the extension writes something else.
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, node22 } from "../host/paths.mjs";
import { closeProjectors, readHeader, readSession } from "../pi/lib/sessions.mjs";
import { World } from "../pi/lib/world.mjs";
import { Anonymous } from "./anonymous.mjs";
import { scenarios } from "./scenarios.mjs";

const place = join(dirname(fileURLToPath(import.meta.url)), "recorded");
const hash = (text) => createHash("sha256").update(text).digest("hex");

/** What a scenario says about its sessions, by session file and leaf. */
class Book {
	constructor(world) {
		this.world = world;
		this.sessions = new Map(); // file -> Map of leaf id -> {trust, ignored, behind}
	}

	async note(trust, { ignored = 0, behind = false } = {}) {
		const { leafId } = await this.world.pi.ask("get_entries");
		const file = await this.world.sessionFile();
		if (!this.sessions.has(file)) this.sessions.set(file, new Map());
		this.sessions.get(file).set(leafId, { trust, ignored, behind });
	}
}

/** The entries nobody follows. */
function tips(entries) {
	const parents = new Set(entries.map(({ parentId }) => parentId));
	return entries.filter(({ id }) => !parents.has(id)).map(({ id }) => id);
}

function write(scenario, version, number, anonymous, file, notes) {
	const name = `${scenario.name}${number > 0 ? `-${number + 1}` : ""}-${version}`;
	const entries = readSession(file);
	const text = anonymous.text(readHeader(file), entries);
	const unknown = tips(entries).filter((id) => !notes.has(id));
	if (unknown.length > 0) throw new Error(`${name}: nothing is said about the leaf ${unknown.map((id) => anonymous.id(id)).join(", ")}`);
	const leaves = [...notes].map(([id, { trust, ignored, behind }]) => ({
		leafId: anonymous.id(id),
		behind,
		ignored,
		trust: trust.map(([path, scope, content, seq]) => ({ path: `/work/project/${path}`, scope, hash: hash(content), seq })),
	}));
	writeFileSync(join(place, `${name}.jsonl`), text);
	writeFileSync(join(place, `${name}.json`), `${JSON.stringify({ about: scenario.about, pi: version, leaves }, null, "\t")}\n`);
	console.log(`${name}: ${entries.length} entries, ${leaves.length} leaves, ${Buffer.byteLength(text)} bytes`);
}

async function record(scenario, version) {
	const world = await World.create({ version });
	try {
		const book = new Book(world);
		await scenario.run(world, book);
		await world.finish();
		const anonymous = new Anonymous(world.sandbox);
		[...book.sessions].forEach(([file, notes], number) => write(scenario, version, number, anonymous, file, notes));
	} finally {
		await world.remove();
	}
}

function option(name) {
	const at = process.argv.indexOf(`--${name}`);
	return at > 0 ? process.argv[at + 1] : undefined;
}

const versions = installed().filter((version) => [undefined, version].includes(option("pi")));
if (versions.length === 0 || !existsSync(node22())) throw new Error("the hosts are not there: tests/host/setup fetches them");
for (const version of versions)
	for (const scenario of scenarios.filter(({ name }) => name.includes(option("only") ?? ""))) await record(scenario, version);
await closeProjectors();
