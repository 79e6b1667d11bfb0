/*
 * expect.h -- what a run would bring back, for who only looks.
 *
 * Looking brings nothing back, so who reads a file that another stage would
 * bring back must be judged by what it would be.  Such files are noted by
 * their names and stand before what is on disk.  A pattern, and a directory
 * that only holds one of them, are still looked at on disk.
 */
#ifndef READCACHE_WORK_STAGE_EXPECT_H
#define READCACHE_WORK_STAGE_EXPECT_H

#include "work/stage/work.h"

/* What PATH, as input_path makes it, will hold, as content_write tells it. */
bool expect_find(const struct work *work, struct span path, struct span *text);

#endif
