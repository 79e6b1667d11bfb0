#include "unit.h"

#include "replay/trust.h"

/* ---- a small world: few files, names, scopes and versions ---- */

enum { PATHS = 3, NAMES = 5, SCOPES = 5, VERSIONS = 4, NONE = -1 };

/* The first names are paths too; the others are links. */
static const char *const names[NAMES] = {"/a", "/b", "/c", "/link", "/other"};

static const struct scope scopes[SCOPES] = {
	{SCOPE_FULL, 0, 0},
	{SCOPE_RANGE, 1, 5},
	{SCOPE_RANGE, 4, 9},
	{SCOPE_RANGE, 20, 30},
	{SCOPE_RANGE, 1, 40},
};

enum { FULL, R1, R2, R3, R4 }; /* indices of the scopes */
enum { A, B, C };              /* files and versions */
enum { LINK = 3, OTHER = 4 };  /* names that are no paths */

/* Versions differ in their last byte only. */
static struct digest
version(int number)
{
	struct digest d = {{0xaa}};

	d.bytes[DIGEST_BYTES - 1] = (uint8_t)number;
	return d;
}

static int
version_number(const struct digest *d)
{
	struct digest same = version(d->bytes[DIGEST_BYTES - 1]);

	assert_true(digest_eq(d, &same));
	return d->bytes[DIGEST_BYTES - 1];
}

/* What happened, in numbers. */
struct happening {
	enum event_kind kind;
	int path, name, scope;
	enum mode mode;
	int base; /* NONE: it says none */
	int served;
	bool sealed; /* its text is stored and intact: it was delivered */
	bool veiled; /* something else stands in its place by now */
};

/* How many lines a version has: the last range ends with version A. */
static uint64_t
lines_of(int hash)
{
	return 40 + (uint64_t)hash;
}

static struct event
event_of(const struct happening *h)
{
	struct event event = {
	    .kind = h->kind,
	    .path = span_str(names[h->path]),
	    .name = span_str(names[h->name]),
	    .scope = h->kind == EVENT_BLIND ? scope_full() : scopes[h->scope],
	    .mode = h->mode,
	    .has_base = h->base != NONE,
	    .sealed = h->sealed,
	    .veiled = h->veiled,
	    .total = lines_of(h->served),
	    .served = version(h->served),
	    .base = version(h->base != NONE ? h->base : 99),
	};

	return event;
}

/* ---- SPEC 6 and T6, T7, T11, T12 once more, word by word ---- */

struct cell {
	int hash; /* NONE: empty */
	unsigned seq;
	unsigned shown; /* when its text was */
	bool refreshed;
	bool told_as_refreshed; /* must be the reason why there is no base */
	bool maybe_refreshed;   /* may be the reason: emptied since */
};

/* Something that was shown (T6). */
struct showing {
	int path, name, scope, hash; /* hash is NONE: nobody knows (T12) */
	unsigned seq;
	bool veiled;
};

enum { MOST_SHOWN = 512 };

struct model {
	struct cell cells[PATHS][NAMES][SCOPES];
	bool known[PATHS][NAMES]; /* the file was read under the name */
	int named[NAMES];         /* the file last read under the name */
	struct showing shown[MOST_SHOWN];
	size_t nshown;
	unsigned seq;
};

static void
model_empty_file(struct model *m, int path)
{
	for (int n = 0; n < NAMES; n++) {
		m->known[path][n] = false;
		for (int s = 0; s < SCOPES; s++) {
			struct cell *cell = &m->cells[path][n][s];

			cell->maybe_refreshed |= cell->refreshed;
			cell->refreshed = cell->told_as_refreshed = false;
			cell->hash = NONE;
		}
	}
}

static void
model_init(struct model *m)
{
	memset(m, 0, sizeof(*m));
	for (int n = 0; n < NAMES; n++)
		m->named[n] = NONE;
	for (int p = 0; p < PATHS; p++)
		model_empty_file(m, p);
}

static bool
is_anchor(enum mode mode)
{
	return mode == MODE_FULL || mode == MODE_FALLBACK;
}

/* Is there such an answer at all? */
static bool
is_in_the_table(const struct happening *h)
{
	return is_anchor(h->mode) ||
	    (h->mode == MODE_UNCHANGED_RANGE) == (h->scope != FULL);
}

/* "event" and "guard" of the table's first four rows. */
static bool
model_guard(const struct model *m, const struct happening *h)
{
	const struct cell *full = &m->cells[h->path][h->name][FULL];
	const struct cell *own = &m->cells[h->path][h->name][h->scope];
	bool is_full = h->scope == FULL;
	bool full_is_base = h->base != NONE && full->hash == h->base;
	bool own_is_base = h->base != NONE && own->hash == h->base;

	if (is_anchor(h->mode))
		return true;
	if (h->mode == MODE_UNCHANGED && is_full)
		return full_is_base && h->served == h->base;
	if (h->mode == MODE_DIFF && is_full)
		return full_is_base;
	if (h->mode == MODE_UNCHANGED_RANGE && !is_full)
		return (own_is_base || full_is_base) && !own->refreshed;
	return false;
}

/* Every read and every sighting has a number and tells where a name led. */
static void
model_arrive(struct model *m, const struct happening *h)
{
	m->seq++;
	m->named[h->name] = h->path;
}

static void
model_show(struct model *m, const struct happening *h)
{
	assert_true(m->nshown < MOST_SHOWN);
	m->shown[m->nshown++] = (struct showing){h->path, h->name, h->scope,
	    h->served, m->seq, h->veiled};
}

/* T6: of the same file by whatever name, or by the same name. */
static bool
concerns(const struct showing *shown, int path, int name)
{
	return shown->path == path || shown->name == name;
}

/* Certainly delivered, or resting on something that was shown. */
static bool
model_was_shown(const struct model *m, const struct happening *h)
{
	if (!is_in_the_table(h))
		return false;
	for (size_t i = 0; i < m->nshown; i++)
		if (concerns(&m->shown[i], h->path, h->name) &&
		    h->base != NONE && m->shown[i].hash == h->base)
			return true;
	return h->sealed;
}

/* Was anything but the base of a diff shown after SEQ? */
static bool
model_shown_otherwise(const struct model *m, const struct happening *h,
    unsigned seq)
{
	for (size_t i = 0; i < m->nshown; i++)
		if (m->shown[i].seq > seq &&
		    concerns(&m->shown[i], h->path, h->name) &&
		    (m->shown[i].veiled || m->shown[i].hash != h->base))
			return true;
	return false;
}

/* When the text was shown that a derived answer speaks of. */
static unsigned
model_shown(const struct model *m, const struct happening *h)
{
	const struct cell *full = &m->cells[h->path][h->name][FULL];
	const struct cell *own = &m->cells[h->path][h->name][h->scope];
	unsigned shown = 0;

	if (is_anchor(h->mode))
		return m->seq;
	if (own->hash == h->base)
		shown = own->shown;
	if (full->hash == h->base && full->shown > shown)
		shown = full->shown;
	if (h->mode == MODE_DIFF && !model_shown_otherwise(m, h, shown))
		return m->seq;
	return shown;
}

static void
model_end_refresh(struct cell *cell)
{
	cell->refreshed = cell->told_as_refreshed = false;
	cell->maybe_refreshed = false;
}

static void
model_read(struct model *m, const struct happening *h)
{
	bool met = model_guard(m, h);
	struct cell *cells = m->cells[h->path][h->name];
	unsigned shown;

	model_arrive(m, h);
	m->known[h->path][h->name] = true;
	if (!met) {
		if (model_was_shown(m, h))
			model_show(m, h);
		return;
	}
	shown = model_shown(m, h);
	cells[h->scope].hash = h->served;
	cells[h->scope].seq = m->seq;
	cells[h->scope].shown = shown;
	if (is_anchor(h->mode) || h->mode == MODE_DIFF)
		model_show(m, h);
	if (!is_anchor(h->mode))
		return;
	model_end_refresh(&cells[h->scope]);
	for (int s = 0; h->scope == FULL && s < SCOPES; s++)
		model_end_refresh(&cells[s]);
}

static void
model_sight(struct model *m, const struct happening *h)
{
	model_arrive(m, h);
	model_show(m, h);
}

static void
model_invalidate(struct model *m, int path, int scope)
{
	if (scope == FULL) {
		model_empty_file(m, path);
		return;
	}
	for (int n = 0; n < NAMES; n++) {
		struct cell *cell = &m->cells[path][n][scope];

		cell->hash = NONE;
		cell->refreshed = true;
		cell->told_as_refreshed |= m->known[path][n];
	}
}

