#include "work/workflow/template.h"

#include "base/scope.h"
#include "os/bytes.h"

bool
template_is_name(struct span name)
{
	if (name.n == 0)
		return false;
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '_' || c == '-' ||
			c == '@'))
			return false;
	}
	return true;
}

/* Take the segment before the first dot off REST, and the dot. */
static struct span
take_segment(struct span *rest)
{
	const char *dot = memchr(rest->p, '.', rest->n);
	struct span segment = {
	    rest->p, dot != NULL ? (size_t)(dot - rest->p) : rest->n};

	*rest = dot != NULL ? span_from(*rest, segment.n + 1)
			    : span_from(*rest, segment.n);
	return segment;
}

/* Is S, the text after "${", a reference?  *AFTER is then after the "}". */
static bool
read_reference(struct span s, struct template_piece *piece, const char **after)
{
	const char *close = memchr(s.p, '}', s.n);
	struct span rest;

	if (close == NULL)
		return false;
	piece->kind = PIECE_REFERENCE;
	piece->text = (struct span){s.p, (size_t)(close - s.p)};
	rest = piece->text;
	if (!span_has(rest, '.'))
		return false;
	piece->base = take_segment(&rest);
	piece->field = take_segment(&rest);
	piece->path = rest;
	*after = close + 1;
	return template_is_name(piece->base) && piece->field.n > 0;
}

/* Give the first N bytes of the rest as text, and drop SKIP more. */
static bool
give_text(
    struct template *t, struct template_piece *piece, size_t n, size_t skip)
{
	piece->kind = PIECE_TEXT;
	piece->text = (struct span){t->rest.p, n};
	t->rest = span_from(t->rest, n + skip);
	return true;
}

bool
template_next(struct template *t, struct template_piece *piece)
{
	struct span s = t->rest;
	const char *after;

	if (s.n == 0)
		return false;
	for (size_t i = 0; i + 1 < s.n; i++) {
		if (s.p[i] != '$')
			continue;
		/* "$${": drop the first dollar, give the rest as text. */
		if (i + 2 < s.n && s.p[i + 1] == '$' && s.p[i + 2] == '{') {
			if (i > 0)
				return give_text(t, piece, i, 0);
			t->rest = span_from(s, 1);
			(void)give_text(t, piece, 2, 0);
			return true;
		}
		if (s.p[i + 1] != '{' ||
		    !read_reference(span_from(s, i + 2), piece, &after))
			continue;
		if (i > 0)
			return give_text(t, piece, i, 0);
		t->rest = span_from(s, (size_t)(after - s.p));
		return true;
	}
	return give_text(t, piece, s.n, 0);
}

bool
template_refers(struct span text)
{
	struct template t = template_of(text);
	struct template_piece piece;

	if (bytes_find(text.p, text.n, "${", 2) == NULL)
		return false;
	while (template_next(&t, &piece))
		if (piece.kind == PIECE_REFERENCE)
			return true;
	return false;
}

bool
template_is_said(struct span text, struct template_piece *reference)
{
	struct template t = template_of(text);

	return template_next(&t, reference) && t.rest.n == 0 &&
	       reference->kind == PIECE_REFERENCE && reference->path.n == 0 &&
	       (span_eq(reference->field, SPAN("stdout")) ||
		   span_eq(reference->field, SPAN("stderr"))) &&
	       !span_eq(reference->base, SPAN("inputs")) &&
	       !span_eq(reference->base, SPAN("params")) &&
	       !span_eq(reference->base, SPAN("batch"));
}

/* ---- values ---- */

static bool
dig_item(const struct json_doc *doc, struct span array, struct span segment,
    struct span *value)
{
	struct json_items items = json_items(doc, array);
	uint64_t index;

	if (!number_parse(segment, &index))
		return false;
	do {
		if (!json_next(&items, value))
			return false;
	} while (index-- > 0);
	return true;
}

bool
template_dig(const struct json_doc *doc, struct span json, struct span path,
    struct span *value)
{
	*value = json_trim(json);
	while (path.n > 0) {
		struct span segment = take_segment(&path);
		struct json_field field = {.name = segment};

		if (json_kind(*value) == JSON_ARRAY) {
			if (!dig_item(doc, *value, segment, value))
				return false;
			continue;
		}
		json_pick(doc, *value, &field, 1);
		if (field.value.p == NULL)
			return false;
		*value = field.value;
	}
	return value->n > 0;
}

struct span
template_text(struct arena *arena, struct span value)
{
	struct json_text text;

	if (json_text(arena, value, &text))
		return text.text;
	return json_compact(arena, value);
}

bool
template_fill(
    struct buf *out, struct span text, template_value *value, void *context)
{
	struct template t = template_of(text);
	struct template_piece piece;
	struct span filled;

	while (template_next(&t, &piece)) {
		filled = piece.text;
		if (piece.kind == PIECE_REFERENCE &&
		    !value(context, &piece, &filled))
			return false;
		buf_add(out, filled);
	}
	return true;
}
