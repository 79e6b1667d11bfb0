// Every recorded session, leaf by leaf, against what its scenario says can be trusted there:
//   node tests/sessions/run.mjs [NAME]
// And one branch of each against the host itself: what is trusted there stands in the messages that the host projects.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, node22 } from "../host/paths.mjs";
import { binary } from "../lib/engine.mjs";
import { countLine, noteSkip } from "../lib/skips.mjs";
import { applyPatch } from "../matrix/patch.mjs";
import { contentText } from "../pi/lib/provider.mjs";
import { closeProjectors, projection, readSession } from "../pi/lib/sessions.mjs";
import { scenarios } from "./scenarios.mjs";

const place = join(dirname(fileURLToPath(import.meta.url)), "recorded");
const MAX_BYTES = 300 * 1024;
const hash = (text) => createHash("sha256").update(text).digest("hex");

function readcache(...args) {
	const run = spawnSync(binary(), args, { encoding: "utf8", maxBuffer: 1 << 28 });
	if (run.error) throw run.error;
	return run;
}

function parsed(run) {
	assert.deepEqual([run.status, run.stderr], [0, ""], run.stdout);
	return JSON.parse(run.stdout);
}

const order = (a, b) => (a.path + a.scope < b.path + b.scope ? -1 : 1);

/** What REPLAYED says of a leaf is what WANTED says. A number that the scenario does not tell is not compared. */
function checkLeaf(replayed, wanted) {
	const trust = replayed.trust.toSorted(order);
	const expected = wanted.trust.toSorted(order).map((item, i) => ({ ...item, seq: item.seq ?? trust[i]?.seq }));
	assert.deepEqual(trust, expected, `trust at ${wanted.leafId}`);
	assert.equal(replayed.ignored.length, wanted.ignored, `ignored at ${wanted.leafId}: ${JSON.stringify(replayed.ignored)}`);
	assert.equal(replayed.boundary.entryId !== null, wanted.behind, `boundary at ${wanted.leafId}`);
}

function checkReplay(file, { leaves }) {
	const all = parsed(readcache("replay", file, "--all-leaves", "--json"));
	const told = new Map(leaves.map((leaf) => [leaf.leafId, leaf]));
	for (const replayed of all.leaves) {
		assert.ok(told.has(replayed.leafId), `nothing is said about the leaf ${replayed.leafId}`);
		checkLeaf(replayed, told.get(replayed.leafId));
	}
	for (const wanted of leaves) checkLeaf(parsed(readcache("replay", file, "--leaf", wanted.leafId, "--json")), wanted);
}

/** The texts that a reader of MESSAGES has of every file, by path: every whole version it can put together. */
function versionsIn(messages) {
	const versions = new Map(); // path -> [texts], the last one is the latest
	for (const { message } of messages) {
		const { readcache: meta } = message.role === "toolResult" ? (message.details ?? {}) : {};
		if (meta === undefined || meta.scopeKey !== "full") continue;
		const text = contentText(message.content);
		const known = versions.get(meta.pathKey) ?? [];
		if (["full", "baseline_fallback"].includes(meta.mode)) known.push(text);
		if (meta.mode === "diff" && known.length > 0) known.push(applyPatch(known.at(-1), text.slice(text.indexOf("\n") + 1)));
		versions.set(meta.pathKey, known);
	}
	return versions;
}

/** Every trusted whole file can be put together from the host's own messages; trusted lines stand there as delivered. */
async function checkProjection(file, { pi, leaves }) {
	const { leafId, trust } = leaves.at(-1);
	const messages = await projection(pi, readSession(file), leafId);
	const versions = versionsIn(messages);
	for (const { path, scope, hash: wanted } of trust) {
		if (scope === "full") {
			assert.equal(hash((versions.get(path) ?? []).at(-1) ?? "none"), wanted, `${path} in the host's messages`);
			continue;
		}
		const shown = messages.filter(({ message }) => {
			const meta = message.details?.readcache;
			return meta?.pathKey === path && meta.scopeKey === scope && hash(contentText(message.content)).startsWith(meta.textHash);
		});
		assert.ok(shown.length > 0, `${path} ${scope} in the host's messages`);
	}
	return trust.length;
}

/** Zero violations. */
function checkAudit(file) {
	const run = readcache("audit", file, "--json");
	const { v, violations, compact } = parsed(run);
	assert.deepEqual([v, violations], [1, []]);
	return compact;
}

const wanted = process.argv[2] ?? "";
const names = readdirSync(place)
	.filter((name) => name.endsWith(".jsonl") && name.includes(wanted))
	.map((name) => name.replace(/\.jsonl$/, ""));
const hosts = existsSync(node22()) ? installed() : [];
const count = { passed: 0, failed: 0, skipped: 0, projected: 0, compact: 0 };

function skip(what, why) {
	count.skipped++;
	noteSkip("sessions", what, why);
}

async function check(what, run) {
	try {
		const result = await run();
		count.passed++;
		return result;
	} catch (error) {
		count.failed++;
		console.log(`FAILED ${what}\n  ${String(error.stack).replaceAll("\n", "\n  ")}`);
		return undefined;
	}
}

for (const name of names) {
	const file = join(place, `${name}.jsonl`);
	const expected = JSON.parse(readFileSync(join(place, `${name}.json`), "utf8"));
	await check(`${name}: replay`, () => checkReplay(file, expected));
	if (hosts.includes(expected.pi))
		count.projected += (await check(`${name}: the host's projection`, () => checkProjection(file, expected))) ?? 0;
	else skip(`${name}: the host's projection`, `pi ${expected.pi} is not there (tests/host/setup fetches it)`);
	count.compact += (await check(`${name}: audit`, () => checkAudit(file))) ?? 0;
}
if (wanted === "")
	await check("the collection", () => {
		for (const { name } of scenarios) assert.ok(names.some((each) => each.startsWith(`${name}-`)), `${name} is recorded`);
		const bytes = readdirSync(place).reduce((sum, name) => sum + readFileSync(join(place, name)).length, 0);
		assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
	});
await closeProjectors();
console.log(`${names.length} sessions, ${count.projected} trusted scopes found in the hosts' messages, ${count.compact} compact answers audited`);
console.log(countLine(count));
process.exitCode = count.failed > 0 || names.length === 0 ? 1 : 0;
