/*
 * user.h -- what the system knows of the user.
 */
#ifndef READCACHE_OS_USER_H
#define READCACHE_OS_USER_H

/*
 * The home directory of the user of this process, or NULL if it is not known.
 * It is valid until the next call in this thread.  On Linux only /etc/passwd is
 * asked: with glibc others would load libraries into the process.  The twin asks
 * whatever the system asks, which may be a server; musl's asks the same file.
 */
const char *user_home(void);

#endif
