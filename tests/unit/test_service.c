#include "unit_dir.h"

#include "json/json.h"
#include "serve/serve.h"
#include "serve/service.h"

/*
 * A host with one file and one session.  What the rules say about single
 * answers is tested in tests/matrix, by the executable; here are chains that
 * only show when a whole request runs through all the stages.
 */
struct host {
	struct arena *arena;
	const char *cwd;
	const char *policy;
	struct buf entries; /* a JSON array without its brackets */
	unsigned n;
};

static struct host
host_new(struct arena *arena, const char *name)
{
	struct host host = {arena, unit_path(arena, name), "strict",
	    buf_new(arena, 1024), 0};

	assert_int_equal(mkdir(host.cwd, 0755), 0);
	return host;
}

/* Forty lines, some of them changed, each change one letter. */
static void
write_lines(const struct host *host, const char *changed)
{
	struct buf text = buf_new(host->arena, 4096);
	struct span path = unit_join(host->arena, span_str(host->cwd),
	    SPAN("/a.txt"));

	for (unsigned i = 0; i < 40; i++) {
		buf_str(&text, strchr(changed, (int)('a' + i % 26)) != NULL &&
			    i < 26
			? "changed line "
			: "a line of the file, long enough to be worth it ");
		buf_u64(&text, i);
		buf_char(&text, '\n');
	}
	unit_write_file(arena_cstr(host->arena, path), buf_span(&text));
}

/* Store a result as the host does, behind what is there. */
static void
append(struct host *host, struct span result)
{
	struct json_field f[] = {{.name = SPAN("content")},
	    {.name = SPAN("details")}};
	struct json_doc doc = json_doc(host->arena);
	struct buf *out = &host->entries;

	json_pick(&doc, result, f, 2);
	buf_str(out, host->n > 0 ? ",{\"id\":\"e" : "{\"id\":\"e");
	buf_u64(out, host->n + 1);
	buf_str(out, "\",\"parentId\":\"e");
	buf_u64(out, host->n);
	buf_str(out, "\",\"type\":\"message\",\"message\":{\"role\":"
		     "\"toolResult\",\"toolName\":\"read\",\"toolCallId\":"
		     "\"c\",\"isError\":false,\"content\":");
	buf_add(out, f[0].value);
	buf_str(out, ",\"details\":");
	buf_add(out, f[1].value);
	buf_str(out, "}}");
	host->n++;
}

/* Read the file with PARAMS more; the mode and the reason must be WANT. */
static void
read_file(struct host *host, const char *params, const char *want)
{
	struct json_field f[] = {{.name = SPAN("result")},
	    {.name = SPAN("decision")}};
	struct json_field d[] = {{.name = SPAN("mode")},
	    {.name = SPAN("reason")}};
	/* As in a process: a request has an arena of its own. */
	struct arena *arena = arena_new(UNIT_ARENA);
	struct json_doc doc = json_doc(arena);
	struct buf request = buf_new(arena, 1024);
	struct buf out = buf_new(arena, 4096);
	struct buf have = buf_new(arena, 64);
	struct service service = {.arena = arena};

	buf_str(&request, "{\"v\":1,\"op\":\"read\",\"cwd\":\"");
	buf_str(&request, host->cwd);
	buf_str(&request, "\",\"params\":{\"path\":\"a.txt\"");
	buf_str(&request, params);
	buf_str(&request, "},\"policy\":\"");
	buf_str(&request, host->policy);
	buf_str(&request, "\",\"session\":{\"leafId\":");
	if (host->n > 0) {
		buf_str(&request, "\"e");
		buf_u64(&request, host->n);
		buf_str(&request, "\"");
	} else {
		buf_str(&request, "null");
	}
	buf_str(&request, ",\"entries\":[");
	buf_add(&request, buf_span(&host->entries));
	buf_str(&request, "]}}");
	assert_int_equal(service_answer(&service, buf_span(&request), &out),
	    SERVICE_OK);
	upkeep_run(arena, &service.upkeep);
	assert_true(json_valid(arena, buf_span(&out)));
	json_pick(&doc, buf_span(&out), f, 2);
	json_pick(&doc, f[1].value, d, 2);
	buf_add(&have, d[0].value);
	buf_char(&have, ' ');
	buf_add(&have, d[1].value);
	ASSERT_TEXT(buf_span(&have), want);
	append(host, f[0].value);
	arena_free(arena);
}

