/*
 * json.h -- JSON as JavaScript reads it.
 *
 * Text is judged once, by json_valid, exactly as JSON.parse would judge it;
 * after that it is looked into where it lies, without building a tree, so
 * that a branch of many megabytes costs no memory.  Small objects whose
 * every member matters are opened by tree.h.
 *
 * Looking into text that was not judged is safe, but tells nothing.
 */
#ifndef READCACHE_JSON_JSON_H
#define READCACHE_JSON_JSON_H

#include "base/arena.h"

/* A text to look into, and what was learned about it when it was judged. */
struct json_doc {
	struct arena *arena;
	struct json_extent *extents; /* sorted by where they begin */
	size_t n, room;
	const char *leapt; /* behind the known items (json_judge_known) */
};

/* True if TEXT is exactly one JSON value and valid UTF-8.  Any depth. */
bool json_valid(struct arena *arena, struct span text);

/* The same, but for UTF-8. */
bool json_syntax(struct arena *arena, struct span text);

/* TEXT without JSON's blanks around it. */
struct span json_trim(struct span text);

/* As json_valid; DOC then knows how to leap over the larger parts of TEXT. */
bool json_judge(struct arena *arena, struct span text, struct json_doc *doc);

/*
 * The same.  KNOWN are the first items of some array, with the commas between
 * them, that were judged before: where an array inside of two objects begins
 * with them they are leapt over, once.
 */
bool json_judge_known(struct arena *arena, struct span text,
    struct span known, struct json_doc *doc);

/* For a text that is looked into without having been judged. */
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

/* One wanted member of an object; value.p is NULL when it is not there. */
struct json_field {
	struct span name;
	struct span value;
};

/*
 * Find N fields in OBJECT.  Names are compared after decoding, the last of
 * several equal ones counts.  Something that is no object has no fields.
 */
void json_pick(const struct json_doc *doc, struct span object,
    struct json_field *fields, size_t n);

/* Go through an array: begin with json_items, until false. */
struct json_items {
	const struct json_doc *doc;
	const char *p, *end;
};
struct json_items json_items(const struct json_doc *doc, struct span array);
bool json_next(struct json_items *items, struct span *value);

/*
 * Go through an object, in the order of the text: begin with json_members.
 * NAME is decoded; of equal names each comes.
 */
struct json_items json_members(const struct json_doc *doc, struct span object);
bool json_member(
    struct json_items *members, struct span *name, struct span *value);

/* A decoded string. */
struct json_text {
	struct span text; /* may hold NUL */
	bool lone;	  /* a lone surrogate was replaced by U+FFFD */
};

/* False if VALUE is no string.  Without escapes nothing is copied. */
bool json_text(struct arena *arena, struct span value, struct json_text *text);

/* Is VALUE the string TEXT?  Nothing is copied. */
bool json_text_is(struct span value, struct span text);

/*
 * True if some string in VALUE, a name or a value, holds NUL or a lone
 * surrogate: decoded it is cut, or the same as another one.
 */
bool json_ambiguous(struct arena *arena, struct span value);

/* VALUE without the blanks between its tokens: it fits on one line. */
struct span json_compact(struct arena *arena, struct span value);

#endif
