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

enum word_found {
	WORD_NONE, /* there is no such file */
	WORD_FILE,
	WORD_UNKNOWN /* it cannot be told: see errno */
};

/*
 * The program that WORD starts in CWD: *PATH is absolute.  A directory of PATH
 * that may not be searched is passed over, as the system will do.  After
 * WORD_UNKNOWN *PATH is the place that could not be looked at, after WORD_NONE
 * it is "".
 */
enum word_found words_program(
    struct arena *arena, struct span cwd, struct span word, struct span *path);

/*
 * May something that is there now become the program of WORD instead of PATH,
 * which words_program has found, without a new name in a directory of PATH?
 * A file that may not be run is such a thing, and a link to nothing.
 */
bool words_has_rival(
    struct arena *arena, struct span cwd, struct span word, struct span path);

/* Can WORD, which is not the program, be the name of a file? */
bool words_may_name(struct span word);

/* The file that WORD names in CWD; *PATH is as words_program gives it. */
enum word_found words_file(
    struct arena *arena, struct span cwd, struct span word, struct span *path);

#endif
