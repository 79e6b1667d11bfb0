/*
 * scale.h -- what a question is weighed with: what the branch proves, and the
 * versions of the file, each of which is loaded once.  Only for this folder.
 */
#ifndef READCACHE_ANSWER_SCALE_H
#define READCACHE_ANSWER_SCALE_H

#include "answer/question.h"
#include "base/arena.h"
#include "base/lines.h"
#include "base/map.h"
#include "replay/trust.h"

/* A version of the file, as far as the library has it; or the file now. */
struct library_version {
	struct digest hash;
	bool there;
	struct piece piece;
	bool looked;  /* used once; the second use makes an index */
	bool indexed; /* lines is the index of piece */
	struct lines lines;
	/* How it compares with the file now, outside of the requested lines. */
	enum { OUTSIDE_UNKNOWN, OUTSIDE_SAME, OUTSIDE_DIFFERS } outside;
};

struct scale {
	struct arena *arena;
	const struct question *asked;
	const struct trust *trust;
	const struct library *library;
	struct scope scope;
	struct trust_base base;
	struct map *versions; /* hash -> struct library_version * */
	struct library_version now;
};

/* The version HASH if it was loaded before, otherwise NULL. */
struct library_version *scale_loaded(
    const struct scale *s, const struct digest *hash);

/*
 * The version HASH; it is loaded only once.  If the budget is used up, it is not
 * there.
 */
struct library_version *scale_load(struct scale *s, const struct digest *hash);

const struct lines *scale_lines(
    struct scale *s, struct library_version *version);

/* Lines FIRST to LAST of the file in VERSION; false if it lacks some. */
bool scale_slice(struct scale *s, struct library_version *version,
    uint64_t first, uint64_t last, struct span *lines);

/* Is LINE, which is not empty, a line of TEXT exactly once? */
bool scale_is_only_line(struct span text, struct span line);

/* As span_eq.  Also false if the budget is used up. */
bool scale_same(struct scale *s, struct span a, struct span b);

/* Does the plain answer show where the file ends? */
bool scale_shows_end(const struct scale *s);

/* Larger files are not compared at all. */
bool scale_may_compare(
    const struct question *q, uint64_t bytes, uint64_t lines);

/* Does VIEW prove that the reader has its lines, by this path and name? */
bool scale_is_evidence(const struct scale *s, const struct trust_view *view);

#endif