static void
model_apply(struct model *m, const struct happening *h)
{
	switch (h->kind) {
	case EVENT_READ:
		model_read(m, h);
		break;
	case EVENT_SIGHTING:
		model_sight(m, h);
		break;
	case EVENT_INVALIDATE:
		model_invalidate(m, h->path, h->scope);
		break;
	case EVENT_BLIND:
		m->seq++;
		model_show(m, &(struct happening){.path = h->name,
		    .name = h->name, .served = NONE, .veiled = true});
		if (h->name < PATHS)
			model_empty_file(m, h->name);
		if (m->named[h->name] != NONE)
			model_empty_file(m, m->named[h->name]);
		break;
	case EVENT_FORGET:
		for (int p = 0; p < PATHS; p++)
			model_empty_file(m, p);
		break;
	case EVENT_EDITED:
		m->seq++; /* it has its place among the views */
		break;
	case EVENT_EDIT_FAILED:
		break; /* it proves nothing and voids nothing */
	}
}

static bool
model_moved(const struct model *m, int path, int name)
{
	return m->named[name] != NONE && m->named[name] != path;
}

/* The base of a request, or NULL. */
static const struct cell *
model_base(const struct model *m, int path, int name, int scope)
{
	const struct cell *full = &m->cells[path][name][FULL];
	const struct cell *own = &m->cells[path][name][scope];

	if (model_moved(m, path, name) || own->refreshed)
		return NULL;
	if (own->hash == NONE)
		return full->hash != NONE ? full : NULL;
	return full->hash != NONE && full->seq > own->seq ? full : own;
}

/* ---- comparison ---- */

/* Is VIEW what the model remembers of SHOWN? */
static bool
same_view(const struct trust_view *view, const struct showing *shown)
{
	struct digest hash = version(shown->hash);
	uint64_t total = lines_of(shown->hash);
	bool full = shown->scope == FULL;
	uint64_t last = full ? total : scopes[shown->scope].last;

	return digest_eq(&view->hash, &hash) &&
	    view->first == (full ? 1 : scopes[shown->scope].first) &&
	    view->last == last && view->total == total &&
	    view->ends == (last == total) && view->veiled == shown->veiled;
}

/* The views must be what was shown of the file or by the name. */
static void
compare_views(const struct model *m, const struct trust *trust, int path,
    int name)
{
	struct span file = span_str(names[path]), by = span_str(names[name]);
	struct trust_views views = trust_views(trust, file, by);
	const struct trust_view *view = trust_next_view(&views);

	for (size_t i = m->nshown; i > 0; i--) {
		const struct showing *shown = &m->shown[i - 1];

		if (!concerns(shown, path, name))
			continue;
		CHECK(view != NULL && view->seq == shown->seq,
		    "T6: path %d name %d, the view at %u is missing", path,
		    name, shown->seq);
		CHECK(shown->hash == NONE ? view->veiled
					  : same_view(view, shown),
		    "T6: path %d name %d, the view at %u", path, name,
		    shown->seq);
		view = trust_next_view(&views);
	}
	CHECK(view == NULL, "T6: path %d name %d, a view that was not shown",
	    path, name);
}

/* Is WHY a right reason for there being no base? */
static bool
right_reason(const struct model *m, int path, int name, int scope,
    enum trust_find why)
{
	const struct cell *own = &m->cells[path][name][scope];
	bool moved = model_moved(m, path, name);

	switch (why) {
	case TRUST_MOVED:
		return moved;
	case TRUST_REFRESHED:
		return own->refreshed || own->maybe_refreshed;
	case TRUST_NEVER:
		return !moved && !own->told_as_refreshed;
	case TRUST_FOUND:
		break;
	}
	return false;
}

static void
compare_find(const struct model *m, const struct trust *trust, int path,
    int name, int scope)
{
	const struct cell *expected = model_base(m, path, name, scope);
	struct trust_base base;
	enum trust_find found = trust_find(trust, span_str(names[path]),
	    span_str(names[name]), scopes[scope], &base);

	if (expected == NULL) {
		CHECK(right_reason(m, path, name, scope, found),
		    "path %d name %d scope %d: %d", path, name, scope, found);
		return;
	}
	CHECK(found == TRUST_FOUND, "path %d name %d scope %d: %d", path, name,
	    scope, found);
	CHECK(version_number(&base.hash) == expected->hash,
	    "path %d name %d scope %d: version %d, not %d", path, name, scope,
	    version_number(&base.hash), expected->hash);
	CHECK(base.seq == expected->shown,
	    "path %d name %d scope %d: shown at %llu, not %u", path, name,
	    scope, (unsigned long long)base.seq, expected->shown);
}

static void
compare(const struct model *m, const struct trust *trust)
{
	uint64_t want_paths = 0, want_scopes = 0, have_paths, have_scopes;

	for (int p = 0; p < PATHS; p++) {
		uint64_t here = 0;

		for (int n = 0; n < NAMES; n++) {
			for (int s = 0; s < SCOPES; s++) {
				here += m->cells[p][n][s].hash != NONE;
				compare_find(m, trust, p, n, s);
			}
			compare_views(m, trust, p, n);
		}
		want_scopes += here;
		want_paths += here > 0;
	}
	trust_count(trust, &have_paths, &have_scopes);
	assert_int_equal(have_paths, want_paths);
	assert_int_equal(have_scopes, want_scopes);
}

/* A model and the real thing, fed with the same events. */
struct pair {
	struct model model;
	struct trust *trust;
};

static struct pair *
pair_new(struct arena *arena)
{
	struct pair *pair = arena_alloc(arena, sizeof(*pair));

	model_init(&pair->model);
	pair->trust = trust_new(arena);
	return pair;
}

static enum trust_step
feed(struct pair *pair, const struct happening *h)
{
	struct event event = event_of(h);
	bool set = h->kind == EVENT_READ && model_guard(&pair->model, h);
	enum trust_step step;

	model_apply(&pair->model, h);
	step = trust_apply(pair->trust, &event);
	CHECK((step == TRUST_SET) == set, "step %d", step);
	if (h->kind == EVENT_INVALIDATE || h->kind == EVENT_FORGET)
		assert_int_equal(step, TRUST_CLEARED);
	return step;
}

/* ---- events by hand; the file is /a under its own name ---- */

static enum trust_step
show(struct pair *pair, enum mode mode, int scope, int base, int served)
{
	return feed(pair, &(struct happening){EVENT_READ, A, A, scope, mode,
	    base, served, true, false});
}

static void
anchor(struct pair *pair, int scope, int served)
{
	assert_int_equal(show(pair, MODE_FULL, scope, NONE, served),
	    TRUST_SET);
}

static void
sight(struct pair *pair, int scope, int served)
{
	(void)feed(pair, &(struct happening){EVENT_SIGHTING, A, A, scope,
	    MODE_FULL, NONE, served, false, false});
}

static void
invalidate(struct pair *pair, int scope)
{
	(void)feed(pair, &(struct happening){EVENT_INVALIDATE, A, A, scope,
	    MODE_FULL, NONE, 0, false, false});
}

/* PATH was read in full under NAME. */
static void
read_as(struct pair *pair, int path, int name, int served)
{
	(void)feed(pair, &(struct happening){EVENT_READ, path, name, FULL,
	    MODE_FULL, NONE, served, true, false});
}

static void
blind(struct pair *pair, int name)
{
	(void)feed(pair, &(struct happening){EVENT_BLIND, A, name, FULL,
	    MODE_FULL, NONE, 0, false, false});
}

/* The version that is the base for SCOPE of PATH under NAME. */
static void
expect_base(const struct pair *pair, int path, int name, int scope,
    int hash)
{
	struct trust_base base;

	assert_int_equal(trust_find(pair->trust, span_str(names[path]),
			     span_str(names[name]), scopes[scope], &base),
	    TRUST_FOUND);
	assert_int_equal(version_number(&base.hash), hash);
}

static void
expect_none(const struct pair *pair, int path, int name, int scope,
    enum trust_find why)
{
	struct trust_base base;

	assert_int_equal(trust_find(pair->trust, span_str(names[path]),
			     span_str(names[name]), scopes[scope], &base),
	    why);
}

static const struct trust_view *
newest_view(const struct trust *trust, struct span file)
{
	struct trust_views views = trust_views(trust, file, file);

	return trust_next_view(&views);
}

/* The versions of /a that were shown after the base of SCOPE, newest first. */
static void
expect_newer(const struct pair *pair, int scope, const char *versions)
{
	struct trust_views views = trust_views(pair->trust, SPAN("/a"),
	    SPAN("/a"));
	const struct trust_view *view = trust_next_view(&views);
	struct trust_base base;
	char found[64];
	size_t n = 0;

	assert_int_equal(trust_find(pair->trust, SPAN("/a"), SPAN("/a"),
			     scopes[scope], &base),
	    TRUST_FOUND);
	while (view != NULL && view->seq > base.seq) {
		found[n++] = (char)('A' + version_number(&view->hash));
		view = trust_next_view(&views);
	}
	found[n] = '\0';
	assert_string_equal(found, versions);
}

/* ---- the transition table ---- */

enum slot_state { EMPTY, SAME, DIFFERENT, SLOT_STATES };

/* A slot that is empty, or trusts what will be the base (A), or else (C). */
static void
prepare(struct pair *pair, int scope, enum slot_state state)
{
	if (state != EMPTY)
		anchor(pair, scope, state == SAME ? A : C);
}

