// All chosen mutants of a file in one source: which of them lives is a number in the executable.
//
// Where a mutant sits, `x` becomes `(MUTANT(7) ? (its text) : (x))`. A host can hold another one, never a part of one.

/** What stands for HOST, whose text is as it was, or woven itself: ORIGINAL. */
function choice(mutants, kind, source, original) {
	if (kind === "statement") {
		const dead = mutants.map(({ number }) => `MUTANT(${number})`).join(" || ");
		return `{ if (!(${dead})) { ${original} } }`;
	}
	if (kind === "instead") {
		const [{ number, text }] = mutants;
		return /[;}]\s*$/.test(original) ? `{ if (MUTANT(${number})) { ${text} } else { ${original} } }` : `(MUTANT(${number}) ? (${text}) : (${original}))`;
	}
	const shape = kind === "call" ? (text) => `(void)(${text})` : kind === "value" ? (text) => `(${text})` : (text) => `((${text}) ? 1 : 0)`;
	const others = mutants.map((mutant) => {
		const changed = source.slice(mutant.start, mutant.from) + mutant.text + source.slice(mutant.to, mutant.end);
		return `MUTANT(${mutant.number}) ? ${shape(changed)} : `;
	});
	return `(${others.join("")}${shape(original)})`;
}

/** SOURCE with MUTANTS in it; each has its number. */
export function weave(source, mutants) {
	const hosts = new Map();
	for (const mutant of mutants) {
		const key = `${mutant.start} ${mutant.end} ${mutant.kind}`;
		if (!hosts.has(key)) hosts.set(key, { start: mutant.start, end: mutant.end, kind: mutant.kind, mutants: [] });
		hosts.get(key).mutants.push(mutant);
	}
	const order = [...hosts.values()].sort((a, b) => a.start - b.start || b.end - a.end || (a.kind === "instead" ? -1 : b.kind === "instead" ? 1 : 0));
	let next = 0;
	const render = (from, to) => {
		let text = "";
		let at = from;
		while (next < order.length && order[next].start < to) {
			const host = order[next++];
			if (host.end > to) throw new Error(`a mutant begins inside of ${source.slice(from, to)} and ends outside`);
			text += source.slice(at, host.start);
			text += choice(host.mutants, host.kind, source, render(host.start, host.end));
			at = host.end;
		}
		return text + source.slice(at, to);
	};
	return render(0, source.length);
}

const magic = "readcache-mutant";

/** What every woven file sees, and the one file that holds the number: for COUNT mutants. */
export function support(count) {
	const header = `#ifndef READCACHE_MUTANT_H
#define READCACHE_MUTANT_H
#include <stdbool.h>
struct mutant_choice { char magic[16]; int number; char reached[236]; };
extern const volatile struct mutant_choice mutant_choice;
extern unsigned char *mutant_reached;
#define MUTANT(n) (mutant_reached[n] = 1, mutant_choice.number == (n))
#endif
`;
	const source = `#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "os/mutant.h"
__attribute__((section(".data"))) const volatile struct mutant_choice mutant_choice = {"${magic}", 0, ""};
static unsigned char nobody_asks[${count + 1}];
unsigned char *mutant_reached = nobody_asks;
__attribute__((constructor)) static void
say_what_is_reached(void)
{
	int fd = mutant_choice.reached[0] != 0 ? open((const char *)mutant_choice.reached, O_RDWR | O_CLOEXEC) : -1;
	void *map = fd >= 0 ? mmap(0, sizeof(nobody_asks), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (map != MAP_FAILED)
		mutant_reached = map;
	if (fd >= 0)
		close(fd);
}
`;
	return { header, source };
}

/** EXECUTABLE, its bytes, as the mutant NUMBER; or, with a path, as the unchanged program that marks in that file what it reaches. */
export function chosen(executable, number, reached = "") {
	const at = executable.indexOf(magic);
	if (at < 0) return executable; // a test of something else
	const copy = Buffer.from(executable);
	copy.writeInt32LE(number, at + 16);
	copy.fill(0, at + 20, at + 256);
	copy.write(reached, at + 20);
	return copy;
}
