/*
 * A fold that is kept and continued is the fold of all events, made again with
 * what the file system says now: over random histories that grow, go back, and
 * whose paths are turned.
 */
#include "unit_dir.h"

#include "replay/trust.h"
#include "serve/folds.h"
#include "serve/history.h"
#include "serve/memory.h"

static uint64_t random_state;

/* A number below N. */
static size_t
any(size_t n)
{
	random_state = random_state * 6364136223846793005U + 1442695040888963407U;
	return (size_t)(random_state >> 33) % n;
}

/* One of N. */
static bool
once_in(size_t n)
{
	return any(n) == 0;
}

/* ---- a trust as a text: everything that can be asked of it ---- */

static void
put_number(struct buf *out, uint64_t number)
{
	buf_u64(out, number);
	buf_char(out, ' ');
}

static void
put_bytes(struct buf *out, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; p != NULL && i < n; i++)
		buf_u64(out, p[i]);
	buf_str(out, p != NULL ? " " : "- ");
}

static void
put_view(struct buf *out, const struct trust_view *view)
{
	const uint64_t numbers[] = {view->seq, view->first, view->last,
	    view->total, view->ends, view->veiled, view->bare, view->shows,
	    view->anchor, view->apart, view->alone};

	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		put_number(out, numbers[i]);
	put_bytes(out, &view->hash, 4);
	put_bytes(out, view->text, TEXT_ID_BYTES);
	buf_add(out, view->path);
	buf_char(out, ' ');
	buf_add(out, view->name);
	buf_char(out, '\n');
}

static void
put_scope(struct buf *out, const struct trust *trust,
    const struct focus *focus, struct scope scope)
{
	bool full = scope.kind == SCOPE_FULL;
	uint64_t first = full ? 1 : scope.first, last = full ? 9 : scope.last;
	struct trust_base base = {.seq = 0};
	struct digest one = digest_of(SPAN("0"));

	put_number(out, trust_find(trust, focus->path, focus->name, scope,
			    &base));
	put_number(out, base.seq);
	put_bytes(out, &base.hash, 4);
	put_bytes(out, base.text, TEXT_ID_BYTES);
	put_number(out, trust_void(trust, focus->path, focus->name, first,
			    last));
	put_number(out, trust_edited(trust, focus->path, focus->name, first,
			    last));
	put_number(out, trust_edit_failed(trust, focus->path, focus->name,
			    first, last));
	put_number(out, trust_repeats(trust, focus->path, focus->name, scope,
			    &one));
	buf_char(out, '\n');
}

/* What TRUST says about FOCUS. */
static struct span
told(struct arena *arena, const struct trust *trust, const struct focus *focus)
{
	struct trust_views views = trust_views(trust, focus->path, focus->name);
	struct buf out = buf_new(arena, 4096);
	const struct trust_view *view;
	struct trust_item *items;
	size_t n;

	put_number(&out, trust_budget(trust)->left);
	put_scope(&out, trust, focus, scope_full());
	put_scope(&out, trust, focus, scope_range(1, 4));
	put_scope(&out, trust, focus, scope_range(3, 9));
	while ((view = trust_next_view(&views)) != NULL)
		put_view(&out, view);
	for (int i = 0; i < 3; i++) {
		char version[] = {(char)('0' + i), '\0'};
		struct digest hash = digest_of(span_str(version));

		put_number(&out, trust_knows_version(trust, focus->path,
				     focus->name, &hash, NULL));
	}
	n = trust_list(trust, arena, &items);
	for (size_t i = 0; i < n; i++) {
		buf_add(&out, items[i].path);
		buf_char(&out, ' ');
		buf_add(&out, items[i].name);
		scope_write(&out, items[i].scope);
		put_number(&out, items[i].seq);
		put_bytes(&out, &items[i].hash, 4);
	}
	return buf_span(&out);
}

/* ---- a world in which names are turned ---- */

/* In the directory of the test: two files, a link, a link to a directory. */
static const char *const files[] = {"a", "b", "l", "d/x", "one/x", "two/x"};
/* What calls may write. */
static const char *const calls[] = {"a", "b", "l", "d/x", "./l", "~/l",
    "a:1-4", "l:1-4", "sub/../l", "../l", "x"};

struct world {
	struct arena *arena; /* of the test */
	struct ledger ledger;
	struct folds *folds;
	struct history_where where;
	size_t marks[256]; /* numbers of events to go back to */
	size_t nmarks;
};

static struct span
path_of(struct world *w, const char *name)
{
	return span_str(unit_path(w->arena, name));
}

