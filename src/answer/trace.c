#include "answer/trace.h"

#include "answer/origins.h"
#include "os/bytes.h"

/*
 * The walk begins at the file as it is now.  At each step every requested line
 * has its number in the version where the walk stands, until it is settled: a
 * view has shown it, the reader wrote it, or nothing proves it.
 */

/* How far back: versions by a diff, and views on the way. */
enum { DIFFS_MAX = 8, PASSED_MAX = 64 };

/*
 * What all own changes of a walk may cost (replace_cost).  A change of a file
 * of 2 MB takes a thirtieth of it, a change of 20 KB a three thousandth.
 */
enum { APPLY_COST = 300000 };

/* How many lines of a change are tried to find its place. */
enum { PLACE_LINES_MAX = 8 };

/* How many new texts may be set aside that are in place of others. */
enum { ASIDE_MAX = 64 };

/* Lines of a version. */
struct line_range {
	uint64_t first, last;
};

/* A view that the walk has passed.  It is newer than all that follow. */
struct passed_view {
	const struct trust_view *view;
	struct library_version *version;
};

struct tracing {
	struct scale *s;
	struct trace *trace;
	/* The version where the walk stands. */
	struct library_version *version;
	uint64_t *at;	/* by requested line: its number there; 0: settled */
	uint64_t *also; /* a line that must be known, too; 0: none */
	bool *partly;	/* an own change is in it: its text is another one */
	bool *moved;	/* others have given it another number */
	uint64_t *made; /* its number before that; 0: not moved */
	bool adrift;	/* the reader's own numbers are not known (set_aside) */
	struct line_range aside[ASIDE_MAX]; /* what was set aside, new lines */
	size_t naside;
	uint64_t open; /* lines that are not settled */
	/* Own changes between there and the next view, newest first. */
	const struct trust_view *pending[OWN_CALLS_MAX];
	size_t npending;
	size_t ncalls, ndiffs, npassed;
	struct budget work; /* for own changes */
	struct passed_view passed[PASSED_MAX];
	/*
	 * Where own changes were made, by the numbers of the version where the
	 * walk stands.  If the reader does not know one of these places, it
	 * cannot know either under which number it finds what it wrote.
	 */
	uint64_t spots[SPOTS_MAX]; /* 0: settled */
	size_t nspots, open_spots;
	bool lost; /* one of them cannot be known */
	bool own;  /* some line is OWN, or they have removed lines */
};

static void
settle(struct tracing *t, uint64_t i, enum trace_kind kind)
{
	t->trace->lines[i].kind = kind;
	t->at[i] = 0;
	t->open--;
}

/*
 * The reader wrote line I.  It is not told under which number: it knows that,
 * unless others have moved the line.  Then it needs a line before it that is
 * sent as text (pieces.c), and the two must have stood together in what its
 * changes made.
 */
static void
settle_own(struct tracing *t, uint64_t i, bool edited)
{
	/* If they have changed the file more than once, it is not known. */
	uint64_t made = t->ndiffs == 1 ? t->made[i] : 0;
	bool known = !t->moved[i] || made > 0;

	t->trace->lines[i].edited = edited;
	t->trace->lines[i].former = made;
	t->own = t->own || known;
	settle(t, i, known ? TRACE_OWN : TRACE_TEXT);
}

static void
settle_spot(struct tracing *t, size_t i, bool known)
{
	t->spots[i] = 0;
	t->open_spots--;
	t->lost = t->lost || !known;
}

static void
add_spot(struct tracing *t, uint64_t spot)
{
	if (t->nspots == SPOTS_MAX) {
		t->lost = true;
		return;
	}
	t->spots[t->nspots++] = spot;
	t->open_spots++;
}

/* How many lines stand before the part of VERSION that is there. */
static uint64_t
lines_before(const struct library_version *version)
{
	return version->piece.first - 1;
}

/* Line NUMBER of VERSION. */
static bool
line_of(struct tracing *t, struct library_version *version, uint64_t number,
    struct span *line)
{
	return scale_slice(t->s, version, number, number, line);
}

/* Is line NUMBER of OLD the line that the requested line I is here? */
static bool
is_same_line(
    struct tracing *t, uint64_t i, struct library_version *old, uint64_t number)
{
	struct span here, there;

	return line_of(t, t->version, t->at[i], &here) &&
	       line_of(t, old, number, &there) && scale_same(t->s, here, there);
}

