// Type check of the extension, and proof that the check can fail: types.mjs DIRECTORY
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { hostDir, piPackage } from "../host/paths.mjs";

const version = "0.87.1"; // 1.5.0 comes without the packages its types are made of
const subject = resolve(process.argv[2]);
const compiler = join(hostDir(), "typescript");
const modules = resolve(piPackage(version), "../.."); // the packages beside pi are those it depends on
const work = realpathSync(mkdtempSync(join(tmpdir(), "readcache-types-")));

// What pi gives an extension to import, and nothing else: any other package would be missing at run time.
const given = {
	"@earendil-works/pi-coding-agent": "@earendil-works/pi-coding-agent/dist/index.d.ts",
	"@earendil-works/pi-ai": "@earendil-works/pi-ai/dist/index.d.ts",
	"@earendil-works/pi-tui": "@earendil-works/pi-tui/dist/index.d.ts",
	"@earendil-works/pi-agent-core": "@earendil-works/pi-agent-core/dist/index.d.ts",
	typebox: "typebox/build/index.d.mts",
};

/** The TypeScript files of a package directory, those of its dependencies left out. */
function sources(directory) {
	const names = readdirSync(directory, { recursive: true }).filter((name) => /^(?!.*node_modules).*\.ts$/.test(name));
	return names.map((name) => join(directory, name));
}

/** Compile the files of a directory; gives the compiler's complaints, none if all is well. */
function check(directory) {
	const config = join(work, "tsconfig.json");
	const paths = Object.fromEntries(Object.entries(given).map(([name, file]) => [name, [join(modules, file)]]));
	const compilerOptions = {
		noEmit: true,
		strict: true,
		skipLibCheck: true,
		target: "es2024", // what Node 22 has,
		module: "nodenext",
		allowImportingTsExtensions: true,
		typeRoots: [join(compiler, "node_modules/@types")],
		types: ["node"],
		paths,
	};
	writeFileSync(config, JSON.stringify({ compilerOptions, files: sources(directory) }));
	const tsc = join(compiler, "node_modules/typescript/lib/tsc.js");
	const options = { encoding: "utf8", cwd: directory };
	const run = spawnSync(process.execPath, [tsc, "--project", config, "--pretty", "false"], options);
	if (run.error) throw run.error;
	const said = (run.stdout + run.stderr).trim();
	if (run.status !== 0 && !said) return [`the compiler ended with status ${run.status} and said nothing`];
	return said ? said.split("\n") : [];
}

let passed = 0;
let failed = 0;

function report(ok, name, ...details) {
	if (ok) passed += 1;
	else failed += 1;
	console.log(`${ok ? "ok" : "not ok"} ${name}`);
	for (const detail of details) console.log(`    ${detail}`);
}

/** Copies the extension, adds these files, and expects a complaint of each; all in one run, which takes seconds. */
function refuses(mistakes) {
	const copy = join(work, "copy");
	cpSync(subject, copy, { recursive: true });
	mistakes.forEach(({ text }, i) => writeFileSync(join(copy, `mistake-${i}.ts`), text));
	const said = check(copy);
	mistakes.forEach(({ name, code }, i) => {
		const ok = said.some((line) => line.startsWith(`mistake-${i}.ts`) && line.includes(`error ${code}:`));
		const details = [`expected: mistake-${i}.ts ... error ${code}`, "the compiler said:", ...said];
		report(ok, `the check refuses ${name}`, ...(ok ? [] : details));
	});
}

try {
	if (!existsSync(join(subject, "package.json"))) throw new Error(`no extension in ${subject}`);
	const count = sources(subject).length;
	const said = check(subject);
	report(count > 0 && said.length === 0, `the types of ${count} files agree with pi ${version}`, ...said);
	if (said.length > 0) console.log(`    alone: tests/pi/types ${relative(process.cwd(), subject)}`);

	const pi = 'from "@earendil-works/pi-coding-agent";';
	refuses([
		{ name: "a wrong type", text: "export const count: number = 'one';\n", code: "TS2322" },
		{
			name: "an event that the host does not have",
			text: `import type { ExtensionAPI } ${pi}\nexport default (it: ExtensionAPI) => it.on("session_fork", () => {});\n`,
			code: "TS2769",
		},
		{
			name: "a name that the host does not export",
			text: `import { resolveReadPath } ${pi}\nexport { resolveReadPath };\n`,
			code: "TS2724",
		},
		{
			name: "a package that the host does not give",
			text: 'import chalk from "chalk";\nexport { chalk };\n',
			code: "TS2307",
		},
	]);
} finally {
	rmSync(work, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
