/*
 * ${...} in the strings of a workflow, and what becomes of it in a shell.
 */
#include "unit.h"
#include "work/workflow/template.h"

/* "text|<ref>|..." of what template_next gives. */
static struct span
pieces(struct arena *arena, struct span text)
{
	struct template t = template_of(text);
	struct buf out = buf_new(arena, 64);
	struct template_piece piece;

	while (template_next(&t, &piece)) {
		if (out.n > 0)
			buf_char(&out, '|');
		if (piece.kind == PIECE_TEXT) {
			buf_add(&out, piece.text);
			continue;
		}
		buf_char(&out, '<');
		buf_add(&out, piece.base);
		buf_char(&out, ' ');
		buf_add(&out, piece.field);
		buf_char(&out, ' ');
		buf_add(&out, piece.path);
		buf_char(&out, '>');
	}
	return buf_span(&out);
}

static void
taking_apart(struct arena *arena)
{
	static const struct {
		const char *text, *pieces;
	} rows[] = {
	    {"", ""},
	    {"plain", "plain"},
	    {"${a.stdout}", "<a stdout >"},
	    {"x ${a.stdout} y", "x |<a stdout >| y"},
	    {"${a.json.b.0.c}", "<a json b.0.c>"},
	    {"${a.stdout}${b.exit}", "<a stdout >|<b exit >"},
	    {"${HOME} ${a.stdout}", "${HOME} |<a stdout >"},
	    {"${x:-1.5}", "${x:-1.5}"},
	    {"${a.}", "${a.}"},
	    {"${.a}", "${.a}"},
	    {"${a.b", "${a.b"},
	    {"$", "$"},
	    {"$${a.b}", "${|a.b}"},
	    {"x$${a.b}${a.b}", "x|${|a.b}|<a b >"},
	    {"$(x) $x ${a-b@c_1.exit}", "$(x) $x |<a-b@c_1 exit >"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span have = pieces(arena,
		    unit_exact(arena, span_str(rows[i].text)));

		CHECK(span_eq(have, span_str(rows[i].pieces)),
		    "%s: %.*s", rows[i].text, (int)have.n, have.p);
	}
}

static void
finding_references(struct arena *arena)
{
	(void)arena;
	assert_true(template_refers(SPAN("a ${b.c}")));
	assert_false(template_refers(SPAN("a ${b}")));
	assert_false(template_refers(SPAN("$${b.c}")));
}

static void
digging(struct arena *arena)
{
	static const struct {
		const char *path, *text; /* NULL: nothing there */
	} rows[] = {
	    {"a", "x\ty"},
	    {"b.1", "2.50"},
	    {"b", "[1,2.50,{\"c\":null}]"},
	    {"b.2.c", "null"},
	    {"b.2", "{\"c\":null}"},
	    {"b.3", NULL},
	    {"b.x", NULL},
	    {"c", NULL},
	    {"a.a", NULL},
	};
	struct span json = SPAN(" {\"a\":\"x\\ty\", \"b\" : [1, 2.50, "
				"{\"c\": null}]} ");
	struct json_doc doc;
	struct span value;

	assert_true(json_judge(arena, json, &doc));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		bool found = template_dig(&doc, json, span_str(rows[i].path),
		    &value);

		CHECK(found == (rows[i].text != NULL), "%s", rows[i].path);
		if (found)
			ASSERT_TEXT(template_text(arena, value),
			    rows[i].text);
	}
}

/* Every reference stands for its field; "nothing" for none. */
static bool
field_of(
    void *context, const struct template_piece *reference, struct span *value)
{
	(void)context;
	*value = reference->field;
	return !span_eq(reference->field, SPAN("nothing"));
}

static void
filling(struct arena *arena)
{
	struct buf out = buf_new(arena, 16);

	assert_true(template_fill(&out, SPAN("a ${n.one}$${n.x} ${n.two}!"),
	    field_of, NULL));
	ASSERT_TEXT(buf_span(&out), "a one${n.x} two!");
	assert_false(template_fill(&out, SPAN("${n.nothing}"), field_of,
	    NULL));
}

static void
handing_over_to_a_shell(struct arena *arena)
{
	static const struct {
		const char *text, *program;
	} rows[] = {
	    {"echo hello", "echo hello"},
	    {"echo ${n.a}", "readcache_1=${1} ; shift 1; "
			    "echo ${readcache_1}"},
	    {"echo \"${n.a} it's\" '${n.b}'",
		"readcache_1=${1} readcache_2=${2} ; shift 2; "
		"echo \"${readcache_1} it's\" ''\"${readcache_2}\"''"},
	    {"echo \\'${n.a}", "readcache_1=${1} ; shift 1; "
			       "echo \\'${readcache_1}"},
	    {"echo '\\' ${n.a}", "readcache_1=${1} ; shift 1; "
				 "echo '\\' ${readcache_1}"},
	};
	struct span *words;
	size_t n;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		words = template_shell(arena, span_str(rows[i].text), field_of,
		    NULL, &n);
		assert_non_null(words);
		ASSERT_TEXT(words[0], "sh");
		ASSERT_TEXT(words[1], "-c");
		ASSERT_TEXT(words[2], rows[i].program);
	}
	assert_int_equal(n, 5);
	ASSERT_TEXT(words[3], "sh");
	ASSERT_TEXT(words[4], "a");
	(void)template_shell(arena, SPAN("true"), field_of, NULL, &n);
	assert_int_equal(n, 3);
	assert_null(template_shell(arena, SPAN("${n.nothing}"), field_of, NULL,
	    &n));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(taking_apart),
	    TEST(finding_references),
	    TEST(digging),
	    TEST(filling),
	    TEST(handing_over_to_a_shell),
	};

	return RUN_TESTS(tests);
}
