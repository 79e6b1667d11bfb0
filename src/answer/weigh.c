#include "answer/weigh.h"

#include "answer/render.h"
#include "answer/scale.h"
#include "diff/apply.h"
#include "diff/useful.h"
#include "replay/gaps.h"

static enum base_fact
find_base(struct scale *s)
{
	switch (trust_find(s->trust, s->asked->path, s->asked->name, s->scope,
	    &s->base)) {
	case TRUST_FOUND:
		return digest_eq(&s->base.hash, &s->asked->hash)
		    ? BASE_SAME
		    : BASE_DIFFERS;
	case TRUST_NEVER:
		return BASE_NEVER;
	case TRUST_REFRESHED:
		return BASE_REFRESHED;
	case TRUST_MOVED:
		break;
	}
	return BASE_MOVED;
}

/* Are lines FIRST to LAST of version HASH the same in the file now? */
static bool
lines_match(struct scale *s, const struct digest *hash, uint64_t first,
    uint64_t last)
{
	struct library_version *old = scale_load(s, hash);
	struct span old_lines = {0}, new_lines = {0};

	return old->there && scale_slice(s, old, first, last, &old_lines) &&
	    scale_slice(s, &s->now, first, last, &new_lines) &&
	    scale_same(s, old_lines, new_lines);
}

/* Is what VIEW showed of the requested lines still true? */
static bool
view_holds(struct scale *s, const struct trust_view *view)
{
	uint64_t total = s->asked->shown->total;
	bool full = s->scope.kind == SCOPE_FULL;
	uint64_t first = full ? 1 : s->scope.first;
	uint64_t last = full ? total : s->scope.last;

	if (view->veiled)
		return false;
	if (digest_eq(&view->hash, &s->asked->hash))
		return true;
	/* It also showed how many lines the file has. */
	if (!view->bare &&
	    (scale_shows_end(s) ? view->total != total : view->total < last))
		return false;
	if (first < view->first)
		first = view->first;
	if (last > view->last)
		last = view->last;
	return first > last || lines_match(s, &view->hash, first, last);
}

/* T6: what was shown after the base must still be true. */
static enum newer_fact
find_newer(struct scale *s)
{
	const struct question *q = s->asked;
	struct trust_views views = trust_views(s->trust, q->path, q->name);
	const struct trust_view *view;
	bool diff = s->scope.kind == SCOPE_FULL &&
	    !digest_eq(&s->base.hash, &q->hash);

	while ((view = trust_next_view(&views)) != NULL &&
	    view->seq > s->base.seq) {
		bool same = !view->veiled &&
		    digest_eq(&view->hash, &s->base.hash);
		/*
		 * It would not be clear from which of two versions a diff is.
		 */
		bool apart = view->apart || (view->alone && diff);

		if (!same && (apart || !view_holds(s, view)))
			return NEWER_DISAGREES;
	}
	return views.cut ? NEWER_DISAGREES : NEWER_AGREES;
}

/*
 * Compare OLD_TEXT with the file now.  PLAIN_BYTES and PLAIN_LINES are the size
 * of the answer that the diff would replace.
 */
static enum change_fact
find_diff(struct scale *s, struct span old_text, uint64_t plain_bytes,
    uint64_t plain_lines, struct diff *diff)
{
	struct span new_text = s->asked->now.text;
	uint64_t total = s->asked->shown->total;
	struct render_size size;
	struct diff_cost cost;

	if (!scale_may_compare(s->asked, old_text.n, lines_count(old_text)) ||
	    !scale_may_compare(s->asked, new_text.n, total))
		return CHANGE_DIFF_USELESS;
	if (!diff_make(s->arena, old_text, new_text, diff))
		return CHANGE_DIFF_FAILED;
	size = render_diff_size(s->arena, diff, total, s->asked->asked);
	cost = (struct diff_cost){
	    .answer_bytes = size.bytes,
	    .answer_lines = size.lines,
	    .diff_lines = diff->lines,
	    .plain_bytes = plain_bytes,
	    .plain_lines = plain_lines,
	};
	if (!diff_useful(&cost))
		return CHANGE_DIFF_USELESS;
	return diff_applies(diff->hunks, old_text, new_text)
	    ? CHANGE_DIFF_USEFUL
	    : CHANGE_DIFF_FAILED; /* T10 */
}

/*
 * Does OLD have the requested lines as they are now?  If they show the file's
 * end, OLD must end there too.
 */
static bool
has_lines(struct scale *s, struct library_version *old)
{
	const struct excerpt *shown = s->asked->shown;
	struct span lines = {0};

	return scale_slice(s, old, shown->first, shown->last, &lines) &&
	    (!scale_shows_end(s) ||
		old->piece.first + scale_lines(s, old)->n - 1 == shown->total) &&
	    scale_same(s, lines, shown->lines);
}

