// Random file contents, most of them close to a limit of the host's read.
//
// Contents are lists of [piece, times], so that a mismatch can be described in
// one line. A piece is text, or {hex} for bytes that are not text.

const maxLines = 2000;
const maxBytes = 51200;

export function bytesOf(parts) {
	return Buffer.concat(parts.map(([piece, times]) => repeated(pieceBytes(piece), times)));
}

/** A command that writes the same bytes to standard output. */
export function describe(parts) {
	if (parts.length === 0) return ":";
	const quoted = (piece) => pieceBytes(piece).toString("hex").replace(/../g, "\\x$&");
	return `perl -e 'print ${parts.map(([piece, times]) => `"${quoted(piece)}"${times === 1 ? "" : ` x ${times}`}`).join(", ")}'`;
}

function pieceBytes(piece) {
	return typeof piece === "string" ? Buffer.from(piece) : Buffer.from(piece.hex, "hex");
}

function repeated(bytes, times) {
	return bytes.length === 0 ? bytes : Buffer.alloc(bytes.length * Math.max(0, times), bytes);
}

const words = ["x", "", "foo", "\tif (a) {", "}", "  return 1;", "é", "€uro", "日本語", "😀", "e\u0301", "# title", "'q'", '"d"', "\\n", "a b c", "~", "@", "[1 more lines in file.]", "</x>", "%s"];
const endings = ["\n", "\n", "\n", "\r\n", "\r", "\n\r", "\n\n"];
// Nothing but LF ends a line, whatever Unicode or C think of it.
const oddities = ["\u2028", "\u2029", "\u0085", "\f", "\v", "\0", "\ufeff", "\u007f", "\u001b[0m", "\ufffd", "\u200b"];
// The first and last code points of each length, and those beside the surrogates.
const edges = ["\u007f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufdd0", "\ufffe", "\uffff", "\u{10000}", "\u{1fffe}", "\u{10ffff}"];
const badBytes = ["ff", "fe", "80", "bf", "c3", "e282", "f09f98", "c0af", "c080", "c1bf", "e080af", "e09fbf", "eda080", "edbfbf", "edafbfedbfbf", "f08fbfbf", "f4908080", "f5808080", "f888808080", "e28261", "f09f9841", "c3c3a9"];
const widths = ["a", "é", "€", "😀"];

function smallText(random) {
	const parts = [];
	for (let lines = random.int(0, 14); lines > 0; lines--) {
		parts.push([random.pick(words), random.int(1, 3)]);
		if (random.chance(0.15)) parts.push([random.pick([...oddities, ...edges]), 1]);
		if (lines > 1 || random.chance(0.6)) parts.push([random.pick(endings), 1]);
	}
	if (random.chance(0.08)) parts.unshift(["\ufeff", 1]);
	return parts;
}

/** Around 2000 lines, some of them around 4000, so that the second half is a limit case too. */
function manyLines(random) {
	const around = random.pick([maxLines, maxLines, maxLines, 2 * maxLines]);
	const line = random.pick(["", "x", "ab", "é", "x\r", "\0", "yyyyyyyyyyyyyyyyyyyyyyyy"]);
	const parts = [[`${line}\n`, around + random.int(-3, 3)]];
	if (random.chance(0.5)) parts.push([random.pick(["last", "é", " ", "\r"]), 1]);
	if (random.chance(0.2)) parts.unshift([random.pick(words), 1]);
	return parts;
}

/** Lines of one length whose bytes sum up to about 51200. */
function aroundBytes(random) {
	const unit = random.pick(widths);
	const size = Buffer.byteLength(unit);
	const length = random.pick([1, 7, 24, 25, 26, 99, 511, 1023, 5119, 12799, 25599]);
	const line = `${unit.repeat(length)}\n`;
	const bytes = length * size + 1;
	const times = Math.floor(maxBytes / bytes) + random.int(-1, 1);
	const rest = Math.max(0, maxBytes - times * bytes + random.int(-3, 3));
	const parts = [[line, Math.max(0, times)], ["b", rest]];
	if (random.chance(0.5)) parts.push(["\n", 1]);
	if (random.chance(0.4)) parts.push([random.pick(["c", "c\n", "\n\n", "é"]), random.int(1, 3)]);
	return parts;
}

