// What can happen between two reads. Each action gives a line for the log.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { againAsk, anyAsk, fullAsk, linesOf, makeAsk, nearAsk, rangeAsk, target } from "./asks.mjs";
import { loss } from "./losses.mjs";
import { sha256 } from "./oracle.mjs";
import { disown, formatting, moving, ownWork } from "./own.mjs";
import { childOf, emigrate } from "./places.mjs";
import { kindOf, plainRead } from "./plain.mjs";
import { describe, Unsupported } from "./report.mjs";
import { mixed, orphan } from "./siblings.mjs";
import { abort, bare, contextEdit, foreign, invalid, junk, other, rewrite, strip } from "./tamper.mjs";
import { requestLine, writeSession } from "./wire.mjs";
import { edited } from "./world.mjs";

async function read(h, rng, ask) {
	await h.read(ask, rng);
	return describe(ask);
}

// --- files

function edit(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes) return `${name} is missing`;
	const range = h.world.favourite(name, rng);
	const start = range.offset ?? 1;
	const edge = rng.chance(0.5) ? start - 1 : start + (range.limit ?? 10) - 1;
	const { bytes, what } = edited(file.bytes, h.world.kindOf(name), edge, rng);
	h.world.write(file.real, bytes);
	return `${name}: ${what}`;
}

function revert(h, rng) {
	const { name, file } = target(h, rng);
	const versions = h.world.versions.get(file.real) ?? [];
	const olds = versions.filter((bytes) => !file.bytes || !bytes.equals(file.bytes));
	if (olds.length === 0) return `${name}: no other version`;
	const back = rng.chance(0.6) ? 1 : rng.from(1, olds.length);
	h.world.write(file.real, olds[olds.length - back]);
	return `${name}: to ${sha256(olds[olds.length - back]).slice(0, 8)}`;
}

function renew(h, rng) {
	const { name, file } = target(h, rng);
	h.world.write(file.real, rng.chance(0.1) ? Buffer.alloc(0) : h.world.fresh(h.world.kindOf(name), rng));
	return name;
}

/** Gone, asked for, and there again with the same or another content. */
async function vanish(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes) return `${name} is missing`;
	rmSync(file.real);
	if (rng.chance(0.7)) await h.read(makeAsk(name, name), rng);
	h.world.write(file.real, rng.chance(0.6) ? file.bytes : h.world.fresh(h.world.kindOf(name), rng));
	return name;
}

/** For some reads the file is an image or no UTF-8; the host then reads itself. */
async function binary(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes || file.bytes.length === 0) return `${name} has nothing to spoil`;
	const at = rng.below(file.bytes.length);
	const spoilt = rng.chance(0.3)
		? Buffer.concat([Buffer.from("GIF89a"), file.bytes])
		: Buffer.concat([file.bytes.subarray(0, at), Buffer.from([0xff]), file.bytes.subarray(at)]);
	h.world.write(file.real, spoilt);
	const range = rng.chance(0.5) ? {} : h.world.favourite(name, rng);
	await h.read(makeAsk(name, name, range), rng);
	if (rng.chance(0.75)) h.world.write(file.real, file.bytes);
	return name;
}

function link(h, rng) {
	if (!h.world.linkTargets) return "no links";
	if (rng.chance(0.15)) return h.world.usurp();
	return h.world.turn(rng.pick(Object.keys(h.world.linkTargets)));
}

// --- the model's own edits, as far as nobody looks at their arguments; for others see own.mjs

function editCall(h, rng, name, isError) {
	return h.edit(name, rng.chance(0.8) ? name : rng.pick([`./${name}`, join(h.world.cwd, name)]), isError, rng);
}

/** An edit that is refused; mostly the model then looks at the file. */
async function failEdit(h, rng) {
	const { name } = target(h, rng);
	editCall(h, rng, name, true);
	if (rng.chance(0.5)) await h.read(rng.chance(0.5) ? makeAsk(name, name) : againAsk(h, rng), rng);
	return name;
}

function ownEdit(h, rng) {
	const { name } = target(h, rng);
	const said = edit(h, rng);
	editCall(h, rng, name, false);
	return said;
}

// --- the session

function navigate(h, rng) {
	const ids = h.session.entries.filter((entry) => entry.id);
	if (ids.length === 0 || rng.chance(0.02)) return h.session.navigate(null), "to nothing";
	const recent = rng.chance(0.6) ? ids.slice(-12) : ids;
	const entry = rng.pick(recent);
	h.session.navigate(entry.message?.role === "user" ? entry.parentId : entry.id); // as pi does
	return `to ${h.session.leafId}`;
}

