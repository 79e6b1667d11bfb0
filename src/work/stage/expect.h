/*
 * expect.h -- what a run would bring back, when nothing may be changed.
 *
 * When we only look, nothing is brought back.  So a stage that reads a file
 * which another stage would bring back is judged by what that file would be.
 * Such files are noted by name and count instead of what is on disk.
 * Patterns, and a directory that only contains such a file, are still looked
 * up on disk.
 */
#ifndef READCACHE_WORK_STAGE_EXPECT_H
#define READCACHE_WORK_STAGE_EXPECT_H

#include "work/stage/work.h"

/*
 * What PATH (as input_path makes it) will hold, as content_write writes it.
 * False if nothing is expected there.
 */
bool expect_find(const struct work *work, struct span path, struct span *text);

#endif
