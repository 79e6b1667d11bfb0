// The judge of one answer: is it the plain read, or is it proven by what the model has seen?
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { repaired } from "./door.mjs";
import { parseCompact } from "./grammar.mjs";
import { believe, isKnown } from "./mind.mjs";
import { fieldsWrong, misread, piecedWrong, priceWrong } from "./parts.mjs";
import { applyDiff, countChanged, shownByDiff } from "./patch.mjs";
import { ownEditWrong, pausesWrong } from "./pauses.mjs";
import { kindOf, plainRead } from "./plain.mjs";
import { restsWrong } from "./rests.mjs";

export const sha256 = (data) => createHash("sha256").update(data).digest("hex");

const DERIVED = ["unchanged", "unchanged_range", "diff"];
const ANCHORS = ["full", "baseline_fallback"];
const HEX64 = /^[0-9a-f]{64}$/;

/** What must come back for a read that can have no text: undefined for a text. */
function expectedFailure(ask, file) {
	if (file.badRange) return { code: "invalid_range", starts: "Invalid range" };
	if (file.bytes === undefined) return { code: "ENOENT", message: `ENOENT: no such file or directory, access '${file.name}'` };
	if (kindOf(file.bytes) !== "text") return { delegate: kindOf(file.bytes) };
	const { error } = plainRead(file.bytes.toString("utf8"), ask);
	return error ? { code: "offset_beyond_end", message: error } : undefined;
}

/** The host is told what to read where it could not know it by the path. */
function paramsWrong(response, { path, offset, limit, suffix }) {
	const params = suffix ? { path, offset, limit } : undefined; // the host knows no suffix
	const same = ["path", "offset", "limit"].every((key) => response.delegate.params?.[key] === params?.[key]);
	return same ? [] : [["plain", "not delegated with what the host should read"]];
}

/** T14: beside a call that may change the file, the host reads it in its own time. Gives undefined where that is no matter. */
function judgeBeside(response, { ask, file, beside }) {
	if (response.delegate?.reason === "sibling") {
		if (!beside.may) return [["sibling", "nothing beside it can change the file"]];
		return file.bytes === undefined ? [] : paramsWrong(response, ask); // where there is no file, a suffix may be its name
	}
	const text = response.result?.content?.[0]?.text;
	if (beside.unsure && text !== undefined && parseCompact(text)) return [["sibling", "a compact answer beside a call that may change the file"]];
	if (!beside.must || ask.nested || ask.blind || file.badRange || file.excluded || response.delegate) return undefined;
	return beside.blurred ? undefined : [["sibling", "a call beside it may change the file"]];
}

function judgeFailure(expected, response, ask) {
	if (expected.delegate) {
		const same = response.delegate?.reason === expected.delegate;
		return same ? paramsWrong(response, ask) : [["plain", `not delegated as ${expected.delegate}`]];
	}
	const { code, message } = response.error ?? {};
	if (response.ok !== false || code !== expected.code) return [["plain", `not refused with ${expected.code}`]];
	const right = expected.starts ? message.startsWith(expected.starts) : message === expected.message;
	return right ? [] : [["plain", `the message is not the host's: ${expected.message}`]];
}

/**
 * Does the mind support a compact answer? Gives [rule, why, belief]. It must be proven by what was seen under the
 * name asked for, which must still mean the same file, and nothing seen of the file under another name may disagree.
 */
function unsupported(compact, { plain, ask, file, events, relax, policy }) {
	const check = { unchanged: unchangedWrong, range: rangeWrong, diff: diffWrong, pieced: piecedWrong }[compact.kind];
	const drawn = compact.kind === "pieced" || undefined;
	const { belief, lastReal } = believe(events, { ...file, relax, byName: true, drawn });
	const wrong = check(compact, { belief, plain, ask, file, policy }).map((one) => [...one, belief]);
	const { first, last } = plain.shown;
	const line = counts(policy) ? belief.voided(first, last === plain.total ? Infinity : last) : undefined;
	if (line !== undefined) wrong.push(["refresh", `line ${line} was refreshed`, belief]);
	if (lastReal !== undefined && lastReal !== file.real) wrong.unshift(["moved", `the name was last seen as ${lastReal}`, belief]);
	if (wrong.length > 0) return wrong;
	const any = believe(events, { ...file, relax, drawn }).belief;
	if (drawn) return aliasWrong(misread(compact, any.sketch, plain), any);
	const why = compact.kind === "diff" ? neitherSide(any, baseOf(belief, compact.diff, file, policy), plain) : otherNames(compact, any, plain);
	return aliasWrong(why, any);
}