static void
turn(struct world *w, const char *link, const char *to)
{
	const char *path = unit_path(w->arena, link);

	(void)unlink(path);
	assert_int_equal(symlink(to, path), 0);
}

static void
build(struct world *w)
{
	static const char *const dirs[] = {"sub", "one", "two"};

	for (size_t i = 0; i < COUNT_OF(dirs); i++)
		(void)mkdir(unit_path(w->arena, dirs[i]), 0700);
	for (size_t i = 0; i < COUNT_OF(files); i++)
		if (i != 2 && i != 3)
			unit_write_file(unit_path(w->arena, files[i]),
			    SPAN("text"));
	turn(w, "l", "a");
	turn(w, "d", "one");
}

/* Something happens to the files. */
static void
turn_something(struct world *w)
{
	static const char *const targets[] = {"a", "b", "l", "gone", "one/x"};

	if (once_in(3))
		turn(w, "d", once_in(2) ? "one" : "two");
	else
		turn(w, "l", targets[any(COUNT_OF(targets))]);
}

/* Paths are understood otherwise from now on. */
static void
move(struct world *w)
{
	w->where.dirs = (struct dirs){.untold = once_in(6)};
	w->where.here.cwd = path_of(w, once_in(2) ? "." : "sub");
	if (once_in(3))
		w->where.here.home = path_of(w, once_in(2) ? "." : "sub");
	if (once_in(2))
		dirs_add(&w->where.dirs, w->arena,
		    path_of(w, once_in(2) ? "one" : "sub"));
}

static struct scope
some_scope(void)
{
	static const struct scope scopes[] = {
	    {SCOPE_FULL, 0, 0}, {SCOPE_RANGE, 1, 4}, {SCOPE_RANGE, 3, 9}};

	return scopes[any(COUNT_OF(scopes))];
}

static struct event
some_read(struct world *w)
{
	struct event event = {
	    .kind = once_in(6) ? EVENT_SIGHTING : EVENT_READ,
	    .path = path_of(w, files[any(COUNT_OF(files))]),
	    .scope = some_scope(),
	    .mode = (enum mode)any(MODE_PLAIN),
	    .has_base = !once_in(4),
	    .sealed = once_in(2),
	    .veiled = once_in(9),
	    .omitted = once_in(9),
	    .has_text_id = !once_in(4),
	    .total = 9,
	};
	char served[] = {(char)('0' + any(3)), '\0'};
	char base[] = {(char)('0' + any(3)), '\0'};

	event.name = once_in(3) ? path_of(w, files[any(COUNT_OF(files))])
				: event.path;
	event.served = digest_of(span_str(served));
	event.base = once_in(2) ? event.served : digest_of(span_str(base));
	event.text_id.bytes[0] = (uint8_t)any(250);
	if (once_in(8))
		event.asked = span_str(calls[any(COUNT_OF(calls))]);
	return event;
}

static struct event
some_event(struct world *w)
{
	static const enum event_kind kinds[] = {EVENT_BLIND,
	    EVENT_EDIT_FAILED, EVENT_EDITED, EVENT_INVALIDATE};
	struct event event = {.kind = kinds[any(COUNT_OF(kinds))]};

	if (!once_in(3))
		return some_read(w);
	if (once_in(40))
		event.kind = EVENT_FORGET;
	event.scope = once_in(3) ? some_scope() : scope_full();
	event.name = span_str(calls[any(COUNT_OF(calls))]);
	event.path = path_of(w, files[any(COUNT_OF(files))]);
	return event;
}

static void
grow(struct world *w)
{
	for (size_t i = any(4); i < 4; i++) {
		struct event event = some_event(w);

		events_append(&w->ledger.events, &event);
		if (w->nmarks < COUNT_OF(w->marks))
			w->marks[w->nmarks++] = w->ledger.events.n;
	}
	ledger_enter(&w->ledger);
}

static void
go_back(struct world *w)
{
	if (w->nmarks == 0)
		return;
	w->nmarks = any(w->nmarks) + 1;
	folds_cut(w->folds, w->marks[w->nmarks - 1]);
	ledger_cut(&w->ledger, w->marks[w->nmarks - 1], (struct turn){0});
}

