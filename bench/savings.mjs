// What readcache would have saved in recorded sessions.  savings.mjs [--json] DIRECTORY..., called by bench/savings
//
// Every recorded read is answered once more by the engine itself (replay.mjs), in the session as it would have been, and
// `readcache audit` looks through the result. What is counted is what the answers weigh:
//
//   bytes     as delivered, each once
//   resent    each byte as often as it was sent: once with every request after the read, until a barrier
//   price     each byte at what a provider takes for it: 1.25 where a request wrote its cache, 0.1 where it read from it,
//             1 where the recorded usage tells of no cache
//
// A barrier is where the text leaves the context: a compaction, or a silent loss (SPEC T15). How a model behaves with
// short answers in place of texts is not measured: whether it asks again, or makes more mistakes.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { binary } from "../tests/lib/engine.mjs";
import { readSession, replay } from "./replay.mjs";

const POLICIES = ["strict", "coverage", "pieces"];
const WEIGHTS = ["bytes", "resent", "price"];
const CACHE_WRITE = 1.25;
const CACHE_READ = 0.1;

/** For each entry, by its id, its last child: there the conversation went on. */
function pathsOf(entries) {
	const paths = new Map(entries.map((entry) => [entry.id, { entry }]));
	for (const { id, parentId } of entries) if (paths.has(parentId)) paths.get(parentId).next = id;
	return paths;
}

/** What one token costs in a request with this usage: FIRST if nobody has sent it before. */
function price(usage, first) {
	if (first) return usage?.cacheWrite > 0 ? CACHE_WRITE : 1;
	return usage?.cacheRead > 0 ? CACHE_READ : 1;
}

/** How much a byte of the result ID weighs. */
function weigh(paths, lost, id) {
	const weight = { bytes: 1, resent: 0, price: 0 };
	for (let at = paths.get(id)?.next; at !== undefined; at = paths.get(at).next) {
		const { type, message } = paths.get(at).entry;
		if (type === "compaction" || lost.has(at)) break;
		if (message?.role !== "assistant") continue;
		weight.price += price(message.usage, weight.resent === 0);
		weight.resent++;
	}
	return weight;
}

const sums = () => Object.fromEntries(WEIGHTS.map((name) => [name, { baseline: 0, served: 0 }]));

/** What `readcache audit` finds in FILE: {violations, losses}. */
function audit(file) {
	const { status, stdout, stderr } = spawnSync(binary(), ["audit", "--json", "--", file], { encoding: "utf8", maxBuffer: 1 << 30 });
	if (status !== 0 && status !== 1) throw new Error(`readcache audit: ${stderr}`); // 1: there are violations
	return JSON.parse(stdout);
}

/** What saves: a marker, a diff, or one of the answers about own edits and moved lines. */
const kindOf = ({ mode, reason }) => (["own_text", "pieces"].includes(reason) ? reason : mode);

/** The reads of one session under POLICY, weighed. */
async function answered(session, paths, policy) {
	const { answers, file, remove } = await replay(session, policy);
	const { violations, losses } = audit(file);
	remove();
	const lost = new Set(losses.map(({ entryId }) => entryId));
	const saved = sums();
	const kinds = {};
	for (const answer of answers) {
		const weight = weigh(paths, lost, answer.entryId);
		for (const name of WEIGHTS) {
			saved[name].baseline += weight[name] * answer.baselineBytes;
			saved[name].served += weight[name] * answer.servedBytes;
		}
		kinds[kindOf(answer)] ??= { reads: 0, bytes: 0 };
		kinds[kindOf(answer)].reads++;
		kinds[kindOf(answer)].bytes += answer.baselineBytes - answer.servedBytes;
	}
	return { reads: answers.length, kinds, violations: violations.length, losses: losses.length, saved };
}

const percent = ({ baseline, served }) => (baseline > 0 ? (100 * (baseline - served)) / baseline : 0);

function median(numbers) {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	if (sorted.length === 0) return 0;
	return sorted.length % 2 > 0 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Sums over the sessions of a corpus, under one policy. */
function total(sessions) {
	const all = { reads: 0, violations: 0, losses: 0, kinds: {}, saved: sums() };
	for (const session of sessions) {
		for (const name of ["reads", "violations", "losses"]) all[name] += session[name];
		for (const [kind, { reads, bytes }] of Object.entries(session.kinds)) {
			all.kinds[kind] ??= { reads: 0, bytes: 0 };
			all.kinds[kind].reads += reads;
			all.kinds[kind].bytes += bytes;
		}
		for (const name of WEIGHTS)
			for (const side of ["baseline", "served"]) all.saved[name][side] += session.saved[name][side];
	}
	const reading = sessions.filter(({ saved }) => saved.bytes.baseline > 0);
	return { ...all, median: median(reading.map(({ saved }) => percent(saved.bytes))) };
}

async function corpus(directory) {
	const files = readdirSync(directory).filter((name) => name.endsWith(".jsonl")).sort().map((name) => join(directory, name));
	if (files.length === 0) throw new Error(`${directory} holds no session files (*.jsonl).`);
	const sessions = Object.fromEntries(POLICIES.map((policy) => [policy, []]));
	for (const file of files) {
		const session = readSession(file);
		const paths = pathsOf(session.entries);
		for (const policy of POLICIES) sessions[policy].push(await answered(session, paths, policy));
	}
	return {
		name: basename(directory),
		sessions: files.length,
		policies: Object.fromEntries(POLICIES.map((policy) => [policy, total(sessions[policy])])),
	};
}

function row({ name, sessions, policies }, policy) {
	const { reads, saved, violations, median: middle } = policies[policy];
	const figures = [...WEIGHTS.map((weight) => percent(saved[weight])), middle].map((n) => n.toFixed(1));
	return [name, policy, sessions, reads, saved.bytes.baseline, ...figures, violations];
}

function kindRows({ name, policies }, policy) {
	const { kinds, saved } = policies[policy];
	const useful = Object.entries(kinds).filter(([, { bytes }]) => bytes > 0);
	useful.sort(([, a], [, b]) => b.bytes - a.bytes);
	return useful.map(([kind, { reads, bytes }]) => [name, policy, kind, reads, bytes, ((100 * bytes) / saved.bytes.baseline).toFixed(2)]);
}

const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const each = (corpora, rows) => corpora.flatMap((one) => POLICIES.flatMap((policy) => rows(one, policy)));

function tables(corpora) {
	const head = ["corpus", "policy", "sessions", "reads", "bytes read", "saved %", "resent %", "price %", "median %", "violations"];
	const kinds = ["corpus", "policy", "answer", "reads", "bytes saved", "points"];
	return `${table(head, each(corpora, (one, policy) => [row(one, policy)]))}\n\n${table(kinds, each(corpora, kindRows))}`;
}

const json = process.argv.includes("--json");
const directories = process.argv.slice(2).filter((word) => word !== "--json");
const wrong = directories.find((name) => !statSync(name, { throwIfNoEntry: false })?.isDirectory());
if (directories.length === 0 || wrong !== undefined) {
	console.error(wrong === undefined ? "bench/savings: name directories of session files." : `bench/savings: ${wrong} is not a directory.`);
	process.exit(2);
}
const corpora = [];
for (const directory of directories) corpora.push(await corpus(directory));
console.log(json ? JSON.stringify(corpora, null, "\t") : tables(corpora));
