/*
 * What a host is told of a request that cannot be used, and what counts as one
 * that can.
 */
#include "unit.h"

#include "serve/request.h"

/* MEMBERS, in a request that could be used but for them. */
static struct span
with(struct arena *arena, const char *members)
{
	struct buf text = buf_new(arena, 256);

	buf_str(&text, "{\"v\":1,\"op\":\"read\",\"cwd\":\"/w\","
		       "\"params\":{\"path\":\"a\"}");
	if (*members != '\0')
		buf_char(&text, ',');
	buf_str(&text, members);
	buf_char(&text, '}');
	return buf_span(&text);
}

static void
refused(struct arena *arena, struct span text, const char *sentence)
{
	struct request request;
	const char *error = NULL;

	assert_false(request_parse(arena, NULL, text, &request, &error));
	assert_string_equal(error, sentence);
}

static struct request
taken(struct arena *arena, struct span text)
{
	struct request request;
	const char *error = NULL;

	if (!request_parse(arena, NULL, text, &request, &error))
		fail_msg("%s", error);
	return request;
}

static void
texts_that_are_no_request(struct arena *arena)
{
	refused(arena, SPAN(" \n"),
	    "the request is empty: one JSON object is expected.");
	refused(arena, SPAN("{\"v\":1} x"),
	    "the request is not one JSON value in UTF-8.");
	refused(arena, SPAN("[1]"), "the request must be a JSON object.");
	refused(arena, SPAN("{\"op\":\"read\"}"),
	    "v must be 1, the protocol version.");
	refused(arena, SPAN("{\"v\":2,\"op\":\"read\"}"),
	    "v must be 1, the protocol version.");
	refused(arena, SPAN("{\"v\":1,\"op\":\"write\"}"),
	    "op must be \"read\", \"refresh\", \"status\" or \"expand\".");
	refused(arena, SPAN("{\"v\":1,\"op\":\"read\",\"cwd\":\"w\"}"),
	    "cwd must be an absolute path.");
	refused(arena, SPAN("{\"v\":1,\"op\":\"read\",\"cwd\":\"/w\\u0000\"}"),
	    "cwd must be an absolute path.");
}

static void
members_that_cannot_be_used(struct arena *arena)
{
	static const struct {
		const char *members, *sentence;
	} all[] = {
	    {"\"toolCallId\":7", "toolCallId must be a string."},
	    {"\"nested\":1", "nested must be true or false."},
	    {"\"policy\":\"lax\"",
		"policy must be \"strict\", \"coverage\" or \"pieces\"."},
	    {"\"policy\":1",
		"policy must be \"strict\", \"coverage\" or \"pieces\"."},
	    {"\"delivered\":\"ABC\"",
		"delivered must be a sha256 of 64 lowercase digits."},
	    {"\"store\":\"s\"", "store must be an absolute path."},
	    {"\"overlay\":{}", "overlay must be an array."},
	    {"\"session\":[]", "session must be an object."},
	    {"\"session\":{\"id\":1}", "session.id must be a string."},
	    {"\"session\":{\"entries\":[],\"file\":\"/s\"}",
		"session must have entries or file, not both."},
	    {"\"session\":{\"entries\":{}}",
		"session.entries must be an array."},
	    {"\"session\":{\"file\":\"s\"}",
		"session.file must be an absolute path."},
	    {"\"session\":{\"leafId\":1}",
		"session.leafId must be a string or null."},
	    {"\"session\":{\"dirs\":\"/w\"}",
		"session.dirs must be an array of absolute paths or null."},
	    {"\"session\":{\"dirs\":[\"w\"]}",
		"session.dirs must be an array of absolute paths or null."},
	    {"\"session\":{\"after\":\"\"}",
		"session.after must be the id of an entry."},
	    {"\"session\":{\"id\":\"s\",\"file\":\"/s\",\"leafId\":\"b\","
	     "\"after\":\"a\"}",
		"session.after needs session.id, session.entries and "
		"session.leafId."},
	    {"\"session\":{\"entries\":[],\"leafId\":\"b\",\"after\":\"a\"}",
		"session.after needs session.id, session.entries and "
		"session.leafId."},
	    {"\"session\":{\"id\":\"s\",\"entries\":[],\"after\":\"a\"}",
		"session.after needs session.id, session.entries and "
		"session.leafId."},
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		refused(arena, with(arena, all[i].members), all[i].sentence);
}

/* null is as good as nothing, and what nobody knows is ignored. */
static void
members_that_need_not_be_there(struct arena *arena)
{
	struct request plain = taken(arena, with(arena, ""));
	struct request nulls = taken(arena,
	    with(arena, "\"toolCallId\":null,\"nested\":null,\"policy\":null,"
			"\"delivered\":null,\"store\":null,\"session\":null,"
			"\"overlay\":null,\"tomorrow\":{\"a\":1}"));

	assert_int_equal(plain.op, OP_READ);
	ASSERT_TEXT(plain.cwd, "/w");
	ASSERT_TEXT(plain.path, "a");
	assert_int_equal(plain.id.n, 0);
	for (int i = 0; i < 2; i++) {
		const struct request *request = i == 0 ? &plain : &nulls;

		assert_int_equal(request->call_id.n, 0);
		assert_false(request->nested);
		assert_false(request->has_policy);
		assert_false(request->has_delivered);
		assert_int_equal(request->store.n, 0);
		assert_int_equal(request->session.source, SESSION_NONE);
	}
}

static void
each_policy_has_its_name(struct arena *arena)
{
	static const struct {
		const char *member;
		enum policy policy;
	} all[] = {
	    {"\"policy\":\"strict\"", POLICY_STRICT},
	    {"\"policy\":\"coverage\"", POLICY_COVERAGE},
	    {"\"policy\":\"pieces\"", POLICY_PIECES},
	};

	for (size_t i = 0; i < COUNT_OF(all); i++) {
		struct request request = taken(arena,
		    with(arena, all[i].member));

		assert_true(request.has_policy);
		assert_int_equal(request.policy, all[i].policy);
	}
}

/* The id is given back as it came, even with an error. */
static void
the_id_is_known_first(struct arena *arena)
{
	struct request request;
	const char *error = NULL;

	assert_false(request_parse(arena, NULL,
	    SPAN("{\"id\": {\"a\": [1, 2]}, \"v\": 3}"), &request, &error));
	ASSERT_TEXT(request.id, "{\"a\":[1,2]}");
}

/* Half of a character, which no name of a file has, is not forgotten. */
static void
paths_that_are_no_utf8(struct arena *arena)
{
	static const char request[] = "{\"v\":1,\"op\":\"read\",\"cwd\":"
				      "\"/w\",\"params\":{\"path\":\"a%s\"}}";
	char text[128];

	(void)snprintf(text, sizeof(text), request, "\\ud83d\\ude00");
	assert_false(taken(arena, span_str(text)).path_has_lone);
	(void)snprintf(text, sizeof(text), request, "\\ud83d");
	assert_true(taken(arena, span_str(text)).path_has_lone);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(paths_that_are_no_utf8),
	    TEST(texts_that_are_no_request),
	    TEST(members_that_cannot_be_used),
	    TEST(members_that_need_not_be_there),
	    TEST(each_policy_has_its_name),
	    TEST(the_id_is_known_first),
	};

	return RUN_TESTS(tests);
}
