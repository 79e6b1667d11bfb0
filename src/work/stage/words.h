/*
 * words.h -- files that a command names by its own words.
 *
 * The program is an input of the work.  It is searched as the system will
 * search it: in PATH, or below the command's directory.  Every other word that
 * is the name of a file is an input too, as in "python3 train.py data.csv".  A
 * word that begins with "-" is an option.
 */
#ifndef READCACHE_WORK_STAGE_WORDS_H
#define READCACHE_WORK_STAGE_WORDS_H

#include "base/arena.h"

/*
 * The program that WORD starts in CWD, as an absolute path; "" if there is
 * none.
 */
struct span words_program(
    struct arena *arena, struct span cwd, struct span word);

/* Can WORD, which is not the program, be the name of a file? */
bool words_may_name(struct span word);

/* The file that WORD names in CWD, as an absolute path; "" if there is none. */
struct span words_file(struct arena *arena, struct span cwd, struct span word);

#endif
