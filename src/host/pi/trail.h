/*
 * trail.h -- the branch of a session file, found from the file's end.
 *
 * A parent comes before its children.  So the walk from the leaf to the
 * boundary needs only the bytes after the boundary, once.  Lines on the way are
 * validated strictly (T8); of other lines only the id is looked at.  The texts
 * of entries are not kept.  What each says is found on the way up; only its call
 * is missing then, which is found on the way down.
 */
#ifndef READCACHE_HOST_PI_TRAIL_H
#define READCACHE_HOST_PI_TRAIL_H

#include "base/seen.h"
#include "host/pi/events.h"
#include "host/pi/session.h"
#include "host/pi/session_file.h"

struct trail;

/* The ids that were met.  An entry that has one of them again ends a walk. */
struct trail_ids {
	struct seen *on_way;
	struct seen *off_way; /* of other lines, and the id not found */
};

/*
 * Walk from the leaf that SESSION names, or from the file's last entry, to the
 * boundary.  FOCUS is the file that is asked about (entry.h).  IDS, two empty
 * sets, are filled.  *TRAIL is set if the branch is found.
 */
enum branch_state trail_find(struct arena *arena, struct session_file *file,
    const struct session *session, const struct focus *focus,
    const struct trail_ids *ids, struct trail **trail);

/* Is there something after the leaf that cannot be read? */
bool trail_ragged(const struct trail *trail);

/* The id of the leaf. */
struct span trail_leaf(const struct trail *trail);

/*
 * Add the events of the trail, from the boundary to the leaf.  False if the
 * file has changed since: then nothing in EVENTS can be trusted.
 */
bool trail_events(struct trail *trail, struct events *events);

#endif
