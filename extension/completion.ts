/** Completing a path after /readcache-refresh. */
import { type Dirent, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { AutocompleteItem } from "@earendil-works/pi-tui";

const MAX_ITEMS = 50;

function entriesOf(cwd: string, dir: string): Dirent[] {
	try {
		const home = dir.startsWith("~/") ? resolve(homedir(), dir.slice(2)) : dir;
		return readdirSync(resolve(cwd, home || "."), { withFileTypes: true });
	} catch {
		return [];
	}
}

/** As it must be typed: quoted if it holds a blank, or if the user began so. */
function quoted(path: string, begun: string): string {
	if (begun === "" && !/[\s"']/.test(path)) return path;
	const quote = begun || (path.includes('"') ? "'" : '"');
	return `${quote}${path}${quote}`;
}

/** Files and directories that go on where `typed` ends; null if there are none, or the path is complete. */
export function completePath(typed: string, cwd: string): AutocompleteItem[] | null {
	const begun = /^["']/.exec(typed)?.[0] ?? "";
	const path = typed.slice(begun.length);
	if (begun !== "" && path.includes(begun)) return null;
	const dir = path.slice(0, path.lastIndexOf("/") + 1);
	const start = path.slice(dir.length);
	const items = entriesOf(cwd, dir)
		.filter(({ name }) => name.startsWith(start) && (start !== "" || !name.startsWith(".")))
		.map((entry) => `${entry.name}${entry.isDirectory() ? "/" : ""}`)
		.sort()
		.slice(0, MAX_ITEMS)
		.map((label) => ({ value: quoted(dir + label, begun), label }));
	return items.length > 0 ? items : null;
}
