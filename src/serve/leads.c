#include "serve/leads.h"

#include "path/range.h"
#include "path/variants.h"

static bool
same_dirs(const struct dirs *a, const struct dirs *b)
{
	if (a->n != b->n || a->untold != b->untold)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!span_eq(a->list[i], b->list[i]))
			return false;
	return true;
}

bool
leads_same_where(const struct history_where *a, const struct history_where *b)
{
	return span_eq(a->here.cwd, b->here.cwd) &&
	    span_eq(a->here.home, b->here.home) && same_dirs(&a->dirs, &b->dirs);
}

static struct span
keep(struct arena *arena, struct span text)
{
	return (struct span){arena_cstr(arena, text), text.n};
}

struct history_where
leads_keep_where(const struct history_where *where, struct arena *arena)
{
	struct history_where kept = {
	    .here = {keep(arena, where->here.cwd),
		keep(arena, where->here.home)},
	    .dirs = {.untold = where->dirs.untold},
	};

	for (size_t i = 0; i < where->dirs.n; i++)
		dirs_add(&kept.dirs, arena, keep(arena, where->dirs.list[i]));
	return kept;
}

static bool
resolve_in(struct arena *arena, struct span path, struct span dir,
    struct span home, struct span *name)
{
	struct name_error ignored;

	return name_resolve(arena, path, dir, home, name, &ignored) == NAME_OK;
}

static bool
add_meaning(struct arena *arena, struct meaning *meaning, struct span path,
    struct span dir, struct span home)
{
	struct span name;

	if (!resolve_in(arena, path, dir, home, &name))
		return false; /* only the host knows */
	for (size_t i = 0; i < meaning->n; i++)
		if (span_eq(meaning->names[i], name))
			return true;
	meaning->names = arena_more(arena, meaning->names, meaning->n,
	    &meaning->room, sizeof(*meaning->names));
	meaning->names[meaning->n++] = name;
	return true;
}

/* Does PATH mean the same in every directory? */
static bool
is_absolute(struct arena *arena, struct span path, struct span home)
{
	struct span one, other;

	return resolve_in(arena, path, SPAN("/a"), home, &one) &&
	    resolve_in(arena, path, SPAN("/b"), home, &other) &&
	    span_eq(one, other);
}

struct meaning
leads_meaning(struct arena *arena, struct span path,
    const struct history_where *where)
{
	struct span home = where->here.home;
	struct meaning meaning = {.told = !where->dirs.untold ||
		is_absolute(arena, path, home)};

	if (!add_meaning(arena, &meaning, path, where->here.cwd, home))
		meaning.told = false;
	for (size_t i = 0; i < where->dirs.n; i++)
		if (!add_meaning(arena, &meaning, path, where->dirs.list[i],
			home))
			meaning.told = false;
	return meaning;
}

struct leads
leads_new(struct arena *arena, const struct history_where *where)
{
	return (struct leads){
	    .arena = arena,
	    .where = where,
	    .edits = map_new(arena, 1),
	    .views = map_new(arena, 1),
	};
}

/* Where NAME leads now; empty if that cannot be found out. */
static struct span
real_of(struct arena *arena, struct span name)
{
	struct span real;

	return locate_real(arena, name, &real) ? real : SPAN("");
}

static void
add_lead(struct leads *leads, struct path_leads *to, struct lead lead)
{
	to->list = arena_more(leads->arena, to->list, to->n, &to->room,
	    sizeof(*to->list));
	to->list[to->n++] = lead;
}

/* Ask where NAME leads. */
static void
ask(struct leads *leads, struct path_leads *to, struct span name)
{
	add_lead(leads, to,
	    (struct lead){name, real_of(leads->arena, name)});
}

static const struct lead only_host_knows = {
    {"", 0}, {"", 0}}; /* a lead without a name */

static void
ask_edit(struct leads *leads, struct path_leads *to, struct span path)
{
	struct meaning meaning = leads_meaning(leads->arena, path,
	    leads->where);

	for (size_t i = 0; i < meaning.n; i++)
		ask(leads, to, meaning.names[i]);
	if (!meaning.told)
		add_lead(leads, to, only_host_knows);
}

static void
ask_view(struct leads *leads, struct path_leads *to, struct span path)
{
	struct meaning meaning = leads_meaning(leads->arena, path,
	    leads->where);
	struct span others[VARIANTS];

	if (!meaning.told) {
		add_lead(leads, to, only_host_knows);
		return;
	}
	for (size_t i = 0; i < meaning.n; i++) {
		size_t n = variants(leads->arena, meaning.names[i], others);

		ask(leads, to, meaning.names[i]);
		for (size_t k = 0; k < n; k++)
			ask(leads, to, others[k]);
	}
}

/*
 * The leads of PATH in KNOWN.  *NEW: it is asked for the first time.  A branch
 * may have thousands of edits of one file.
 */
static struct path_leads *
look_up(struct leads *leads, struct map *known, struct span path, bool *new)
{
	uint64_t *found = map_at(known, path, 0);
	struct path_leads *of;

	*new = *found == 0;
	if (!*new)
		return (struct path_leads *)(uintptr_t)*found;
	of = arena_array(leads->arena, 1, sizeof(*of));
	of->before = leads->last;
	leads->last = of;
	*found = (uintptr_t)of;
	return of;
}

const struct path_leads *
leads_of_edit(struct leads *leads, struct span path)
{
	bool new;
	struct path_leads *of = look_up(leads, leads->edits, path, &new);

	if (new)
		ask_edit(leads, of, path);
	return of;
}

const struct path_leads *
leads_of_view(struct leads *leads, struct span path)
{
	bool new;
	struct path_leads *of = look_up(leads, leads->views, path, &new);
	struct range range;

	if (!new)
		return of;
	/* With a range it was the file before the colon, or one named so. */
	if (range_split(path, &range) == RANGE_GOOD)
		ask_view(leads, of, range.path);
	ask_view(leads, of, path);
	return of;
}

bool
leads_hold(const struct leads *leads, struct arena *scratch)
{
	const struct path_leads *of = leads->last;

	for (; of != NULL; of = of->before)
		for (size_t i = 0; i < of->n; i++)
			if (of->list[i].name.n > 0 &&
			    !span_eq(real_of(scratch, of->list[i].name),
				of->list[i].real))
				return false;
	return true;
}
