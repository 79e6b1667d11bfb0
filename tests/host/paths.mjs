// Where tests/host/setup puts things.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const name = "@earendil-works/pi-coding-agent";

/** The pi versions the tests run against, oldest first. */
export const versions = ["0.87.1", "1.5.0"];

/** The directory given to setup: READCACHE_HOST_DIR, or build/host. */
export function hostDir() {
	return resolve(process.env.READCACHE_HOST_DIR || join(root, "build/host"));
}

/** The Node 22 binary. */
export function node22(dir = hostDir()) {
	return join(dir, "node22/node_modules/.bin/node");
}

/** The package directory of a pi version. */
export function piPackage(version, dir = hostDir()) {
	if (!versions.includes(version)) throw new Error(`no pi ${version} here, only ${versions.join(", ")}`);
	// 1.5.0 is unpacked, not installed: see setup
	return join(dir, `pi-${version}`, version === "1.5.0" ? "package" : join("node_modules", name));
}

/** The SDK bundle of a pi version, to be imported. */
export function sdk(version, dir = hostDir()) {
	return join(piPackage(version, dir), "dist/bundle/index.js");
}

/** The command line program of a pi version, to be run by node22(). */
export function cli(version, dir = hostDir()) {
	return join(piPackage(version, dir), "dist/bundle/cli.js");
}

/** The versions that are really there. */
export function installed(dir = hostDir()) {
	return versions.filter((version) => existsSync(join(dir, `pi-${version}`, ".installed")));
}
