// Cases that must not be left to chance.
import { join } from "node:path";
import { bitmapBytes } from "./contents.mjs";
import { expectation } from "./oracle.mjs";

const text = (parts) => ({ parts, bytes: Buffer.from(parts.map(([piece, times]) => piece.repeat(times)).join("")) });

/** The host's read with other parameters is what is expected. */
function like(cwd, params) {
	return async (hosts) => [await expectation(hosts, cwd, params)];
}

/** The same for a path that had a range. */
const range = (cwd, params) => like(cwd, { ...params, suffixed: true });

const invalid = async () => [{ invalid: true, classes: new Set() }];

/** path:range is ours, not the host's; "ten" has ten lines and a final LF. */
function rangeCases({ cwd, root }) {
	const url = `file://${cwd}/ten`;
	const cases = [
		["ten:2-4", range(cwd, { path: "ten", offset: 2, limit: 3 })],
		["ten:7", range(cwd, { path: "ten", offset: 7 })],
		["ten:1", range(cwd, { path: "ten", offset: 1 })],
		["ten:1-1", range(cwd, { path: "ten", offset: 1, limit: 1 })],
		["ten:11", range(cwd, { path: "ten", offset: 11 })],
		["ten:12", range(cwd, { path: "ten", offset: 12 })],
		["ten:9-99", range(cwd, { path: "ten", offset: 9, limit: 91 })],
		["./ten:2-4", range(cwd, { path: "./ten", offset: 2, limit: 3 })],
		["@ten:2-4", range(cwd, { path: "@ten", offset: 2, limit: 3 })],
		["~/tilde.txt:2-4", range(cwd, { path: "~/tilde.txt", offset: 2, limit: 3 })],
		[`${root}//cwd/./ten:3`, range(cwd, { path: "ten", offset: 3 })],
		[`${url}:2-4`, range(cwd, { path: url, offset: 2, limit: 3 })],
		["it's.txt:2-3", range(cwd, { path: "it's.txt", offset: 2, limit: 2 })],
		["\u00e9.txt:2-3", range(cwd, { path: "\u00e9.txt", offset: 2, limit: 2 })],
		["c:d:4-5", range(cwd, { path: "c:d", offset: 4, limit: 2 })],
		["a:1-2:3-4", range(cwd, { path: "a:1-2", offset: 3, limit: 2 })],
		["fifo:3-4", range(cwd, { path: "fifo", offset: 3, limit: 2 })],
		["huge:3", range(cwd, { path: "huge", offset: 3 })],
		["picture:2-3", range(cwd, { path: "picture", offset: 2, limit: 2 })],
		["latin1:2-3", range(cwd, { path: "latin1", offset: 2, limit: 2 })],
		["latin1:9", range(cwd, { path: "latin1", offset: 9 })],
		["filelink:2", range(cwd, { path: "filelink", offset: 2 })],
		// a name that exists is a name
		["a:1-2", like(cwd, { path: "a:1-2" })],
		["b:7", like(cwd, { path: "b:7" })],
		["c:d:2-3", like(cwd, { path: "c:d:2-3" })],
		// nothing before the colon either, or a directory
		["sub:2-4", like(cwd, { path: "sub:2-4" })],
		["sub:x", like(cwd, { path: "sub:x" })],
		["dirlink:1", like(cwd, { path: "dirlink:1" })],
		[":1", like(cwd, { path: ":1" })],
		["nope:2-4", like(cwd, { path: "nope:2-4" })],
		["dangling:2", like(cwd, { path: "dangling:2" })],
	].map(([path, expected]) => ({ params: { path }, expected }));
	for (const args of [{ offset: 1 }, { limit: 3 }, { offset: 2, limit: 1 }]) cases.push({ params: { path: "ten:2-4", ...args }, expected: like(cwd, { path: "ten:2-4", ...args }) });
	cases.push({ params: { path: "ten:2-4", offset: null, limit: null }, expected: range(cwd, { path: "ten", offset: 2, limit: 3 }) });
	for (const suffix of ["4-2", "0", "0-3", "1-0", "-1", "1-", "", "-", "x", "1-x", "x-1", "1-2-3", "1,2", "1.5", "+1", " 1", "1 ", "1 - 2", "0x10", "1e3", "٣", "1\n"]) cases.push({ params: { path: `ten:${suffix}` }, expected: invalid });
	return cases.map((item, index) => ({ ...item, name: `range-${index}`, home: "usual", cwd }));
}