/* The requested line I comes from ORIGIN, of the version OLD. */
static void
go_back_by(struct tracing *t, uint64_t i, struct library_version *old,
    const struct line_origin *origin)
{
	struct traced_line *line = &t->trace->lines[i];
	uint64_t number = origin->line + lines_before(old);

	line->cut = line->cut || origin->cut;
	t->own = t->own || line->cut;
	/* Of no line; of two before this change, or of more before that. */
	if ((origin->line == 0 && !origin->own) || origin->lost ||
	    t->also[i] > 0 ||
	    (!origin->own && !is_same_line(t, i, old, number))) {
		settle(t, i, TRACE_TEXT);
	} else if (origin->line == 0) {
		settle_own(t, i, true);
	} else {
		t->partly[i] = t->partly[i] || origin->own;
		if (origin->also > 0)
			t->also[i] = origin->also + lines_before(old);
		t->at[i] = number;
	}
}

/* As go_back_by, for the places of changes. */
static void
go_back_spots(
    struct tracing *t, struct library_version *old, const struct origins *from)
{
	for (size_t i = 0; i < t->nspots; i++) {
		const struct line_origin *origin;
		uint64_t number;

		if (t->spots[i] == 0)
			continue;
		if (t->spots[i] <= from->before ||
		    t->spots[i] - from->before > from->n) {
			settle_spot(t, i, false);
			continue;
		}
		origin = &from->list[t->spots[i] - from->before - 1];
		number = origin->line + lines_before(old);
		if (origin->line == 0 || (origin->own && origin->lost))
			/* What it wrote it finds by the place of that. */
			settle_spot(t, i, origin->own && !origin->lost);
		else if (from->others && (number != t->spots[i] || t->adrift))
			settle_spot(t, i, false);
		else
			t->spots[i] = number;
	}
}

/* Others have changed the file: line I was line AT. */
static void
note_moved(struct tracing *t, uint64_t i, uint64_t at)
{
	if (t->at[i] == at && !t->adrift)
		return;
	t->made[i] = t->at[i];
	t->moved[i] = true;
}

static void
go_back(
    struct tracing *t, struct library_version *old, const struct origins *from)
{
	go_back_spots(t, old, from);
	for (uint64_t i = 0; i < t->trace->n; i++) {
		uint64_t at = t->at[i];

		if (at == 0)
			continue;
		if (at <= from->before || at - from->before > from->n)
			settle(t, i, TRACE_TEXT);
		else
			go_back_by(
			    t, i, old, &from->list[at - from->before - 1]);
		/* Where its own changes move a line the reader knows. */
		if (from->others && t->at[i] > 0)
			note_moved(t, i, at);
	}
	t->version = old;
}

/* It is too far to go on.  What the reader changed before may be gone. */
static bool
give_up(struct tracing *t)
{
	t->trace->undone = true;
	return false;
}

/*
 * Go back over a change that is not the reader's own.  *FROM is what it made of
 * the lines of OLD.
 */
static bool
undo_others(
    struct tracing *t, struct library_version *old, struct origins *from)
{
	const struct question *q = t->s->asked;
	struct span now = t->version->piece.text;

	if (t->ndiffs++ == DIFFS_MAX)
		return give_up(t);
	if (!scale_may_compare(q, now.n, lines_count(now)) ||
	    !scale_may_compare(
		q, old->piece.text.n, lines_count(old->piece.text)) ||
	    !origins_by_diff(t->s->arena, old->piece.text, now, from))
		return false;
	from->before = lines_before(t->version);
	go_back(t, old, from);
	t->trace->others = true;
	if (t->ndiffs == 1)
		t->trace->made = old;
	return true;
}

/* Do the lines PLACE stand where OTHERS have left out some of OLDS lines? */
static bool
takes_a_place(
    const struct origins *others, uint64_t olds, struct line_range place)
{
	uint64_t last = 0, kept = 0;

	for (uint64_t line = 1; line <= others->n; line++) {
		uint64_t old = others->list[line - 1].line;

		if (old == 0)
			continue;
		if (line > place.last)
			return old - last - 1 > kept;
		if (line < place.first)
			last = old;
		else
			kept++;
	}
	return olds - last > kept;
}

/* Others have changed the file, and it is the same again as VERSION was. */
static void
stay(struct tracing *t, struct library_version *version)
{
	for (uint64_t i = 0; i < t->trace->n; i++)
		if (t->at[i] > 0)
			note_moved(t, i, t->at[i]);
	for (size_t i = 0; i < t->nspots; i++)
		if (t->spots[i] > 0)
			settle_spot(t, i, false);
	if (++t->ndiffs == 1)
		t->trace->made = version;
}

