/*
 * append.h -- append an entry to a session file, as pi would write it.
 */
#ifndef READCACHE_HOST_PI_APPEND_H
#define READCACHE_HOST_PI_APPEND_H

#include "host/pi/index.h"

/*
 * Append an entry after the session's last one.  MEMBERS are its own members,
 * as JSON without braces; id, parent and time are added.  *LINE is what was
 * written.  False on failure: errno says why.
 */
bool session_append(const struct index *index, struct span file,
    struct span members, struct arena *arena, struct span *line);

#endif
