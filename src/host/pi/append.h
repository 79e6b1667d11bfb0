/*
 * append.h -- append an entry to a session file, as pi would write it.
 */
#ifndef READCACHE_HOST_PI_APPEND_H
#define READCACHE_HOST_PI_APPEND_H

#include "session/index.h"

/* Why nothing can be appended to the session; NULL if it can. */
const char *session_append_bar(const struct index *index);

/*
 * Append an entry after the session's last one.  MEMBERS are its own members,
 * as JSON without braces; id, parent and time are added.  *LINE is what was
 * written.  False on failure: errno says why.
 */
bool session_append(const struct index *index, struct span file,
    struct span members, struct arena *arena, struct span *line);

#endif