function pathCases({ cwd, root, home }) {
	const paths = [
		"", ".", "..", "/", "~", "~/", "@", "@@", "@~", "~/tilde.txt", "~tilde", "~x/y", "\u00a0", "fifo", "fifolink", "fifo:3", "./fifo/", `file://${cwd}/fifo`, "socket", "/dev/null", "huge", "huge:2",
		"loop", "ring1", "chain39", "chain41", "dangling", "filelink", "dirlink", "dirlink/f.txt", "plain.txt/", "plain.txt/x", "plain.txt/..", "n".repeat(255), "n".repeat(256), "d/".repeat(2100), `${"x/../".repeat(5000)}plain.txt`,
		"a\0b", "plain.txt\0", "ten:1\0", "ten:\0", "ten\0:1", "a\0:1-2", `${"y".repeat(60)}\n${"z".repeat(60)}\0\nx`, `${"y".repeat(10)}\n${"z".repeat(10)}\0\nx`, "'\0\"", "'\0\"`", "'\"\0${", "\0\b\v\x7f\\", `${"/x".repeat(50)}\0\n`, "\0", "it's\0\n", "é\0", `${"y".repeat(300)}\0`, "file:///x/a%00b", "a\ud800b", "\udc00", "plain.txt\ud83d", "nope's", 'nope"s', "no\npe", "no\\pe",
		"colon:dir/f", "colon:dir/nope", "file:///nope", "file:nope", "sub:3", ":3", "file:/x", "FILE:///x", "FILE:/x", "C:/x",
		...["plain.txt", "sp%20ace.txt", "%C3%A9.txt", "it's.txt", "a:1-2", "at.txt", "nope", "nope%20x", "sub/deep/f.txt", "%25zz", "dq%22uote", "x%3Fy", "x%23y"].flatMap((name) => [`file://${cwd}/${name}`, `file://localhost${cwd}/${name}`, `@file://${cwd}/${name}`]),
		`file://${cwd}/plain.txt?q`, `file://${cwd}/plain.txt#f`, `file://${cwd}/sub/../plain.txt`, `file://${cwd}/sub/%2e%2e/plain.txt`, `file://${cwd}\\plain.txt`, `file://${cwd}/pl\tain.txt`, `file://${cwd}/a%2Fb`, `file://${cwd}/a%2fb`, `file://${cwd}/%zz`, `file://${cwd}/%`, `file://${cwd}/%ff`, `file://host${cwd}/plain.txt`, `file://${cwd}/sp ace.txt`, `file://${cwd}/sp\u00a0ace.txt`, `file://${root}//../${root}/cwd/plain.txt`, `file://${cwd}/sub//../plain.txt`, `file://${cwd}/sub//../../plain.txt`, `file://${cwd}//plain.txt`, `file://${cwd}/plain.txt/`, `file://${cwd}/plain.txt/.`, `file://${cwd}/sub/..`, `file:///./C:/..${cwd}/plain.txt`, `file:///x/../C:/..${cwd}/plain.txt`, `file:////C:/..${cwd}/plain.txt`, `file://C:${cwd}/plain.txt`, `file://a.0xf${cwd}/plain.txt`, "file://a.0x/x", "file://a..b/x", "file://a_b/x", "file://xn--a/x", "file://-a/x", "file://a-/x", `file://localhost.${cwd}/plain.txt`, `file://${"l".repeat(300)}/x`, "file://", "file:///", "file:////", "file://x", "file://.", "file:///C|/x", "file:///C:/x", "file:///~/x", `file:///${cwd}/plain.txt`, `FILE://${cwd}/plain.txt`, `file:${cwd}/plain.txt`, `file://LOCALHOST${cwd}/plain.txt`,
		"Shot 1 PM.txt", "Shot 1 pm.txt", "shot 2 am.png.txt", "Two 4 AM. and 5 PM. ok", "Half 1 PM. 2 AM.x", "Both 3 PM.txt", "\u00e9.txt", "\u00f6 both.txt", "it's.txt", "don't'", "Capture d'\u00e9cran.txt", "Capture d'\u00e9cran nfc.txt", "l'\u00e9t\u00e9 7 PM.txt", "l'\u00e9t\u00e9 8 PM.txt", "both' 9 PM.txt", "nb sp.txt", "nb\u00a0sp.txt", "only nbsp", "only\u00a0nbsp", "\u212b", "\u212bx", "\u00c5 ngstr\u00f6m",
	];
	const usual = paths.map((path) => ({ params: { path }, home: "usual", cwd }));
	const others = ["empty", "unset", "relative", "spelled", "tilde", "url", "blank", "missing"];
	const tildes = ["~", "~/", "~/readcache-no-such-name", "~/../nope", "@~/x/../readcache-no-such-name", "~//readcache-no-such-name", "~/", "~//", "~/../.."];
	const known = ["~/tilde.txt", "~/plain.txt", "~//plain.txt", "~/./plain.txt", `~/${cwd}/plain.txt`];
	for (const other of others) for (const path of [...tildes, ...(other === "unset" ? [] : known)]) usual.push({ params: { path }, home: other, cwd });
	for (const place of ["at 9 PM.d", "d\u00e9 nfc", "it's", "sp\u00a0ace", "~", "file:"]) for (const path of ["plain.txt", "Shot 1 PM.txt", "\u00e9.txt", "it's.txt", "d'\u00e9", "nope", `${root}/${place}/it's.txt`]) usual.push({ params: { path }, home: "usual", cwd: join(root, place) });
	for (const path of [`file://${cwd}/plain.txt`, `file://${cwd}/sub/../plain.txt`, `file://${cwd}/plain.txt:2-3`, "file://host/x", "file:///%zz", "file:2-3"]) usual.push({ params: { path }, home: "usual", cwd: join(root, "with file") });
	for (const odd of [`${cwd}/`, `${root}/./cwd//sub/..`, `${root}/cwdlink`, home]) usual.push({ params: { path: "plain.txt" }, home: "usual", cwd: odd });
	return usual.map((item, index) => ({ ...item, name: `path-${index}` }));
}

