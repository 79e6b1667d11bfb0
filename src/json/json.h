/*
 * json.h -- JSON as JavaScript reads it.
 *
 * A text is validated once, exactly as JSON.parse would.  After that, values
 * are found in the text itself and no tree is built, so that a branch of many
 * megabytes costs no memory.  For small objects whose every member matters
 * there is tree.h.
 *
 * Looking into a text that was not validated is safe, but what is found means
 * nothing.
 */
#ifndef READCACHE_JSON_JSON_H
#define READCACHE_JSON_JSON_H

#include "base/arena.h"

/* A text to look into, and what validating it found out. */
struct json_doc {
	struct arena *arena;
	struct json_extent *extents; /* sorted by where they begin */
	size_t n, room;
	const char *leapt; /* end of the known items (json_judge_known) */
};

/* True if TEXT is exactly one JSON value and valid UTF-8.  Any depth. */
bool json_valid(struct arena *arena, struct span text);

/* True if TEXT is exactly one JSON value; it need not be UTF-8. */
bool json_syntax(struct arena *arena, struct span text);

/* TEXT without the blanks at its two ends. */
struct span json_trim(struct span text);

/*
 * True if TEXT is exactly one JSON value and valid UTF-8.  DOC then has what is
 * needed to skip the larger parts of TEXT fast.
 */
bool json_judge(struct arena *arena, struct span text, struct json_doc *doc);

/*
 * As json_judge.  KNOWN is the text of the first items of an array, with the
 * commas between them, that was found valid before.  In the first array two
 * levels deep that begins with KNOWN, these items are skipped; doc->leapt is
 * then the byte after them.
 */
bool json_judge_known(struct arena *arena, struct span text,
    struct span known, struct json_doc *doc);

/* For looking into a text that was not validated. */
struct json_doc json_doc(struct arena *arena);

enum json_kind {
	JSON_ABSENT, /* the span of a member that is not there */
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

enum json_kind json_kind(struct span value);

/* Is VALUE absent or null?  Where this is asked both mean the same. */
bool json_missing(struct span value);

/* One wanted member of an object; value.p is NULL when it is not there. */
struct json_field {
	struct span name;
	struct span value;
};

/*
 * Find N fields in OBJECT.  Names are compared after decoding.  If a name
 * occurs more than once, the last one counts.  A value that is not an object
 * has no fields.
 */
void json_pick(const struct json_doc *doc, struct span object,
    struct json_field *fields, size_t n);

/* Walk an array: start with json_items, call json_next until it is false. */
struct json_items {
	const struct json_doc *doc;
	const char *p, *end;
};
struct json_items json_items(const struct json_doc *doc, struct span array);
bool json_next(struct json_items *items, struct span *value);

/*
 * Walk an object in the order of its text: start with json_members, call
 * json_member until it is false.  NAME is decoded.  A name that occurs twice
 * comes twice.
 */
struct json_items json_members(const struct json_doc *doc, struct span object);
bool json_member(
    struct json_items *members, struct span *name, struct span *value);

/* A decoded string. */
struct json_text {
	struct span text; /* may contain NUL */
	bool lone;	  /* a lone surrogate was replaced by U+FFFD */
};

/*
 * Decode VALUE.  False if it is not a string.  Copies only if it has escapes.
 */
bool json_text(struct arena *arena, struct span value, struct json_text *text);

/*
 * As json_text, for names and the like.  Also false if the string has a NUL or
 * a lone surrogate; *TEXT is then as it was.
 */
bool json_clean(struct arena *arena, struct span value, struct span *text);

/* Is VALUE the string TEXT?  Nothing is copied. */
bool json_text_is(struct span value, struct span text);

/*
 * True if some string in VALUE, a name or a value, contains NUL or a lone
 * surrogate.  Such a string would be cut or become equal to another one when it
 * is decoded.
 */
bool json_ambiguous(struct arena *arena, struct span value);

/* VALUE without the blanks between its tokens, so that it fits on one line. */
struct span json_compact(struct arena *arena, struct span value);

#endif