/** A new session with the path so far. */
function fork(h, rng) {
	if (h.sessions.length > 1 && rng.chance(0.4)) {
		h.enter(rng.pick(h.sessions));
		h.recent = [];
		return `switch to session ${h.sessions.indexOf(h.session)}`;
	}
	writeSession(h.session, h.sessionFile());
	const child = childOf(h.session, rng.pick(h.session.branch()), { cwd: h.session.cwd, file: h.sessionFile() });
	h.session = child;
	h.sessions.push(child);
	return `session ${h.sessions.length - 1} from ${child.leafId}`;
}

function compaction(h, rng) {
	const kept = rng.chance(0.5) ? rng.pick(h.session.branch())?.id ?? null : null;
	h.session.compaction(kept);
	return `kept from ${kept}`;
}

// --- the engine

/** The scopes a refresh of ASK may name: two where a range is the whole file. */
function refreshScopes(ask, file) {
	if (ask.offset === undefined && ask.limit === undefined) return ["full"];
	const { shown, total, truncated } = plainRead(file.bytes.toString("utf8"), ask);
	const range = `r:${shown.first}:${shown.last}`;
	return !truncated && shown.first === 1 && shown.last === total ? ["full", range] : [range];
}

async function refresh(h, rng, given) {
	const ask = given ?? (h.recent.length > 0 && rng.chance(0.7) ? againAsk(h, rng) : anyAsk(h, rng));
	const response = rng.chance(0.5) ? await h.tell("refresh", ask, rng) : JSON.parse(await h.engine.settled(requestLine(h.fields("refresh", ask))));
	const file = h.world.look(ask.name);
	const plain = file.bytes && kindOf(file.bytes) === "text" ? plainRead(file.bytes.toString("utf8"), ask) : {};
	const data = response.entry?.data;
	if (plain.shown) {
		const right = data?.v === 1 && data.kind === "invalidate" && data.pathKey === file.real && refreshScopes(ask, file).includes(data.scopeKey);
		if (!right) throw new Unsupported({ wrong: [["refresh", "not the entry it should be"]], ask, file, response, history: h });
	}
	if (!response.entry) return `${describe(ask)}: nothing`;
	h.session.custom(response.entry);
	return `${describe(ask)}: ${data.scopeKey}`;
}

/** An invalidation that nobody understands. */
function badRefresh(h, rng) {
	const data = rng.pick([{ v: 1, kind: "invalidate" }, { v: 9, kind: "invalidate", pathKey: 4 }, { kind: "invalidate", scopeKey: [] }]);
	h.session.custom({ customType: "pi-readcache", data });
	return JSON.stringify(data);
}

const DAMAGE = {
	delete: (path) => rmSync(path, { recursive: true }),
	flip: (path) => {
		const bytes = readFileSync(path);
		if (bytes.length > 0) bytes[bytes.length >> 1] ^= 1;
		writeFileSync(path, bytes);
	},
	truncate: (path) => writeFileSync(path, readFileSync(path).subarray(0, -1)),
	empty: (path) => writeFileSync(path, ""),
	swap: (path, other) => {
		renameSync(path, `${path}.x`);
		renameSync(other, path);
		renameSync(`${path}.x`, other);
	},
	link: (path, other) => {
		rmSync(path);
		symlinkSync(other, path);
	},
	directory: (path) => {
		rmSync(path);
		mkdirSync(path);
	},
};

