/*
 * built.h -- the libraries that are in this program.
 *
 * They are linked into it, so a mended one on the system does not mend it.
 */
#ifndef READCACHE_CLI_BUILT_H
#define READCACHE_CLI_BUILT_H

/* Their names and versions, with commas, as they were when it was built. */
const char *built_with(void);

#endif