static void
check_cell(struct arena *arena, int cell)
{
	static const int bases[] = {NONE, A, B}; /* B: nobody has it */
	enum mode mode = (enum mode)(cell % MODE_PLAIN);
	int scope = cell / 5 % 2 == 0 ? FULL : R1;
	enum slot_state full = (enum slot_state)(cell / 10 % SLOT_STATES);
	enum slot_state own = (enum slot_state)(cell / 30 % SLOT_STATES);
	int base = bases[cell / 90 % 3];
	bool served_is_base = cell / 270 % 2 == 0;
	bool refreshed = cell / 540 % 2 == 1;
	bool swapped = cell / 1080 % 2 == 1;
	struct pair *pair = pair_new(arena);

	/* Which of the two is fresher must not matter to the guards. */
	prepare(pair, swapped ? R1 : FULL, swapped ? own : full);
	prepare(pair, swapped ? FULL : R1, swapped ? full : own);
	if (refreshed)
		invalidate(pair, R1);
	compare(&pair->model, pair->trust);
	(void)show(pair, mode, scope, base,
	    served_is_base && base != NONE ? base : 3);
	compare(&pair->model, pair->trust);
}

static void
every_cell_of_the_table(struct arena *arena)
{
	for (int cell = 0; cell < 2160; cell++) {
		check_cell(arena, cell);
		arena_reset(arena);
	}
}

/* ---- which base ---- */

static void
fresher_slot_wins(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, R1, A);
	expect_base(pair, A, A, R1, A);
	expect_none(pair, A, A, FULL, TRUST_NEVER);
	expect_none(pair, A, A, R2, TRUST_NEVER);
	anchor(pair, FULL, B);
	expect_base(pair, A, A, R1, B);
	expect_base(pair, A, A, R2, B);
	expect_base(pair, A, A, FULL, B);
	anchor(pair, R1, C);
	expect_base(pair, A, A, R1, C);
	expect_base(pair, A, A, R2, B);
	expect_base(pair, A, A, FULL, B);
	/* A marker makes its slot fresh again. */
	assert_int_equal(show(pair, MODE_UNCHANGED, FULL, B, B), TRUST_SET);
	expect_base(pair, A, A, R1, B);
	assert_int_equal(show(pair, MODE_DIFF, FULL, B, 3), TRUST_SET);
	expect_base(pair, A, A, R1, 3);
	compare(&pair->model, pair->trust);
}

/* An ignored event is a valid read event: it counts, but proves nothing. */
static void
ignored_events_change_no_base(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	assert_int_equal(show(pair, MODE_DIFF, FULL, B, C), TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_UNCHANGED, FULL, A, B),
	    TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_UNCHANGED, R1, A, A), TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_DIFF, R1, A, B), TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, FULL, A, A),
	    TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, R1, C, C),
	    TRUST_IGNORED);
	expect_base(pair, A, A, FULL, A);
	expect_base(pair, A, A, R1, A);
}

/* A range's trust says nothing about the whole file. */
static void
ranges_do_not_make_full(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, R4, A);
	expect_none(pair, A, A, FULL, TRUST_NEVER);
	expect_none(pair, A, A, R1, TRUST_NEVER); /* although R4 covers it */
	assert_int_equal(show(pair, MODE_DIFF, FULL, A, B), TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_UNCHANGED, FULL, A, A),
	    TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, R1, A, A),
	    TRUST_IGNORED);
}

static void
nothing_is_known_at_first(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	compare(&pair->model, pair->trust);
	expect_none(pair, A, A, FULL, TRUST_NEVER);
	blind(pair, A);
	invalidate(pair, FULL);
	compare(&pair->model, pair->trust);
}

/* ---- invalidation and T7 ---- */

static void
invalidating_full_empties_all(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	anchor(pair, R1, A);
	read_as(pair, B, B, A);
	invalidate(pair, FULL);
	for (int s = 0; s < SCOPES; s++)
		expect_none(pair, A, A, s, TRUST_NEVER);
	expect_base(pair, B, B, FULL, A);
	/* What rests on it fails too. */
	assert_int_equal(show(pair, MODE_UNCHANGED, FULL, A, A),
	    TRUST_IGNORED);
	assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, R1, A, A),
	    TRUST_IGNORED);
	anchor(pair, FULL, A);
	expect_base(pair, A, A, R1, A);
	compare(&pair->model, pair->trust);
}

static void
refreshed_range_has_no_base(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	anchor(pair, R1, A);
	invalidate(pair, R1);
	expect_none(pair, A, A, R1, TRUST_REFRESHED);
	expect_base(pair, A, A, FULL, A);
	expect_base(pair, A, A, R2, A); /* although it overlaps */
	/* Neither markers nor diffs end it, of the range or of full. */
	assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, R1, A, A),
	    TRUST_IGNORED);
	expect_none(pair, A, A, R1, TRUST_REFRESHED);
	assert_int_equal(show(pair, MODE_UNCHANGED, FULL, A, A), TRUST_SET);
	expect_none(pair, A, A, R1, TRUST_REFRESHED);
	assert_int_equal(show(pair, MODE_DIFF, FULL, A, B), TRUST_SET);
	expect_none(pair, A, A, R1, TRUST_REFRESHED);
	anchor(pair, R2, A);
	anchor(pair, R4, A); /* another range, even a larger one */
	expect_none(pair, A, A, R1, TRUST_REFRESHED);
	sight(pair, R1, A);
	sight(pair, FULL, A);
	expect_none(pair, A, A, R1, TRUST_REFRESHED);
	compare(&pair->model, pair->trust);
}

static void
anchors_end_a_refresh(struct arena *arena)
{
	static const enum mode anchors[] = {MODE_FULL, MODE_FALLBACK};
	static const int by[] = {R1, FULL};

	for (size_t i = 0; i < COUNT_OF(anchors); i++) {
		for (size_t k = 0; k < COUNT_OF(by); k++) {
			struct pair *pair = pair_new(arena);

			anchor(pair, FULL, A);
			invalidate(pair, R1);
			invalidate(pair, R2);
			assert_int_equal(show(pair, anchors[i], by[k], NONE,
					     B),
			    TRUST_SET);
			expect_base(pair, A, A, R1, B);
			if (by[k] == FULL)
				expect_base(pair, A, A, R2, B);
			else
				expect_none(pair, A, A, R2, TRUST_REFRESHED);
			assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, R1,
					     B, B),
			    TRUST_SET);
			compare(&pair->model, pair->trust);
		}
	}
}

/* A range may be refreshed before it was ever seen. */
static void
refresh_of_the_unseen(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	invalidate(pair, R1);
	compare(&pair->model, pair->trust);
	anchor(pair, R2, A);
	compare(&pair->model, pair->trust);
	anchor(pair, FULL, A);
	expect_base(pair, A, A, R1, A);
	compare(&pair->model, pair->trust);
}

/* It concerns the file under all its names. */
static void
refresh_under_another_name(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	read_as(pair, A, A, A);
	read_as(pair, A, LINK, A);
	invalidate(pair, R1);
	expect_none(pair, A, A, R1, TRUST_REFRESHED);
	expect_none(pair, A, LINK, R1, TRUST_REFRESHED);
	expect_base(pair, A, LINK, FULL, A);
	invalidate(pair, FULL);
	expect_none(pair, A, A, FULL, TRUST_NEVER);
	expect_none(pair, A, LINK, FULL, TRUST_NEVER);
	compare(&pair->model, pair->trust);
}

/* ---- T6 ---- */

static void
newer_views(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, R1, A);
	expect_newer(pair, R1, "");
	anchor(pair, R2, B);
	anchor(pair, R3, C);
	expect_newer(pair, R1, "CB");
	expect_newer(pair, R2, "C");
	expect_newer(pair, R3, "");
	anchor(pair, R1, B);
	expect_newer(pair, R1, "");
	expect_newer(pair, R2, "BC");
	compare(&pair->model, pair->trust);
}

/* They confirm a text, but show none: it stays as old as it is. */
static void
markers_make_no_text_newer(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	anchor(pair, R1, B);
	assert_int_equal(show(pair, MODE_UNCHANGED, FULL, A, A), TRUST_SET);
	expect_base(pair, A, A, FULL, A);
	expect_newer(pair, FULL, "B");
	assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, R2, A, A),
	    TRUST_SET);
	expect_newer(pair, R2, "B");
	/* The marker is the fresher one, the text is still the older one. */
	expect_base(pair, A, A, R1, A);
	expect_newer(pair, R1, "B");
	compare(&pair->model, pair->trust);
}

