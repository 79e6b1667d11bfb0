/*
 * handed_on.h -- signals to this process while it has children.
 *
 * They are blocked but for the waits, so that none is missed between two of
 * them, and are handed on to the children instead of ending us: a child that
 * is left behind would write outputs nobody looks at.
 */
#ifndef READCACHE_EXEC_HANDED_ON_H
#define READCACHE_EXEC_HANDED_ON_H

#include <signal.h>
#include <stdbool.h>

/* From now on; does nothing if that is so already. */
void handed_on_begin(void);

/* No child is left: as it was before. */
void handed_on_end(void);

/* The mask to wait with, and to give to children. */
const sigset_t *handed_on_mask(void);

/* The signals that children must not find caught. */
sigset_t handed_on_signals(void);

/*
 * A signal that has come and is not handed on yet, or 0.  One that the
 * terminal has sent has gone to the children too: it is not given here.
 */
int handed_on_next(void);

/* The last signal that came, from wherever; 0: none. */
int handed_on_last(void);

#endif
