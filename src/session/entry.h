/*
 * entry.h -- one entry of a session: its place in the tree, and what it does to
 * what was before it.
 */
#ifndef READCACHE_SESSION_ENTRY_H
#define READCACHE_SESSION_ENTRY_H

#include "json/json.h"

/*
 * The kinds are named by what they do, not by what a host calls them: a host
 * that has two entries with the same effect gives both the same kind.
 */
enum entry_kind {
	ENTRY_OTHER,
	ENTRY_MESSAGE,
	ENTRY_BOUNDARY,     /* nothing before it counts (SPEC 5) */
	ENTRY_CONTEXT_EDIT, /* of target, which is empty if unknown */
	ENTRY_CUSTOM	    /* one of ours: data */
};

/* Does such an entry change what earlier ones mean? */
bool entry_reaches_back(enum entry_kind kind);

/* The place of an entry in the tree, and its parts for those who read it. */
struct entry {
	enum entry_kind kind;
	struct span id, parent; /* parent is empty at the root */
	struct span target;
	bool replaced; /* another text replaces the target */
	struct span data;
	struct span message;
};

/* Read an entry.  False if VALUE is not an object with an id. */
typedef bool entry_parser(
    const struct json_doc *doc, struct span value, struct entry *entry);

#endif
