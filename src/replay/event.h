/*
 * event.h -- what a branch can say about reads (SPEC 4, 6).
 */
#ifndef READCACHE_REPLAY_EVENT_H
#define READCACHE_REPLAY_EVENT_H

#include "base/digest.h"
#include "base/scope.h"
#include "replay/own.h"
#include "replay/rests.h"

enum mode {
	MODE_FULL,
	MODE_UNCHANGED,
	MODE_UNCHANGED_RANGE,
	MODE_DIFF,
	MODE_FALLBACK,
	MODE_PLAIN, /* an answer without metadata; never in an event */
	MODE_COUNT
};

/* The name of MODE in metadata and decisions. */
const char *mode_name(enum mode mode);

/* Does an answer of this mode refer to a text instead of giving it? */
bool mode_is_compact(enum mode mode);

/* Read the name of a mode that metadata may have.  False for anything else. */
bool mode_parse(struct span name, enum mode *mode);

enum event_kind {
	EVENT_READ,       /* a read result that is evidence */
	EVENT_SIGHTING,   /* one that was shown, but is not evidence: T4, T9 */
	EVENT_INVALIDATE, /* a refresh of path and scope */
	EVENT_BLIND,      /* a view of name without metadata: T12; with a range:
			   * only those lines */
	EVENT_EDIT_FAILED, /* the model's edit of name was refused */
	EVENT_EDITED,     /* the model changed name itself: T13 */
	EVENT_FORGET      /* something not understood: forget all before it */
};

/* Why something that looks like a read proves nothing. */
enum doubt {
	DOUBT_NONE,
	DOUBT_NO_METADATA,  /* T12 */
	DOUBT_ALTERED,      /* its text is not what was delivered: T9 */
	DOUBT_UNPROVEN,     /* from an older session, without textHash: T9 */
	DOUBT_CUT,          /* the host did not cut it as it says: T1 */
	DOUBT_EDITED,       /* a context edit removed it: T4 */
	DOUBT_CALL_GONE,    /* its call was edited, failed or not found: T4 */
	DOUBT_UNKNOWN_EDIT, /* an edit whose target is not known: T4 */
	DOUBT_REFRESH,      /* an invalidation that cannot be understood */
	DOUBT_LOSS,         /* token counts fell, and no record says why: T15 */
	DOUBT_GUARD         /* what it refers to is not what is trusted: SPEC 6 */
};

struct event {
	enum event_kind kind;
	enum doubt doubt;
	uint32_t at; /* the index of its session entry */
	struct span path;  /* READ, SIGHTING, INVALIDATE: the real path */
	struct span name;  /* of all but INVALIDATE: the name it was read by */
	struct scope scope;
	/*
	 * READ and SIGHTING of an older session, whose metadata does not have
	 * the name: the path as the call asked for it; empty if not needed.
	 */
	struct span asked;
	/* READ and SIGHTING only: */
	enum mode mode;
	bool nameless; /* metadata of an older session, see asked */
	bool has_base;
	bool has_text_bytes;
	bool sealed; /* its stored text is there and matches its textHash */
	bool veiled; /* SIGHTING: the model sees some other text instead */
	bool omitted; /* SIGHTING: the model sees nothing of it any more */
	bool has_text_id;
	struct text_id text_id; /* of the delivered text */
	uint8_t ncalls;	 /* of calls */
	uint16_t pieces; /* SPEC 16: of how many it is made; 0: it is not */
	struct digest served;
	struct digest base;
	uint64_t total;      /* lines of the file */
	uint64_t bytes;      /* what a plain read would have delivered */
	uint64_t text_bytes; /* what was delivered */
	/*
	 * A branch may have very many events, so these share their place.  READ
	 * and SIGHTING of a pieced answer (pieces > 0): all that it rests on.
	 * EDITED: what it was; NULL: that is not known, or not visible.
	 */
	union {
		const struct rests *rests;
		const struct own_change *own;
	};
	const struct span *calls; /* pieced: the model's own, by their ids */
};

/*
 * Note in READ that TEXT is delivered.  By its hash another text in its place
 * is recognized (T9).
 */
void event_delivers(struct event *read, struct span text);

#endif
