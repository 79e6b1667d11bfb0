/*
 * witness.h -- check shadow's answers independently of how they were decided,
 * by what the texts served so far prove (knowledge.h).
 */
#ifndef READCACHE_INSPECT_WITNESS_H
#define READCACHE_INSPECT_WITNESS_H

#include "answer/weigh.h"
#include "session/events.h"
#include "session/records.h"

struct witness;

/* LIBRARY has the versions that diffs are made of. */
struct witness *witness_new(const struct session_records *records,
    const struct library *library, struct arena *arena);

/*
 * Forget everything: what is visible has changed (a boundary, a context edit).
 */
void witness_forget(struct witness *witness);

/*
 * Can a reader who got EVENTS, as they were served, know what the compact
 * answer CLAIM with TEXT says?  SCRATCH is used only during the call.  The text
 * of an answer in pieces is kept, for claims after it.
 */
bool witness_agrees(struct witness *witness, const struct events *events,
    const struct event *claim, struct span text, struct arena *scratch);

#endif
