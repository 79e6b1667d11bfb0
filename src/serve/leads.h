/*
 * leads.h -- where the paths in a branch's calls lead.
 *
 * This is all that a replay must know of the file system.  It is asked before
 * it is used, path by path, and kept.  So a fold over events is a function of
 * the events and of these answers, and whoever keeps the fold can ask again
 * whether the answers still hold.
 */
#ifndef READCACHE_SERVE_LEADS_H
#define READCACHE_SERVE_LEADS_H

#include "base/map.h"
#include "file/locate.h"
#include "session/dirs.h"

/* How to understand the paths in a branch's tool calls. */
struct history_where {
	struct locate_where here; /* those of the request */
	struct dirs dirs;         /* where else calls may have been made */
};

/* Do A and B say the same? */
bool leads_same_where(
    const struct history_where *a, const struct history_where *b);

/* A copy of WHERE that lives as long as ARENA. */
struct history_where leads_keep_where(
    const struct history_where *where, struct arena *arena);

/* What the path of a call means in each directory it may be relative to. */
struct meaning {
	bool told; /* every possible meaning is in names */
	struct span *names;
	size_t n, room;
};

/* The meaning of PATH.  The file system is not asked. */
struct meaning leads_meaning(struct arena *arena, struct span path,
    const struct history_where *where);

/* A file that a path may stand for. */
struct lead {
	struct span name; /* absolute; empty: only the host knows */
	struct span real; /* where it leads now; empty: that is not known */
};

/* The files that one path may stand for. */
struct path_leads {
	struct path_leads *before; /* those of the path that was asked before */
	struct lead *list;
	size_t n, room;
};

struct leads {
	struct arena *arena;
	const struct history_where *where;
	struct map *edits, *views; /* path -> struct path_leads * */
	struct path_leads *last;
};

/* Nothing is asked yet.  WHERE must live as long as the leads. */
struct leads leads_new(
    struct arena *arena, const struct history_where *where);

/* The files that the PATH of an edit may stand for. */
const struct path_leads *leads_of_edit(
    struct leads *leads, struct span path);

/*
 * The files that the PATH of a view without metadata may stand for (T12), by
 * all their spellings, and also without the range at its end.
 */
const struct path_leads *leads_of_view(
    struct leads *leads, struct span path);

/*
 * Ask the file system again, for all paths.  Does each lead where it led?
 * SCRATCH is used for what need not be kept.
 */
bool leads_hold(const struct leads *leads, struct arena *scratch);

#endif