/** A line of about 51200 bytes at the start, in the middle or at the end. */
function longLine(random) {
	const unit = random.pick(widths);
	const size = Buffer.byteLength(unit);
	const bytes = maxBytes + random.int(-4, 4);
	const parts = [["s\n", random.weighted([[3, 0], [2, 1], [2, random.int(2, 30)], [1, maxLines + random.int(-2, 2)]])]];
	parts.push([unit, Math.floor(bytes / size)], ["r", bytes % size]);
	if (random.chance(0.2)) parts.push(["\r", 1]);
	if (random.chance(0.7)) parts.push(["\n", 1]);
	if (random.chance(0.6)) parts.push(["end\n", random.int(1, 4)]);
	return parts;
}

/**
 * Too long a line, of a size that lies exactly between two printed tenths:
 * n/1024 ends in .x5 for n = 256 * odd, and for megabytes in the same way.
 */
function sizeTie(random) {
	const kilo = 256 * (2 * random.int(100, 2040) + 1);
	const mega = 262144 * (2 * random.int(2, 8) + 1);
	const size = random.weighted([[8, kilo], [1, mega], [1, 1048576]]) + random.weighted([[4, 0], [1, -1], [1, 1], [1, random.int(-60, 60)]]);
	return [["s\n", random.int(0, 3)], ["t", size], [random.pick(["", "\n", "\nend\n"]), 1]];
}

function mixedLines(random) {
	const parts = [];
	for (let blocks = random.int(1, 8); blocks > 0; blocks--) {
		const line = random.pick(words).repeat(random.pick([1, 1, 5, 40, 200]));
		parts.push([line + random.pick(endings), random.pick([1, 3, 50, 300, 900])]);
	}
	return parts;
}

function manyMore(random) {
	return [[`${random.pick(["", "z", "line of some text"])}\n`, random.int(20000, 70000)], ["end", random.int(0, 1)]];
}

/** Something that is no UTF-8 somewhere in something that is. */
function invalid(random) {
	const parts = random.pick([smallText, smallText, smallText, manyLines, aroundBytes, longLine])(random);
	const bad = [{ hex: random.pick(badBytes) }, random.int(1, 3)];
	const filler = ["p", random.pick([0, 1, 15, 16, 31, 63, 4095, 4099])];
	const at = random.int(0, parts.length);
	return [...parts.slice(0, at), filler, bad, ...parts.slice(at)];
}

/** Valid UTF-8 that a strict validator may trip over. */
function valid(random) {
	const parts = [["p", random.pick([0, 1, 2, 3, 7, 15, 16, 31, 63, 4094, 4095, 4096])]];
	for (let count = random.int(1, 6); count > 0; count--) parts.push([random.pick([...edges, ...oddities]), random.int(1, 40)], [random.pick(["", "\n", "q"]), 1]);
	return parts;
}

function binary(random) {
	let hex = "";
	for (let count = random.int(1, 200); count > 0; count--) hex += random.int(0, 255).toString(16).padStart(2, "0");
	return [[{ hex }, random.pick([1, 1, 30])]];
}

const le = (value, bytes) => {
	const buffer = Buffer.alloc(bytes);
	buffer.writeUIntLE(value, 0, bytes);
	return buffer;
};
const be = (value) => {
	const buffer = Buffer.alloc(4);
	buffer.writeUInt32BE(value);
	return buffer;
};

/** A bitmap's header; all bytes are ASCII, so only the sniff decides. */
export function bitmapBytes({ dib = 40, size = 0, pixels = 14 + dib, planes = 1, bits = 24, length = 999 }) {
	const fields = [le(size, 4), Buffer.alloc(4, "r"), le(pixels, 4), le(dib, 4), Buffer.alloc(dib === 12 ? 4 : 8, 1), le(planes, 2), le(bits, 2)];
	return Buffer.concat([Buffer.from("BM"), ...fields, Buffer.from("pixels\nand so on\n".repeat(8))]).subarray(0, length);
}