static enum change_fact
find_change(struct scale *s, struct diff *diff)
{
	struct library_version *old = scale_load(s, &s->base.hash);

	if (!old->there)
		return CHANGE_BASE_MISSING;
	if (s->scope.kind == SCOPE_FULL)
		return find_diff(s, old->piece.text, s->asked->now.text.n,
		    s->asked->shown->total, diff);
	return has_lines(s, old) ? CHANGE_LINES_SAME : CHANGE_LINES_DIFFER;
}

/* The lines before line FIRST; all of them if there are fewer. */
static struct span
lines_before(const struct lines *lines, uint64_t first)
{
	struct span before;

	if (first > 1 && lines_find(lines, 1, first - 1, &before))
		return before;
	return first > 1 ? lines->text : SPAN("");
}

static bool
lines_after(const struct lines *lines, uint64_t last, struct span *after)
{
	return lines_find(lines, last + 1, lines->n, after);
}

/* Is all of the file at hand?  Of a recorded one there may be some lines. */
static bool
now_is_whole(struct scale *s)
{
	return s->now.piece.first == 1 &&
	    scale_lines(s, &s->now)->n == s->asked->shown->total;
}

static bool
compare_outside(struct scale *s, struct library_version *version)
{
	const struct excerpt *shown = s->asked->shown;
	struct span old_rest = SPAN(""), new_rest = SPAN("");
	const struct lines *old, *now;
	bool old_more, new_more;

	if (!version->there || version->piece.first != 1 ||
	    !now_is_whole(s))
		return true; /* it is another version, and no more is known */
	old = scale_lines(s, version);
	now = scale_lines(s, &s->now);
	old_more = lines_after(old, shown->last, &old_rest);
	new_more = lines_after(now, shown->last, &new_rest);
	return !span_eq(lines_before(old, shown->first),
		   lines_before(now, shown->first)) ||
	    old_more != new_more || !span_eq(old_rest, new_rest);
}

/*
 * Does the other version HASH differ from the file outside of the requested
 * lines?  It may differ only inside of them, where newer views have shown the
 * change.
 */
static bool
differs_outside(struct scale *s, const struct digest *hash)
{
	struct library_version *version = scale_load(s, hash);

	if (version->outside == OUTSIDE_UNKNOWN)
		version->outside = compare_outside(s, version)
		    ? OUTSIDE_DIFFERS
		    : OUTSIDE_SAME;
	return version->outside == OUTSIDE_DIFFERS;
}

/*
 * Compare one view with the lines that are still in GAPS.  What it showed must
 * be true now.  If it is evidence, it accounts for its lines.  False: the lines
 * cannot be covered any more.
 */
static bool
cover_by(struct scale *s, const struct trust_view *view, struct gaps *gaps,
    struct weighed *found)
{
	bool evidence = scale_is_evidence(s, view);
	bool same = digest_eq(&view->hash, &s->asked->hash);
	bool accounts = false;

	if (view->veiled)
		return false;
	for (const struct gap *gap = gaps->list; gap != NULL;
	     gap = gap->next) {
		uint64_t first = gap->first, last = gap->last;

		if (!budget_spend(gaps->budget, 1))
			return false;
		if (last > view->total)
			return false; /* it showed that there is no such line */
		if (first < view->first)
			first = view->first;
		if (last > view->last)
			last = view->last;
		if (first > last)
			continue;
		if (!same && !lines_match(s, &view->hash, first, last))
			return false;
		if (!evidence)
			continue;
		accounts = true;
		found->other_version = found->other_version ||
		    (!same && differs_outside(s, &view->hash));
	}
	if (accounts)
		trust_rest_on(s->trust, &found->rests, view->text, view->seq);
	if (evidence)
		gaps_fill(gaps, view->first, view->last);
	return true;
}

/*
 * The base of an answer by coverage.  In the trust table a base proves every
 * line.  So it is the latest version of which the reader was shown some of
 * these lines and which has them all, among the versions that were compared.
 * If the lines were shown in parts there may be none; then it is the file's own
 * hash, which proves nothing.
 */
static struct digest
cover_base(struct scale *s)
{
	const struct question *q = s->asked;
	struct trust_views views = trust_views(s->trust, q->path, q->name);
	const struct trust_view *view;

	while ((view = trust_next_view(&views)) != NULL) {
		bool near = view->first <= q->shown->last &&
		    view->last >= q->shown->first;
		struct library_version *old = scale_loaded(s, &view->hash);

		if (near && scale_is_evidence(s, view) &&
		    (digest_eq(&view->hash, &q->hash) ||
			(old != NULL && old->there && has_lines(s, old))))
			return view->hash;
	}
	return q->hash;
}

