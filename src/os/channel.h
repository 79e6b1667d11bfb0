/*
 * channel.h -- pipes and sockets that no other program inherits.
 *
 * With the twin, a program that is started between two calls of another thread
 * would inherit them; this program has one thread where it starts others.  On
 * failure the result is -1, and errno says why.
 */
#ifndef READCACHE_OS_CHANNEL_H
#define READCACHE_OS_CHANNEL_H

#include <sys/socket.h>

/* A pipe: ENDS[0] to read, ENDS[1] to write. */
int channel_pipe(int ends[2]);

/*
 * A pair of sockets for small messages of one size, each of which is sent and
 * received whole.  Whoever receives reads an end when the other side is closed.
 */
int channel_pair(int ends[2]);

/*
 * sendmsg without SIGPIPE, and recvmsg by which no received descriptor is
 * inherited by other programs.
 */
ssize_t channel_send(int fd, const struct msghdr *message);
ssize_t channel_receive(int fd, struct msghdr *message);

#endif