const aliasWrong = (why, any) => (why ? [["alias", `under all its names, ${why}`, any]] : []);

/** Does a policy count lines (SPEC.md 16)? */
const counts = (policy) => policy !== "strict";

function otherNames(compact, any, plain) {
	return compact.kind === "unchanged" ? any.disagreeWhole(plain.lines) : any.disagree(plain.lines, compact.first, compact.last);
}

/** What was seen last, under any name, must be of the diff's base or of the present file. */
function neitherSide(any, text, plain) {
	const base = text.split("\n");
	for (let line = 1; line < any.texts.length; line++) {
		const why = any.disagree(plain.lines, line, line);
		if (why && any.disagree(base, line, line)) return why;
	}
	return undefined;
}

const rangeOf = ({ shown }) => `r:${shown.first}:${shown.last}`;
const showsAll = ({ truncated, shown, total }) => !truncated && shown.first === 1 && shown.last === total;

function unchangedWrong(compact, { belief, plain }) {
	const wrong = [];
	if (!showsAll(plain)) wrong.push(["scope", "the request does not show the whole file"]);
	if (compact.total !== plain.total) wrong.push(["count", `the file has ${plain.total} lines`]);
	const why = belief.disagreeWhole(plain.lines);
	if (why) wrong.push(["unchanged", why]);
	else if (belief.told !== plain.total) wrong.push(["unchanged", `the file was last said to have ${belief.told} lines`]);
	return wrong;
}

/** Does a version the model knew differ from the present one outside of the lines? */
function differsOutside(bytes, { lines, shown }) {
	const old = bytes.toString("utf8").split("\n");
	const around = (all) => [all.slice(0, shown.first - 1), all.slice(shown.last)];
	return !isDeepStrictEqual(around(old), around(lines));
}

/** Is a marker's wording true of a version that the model had an answer about? */
function wordingTrue(compact, { belief, plain, file }) {
	if (!compact.outside && belief.hashes.has(file.hash)) return true;
	return [...belief.hashes].some((hash) => file.contents.has(hash) && differsOutside(file.contents.get(hash), plain) === Boolean(compact.outside));
}

function rangeWrong(compact, { belief, plain, file, policy }) {
	const wrong = [];
	const { first, last } = plain.shown;
	if (compact.first !== first || compact.last !== last) wrong.push(["scope", `the host shows lines ${first}-${last}`]);
	if (compact.notice !== (plain.truncated ? plain.notice : "")) wrong.push(["notice", `the host's notice is ${JSON.stringify(plain.notice)}`]);
	const why = belief.disagree(plain.lines, first, last);
	if (why) wrong.push(["range", why]);
	else if (last === plain.total && belief.told !== last) wrong.push(["range", `the file was last said to have ${belief.told} lines`]);
	if (!counts(policy) && belief.refreshed.has(`r:${first}:${last}`)) wrong.push(["refresh", "the range was refreshed"]);
	if (!compact.outside && compact.total !== plain.total) wrong.push(["count", `the file has ${plain.total} lines`]);
	if (!wordingTrue(compact, { belief, plain, file })) wrong.push(["wording", "no view of such a version is visible"]);
	return wrong;
}

/**
 * A line seen after the whole file must be the base's, which the diff speaks of, or the present one.
 * Where the file was seen to end, the diff must show all that is behind now.
 */
function seenSince(belief, plain, diff) {
	const base = belief.snapshot.split("\n");
	for (const line of belief.since) {
		const why = belief.disagree(plain.lines, line, line);
		if (why && belief.disagree(base, line, line)) return `since the whole file, ${why}`;
	}
	const { ended } = belief;
	if (ended === undefined || ended >= plain.total || ended === base.length) return undefined;
	const shown = new Set(shownByDiff(diff).flatMap(({ first, texts }) => texts.map((_, i) => first + i)));
	const lost = plain.lines.findIndex((text, i) => i >= ended && !shown.has(i + 1) && !(i === plain.total - 1 && text === ""));
	return lost === -1 ? undefined : `since the whole file, it was seen to end at line ${ended}, and line ${lost + 1} is not shown`;
}

/** Does the diff lead from BASE to the file? Gives why not. */
function leadsAstray(base, diff, file) {
	try {
		return applyDiff(base, diff) === file.bytes.toString("utf8") ? undefined : "it does not give the file";
	} catch (error) {
		return `it does not apply to the file as it was seen: ${error.message}`;
	}
}

/** The text that a diff speaks of: under coverage it may be known by pages, as it was seen last. */
function baseOf(belief, diff, file, policy) {
	const pages = counts(policy) ? belief.pages() : undefined;
	return pages !== undefined && leadsAstray(pages, diff, file) === undefined ? pages : belief.snapshot;
}