/* A diff shows its new text, unless another version was shown meanwhile. */
static void
diffs_are_views(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	anchor(pair, R1, A);
	assert_int_equal(show(pair, MODE_DIFF, FULL, A, B), TRUST_SET);
	expect_base(pair, A, A, FULL, B);
	expect_newer(pair, FULL, "");
	expect_newer(pair, R1, "");
	anchor(pair, R1, A);
	expect_newer(pair, FULL, "A");
	assert_int_equal(show(pair, MODE_DIFF, FULL, B, C), TRUST_SET);
	expect_newer(pair, FULL, "CA");
	anchor(pair, FULL, C);
	expect_newer(pair, FULL, "");
	compare(&pair->model, pair->trust);
}

/* With two texts to rest on, the later one is meant. */
static void
range_marker_rests_on_the_later_text(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, R1, A);
	anchor(pair, R2, B);
	anchor(pair, FULL, A);
	anchor(pair, R3, C);
	assert_int_equal(show(pair, MODE_UNCHANGED_RANGE, R1, A, B),
	    TRUST_SET);
	expect_base(pair, A, A, R1, B);
	expect_newer(pair, R1, "C");
	compare(&pair->model, pair->trust);
}

static void
what_a_view_says(struct arena *arena)
{
	struct pair *pair = pair_new(arena);
	const struct trust_view *view;

	anchor(pair, FULL, B); /* 41 lines */
	anchor(pair, R4, B);   /* 1-40 of them */
	anchor(pair, R4, A);   /* all 40 */
	view = newest_view(pair->trust, SPAN("/a"));
	assert_true(view->first == 1 && view->last == 40 &&
	    view->total == 40 && view->ends);
	view = view->path_before;
	assert_true(view->first == 1 && view->last == 40 &&
	    view->total == 41 && !view->ends);
	view = view->path_before;
	assert_true(view->first == 1 && view->last == 41 &&
	    view->total == 41 && view->ends);
	assert_null(view->path_before);
	assert_null(newest_view(pair->trust, SPAN("/b")));
}

/* Refreshed, edited or altered: what was shown was shown. */
static void
what_is_no_base_is_still_newer(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	anchor(pair, R1, B);
	invalidate(pair, R1);
	expect_newer(pair, FULL, "B");
	expect_newer(pair, R2, "B");
	sight(pair, R3, C);
	expect_newer(pair, FULL, "CB");
	/* Of the base's own scope too. */
	sight(pair, FULL, C);
	expect_newer(pair, FULL, "CCB");
	compare(&pair->model, pair->trust);
}

static void
veiled_views(struct arena *arena)
{
	struct pair *pair = pair_new(arena);
	const struct trust_view *view;

	anchor(pair, FULL, A);
	(void)feed(pair, &(struct happening){EVENT_SIGHTING, A, A, R1,
	    MODE_FULL, NONE, A, false, true});
	view = newest_view(pair->trust, SPAN("/a"));
	assert_true(view->veiled);
	assert_false(view->path_before->veiled);
	compare(&pair->model, pair->trust);
}

/* Another name does not make another file. */
static void
views_under_another_name(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, R1, A);
	read_as(pair, A, LINK, B);
	expect_newer(pair, R1, "B");
	read_as(pair, B, LINK, C); /* but another file is another one */
	expect_newer(pair, R1, "B");
	compare(&pair->model, pair->trust);
}

/*
 * A diff whose base was edited away proves nothing, but it was delivered:
 * the reader has its new lines before its eyes.
 */
static void
ignored_view_is_still_newer(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, R1, A);
	sight(pair, FULL, B);
	assert_int_equal(show(pair, MODE_DIFF, FULL, B, C), TRUST_IGNORED);
	expect_newer(pair, R1, "CB");
	compare(&pair->model, pair->trust);
}

/*
 * Lines 4-9 of version B are trusted, in the context and newer than the
 * base; then a read of the same lines in the base's version is edited away.
 * What is no evidence must not hide what is.
 */
static void
sighting_hides_no_evidence(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, R1, A);
	anchor(pair, R2, B);
	sight(pair, R2, A);
	expect_base(pair, A, A, R2, B);
	expect_newer(pair, R1, "AB");
	compare(&pair->model, pair->trust);
}

/* ---- T11 ---- */

static void
a_second_name_starts_anew(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	read_as(pair, A, A, A);
	expect_none(pair, A, LINK, FULL, TRUST_NEVER);
	read_as(pair, A, LINK, B);
	expect_base(pair, A, LINK, FULL, B);
	expect_base(pair, A, A, FULL, A);
	/* Nor may a derived answer rest on the other name's. */
	(void)feed(pair, &(struct happening){EVENT_READ, A, OTHER, FULL,
	    MODE_UNCHANGED, B, B, true, false});
	expect_none(pair, A, OTHER, FULL, TRUST_NEVER);
	compare(&pair->model, pair->trust);
}

static void
a_name_that_moved(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	read_as(pair, A, LINK, A);
	read_as(pair, A, A, A);
	read_as(pair, B, LINK, B);
	expect_none(pair, A, LINK, FULL, TRUST_MOVED);
	expect_base(pair, B, LINK, FULL, B);
	expect_base(pair, A, A, FULL, A); /* under its own name it is known */
	/* A file nobody has heard of, under a name that led elsewhere. */
	expect_none(pair, C, LINK, FULL, TRUST_MOVED);
	/* Turned back and read again. */
	read_as(pair, A, LINK, C);
	expect_base(pair, A, LINK, FULL, C);
	expect_none(pair, B, LINK, FULL, TRUST_MOVED);
	compare(&pair->model, pair->trust);
}

/* A file replaced by a link: its own path was the name. */
static void
a_path_that_became_a_link(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	read_as(pair, A, A, A);
	read_as(pair, B, B, B);
	expect_none(pair, B, A, FULL, TRUST_MOVED);
	read_as(pair, B, A, B);
	expect_base(pair, B, A, FULL, B);
	expect_none(pair, A, A, FULL, TRUST_MOVED);
	compare(&pair->model, pair->trust);
}

/* Every read tells where its name led, also if it proves nothing. */
static void
views_that_prove_nothing_still_move(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	read_as(pair, A, LINK, A);
	(void)feed(pair, &(struct happening){EVENT_SIGHTING, B, LINK, FULL,
	    MODE_FULL, NONE, B, false, false});
	expect_none(pair, A, LINK, FULL, TRUST_MOVED);
	read_as(pair, A, LINK, A);
	(void)feed(pair, &(struct happening){EVENT_READ, B, LINK, FULL,
	    MODE_DIFF, C, B, false, false});
	expect_none(pair, A, LINK, FULL, TRUST_MOVED);
	compare(&pair->model, pair->trust);
}

/* ---- T12 and the unknown ---- */

static void
blind_view_by_real_path(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	anchor(pair, R1, A);
	read_as(pair, A, LINK, A);
	read_as(pair, B, B, B);
	blind(pair, A);
	for (int s = 0; s < SCOPES; s++)
		expect_none(pair, A, A, s, TRUST_NEVER);
	expect_none(pair, A, LINK, FULL, TRUST_NEVER);
	expect_base(pair, B, B, FULL, B);
	assert_int_equal(show(pair, MODE_DIFF, FULL, A, B), TRUST_IGNORED);
	anchor(pair, FULL, C); /* what comes after it counts */
	expect_base(pair, A, A, FULL, C);
	compare(&pair->model, pair->trust);
}

static void
blind_view_by_name(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	read_as(pair, A, A, A);
	read_as(pair, A, LINK, A);
	read_as(pair, B, B, B);
	blind(pair, OTHER); /* nobody knows where it leads */
	expect_base(pair, A, A, FULL, A);
	expect_base(pair, A, LINK, FULL, A);
	blind(pair, LINK);
	expect_none(pair, A, A, FULL, TRUST_NEVER);
	expect_none(pair, A, LINK, FULL, TRUST_NEVER);
	expect_base(pair, B, B, FULL, B);
	compare(&pair->model, pair->trust);
}

/* A path that is also a name: both files are in doubt. */
static void
blind_view_of_both(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	read_as(pair, A, LINK, A);
	read_as(pair, B, A, B);
	read_as(pair, C, C, C);
	blind(pair, A);
	expect_none(pair, A, LINK, FULL, TRUST_NEVER);
	expect_none(pair, B, A, FULL, TRUST_NEVER);
	expect_base(pair, C, C, FULL, C);
	compare(&pair->model, pair->trust);
}

static void
forgetting_empties_everything(struct arena *arena)
{
	struct pair *pair = pair_new(arena);
	uint64_t paths, in_scopes;

	anchor(pair, FULL, A);
	anchor(pair, R1, B);
	read_as(pair, B, LINK, B);
	trust_count(pair->trust, &paths, &in_scopes);
	assert_int_equal(paths, 2);
	assert_int_equal(in_scopes, 3);
	(void)feed(pair, &(struct happening){.kind = EVENT_FORGET,
	    .base = NONE});
	trust_count(pair->trust, &paths, &in_scopes);
	assert_int_equal(paths, 0);
	assert_int_equal(in_scopes, 0);
	expect_none(pair, A, A, FULL, TRUST_NEVER);
	expect_none(pair, B, LINK, FULL, TRUST_NEVER);
	anchor(pair, R1, C);
	expect_base(pair, A, A, R1, C);
	compare(&pair->model, pair->trust);
}

