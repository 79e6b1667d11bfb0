/*
 * confine.h -- a serving process gives up what it does not need.
 *
 * After that it can read files and write new ones, and little else: no network,
 * no other programs, no new processes, no signals to others, no links or
 * devices, no executable memory, and no existing file opened for writing.  A
 * refused call fails with EPERM.
 *
 * Reading is not limited to some folders: a host may be asked for any file.
 */
#ifndef READCACHE_OS_CONFINE_H
#define READCACHE_OS_CONFINE_H

#include <stdbool.h>

/*
 * Confine this process, for good.  False if this system cannot; the process
 * then continues unconfined.
 */
bool confine(void);

/* Would confine work here?  It is tried in a child; this process stays free. */
bool confine_works(void);

#endif
