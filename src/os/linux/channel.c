#include "os/channel.h"

#include <fcntl.h>
#include <unistd.h>

int
channel_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC);
}

int
channel_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

ssize_t
channel_send(int fd, const struct msghdr *message)
{
	return sendmsg(fd, message, MSG_NOSIGNAL);
}

ssize_t
channel_receive(int fd, struct msghdr *message)
{
	return recvmsg(fd, message, MSG_CMSG_CLOEXEC);
}