/** Why the model does not know the base of a diff; undefined when it does. */
function baseWrong(diff, { belief, plain, file, policy }) {
	const base = baseOf(belief, diff, file, policy);
	if (base === undefined) return "no whole file was seen";
	const line = counts(policy) ? belief.voided(1, Infinity) : undefined;
	if (line !== undefined) return `line ${line} of its base was refreshed`;
	if (base !== belief.snapshot) return undefined;
	return leadsAstray(base, diff, file) ?? seenSince(belief, plain, diff);
}

function diffWrong(compact, { belief, plain, ask, file, policy }) {
	if (compact.broken) return [["diff", compact.broken]];
	const wrong = [];
	const paged = counts(policy) && plain.truncated && plain.shown.first === 1;
	if (!showsAll(plain) && !paged) wrong.push(["scope", "a diff for a range"]);
	if (compact.total !== plain.total) wrong.push(["count", `the file has ${plain.total} lines`]);
	if (compact.changed !== countChanged(compact.diff)) wrong.push(["count", `${countChanged(compact.diff)} lines are changed`]);
	const path = ask.path.replace(/^\/+/, ""); // as git writes an absolute one
	if (compact.diff.oldName !== `a/${path}` || compact.diff.newName !== `b/${path}`) wrong.push(["diff", "the names are not the path asked for"]);
	const why = baseWrong(compact.diff, { belief, plain, file, policy });
	if (why) wrong.push(["diff", why]);
	return wrong;
}

/** SPEC.md 4: the metadata says what was really shown. */
function metadataWrong(meta, { plain, ask, file, text, mode, must }) {
	if (!must) return meta === undefined ? [] : [["metadata", "there is metadata"]];
	if (meta === undefined) return [["metadata", "there is no metadata"]];
	const everything = showsAll(plain) || mode === "diff"; // which tells of all lines
	const { first, last } = mode === "diff" ? { first: 1, last: plain.total } : plain.shown;
	const ranged = ask.offset !== undefined || ask.limit !== undefined;
	const scopes = [...(everything ? ["full"] : []), ...(everything && !ranged ? [] : [`r:${first}:${last}`])];
	const wants = {
		v: 1,
		pathKey: file.real,
		name: file.name === file.real ? undefined : file.name,
		servedHash: file.hash,
		mode,
		totalLines: plain.total,
		rangeStart: first,
		rangeEnd: last,
		bytes: Buffer.byteLength(plain.text),
		textHash: sha256(text).slice(0, 32),
		textBytes: Buffer.byteLength(text),
	};
	const wrong = Object.keys(wants).filter((key) => meta[key] !== wants[key]);
	if (!scopes.includes(meta.scopeKey)) wrong.push("scopeKey");
	const base = DERIVED.includes(mode) ? HEX64.test(meta.baseHash ?? "") : true;
	if (!base || (mode === "unchanged" && meta.baseHash !== file.hash)) wrong.push("baseHash");
	return wrong.map((key) => ["metadata", `${key} is ${JSON.stringify(meta[key])}, expected ${JSON.stringify(wants[key] ?? scopes)}`]);
}

const KIND_OF_MODE = { unchanged: "unchanged", unchanged_range: "range", diff: "diff" };

/** The shape of a result around its text. */
function shapeWrong(response, { plain, compact, text, mode }) {
	const wrong = [];
	const { result, decision } = response;
	if (result.content.length !== 1 || result.content[0].type !== "text") wrong.push(["shape", "not one text"]);
	const truncation = compact ? undefined : plain.truncation;
	if (!isDeepStrictEqual(result.details?.truncation, truncation)) wrong.push(["plain", "details.truncation is not the host's"]);
	if (result.details && Object.keys(result.details).length === 0) wrong.push(["shape", "details without a member"]);
	const pieced = compact?.kind === "pieced" && mode === (showsAll(plain) && result.details?.readcache?.scopeKey !== rangeOf(plain) ? "diff" : "unchanged_range");
	if (!pieced && KIND_OF_MODE[mode] !== compact?.kind) wrong.push(["shape", `mode ${mode} for such an answer`]);
	if (!compact && ![...ANCHORS, "plain"].includes(mode)) wrong.push(["shape", `mode ${mode} for a text`]);
	if (decision?.baselineBytes !== Buffer.byteLength(plain.text)) wrong.push(["shape", "decision.baselineBytes"]);
	if (decision?.servedBytes !== Buffer.byteLength(text)) wrong.push(["shape", "decision.servedBytes"]);
	return wrong;
}

