/*
 * entry_events.h -- from the entries of pi to what happened (session/events.h).
 */
#ifndef READCACHE_HOST_PI_ENTRY_EVENTS_H
#define READCACHE_HOST_PI_ENTRY_EVENTS_H

#include "host/pi/entry.h"

/*
 * Add the next entry, which was parsed from DOC.  AT is its place, for
 * event.at.  If DOC has another arena than the events, its text may be released
 * afterwards: what is needed is copied.
 */
void entry_add(struct events *events, const struct json_doc *doc,
    const struct entry *entry, enum edit edit, uint32_t at);

#endif
