/*
 * session_text.h -- a session as JSON.
 */
#ifndef READCACHE_WORK_WORKFLOW_SESSION_TEXT_H
#define READCACHE_WORK_WORKFLOW_SESSION_TEXT_H

#include "base/buf.h"
#include "work/workflow/session.h"

/*
 * Put what TEXT says into SESSION; its changed nodes stay.  False if TEXT is
 * not a session, or of another version.  SCRATCH is used only during the call,
 * and TEXT is not needed afterwards.
 */
bool session_read(
    struct flow_session *session, struct arena *scratch, struct span text);

/* SESSION as text, in ARENA. */
struct span session_write(
    const struct flow_session *session, struct arena *arena);

/*
 * Read and write lines of a journal, one node to a line.  Damaged lines are
 * skipped.
 */
void session_read_lines(
    struct flow_session *session, struct arena *scratch, struct span lines);
void session_write_line(struct buf *lines, const struct session_node *node);

/* Write or read a time: "2026-11-17T03:04:05.678Z". */
void session_time_write(struct buf *buf, uint64_t ms);
bool session_time_parse(struct span text, uint64_t *ms);

#endif