/* A version with TEXT, all of it, which the library may not have. */
static struct library_version *
version_of(struct arena *arena, struct span text)
{
	struct library_version *version =
	    arena_array(arena, 1, sizeof(*version));

	version->hash = digest_of(text);
	version->there = true;
	version->piece = (struct piece){text, 1};
	return version;
}

/*
 * Go back to what the reader's changes OWN have MADE of the version OLD.  If
 * the file has other bytes, somebody else has changed it, too.  The reader
 * knows what it made all the same.
 */
static bool
reach_made(struct tracing *t, const struct library_version *old,
    struct span made, const struct origins *own)
{
	struct library_version *version = version_of(t->s->arena, made);
	struct digest whole;
	struct origins others;

	if (digest_eq(&version->hash, &t->version->hash)) {
		if (t->adrift)
			stay(t, version);
		return true;
	}
	whole = digest_of(old->piece.text);
	if (!digest_eq(&whole, &old->hash) || !undo_others(t, version, &others))
		return false;
	t->trace->undone =
	    t->trace->undone || !origins_stand(t->s->arena, own, &others);
	for (size_t i = 0; i < t->naside; i++)
		if (!takes_a_place(&others, own->n, t->aside[i]))
			return false;
	t->naside = 0;
	return true;
}

/*
 * How often is WORDS in TEXT?  At most 2 is said.  *AT is the first place.
 */
static int
count_words(struct span text, struct span words, size_t *at)
{
	struct span rest = text;
	int n = 0;

	while (n < 2 && words.n > 0) {
		const char *found =
		    bytes_find(rest.p, rest.n, words.p, words.n);

		if (found == NULL)
			break;
		if (n++ == 0)
			*at = (size_t)(found - text.p);
		rest = span_from(text, (size_t)(found - text.p) + 1);
	}
	return n;
}

/*
 * Settle the lines of bytes FROM to TO of the version here as text.  NEW: they
 * must stand in the place of others.  False if one of them is not asked for:
 * then the reader does not see where they are.
 */
static bool
send_as_text(struct tracing *t, size_t from, size_t to, bool new)
{
	struct span text = t->version->piece.text;
	struct line_range place = {
	    .first = lines_count((struct span){text.p, from}),
	    .last = lines_count((struct span){text.p, to}),
	};
	uint64_t n = 0;

	if (new)
		t->aside[t->naside++] = place;
	for (uint64_t i = 0; i < t->trace->n; i++) {
		if (t->at[i] < place.first || t->at[i] > place.last)
			continue;
		settle(t, i, TRACE_TEXT);
		n++;
	}
	return n == place.last - place.first + 1;
}

/* Do the old and the new text of R have a line that is in MADE only once? */
static bool
has_its_place(const struct replacement *r, struct span made)
{
	struct span rest = r->old_text;

	for (int i = 0; i < PLACE_LINES_MAX && rest.p != NULL; i++) {
		struct span line = lines_take(&rest);

		if (scale_is_only_line(r->new_text, line) &&
		    scale_is_only_line(made, line))
			return true;
	}
	return false;
}

static bool
is_of_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* Are the words at both ends of WORDS, which are in TEXT at AT, whole ones? */
static bool
ends_words(struct span text, size_t at, struct span words)
{
	size_t end = at + words.n;

	return (at == 0 || !is_of_word(text.p[at - 1]) ||
		   !is_of_word(words.p[0])) &&
	       (end == text.n || !is_of_word(text.p[end]) ||
		   !is_of_word(words.p[words.n - 1]));
}

/* Has a line that R removes, and that MADE has only once, come back? */
static bool
is_back(const struct replacement *r, struct span made, struct span now)
{
	struct span rest = r->old_text;
	size_t at;

	for (int i = 0; i < PLACE_LINES_MAX && rest.p != NULL; i++) {
		struct span line = lines_take(&rest);

		if (scale_is_only_line(made, line) &&
		    count_words(r->new_text, line, &at) == 0 &&
		    count_words(now, line, &at) > 0)
			return true;
	}
	return false;
}

/*
 * The old text of R is not in MADE, so somebody had changed the file before the
 * reader did.  Is its change there all the same?  Yes, if its new text is here
 * once, in the place of something, and was nowhere before.  If MADE has it
 * once, too, a line must show that this is the place that the reader changed.
 */