static void
counting(struct arena *arena)
{
	struct pair *pair = pair_new(arena);
	uint64_t paths, in_scopes;

	sight(pair, FULL, A); /* is not trusted */
	invalidate(pair, R3); /* nor is this */
	trust_count(pair->trust, &paths, &in_scopes);
	assert_int_equal(paths, 0);
	assert_int_equal(in_scopes, 0);
	anchor(pair, R1, A);
	anchor(pair, R1, B); /* the same scope again */
	anchor(pair, R2, B);
	trust_count(pair->trust, &paths, &in_scopes);
	assert_int_equal(paths, 1);
	assert_int_equal(in_scopes, 2);
	invalidate(pair, R1);
	trust_count(pair->trust, &paths, &in_scopes);
	assert_int_equal(paths, 1);
	assert_int_equal(in_scopes, 1);
	invalidate(pair, FULL);
	trust_count(pair->trust, &paths, &in_scopes);
	assert_int_equal(paths, 0);
	assert_int_equal(in_scopes, 0);
}

/*
 * A resident process is asked about the same fold again and again: questions
 * use up neither its memory nor its budget.
 */
static void
questions_to_a_lent_trust(struct arena *arena)
{
	enum { FOLD_BYTES = 256 * 1024, QUESTIONS = 20000 };
	struct arena *own = arena_new(FOLD_BYTES);
	struct trust *trust;
	struct event read = {
	    .kind = EVENT_READ,
	    .path = SPAN("/a"),
	    .name = SPAN("/a"),
	    .served = version(A),
	    .total = 40,
	    .sealed = true,
	};
	uint64_t left;

	if (setjmp(*arena_guard(own)) != 0)
		unit_fail(__FILE__, __LINE__, "the fold's memory is used up");
	trust = trust_new(own);
	assert_int_equal(trust_apply(trust, &read), TRUST_SET);
	left = trust_budget(trust)->left;
	for (int i = 0; i < QUESTIONS; i++) {
		const struct trust *lent = trust_lend(trust, arena);

		assert_true(trust_knows_version(lent, SPAN("/a"), SPAN("/a"),
		    &read.served, NULL));
	}
	assert_int_equal(trust_budget(trust)->left, left);
	arena_free(own);
}

/* Names are compared by content, wherever they lie in memory. */
static void
names_by_content(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	char path[] = "/a", name[] = "/a";
	struct event event = {.kind = EVENT_READ, .mode = MODE_FULL,
	    .path = {path, 2}, .name = {name, 2}, .served = version(A)};
	struct trust_base base;

	assert_int_equal(trust_apply(trust, &event), TRUST_SET);
	assert_int_equal(trust_find(trust, SPAN("/a"), SPAN("/a"),
			     scope_full(), &base),
	    TRUST_FOUND);
	assert_int_equal(trust_find(trust, SPAN("/"), SPAN("/"), scope_full(),
			     &base),
	    TRUST_NEVER);
	assert_int_equal(trust_find(trust, SPAN("/aa"), SPAN("/aa"),
			     scope_full(), &base),
	    TRUST_NEVER);
}

/* ---- coverage: SPEC 16 ---- */

static bool
is_void(const struct pair *pair, uint64_t first, uint64_t last)
{
	return trust_void(pair->trust, SPAN("/a"), SPAN("/a"), first, last);
}

static void
refreshed_lines_are_void(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	assert_false(is_void(pair, 1, 40));
	invalidate(pair, R2); /* 4 to 9 */
	assert_true(is_void(pair, 1, 4));
	assert_true(is_void(pair, 9, 9));
	assert_true(is_void(pair, 1, 40));
	assert_false(is_void(pair, 1, 3));
	assert_false(is_void(pair, 10, 40));
	/* What shows no text, or is gone, does not help. */
	(void)show(pair, MODE_UNCHANGED, FULL, A, A);
	(void)show(pair, MODE_DIFF, FULL, A, B);
	sight(pair, FULL, B);
	assert_true(is_void(pair, 6, 6));
	/* Nor does what another name showed. */
	read_as(pair, A, LINK, B);
	assert_true(is_void(pair, 6, 6));
	anchor(pair, R1, B); /* 1 to 5 */
	assert_false(is_void(pair, 1, 5));
	assert_true(is_void(pair, 5, 6));
	anchor(pair, R4, B);
	assert_false(is_void(pair, 1, 40));
}

/* A refresh of a file holds for its name too, wherever that leads now. */
static void
refreshed_by_name(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	struct event event = {.kind = EVENT_READ, .path = SPAN("/link"),
	    .name = SPAN("/link"), .mode = MODE_FULL, .scope = scope_full(),
	    .served = digest_of(SPAN("text")), .total = 40, .sealed = true};

	(void)trust_apply(trust, &event);
	event.kind = EVENT_INVALIDATE;
	(void)trust_apply(trust, &event);
	assert_true(trust_void(trust, SPAN("/a"), SPAN("/link"), 1, 5));
	assert_true(trust_void(trust, SPAN("/link"), SPAN("/b"), 1, 5));
	assert_false(trust_void(trust, SPAN("/a"), SPAN("/b"), 1, 5));
}

/* What an answer does not say to rest on is not looked at. */
static void
a_base_that_is_not_told(struct arena *arena)
{
	static const struct {
		enum mode mode;
		bool range;
	} rows[] = {{MODE_UNCHANGED, false}, {MODE_DIFF, false},
	    {MODE_UNCHANGED_RANGE, true}};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		for (int told = 0; told < 2; told++) {
			struct trust *trust = trust_new(arena);
			struct event event = {.kind = EVENT_READ,
			    .path = SPAN("/a"), .name = SPAN("/a"),
			    .mode = MODE_FULL, .scope = scope_full(),
			    .served = digest_of(SPAN("text")), .total = 40};

			assert_int_equal(
			    trust_apply(trust, &event), TRUST_SET);
			event.mode = rows[i].mode;
			event.base = event.served;
			event.has_base = told;
			if (rows[i].range)
				event.scope = scope_range(2, 3);
			CHECK(trust_apply(trust, &event) ==
				(told ? TRUST_SET : TRUST_IGNORED),
			    "row %zu, %d", i, told);
		}
}

/* By path, name and scope, and only what is trusted. */
static void
a_list_of_what_is_trusted(struct arena *arena)
{
	static const struct {
		const char *path, *name;
		uint64_t first, last; /* 0, 0: full */
	} rows[] = {/* in the order of the list */
	    {"/a", "/a", 0, 0}, {"/a", "/a", 1, 5}, {"/a", "/a", 2, 3},
	    {"/a", "/a", 2, 4}, {"/a", "/a", 2, 6}, {"/a", "/a", 2, 8},
	    {"/a", "/a", 2, 9}, {"/a", "/link", 1, 2}, {"/b", "/a", 7, 8}};
	static const size_t order[] = {8, 4, 2, 7, 6, 0, 3, 5, 1};
	struct trust *trust = trust_new(arena);
	struct trust_item *items;
	uint64_t paths, places;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		size_t k = order[i];
		struct event event = {.kind = EVENT_READ,
		    .path = span_str(rows[k].path),
		    .name = span_str(rows[k].name), .mode = MODE_FULL,
		    .scope = rows[k].first > 0
			? scope_range(rows[k].first, rows[k].last)
			: scope_full(),
		    .served = digest_of(SPAN("text")), .total = 40};

		assert_int_equal(trust_apply(trust, &event), TRUST_SET);
	}
	trust_count(trust, &paths, &places);
	assert_int_equal(paths, 2);
	assert_int_equal(places, COUNT_OF(rows));
	assert_int_equal(trust_list(trust, arena, &items), COUNT_OF(rows));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CHECK(span_eq(items[i].path, span_str(rows[i].path)) &&
			span_eq(items[i].name, span_str(rows[i].name)) &&
			items[i].scope.first == (rows[i].first > 0
					? scope_range(rows[i].first,
					      rows[i].last).first
					: scope_full().first) &&
			(rows[i].first == 0 ||
			    items[i].scope.last == rows[i].last),
		    "item %zu", i);
	}
	(void)trust_apply(trust, &(struct event){.kind = EVENT_INVALIDATE,
	    .path = SPAN("/a"), .name = SPAN("/a"),
	    .scope = scope_range(2, 3)});
	/* Of /link too: nothing was trusted there, and nothing is. */
	assert_int_equal(
	    trust_list(trust, arena, &items), COUNT_OF(rows) - 1);
}

