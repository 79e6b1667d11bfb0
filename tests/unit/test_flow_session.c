/*
 * What is remembered of a workflow, as text and back: sessions and notes.
 */
#include <stdio.h>
#include <time.h>

#include "unit_json.h"
#include "work/workflow/quiet.h"
#include "work/workflow/quiet_text.h"
#include "work/workflow/session_text.h"

#include "base/map.h"

static struct flow_session
empty_session(struct arena *arena, struct store *store, struct source *source)
{
	*store = (struct store){.arena = arena};
	*source = (struct source){.path = SPAN("/p/\"flow\".json")};
	return (struct flow_session){
	    .store = store, .source = source, .ids = map_new(arena, 8)};
}

static void
times(struct arena *arena)
{
	static const struct {
		uint64_t ms;
		const char *text;
	} rows[] = {
	    {0, "1970-01-01T00:00:00.000Z"},
	    {1, "1970-01-01T00:00:00.001Z"},
	    {UINT64_C(951827696789), "2000-02-29T12:34:56.789Z"},
	    {UINT64_C(1794884645084), "2026-11-17T03:04:05.084Z"},
	};
	static const char *const wrong[] = {"", "2026-11-17", "now",
	    "2026-11-17T03:04:05Z", "2026-11-17T03:04:05.0842",
	    "2026-11-17 03:04:05.084Z", "x026-11-17T03:04:05.084Z",
	    "2026-02-29T03:04:05.084Z", "2026-00-17T03:04:05.084Z",
	    "2026-11-17T24:04:05.084Z", "2026-11-17T03:60:05.084Z",
	    "2026-11-17T03:04:60.084Z", "9999-99-99T99:99:99.084Z"};
	uint64_t ms;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf text = buf_new(arena, 32);

		session_time_write(&text, rows[i].ms);
		ASSERT_TEXT(buf_span(&text), rows[i].text);
		assert_true(session_time_parse(buf_span(&text), &ms));
		assert_int_equal(ms, rows[i].ms);
	}
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		CHECK(!session_time_parse(
			  unit_exact(arena, span_str(wrong[i])), &ms),
		    "%s", wrong[i]);
}

/* The text of TIME, whatever its members are, and 7 thousandths. */
static struct span
time_text(struct arena *arena, const struct tm *time)
{
	char text[96];

	(void)snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.007Z",
	    time->tm_year + 1900, time->tm_mon + 1, time->tm_mday,
	    time->tm_hour, time->tm_min, time->tm_sec);
	return span_str(arena_cstr(arena, span_str(text)));
}

/* As timegm, which would turn what is no date into another one. */
static void
check_time(struct arena *arena, struct tm time)
{
	struct span text = time_text(arena, &time);
	struct tm real = time;
	time_t seconds = timegm(&real);
	bool valid = real.tm_mon == time.tm_mon && real.tm_mday == time.tm_mday;
	uint64_t ms = 0;

	CHECK(session_time_parse(text, &ms) == valid, "%.*s", (int)text.n,
	    text.p);
	CHECK(!valid || ms == (uint64_t)seconds * 1000 + 7, "%.*s", (int)text.n,
	    text.p);
}

static void
times_are_those_of_timegm(struct arena *arena)
{
	for (int year = 1970; year <= 2100; year++)
		for (int month = 0; month < 12; month++)
			for (int day = 0; day <= 32; day++)
				check_time(
				    arena, (struct tm){.tm_year = year - 1900,
					       .tm_mon = month,
					       .tm_mday = day,
					       .tm_hour = (year + day) % 24,
					       .tm_min = (day * 7) % 60,
					       .tm_sec = (month * 5) % 60});
}

