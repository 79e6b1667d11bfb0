// A directory tree full of awkward names, and ways to spell the paths in it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const nfd = (text) => text.normalize("NFD");
const nfc = (text) => text.normalize("NFC");

// Files below the working directory; the contents tell which one was read.
const names = [
	"plain.txt", "sp ace.txt", " lead", "trail ", "two  blanks", "tab\tname", "new\nline", "cr\rname", "ctl\u0001\u007f", "it's \"both\"", 'dq"uote', "back\\slash", "\\", "`cmd`", "$HOME", "*", "-", "--help", "...", "x?y", "x#y", "a;b", "a|b", "100%", "%20.txt", "a%2Fb", "%zz", "+plus", "[br](ack){ets}",
	"at.txt", "@at.txt", "@@at.txt", "@", "~tilde", "~x/y", "~/in a directory named tilde", "h.txt",
	// colons: a range behind a name that exists, with and without the shorter name
	"a", "a:1-2", "b:7", "c:d", "c:d:2-3", "colon:dir/f", "colon", "C:/x", "ten", "range:1-x", "range",
	"file:/x", "file:/localhost/x", "FILE:/x",
	// Unicode spaces become blanks before anything is looked up
	"nb\u00a0sp.txt", "nb sp.txt", "only\u00a0nbsp", "ideo graphic", "zero\u200bwidth", "\ufeffbom",
	// variants that are tried when nothing is there
	"Shot 1\u202fPM.txt", "shot 2\u202fam.png.txt", "Both 3 PM.txt", "Both 3\u202fPM.txt", "Two 4\u202fAM. and 5\u202fPM. ok", "Mixed 6\u202faM.x", "No PM", "No\u202fPM", "Half 1\u202fPM. 2 AM.x", "PM.x", " PM.x",
	nfd("é.txt"), nfc("ö both.txt"), nfd("ö both.txt"), nfc("only nfc ü"), nfd("mixed ä") + nfc("ä"), nfd("각 hangul 한글"), "\u0061\u0315\u0300\u05ae\u0300b", nfd("ṩ\u0323 order"), "it\u2019s.txt", "it's straight.txt", "don't\u2019", nfd("Capture d\u2019écran.txt"), "Capture d\u2019\u00e9cran nfc.txt", nfd("l'été 7") + "\u202fPM.txt", nfd("l\u2019été 8 PM.txt"), "both\u2019 9\u202fPM.txt", "Å ngström", "\u212b",
	"😀 emoji.txt", "日本語.txt", "a\ufffdb", "sub/deep/f.txt", "sub/plain.txt", "..dots", "dots..", "sub/.hidden",
	".env", ".env.local", "key.pem", "id_rsa", ".npmrc",
	"n".repeat(255), `${"é".repeat(127)}x`, nfd("é".repeat(80)),
];

// Missing or strange ones, asked for as often as the ones above.
const absent = ["nope", "no/such/dir", "plain.txt/x", "plain.txt/..", "sub/nope", "n".repeat(256), "é".repeat(128), `${"d/".repeat(2100)}f`, `${"x/../".repeat(1500)}plain.txt`, "nope's", "é nope", "nope 1 PM.x", "", ".", "..", "/", "./", "~user", "~root/x", "nope:3", ":3", ":", "a:", "\u00a0", " ", "@ ", "sub", "sub/", "dirlink", "dirlink/f.txt", "dirlink/../plain.txt", "loop", "loop/x", "ring1", "dangling", "dangling/x", "filelink", "filelink/x", "chain39", "chain41", "fifo", "fifolink", "socket", "/dev/null", "//dev//null", "/proc/version", "/proc/filesystems", "/sys/kernel/mm/transparent_hugepage/enabled", "/proc/self/mem", "/proc/self/nope", "huge", "picture", "latin1"];

const homes = ["tilde.txt", "plain.txt", "sp ace.txt", "home only.txt", nfd("é.txt"), "it\u2019s.txt", "a:1-2", ".env", "@at"];

// Working directories: the variants apply to the whole path, not to the name alone.
const places = ["cwd", "at 9 PM.d", nfc("dé nfc"), nfd("dé nfd"), "it's", "it\u2019s", "sp\u00a0ace", "file:", "~", "with file"];

