#include "work/workflow/places.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/buf.h"
#include "base/map.h"
#include "os/bytes.h"
#include "work/fingerprint/pattern.h"
#include "work/fingerprint/reach.h"

/* The outputs that a pattern matches. */
struct places_found {
	const struct made **at;
	size_t n;
};

/* How many patterns and outputs are compared with each other. */
enum { COMPARES_MAX = 1 << 25 };

struct places {
	struct arena *arena;
	struct span root;
	struct links *links;
	struct made *outs; /* sorted by place */
	size_t n;
	struct map *first; /* place -> index of its first output */
	struct span clear; /* a directory that is not in or at any output */
	struct map *dirs;  /* directory as written -> index in LEADS */
	struct where *leads;
	size_t nleads, leads_room;
	struct map *patterns; /* directory and pattern -> index in FOUND */
	struct places_found *found;
	size_t nfound, found_room;
	struct budget compares;
	struct arena *scratch;
};

/* ---- where a path leads ---- */

/*
 * Where DIR leads.  Most paths share their directory, and each is resolved
 * once.
 */
static const struct where *
directory(struct places *p, struct span dir)
{
	uint64_t at = *map_at(p->dirs, dir, p->nleads);

	if (at < p->nleads)
		return &p->leads[at];
	p->leads = arena_more(p->arena, p->leads, p->nleads, &p->leads_room,
	    sizeof(*p->leads));
	p->leads[p->nleads] = where_among(
	    p->arena, p->root, dir, WHERE_LEADS, p->links);
	return &p->leads[p->nleads++];
}

/* The name of no file.  To resolve it would take long, and it is refused. */
static bool
is_too_long(struct span path)
{
	return path.n >= PATH_MAX;
}

static struct span
without_slashes(struct span path)
{
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	return path;
}

/* DIR/NAME. */
static struct span
join(struct arena *arena, struct span dir, struct span name)
{
	struct buf full = buf_new(arena, dir.n + name.n + 2);

	if (dir.n > 1)
		buf_add(&full, dir);
	buf_char(&full, '/');
	buf_add(&full, name);
	return buf_span(&full);
}

/* The place of PATH; a link at its end is not followed. */
static struct where
itself(struct places *p, struct span path)
{
	struct span whole = without_slashes(path), dir, name;
	const char *slash = bytes_last(whole.p, '/', whole.n);
	struct where where;

	name = slash != NULL
		   ? span_from(whole, (size_t)(slash + 1 - whole.p))
		   : whole;
	dir = (struct span){whole.p, whole.n - name.n};
	if (name.n == 0 || span_eq(name, SPAN(".")) ||
	    span_eq(name, SPAN("..")))
		return where_of(p->arena, p->root, path, WHERE_ITSELF);
	where = *directory(p, dir);
	where.name = join(p->arena, where.name, name);
	return where;
}

static bool
is_link(const struct places *p, struct span name)
{
	char room[1];

	return links_may_be(p->links, name) &&
	       readlink(arena_cstr(p->arena, name), room, sizeof(room)) > 0;
}

/* ---- the outputs ---- */