function damage(h, rng) {
	const objects = join(h.storeDir(), "objects");
	if (rng.chance(0.1)) {
		h.expansions.harm(h.world.contents.keys());
		return rmSync(h.storeDir(), { recursive: true, force: true }), "the whole store";
	}
	let names = [];
	try {
		names = readdirSync(objects, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
	} catch {
		return "no store";
	}
	if (names.length < 2) return "too few objects";
	const how = rng.pick(Object.keys(DAMAGE));
	const done = [];
	// Half of the objects, so that the next comparison meets one.
	for (const name of rng.shuffle(names).slice(0, Math.ceil(names.length / 2))) {
		const other = rng.pick(names.filter((one) => one !== name));
		try {
			h.expansions.harm([name, other].map((one) => one.slice(7, -4)));
			DAMAGE[how](join(objects, name), join(objects, other));
			done.push(name.slice(7, 15));
		} catch {
			// the other one was damaged before
		}
	}
	return `${how} ${done.join(" ")}`;
}

// --- kinds of reads

async function nested(h, rng) {
	const ask = rng.chance(0.7) ? { ...againAsk(h, rng), nested: true } : anyAsk(h, rng, { nested: true });
	await h.ask(ask, rng, { callId: `${h.newCall()}/1` });
	return "not in the session";
}

async function blind(h, rng) {
	const ask = { ...againAsk(h, rng), blind: rng.pick(["none", "leaf", "lost"]) };
	await h.ask(ask, rng);
	return "not in the session";
}

async function beyond(h, rng) {
	const { name, file } = target(h, rng);
	if (!file.bytes) return `${name} is missing`;
	const lines = file.bytes.toString("utf8").split("\n").length;
	if (rng.chance(0.3)) return read(h, rng, makeAsk(name, name, { suffix: rng.pick([":9-3", ":x", ":0-4"]), badRange: true }));
	return read(h, rng, makeAsk(name, name, { offset: lines + rng.from(1, 9) }));
}

/**
 * Calls of one message. With an overlay each sees the results before it, and files may change in between.
 * Without, they see only what was there before the batch.
 */
async function batch(h, rng) {
	const shared = rng.chance(0.7);
	const first = rng.chance(0.6) ? againAsk(h, rng) : anyAsk(h, rng);
	const near = () => (rng.chance(0.5) ? first : rng.chance(0.5) ? makeAsk(first.name, first.path) : anyAsk(h, rng));
	const asks = [first, ...Array.from({ length: rng.from(1, 3) }, near)];
	const ids = asks.map(() => h.newCall());
	const content = asks.map((ask, i) => ({ type: "toolCall", id: ids[i], name: "read", arguments: ask.params }));
	h.assistant(content, rng);
	const done = [];
	// Beside each other they may be done in any order; they are stored in that of the calls.
	const order = shared ? asks.map((_, i) => i) : rng.shuffle(asks.map((_, i) => i));
	for (const [n, i] of order.entries()) {
		const ask = asks[i];
		if (n > 0 && rng.chance(0.4)) h.say(`  between: ${rng.chance(0.5) ? edit(h, rng) : revert(h, rng)}`);
		const overlay = shared ? done.map(({ result }) => result.details.readcache) : undefined;
		h.pending = shared ? done : [];
		const answer = await h.ask(ask, rng, { callId: ids[i], overlay });
		done.push({ callId: ids[i], place: i, ...h.outcome(answer, ask) });
		// An overlay cannot tell of a view without metadata: such a host waits until it is stored.
		if (shared && !done.at(-1).result.details?.readcache) break;
	}
	h.pending = [];
	for (const { callId, ...outcome } of done.sort((a, b) => a.place - b.place)) h.append(callId, outcome);
	h.recent = [...asks, ...h.recent].slice(0, 5);
	return `${done.length} calls, ${shared ? "overlay" : "parallel"}`;
}

/** One file, its whole and two overlapping ranges, back and forth: where old and new views meet. */
async function burst(h, rng) {
	const name = rng.pick(h.world.names);
	const wholes = makeAsk(name, name);
	const ranges = [0, 1].map(() => makeAsk(name, name, h.world.favourite(name, rng)));
	const steps = { full: 3, first: 3, second: 2, edit: 2, revert: 3, omit: 2 };
	const touch = (how) => {
		h.recent = [wholes]; // the file to be changed
		h.say(`  ${how(h, rng)}`);
	};
	for (let n = rng.from(6, 12); n > 0; n--) {
		const step = rng.weighted(steps);
		if (step === "full") await h.read(wholes, rng);
		if (step === "first") await h.read(ranges[0], rng);
		if (step === "second") await h.read(ranges[1], rng);
		if (step === "edit") touch(edit);
		if (step === "revert") touch(revert);
		if (step === "omit") h.say(`  ${contextEdit(h, rng)}`);
	}
	return name;
}

/** Through a file, page by page: next to each other, or overlapping, or with a gap; now and then it changes on the way. */
async function paging(h, rng) {
	const recent = h.recent.length > 0 && rng.chance(0.4) ? rng.pick(h.recent).name : rng.pick(h.world.names);
	const name = rng.chance(0.4) ? h.world.largest() : recent;
	const total = linesOf(h, name);
	const size = Math.max(1, Math.ceil(total / rng.from(1, 4)));
	let at = rng.chance(0.9) ? 1 : rng.from(1, Math.max(1, total));
	for (let n = 0; n < 6 && at <= total; n++) {
		const limit = rng.chance(0.2) ? undefined : size;
		const entry = await h.read(makeAsk(name, name, at === 1 && limit === undefined ? {} : { offset: at, limit }), rng);
		const shown = entry.message.details?.readcache?.rangeEnd ?? at + size - 1;
		at = Math.max(at + 1, rng.weighted({ 0: 8, [-3]: 2, 2: 0.5 }) * 1 + shown + 1);
		if (rng.chance(0.08)) h.say(`  on the way: ${edit(h, rng)}`);
	}
	if (rng.chance(0.3)) h.say(`  behind: ${edit(h, rng)}`);
	if (rng.chance(0.5)) await h.read(makeAsk(name, name), rng);
	return `${name} by ${size} lines`;
}

/** The same request, until the model has what it wants. */
async function insist(h, rng) {
	const ask = rng.chance(0.7) ? againAsk(h, rng) : nearAsk(h, rng);
	for (let n = rng.from(2, 5); n > 0; n--) {
		await h.read(ask, rng);
		if (rng.chance(0.1)) await h.read(nearAsk(h, rng), rng);
	}
	return describe(ask);
}

/** A result is another by now. The host tells it with a request that does not look at it, and goes on from there. */
async function unheard(h, rng) {
	const ask = againAsk(h, rng);
	await h.read(ask, rng);
	await h.ask(ask, rng); // not in the session, but all of that is known now
	h.say(`  ${rng.pick([rewrite, rewrite, bare, contextEdit])(h, rng)}`);
	const op = rng.pick(["refresh", "read"]);
	await h.tell(op, makeAsk("no.txt", "no.txt"), rng);
	await h.read(ask, rng);
	return `${op} of nothing, then ${describe(ask)}`;
}

/** Pages are read, some are refreshed, and something in and around them is asked for. */
async function renewal(h, rng) {
	const name = rng.pick(h.world.names);
	h.recent = [makeAsk(name, name, h.world.favourite(name, rng)), makeAsk(name, name)];
	for (const ask of h.recent) await h.read(ask, rng);
	for (let n = rng.from(3, 6); n > 0; n--) {
		const step = rng.weighted({ near: 5, again: 2, refresh: 3, edit: 1 });
		if (step === "near") await h.read(nearAsk(h, rng), rng);
		if (step === "again") await h.read(againAsk(h, rng), rng);
		if (step === "refresh") h.say(`  ${await refresh(h, rng, nearAsk(h, rng))}`);
		if (step === "edit") h.say(`  ${edit(h, rng)}`);
	}
	return name;
}

export const ACTIONS = {
	full: { weight: 12, run: (h, rng) => read(h, rng, fullAsk(h, rng)) },
	range: { weight: 12, run: (h, rng) => read(h, rng, rangeAsk(h, rng)) },
	again: { weight: 18, run: (h, rng) => read(h, rng, againAsk(h, rng)) },
	near: { weight: 10, run: (h, rng) => read(h, rng, nearAsk(h, rng)) },
	paging: { weight: 2, run: paging },
	insist: { weight: 1, run: insist },
	renewal: { weight: 0.7, run: renewal },
	unheard: { weight: 0.7, run: unheard },
	failEdit: { weight: 1.5, run: failEdit },
	ownEdit: { weight: 1.5, run: ownEdit },
	ownWork: { weight: 1, run: ownWork },
	moving: { weight: 0.5, run: moving },
	disown: { weight: 0.5, run: disown },
	formatting: { weight: 0, run: formatting }, // under pieces
	batch: { weight: 4, run: batch },
	mixed: { weight: 5, run: mixed },
	loss: { weight: 2, run: loss },
	emigrate: { weight: 0.5, run: emigrate },
	expand: { weight: 1, run: (h, rng) => h.expansions.checkOne(rng) },
	burst: { weight: 2, run: burst },
	nested: { weight: 1.5, run: nested },
	bypass: { weight: 2, run: (h, rng) => read(h, rng, anyAsk(h, rng, { bypass: true })) },
	blind: { weight: 1, run: blind },
	beyond: { weight: 1, run: beyond },
	orphan: { weight: 0.5, run: orphan },
	abort: { weight: 0.7, run: abort },
	edit: { weight: 12, run: edit },
	revert: { weight: 7, run: revert },
	renew: { weight: 1.5, run: renew },
	vanish: { weight: 1, run: vanish },
	binary: { weight: 1.5, run: binary },
	link: { weight: 2, run: link },
	user: { weight: 2, run: (h) => h.session.user("and then?").id },
	other: { weight: 1, run: other },
	compaction: { weight: 0.7, run: compaction },
	navigate: { weight: 3, run: navigate },
	fork: { weight: 0.8, run: fork },
	contextEdit: { weight: 3, run: contextEdit },
	rewrite: { weight: 2, run: rewrite },
	strip: { weight: 2, run: strip },
	bare: { weight: 0.7, run: bare },
	invalid: { weight: 1, run: invalid },
	foreign: { weight: 1, run: foreign },
	junk: { weight: 0.5, run: junk },
	refresh: { weight: 2.5, run: (h, rng) => refresh(h, rng) },
	badRefresh: { weight: 0.2, run: badRefresh },
	damage: { weight: 1.5, run: damage },
};
