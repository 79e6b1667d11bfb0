/*
 * handed_on.h -- signals that come to this process while it has children.
 *
 * The signals are blocked except while we wait, so that none is missed between
 * two waits.  They are passed on to the children and do not end this process:
 * a child that is left behind would write outputs that nobody looks at.
 */
#ifndef READCACHE_WORK_EXEC_HANDED_ON_H
#define READCACHE_WORK_EXEC_HANDED_ON_H

#include <signal.h>
#include <stdbool.h>

/* Start to catch signals.  Does nothing if it was called already. */
void handed_on_begin(void);

/* No child runs any more: restore the handlers and the mask. */
void handed_on_end(void);

/*
 * The signal mask from before handed_on_begin: to wait with, and for children.
 */
const sigset_t *handed_on_mask(void);

/* A signal that has come and was not passed on yet, or 0. */
int handed_on_next(void);

/*
 * Since the last call: were we asked to stop (Ctrl-Z)?  Has a child changed
 * its state?
 */
bool handed_on_stop(void);
bool handed_on_child(void);

/*
 * Note NUMBER as a signal of ours: it came from the terminal to a child that
 * had the terminal, and so not to us.
 */
void handed_on_note(int number);

/* The last signal that came, or was noted by handed_on_note; 0 if none. */
int handed_on_last(void);

#endif