/* A node with everything. */
static struct session_node
whole_node(struct arena *arena)
{
	struct session_node node = {
	    .id = SPAN("a"),
	    .ending = ENDED_WELL,
	    .config = digest_of(SPAN("config")),
	    .stamp = digest_of(SPAN("stamp")),
	    .cached_ms = UINT64_C(1794884645084),
	    .took_ms = 12,
	    .run = SPAN("run-1"),
	    .key = SPAN("abcdef01"),
	    .type = SPAN("shell"),
	    .error = SPAN("a \"reason\"\n"),
	    .nabove = 1,
	    .changed = true,
	};

	node.above = arena_array(arena, 1, sizeof(*node.above));
	node.above[0] = (struct upstream){SPAN("top"), digest_of(SPAN("top"))};
	return node;
}

static void
sessions_come_back(struct arena *arena)
{
	struct store store;
	struct source source;
	struct flow_session session = empty_session(arena, &store, &source);
	struct flow_session again = empty_session(arena, &store, &source);
	const struct session_node *node;
	struct session_node whole = whole_node(arena);

	*session_note(&session, SPAN("a")) = whole;
	session.created_ms = 1000;
	session.accessed_ms = 2000;
	assert_true(
	    session_read(&again, arena, session_write(&session, arena)));
	assert_int_equal(again.created_ms, 1000);
	assert_int_equal(again.accessed_ms, 2000);
	assert_int_equal(again.n, 1);
	node = session_find(&again, SPAN("a"));
	assert_non_null(node);
	assert_int_equal(node->ending, ENDED_WELL);
	assert_true(digest_eq(&node->config, &whole.config));
	assert_true(digest_eq(&node->stamp, &whole.stamp));
	assert_int_equal(node->cached_ms, whole.cached_ms);
	assert_int_equal(node->took_ms, 12);
	ASSERT_SPAN(node->run, whole.run);
	ASSERT_SPAN(node->key, whole.key);
	ASSERT_SPAN(node->type, whole.type);
	ASSERT_SPAN(node->error, whole.error);
	assert_int_equal(node->nabove, 1);
	ASSERT_TEXT(node->above[0].id, "top");
	assert_true(digest_eq(&node->above[0].stamp, &whole.above[0].stamp));
	assert_false(node->changed);
}

/* What another run has saved is taken, but for what was changed here. */
static void
sessions_are_put_together(struct arena *arena)
{
	struct store store;
	struct source source;
	struct flow_session theirs = empty_session(arena, &store, &source);
	struct flow_session ours = empty_session(arena, &store, &source);

	*session_note(&theirs, SPAN("a")) = whole_node(arena);
	*session_note(&theirs, SPAN("b")) = whole_node(arena);
	session_find(&theirs, SPAN("b"))->id = SPAN("b");
	*session_note(&ours, SPAN("a")) = whole_node(arena);
	session_find(&ours, SPAN("a"))->ending = ENDED_BADLY;
	assert_true(session_read(&ours, arena, session_write(&theirs, arena)));
	assert_int_equal(ours.n, 2);
	assert_int_equal(session_find(&ours, SPAN("a"))->ending, ENDED_BADLY);
	assert_int_equal(session_find(&ours, SPAN("b"))->ending, ENDED_WELL);
}

/* Cut or changed anywhere: safe, and nothing is made up. */
static void
damaged_sessions(struct arena *arena)
{
	struct store store;
	struct source source;
	struct flow_session session = empty_session(arena, &store, &source);
	struct span text;

	*session_note(&session, SPAN("a")) = whole_node(arena);
	text = session_write(&session, arena);
	unit_is_json(text);
	for (size_t n = 0; n + 1 < text.n; n++) {
		struct flow_session cut = empty_session(arena, &store, &source);

		CHECK(!session_read(
			  &cut, arena, unit_exact(arena, span_of(text.p, n))),
		    "cut at %zu", n);
		assert_int_equal(cut.n, 0);
	}
	for (size_t i = 0; i < text.n; i++) {
		struct flow_session other =
		    empty_session(arena, &store, &source);
		char *copy = arena_cstr(arena, text);

		copy[i] ^= 1;
		(void)session_read(&other, arena, span_of(copy, text.n));
	}
}

/* ---- notes ---- */

