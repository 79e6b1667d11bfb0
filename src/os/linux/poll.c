#include "os/poll.h"

int
poll_with_mask(struct pollfd *polls, size_t n, const struct timespec *timeout,
    const sigset_t *mask)
{
	return ppoll(polls, n, timeout, mask);
}
