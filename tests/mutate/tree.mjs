// A copy of the tree with mutants woven in, and its build. The tree itself is never written to.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { support, weave } from "./weave.mjs";

const leftOut = /^(build.*|\.git|\.ci|node_modules)$/;

function* filesBelow(root, under = "") {
	for (const entry of readdirSync(join(root, under), { withFileTypes: true })) {
		const path = join(under, entry.name);
		if (!under && leftOut.test(entry.name)) continue;
		if (entry.isDirectory()) yield* filesBelow(root, path);
		else if (entry.isFile()) yield path;
	}
}

/** Written only if it is another: what was built from it stays. */
function put(file, bytes, mode) {
	if (existsSync(file) && readFileSync(file).equals(bytes)) return;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, bytes, { mode });
}

/** The tree ROOT with MUTANTS, as COPY. */
export function writeTree(root, copy, mutants) {
	const byFile = new Map();
	for (const mutant of mutants) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);
	const written = new Set(["src/os/linux/mutant.c", "src/os/mutant.h", "mutants.cmake"]);
	for (const path of filesBelow(root)) {
		let bytes = readFileSync(join(root, path));
		const here = byFile.get(path);
		const isScript = bytes.length > 2 && bytes[0] === 0x23 && bytes[1] === 0x21;
		if (path === "CMakeLists.txt") bytes = Buffer.concat([bytes, Buffer.from("include(mutants.cmake)\n")]);
		put(join(copy, path), here ? Buffer.from(`#include "os/mutant.h"\n#line 1\n${weave(bytes.toString(), here)}`) : bytes, isScript ? 0o755 : 0o644);
		written.add(path);
	}
	const { header, source } = support(mutants.length);
	put(join(copy, "src/os/mutant.h"), Buffer.from(header));
	put(join(copy, "src/os/linux/mutant.c"), Buffer.from(source));
	for (const path of filesBelow(copy)) if (!written.has(path)) rmSync(join(copy, path));
}

function run(command, args, cwd) {
	const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
	if (error) throw error;
	if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
	return stdout;
}

/** Build TARGETS of COPY in BUILD, in one go. */
export function buildTree(copy, build, targets, jobs) {
	put(join(copy, "mutants.cmake"), Buffer.from(`add_custom_target(mutants)\nadd_dependencies(mutants ${targets.join(" ")})\n`));
	run("cmake", ["-S", copy, "-B", build, "-DREADCACHE_TESTS=ON", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 -w", "-DCMAKE_RULE_MESSAGES=OFF"], copy);
	run("cmake", ["--build", build, `-j${jobs}`, "--target", "mutants"], copy);
}