static bool
is_there(struct tracing *t, const struct replacement *r, struct span made)
{
	struct span now = t->version->piece.text;
	uint64_t cost = 1 + (1 + PLACE_LINES_MAX) * (now.n + 2 * made.n) / 512;
	size_t at, other;
	int before;

	if (!budget_spend(&t->work, cost) || t->naside == ASIDE_MAX ||
	    count_words(now, r->new_text, &at) != 1 ||
	    !ends_words(now, at, r->new_text) ||
	    count_words(made, r->old_text, &other) > 0 || is_back(r, made, now))
		return false;
	before = count_words(made, r->new_text, &other);
	if (before > 1 || (before == 1 && !has_its_place(r, made)))
		return false;
	return send_as_text(t, at, at + r->new_text.n - 1, before == 0);
}

/*
 * Set aside the reader's changes that do not fit what the others MADE: their
 * lines are sent as text.  The reader cannot know by numbers where all others
 * are.  False if it cannot be told that these changes are in place.
 */
static bool
set_aside(struct tracing *t, struct span made, const struct origins *from)
{
	struct digest whole;

	if (from->nunfit == 0)
		return true;
	/* Of a part of the file nobody can tell what is in it only once. */
	whole = digest_of(t->version->piece.text);
	if (!digest_eq(&whole, &t->version->hash))
		return false;
	for (size_t i = 0; i < from->nunfit; i++)
		for (size_t k = 0; k < from->unfit[i]->n; k++)
			if (!is_there(t, &from->unfit[i]->list[k], made))
				return false;
	t->adrift = t->trace->others = true;
	return true;
}

static bool
is_unfit(const struct origins *from, const struct own_change *own)
{
	for (size_t i = 0; i < from->nunfit; i++)
		if (from->unfit[i] == own)
			return true;
	return false;
}

/* Go back over the pending changes to the version OLD, before all of them. */
static bool
undo_changes(struct tracing *t, struct library_version *old)
{
	struct origins from;
	struct span made;

	/* The bytes are those of the whole file, on both sides. */
	if (!origins_by_changes(t->s->arena, &t->work, old->piece.text,
		t->pending, t->npending, &made, &from) ||
	    !set_aside(t, made, &from) || !reach_made(t, old, made, &from))
		return false;
	t->adrift = false;
	go_back(t, old, &from);
	for (size_t i = 0; i < from.nspots; i++)
		add_spot(t, from.spots[i]);
	t->lost = t->lost || from.lost;
	t->trace->cut_end = t->trace->cut_end || from.cut_end;
	t->own = t->own || from.cut_end;
	for (size_t i = 0; i < t->npending; i++)
		if (!is_unfit(&from, t->pending[i]->own))
			t->trace->calls[t->ncalls++] =
			    t->pending[i]->own->call_id;
	t->npending = 0;
	return true;
}

/* Make the version OLD, which came before, the one where the walk stands. */
static bool
reach(struct tracing *t, struct library_version *old)
{
	struct origins from;

	if (t->npending == 0 && digest_eq(&old->hash, &t->version->hash))
		return true;
	if (!old->there)
		return false;
	return t->npending > 0 ? undo_changes(t, old)
			       : undo_others(t, old, &from);
}

/* Does the newer view P say something else of line NUMBER than LINE? */
static bool
says_otherwise(struct tracing *t, const struct passed_view *p, uint64_t number,
    struct span line)
{
	const struct trust_view *view = p->view;
	struct span other;

	if (digest_eq(&p->version->hash, &t->version->hash) ||
	    number < view->first || (number > view->last && !view->ends))
		return false;
	return !line_of(t, p->version, number, &other) ||
	       !scale_same(t->s, line, other);
}

/* Does any newer view?  Then the number does not tell which line is meant. */
static bool
is_ambiguous(struct tracing *t, uint64_t number, struct span line)
{
	for (size_t i = 0; i < t->npassed; i++)
		if (says_otherwise(t, &t->passed[i], number, line))
			return true;
	return false;
}

/* VIEW has shown the requested line I: settle it. */
static void
take_line(struct tracing *t, uint64_t i)
{
	struct traced_line *line = &t->trace->lines[i];
	uint64_t number = t->at[i];
	struct span now, then;

	if (t->partly[i]) {
		settle_own(t, i, true);
		return;
	}
	if (!line_of(t, &t->s->now, t->s->asked->shown->first + i, &now) ||
	    !line_of(t, t->version, number, &then)) {
		settle(t, i, TRACE_TEXT);
		return;
	}
	line->vague = is_ambiguous(t, number, then);
	/* Where others have moved it back, "unchanged" would not say so. */
	if ((t->moved[i] && number == t->s->asked->shown->first + i) ||
	    (line->vague && t->trace->others) || !scale_same(t->s, now, then)) {
		settle(t, i, TRACE_TEXT);
		return;
	}
	settle(t, i, TRACE_SHOWN);
	line->former = number;
	line->from = t->version;
}

