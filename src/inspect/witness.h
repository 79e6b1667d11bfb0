/*
 * witness.h -- shadow's answers, checked by somebody who knows nothing of how
 * they were decided: what the texts served so far prove (knowledge.h).
 */
#ifndef READCACHE_INSPECT_WITNESS_H
#define READCACHE_INSPECT_WITNESS_H

#include "answer/weigh.h"
#include "host/pi/records.h"

struct witness;

/* LIBRARY: the versions that diffs were made of. */
struct witness *witness_new(const struct session_records *records,
    const struct library *library, struct arena *arena);

/* What was seen has changed: a boundary, or a context edit. */
void witness_forget(struct witness *witness);

/*
 * Can a reader who got EVENTS, as they were served, know what the compact
 * answer CLAIM with TEXT says?  SCRATCH: for as long as this takes.
 */
bool witness_agrees(struct witness *witness, const struct events *events,
    const struct event *claim, struct span text, struct arena *scratch);

#endif
