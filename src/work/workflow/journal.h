/*
 * journal.h -- how nodes have ended since the session was last saved.
 *
 * Writing metadata.json costs as much as the workflow is long, so it is
 * written at the end of a run.  Until then each node that has ended is a line
 * in the file `journal` beside it.  So a run that is killed loses nothing, and
 * other runs see what is done.
 *
 * A journal continues one metadata.json: both hold the same word.  A
 * journal with another word is void.  So saving metadata.json with a new word
 * drops all lines in the same step, the rename.  A journal is only ever
 * appended to or replaced.  An incomplete line is skipped.
 *
 * In a store that must prove to be ours (owner.h) every line ends with a tag by
 * the user's key.  The word alone would not do: whoever can write in the store
 * can read it.  A line without its tag is skipped.
 */
#ifndef READCACHE_WORK_WORKFLOW_JOURNAL_H
#define READCACHE_WORK_WORKFLOW_JOURNAL_H

#include "store/store.h"

enum { JOURNAL_WORD = 16 };

/*
 * The word of the first journal of the session NAME, when metadata.json does
 * not exist yet.  In a store that must prove to be ours nobody else can know
 * it, so a journal that came with a repository is void.  STORE must be open.
 */
void journal_first(const struct store *store, const char *name,
    char word[JOURNAL_WORD + 1]);

/* A new random word. */
void journal_word(char word[JOURNAL_WORD + 1]);

/* Lines of a journal, and where the next ones will begin. */
struct journal_lines {
	uint64_t from; /* offset to read from; 0: all lines */
	uint64_t next;
	struct span text; /* complete lines */
};

/*
 * Read the lines of the journal of STORE with WORD in DIR from LINES->from on.  The
 * text lives in ARENA.  False if the journal there has another word.
 */
bool journal_read(struct arena *arena, const struct store *store, int dir,
    const char *word, struct journal_lines *lines);

/*
 * Append LINES, each with its newline, to the journal with WORD in DIR.  A
 * journal with another word is replaced.  *NEXT is where the next lines will
 * begin.  What is needed meanwhile is in ARENA.  The caller makes sure that
 * nobody else writes.  False: see errno.
 */
bool journal_add(struct arena *arena, struct store *store, int dir,
    const char *word, struct span lines, uint64_t *next);

/* Remove the journal. */
void journal_remove(int dir);

#endif