/*
 * As take_line, for the places of changes.  True if VIEW has shown one.  It
 * does not matter what newer views say of its number: only the reader's own
 * changes have moved it since, or it would be lost (go_back_spots).
 */
static bool
take_spots(struct tracing *t, const struct trust_view *view)
{
	bool used = false;

	for (size_t i = 0; i < t->nspots; i++) {
		uint64_t number = t->spots[i];

		if (number < view->first || number > view->last)
			continue; /* settled, or not shown */
		settle_spot(t, i, true);
		used = true;
	}
	return used;
}

/*
 * Add what VIEW told to what the answer rests on.  It is named by its text, and
 * the same words may have been said of another version since.
 */
static void
rest_on(struct tracing *t, const struct trust_view *view)
{
	struct rests *rests = &t->trace->rests;

	for (size_t i = 0; i < t->npassed; i++) {
		const struct text_id *newer = t->passed[i].view->text;

		if (newer != NULL && view->text != NULL &&
		    text_id_eq(newer, view->text))
			rests->untold = true;
	}
	if (view->text != NULL && trust_text_is_lost(t->s->trust, view))
		rests->untold = true;
	trust_rest_on(t->s->trust, rests, view->text, view->seq);
}

/* Settle the lines that VIEW, of the version where the walk stands, showed. */
static void
take_view(struct tracing *t, const struct trust_view *view)
{
	struct trace *trace = t->trace;
	bool used = take_spots(t, view), first = trace->rests.n == 0;

	for (uint64_t i = 0; i < trace->n; i++) {
		if (t->at[i] < view->first || t->at[i] > view->last)
			continue;
		if (t->also[i] > 0 &&
		    (t->also[i] < view->first || t->also[i] > view->last))
			continue;
		take_line(t, i);
		used = used || trace->lines[i].kind != TRACE_TEXT;
	}
	if (!used)
		return;
	rest_on(t, view);
	if (first)
		trace->base = view->hash;
}

/* The reader wrote the whole file: it has every line of it. */
static bool
take_write(struct tracing *t, const struct own_change *own)
{
	struct library_version *version = version_of(t->s->arena, own->content);

	if (t->ncalls + t->npending == OWN_CALLS_MAX)
		return give_up(t);
	if (!reach(t, version))
		return false;
	t->trace->calls[t->ncalls++] = own->call_id;
	t->trace->written = true;
	if (t->ndiffs <= 1)
		t->trace->since = 0; /* nothing is left of what was before */
	/* A diff from what was there before might show the old text again. */
	t->trace->undone = t->trace->undone || t->trace->others;
	for (size_t i = 0; i < t->nspots; i++)
		if (t->spots[i] > 0)
			settle_spot(t, i, true);
	for (uint64_t i = 0; i < t->trace->n; i++)
		if (t->at[i] > 0)
			settle_own(t, i, t->partly[i]);
	return true;
}

/* Is STEP about the requested file by the name that is asked for (T11)? */
static bool
is_ours(const struct tracing *t, const struct trust_view *step)
{
	return span_eq(step->path, t->s->asked->path) &&
	       span_eq(step->name, t->s->asked->name);
}

static bool
take_change(struct tracing *t, const struct trust_view *step)
{
	const struct own_change *own = step->own;

	if (own == NULL || !is_ours(t, step))
		return false; /* T13 */
	if (own->kind == OWN_WRITE)
		return take_write(t, own);
	if (t->ncalls + t->npending == OWN_CALLS_MAX)
		return give_up(t);
	t->pending[t->npending++] = step;
	return true;
}