/* Ask for a file, and compare with the fold of all events. */
static void
compare(struct world *w, struct arena *arena, int step)
{
	const char *path = files[any(COUNT_OF(files))];
	struct focus focus = {.path = path_of(w, path), .name = path_of(w, path)};
	struct events events = events_new(arena, &focus);
	const struct trust *kept, *fresh;
	struct span one, other;

	if (once_in(2))
		focus.name = path_of(w, files[any(COUNT_OF(files))]);
	kept = folds_trust(w->folds, &w->ledger, arena, &w->where, &focus);
	assert_non_null(kept);
	ledger_find(&w->ledger, &focus, 0, &events);
	fresh = history_fold(arena, events.list, events.n, &w->where, &focus);
	other = told(arena, fresh, &focus);
	one = told(arena, kept, &focus);
	CHECK(span_eq(one, other), "step %d of %zu events:\n%.*s\n%.*s", step,
	    w->ledger.events.n, (int)one.n, one.p, (int)other.n, other.p);
	/* Questions do not change the answers. */
	kept = folds_trust(w->folds, &w->ledger, arena, &w->where, &focus);
	CHECK(span_eq(told(arena, kept, &focus), one), "asked twice");
}

static void
kept_is_fresh(struct arena *arena)
{
	enum { HISTORIES = 60, STEPS = 120 };
	struct arena *scratch = arena_scratch(arena);

	for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
		struct world w = {.arena = arena, .folds = folds_new()};

		random_state = seed;
		assert_non_null(w.folds);
		ledger_init(&w.ledger, arena, false);
		build(&w);
		w.where.here = (struct locate_where){
		    path_of(&w, "."), path_of(&w, ".")};
		for (int step = 0; step < STEPS; step++) {
			if (!once_in(3))
				grow(&w);
			if (once_in(12))
				go_back(&w);
			if (once_in(6))
				turn_something(&w);
			if (once_in(10))
				move(&w);
			compare(&w, scratch, step);
			arena_reset(scratch);
		}
		folds_free(w.folds);
	}
}

/* A fold that needs too much memory is left to the request. */
static void
too_large_is_not_kept(struct arena *arena)
{
	struct world w = {.arena = arena, .folds = folds_new()};
	struct focus focus = {.path = SPAN("/a"), .name = SPAN("/a")};
	struct event read = {.kind = EVENT_READ, .path = SPAN("/a"),
	    .name = SPAN("/a"), .total = 9};

	assert_non_null(w.folds);
	w.where.here = (struct locate_where){SPAN("/"), SPAN("/")};
	ledger_init(&w.ledger, arena, false);
	events_append(&w.ledger.events, &read);
	ledger_enter(&w.ledger);
	assert_non_null(
	    folds_trust(w.folds, &w.ledger, arena, &w.where, &focus));
	for (int i = 0; i < 40000; i++)
		events_append(&w.ledger.events, &read);
	ledger_enter(&w.ledger);
	for (int i = 0; i < 2; i++)
		assert_null(
		    folds_trust(w.folds, &w.ledger, arena, &w.where, &focus));
	/* What was folded in part is not gone on with. */
	ledger_cut(&w.ledger, 1, (struct turn){0});
	assert_null(folds_trust(w.folds, &w.ledger, arena, &w.where, &focus));
	folds_forget(w.folds);
	assert_non_null(
	    folds_trust(w.folds, &w.ledger, arena, &w.where, &focus));
	folds_free(w.folds);
}

/* ---- the same by requests, to a process that remembers the session ---- */

enum { ENTRIES = 400 };

struct talk {
	struct arena *arena;
	struct memory *memory;
	struct span json[ENTRIES]; /* without braces */
	int parent[ENTRIES];       /* -1: none */
	int n, leaf;
	int sent; /* the leaf that the process knows; -1: none */
};

__attribute__((format(printf, 2, 3))) static void
say(struct talk *t, const char *format, ...)
{
	char text[2048];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	assert_true(t->n < ENTRIES);
	t->json[t->n] = span_str(arena_cstr(t->arena, span_str(text)));
	t->parent[t->n] = t->leaf;
	t->leaf = t->n++;
}

static void
say_call(struct talk *t, const char *tool, const char *path)
{
	say(t,
	    "\"type\":\"message\",\"message\":{\"role\":\"assistant\","
	    "\"content\":[{\"type\":\"toolCall\",\"id\":\"c%d\",\"name\":"
	    "\"%s\",\"arguments\":{\"path\":\"%s\"}}]}",
	    t->n, tool, path);
}

static void
say_result(struct talk *t, const char *tool, const char *text, bool error,
    const char *details)
{
	say(t,
	    "\"type\":\"message\",\"message\":{\"role\":\"toolResult\","
	    "\"toolName\":\"%s\",\"toolCallId\":\"c%d\",\"isError\":%s,"
	    "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]%s}",
	    tool, t->n - 1, error ? "true" : "false", text, details);
}

