// Lies told into an honest session. Each takes the entries and one compact answer in them, and changes copies of the
// entries so that the answer cannot be known any more.

const isRead = ({ message }) => message?.role === "toolResult" && message.toolName === "read" && !message.isError;
const metaOf = ({ message }) => message.details?.readcache;
const nameOf = (entry) => metaOf(entry)?.name ?? metaOf(entry)?.pathKey;
const textOf = ({ message }) => message.content[0].text;
const isCompact = (entry) => ["unchanged", "unchanged_range", "diff"].includes(metaOf(entry)?.mode);

/** The way from the root to an entry. */
function pathTo(entries, entry) {
	const byId = new Map(entries.map((one) => [one.id, one]));
	const path = [];
	for (let one = entry; one; one = byId.get(one.parentId)) path.unshift(one);
	return path;
}

/** Every compact answer that was asked for alone, with what was read on its way; without reads that nobody can name. */
export function targets(entries) {
	const found = [];
	for (const answer of entries.filter((entry) => isRead(entry) && isCompact(entry))) {
		const path = pathTo(entries, answer).slice(0, -1);
		const call = path.at(-1);
		if (call?.message?.role !== "assistant" || call.message.content.length !== 1 || path.length < 3) continue;
		const reads = path.filter(isRead);
		if (!reads.every(metaOf)) continue;
		const texts = reads.filter((entry) => nameOf(entry) === nameOf(answer) && (!isCompact(entry) || metaOf(entry).mode === "diff"));
		found.push({ answer, call, path, reads, texts });
	}
	return found;
}

/** A copy of ENTRIES in which some are others: by id. */
const exchange = (entries, others) => entries.map((entry) => others.find(({ id }) => id === entry.id) ?? entry);

const withText = (entry, text) => ({ ...entry, message: { ...entry.message, content: [{ type: "text", text }] } });

function withMeta(entry, change) {
	const { details } = entry.message;
	return { ...entry, message: { ...entry.message, details: { ...details, readcache: { ...details.readcache, ...change } } } };
}

/** MORE entries above the call of the answer. */
function before(entries, { call }, more) {
	let parentId = call.parentId;
	const chain = more.map((entry, i) => {
		const made = { ...entry, id: `lie${i}`, parentId, timestamp: call.timestamp };
		parentId = made.id;
		return made;
	});
	const at = entries.indexOf(call);
	return [...entries.slice(0, at), ...chain, { ...call, parentId }, ...entries.slice(at + 1)];
}

const omit = ({ id }) => ({ type: "context_edit", targetId: id, replacement: null });
const redact = ({ id }) => ({ type: "context_edit", targetId: id, replacement: { content: "[redacted]" } });
const compaction = (firstKeptEntryId) => ({ type: "compaction", summary: "s", firstKeptEntryId, tokensBefore: 9 });
const callsOf = (path, reads) => {
	const ids = new Set(reads.map(({ message }) => message.toolCallId));
	return path.filter(({ message }) => message?.role === "assistant" && message.content.some(({ id }) => ids.has(id)));
};
const modeIs = (...modes) => ({ answer }) => modes.includes(metaOf(answer).mode);

/** One of the texts it rests on has all of its lines, and is of its version. */
function shownAtOnce({ answer, texts }) {
	const { rangeStart, rangeEnd, servedHash, baseHash, rests } = metaOf(answer);
	const whole = (text) => text.rangeStart <= rangeStart && text.rangeEnd >= rangeEnd && [servedHash, baseHash].includes(text.servedHash);
	return texts.map(metaOf).some((text) => rests.includes(text.textHash) && whole(text));
}