/* However many come after it, a refresh is not forgotten. */
static void
many_refreshes(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	struct event shown = {.kind = EVENT_READ, .path = SPAN("/a"),
	    .name = SPAN("/a"), .mode = MODE_FULL, .scope = scope_full(),
	    .served = digest_of(SPAN("text")), .total = 40, .sealed = true};
	struct event refreshed = shown;

	(void)trust_apply(trust, &shown);
	refreshed.kind = EVENT_INVALIDATE;
	refreshed.scope = scope_range(4, 9);
	(void)trust_apply(trust, &refreshed);
	shown.scope = refreshed.scope = scope_range(1, 3);
	for (int i = 0; i < 600; i++) {
		CHECK(trust_void(trust, SPAN("/a"), SPAN("/a"), 6, 9),
		    "after %d others", i);
		(void)trust_apply(trust, &shown);
		(void)trust_apply(trust, &refreshed);
	}
	shown.scope = scope_full();
	(void)trust_apply(trust, &shown);
	assert_false(trust_void(trust, SPAN("/a"), SPAN("/a"), 1, 40));
}

/* Whatever empties the slots voids all lines. */
static void
unknown_states_void_everything(struct arena *arena)
{
	for (int how = 0; how < 3; how++) {
		struct pair *pair = pair_new(arena);

		anchor(pair, FULL, A);
		if (how == 0)
			invalidate(pair, FULL);
		if (how == 1)
			blind(pair, A);
		if (how == 2)
			(void)feed(pair, &(struct happening){.kind = EVENT_FORGET});
		assert_true(is_void(pair, 1, 1));
		assert_true(is_void(pair, 1000, 2000));
		anchor(pair, R1, A);
		assert_false(is_void(pair, 1, 5));
		assert_true(is_void(pair, 1, 6));
	}
}

/* The text of EVENT: N, in all of its bytes. */
static struct event
with_text(struct event event, uint8_t n)
{
	event.has_text_id = true;
	memset(event.text_id.bytes, n, sizeof(event.text_id.bytes));
	return event;
}

static uint8_t
rests_on(const struct trust *trust, struct scope scope)
{
	struct trust_base base;

	assert_int_equal(trust_find(trust, SPAN("/a"), SPAN("/a"), scope,
			     &base),
	    TRUST_FOUND);
	return base.text != NULL ? base.text->bytes[0] : 0;
}

/* What told the version: a text, a diff; never a marker. */
static void
which_text_tells(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	struct event event = {.kind = EVENT_READ, .mode = MODE_FULL,
	    .path = SPAN("/a"), .name = SPAN("/a"), .served = version(A),
	    .total = 40};
	struct event next = with_text(event, 1);

	(void)trust_apply(trust, &next);
	assert_int_equal(rests_on(trust, scope_full()), 1);
	event.has_base = true;
	event.base = version(A);
	event.mode = MODE_UNCHANGED;
	next = with_text(event, 2);
	(void)trust_apply(trust, &next);
	assert_int_equal(rests_on(trust, scope_full()), 1);
	event.mode = MODE_UNCHANGED_RANGE;
	event.scope = scope_range(3, 5);
	next = with_text(event, 3);
	(void)trust_apply(trust, &next);
	assert_int_equal(rests_on(trust, scope_range(3, 5)), 1);
	event.mode = MODE_DIFF;
	event.scope = scope_full();
	event.served = version(B);
	next = with_text(event, 4);
	(void)trust_apply(trust, &next);
	assert_int_equal(rests_on(trust, scope_full()), 4);
	/* A text of an older session has no name. */
	event.mode = MODE_FULL;
	event.has_base = false;
	(void)trust_apply(trust, &event);
	assert_int_equal(rests_on(trust, scope_full()), 0);
}

/* The notice of a long line is about that line, by whatever name. */
static void
a_long_line(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	struct event text = {.kind = EVENT_READ, .mode = MODE_FULL,
	    .path = SPAN("/a"), .name = SPAN("/a"), .served = version(A),
	    .total = 40};
	struct event notice = {.kind = EVENT_BLIND, .name = SPAN("/a"),
	    .scope = scope_range(7, 7)};
	const struct trust_view *view;
	struct trust_base base;

	(void)trust_apply(trust, &text);
	(void)trust_apply(trust, &notice);
	assert_int_equal(trust_find(trust, SPAN("/a"), SPAN("/a"),
			     scope_full(), &base),
	    TRUST_FOUND);
	view = newest_view(trust, SPAN("/a"));
	assert_true(view != NULL && view->bare && !view->veiled);
	assert_true(view->first == 7 && view->last == 7);
	assert_true(view->seq > base.seq);
}

/* A list of rests has each once, and says when it is not all of them. */
static void
lists_of_rests(struct arena *arena)
{
	struct rests rests = {.n = 0};
	struct text_id id = {{0}};

	(void)arena;
	for (int i = 0; i < RESTS_MAX; i++) {
		id.bytes[0] = (uint8_t)i;
		rests_add(&rests, &id);
		rests_add(&rests, &id);
	}
	assert_int_equal(rests.n, RESTS_MAX);
	assert_false(rests.untold);
	id.bytes[15] = 1;
	rests_add(&rests, &id);
	assert_true(rests.untold);
	rests = (struct rests){.n = 0};
	rests_add(&rests, NULL);
	assert_true(rests.untold && rests.n == 0);
}

enum { MOST_LINES = 45 };

/* Which lines are void, one by one; only the file /a under its own name. */
struct lines {
	bool open[MOST_LINES + 1];
};

static void
lines_apply(struct lines *lines, const struct happening *h)
{
	bool full = h->scope == FULL;
	bool voids = h->kind == EVENT_INVALIDATE;
	uint64_t first = full ? 1 : scopes[h->scope].first;
	uint64_t last = full ? lines_of(h->served) : scopes[h->scope].last;

	/* After a text that shows the file's end there is nothing. */
	if (voids ? full : last == lines_of(h->served))
		last = MOST_LINES;
	if (!voids && !(h->kind == EVENT_READ && is_anchor(h->mode)))
		return;
	for (uint64_t line = first; line <= last; line++)
		lines->open[line] = voids;
}

static void
void_lines_at_random(struct arena *arena)
{
	static const enum event_kind kinds[] = {EVENT_READ, EVENT_READ,
	    EVENT_READ, EVENT_SIGHTING, EVENT_INVALIDATE};
	struct chance chance = chance_new(17);

	for (int stream = 0; stream < 300; stream++) {
		struct pair *pair = pair_new(arena);
		struct lines lines = {{false}};

		for (int i = 0; i < 25; i++) {
			struct happening h = {
			    .kind = kinds[chance_below(&chance,
				COUNT_OF(kinds))],
			    .scope = (int)chance_below(&chance, SCOPES),
			    .mode = (enum mode)chance_below(&chance,
				MODE_PLAIN),
			    .base = (int)chance_below(&chance, VERSIONS),
			    .served = (int)chance_below(&chance, VERSIONS),
			    .sealed = true,
			};
			uint64_t first = 1 + chance_below(&chance, MOST_LINES);
			uint64_t last = first +
			    chance_below(&chance, MOST_LINES - first + 1);
			bool open = false;

			(void)feed(pair, &h);
			lines_apply(&lines, &h);
			for (uint64_t line = first; line <= last; line++)
				open |= lines.open[line];
			CHECK(is_void(pair, first, last) == open,
			    "stream %d, event %d: lines %d to %d", stream, i,
			    (int)first, (int)last);
		}
		arena_reset(arena);
	}
}

static bool
knows(const struct pair *pair, int hash)
{
	struct digest digest = version(hash);

	return trust_knows_version(pair->trust, SPAN("/a"), SPAN("/a"),
	    &digest, NULL);
}

/* R4 is lines 1 to 40, and version A has just these. */
static void
a_version_known_by_pages(struct arena *arena)
{
	struct pair *pair = pair_new(arena);
	struct event rest = {.kind = EVENT_READ, .path = SPAN("/a"),
	    .name = SPAN("/a"), .scope = {SCOPE_RANGE, 6, 41}, .total = 41,
	    .mode = MODE_FULL, .served = version(B), .sealed = true};

	anchor(pair, R1, B);
	assert_false(knows(pair, B));
	assert_int_equal(trust_apply(pair->trust, &rest), TRUST_SET);
	assert_true(knows(pair, B));
	assert_false(knows(pair, A));
	/* A marker changes nothing, a view of another version does. */
	(void)trust_apply(pair->trust, &(struct event){.kind = EVENT_READ,
	    .path = SPAN("/a"), .name = SPAN("/a"),
	    .scope = {SCOPE_RANGE, 1, 5}, .mode = MODE_UNCHANGED_RANGE,
	    .has_base = true, .base = version(B), .served = version(B),
	    .total = 41, .sealed = true});
	assert_true(knows(pair, B));
	anchor(pair, R3, C);
	assert_false(knows(pair, B));
	assert_false(knows(pair, C));
}

static void
a_version_that_is_not_known(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	anchor(pair, FULL, A);
	assert_true(knows(pair, A));
	invalidate(pair, R3);
	assert_false(knows(pair, A));
	anchor(pair, R3, A);
	assert_true(knows(pair, A));
	sight(pair, R1, A); /* gone, but it was of that version */
	assert_true(knows(pair, A));
	sight(pair, R1, B);
	assert_false(knows(pair, A));
	pair = pair_new(arena);
	sight(pair, FULL, A);
	assert_false(knows(pair, A));
	read_as(pair, A, LINK, A);
	assert_false(knows(pair, A));
}

