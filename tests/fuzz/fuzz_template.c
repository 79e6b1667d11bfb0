/*
 * Templates: "TEMPLATE NUL JSON NUL PATH".  The pieces are all of the text,
 * what is filled in is never looked at again, and a place inside of JSON is
 * what walking there step by step finds.
 */
#include "fuzz.h"

#include "json/canon.h"
#include "work/workflow/strings.h"
#include "work/workflow/template.h"

/* A value that would be a reference itself. */
#define VALUE SPAN("${a.stdout}")

static bool
give_value(
    void *context, const struct template_piece *reference, struct span *value)
{
	size_t *n = context;

	(void)reference;
	++*n;
	*value = VALUE;
	return true;
}

/* The pieces lie one after the other; only the "$" of "$${" is left out. */
static size_t
check_pieces(struct span text)
{
	struct template t = template_of(text);
	size_t at = 0, references = 0;
	struct template_piece piece;

	while (template_next(&t, &piece)) {
		size_t from = (size_t)(piece.text.p - text.p);

		if (piece.kind == PIECE_REFERENCE) {
			references++;
			EXPECT(from == at + 2);
			EXPECT(text.p[at] == '$' && text.p[at + 1] == '{');
			at = from + piece.text.n + 1;
			EXPECT(text.p[at - 1] == '}');
			EXPECT(piece.base.n > 0 && piece.field.n > 0);
			EXPECT(!span_has(piece.base, '.'));
			EXPECT(!span_has(piece.text, '}'));
			continue;
		}
		EXPECT(piece.text.n > 0);
		if (from != at) {
			EXPECT(from == at + 1 && text.p[at] == '$');
			EXPECT(span_eq(piece.text, SPAN("${")));
		}
		at = from + piece.text.n;
	}
	EXPECT(at == text.n);
	EXPECT(template_refers(text) == (references > 0));
	return references;
}

static void
check_fill(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, text.n);
	size_t asked = 0, references = check_pieces(text);

	EXPECT(template_fill(&out, text, give_value, &asked));
	EXPECT(asked == references);
	EXPECT(out.n <= text.n + references * VALUE.n);
	if (references == 0 && memmem(text.p, text.n, "$${", 3) == NULL)
		EXPECT(span_eq(buf_span(&out), text));
}

/* The values are words of their own, as they are; the program has names. */
static void
check_shell(struct arena *arena, struct span text)
{
	size_t asked = 0, n = 0, references = check_pieces(text);
	struct template_piece where;
	const char *why = template_shell_fault(arena, text, &where);
	struct span *words =
	    template_shell(arena, text, give_value, &asked, &n);

	EXPECT((why == NULL) == (words != NULL));
	if (words == NULL) {
		EXPECT(where.kind == PIECE_REFERENCE);
		return;
	}
	EXPECT(asked == references);
	EXPECT(n == (references > 0 ? references + 4 : 3));
	for (size_t i = 4; i < n; i++)
		EXPECT(span_eq(words[i], VALUE));
}

static void
check_dig(struct arena *arena, struct span json, struct span path)
{
	struct span value, step, whole, compact;
	const char *dot = memchr(path.p, '.', path.n);
	struct json_doc doc;

	if (!json_judge(arena, json, &doc))
		return;
	whole = template_text(arena, json_trim(json));
	if (json_kind(json_trim(json)) != JSON_STRING) {
		EXPECT(json_valid(arena, whole));
		compact = json_compact(arena, whole);
		EXPECT(span_eq(compact, whole));
	}
	if (dot == NULL)
		return;
	/* In one go as in two. */
	step = (struct span){path.p, (size_t)(dot - path.p)};
	if (!template_dig(&doc, json, path, &value))
		return;
	EXPECT(json_valid(arena, value));
	if (step.n == 0 || step.n + 1 == path.n)
		return;
	EXPECT(template_dig(&doc, json, step, &whole));
	EXPECT(template_dig(&doc, whole, span_from(path, step.n + 1), &step));
	EXPECT(span_eq(step, value));
}

static bool
map_string(void *context, struct span text, struct buf *out)
{
	(void)context;
	(void)text;
	buf_str(out, "\"x\"");
	return true;
}

/* What takes the place of every string leaves valid JSON. */
static void
check_strings(struct arena *arena, struct span json)
{
	struct buf out = buf_new(arena, json.n);
	struct span canonical;

	if (canon_json(arena, json, &canonical) != NULL)
		return;
	EXPECT(strings_replace(arena, json_trim(json), map_string, NULL, &out));
	EXPECT(json_valid(arena, buf_span(&out)));
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span text = fuzz_part(&input, '\0');
	struct span json = fuzz_part(&input, '\0');

	check_fill(arena, text);
	check_shell(arena, text);
	check_dig(arena, json, input);
	check_strings(arena, json);
}