/* The metadata of a read of FILE: version VERSION, or a marker for it. */
static const char *
some_meta(struct talk *t, const char *file, const char *version, bool marker)
{
	struct digest served = digest_of(span_str(version));
	struct digest text = digest_of(span_str(marker ? "marker" : version));
	char hex[DIGEST_HEX + 1], text_hex[DIGEST_HEX + 1], json[1024];
	const char *path = unit_path(t->arena, file);
	char *real = realpath(path, NULL);

	digest_hex(&served, hex);
	digest_hex(&text, text_hex);
	(void)snprintf(json, sizeof(json),
	    "{\"v\":1,\"pathKey\":\"%s\",\"name\":\"%s\",\"scopeKey\":"
	    "\"full\",\"servedHash\":\"%s\",\"baseHash\":\"%s\",\"mode\":"
	    "\"%s\",\"totalLines\":1,\"rangeStart\":1,\"rangeEnd\":1,"
	    "\"bytes\":1,\"textHash\":\"%.32s\",\"textBytes\":%zu}",
	    real != NULL ? real : path, path, hex, hex,
	    marker ? "unchanged" : "full", text_hex,
	    strlen(marker ? "marker" : version));
	free(real);
	return arena_cstr(t->arena, span_str(json));
}

static void
say_read(struct talk *t)
{
	const char *file = files[any(COUNT_OF(files))];
	const char *version = once_in(2) ? "0" : "1";
	bool marker = once_in(3);
	char details[1200] = "";

	say_call(t, "read", unit_path(t->arena, file));
	if (!once_in(8))
		(void)snprintf(details, sizeof(details),
		    ",\"details\":{\"readcache\":%s}",
		    some_meta(t, file, version, marker));
	say_result(t, "read", marker ? "marker" : version, false, details);
}

static void
say_something(struct talk *t)
{
	if (!once_in(3)) {
		say_read(t);
	} else if (!once_in(4)) {
		say_call(t, "edit", calls[any(COUNT_OF(calls))]);
		say_result(t, "edit", "done", once_in(3), "");
	} else if (!once_in(4)) {
		say(t,
		    "\"type\":\"custom\",\"customType\":\"pi-readcache\","
		    "\"data\":{\"v\":1,\"kind\":\"invalidate\",\"pathKey\":"
		    "\"%s\",\"scopeKey\":\"full\",\"at\":1}",
		    unit_path(t->arena, files[any(COUNT_OF(files))]));
	} else if (once_in(2)) {
		say(t, "\"type\":\"compaction\",\"summary\":\"s\"");
	} else {
		say(t,
		    "\"type\":\"context_edit\",\"targetId\":\"e%zu\","
		    "\"replacement\":null",
		    any((size_t)t->n + 1));
	}
}

/* A request about the branch: what follows the entry AFTER (-1: all). */
static struct request
request_of(struct talk *t, struct arena *arena, int after, bool overlay)
{
	struct buf text = buf_new(arena, 4096);
	struct json_field f[] = {
	    {.name = SPAN("entries")}, {.name = SPAN("overlay")}};
	struct request request = {.cwd = span_str(unit_path(arena, "sub"))};
	int way[ENTRIES], n = 0;
	char ids[96];

	for (int i = t->leaf; i != after && i >= 0; i = t->parent[i])
		way[n++] = i;
	buf_str(&text, "{\"entries\":[");
	while (n > 0) {
		int i = way[--n];

		(void)snprintf(ids, sizeof(ids),
		    t->parent[i] < 0 ? "{\"id\":\"e%d\",\"parentId\":null,"
				     : "{\"id\":\"e%d\",\"parentId\":\"e%d\",",
		    i, t->parent[i]);
		buf_str(&text, ids);
		buf_add(&text, t->json[i]);
		buf_str(&text, n > 0 ? "}," : "}");
	}
	buf_str(&text, "],\"overlay\":[");
	if (overlay)
		buf_str(&text, some_meta(t, "a", "1", false));
	buf_str(&text, "]}");
	assert_true(json_judge(arena, buf_span(&text), &request.doc));
	json_pick(&request.doc, buf_span(&text), f, 2);
	request.session = (struct session){.source = SESSION_ENTRIES,
	    .id = SPAN("s"), .entries = f[0].value, .after = SPAN(""),
	    .overlay = f[1].value, .leaf = LEAF_ID};
	(void)snprintf(ids, sizeof(ids), "e%d", t->leaf);
	request.session.leaf_id = span_str(arena_cstr(arena, span_str(ids)));
	(void)snprintf(ids, sizeof(ids), "e%d", after);
	if (after >= 0)
		request.session.after =
		    span_str(arena_cstr(arena, span_str(ids)));
	return request;
}

