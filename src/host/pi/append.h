/*
 * append.h -- one more entry at the end of a session file, as pi writes it.
 */
#ifndef READCACHE_HOST_PI_APPEND_H
#define READCACHE_HOST_PI_APPEND_H

#include "host/pi/index.h"

/*
 * Append an entry behind the session's last one.  MEMBERS are its own
 * members, as JSON without braces; id, parent and time are added.  LINE is
 * what was written.  False if that was not possible; errno tells.
 */
bool session_append(const struct index *index, struct span file,
    struct span members, struct arena *arena, struct span *line);

#endif
