// Installing and removing, as a pi user does it, and what the package holds: install.mjs
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync } from "node:fs";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { versions } from "../host/paths.mjs";
import { binary } from "../lib/engine.mjs";
import { run, User } from "./install-user.mjs";
import { Mismatch, matches, ok, same, show } from "./lib/expect.mjs";
import { extension } from "./lib/sandbox.mjs";

const build = dirname(binary());
const work = realpathSync(mkdtempSync(join(tmpdir(), "readcache-install-")));
const prefix = join(work, "a prefix"); // with a blank, as a home directory may have
const installed = join(prefix, "share/readcache/pi");
const program = join(prefix, "bin/readcache");
const manifest = JSON.parse(readFileSync(join(extension, "package.json"), "utf8"));
let passed = 0;
let failed = 0;

async function test(name, run) {
	try {
		await run();
		passed += 1;
		console.log(`ok ${name}`);
	} catch (error) {
		failed += 1;
		const details = [error.stack];
		if (error instanceof Mismatch) details.push(`expected: ${show(error.expected)}`, `actual: ${show(error.actual)}`);
		console.log(`not ok ${name}\n${details.join("\n").replace(/^/gm, "    ")}\n    again: tests/pi/install`);
	}
}

const filesIn = (directory) =>
	readdirSync(directory, { recursive: true, withFileTypes: true })
		.filter((entry) => !entry.isDirectory())
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(directory.length + 1))
		.sort();

/** What a module imports, by name. */
function importsOf(file) {
	return [...readFileSync(file, "utf8").matchAll(/^(?:import|export)[^;]*?\bfrom "([^"]+)"/gm)].map(([, name]) => name);
}

/** The modules of the package that its manifest's entries lead to, and the packages they want from outside. */
function needed() {
	const modules = new Set();
	const packages = new Set();
	const visit = (name) => {
		if (modules.has(name)) return;
		modules.add(name);
		for (const wanted of importsOf(join(extension, name)))
			if (wanted.startsWith(".")) visit(join(dirname(name), wanted));
			else if (!wanted.startsWith("node:")) packages.add(wanted);
	};
	for (const entry of manifest.pi.extensions) visit(join(entry));
	return { modules: [...modules].sort(), packages: [...packages].sort() };
}

/** What is neither a module nor the manifest, but may be packed: words for a person. */
const isDocument = (name) => /^(README|LICENSE|CHANGELOG)(\.md)?$/.test(name);

await test("the manifest names pi packages as peers of any version, and nothing else", () => {
	ok(manifest.keywords.includes("pi-package"), "the keyword pi-package", manifest.keywords);
	for (const field of ["dependencies", "devDependencies", "optionalDependencies", "bundleDependencies", "scripts"])
		same(manifest[field], undefined, `${field} of the manifest`);
	same(Object.keys(manifest.peerDependencies).sort(), needed().packages, "peers, as the modules import them");
	same([...new Set(Object.values(manifest.peerDependencies))], ["*"], "the versions of the peers");
});

await test("npm pack takes the modules that are needed, all of them and no others", async () => {
	const settings = { npm_config_cache: join(work, "npm"), npm_config_offline: "true" };
	const options = { cwd: extension, env: { ...process.env, ...settings } };
	const [packed] = JSON.parse((await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], options)).stdout);
	const names = packed.files.map(({ path }) => path).sort();
	same(names.filter((name) => !isDocument(name)), ["package.json", ...needed().modules].sort(), "the packed files");
});

/** Packages of which something is in the executable; THIRD_PARTY.md has them all. */
const LINKED = ["libc6-dev", "libgit2-dev", "liblmdb-dev", "libssl-dev", "libutf8proc-dev"];

await test("THIRD_PARTY.md names what is linked", () => {
	const named = readFileSync(new URL("../../THIRD_PARTY.md", import.meta.url), "utf8");
	for (const name of LINKED) if (!named.includes(`\`${name}\``)) throw new Error(`${name} is not named`);
});

await test("cmake --install puts the program and the package into the prefix", async () => {
	await run("cmake", ["--install", build, "--prefix", prefix]);
	accessSync(program, constants.X_OK);
	same(filesIn(installed).filter((name) => !isDocument(name)), ["package.json", ...needed().modules].sort(), installed);
	for (const name of filesIn(installed))
		same(readFileSync(join(installed, name), "utf8"), readFileSync(join(extension, name), "utf8"), name);
	const others = filesIn(prefix).filter((name) => !name.startsWith("share/readcache/pi/"));
	const expected = [
		"bin/readcache",
		"include/readcache.h",
		"lib/libreadcache.a",
		"lib/pkgconfig/readcache.pc",
		"share/bash-completion/completions/readcache",
		"share/doc/readcache/LICENSE",
		"share/doc/readcache/THIRD_PARTY.md",
		...LINKED.filter((name) => existsSync(`/usr/share/doc/${name}/copyright`)).map((name) => `share/doc/readcache/licenses/${name}`),
		"share/fish/vendor_completions.d/readcache.fish",
		"share/man/man1/readcache.1",
		"share/zsh/site-functions/_readcache",
	];
	same(others.sort(), expected, "other files in the prefix");
});

await test("the program and the package have the same version", async () => {
	matches(manifest.version, /^\d+\.\d+\.\d+$/, "the manifest's version");
	const { stdout } = await run(program, ["--version"]);
	same(stdout, `readcache ${manifest.version} (protocol 1)\n`, "readcache --version");
});


const marker = "[readcache: unchanged, 41 lines]"; // the empty one behind the last line end counts

for (const version of versions) {
	const user = await User.arrive(version);

	await test(`pi ${version}: after pi install the second read is a marker`, async () => {
		await user.pi("install", installed);
		same(user.packages().length, 1, "packages in the settings");
		matches((await user.pi("list")).stdout, /share\/readcache\/pi/, "pi list");
		same(await user.readTwice(), { texts: [user.text, marker], stderr: "" }, "what the model and the user see");
	});

	await test(`pi ${version}: it is the installed program that answers; without it the user is told once`, async () => {
		renameSync(program, `${program}.away`);
		try {
			const { texts, stderr } = await user.readTwice();
			same(texts, [user.text, user.text], "what the model sees");
			matches(stderr, /^readcache: [^\n]*\n$/, "one line on stderr");
		} finally {
			renameSync(`${program}.away`, program);
		}
	});

	await test(`pi ${version}: after pi remove all is as before`, async () => {
		await user.pi("remove", installed);
		same(user.packages(), [], "packages in the settings");
		ok(!(await user.pi("list")).stdout.includes("readcache"), "pi list does not know it");
		same(await user.readTwice(), { texts: [user.text, user.text], stderr: "" }, "what the model and the user see");
	});

	await user.leave();
}

rmSync(work, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