function put(path, text) {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

const lines = (title) => `${title}\n${Array.from({ length: 9 }, (_, i) => `line ${i + 2}\n`).join("")}`;

function links(cwd) {
	symlinkSync("plain.txt", join(cwd, "filelink"));
	symlinkSync("sub/deep", join(cwd, "dirlink"));
	symlinkSync("loop", join(cwd, "loop"));
	symlinkSync("ring2", join(cwd, "ring1"));
	symlinkSync("ring1", join(cwd, "ring2"));
	symlinkSync("nowhere", join(cwd, "dangling"));
	symlinkSync("plain.txt", join(cwd, "chain1"));
	for (let i = 2; i <= 41; i++) symlinkSync(`chain${i - 1}`, join(cwd, `chain${i}`));
	symlinkSync("fifo", join(cwd, "fifolink"));
}

/** The tree, in a temporary directory. */
export async function makeWorld() {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "readcache-parity-")));
	const cwd = join(root, "cwd");
	for (const name of names) put(join(cwd, name), lines(name));
	for (const name of homes) put(join(root, "home", name), lines(`home ${name}`));
	for (const place of places) for (const name of ["plain.txt", "Shot 1\u202fPM.txt", nfd("é.txt"), "it\u2019s.txt", nfd("d\u2019é")]) put(join(root, place, name), lines(`${place} ${name}`));
	// the part of every file URL before its colon
	put(join(root, "with file", "file"), lines("named file"));
	put(join(root, "cwd", "rel home", "tilde.txt"), lines("relative home"));
	put(join(cwd, "picture"), "GIF89a\nline 2\nline 3\nline 4\n");
	put(join(cwd, "latin1"), Buffer.from("caf\xe9\nline 2\nline 3\nline 4\n", "latin1"));
	links(cwd);
	writeFileSync(join(cwd, "huge"), "");
	truncateSync(join(cwd, "huge"), 256 * 1024 * 1024 + 1);
	if (spawnSync("mkfifo", [join(cwd, "fifo")]).status !== 0) throw new Error("mkfifo failed");
	const server = createServer().listen(join(cwd, "socket"));
	await new Promise((done) => server.on("listening", done));
	symlinkSync("cwd", join(root, "cwdlink"));
	mkdirSync(join(root, "gen"));
	return {
		root,
		cwd,
		home: join(root, "home"),
		gen: join(root, "gen"),
		store: join(root, "store"),
		remove() {
			server.close();
			rmSync(root, { recursive: true, force: true });
		},
	};
}

/** HOME values; each one gets an engine of its own. undefined: not set. */
export function homeValues(world) {
	return { usual: world.home, empty: "", unset: undefined, relative: "rel home", spelled: `${world.root}//cwd/../home/`, tilde: "~", url: `file://${world.home}`, blank: `${world.root}/sp\u00a0ace`, missing: `${world.root}/no home` };
}

export function randomCwd(random, world) {
	const { root, cwd } = world;
	return random.weighted([
		[12, cwd],
		[4, join(root, random.pick(places))],
		[1, `${cwd}/`],
		[1, `${root}//cwd/../cwd/.`],
		[1, join(root, "cwdlink")],
		[1, "/"],
		[1, join(root, "missing")],
		[1, root],
	]);
}

const spaces = ["\u00a0", "\u2000", "\u2003", "\u200a", "\u202f", "\u205f", "\u3000", "\u200b", "\u1680", "\u2028", "\u180e", "\t"];

const encoded = (path) => path.split("/").map(encodeURIComponent).join("/");

/** Ways to write PATH, which is absolute, as a file URL. */
function asUrl(random, path) {
	const hosts = [[8, ""], [3, "localhost"], [1, "LOCALHOST"], [1, "otherhost"], [1, "127.0.0.1"], [1, "a b"], [1, "user@localhost"], [1, "localhost:80"], [1, "%6cocalhost"], [1, "x.y-z"], [1, "1.2"], [1, "[::1]"], [1, "ü.example"], [1, "a.0xf"], [1, "a..b"], [1, "localhost."]];
	const changed = random.weighted([
		[8, encoded(path)],
		[5, encodeURI(path)],
		[3, path],
		[1, encoded(path).replaceAll("%2F", "/").replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())],
		[1, path.replace(/[a-z]/g, (letter, at) => (at % 3 === 0 ? `%${letter.charCodeAt(0).toString(16)}` : letter))],
		[1, `${path}%2Fx`],
		[1, `${path}%2fx`],
		[1, `${path}%zz`],
		[1, `${path}%`],
		[1, `${path}%4`],
		[1, `${path}%ff`],
		[1, `${path}%C3%A9`],
		[1, `${path}%ED%A0%80`],
		[1, `${path}%00`],
		[1, `${path}?query=1`],
		[1, `${path}#fragment`],
		[1, `${path}/.`],
		[1, `${dirname(path)}/x/../${path.slice(dirname(path).length)}`],
		[1, `${dirname(path)}/%2e/${path.slice(dirname(path).length)}`],
		[1, `${dirname(path)}/x/%2E%2e${path.slice(dirname(path).length)}`],
		[1, path.replaceAll("/", "\\")],
		[1, path.replace("/", "/\t").replace(/t/, "t\n")],
		[1, `${path}  `],
		[1, `${path}%20`],
		[2, `${dirname(path)}//../${path.slice(dirname(path).length)}`],
		[1, `${dirname(path)}/x//..${path.slice(dirname(path).length)}`],
		[1, `/C|${path}`],
		[1, `/C:${path}`],
		[1, `/c:/..${path}`],
		[1, `/${path}`],
		[1, path.slice(1)],
		[1, ""],
		[1, "/"],
		[1, "//"],
		[1, "/~/x"],
		[1, `${path}\u00a0x`],
		[1, `${path}\u0001`],
		[1, `${path}%5Cx`],
		[1, `${path}%5C`],
		[1, `${path}%252f`],
		[1, `${path}^|<>"\`{}`],
	]);
	const scheme = random.weighted([[30, "file://"], [2, "FILE://"], [1, "File://"], [2, "file:"], [1, "file:///"], [1, " file://"], [1, "file:\\\\"], [1, "file:/\u00a0/"], [1, "fi\tle://"], [1, "http://"]]);
	return scheme + random.weighted(hosts) + changed;
}