/* Is the marker shorter than the text?  A few short lines may be shorter. */
static bool
marker_saves(const struct scale *s, const struct weighed *found)
{
	const struct excerpt *shown = s->asked->shown;

	return render_marker_size(s->arena, shown, weighed_elsewhere(found),
		   found->again) < excerpt_bytes(shown);
}

/* SPEC 16: for every line its newest view counts. */
static void
find_cover(struct scale *s, struct weighed *found)
{
	const struct question *q = s->asked;
	struct trust_views views = trust_views(s->trust, q->path, q->name);
	const struct trust_view *view;
	bool full = s->scope.kind == SCOPE_FULL, told = !scale_shows_end(s);
	struct gaps gaps = gaps_new(s->arena, trust_budget(s->trust),
	    q->shown->first, q->shown->last);

	found->cover = COVER_NONE;
	if (found->base == BASE_MOVED)
		return; /* T11 */
	if (trust_void(s->trust, q->path, q->name, q->shown->first,
		scale_shows_end(s) ? UINT64_MAX : q->shown->last)) {
		found->cover = COVER_VOID;
		return;
	}
	while (!gaps_none(&gaps) && (view = trust_next_view(&views)) != NULL) {
		/*
		 * The number of lines was shown by the last view that the
		 * reader still has, and by whatever was shown since.
		 */
		if (!told && !view->bare && view->total != q->shown->total)
			break;
		if (!told && scale_is_evidence(s, view)) {
			trust_rest_on(s->trust, &found->rests, view->text,
			    view->seq);
			told = true;
		}
		if (!cover_by(s, view, &gaps, found))
			break;
	}
	if (gaps_none(&gaps)) {
		found->cover = COVER_ALL;
		found->base_hash = full ? q->hash : cover_base(s);
		return;
	}
	found->other_version = false;
	found->rests = (struct rests){.n = 0};
}

/* How often this marker was given in a row; strict does not count. */
static uint64_t
find_repeats(const struct scale *s)
{
	const struct question *q = s->asked;

	return q->policy != POLICY_STRICT
	    ? trust_repeats(s->trust, q->path, q->name, s->scope, &q->hash)
	    : 0;
}

/* Would a compact answer be of no help to the reader? */
static enum pause_fact
find_pause(const struct scale *s, uint64_t repeats)
{
	const struct question *q = s->asked;
	bool coverage = q->policy != POLICY_STRICT;

	if (coverage &&
	    trust_edit_failed(s->trust, q->path, q->name, q->shown->first,
		q->shown->last))
		return PAUSE_FAILED_EDIT;
	if (coverage && repeats + 1 >= q->repeat)
		return PAUSE_REPEAT;
	return trust_edited(s->trust, q->path, q->name, q->shown->first,
		   q->shown->last)
	    ? PAUSE_OWN_EDIT
	    : PAUSE_NONE;
}

/*
 * For a large file that was shown page by page and has changed: the diff of the
 * whole file, if that is shorter than the requested page.
 */
static void
find_paged_diff(struct scale *s, struct weighed *found)
{
	const struct question *q = s->asked;
	struct trust_views views = trust_views(s->trust, q->path, q->name);
	const struct trust_view *view = trust_next_view(&views);
	struct rests rests = {.n = 0};
	struct library_version *old;
	struct diff diff;

	/* If the reader must get text, it is the text of the page. */
	if (found->cover != COVER_NONE ||
	    (found->pause != PAUSE_NONE && found->pause != PAUSE_OWN_EDIT) ||
	    found->base == BASE_MOVED || !q->shown->cut ||
	    q->shown->first != 1 || view == NULL ||
	    digest_eq(&view->hash, &q->hash) ||
	    !trust_knows_version(s->trust, q->path, q->name, &view->hash,
		&rests))
		return;
	old = scale_load(s, &view->hash);
	if (!old->there || !now_is_whole(s))
		return;
	if (find_diff(s, old->piece.text, q->shown->lines.n, q->shown->last,
		&diff) != CHANGE_DIFF_USEFUL)
		return;
	found->change = CHANGE_DIFF_USEFUL;
	found->diff = diff;
	found->scope = scope_full(); /* the diff covers all lines */
	found->base = BASE_DIFFERS;
	found->newer = NEWER_AGREES;
	found->base_hash = view->hash;
	found->rests = rests;
}

/* Policy strict: what was shown by itself; under coverage also in pages. */
static void
weigh_base(struct scale *s, struct weighed *found)
{
	/* The cheapest facts first. */
	if (found->base == BASE_SAME || found->base == BASE_DIFFERS) {
		trust_rest_on(s->trust, &found->rests, s->base.text,
		    s->base.seq);
		found->newer = find_newer(s);
	}
	if (found->newer == NEWER_AGREES && found->base == BASE_DIFFERS)
		found->change = find_change(s, &found->diff);
	if (s->asked->policy != POLICY_STRICT)
		find_paged_diff(s, found);
}