function contentCases({ cwd, gen }) {
	const k = 51200;
	const files = [
		[[["a", k]], {}],
		[[["a", k + 1]], {}],
		[[["a", k], ["\n", 1]], {}],
		[[["s\n", 1], ["b", 51456], ["\nend\n", 1]], { offset: 2 }],
		[[["s\n", 1], ["b", 51456], ["\nend\n", 1]], { offset: 2, limit: 1 }],
		[[["b", 1048575]], {}],
		[[["b", 1048576]], {}],
		[[["b", 1310720]], {}],
		[[["x\n", 2000]], {}],
		[[["x\n", 2001]], {}],
		[[["x\n", 2001]], { offset: 2, limit: 9007199254740991 }],
		[[["x\n", 20]], { offset: 9007199254740991, limit: 9007199254740991 }],
		[[["x\n", 20]], { offset: 21 }],
		[[["x\n", 20]], { offset: 22 }],
		[[["\ufeffx\0\u2028\n", 3]], { limit: 1 }],
		[[], {}],
		[[], { offset: 1, limit: 1 }],
		[[], { offset: 2 }],
	];
	return files.map(([parts, params], index) => {
		const target = join(gen, "f");
		return { name: `content-${index}`, home: "usual", cwd, file: { target, ...text(parts) }, params: { path: target, ...params } };
	});
}