/* Send what is new, or all if that is not known.  True if it was held. */
static bool
send_new(struct talk *t, struct arena *arena, struct request *request,
    bool overlay)
{
	int after = t->leaf; /* the last entry that was sent */

	while (after >= 0 && after > t->sent)
		after = t->parent[after];
	for (int i = t->sent; i >= 0 && after >= 0 && i != after;
	     i = t->parent[i])
		if (i < after)
			after = -1; /* not on the branch that was sent */
	*request = request_of(t, arena, after, overlay);
	request->session.doc = &request->doc;
	request->session.memory = t->memory;
	if (!branch_known(arena, &request->session)) {
		*request = request_of(t, arena, -1, overlay);
		request->session.doc = &request->doc;
		request->session.memory = t->memory;
		assert_true(branch_known(arena, &request->session));
	}
	t->sent = t->leaf;
	return request->session.held;
}

/* What can be told of HISTORY: no numbers of events, which others count. */
static struct span
answers(struct arena *arena, const struct history *history,
    const struct focus *focus)
{
	const struct trust *trust = history->trust;
	struct buf out = buf_new(arena, 256);
	struct trust_base base = {.seq = 0};

	put_number(&out, history->branch.state);
	put_number(&out, trust_find(trust, focus->path, focus->name,
			     scope_full(), &base));
	put_bytes(&out, &base.hash, 4);
	put_bytes(&out, base.text, TEXT_ID_BYTES);
	put_number(&out, trust_void(trust, focus->path, focus->name, 1, 9));
	put_number(&out, trust_edited(trust, focus->path, focus->name, 1, 9));
	put_number(&out, trust_edit_failed(trust, focus->path, focus->name, 1,
			     9));
	for (int i = 0; i < 2; i++) {
		struct digest hash = digest_of(span_str(i > 0 ? "1" : "0"));

		put_number(&out, trust_repeats(trust, focus->path, focus->name,
				     scope_full(), &hash));
		put_number(&out, trust_knows_version(trust, focus->path,
				     focus->name, &hash, NULL));
	}
	return buf_span(&out);
}

static void
compare_requests(struct talk *t, struct arena *arena, size_t *held)
{
	const char *name = unit_path(arena, files[any(COUNT_OF(files))]);
	struct focus focus = {.name = span_str(name), .bytes = SPAN("0"),
	    .hash = digest_of(SPAN("0"))};
	char *real = realpath(name, NULL);
	bool overlay = once_in(5);
	struct request request, whole;
	struct history kept, fresh;
	struct span one, other;

	focus.path = span_str(arena_cstr(arena, span_str(real ? real : name)));
	free(real);
	*held += send_new(t, arena, &request, overlay);
	kept = history_load(arena, &request, &focus);
	whole = request_of(t, arena, -1, overlay);
	whole.session.doc = &whole.doc;
	fresh = history_load(arena, &whole, &focus);
	one = answers(arena, &kept, &focus);
	other = answers(arena, &fresh, &focus);
	CHECK(span_eq(one, other), "%d entries, leaf %d:\n%.*s\n%.*s", t->n,
	    t->leaf, (int)one.n, one.p, (int)other.n, other.p);
}

static void
remembered_is_whole(struct arena *arena)
{
	enum { TALKS = 60, STEPS = 60 };
	struct world w = {.arena = arena};
	struct arena *scratch = arena_scratch(arena);
	size_t held = 0;

	build(&w);
	assert_int_equal(setenv("HOME", unit_path(arena, "."), 1), 0);
	for (uint64_t seed = 1; seed <= TALKS; seed++) {
		struct talk t = {.arena = arena, .memory = memory_new(),
		    .leaf = -1, .sent = -1};

		random_state = seed;
		assert_non_null(t.memory);
		for (int step = 0; step < STEPS; step++) {
			if (t.n < ENTRIES - 4 && (t.n == 0 || !once_in(3)))
				say_something(&t);
			if (once_in(10))
				t.leaf = (int)any((size_t)t.n);
			if (once_in(6))
				turn_something(&w);
			compare_requests(&t, scratch, &held);
			arena_reset(scratch);
		}
		memory_free(t.memory);
	}
	assert_true(held > TALKS * STEPS / 2); /* else nothing was tried */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kept_is_fresh),
		TEST(too_large_is_not_kept),
		TEST(remembered_is_whole),
	};

	return RUN_TESTS_IN_DIR(tests);
}
