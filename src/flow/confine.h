/*
 * confine.h -- a serving process gives up what it does not need.
 *
 * From then on it can read and write files, and nothing else: no network, no
 * other programs, no new processes, no links or devices, no memory that is
 * made executable.  What is refused fails with EPERM.
 *
 * Reading is not confined to some folders: a host may be asked for any file.
 */
#ifndef READCACHE_FLOW_CONFINE_H
#define READCACHE_FLOW_CONFINE_H

#include <stdbool.h>

/* False if this system cannot; the process then goes on as it is. */
bool confine(void);

#endif
