#include "os/poll.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/select.h>

static bool
fits_pselect(const struct pollfd *polls, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (polls[i].fd >= FD_SETSIZE)
			return false;
	return true;
}

/*
 * Wait until one of POLLS may be ready, a signal has come, or the time is over.
 * -1 with EINTR: a signal.
 */
static int
wait_for(const struct pollfd *polls, size_t n, const struct timespec *timeout,
    const sigset_t *mask)
{
	fd_set reads, writes;
	int last = -1;

	FD_ZERO(&reads);
	FD_ZERO(&writes);
	for (size_t i = 0; i < n; i++) {
		if (polls[i].fd < 0)
			continue;
		FD_SET(polls[i].fd, &reads);
		if ((polls[i].events & POLLOUT) != 0)
			FD_SET(polls[i].fd, &writes);
		if (polls[i].fd > last)
			last = polls[i].fd;
	}
	return pselect(last + 1, &reads, &writes, NULL, timeout, mask);
}

/* The same for descriptors of any size: a signal may come up to 0.1 s late. */
static int
look_often(struct pollfd *polls, size_t n, const struct timespec *timeout,
    const sigset_t *mask)
{
	const struct timespec none = {0, 0};
	long left = timeout == NULL ? -1
				    : (long)timeout->tv_sec * 1000 +
					  timeout->tv_nsec / 1000000;

	for (;;) {
		int slice = left < 0 || left > 100 ? 100 : (int)left;
		int ready = poll(polls, (nfds_t)n, slice);

		if (ready != 0 || left == slice)
			return ready;
		if (left >= 0)
			left -= slice;
		if (pselect(0, NULL, NULL, NULL, &none, mask) < 0)
			return -1;
	}
}

int
poll_with_mask(struct pollfd *polls, size_t n, const struct timespec *timeout,
    const sigset_t *mask)
{
	int waited;

	if (!fits_pselect(polls, n))
		return look_often(polls, n, timeout, mask);
	waited = wait_for(polls, n, timeout, mask);
	return waited > 0 ? poll(polls, (nfds_t)n, 0) : waited;
}