/** Every field right or nearly so. */
function bitmap(random) {
	const dib = random.pick([12, 40, 40, 40, 108, 124, 11, 16, 39, 64, 125]);
	return bitmapBytes({
		dib,
		size: random.pick([0, 0x4141, 0x4141, 25, 26, 54, 70]),
		pixels: random.pick([14 + dib, 14 + dib, 13 + dib, 54, 26, 0x4141, 0x4140]),
		planes: random.pick([1, 1, 1, 0, 2]),
		bits: random.pick([1, 4, 8, 16, 24, 32, 24, 2, 0, 33]),
		length: random.pick([999, 999, 24, 25, 26, 27, 28, 29, 30, 31]),
	});
}

function portable(random) {
	const chunk = (type, data) => Buffer.concat([be(data.length), Buffer.from(type), data, be(0)]);
	const header = Buffer.from("89504e470d0a1a0a", "hex");
	const first = chunk(random.pick(["IHDR", "IHDR", "IHDX"]), Buffer.alloc(random.pick([13, 13, 12]), 1));
	const more = random.pick([[], [chunk("acTL", Buffer.alloc(8))], [chunk("tEXt", Buffer.from("hi")), chunk("acTL", Buffer.alloc(8))], [chunk("IDAT", Buffer.alloc(3)), chunk("acTL", Buffer.alloc(8))]]);
	return Buffer.concat([header, first, ...more]).subarray(0, random.pick([999, 999, 8, 15, 16, 7]));
}

function magic(random) {
	const text = (list) => Buffer.from(random.pick(list));
	const made = random.weighted([
		[3, () => text(["GIF89a", "GIF87a", "GIF88a", "GIF89", "gif89a", " GIF89a", "GIF89a tells a story\nline\n", "GIF89A"])],
		[3, () => text(["RIFF1234WEBP", "RIFF1234WEBP\nmore\n", "RIFF1234WEBQ", "RIFF1234WEB", "RIFFxxxxWAVE", "RIFF\n\n\n\nWEBPVP8 ", "RIFX1234WEBP", "RIFF123WEBP"])],
		[5, () => bitmap(random)],
		[1, () => text(["BM", "BM is short for something that takes more than 26 bytes\n", "BMW\n"])],
		[2, () => Buffer.from(random.pick(["ffd8ff", "ffd8fff7", "ffd8ffe0", "ffd8", "ffd8fe00", "ffd8ffe000104a464946"]), "hex")],
		[2, () => portable(random)],
	])();
	return [[{ hex: made.toString("hex") }, 1], [random.pick(["", "\n", "tail\n"]), random.pick([1, 1, 2500])]];
}

const kinds = [
	[1, () => []],
	[10, smallText],
	[8, manyLines],
	[10, aroundBytes],
	[9, longLine],
	[4, sizeTie],
	[6, mixedLines],
	[0.5, manyMore],
	[5, invalid],
	[4, valid],
	[1, binary],
	[7, magic],
];

/** {parts, bytes} of a file; parts without empty ones. */
export function randomContents(random) {
	const parts = random.weighted(kinds)(random).filter(([piece, times]) => times > 0 && piece !== "");
	return { parts, bytes: bytesOf(parts) };
}

/** Random offset and limit for contents, as the model could give them. */
export function randomArguments(random, bytes) {
	const total = bytes.reduce((sum, byte) => sum + (byte === 10), 1);
	const args = {};
	if (random.chance(0.5)) args.offset = number(random, [1, 2, 3, total - 1, total, total + 1, total + 2, total - maxLines, total - maxLines + 1, total - maxLines - 1, 2000, 2001, random.int(1, total), random.int(1, total)]);
	const left = total - (args.offset > 0 ? args.offset : 1) + 1;
	if (random.chance(0.5)) args.limit = number(random, [1, 2, 3, left - 2, left - 1, left, left + 1, 1999, 2000, 2001, 2002, random.int(1, total), random.int(1, 60)]);
	return args;
}

/** Mostly one of LIKELY, sometimes something the contract leaves to the host. */
function number(random, likely) {
	return random.weighted([
		[30, random.pick(likely)],
		[2, random.pick([10000000, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1])],
		[2, random.pick([0, -0, -1, -2, -2000, 0.5, 1.5, 2.5, 1e-7, 1999.5, 2 ** 53, 1e21, -1e300])],
		[2, null],
	]);
}