/* A diff to pages meets no guard, and yet all of its version is known. */
static void
a_diff_to_pages_is_evidence(struct arena *arena)
{
	struct pair *pair = pair_new(arena);
	const struct trust_view *view;

	anchor(pair, R4, A); /* all 40 lines, but as a range */
	assert_int_equal(show(pair, MODE_DIFF, FULL, A, B), TRUST_IGNORED);
	assert_true(knows(pair, B));
	view = newest_view(pair->trust, SPAN("/a"));
	assert_true(view->shows && !view->anchor);
	expect_none(pair, A, A, FULL, TRUST_NEVER); /* no base for strict */
	/* One whose base is not known is not. */
	assert_int_equal(show(pair, MODE_DIFF, FULL, C, 3), TRUST_IGNORED);
	assert_false(knows(pair, 3));
}

static uint64_t
repeats(const struct pair *pair, int scope, int hash)
{
	struct digest digest = version(hash);

	return trust_repeats(pair->trust, SPAN("/a"), SPAN("/a"),
	    scopes[scope], &digest);
}

static void
markers_in_a_row(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	assert_int_equal(repeats(pair, FULL, A), 0);
	anchor(pair, FULL, A);
	(void)show(pair, MODE_UNCHANGED, FULL, A, A);
	(void)show(pair, MODE_UNCHANGED_RANGE, R1, A, A);
	(void)show(pair, MODE_UNCHANGED, FULL, A, A);
	assert_int_equal(repeats(pair, FULL, A), 2);
	assert_int_equal(repeats(pair, R1, A), 1);
	assert_int_equal(repeats(pair, R2, A), 0);
	assert_int_equal(repeats(pair, FULL, B), 0);
	/* A text of a range ends its own row, one of all every row. */
	anchor(pair, R1, A);
	assert_int_equal(repeats(pair, R1, A), 0);
	assert_int_equal(repeats(pair, FULL, A), 2);
	(void)show(pair, MODE_UNCHANGED_RANGE, R1, A, A);
	(void)show(pair, MODE_DIFF, FULL, A, B);
	assert_int_equal(repeats(pair, R1, A), 0);
	assert_int_equal(repeats(pair, FULL, A), 0);
	/* A marker that meets no guard was read all the same. */
	(void)show(pair, MODE_UNCHANGED_RANGE, R3, C, C);
	(void)show(pair, MODE_UNCHANGED_RANGE, R3, C, C);
	assert_int_equal(repeats(pair, R3, C), 2);
	/* Another version begins anew. */
	(void)show(pair, MODE_UNCHANGED_RANGE, R3, C, B);
	assert_int_equal(repeats(pair, R3, C), 0);
	assert_int_equal(repeats(pair, R3, B), 1);
}

/* Of a request for lines 1 to 5, which is R1. */
static bool
edit_failed(const struct pair *pair)
{
	return trust_edit_failed(pair->trust, SPAN("/a"), SPAN("/a"), 1, 5);
}

static void
refuse(struct pair *pair, int name)
{
	(void)feed(pair, &(struct happening){.kind = EVENT_EDIT_FAILED,
	    .path = name, .name = name, .base = NONE});
}

static void
refused_edits(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	assert_false(edit_failed(pair));
	refuse(pair, B);
	assert_false(edit_failed(pair));
	refuse(pair, A);
	assert_true(edit_failed(pair)); /* nothing of it was ever shown */
	anchor(pair, R1, A);
	assert_false(edit_failed(pair));
	refuse(pair, A);
	assert_true(edit_failed(pair));
	(void)show(pair, MODE_UNCHANGED_RANGE, R1, A, A);
	assert_true(edit_failed(pair));
	sight(pair, R1, A); /* a text that is gone */
	assert_true(edit_failed(pair));
	read_as(pair, B, B, A);
	assert_true(edit_failed(pair));
	read_as(pair, A, LINK, A); /* the file, but by another name */
	assert_true(edit_failed(pair));
	(void)show(pair, MODE_DIFF, FULL, A, B); /* not the text itself */
	assert_true(edit_failed(pair));
	anchor(pair, R2, A); /* some of the lines */
	assert_true(edit_failed(pair));
	anchor(pair, FULL, A);
	assert_false(edit_failed(pair));
	compare(&pair->model, pair->trust);
}

static bool
edited(const struct pair *pair)
{
	return trust_edited(pair->trust, SPAN("/a"), SPAN("/a"), 1, 5);
}

static void
change(struct pair *pair, int name)
{
	(void)feed(pair, &(struct happening){.kind = EVENT_EDITED,
	    .path = name, .name = name, .base = NONE});
}

/* T13 */
static void
own_edits(struct arena *arena)
{
	struct pair *pair = pair_new(arena);

	assert_false(edited(pair));
	change(pair, B);
	assert_false(edited(pair));
	anchor(pair, FULL, A);
	assert_false(edited(pair));
	change(pair, A);
	assert_true(edited(pair));
	(void)show(pair, MODE_UNCHANGED, FULL, A, A); /* tells no line */
	assert_true(edited(pair));
	read_as(pair, A, LINK, A); /* the file, but by another name */
	assert_true(edited(pair));
	(void)show(pair, MODE_DIFF, FULL, A, B); /* tells what became of it */
	assert_false(edited(pair));
	change(pair, A);
	assert_true(edited(pair));
	anchor(pair, R2, B); /* some of the lines */
	assert_true(edited(pair));
	anchor(pair, R1, B);
	assert_false(edited(pair));
	assert_false(edit_failed(pair));
	compare(&pair->model, pair->trust);
}

/* An edit is of the file or of a name of it; the later of the two counts. */
static void
edits_by_path_and_by_name(struct arena *arena)
{
	static const int orders[2][2] = {{A, LINK}, {LINK, A}};

	for (size_t i = 0; i < COUNT_OF(orders); i++) {
		struct pair *pair = pair_new(arena);
		struct span path = SPAN("/a"), name = span_str(names[LINK]);

		change(pair, orders[i][0]);
		read_as(pair, A, LINK, A);
		assert_false(trust_edited(pair->trust, path, name, 1, 5));
		change(pair, orders[i][1]);
		assert_true(trust_edited(pair->trust, path, name, 1, 5));
		read_as(pair, A, LINK, A);
		assert_false(trust_edited(pair->trust, path, name, 1, 5));
		/* By a link: the file has other names, too. */
		anchor(pair, FULL, A);
		assert_false(trust_edited(pair->trust, path, path, 1, 5));
		(void)feed(pair, &(struct happening){.kind = EVENT_EDITED,
				     .path = A,
				     .name = LINK,
				     .base = NONE});
		assert_true(trust_edited(pair->trust, path, path, 1, 5));
	}
}

/* Of a refusal, too: also where nothing was shown since, but just before it. */
static void
refusals_by_path_and_by_name(struct arena *arena)
{
	struct pair *pair = pair_new(arena);
	struct span path = SPAN("/a"), name = span_str(names[LINK]);

	read_as(pair, A, LINK, A);
	read_as(pair, C, LINK, A);
	(void)feed(pair, &(struct happening){.kind = EVENT_EDIT_FAILED,
			     .path = A,
			     .name = LINK,
			     .base = NONE});
	assert_true(trust_edit_failed(pair->trust, SPAN("/c"), name, 1, 5));
	assert_true(trust_edit_failed(pair->trust, path, SPAN("/x"), 1, 5));
	assert_false(
	    trust_edit_failed(pair->trust, SPAN("/c"), SPAN("/x"), 1, 5));
}

/* Where nobody knows to which file a name leads, it is taken for one. */
static void
edits_by_name_alone(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	struct own_change own = {.kind = OWN_WRITE, .call_id = SPAN("w")};
	struct event edit = {
	    .kind = EVENT_EDITED, .name = SPAN("/a"), .own = &own};
	struct trust_views views;
	const struct trust_view *step;

	assert_int_equal(trust_apply(trust, &edit), TRUST_CLEARED);
	views = trust_views(trust, SPAN("/a"), SPAN("/b"));
	step = trust_next_step(&views);
	assert_true(step != NULL && step->change);
	ASSERT_TEXT(step->path, "/a");
	assert_true(trust_edited(trust, SPAN("/a"), SPAN("/b"), 1, 5));
}

/* ---- at random ---- */

