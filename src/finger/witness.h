/*
 * witness.h -- has anything moved, though it looks the same?
 *
 * A file that is changed while a command runs, and then changed back, has the
 * content it had, but not all of its facts: inode and time of change tell.  So
 * a witness is taken before and after, of what a fingerprint reads.
 *
 *	file:PATH           the file, and the link that leads to it
 *	glob:PAT, glob!:PAT every match, but not the directories around them:
 *	                    a command may make files beside those it reads
 *	git:REF             HEAD, the ref, and the logs of both
 *	env:NAME            nothing: nobody else can change it
 */
#ifndef READCACHE_FINGER_WITNESS_H
#define READCACHE_FINGER_WITNESS_H

#include "base/arena.h"
#include "key/key.h"

/* Add to KEY what the file system says about what SPEC reads in CWD. */
void witness_finger(struct key *key, struct arena *scratch, struct span cwd,
    struct span spec);

/* The same for PATH itself. */
void witness_file(
    struct key *key, struct arena *scratch, struct span cwd, struct span path);

#endif
