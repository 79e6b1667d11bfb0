/*
 * handed_on.h -- signals to this process while it has children.
 *
 * They are blocked but for the waits, so that none is missed between two of
 * them, and are handed on to the children instead of ending us: a child that
 * is left behind would write outputs nobody looks at.
 */
#ifndef READCACHE_WORK_EXEC_HANDED_ON_H
#define READCACHE_WORK_EXEC_HANDED_ON_H

#include <signal.h>
#include <stdbool.h>

/* From now on; does nothing if that is so already. */
void handed_on_begin(void);

/* No child is left: as it was before. */
void handed_on_end(void);

/* The mask to wait with, and to give to children. */
const sigset_t *handed_on_mask(void);

/* A signal that has come and is not handed on yet, or 0. */
int handed_on_next(void);

/* Were we asked to stop (Ctrl-Z), has a child changed its state, since? */
bool handed_on_stop(void);
bool handed_on_child(void);

/* NUMBER has reached a child that had the terminal, and so not us. */
void handed_on_note(int number);

/* The last signal that came, from wherever; 0: none. */
int handed_on_last(void);

#endif