#define FIRST "\"full\" \"first_read\""
#define DIFF "\"diff\" \"changed\""
#define SAME "\"unchanged\" \"same_file\""
#define RANGE ",\"offset\":30,\"limit\":5"

/*
 * T6 speaks of views that have another hash than the base: a diff's own view
 * is no reason against the next diff.
 */
static void
a_diff_behind_a_diff(struct arena *arena)
{
	struct host host = host_new(arena, "row");

	write_lines(&host, "");
	read_file(&host, "", FIRST);
	write_lines(&host, "c");
	read_file(&host, "", DIFF);
	read_file(&host, "", SAME);
	write_lines(&host, "ck");
	read_file(&host, "", DIFF);
}

/* Each shows what changed since the one before: together, the whole file. */
static void
diffs_in_a_row(struct arena *arena)
{
	struct host host = host_new(arena, "many");

	write_lines(&host, "");
	read_file(&host, "", FIRST);
	write_lines(&host, "c");
	read_file(&host, "", DIFF);
	write_lines(&host, "ck");
	read_file(&host, "", DIFF);
	read_file(&host, "", SAME);
	write_lines(&host, "ckp");
	read_file(&host, "", DIFF);
	read_file(&host, RANGE, "\"unchanged_range\" \"same_file\"");
	write_lines(&host, "kp");
	read_file(&host, "", DIFF);
	read_file(&host, "", SAME);
}

static void
markers_and_diffs_in_turn(struct arena *arena)
{
	struct host host = host_new(arena, "turn");

	write_lines(&host, "");
	read_file(&host, "", FIRST);
	read_file(&host, "", SAME);
	write_lines(&host, "c");
	read_file(&host, RANGE, "\"unchanged_range\" \"same_lines\"");
	read_file(&host, "", DIFF);
	read_file(&host, "", SAME);
	read_file(&host, RANGE, "\"unchanged_range\" \"same_file\"");
	write_lines(&host, "ck");
	read_file(&host, RANGE, "\"unchanged_range\" \"same_lines\"");
}

/* T6: a range that was shown in between, and is not so any more. */
static void
a_range_shown_in_between(struct arena *arena)
{
	struct host host = host_new(arena, "between");

	write_lines(&host, "");
	read_file(&host, "", FIRST);
	write_lines(&host, "c");
	read_file(&host, ",\"offset\":1,\"limit\":5",
	    "\"baseline_fallback\" \"lines_changed\"");
	write_lines(&host, "");
	read_file(&host, "", "\"baseline_fallback\" \"newer_view\"");
	read_file(&host, "", SAME);
}

/*
 * The same under coverage: of the line that was shown as two texts only the
 * text is sent, and then all of them count again.
 */
static void
a_line_shown_in_between(struct arena *arena)
{
	struct host host = host_new(arena, "line");

	host.policy = "pieces";
	write_lines(&host, "");
	read_file(&host, "", FIRST);
	write_lines(&host, "c");
	read_file(&host, ",\"offset\":1,\"limit\":5",
	    "\"baseline_fallback\" \"lines_changed\"");
	write_lines(&host, "");
	read_file(&host, "", "\"diff\" \"pieces\"");
	read_file(&host, "", "\"unchanged\" \"covered\"");
	write_lines(&host, "k");
	read_file(&host, "", DIFF);
	read_file(&host, ",\"offset\":1,\"limit\":5",
	    "\"unchanged_range\" \"covered\"");
}

/* Where strict has a marker for the file, coverage sends no parts of it. */
static void
a_marker_before_parts(struct arena *arena)
{
	struct host host = host_new(arena, "parts");

	host.policy = "coverage";
	write_lines(&host, "");
	read_file(&host, "", FIRST);
	write_lines(&host, "ck");
	read_file(&host, ",\"offset\":1,\"limit\":5",
	    "\"baseline_fallback\" \"lines_changed\"");
	read_file(&host, "", DIFF);
	read_file(&host, "", SAME);
}

