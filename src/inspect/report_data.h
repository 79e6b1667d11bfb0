/*
 * report_data.h -- the data of a report about a recorded session: its reads,
 * what they delivered and saved and why, and what was trusted at each.
 *
 * Every read counts once, on whatever branch it is.  What was trusted at a
 * read depends on what is before it on its branch, as it was then: a context
 * edit that came later takes nothing back.
 */
#ifndef READCACHE_INSPECT_REPORT_DATA_H
#define READCACHE_INSPECT_REPORT_DATA_H

#include "session/records.h"
#include "inspect/report_reason.h"
#include "replay/trust.h"

#define REPORT_NONE UINT32_MAX

/* Sums over reads. */
struct report_sum {
	uint64_t reads;
	uint64_t modes[MODE_COUNT];
	uint64_t baseline_bytes; /* what plain reads would have delivered */
	uint64_t served_bytes;   /* what was delivered */
	uint64_t violations;     /* claims no reader could know (audit.h) */
};

struct report_file {
	struct span path;  /* real and absolute, if known */
	struct span shown; /* relative to where the session was started */
	struct report_sum sum;
};

/* Entries in a row, with no fork between them. */
struct report_stretch {
	uint32_t parent; /* a stretch, or REPORT_NONE */
	uint32_t first_line, last_line;
	uint32_t entries;
	struct span last_id; /* empty if unknown */
	bool forks;          /* others follow it */
	bool orphan;         /* its parent is not in the file */
};

/* Something that can be trusted: lines of a file under a name. */
struct report_key {
	uint32_t file;
	struct span name;
	struct scope scope;
};

/* One thing that is trusted from now on, or not any more. */
struct report_change {
	uint32_t key;
	bool trusted;
	struct digest hash;
};

enum report_kind {
	REPORT_READ,
	REPORT_COMPACTION,
	REPORT_EDIT,
	REPORT_REFRESH,
	REPORT_UNREADABLE /* nothing before it counts: T8 */
};

struct report_read {
	uint32_t file;
	struct span name;     /* if it is not the file's path */
	uint32_t asked_by;    /* a node, or NODE_NONE */
	uint64_t offset, limit; /* as in the call; 0: none */
	enum mode mode;
	enum report_reason reason;
	uint64_t baseline_bytes, served_bytes;
	struct span time;      /* as the host noted it, or empty */
	struct span violation; /* why no reader could know it, or empty */
	/* Unless the mode is MODE_PLAIN: */
	struct scope scope;
	struct digest hash; /* of the file */
	uint64_t pieces;    /* 0: it is not in pieces */
	uint64_t calls;     /* the model's own, that it rests on */
	enum doubt doubt;   /* DOUBT_NONE: it is evidence itself */
	enum trust_find found;
	uint32_t base; /* the step that showed or confirmed it */
	struct digest base_hash;
	uint32_t key; /* what it made trusted, or REPORT_NONE */
};

struct report_step {
	enum report_kind kind;
	uint32_t node; /* in the session's index */
	uint32_t stretch;
	uint32_t line;
	struct span id; /* empty if unknown */
	struct report_read read;
	/* REPORT_EDIT: */
	struct span target; /* empty: everything before it is void (T4) */
	bool replaced;
	/* REPORT_REFRESH: */
	struct span refreshed; /* as shown; empty: not understood */
	struct scope scope;
	/* What it changed: */
	bool forgets; /* nothing is trusted any more */
	uint32_t changes_from, nchanges;
};

/* What readcache would have served (shadow.h). */
struct report_shadow {
	struct report_sum strict, coverage;
	uint64_t compact; /* answers that cannot be answered again */
};

struct report {
	struct span file; /* as it was named, valid UTF-8 */
	struct span cwd;
	uint64_t version, bytes, skipped;
	uint32_t entries;
	bool cached; /* readcache took part */
	struct report_sum sum;
	struct report_sum by_mode[MODE_COUNT];
	struct report_shadow shadow; /* if there are reads */
	uint64_t reasons[REASON_COUNT];
	uint64_t reason_bytes[REASON_COUNT]; /* delivered */
	struct report_file *files;
	struct report_stretch *stretches;
	struct report_step *steps; /* in the order of the file */
	struct report_key *keys;
	struct report_change *changes;
	uint32_t nfiles, nstretches, nsteps, nkeys, nchanges;
	size_t room; /* for changes */
	uint32_t last; /* the stretch in which the session goes on */
};

/*
 * Make the report, in ARENA; the records are not needed afterwards.  FILE is
 * the name to show.  HOME replaces a tilde in recorded paths.  PROGRESS may be
 * NULL.
 */
struct report report_make(const struct session_records *records,
    struct span file, struct span home, struct arena *arena,
    index_progress *progress, void *context);

/* Add FROM to TO. */
void report_add(struct report_sum *to, const struct report_sum *from);

/*
 * The number of compact answers in SUM, and of those that a reader could know.
 */
uint64_t report_compact(const struct report_sum *sum);
uint64_t report_safe(const struct report_sum *sum);

#endif
