/*
 * knowledge_inside.h -- only for the files that implement knowledge.h.
 */
#ifndef READCACHE_INSPECT_KNOWLEDGE_INSIDE_H
#define READCACHE_INSPECT_KNOWLEDGE_INSIDE_H

#include "base/budget.h"
#include "inspect/knowledge.h"
#include "inspect/sheet.h"
#include "inspect/versions.h"

/* A line as the reader believes it to be. */
struct belief_line {
	uint32_t text; /* TEXT_NONE: it does not know it */
	bool own;      /* it wrote or changed it, and was not shown it since */
	bool edited;   /* it changed it by an edit, after it was shown or written */
	bool cut;      /* the same: it removed lines before it */
	bool since;    /* shown after the whole file */
};

/*
 * What the reader believes the file to be since it changed it by itself.  Its
 * own changes are not shown: the sheet does not have them, and their numbers are
 * not those of the sheet.
 */
struct belief {
	bool there;   /* if not, it believes what the sheet says */
	bool firm;    /* the whole file, and nothing shown since speaks against it */
	bool written; /* the whole file was written by the reader */
	bool untold;  /* too much was changed to follow it */
	bool cut_end; /* it removed lines at the end */
	struct belief_line *lines; /* [0] is line 1 */
	uint64_t n, room;
};

/*
 * What the reader wrote, by its calls that are visible: it has that whatever was
 * shown since.
 */
struct writings {
	struct map *calls; /* ids -> how many calls have it */
	bool *texts;	   /* by number: it wrote, or changed, such a line */
	uint32_t room;
	/*
	 * The first and last lines in edits of which the results are not known:
	 * such a piece may be in a line with others.
	 */
	struct span *ends;
	size_t nends, ends_room;
	uint64_t lines; /* in all its calls together */
	uint64_t whole; /* calls that wrote the whole file */
	struct column last; /* the whole file after the last of them, if known */
	uint64_t last_room;
	uint64_t cuts;	 /* changes that may have removed whole lines */
	bool older_cuts; /* some are older than the last whole text */
};

/*
 * Invariants:
 *  1. sheet has the last text shown of every line.
 *  2. whole is the file as it was last shown whole, with later diffs applied.
 *     Lines of the sheet that were shown after that are marked `since'.  It has
 *     TEXT_HIDDEN where an answer spoke of lines that the reader wrote, and we
 *     cannot tell which; then whole_hash is what the metadata says.
 */
struct knowledge {
	struct arena *arena;
	struct texts *texts; /* grows, and nothing else */
	struct versions versions;
	struct budget *work;
	struct sheet sheet, spare;
	bool has_whole;
	struct column whole;
	uint64_t whole_room;
	struct digest whole_hash;
	uint64_t ended; /* a part showed since that it ends here, or 0 */
	uint64_t told;  /* lines it was last said to have, or 0 */
	struct belief belief;
	struct writings own;
};

/*
 * Pay for looking at LINES lines and BYTES bytes, which are not those of the
 * answer's own text.
 */
bool knowledge_pay(const struct knowledge *k, uint64_t lines, uint64_t bytes);

/*
 * Pay for an answer of a few words, which may speak of all that is known, and
 * of all that the reader wrote.
 */
bool knowledge_pay_for(
    const struct knowledge *k, const struct answer_said *said);

/* The text of COLUMN.  False if it is too much to make and to hash. */
bool knowledge_join(const struct knowledge *k, struct column column,
    struct arena *scratch, struct span *text);

/* The whole file is TEXT. */
void knowledge_whole(struct knowledge *k, struct span text,
    struct arena *scratch);

/* The whole file has these LINES, of the version HASH. */
void knowledge_whole_lines(struct knowledge *k, struct column lines,
    const struct digest *hash);

/*
 * Lines from FIRST on, of a file that has TOTAL, were shown, or are known to be
 * these.
 */
void knowledge_part(struct knowledge *k, uint64_t first, struct column lines,
    uint64_t total);

/* Nothing is known any more. */
void knowledge_forget(struct knowledge *k);

/* A diff was shown. */
void knowledge_diff(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch);

/* A diff applied: the file before and after it. */
struct applied {
	struct column base; /* as it was shown */
	struct span text;   /* as it is now */
	bool hidden;	    /* some lines of it are */
};

/* Apply a diff to what is known.  The fault says why that is not possible. */
struct knowledge_fault knowledge_apply(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct applied *applied);

/* What a claim says about a version. */
struct claim {
	struct version version;
	bool shared; /* its lines are those of a kept version */
	/*
	 * Of an answer with own edits or in pieces: the lines that it speaks
	 * of, as the reader knows them by it.
	 */
	struct column lines;
};

/*
 * Check ANSWER as knowledge_check does.  If it has no fault, CLAIM is what can
 * be learned from it; from a marker without metadata that is nothing.
 */
struct knowledge_fault knowledge_judge(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct claim *claim);

/* Lines FIRST to LAST, all of which must be known; how they were shown. */
struct knowledge_fault knowledge_shown(
    const struct knowledge *k, uint64_t first, uint64_t last);

/*
 * The first of the LINES, from line FIRST on, that was shown to be another one
 * in the version HASH; 0: none.
 */
uint64_t knowledge_differs(const struct knowledge *k, uint64_t first,
    struct column lines, const struct digest *hash);

/* As knowledge_judge, for an answer of the forms SAID_WRITTEN, _EDITS and _PIECES. */
struct knowledge_fault knowledge_judge_own(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct claim *claim);

/* Such an answer was given. */
void knowledge_pieces(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch);

/*
 * What the reader believes.
 */

/* It was shown the whole file, or nothing that is left: no belief. */
void belief_end(struct knowledge *k);

/* It was shown lines from FIRST on of a file that has TOTAL lines. */
void belief_show(struct knowledge *k, uint64_t first, struct column lines,
    uint64_t total);

/* It was told that it does not see LINE. */
void belief_lose(struct knowledge *k, uint64_t line);

/* Line NUMBER of the file that the reader knows (belief_is). */
struct belief_line belief_line(const struct knowledge *k, uint64_t number);

/* Did the reader write a line TEXT? */
bool belief_wrote(const struct knowledge *k, uint32_t text);

/*
 * All lines as numbers, in SCRATCH, if it believes to know every one of N lines
 * that together are HASH (NULL: not told).
 */
bool belief_is(const struct knowledge *k, uint64_t n,
    const struct digest *hash, struct arena *scratch, struct column *lines);

#endif