/**
 * Judge RESPONSE to the read ASK {path, offset, limit, nested, bypass, blind} of FILE {name, real, bytes, hash, still,
 * contents: hash -> bytes of all versions there were}, where EVENTS are what the model can see and BESIDE tells of the
 * calls of the same message. Gives {mode, reason, compact, plain, bytes, mended: answers before it had to be repaired,
 * wrong: [[rule, why, belief?]]}.
 */
export function judge({ ask, file, response, events, relax, policy = "strict", beside }) {
	const apart = judgeBeside(response, { ask, file, beside });
	if (apart) return { mode: response.delegate ? "delegate" : "none", reason: response.delegate?.reason, wrong: apart };
	const expected = expectedFailure(ask, file);
	if (expected) return { mode: expected.delegate ? "delegate" : "error", wrong: judgeFailure(expected, response, ask) };
	const text = response.result?.content?.[0]?.text;
	if (typeof text !== "string") return { mode: "none", wrong: [["plain", "no result"]] };
	const plain = plainRead(file.bytes.toString("utf8"), { ...ask, path: ask.path });
	const { mode, reason } = response.decision ?? {};
	const compact = text === plain.text ? undefined : parseCompact(text);
	const wrong = [];
	if (text !== plain.text && !compact) wrong.push(["plain", `the text is not the host's, which is ${JSON.stringify(plain.text.slice(-200))}`]);
	if (compact && (ask.nested || ask.bypass || ask.blind || !plain.shown)) wrong.push(["forbidden", "this read must be plain"]);
	else if (compact) wrong.push(...compactWrong(compact, { plain, ask, file, events, relax, policy, response }));
	wrong.push(...pauseWrong({ events, file, plain, compact, reason, policy }));
	if (plain.shown) wrong.push(...ownEditWrong({ events, file, plain, compact, reason, policy }));
	const meta = response.result.details?.readcache;
	if (compact || meta) wrong.push(...fieldsWrong(compact, { meta, reason, own: ownCalls(events, file) }));
	if (compact?.kind === "pieced" && policy !== "pieces") wrong.push(["pieced", `an answer in pieces under ${policy}`]);
	wrong.push(...shapeWrong(response, { plain, compact, text, mode }));
	const must = !ask.nested && !file.excluded && plain.shown !== null;
	wrong.push(...metadataWrong(response.result.details?.readcache, { plain, ask, file, text, mode, must }));
	const paged = compact?.kind === "diff" && plain.truncated; // of a file that is shown in pages
	return { mode, reason: paged ? `${reason}_paged` : reason, compact, wrong, plain: plain.text, bytes: Buffer.byteLength(text), mended: compact !== undefined && repaired(events) !== events };
}

/** The model's own calls for the file by its name that may prove something, oldest first. */
const ownCalls = (events, { name }) => events.flatMap(({ own }) => (own && isKnown(own) && own.name === name ? [own.id] : []));

/** A compact answer is proven by what is in sight, by what it says it rests on alone, and it is worth it. */
function compactWrong(compact, { response, ...about }) {
	const wrong = unsupported(compact, about);
	const [served, whole] = [response.result.content[0].text, about.plain.text].map((text) => Buffer.byteLength(text));
	if (served >= whole) wrong.push(["cost", `it has ${served} bytes, the text ${whole}`]);
	if (compact.kind === "pieced" && !compact.broken) wrong.push(...priceWrong(compact, response.result.content[0].text, about.plain));
	if (wrong.length > 0 || about.relax?.has("rests")) return wrong;
	const supported = (events) => unsupported(compact, { ...about, events });
	const sent = repaired(about.events);
	const door = sent === about.events ? [] : supported(sent).filter(([rule]) => rule !== "wording");
	if (door.length > 0) return door.map(([rule, why, belief]) => ["door", `when what lost its base is sent as its text, ${rule}: ${why}`, belief]);
	return restsWrong(response.result.details?.readcache, { ...about, events: sent, supported });
}

/** The ways out of loops: under coverage and pieces they must be there, under strict there are none. */
function pauseWrong({ events, file, plain, compact, reason, policy }) {
	const again = compact?.again && policy !== "pieces" ? [["again", `the way out under ${policy}`]] : [];
	if (counts(policy) && plain.shown) {
		const scope = showsAll(plain) ? "full" : rangeOf(plain);
		return [...again, ...pausesWrong({ events, file, scope, lines: plain.shown, compact, reason, policy })];
	}
	if (again.length > 0) return again;
	return ["covered", "repeat", "failed_edit"].includes(reason) ? [["reason", `${reason} under ${policy}`]] : [];
}