/** name -> {when(target), tell(entries, target)}: gives the entries with the lie. */
export const LIES = {
	"another version": {
		// Of which version lines are that were shown in parts, no text can tell (SPEC 17).
		when: shownAtOnce,
		tell: (entries, { answer }) => exchange(entries, [withMeta(answer, { servedHash: "ab".repeat(32), baseHash: "ab".repeat(32) })]),
	},
	"another file": {
		tell: (entries, { answer, call }) => {
			const [block] = call.message.content;
			const other = { ...call, message: { ...call.message, content: [{ ...block, arguments: { ...block.arguments, path: "/never/read.txt" } }] } };
			return exchange(entries, [other, withMeta(answer, { pathKey: "/never/read.txt", name: undefined })]);
		},
	},
	"another file in the metadata": {
		tell: (entries, { answer }) => exchange(entries, [withMeta(answer, { pathKey: "/never/read.txt", name: undefined })]),
		when: ({ answer }) => metaOf(answer).textHash !== undefined,
	},
	"texts omitted": { tell: (entries, target) => before(entries, target, target.reads.map(omit)) },
	"texts replaced": { tell: (entries, target) => before(entries, target, target.reads.map(redact)) },
	"calls omitted": { tell: (entries, target) => before(entries, target, callsOf(target.path, target.reads).map(omit)) },
	"calls aborted": {
		tell: (entries, { path, reads }) =>
			exchange(entries, callsOf(path, reads).map((call) => ({ ...call, message: { ...call.message, stopReason: "aborted" } }))),
	},
	"nothing kept": { tell: (entries, target) => before(entries, target, [compaction(null)]) },
	"an unknown entry kept": { tell: (entries, target) => before(entries, target, [compaction("nobody")]) },
	"kept from the call on": { tell: (entries, target) => before(entries, target, [compaction(target.call.id)]) },
	"an edit of nobody knows what": { tell: (entries, target) => before(entries, target, [{ type: "context_edit", replacement: null }]) },
	"another branch": {
		tell: (entries, { call, path }) => exchange(entries, [{ ...call, parentId: path[0].id }]),
		when: ({ path }) => !isRead(path[0]),
	},
	"texts cut": {
		tell: (entries, { texts }) => exchange(entries, texts.map((entry) => withText(entry, textOf(entry).split("\n")[0]))),
		when: ({ texts }) => texts.every((entry) => !isCompact(entry) && textOf(entry).includes("\n")),
	},
	"texts redacted": { tell: (entries, { texts }) => exchange(entries, texts.map((entry) => withText(entry, "[redacted by policy]"))) },
	"a character changed": {
		// In the last text only: the others are older.
		tell: (entries, { texts }) => exchange(entries, [withText(texts[0], textOf(texts[0]).replace(/./, "\u0001"))]),
		when: (target) => modeIs("unchanged", "diff")(target) && target.texts.length === 1 && /./.test(textOf(target.texts[0])),
	},
	"another number of lines": {
		tell: (entries, { answer }) => exchange(entries, [withText(answer, textOf(answer).replace(/(\d+) lines\]/, (_, n) => `${Number(n) + 1} lines]`))]),
		when: modeIs("unchanged"),
	},
	"more lines": {
		tell: (entries, { answer }) => {
			const { rangeStart, rangeEnd, totalLines } = metaOf(answer);
			const [last, total] = [rangeEnd + 5000, totalLines + 5000];
			const text = textOf(answer).replace(/lines (\d+)-\d+( of \d+)?(.*)\][^]*/, (_, a, of) => `lines ${a}-${last}${of ? ` of ${total}` : "; changes exist outside this range"}]`);
			const meta = { scopeKey: `r:${rangeStart}:${last}`, rangeEnd: last, totalLines: total, textHash: undefined, textBytes: undefined };
			return exchange(entries, [withText(withMeta(answer, meta), text)]);
		},
		when: modeIs("unchanged_range"),
	},
	"more lines, without metadata": {
		tell: (entries, { answer }) => {
			const bare = withText(answer, "[readcache: unchanged, 123456 lines]");
			return exchange(entries, [{ ...bare, message: { ...bare.message, details: undefined } }]);
		},
	},
	"an added line changed": {
		tell: (entries, { answer }) => exchange(entries, [withText(answer, textOf(answer).replace(/\n\+(?!\+\+ )/, "\n+\u0001"))]),
		when: (target) => modeIs("diff")(target) && /\n\+(?!\+\+ )/.test(textOf(target.answer)),
	},
	"a context line changed": {
		tell: (entries, { answer }) => exchange(entries, [withText(answer, textOf(answer).replace(/\n /, "\n \u0001"))]),
		when: (target) => modeIs("diff")(target) && /\n /.test(textOf(target.answer)),
	},
};

/** What changes nothing for the reader of an answer: it must not be flagged. */
export const TRUTHS = {
	"all kept": { tell: (entries, target) => before(entries, target, [compaction(target.path[0].id)]) },
	"another result omitted": {
		tell: (entries, target) => before(entries, target, target.reads.filter((entry) => nameOf(entry) !== nameOf(target.answer)).map(omit)),
	},
	"an edit of what is elsewhere": { tell: (entries, target) => before(entries, target, [omit({ id: "nobody" })]) },
	"edited later": { tell: (entries, target) => [...entries, { type: "context_edit", id: "late", parentId: target.answer.id, targetId: target.texts[0].id, replacement: null }] },
	"without textHash": {
		tell: (entries, { texts, answer }) => exchange(entries, [...texts, answer].map((entry) => withMeta(entry, { textHash: undefined, textBytes: undefined, name: nameOf(entry) }))),
	},
};