const insert = (random, text, piece) => {
	const at = random.int(0, text.length);
	return text.slice(0, at) + piece + text.slice(at);
};

// What people, models and terminals do to a path.
const mutations = [
	[6, (path) => `./${path}`],
	[4, (path) => `no/../${path}`],
	[3, (path) => `sub/.././${path}`],
	[4, (path) => path.replace("/", "//")],
	[2, (path) => path.replace("/", "/./")],
	[2, (path) => `/${path}`],
	[5, (path) => `${path}/`],
	[2, (path) => `${path}//`],
	[2, (path) => `${path}/.`],
	[1, (path) => `${path}/..`],
	[1, (path) => `${path}/x`],
	[1, (path) => `${path}/x/..`],
	[6, (path) => `@${path}`],
	[3, (path) => `@@${path}`],
	[1, (path) => `@./${path}`],
	[1, (path) => `~${path}`],
	[2, (path) => `~/${path}`],
	[1, (path) => `@~/${path}`],
	[2, (path) => path.toUpperCase()],
	[8, (path, random) => path.replace(/ /g, () => (random.chance(0.7) ? random.pick(spaces) : " "))],
	[2, (path, random) => random.pick(spaces) + path],
	[2, (path, random) => path + random.pick([...spaces, " ", "\n", "\r"])],
	[6, (path) => path.normalize("NFC")],
	[4, (path) => path.normalize("NFD")],
	[2, (path) => path.normalize("NFKC")],
	[6, (path) => path.replaceAll("\u2019", "'")],
	[2, (path) => path.replaceAll("'", "\u2019")],
	[6, (path) => path.replaceAll("\u202f", " ")],
	[2, (path) => path.replace(/[ap]m\./gi, (found) => found.toLowerCase())],
	[6, (path) => path.replaceAll("\u2019", "'").normalize("NFC")],
	[3, (path) => path.replaceAll("\u2019", "'").replaceAll("\u202f", " ").normalize("NFC")],
	[1, (path, random) => insert(random, path, random.pick(["\0", "\0'", "\n\0", "\0\"'"]))],
	[1, (path, random) => insert(random, path, random.pick(["\ud800", "\udfff", "\udc00\ud800"]))],
	[1, (path, random) => insert(random, path, random.pick(["\ufeff", "\u200d", "😀", "\u0301", "\u0323\u0301", "\u115f", "가"]))],
	[5, (path, random) => path + random.pick([":1", ":2-4", ":7", ":3-3", ":1-99", ":10-11", ":99", ":0", ":4-2", ":", ":x", ":1-", ":-1", ":1-2-3", ":1:2", ":1,2", ": 1", ":1 ", ":٣", ":1.5", ":+1", ":2-4/"])],
];

/** A path as it may be asked for; TARGET is absolute, or null for one of the world's own. */
export function randomPath(random, world, { cwd, home, target = null }) {
	let path = target;
	if (path === null) {
		const name = random.chance(0.7) ? random.pick(names) : random.pick(absent);
		if (name.startsWith("/")) return name;
		const local = name;
		if (random.chance(0.55)) path = local;
		else if (random.chance(0.2)) return tilde(random, home);
		path ??= join(world.cwd, name);
	}
	if (path.startsWith("/")) {
		const form = random.weighted([[4, "absolute"], [4, "relative"], [target === null ? 3 : 1, "url"], [1, "home"]]);
		if (form === "relative") path = relative(cwd, path) || ".";
		if (form === "home" && home?.startsWith("/")) path = `~/${relative(home, path)}`;
		if (form === "url") return mutated(random, asUrl(random, path), 0.15);
	}
	return mutated(random, path, target === null ? 0.75 : 0.35);
}

function tilde(random, home) {
	// a home that is not ours is not read, only missed
	const inside = home === undefined ? ["readcache-no-such-name", "readcache-no/such", "", "/", "."] : homes;
	return mutated(random, random.pick(["~", "~/", "~//", "@~", "~/./", "~/x/../"]) + random.pick(inside), 0.3);
}

function mutated(random, path, chance) {
	for (let again = 0; again < 3 && random.chance(chance); again++) path = random.weighted(mutations)(path, random);
	return path;
}

const generated = ["f", "f", "f", "f.txt", "sp ace", "it's", "new\nline", ".env", "n:1-2", "日本", nfd("é"), "q\"q"];

/** A name for random contents; the path the target is asked by is another matter. */
export function randomTarget(random, world) {
	return join(world.gen, random.pick(generated));
}
