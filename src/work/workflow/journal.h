/*
 * journal.h -- how nodes have ended since their session was saved whole.
 *
 * metadata.json costs as much as the workflow is long, so it is written at
 * the end of a run.  Until then each node that has ended is a line in
 * `journal`, beside it: a run that is killed has lost nothing, and other runs
 * see what is done.
 *
 * A journal continues one metadata.json; both have the same word.  With
 * another word it is void: so to save the whole and to forget the lines is
 * one step, the rename.  A journal is only ever appended to or replaced.  A
 * line that is not whole is passed over.
 */
#ifndef READCACHE_WORK_WORKFLOW_JOURNAL_H
#define READCACHE_WORK_WORKFLOW_JOURNAL_H

#include "store/store.h"

enum { JOURNAL_WORD = 16 };

/*
 * The word of the first journal of the session NAME, when nothing was saved
 * whole yet.  In a store that must prove to be ours nobody else can know it:
 * a journal that came with a repository is void.  STORE is open already.
 */
void journal_first(const struct store *store, const char *name,
    char word[JOURNAL_WORD + 1]);

/* A new word. */
void journal_word(char word[JOURNAL_WORD + 1]);

/* Its lines, from one place on, and where the next ones will begin. */
struct journal_lines {
	uint64_t from; /* 0: all of them */
	uint64_t next;
	struct span text; /* whole lines */
};

/*
 * What the journal of WORD in DIR has from LINES->from on; the text lives in
 * ARENA.  False if the journal there has another word.
 */
bool journal_read(struct arena *arena, int dir, const char *word,
    struct journal_lines *lines);

/*
 * Append LINES, each with its newline, to the journal of WORD in DIR; one of
 * another word is replaced.  *NEXT is where the next ones will begin.  The
 * caller keeps others from doing the same.  False: errno tells.
 */
bool journal_add(struct store *store, int dir, const char *word,
    struct span lines, uint64_t *next);

/* It is not needed any more. */
void journal_remove(int dir);

#endif
