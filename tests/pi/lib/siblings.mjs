// Calls of one assistant message that change files: what a read beside them may find.
import { resolve } from "node:path";

/** Tools that make their whole batch run one call after the other. */
const SEQUENTIAL = ["slow", "readcache_refresh"];

/** The host's edit: every old text must be there once. */
function edited(text, edits = []) {
	let to = text;
	for (const { oldText, newText } of edits) {
		if (to.split(oldText).length !== 2) return text;
		to = to.replace(oldText, () => newText);
	}
	return to;
}

/**
 * What CALL does to a file: {path, apply: bytes -> bytes, named: do its arguments say so?}; a call that is no edit or
 * write says it in `changes`.
 */
export function changeBy({ name, args, changes }) {
	if (changes) return { path: changes.path, apply: () => changes.to && Buffer.from(changes.to) };
	if (name === "write") return { path: args.path, named: true, apply: () => Buffer.from(args.content) };
	if (name !== "edit") return undefined;
	const apply = (bytes) => bytes && Buffer.from(edited(bytes.toString(), args.edits));
	return { path: args.path, named: true, apply };
}

const isSame = (one, other) => (one === undefined ? other === undefined : other?.equals(one));

function distinct(versions) {
	return versions.filter((one, i) => versions.findIndex((other) => isSame(one, other)) === i);
}

/** What a file may be when some of CHANGES were made, in whatever order. */
function reachable(before, changes) {
	const next = changes.flatMap(({ apply }, i) => reachable(apply(before), changes.toSpliced(i, 1)));
	return distinct([before, ...next]);
}

/** The host reads while another call writes: nothing yet, or no more than the old text's length. */
function torn(versions) {
	const whole = versions.filter((bytes) => bytes !== undefined);
	const cut = whole.flatMap((bytes) => whole.map((other) => bytes.subarray(0, other.length)));
	return distinct([...versions, Buffer.alloc(0), ...cut]);
}

/**
 * Of every call in BATCH [{name, args, changes?}], sent where the work directory is CWD:
 *   sequential  do they run one after the other?
 *   versions  what a read may find; undefined where no other call changes its file
 *   pending   does a call change its file that has not ended?
 *   named     and do that call's arguments say so?
 * Gives that list, and as `files` what the files may be at the end: path -> versions.
 */
export function foresee(batch, cwd, ledger) {
	const sequential = batch.some(({ name }) => SEQUENTIAL.includes(name));
	// A session that went on without us for a while may not offer our tool: then its batch is parallel.
	const mayBeAbsent = !batch.some(({ name }) => name === "slow");
	const changes = batch.map(changeBy).map((one) => one && { ...one, real: ledger.real(resolve(cwd, one.path)) });
	const files = new Map();
	for (const { real } of changes.filter(Boolean)) {
		const of = changes.filter((one) => one?.real === real);
		files.set(real, { of, versions: reachable(ledger.latest(real), of) });
	}
	const calls = batch.map(({ name, args }, at) => {
		const real = name === "read" ? ledger.real(resolve(cwd, `${args?.path}`.replace(/:\d+(-\d+)?$/, ""))) : undefined;
		const file = files.get(real);
		if (file === undefined) return { sequential };
		const ofIt = (from, to) => changes.slice(from, to).filter((one) => one?.real === real);
		const now = ofIt(0, at).reduce((bytes, { apply }) => apply(bytes), ledger.latest(real));
		const coming = sequential ? ofIt(at) : file.of;
		return {
			sequential,
			versions: sequential && !mayBeAbsent ? [now] : distinct([now, ...torn(file.versions)]),
			pending: coming.length > 0,
			named: coming.some(({ named }) => named),
		};
	});
	return { calls, files: new Map([...files].map(([path, { versions }]) => [path, versions])) };
}