/* The next step of the walk.  False: nothing before it counts. */
static bool
take_step(struct tracing *t, const struct trust_view *step)
{
	struct library_version *version;

	if (step->change)
		return take_change(t, step);
	if (t->npassed == PASSED_MAX)
		return give_up(t);
	if (step->veiled || step->apart ||
	    !span_eq(step->path, t->s->asked->path))
		return false;
	version = digest_eq(&step->hash, &t->version->hash)
		      ? t->version
		      : scale_load(t->s, &step->hash);
	/*
	 * It may prove no line, but it says which bytes the file had, and which
	 * lines had these numbers.
	 */
	if (!scale_is_evidence(t->s, step) && !step->alone &&
	    t->npending == 0 && version != t->version)
		return false;
	if (!reach(t, version))
		return false;
	if (t->ndiffs <= 1)
		t->trace->since = step->seq;
	if (scale_is_evidence(t->s, step))
		take_view(t, step);
	t->passed[t->npassed++] = (struct passed_view){step, t->version};
	return true;
}

/* The ids were found newest first. */
static void
turn_calls(struct trace *trace, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct span other = trace->calls[i];

		trace->calls[i] = trace->calls[n - 1 - i];
		trace->calls[n - 1 - i] = other;
	}
	trace->ncalls = n;
}

static void
walk(struct tracing *t)
{
	const struct question *q = t->s->asked;
	struct trust_views views = trust_views(t->s->trust, q->path, q->name);
	uint64_t until = trust_void_until(t->s->trust, q->path, q->name);
	const struct trust_view *step;

	while ((t->open > 0 || (t->own && t->open_spots > 0)) &&
	       (step = trust_next_step(&views)) != NULL && step->seq > until &&
	       take_step(t, step))
		;
	if (views.cut || t->work.left == 0)
		(void)give_up(t);
	t->trace->placed = !t->lost && t->open_spots == 0;
	if (t->trace->placed)
		return;
	for (uint64_t i = 0; i < t->trace->n; i++)
		if (t->trace->lines[i].kind == TRACE_OWN)
			t->trace->lines[i].kind = TRACE_TEXT;
}

bool
trace_make(struct scale *s, struct trace *trace)
{
	const struct excerpt *shown = s->asked->shown;
	uint64_t n = shown->last - shown->first + 1;
	struct tracing *t = arena_array(s->arena, 1, sizeof(*t));
	bool any = false;

	*trace = (struct trace){
	    .lines = arena_array(s->arena, n, sizeof(*trace->lines)),
	    .n = n,
	    .whole = true,
	    .base = s->asked->hash,
	    .calls =
		arena_array(s->arena, OWN_CALLS_MAX, sizeof(*trace->calls)),
	};
	s->now.hash = s->asked->hash;
	t->s = s;
	t->trace = trace;
	t->version = &s->now;
	t->at = arena_array(s->arena, n, sizeof(*t->at));
	t->also = arena_array(s->arena, n, sizeof(*t->also));
	t->moved = arena_array(s->arena, n, sizeof(*t->moved));
	t->partly = arena_array(s->arena, n, sizeof(*t->partly));
	t->made = arena_array(s->arena, n, sizeof(*t->made));
	t->open = n;
	t->work.left = APPLY_COST;
	for (uint64_t i = 0; i < n; i++)
		t->at[i] = shown->first + i;
	walk(t);
	turn_calls(trace, t->ncalls);
	for (uint64_t i = 0; i < n; i++) {
		any = any || trace->lines[i].kind != TRACE_TEXT;
		trace->whole =
		    trace->whole && trace->lines[i].kind != TRACE_TEXT;
	}
	return any && !trace->rests.untold;
}

/* May LINE be in TEXT?  The host may have given it other line ends. */
static bool
may_have_line(struct scale *s, struct span text, struct span line)
{
	enum { BYTES = 512, LOOK = 1 };
	size_t at;

	if (line.n > 0 && line.p[line.n - 1] == '\r')
		line.n--;
	return line.n == 0 ||
	       !budget_spend(trust_budget(s->trust), text.n / BYTES + LOOK) ||
	       count_words(text, line, &at) > 0;
}

bool
trace_wrote_before(struct scale *s, const struct trace *trace, struct span line)
{
	const struct question *q = s->asked;
	struct trust_views views = trust_views(s->trust, q->path, q->name);
	uint64_t until = trust_void_until(s->trust, q->path, q->name);
	const struct trust_view *step;

	while (trace->since > 0 && (step = trust_next_step(&views)) != NULL &&
	       step->seq > until) {
		const struct own_change *own = step->change ? step->own : NULL;

		if (step->seq >= trace->since || own == NULL)
			continue;
		if (own->kind == OWN_WRITE)
			return may_have_line(s, own->content, line);
		for (size_t i = 0; i < own->n; i++)
			if (may_have_line(s, own->list[i].new_text, line))
				return true;
	}
	return views.cut;
}