/*
 * After a change of the reader's own: is the diff of the file shorter than the
 * parts of it?  If others have changed it, too, the diff says best what came of
 * it.
 */
static bool
diff_is_better(struct scale *s, const struct weighed *found,
    const struct pieces *pieces)
{
	const struct question *q = s->asked;
	struct buf text = buf_new(s->arena, 256);

	if (found->change != CHANGE_DIFF_USEFUL ||
	    found->newer != NEWER_AGREES)
		return false;
	if (found->trace.others)
		return true;
	pieces_render(&text, q->shown, pieces, found->again);
	return render_diff_size(s->arena, &found->diff, q->shown->total,
		   q->asked)
		   .bytes <= text.n;
}

/* Follow the requested lines back to where the reader has them. */
static void
find_pieces(struct scale *s, struct weighed *found)
{
	struct pieces pieces;

	if (found->piece != PIECE_NONE || found->base == BASE_MOVED ||
	    found->base == BASE_REFRESHED ||
	    (found->pause != PAUSE_NONE && found->pause != PAUSE_OWN_EDIT) ||
	    !trace_make(s, &found->trace))
		return;
	pieces = pieces_plan(s, &found->trace);
	if (pieces.form == PIECES_NONE)
		return;
	/*
	 * The other answer may show other text where lines were shown.  A marker
	 * is no more wrong then than one of a file that nobody has edited.
	 */
	if (s->asked->read_before && found->trace.rests.n > 0 &&
	    pieces.form != PIECES_UNCHANGED)
		return;
	found->pieces = pieces;
	found->piece = pieces_are_own(&pieces, &found->trace) ? PIECE_OWN
							      : PIECE_MIXED;
}

/* Is there a marker by the strict rule? */
static bool
base_gives_marker(const struct weighed *found)
{
	return found->newer == NEWER_AGREES &&
	    (found->base == BASE_SAME || found->change == CHANGE_LINES_SAME);
}

/*
 * Under coverage, where no marker can be given.  After a change of its own the
 * reader needs no diff if it is told that the change is in place.
 */
static void
weigh_pieces_and_base(struct scale *s, struct weighed *found)
{
	bool may = s->asked->policy == POLICY_PIECES;
	bool edited = found->pause == PAUSE_OWN_EDIT;

	if (may && edited)
		find_pieces(s, found);
	if (found->cover != COVER_ALL &&
	    (found->piece == PIECE_NONE ||
		found->pieces.form == PIECES_PARTS))
		weigh_base(s, found);
	if (found->trace.undone)
		found->pause = PAUSE_OWN_UNDONE;
	if (may && !edited && found->change != CHANGE_DIFF_USEFUL &&
	    !base_gives_marker(found))
		find_pieces(s, found);
	if (found->piece == PIECE_NONE)
		return;
	if (found->pause != PAUSE_OWN_UNDONE &&
	    diff_is_better(s, found, &found->pieces)) {
		found->piece = PIECE_NONE;
		return;
	}
	found->scope = s->scope;
	found->base_hash = found->trace.base;
	found->rests = found->trace.rests;
}

struct weighed
weigh(struct arena *arena, const struct question *question,
    const struct trust *trust, const struct library *library)
{
	struct scale s = {
	    .arena = arena,
	    .asked = question,
	    .trust = trust,
	    .library = library,
	    .scope = excerpt_scope(question->shown),
	    .now = {.there = true, .piece = question->now},
	};
	struct weighed found = {.base = find_base(&s), .scope = s.scope};
	bool based = found.base == BASE_SAME || found.base == BASE_DIFFERS;
	uint64_t repeats = find_repeats(&s);

	if (based)
		found.base_hash = s.base.hash;
	found.pause = find_pause(&s, repeats);
	found.again = question->policy == POLICY_PIECES &&
	    repeats + 2 == question->repeat;
	if (question->policy != POLICY_STRICT)
		find_cover(&s, &found);
	if (found.cover == COVER_NONE || found.cover == COVER_NOT_ASKED ||
	    (found.cover == COVER_ALL && found.pause == PAUSE_OWN_EDIT))
		weigh_pieces_and_base(&s, &found);
	if (!marker_saves(&s, &found))
		found.marker = MARKER_COSTS;
	return found;
}

bool
weighed_elsewhere(const struct weighed *weighed)
{
	if (weighed->base == BASE_SAME)
		return false; /* it had an answer from this version before */
	return weighed->cover == COVER_ALL ? weighed->other_version
					   : weighed->base == BASE_DIFFERS;
}
