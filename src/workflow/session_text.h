/*
 * session_text.h -- a session as JSON.
 */
#ifndef READCACHE_WORKFLOW_SESSION_TEXT_H
#define READCACHE_WORKFLOW_SESSION_TEXT_H

#include "base/buf.h"
#include "workflow/session.h"

/* Put what TEXT says into SESSION; changed nodes there stay.  False: it is
 * none, or of another version. */
bool session_read(struct session *session, struct span text);

struct span session_write(const struct session *session);

/* "2026-11-17T03:04:05.678Z". */
void session_time_write(struct buf *buf, uint64_t ms);
bool session_time_parse(struct span text, uint64_t *ms);

#endif
