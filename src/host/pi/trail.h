/*
 * trail.h -- the branch of a session file, found from the file's end.
 *
 * A parent comes before its children.  So the walk from the leaf to the
 * boundary needs only the bytes after the boundary, once.  Lines on the way are
 * validated strictly (T8); of other lines only the id is looked at.  The texts
 * of entries are not kept.  What an entry says is read on the way up.  Its call
 * stands above it, and is found on the way down.
 */
#ifndef READCACHE_HOST_PI_TRAIL_H
#define READCACHE_HOST_PI_TRAIL_H

#include "session/events.h"
#include "session/file.h"
#include "session/session.h"

/*
 * Add the events of the branch that SESSION names to EVENTS, from the boundary
 * to the leaf; without a leaf, to the file's last entry.  IDS, two empty sets,
 * are filled, and so is *END.  If the result is not BRANCH_OK, nothing in
 * EVENTS can be trusted.
 */
enum branch_state trail_events(const struct session_file *file,
    const struct session *session, const struct branch_ids *ids,
    struct events *events, struct branch_end *end);

#endif