static struct quiet_text
whole_note(struct arena *arena)
{
	struct quiet_text note = {
	    .accessed_ms = 77,
	    .circumstances = digest_of(SPAN("all")),
	    .nenv = 1,
	    .nnodes = 2,
	    .is_whole = true,
	    .flow = SPAN("flow"),
	    .record = SPAN("abcdef01"),
	    .result = SPAN("said\n"),
	};
	const struct quiet_file files[] = {
	    {SPAN("in.txt"), false, {.inode = 9, .size = 1, .mtime = 999}},
	    {SPAN("a"), true, {.ctime = 1234}},
	    {SPAN("/bin/cp"), false, {.dev = 4}},
	};
	struct buf two = buf_new(arena, 16), one = buf_new(arena, 16);

	quiet_add(&two, &files[0]);
	quiet_add(&two, &files[1]);
	quiet_add(&one, &files[2]);
	note.env = arena_array(arena, 1, sizeof(*note.env));
	note.env[0] = SPAN("MODE");
	note.nodes = arena_array(arena, 2, sizeof(*note.nodes));
	note.nodes[0] = (struct quiet_node){SPAN("a"), 5, buf_span(&two)};
	note.nodes[1] = (struct quiet_node){SPAN("b"), 0, SPAN("")};
	note.programs = buf_span(&one);
	return note;
}

static void
notes_come_back(struct arena *arena)
{
	struct quiet_text note = whole_note(arena), again;
	struct quiet_file file;

	assert_true(quiet_read(arena, quiet_write(arena, &note), &again));
	assert_int_equal(again.accessed_ms, 77);
	assert_true(digest_eq(&again.circumstances, &note.circumstances));
	assert_int_equal(again.nenv, 1);
	ASSERT_TEXT(again.env[0], "MODE");
	assert_int_equal(again.nnodes, 2);
	ASSERT_TEXT(again.nodes[1].id, "b");
	assert_int_equal(again.nodes[0].created_ms, 5);
	assert_true(quiet_next(&again.nodes[0].files, &file));
	ASSERT_TEXT(file.name, "in.txt");
	assert_false(file.is_lock);
	assert_int_equal(file.facts.inode, 9);
	assert_int_equal(file.facts.size, 1);
	assert_int_equal(file.facts.mtime, 999);
	assert_true(quiet_next(&again.nodes[0].files, &file));
	ASSERT_TEXT(file.name, "a");
	assert_true(file.is_lock);
	assert_int_equal(file.facts.ctime, 1234);
	assert_false(quiet_next(&again.nodes[0].files, &file));
	assert_int_equal(again.nodes[0].files.n, 0);
	assert_int_equal(again.nodes[1].files.n, 0);
	assert_true(again.is_whole);
	assert_true(quiet_next(&again.programs, &file));
	ASSERT_TEXT(file.name, "/bin/cp");
	assert_int_equal(file.facts.dev, 4);
	ASSERT_TEXT(again.flow, "flow");
	ASSERT_TEXT(again.record, "abcdef01");
	ASSERT_TEXT(again.result, "said\n");
}

static void
damaged_notes(struct arena *arena)
{
	struct quiet_text note = whole_note(arena), again;
	struct span bytes = quiet_write(arena, &note);

	for (size_t n = 0; n < bytes.n; n++)
		CHECK(!quiet_read(arena, unit_exact(arena, span_of(bytes.p, n)),
			  &again),
		    "cut at %zu", n);
	for (size_t i = 0; i < bytes.n; i++) {
		char *copy = arena_cstr(arena, bytes);

		copy[i] ^= 0x40;
		CHECK(!quiet_read(arena, span_of(copy, bytes.n), &again),
		    "changed at %zu", i);
	}
	assert_false(
	    quiet_read(arena, unit_join(arena, bytes, SPAN("more")), &again));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(times),
	    TEST(times_are_those_of_timegm),
	    TEST(sessions_come_back),
	    TEST(sessions_are_put_together),
	    TEST(damaged_sessions),
	    TEST(notes_come_back),
	    TEST(damaged_notes),
	};

	return RUN_TESTS(tests);
}
