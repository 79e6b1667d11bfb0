#include "unit_dir.h"

#include "base/base64.h"
#include "record/file.h"
#include "record/verdict.h"

#define KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* ---- base64 ---- */

static void
base64_vectors(struct arena *arena)
{
	/* RFC 4648, and bytes above 127. */
	static const struct {
		struct span bytes;
		const char *text;
	} rows[] = {{LIT(""), ""}, {LIT("f"), "Zg=="}, {LIT("fo"), "Zm8="},
	    {LIT("foo"), "Zm9v"}, {LIT("foob"), "Zm9vYg=="},
	    {LIT("foobar"), "Zm9vYmFy"}, {LIT("\xff\xfe\0"), "//4A"}};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf out = buf_new(arena, 16);
		struct span back;

		base64_write(&out, rows[i].bytes);
		ASSERT_TEXT(buf_span(&out), rows[i].text);
		assert_true(base64_read(
		    arena, unit_exact(arena, buf_span(&out)), &back));
		ASSERT_SPAN(back, rows[i].bytes);
	}
}

static void
base64_is_strict(struct arena *arena)
{
	static const char rows[][12] = {"Zg", "Zg=", "Zh==", "Zm9=", "Z===",
	    "====", "Zm9v\n", "Zm 9v", "Zg==Zg==", "Zm9v*mFy"};
	struct span back;

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(!base64_read(arena, span_str(rows[i]), &back),
		    "\"%s\" is taken", rows[i]);
}

/* ---- the text of a record ---- */

static struct record
full_record(void)
{
	return (struct record){.key = SPAN(KEY),
	    .value = SPAN("v\0\xff"),
	    .life = {1700000000123, 5000, 1700000006},
	    .kind = SPAN("stage"),
	    .status = SPAN("done"),
	    .exited = true,
	    .exit = 3,
	    .errors = SPAN("e\xfe"),
	    .json = SPAN("{ \"a\": [1, 2.50] }"),
	    .model = SPAN("m"),
	    .outs = SPAN("[ ]"),
	    .inputs = SPAN("{}"),
	    .flow = SPAN("f"),
	    .phase = SPAN("p"),
	    .run_id = SPAN("r"),
	    .creator = SPAN("c"),
	    .tool_version = SPAN("t")};
}

static void
what_is_written_is_read(struct arena *arena)
{
	struct record in = full_record(), out;
	struct span text = record_write(arena, &in);

	assert_true(record_read(
	    arena, SPAN(KEY), unit_exact(arena, text), &out));
	ASSERT_SPAN(out.key, in.key);
	ASSERT_SPAN(out.value, in.value);
	ASSERT_SPAN(out.errors, in.errors);
	ASSERT_TEXT(out.json, "{\"a\":[1,2.50]}");
	ASSERT_TEXT(out.outs, "[]");
	ASSERT_SPAN(out.run_id, in.run_id);
	ASSERT_SPAN(out.tool_version, in.tool_version);
	assert_true(out.exited);
	assert_int_equal(out.exit, 3);
	assert_int_equal(out.life.created_ms, in.life.created_ms);
	assert_int_equal(out.life.ttl_ms, in.life.ttl_ms);
	assert_int_equal(out.life.expires_at, in.life.expires_at);
}

static void
what_is_not_set_is_not_written(struct arena *arena)
{
	struct record in = {.key = SPAN(KEY), .value = SPAN("v")}, out;
	struct span text = record_write(arena, &in);

	assert_null(memmem(text.p, text.n, "stderr", 6));
	assert_null(memmem(text.p, text.n, "ttl_ms", 6));
	assert_true(record_read(arena, SPAN(KEY), text, &out));
	assert_null(out.model.p);
	assert_null(out.errors.p);
	assert_false(out.exited);
}

/* Whatever bit is flipped, the result is what it was, or there is none. */
static void
no_flipped_bit_is_believed(struct arena *arena)
{
	struct record in = full_record(), out;
	struct span text = record_write(arena, &in);
	char *bytes = arena_cstr(arena, text);
	struct arena *scratch = arena_scratch(arena);

	for (size_t i = 0; i < text.n * 8; i++) {
		bytes[i / 8] = (char)(bytes[i / 8] ^ 1 << i % 8);
		if (record_read(
			scratch, SPAN(KEY), span_of(bytes, text.n), &out)) {
			ASSERT_SPAN(out.value, in.value);
			CHECK(out.errors.p != NULL && out.exited &&
				out.exit == 3 &&
				span_eq(out.errors, in.errors),
			    "bit %zu changes what is said again", i);
		}
		bytes[i / 8] = (char)(bytes[i / 8] ^ 1 << i % 8);
		arena_reset(scratch);
	}
}