static struct happening
random_happening(struct chance *chance, const struct model *m)
{
	/* Reads are most of what happens. */
	static const enum event_kind kinds[] = {EVENT_READ, EVENT_READ,
	    EVENT_READ, EVENT_READ, EVENT_READ, EVENT_READ, EVENT_SIGHTING,
	    EVENT_SIGHTING, EVENT_INVALIDATE, EVENT_BLIND};
	struct happening h = {
	    .kind = kinds[chance_below(chance, COUNT_OF(kinds))],
	    .path = chance_below(chance, 3) == 0 ? B : A,
	    .scope = (int)chance_below(chance, SCOPES),
	    .mode = (enum mode)chance_below(chance, MODE_PLAIN),
	    .base = (int)chance_below(chance, VERSIONS + 1) - 1,
	    .served = (int)chance_below(chance, VERSIONS),
	    .sealed = chance_below(chance, 2) == 0,
	};

	h.veiled = h.kind == EVENT_SIGHTING && chance_below(chance, 3) == 0;
	h.name = chance_below(chance, 4) > 0
	    ? h.path
	    : (int)chance_below(chance, NAMES);
	if (chance_below(chance, 60) == 0)
		h.kind = EVENT_FORGET;
	/* Chance alone would rarely make a derived answer that holds. */
	if (chance_below(chance, 2) == 0 &&
	    m->cells[h.path][h.name][h.scope].hash != NONE)
		h.base = m->cells[h.path][h.name][h.scope].hash;
	if (h.mode == MODE_UNCHANGED && chance_below(chance, 2) == 0)
		h.served = h.base != NONE ? h.base : h.served;
	return h;
}

static void
random_streams(struct arena *arena)
{
	struct chance chance = chance_new(8);

	for (int stream = 0; stream < 400; stream++) {
		size_t length = 5 + chance_below(&chance, 40);
		struct pair *pair = pair_new(arena);

		for (size_t i = 0; i < length; i++) {
			struct happening h = random_happening(&chance,
			    &pair->model);

			(void)feed(pair, &h);
			compare(&pair->model, pair->trust);
		}
		arena_reset(arena);
	}
}

/* F5: what a session may cost grows with it, so that no honest one is cut. */
static void
work_grows_with_the_session(struct arena *arena)
{
	const struct happening shown = {EVENT_READ, A, A, FULL, MODE_FULL, NONE,
	    A, true, false};
	struct event event = event_of(&shown);
	struct trust *trust = trust_new(arena);

	for (int i = 0; i < 1000; i++) {
		uint64_t before = trust_budget(trust)->left;

		assert_int_equal(trust_apply(trust, &event), TRUST_SET);
		assert_true(trust_budget(trust)->left > before);
	}
}

/* F5: of a file with very many names only the latest are trusted. */
static void
f5_names_of_one_file(struct arena *arena)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	struct trust *trust = trust_new(arena);
	struct trust_base base;

	for (size_t i = 0; i < 20; i++) {
		struct event read = {
		    .kind = EVENT_READ,
		    .path = SPAN("/file"),
		    .name = {letters + i, 1},
		    .served = version(A),
		    .total = 40,
		    .sealed = true,
		};

		assert_int_equal(trust_apply(trust, &read), TRUST_SET);
		assert_int_equal(trust_find(trust, read.path, read.name,
				     scope_full(), &base),
		    TRUST_FOUND);
	}
	assert_int_equal(trust_find(trust, SPAN("/file"), SPAN("a"),
			     scope_full(), &base),
	    TRUST_NEVER);
}

/* One line of /a, of VERSION, was shown; and as often as makes no end. */
static void
show_line_often(struct trust *trust, int number)
{
	struct event line = {
	    .kind = EVENT_READ,
	    .path = SPAN("/a"),
	    .name = SPAN("/a"),
	    .scope = scope_range(1, 1),
	    .served = version(number),
	    .total = 40,
	    .sealed = true,
	};

	for (int i = 0; i < 600; i++)
		(void)trust_apply(trust, &line);
	trust_budget(trust)->left = 0;
}

/*
 * F5: a marker that nothing seals counts as shown if nobody can look whether
 * its base was: it may contradict others then.
 */
static void
f5_a_marker_that_may_have_been_shown(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	struct event marker = {
	    .kind = EVENT_READ,
	    .path = SPAN("/a"),
	    .name = SPAN("/a"),
	    .mode = MODE_UNCHANGED,
	    .served = version(B),
	    .has_base = true,
	    .base = version(B),
	    .total = 40,
	};

	show_line_often(trust, A);
	assert_int_equal(trust_apply(trust, &marker), TRUST_IGNORED);
	trust_budget(trust)->left = 1;
	assert_true(newest_view(trust, SPAN("/a"))->alone);
}

/* F5: to look for the texts of a pieced answer costs more, the more there are. */
static void
f5_a_pieced_answer_of_many_texts(struct arena *arena)
{
	struct event text = {
	    .kind = EVENT_READ,
	    .path = SPAN("/a"),
	    .name = SPAN("/a"),
	    .served = version(A),
	    .total = 40,
	};
	struct rests rests = {.n = RESTS_MAX};

	for (int enough = 0; enough < 2; enough++) {
		struct trust *trust = trust_new(arena);
		struct event pieced = text, next;

		for (uint8_t i = 0; i < RESTS_MAX; i++) {
			next = with_text(text, (uint8_t)(i + 1));
			rests.ids[i] = next.text_id;
			assert_int_equal(trust_apply(trust, &next), TRUST_SET);
		}
		next = with_text(text, RESTS_MAX + 1);
		for (int i = 0; i < 100; i++)
			assert_int_equal(trust_apply(trust, &next), TRUST_SET);
		pieced.mode = MODE_DIFF;
		pieced.has_base = true;
		pieced.base = version(A);
		pieced.pieces = 1;
		pieced.rests = &rests;
		trust_budget(trust)->left = enough ? 2000 : 0;
		assert_int_equal(trust_apply(trust, &pieced),
		    enough ? TRUST_SET : TRUST_IGNORED);
	}
}

/*
 * F5: a diff stands for its text only if nothing else was shown since its
 * base; if nobody can look, its text is as old as that.
 */
static void
f5_a_diff_after_more_than_can_be_looked_at(struct arena *arena)
{
	struct trust *trust = trust_new(arena);
	struct event read = {
	    .kind = EVENT_READ,
	    .path = SPAN("/a"),
	    .name = SPAN("/a"),
	    .served = version(A),
	    .total = 40,
	    .sealed = true,
	};
	struct trust_base base;

	(void)trust_apply(trust, &read);
	show_line_often(trust, A);
	read.mode = MODE_DIFF;
	read.has_base = true;
	read.base = version(A);
	read.served = version(B);
	assert_int_equal(trust_apply(trust, &read), TRUST_SET);
	assert_int_equal(trust_find(trust, SPAN("/a"), SPAN("/a"),
			     scope_full(), &base),
	    TRUST_FOUND);
	assert_int_equal(version_number(&base.hash), B);
	assert_int_equal(base.seq, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(f5_names_of_one_file),
		TEST(f5_a_marker_that_may_have_been_shown),
		TEST(f5_a_diff_after_more_than_can_be_looked_at),
		TEST(every_cell_of_the_table),
		TEST(fresher_slot_wins),
		TEST(ignored_events_change_no_base),
		TEST(ranges_do_not_make_full),
		TEST(nothing_is_known_at_first),
		TEST(invalidating_full_empties_all),
		TEST(refreshed_range_has_no_base),
		TEST(anchors_end_a_refresh),
		TEST(refresh_of_the_unseen),
		TEST(refresh_under_another_name),
		TEST(newer_views),
		TEST(markers_make_no_text_newer),
		TEST(diffs_are_views),
		TEST(range_marker_rests_on_the_later_text),
		TEST(what_a_view_says),
		TEST(what_is_no_base_is_still_newer),
		TEST(veiled_views),
		TEST(views_under_another_name),
		TEST(ignored_view_is_still_newer),
		TEST(sighting_hides_no_evidence),
		TEST(a_second_name_starts_anew),
		TEST(a_name_that_moved),
		TEST(a_path_that_became_a_link),
		TEST(views_that_prove_nothing_still_move),
		TEST(blind_view_by_real_path),
		TEST(blind_view_by_name),
		TEST(blind_view_of_both),
		TEST(forgetting_empties_everything),
		TEST(counting),
		TEST(questions_to_a_lent_trust),
		TEST(names_by_content),
		TEST(refreshed_lines_are_void),
		TEST(a_list_of_what_is_trusted),
		TEST(many_refreshes),
		TEST(refreshed_by_name),
		TEST(a_base_that_is_not_told),
		TEST(unknown_states_void_everything),
		TEST(void_lines_at_random),
		TEST(a_version_known_by_pages),
		TEST(a_version_that_is_not_known),
		TEST(a_diff_to_pages_is_evidence),
		TEST(markers_in_a_row),
		TEST(refused_edits),
		TEST(own_edits),
		TEST(edits_by_path_and_by_name),
		TEST(refusals_by_path_and_by_name),
		TEST(edits_by_name_alone),
		TEST(f5_a_pieced_answer_of_many_texts),
		TEST(which_text_tells),
		TEST(a_long_line),
		TEST(lists_of_rests),
		TEST(random_streams),
		TEST(work_grows_with_the_session),
	};

	return RUN_TESTS(tests);
}
