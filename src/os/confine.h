/*
 * confine.h -- a serving process gives up what it does not need.
 *
 * From then on it can read files and write new ones, and nothing else: no
 * network, no other programs, no new processes, no signals to others, no links
 * or devices, no memory that is made executable, no file opened to be written
 * that was there before.  What is refused fails with EPERM.
 *
 * Reading is not confined to some folders: a host may be asked for any file.
 */
#ifndef READCACHE_OS_CONFINE_H
#define READCACHE_OS_CONFINE_H

#include <stdbool.h>

/* False if this system cannot; the process then goes on as it is. */
bool confine(void);

/* Could it?  Tried in a process of its own; this one stays as it is. */
bool confine_works(void);

#endif