static void
keys(struct arena *arena)
{
	static const struct {
		struct span key;
		bool valid;
	} rows[] = {{LIT("01234567"), true}, {LIT(KEY), true},
	    {LIT("0123456"), false}, {LIT(KEY "0"), false},
	    {LIT("0123456G"), false}, {LIT("ABCDEF01"), false},
	    {LIT("../../x1"), false}, {LIT(""), false},
	    {LIT("0123456\0"), false}};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(record_key_valid(rows[i].key) == rows[i].valid,
		    "row %zu", i);
}

/* ---- files ---- */

static struct store
new_store(struct arena *arena, const char *name)
{
	return store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));
}

static void
looking_leaves_an_expired_record(struct arena *arena)
{
	struct store store = new_store(arena, "look");
	struct records records = records_in(&store);
	struct record in = {.key = SPAN(KEY), .value = SPAN("v"),
	    .life = {1, 1, 1}}, out;

	assert_true(record_save(&records, &in));
	assert_int_equal(
	    record_load(&records, SPAN(KEY), 0, RECORD_LOOK, &out),
	    RECORD_EXPIRED);
	assert_true(record_exists(&records, SPAN(KEY)));
	assert_int_equal(
	    record_load(&records, SPAN(KEY), 0, RECORD_USE, &out),
	    RECORD_EXPIRED);
	assert_false(record_exists(&records, SPAN(KEY)));
}

static void
nothing_is_made_by_looking(struct arena *arena)
{
	struct store store = new_store(arena, "nothing");
	struct records records = records_in(&store);
	struct record out;

	assert_int_equal(
	    record_load(&records, SPAN(KEY), 0, RECORD_USE, &out),
	    RECORD_ABSENT);
	assert_false(record_remove(&records, SPAN(KEY)));
	assert_int_not_equal(access(unit_path(arena, "nothing"), F_OK), 0);
}

/* ---- verdicts ---- */

static void
sentences(struct arena *arena)
{
	struct verdict verdict = {.decision = DECISION_WORK};
	struct buf out = buf_new(arena, 64);

	verdict_add(arena, &verdict, REASON_PARAM, SPAN("lr"), SPAN("0.1"),
	    SPAN("0.2"));
	verdict_add(arena, &verdict, REASON_DEP, SPAN("data.csv"),
	    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
	verdict_add(arena, &verdict, REASON_UNRESOLVABLE, SPAN("git:x"),
	    VERDICT_UNKNOWN, SPAN("git does not know it"));
	verdict_because(arena, &verdict, REASON_FORCED);
	verdict_reasons_text(&out, &verdict);
	ASSERT_TEXT(buf_span(&out),
	    "param lr: 0.1 -> 0.2, dep data.csv changed, "
	    "fingerprint git:x cannot be resolved: git does not know it, "
	    "reuse was turned off for this call");
}

static void
headlines(struct arena *arena)
{
	static const struct {
		struct verdict verdict;
		const char *text;
	} rows[] = {
	    {{.decision = DECISION_WORK}, "RUN"},
	    {{.decision = DECISION_REFUSE}, "REFUSED"},
	    {{.decision = DECISION_REUSE, .tier = TIER_RUN, .aged = true,
		 .age_ms = 5000}, "CACHED"},
	    {{.decision = DECISION_REUSE, .tier = TIER_CROSS_RUN,
		 .aged = true, .age_ms = 390000},
		"CACHED (cross-run \xc2\xb7 age 6m)"},
	    {{.decision = DECISION_REUSE, .tier = TIER_GENERATION},
		"CACHED (generation match)"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf out = buf_new(arena, 64);

		verdict_headline(&out, &rows[i].verdict);
		ASSERT_TEXT(buf_span(&out), rows[i].text);
	}
}

/* Every reason has its own code and some words, whatever is added. */
static void
every_reason_can_be_told(struct arena *arena)
{
	for (int i = REASON_SAME; i <= REASON_STORE; i++) {
		struct verdict verdict = {.decision = DECISION_WORK};
		struct buf out = buf_new(arena, 64);

		verdict_add(arena, &verdict, (enum reason)i, SPAN("\xff"),
		    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
		verdict_reason_text(&out, verdict.first);
		CHECK(out.n > 3, "reason %d has no words", i);
		out.n = 0;
		buf_char(&out, '{');
		verdict_members(&out, &verdict);
		buf_char(&out, '}');
		CHECK(memchr(out.p, 0xff, out.n) == NULL,
		    "reason %d: bytes that are no text get into JSON", i);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(base64_vectors),
	    TEST(base64_is_strict),
	    TEST(what_is_written_is_read),
	    TEST(what_is_not_set_is_not_written),
	    TEST(no_flipped_bit_is_believed),
	    TEST(keys),
	    TEST(looking_leaves_an_expired_record),
	    TEST(nothing_is_made_by_looking),
	    TEST(sentences),
	    TEST(headlines),
	    TEST(every_reason_can_be_told),
	};

	return RUN_TESTS_IN_DIR(tests);
}
