/*
 * words.h -- files that a command names by its own words.
 *
 * The program is an input of the work: it is looked for as the system will
 * look for it, in PATH or below the command's directory.  So is every other
 * word that is the name of a file, as in "python3 train.py data.csv"; a word
 * that begins with "-" is an option.
 */
#ifndef READCACHE_WORK_STAGE_WORDS_H
#define READCACHE_WORK_STAGE_WORDS_H

#include "base/arena.h"

/* The program that WORD starts in CWD, as an absolute path; "" if none. */
struct span words_program(
    struct arena *arena, struct span cwd, struct span word);

/* May WORD, which is not the program, be the name of a file? */
bool words_may_name(struct span word);

/* The file that WORD names in CWD, as an absolute path; "" if none. */
struct span words_file(struct arena *arena, struct span cwd, struct span word);

#endif
