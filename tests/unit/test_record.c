#include "unit_dir.h"
#include "unit_json.h"

#include "base/base64.h"
#include "work/record/file.h"
#include "work/record/trim.h"
#include "work/record/verdict.h"

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
	    .order = SPAN("o"),
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
	cJSON *tree = unit_json(text);

	unit_json_text(tree, "model", in.model);
	cJSON_Delete(tree);
	assert_true(record_read(
	    arena, SPAN(KEY), unit_exact(arena, text), &out));
	ASSERT_SPAN(out.key, in.key);
	ASSERT_SPAN(out.value, in.value);
	ASSERT_SPAN(out.errors, in.errors);
	ASSERT_TEXT(out.json, "{\"a\":[1,2.50]}");
	ASSERT_TEXT(out.outs, "[]");
	ASSERT_SPAN(out.kind, in.kind);
	ASSERT_SPAN(out.status, in.status);
	ASSERT_SPAN(out.order, in.order);
	ASSERT_SPAN(out.model, in.model);
	ASSERT_SPAN(out.inputs, in.inputs);
	ASSERT_SPAN(out.flow, in.flow);
	ASSERT_SPAN(out.phase, in.phase);
	ASSERT_SPAN(out.creator, in.creator);
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

/* Every part that is given back is in the sum. */
static void
no_part_can_be_another(struct arena *arena)
{
	static const char *const parts[] = {"\"done\"", "\"o\"", "\"m\"",
	    "2.50"};
	struct record in = full_record(), out;

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		struct span text = unit_exact(arena, record_write(arena, &in));
		char *at = memmem(
		    text.p, text.n, parts[i], strlen(parts[i]));

		CHECK(at != NULL, "%s is not written", parts[i]);
		at[strlen(parts[i]) - 2]++;
		CHECK(!record_read(arena, SPAN(KEY), text, &out),
		    "%s is believed", parts[i]);
	}
}

/* Also of another program's records, which have no sum. */
static void
what_cannot_be_is_not_read(struct arena *arena)
{
	static const struct {
		const char *text;
		bool read;
	} rows[] = {{"{\"value\":\"v\"}", true},
	    {"{\"value\":\"v\",\"key\":\"" KEY "\"}", true},
	    {"{\"value\":\"v\",\"key\":\"other\"}", false},
	    {"{\"value\":\"v\",\"model\":\"m\"}", true},
	    {"{\"value\":\"v\",\"model\":\"\\ud800\"}", false},
	    {"{\"value\":\"v\",\"model\":1}", false}};
	struct record out;

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(record_read(arena, SPAN(KEY), span_str(rows[i].text),
			  &out) == rows[i].read,
		    "%s", rows[i].text);
}

/* Where others keep files, too, this decides what may be removed. */
static void
what_a_record_says_of_itself(struct arena *arena)
{
	static const struct {
		const char *text;
		enum record_claim claim;
	} rows[] = {{"{\"value\":\"v\"}", CLAIM_NONE},
	    {"{\"value\":\"v\",\"key\":\"" KEY "\"}", CLAIM_NONE},
	    {"{\"value\":\"v\",\"expires_at\":0}", CLAIM_PLAIN},
	    {"{\"value\":\"v\",\"expires_at\":0,\"key\":\"" KEY "\"}",
		CLAIM_PLAIN}};
	struct record in = full_record(), out;

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(record_read(
			  arena, SPAN(KEY), span_str(rows[i].text), &out) &&
			  out.claim == rows[i].claim,
		    "%s", rows[i].text);
	assert_true(
	    record_read(arena, SPAN(KEY), record_write(arena, &in), &out));
	assert_int_equal(out.claim, CLAIM_OURS);
	/* A sum that fits, but no key. */
	in.key.p = NULL;
	assert_true(
	    record_read(arena, SPAN(KEY), record_write(arena, &in), &out));
	assert_int_equal(out.claim, CLAIM_PLAIN);
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

/* Whoever wrote it: work that did not succeed is no value to use again. */
static void
what_failed_is_no_hit(struct arena *arena)
{
	static const struct {
		struct span status;
		enum record_got got;
	} rows[] = {{LIT("done"), RECORD_HIT}, {{NULL, 0}, RECORD_HIT},
	    {LIT("failed"), RECORD_DAMAGED}, {LIT("running"), RECORD_DAMAGED},
	    {LIT(""), RECORD_DAMAGED}};
	struct store store = new_store(arena, "status");
	struct records records = records_in(&store);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct record in = {.key = SPAN(KEY), .value = SPAN("v"),
		    .status = rows[i].status}, out;

		assert_true(record_save(&records, &in));
		CHECK(record_load(&records, SPAN(KEY), 0, RECORD_LOOK, &out) ==
			rows[i].got,
		    "row %zu", i);
	}
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

static const char *
record_path(struct arena *arena, const struct store *store)
{
	struct buf path = buf_new(arena, 256);

	buf_add(&path, store->root);
	buf_str(&path, "/memo/" KEY ".json");
	return arena_cstr(arena, buf_span(&path));
}

/* A use is noted in the time of access, by which the oldest go. */
static void
uses_are_noted(struct arena *arena)
{
	struct store store = new_store(arena, "used");
	struct records records = records_in(&store);
	struct record in = {.key = SPAN(KEY), .value = SPAN("v")}, out;
	/* A clock was wrong once; or the system would note it by itself. */
	struct timespec old[2] = {{time(NULL) + 1000000, 0}, {1000, 0}};
	const char *path = record_path(arena, &store);
	struct stat st;

	assert_true(record_save(&records, &in));
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	(void)record_load(&records, SPAN(KEY), 0, RECORD_LOOK, &out);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mtime, 1000);
	assert_int_equal(record_load(&records, SPAN(KEY), 0, RECORD_USE, &out),
	    RECORD_HIT);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_atime <= time(NULL));
	assert_int_equal(st.st_mtime, 1000);
}