/** One step to each side of every test the host makes before it believes in an image. */
function imageCases({ cwd, gen }) {
	const bitmaps = [
		...[0, 1, 11, 12, 13, 39, 40, 41, 64, 108, 123, 124, 125].map((dib) => ({ dib, pixels: 0x141 })), // ASCII for all of them
		...[12, 40].flatMap((dib) => [
			...[1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 64].map((bits) => ({ dib, bits })),
			...[0, 1, 2, 256].map((planes) => ({ dib, planes })),
			...[0, 12, 13 + dib, 14 + dib, 15 + dib, 0x7f7f7f7f].map((pixels) => ({ dib, pixels })),
			...[1, 25, 26, 27, 13 + dib, 14 + dib, 15 + dib, 0x7f7f7f7f].map((size) => ({ dib, size })),
			...[2, 14, 17, 18, 24, 25, 26, 27, 28, 29, 30, 31].map((length) => ({ dib, length })),
		]),
	].map(bitmapBytes);
	const others = ["GIF87a", "GIF89a", "GIF88a", "GIF89", "GIF87", "gif89a", "GIF89A", " GIF89a", "\ufeffGIF89a", "RIFF1234WEBP", "RIFF1234WEB", "RIFF1234WEBp", "RIFF123WEBP", "riff1234WEBP", "RIFF\0\0\0\0WEBPVP8 ", "RIFF", "BM", "B", "\u0089PNG\r\n"].map((start) => Buffer.from(start));
	return [...bitmaps, ...others].map((bytes, index) => {
		const target = join(gen, "f");
		return { name: `image-${index}`, home: "usual", cwd, file: { target, parts: [[{ hex: bytes.toString("hex") }, 1]], bytes }, params: { path: target } };
	});
}

export function fixedCases(world) {
	return [...rangeCases(world), ...pathCases(world), ...contentCases(world), ...imageCases(world)];
}

/** Pack PIECES into names of at most 250 bytes after decomposition. */
function* packed(pieces) {
	let name = "";
	for (const piece of pieces) {
		if (Buffer.byteLength((name + piece).normalize("NFD")) > 250) {
			yield name;
			name = "";
		}
		name += piece;
	}
	if (name !== "") yield name;
}

const everything = function* () {
	for (let code = 0x80; code <= 0x10ffff; code++) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
};

// Given to characters by Unicode 16 and 17. The host knows what its Node
// knows, the executable what its library knows: these may be too new for it.
const newer = [[0x897, 0x897], [0x1acf, 0x1aeb], [0x105c0, 0x105ff], [0x10d40, 0x10d8f], [0x10efa, 0x10efb], [0x11380, 0x113ff], [0x16100, 0x1613f], [0x16d40, 0x16d7f], [0x1e5d0, 0x1e5ff], [0x1e6c0, 0x1e6ff]];
const isNewer = (character) => newer.some(([first, last]) => character.codePointAt(0) >= first && character.codePointAt(0) <= last);

/**
 * Every character that has a decomposition, and every mark between marks of
 * other classes, so that the canonical order is seen, too: the file has the
 * decomposed name and is asked for by the other one.
 */
export function* decompositionCases({ gen, cwd }) {
	const pieces = { nfd: [[], []], "nfd-newer": [[], []] };
	for (const character of everything()) {
		const [decomposable, marks] = pieces[isNewer(character) ? "nfd-newer" : "nfd"];
		if (character.normalize("NFD") !== character) decomposable.push(`${character}.`);
		if (/^\p{M}$/u.test(character)) marks.push(`\u00e9\u0345${character}\u0323${character}\u0334.`);
	}
	for (const [kind, [decomposable, marks]] of Object.entries(pieces)) {
		let number = 0;
		for (const name of [...packed(decomposable), ...packed(marks)]) {
			const target = join(gen, name.normalize("NFD"));
			const file = { target, parts: [["found\n", 1]], bytes: Buffer.from("found\n") };
			yield { name: `${kind}-${number++}`, mayMiss: kind === "nfd-newer", home: "usual", cwd, file, params: { path: join(gen, name) } };
		}
	}
}
