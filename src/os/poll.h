/*
 * poll.h -- wait for descriptors and signals at the same time.
 */
#ifndef READCACHE_OS_POLL_H
#define READCACHE_OS_POLL_H

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

/*
 * poll(2) with MASK as the mask of signals while it waits (ppoll); without a
 * TIMEOUT it waits for ever.  No signal is missed before it waits.  The twin
 * looks ten times a second if a descriptor is too large for pselect.
 */
int poll_with_mask(struct pollfd *polls, size_t n,
    const struct timespec *timeout, const sigset_t *mask);

#endif