/* What does not say when it was made was made when it was written. */
static void
the_time_of_a_file(struct arena *arena)
{
	struct store store = new_store(arena, "times");
	struct records records = records_in(&store);
	struct record in = {.key = SPAN(KEY), .value = SPAN("v")}, out;
	static const struct {
		time_t written;
		uint64_t made;
	} rows[] = {{5, 5000}, {-5, 0}};

	assert_true(record_save(&records, &in));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct timespec times[2] = {
		    {0, UTIME_OMIT}, {rows[i].written, 0}};

		unit_write_file(record_path(arena, &store),
		    SPAN("{\"value\":\"v\"}"));
		assert_int_equal(utimensat(AT_FDCWD,
		    record_path(arena, &store), times, 0), 0);
		assert_int_equal(record_load(&records, SPAN(KEY), 0,
				     RECORD_LOOK, &out),
		    RECORD_HIT);
		assert_int_equal(out.life.created_ms, rows[i].made);
	}
}

/* 0 is a descriptor like any other, where nobody left an input open. */
static void
without_an_input(struct arena *arena)
{
	struct store store = new_store(arena, "no-input");
	struct records records = records_in(&store);
	struct record in = {.key = SPAN(KEY), .value = SPAN("v")}, out;

	assert_true(record_save(&records, &in));
	assert_int_equal(dup2(open("/dev/null", O_RDONLY), 0), 0);
	(void)close(0);
	assert_int_equal(record_load(&records, SPAN(KEY), 0, RECORD_LOOK, &out),
	    RECORD_HIT);
	(void)open("/dev/null", O_RDONLY);
}

/* A directory in a record's place goes if it is empty. */
static void
a_directory_in_the_way(struct arena *arena)
{
	struct store store = new_store(arena, "way");
	struct records records = records_in(&store);
	struct record in = {.key = SPAN(KEY), .value = SPAN("v")};
	const char *path = record_path(arena, &store);

	assert_true(record_save(&records, &in));
	assert_true(record_remove(&records, SPAN(KEY)));
	assert_int_equal(mkdir(path, 0700), 0);
	assert_true(record_remove(&records, SPAN(KEY)));
	assert_int_not_equal(access(path, F_OK), 0);
}

static void
damaged_ones_are_counted(struct arena *arena)
{
	struct store store = new_store(arena, "damaged");
	struct records records = records_in(&store);
	struct record in = {.key = SPAN(KEY), .value = SPAN("v")};
	const struct gc_limits limits = {UINT64_MAX, UINT64_MAX};

	assert_true(record_save(&records, &in));
	assert_int_equal(
	    trim_run(&records, NULL, &limits, GC_TELL).damaged, 0);
	unit_write_file(record_path(arena, &store), SPAN("{"));
	assert_int_equal(
	    trim_run(&records, NULL, &limits, GC_TELL).damaged, 1);
}

/* Who made it: by name, or by number where there is none. */
static void
creators(struct arena *arena)
{
	char number[32];

	assert_int_equal(setenv("USER", "somebody", 1), 0);
	assert_true(span_starts(record_creator(arena), SPAN("somebody@")));
	(void)snprintf(number, sizeof(number), "uid %u@", geteuid());
	assert_int_equal(setenv("USER", "", 1), 0);
	assert_true(span_starts(record_creator(arena), span_str(number)));
	assert_int_equal(unsetenv("USER"), 0);
	assert_true(span_starts(record_creator(arena), span_str(number)));
}

/* ---- verdicts ---- */

/* What a reason does not know it does not tell. */
static void
only_what_is_known_is_told(struct arena *arena)
{
	struct verdict verdict = {.decision = DECISION_WORK};
	struct buf out = buf_new(arena, 256);

	verdict_add(arena, &verdict, REASON_DEP, SPAN("a"),
	    (struct span){NULL, 0}, SPAN("2"));
	verdict_members(&out, &verdict);
	assert_null(memmem(out.p, out.n, "\"old\"", 5));
	assert_non_null(memmem(out.p, out.n, "\"new\":\"2\"", 9));
}


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
	    TEST(what_a_record_says_of_itself),
	    TEST(no_flipped_bit_is_believed),
	    TEST(keys),
	    TEST(looking_leaves_an_expired_record),
	    TEST(what_failed_is_no_hit),
	    TEST(what_cannot_be_is_not_read),
	    TEST(no_part_can_be_another),
	    TEST(uses_are_noted),
	    TEST(the_time_of_a_file),
	    TEST(without_an_input),
	    TEST(a_directory_in_the_way),
	    TEST(damaged_ones_are_counted),
	    TEST(creators),
	    TEST(only_what_is_known_is_told),
	    TEST(nothing_is_made_by_looking),
	    TEST(sentences),
	    TEST(headlines),
	    TEST(every_reason_can_be_told),
	};

	return RUN_TESTS_IN_DIR(tests);
}