/* ---- what is refused ---- */

static void
numbers_of_a_refresh(struct arena *arena)
{
	static const char *const params[] = {"\"offset\":\"x\"",
	    "\"limit\":\"x\"", "\"offset\":1,\"limit\":-1"};
	struct host host = host_new(arena, "refused");

	write_lines(&host, "");
	for (size_t i = 0; i < COUNT_OF(params); i++) {
		struct buf request = buf_new(arena, 512);
		struct buf out = buf_new(arena, 4096);
		struct service service = {.arena = arena};

		buf_str(&request, "{\"v\":1,\"op\":\"refresh\",\"cwd\":\"");
		buf_str(&request, host.cwd);
		buf_str(&request, "\",\"params\":{\"path\":\"a.txt\",");
		buf_str(&request, params[i]);
		buf_str(&request, "}}");
		CHECK(service_answer(&service, buf_span(&request), &out) ==
			SERVICE_UNUSABLE,
		    "%s", params[i]);
		assert_non_null(memmem(out.p, out.n, "bad_request", 11));
	}
}

/* A tilde may mean any file, so nothing is known where no home is. */
static void
without_a_home(struct arena *arena)
{
	struct host host = host_new(arena, "homeless");
	struct span far = unit_repeat(arena, SPAN("/far"), 2000);
	const char *home = getenv("HOME");

	write_lines(&host, "");
	read_file(&host, "", FIRST);
	for (int homeless = 0; homeless < 2; homeless++) {
		struct buf request = buf_new(arena, 4096);
		struct buf out = buf_new(arena, 4096);
		struct service service = {.arena = arena};

		if (homeless)
			assert_int_equal(
			    setenv("HOME", arena_cstr(arena, far), 1), 0);
		buf_str(&request, "{\"v\":1,\"op\":\"status\",\"cwd\":\"");
		buf_str(&request, host.cwd);
		buf_str(&request,
		    "\",\"session\":{\"leafId\":\"e1\",\"entries\":[");
		buf_add(&request, buf_span(&host.entries));
		buf_str(&request, "]}}");
		assert_int_equal(
		    service_answer(&service, buf_span(&request), &out),
		    SERVICE_OK);
		assert_null(memmem(
		    out.p, out.n, "net:  bytes served", 18));
		assert_non_null(memmem(out.p, out.n,
		    homeless ? "\"paths\":0," : "\"paths\":1,", 10));
	}
	if (home != NULL)
		assert_int_equal(setenv("HOME", home, 1), 0);
	else
		assert_int_equal(unsetenv("HOME"), 0);
}

/* What needs more memory than there is is told so, in one line. */
static void
more_than_is_allowed(struct arena *arena)
{
	struct arena *small = arena_new((size_t)256 * 1024);
	struct buf request = buf_new(arena, 4096);
	struct buf out = buf_new(arena, 4096);
	struct service service = {.arena = small};

	buf_str(&request, "{\"v\":1,\"id\":7,\"op\":\"status\",\"cwd\":\"/\","
			  "\"session\":{\"leafId\":\"e1\",\"entries\":[");
	for (int i = 0; i < 20000; i++)
		buf_str(&request, "{\"id\":\"e1\"},");
	buf_str(&request, "{}]}}");
	assert_int_equal(service_answer(&service, buf_span(&request), &out),
	    SERVICE_FAILED);
	assert_non_null(memmem(out.p, out.n, "\"out_of_memory\"", 15));
	arena_free(small);
}

/* What cannot be read is the end, not something to wait for. */
static void
an_input_that_cannot_be_read(struct arena *arena)
{
	int in = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int out = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)arena;
	assert_int_not_equal(serve_lines(in, out), 0);
	(void)close(in);
	(void)close(out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_diff_behind_a_diff),
		TEST(diffs_in_a_row),
		TEST(markers_and_diffs_in_turn),
		TEST(a_range_shown_in_between),
		TEST(a_line_shown_in_between),
		TEST(a_marker_before_parts),
		TEST(numbers_of_a_refresh),
		TEST(without_a_home),
		TEST(more_than_is_allowed),
		TEST(an_input_that_cannot_be_read),
	};

	return RUN_TESTS_IN_DIR(tests);
}