static int
by_place(const void *a, const void *b)
{
	const struct made *x = a, *y = b;
	size_t n = x->where.name.n < y->where.name.n ? x->where.name.n
						     : y->where.name.n;
	int order = memcmp(x->where.name.p, y->where.name.p, n);

	if (order != 0)
		return order;
	if (x->where.name.n != y->where.name.n)
		return x->where.name.n < y->where.name.n ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

struct places *
places_of(struct arena *arena, struct span root,
    const struct workflow *workflow, struct links *links)
{
	struct places *p = arena_array(arena, 1, sizeof(*p));
	size_t n = 0;

	*p = (struct places){.arena = arena,
	    .root = root,
	    .links = links,
	    .compares = {COMPARES_MAX}};
	for (size_t i = 0; i < workflow->nnodes; i++)
		n += workflow->nodes[i].nouts;
	p->dirs = map_new(arena, 16);
	p->patterns = map_new(arena, 16);
	p->scratch = arena_scratch(arena);
	p->first = map_new(arena, n);
	p->outs = arena_array(arena, n, sizeof(*p->outs));
	for (size_t i = 0; i < workflow->nnodes; i++)
		for (size_t k = 0; k < workflow->nodes[i].nouts; k++) {
			struct span path = workflow->nodes[i].outs[k].path;

			if (is_too_long(path))
				continue;
			p->outs[p->n++] = (struct made){
			    .where = itself(p, path), .node = i, .path = path};
		}
	qsort(p->outs, p->n, sizeof(*p->outs), by_place);
	for (size_t i = 0; i < p->n; i++)
		(void)map_at(p->first, p->outs[i].where.name, i);
	return p;
}

/* ---- who meets them ---- */

/*
 * Visit the first output at the place NAME; false if there is none.  A workflow
 * with several there is refused, and to visit all would take the square of
 * their number.
 */
static bool
visit_at(const struct places *p, struct span name, places_visit *visit,
    void *context)
{
	const uint64_t *at = map_find(p->first, name);

	if (at == NULL)
		return false;
	visit(context, &p->outs[*at]);
	return true;
}

static struct span
above(struct span name)
{
	const char *slash = bytes_last(name.p, '/', name.n);

	return (struct span){
	    name.p, slash != NULL ? (size_t)(slash - name.p) : 0};
}

/* Visit outputs at the place NAME or at a directory above it. */
static void
visit_above(
    struct places *p, struct span name, places_visit *visit, void *context)
{
	struct span dir = above(name);
	bool met = false;

	(void)visit_at(p, name, visit, context);
	/* Most names share their directory. */
	if (p->clear.n > 0 && span_eq(dir, p->clear))
		return;
	for (name = dir; name.n > 0; name = above(name))
		met = visit_at(p, name, visit, context) || met;
	if (!met)
		p->clear = dir;
}

/* The first output whose place does not sort before NAME. */
static size_t
lower_bound(const struct places *p, struct span name)
{
	struct made wanted = {.where = {.name = name}};
	size_t from = 0, to = p->n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (by_place(&p->outs[middle], &wanted) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Visit all outputs in the directory DIR. */
static void
visit_below(
    const struct places *p, struct span dir, places_visit *visit, void *context)
{
	struct span prefix = join(p->arena, dir, SPAN(""));

	for (size_t i = lower_bound(p, prefix);
	     i < p->n && span_starts(p->outs[i].where.name, prefix); i++)
		visit(context, &p->outs[i]);
}

static bool
is_special(char c)
{
	return c == '*' || c == '?' || c == '[' || c == '{' || c == '\\';
}

/*
 * Add to FOUND the outputs in the directory DIR that PATTERN, which begins with
 * a component that is not plain, matches.  Only outputs that begin as this one
 * does are compared.
 */
static void
find_matches(struct places *p, struct span dir, struct span pattern,
    struct places_found *found)
{
	struct span prefix, below = join(p->arena, dir, SPAN(""));
	size_t plain = 0, room = 0;

	while (plain < pattern.n && !is_special(pattern.p[plain]))
		plain++;
	prefix = join(p->arena, dir, (struct span){pattern.p, plain});
	for (size_t i = lower_bound(p, prefix);
	     i < p->n && span_starts(p->outs[i].where.name, prefix); i++) {
		struct span path = span_from(p->outs[i].where.name, below.n);

		if (!budget_spend(&p->compares, 1 + pattern.n * path.n / 64))
			return;
		arena_reset(p->scratch);
		if (!reach_finds(p->scratch, pattern, path))
			continue;
		found->at = arena_more(
		    p->arena, found->at, found->n, &room, sizeof(*found->at));
		found->at[found->n++] = &p->outs[i];
	}
}

/*
 * Visit the outputs in the directory DIR that PATTERN matches.  Many nodes may
 * have the same pattern, which is looked for once.
 */
static void
visit_matches(struct places *p, struct span dir, struct span pattern,
    places_visit *visit, void *context)
{
	uint64_t at =
	    *map_at(p->patterns, join(p->arena, dir, pattern), p->nfound);

	if (at == p->nfound) {
		p->found = arena_more(p->arena, p->found, p->nfound,
		    &p->found_room, sizeof(*p->found));
		find_matches(p, dir, pattern, &p->found[p->nfound++]);
	}
	for (size_t i = 0; i < p->found[at].n; i++)
		visit(context, p->found[at].at[i]);
}

static void
read_place(struct places *p, const struct where *where, places_visit *visit,
    void *context)
{
	visit_above(p, where->name, visit, context);
	for (size_t i = 0; i < where->nlinks; i++)
		visit_above(p, where->links[i], visit, context);
	visit_below(p, where->name, visit, context);
}

/*
 * How many bytes of PATH are the directory before its first special character.
 */
static size_t
plain_part(struct span path)
{
	size_t plain = 0;

	for (size_t i = 0; i < path.n && !is_special(path.p[i]); i++)
		if (path.p[i] == '/')
			plain = i + 1;
	return plain;
}

/* Visit the outputs that PATTERN, which has no braces, may match. */
static void
read_pattern(struct places *p, struct span pattern, places_visit *visit,
    void *context)
{
	size_t plain = plain_part(pattern);
	struct span rest = span_from(pattern, plain);
	const struct where *dir =
	    directory(p, (struct span){pattern.p, plain});

	visit_above(p, dir->name, visit, context);
	for (size_t i = 0; i < dir->nlinks; i++)
		visit_above(p, dir->links[i], visit, context);
	if (rest.n > 0)
		visit_matches(p, dir->name, rest, visit, context);
	else
		visit_below(p, dir->name, visit, context);
}

/* Visit the outputs for each pattern that the braces of PATH stand for. */
static void
read_patterns(struct places *p, struct span path, places_visit *visit,
    void *context)
{
	struct span *patterns;
	size_t n;

	/*
	 * Too many braces cannot be resolved later either, so nothing is kept.
	 */
	if (pattern_braces(p->arena, path, &patterns, &n) != NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		struct span pattern = patterns[i];

		while (span_starts(pattern, SPAN("./")))
			pattern = span_from(pattern, 2);
		if (pattern.n > 0)
			read_pattern(p, pattern, visit, context);
	}
}

void
places_read(
    struct places *p, struct span path, places_visit *visit, void *context)
{
	struct where where;

	if (p->n == 0 || path.n == 0)
		return;
	for (size_t i = 0; i < path.n; i++)
		if (is_special(path.p[i])) {
			read_patterns(p, path, visit, context);
			break;
		}
	if (is_too_long(path))
		return;
	/* A file may have exactly this name. */
	where = itself(p, path);
	read_place(p, &where, visit, context);
	if (!is_link(p, where.name))
		return;
	where = where_of(p->arena, p->root, path, WHERE_LEADS);
	read_place(p, &where, visit, context);
}

bool
places_gave_up(const struct places *places)
{
	return places->compares.left == 0;
}

/* ---- overlaps ---- */

struct pairing {
	const struct made *inner;
	places_pair *pair;
	void *context;
};

static void
pair_up(void *context, const struct made *outer)
{
	const struct pairing *pairing = context;

	if (outer->node == pairing->inner->node)
		return;
	pairing->pair(pairing->context, outer, pairing->inner);
}

void
places_overlaps(struct places *p, places_pair *pair, void *context)
{
	for (size_t i = 0; i < p->n; i++) {
		struct pairing pairing = {&p->outs[i], pair, context};
		const struct where *where = &p->outs[i].where;

		visit_above(p, where->name, pair_up, &pairing);
		for (size_t k = 0; k < where->nlinks; k++)
			visit_above(p, where->links[k], pair_up, &pairing);
	}
}
