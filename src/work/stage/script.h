/*
 * script.h -- what the first line of a script ("#!") has the system start.
 *
 * A script is run by another program, so that one is an input of the work as
 * much as the script is.  The line is read as the system reads it: a program by
 * its path, and words for it.  That program may be a script itself.  If it is
 * called "env", it starts the program that its words name, which is searched in
 * PATH.  Other words that are names of files count as the command's own words
 * do (words.h).
 */
#ifndef READCACHE_WORK_STAGE_SCRIPT_H
#define READCACHE_WORK_STAGE_SCRIPT_H

#include "work/stage/words.h"

struct script_file {
	enum word_found what;
	struct span path; /* as words_program and words_file give it */
	struct span word; /* as it is in the line */
	const char *why;  /* after WORD_UNKNOWN */
	bool is_program;  /* it is started, else it is only named */
	bool is_searched; /* in PATH, for WORD */
};

struct script_files {
	struct script_file *at;
	size_t n, room;
};

/*
 * What is needed to start FILE, an absolute name, in CWD, besides FILE itself.
 * Nothing if FILE may not be executed or is not a script.  If the line cannot
 * be read or understood, one of the result is WORD_UNKNOWN.
 */
struct script_files script_files(
    struct arena *arena, struct span cwd, struct span file);

#endif
