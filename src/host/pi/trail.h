/*
 * trail.h -- the branch of a session file, found from the file's end.
 *
 * Parents stand before their children, so the walk from the leaf to the
 * boundary needs only the bytes behind the boundary, once.  Lines on the way
 * are judged strictly (T8); of the others only the id is looked at.  What the
 * walk meets is kept without its texts; lines that matter are read again on
 * the way down.
 */
#ifndef READCACHE_HOST_PI_TRAIL_H
#define READCACHE_HOST_PI_TRAIL_H

#include "base/seen.h"
#include "host/pi/events.h"
#include "host/pi/session.h"
#include "host/pi/session_file.h"

struct trail;

/* The ids that were met: an entry that has one of them again ends a walk. */
struct trail_ids {
	struct seen *on_way;
	struct seen *off_way; /* between those, and the one not found */
};

/*
 * Walk from the leaf that SESSION names, or the file's last entry, to the
 * boundary.  FOCUS as for branch_load.  IDS, two empty sets, are filled.
 * *TRAIL is set if the branch is found.
 */
enum branch_state trail_find(struct arena *arena, struct session_file *file,
    const struct session *session, const struct focus *focus,
    const struct trail_ids *ids, struct trail **trail);

/* Stands something behind the leaf that nobody can read? */
bool trail_ragged(const struct trail *trail);

/* The id of the leaf. */
struct span trail_leaf(const struct trail *trail);

/*
 * From the boundary to the leaf, entries become events.  False if the file
 * has changed meanwhile: then nothing in EVENTS can be trusted.
 */
bool trail_events(struct trail *trail, struct events *events);

#endif
