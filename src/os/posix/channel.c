#include "os/channel.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void
keep_private(const int ends[2])
{
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

int
channel_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return -1;
	keep_private(ends);
	return 0;
}

/*
 * A stream: not every system has sockets for packets that end.  Messages of one
 * size stay whole if each is read by its size.
 */
int
channel_pair(int ends[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return -1;
	keep_private(ends);
#ifdef SO_NOSIGPIPE
	for (int i = 0, yes = 1; i < 2; i++)
		(void)setsockopt(
		    ends[i], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes));
#endif
	return 0;
}

#ifndef MSG_NOSIGNAL /* SO_NOSIGPIPE does it */
#define MSG_NOSIGNAL 0
#endif

ssize_t
channel_send(int fd, const struct msghdr *message)
{
	return sendmsg(fd, message, MSG_NOSIGNAL);
}

ssize_t
channel_receive(int fd, struct msghdr *message)
{
	ssize_t n = recvmsg(fd, message, MSG_WAITALL);
	struct cmsghdr *part = n > 0 ? CMSG_FIRSTHDR(message) : NULL;
	size_t count =
	    part != NULL && part->cmsg_type == SCM_RIGHTS
		? ((size_t)part->cmsg_len - CMSG_LEN(0)) / sizeof(int)
		: 0;

	for (size_t i = 0; i < count; i++) {
		int received;

		memcpy(&received, CMSG_DATA(part) + i * sizeof(received),
		    sizeof(received));
		(void)fcntl(received, F_SETFD, FD_CLOEXEC);
	}
	return n;
}
