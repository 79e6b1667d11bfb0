/*
 * Values in shell text.
 *
 * A value must never become part of the program: the output of a node may hold
 * quotes, semicolons, anything.  So each value is passed as an argument and
 * put into a variable, because functions have arguments of their own.  The
 * text gets the variable, which behaves like any other variable of the shell.
 * In single quotes the shell would not expand it, so these are closed before
 * it and opened again after it; shell_text.h says where that is needed.
 */
#include "work/workflow/shell_text.h"
#include "work/workflow/template.h"

static void
add_variable(struct buf *text, const struct shell_place *place, size_t number)
{
	buf_str(text, place->in_single ? "'\"" : "");
	buf_str(text, "${readcache_");
	buf_u64(text, number);
	buf_str(text, place->in_single ? "}\"'" : "}");
}

static size_t
count_references(struct span text)
{
	struct template t = template_of(text);
	struct template_piece piece;
	size_t n = 0;

	while (template_next(&t, &piece))
		n += piece.kind == PIECE_REFERENCE;
	return n;
}

/* "readcache_1=$1 readcache_2=$2; shift 2; ", before the text. */
static void
add_settings(struct buf *text, size_t n)
{
	for (size_t i = 1; i <= n; i++) {
		buf_str(text, "readcache_");
		buf_u64(text, i);
		buf_str(text, "=${");
		buf_u64(text, i);
		buf_str(text, "} ");
	}
	buf_str(text, "; shift ");
	buf_u64(text, n);
	buf_str(text, "; ");
}

/* The places of the references in TEXT, in their order. */
static struct shell_place *
places_of(struct arena *arena, struct span text, size_t n)
{
	struct shell_place *places = arena_array(arena, n, sizeof(*places));
	struct buf flat = buf_new(arena, text.n);
	struct template t = template_of(text);
	struct template_piece piece;

	while (template_next(&t, &piece))
		if (piece.kind == PIECE_TEXT)
			buf_add(&flat, piece.text);
		else
			buf_char(&flat, SHELL_VALUE);
	shell_places(arena, buf_span(&flat), places);
	return places;
}

const char *
template_shell_fault(
    struct arena *arena, struct span text, struct template_piece *where)
{
	size_t n = count_references(text), i = 0;
	struct template t = template_of(text);
	struct shell_place *places;

	if (n == 0)
		return NULL;
	/* A NUL would look like a reference; no command can have one anyway. */
	if (span_has(text, '\0'))
		n = 0;
	places = n > 0 ? places_of(arena, text, n) : NULL;
	while (template_next(&t, where)) {
		if (where->kind != PIECE_REFERENCE)
			continue;
		if (places == NULL)
			return "a NUL is in the text.";
		if (places[i].why != NULL)
			return places[i].why;
		i++;
	}
	return NULL;
}

struct span *
template_shell(struct arena *arena, struct span text, template_value *value,
    void *context, size_t *nwords)
{
	size_t n = count_references(text), done = 0;
	struct span *words = arena_array(arena, n + 4, sizeof(*words));
	struct buf program = buf_new(arena, text.n + 64 * n);
	struct template t = template_of(text);
	const struct shell_place *places;
	struct template_piece piece;

	if (template_shell_fault(arena, text, &piece) != NULL)
		return NULL;
	places = n > 0 ? places_of(arena, text, n) : NULL;
	if (n > 0)
		add_settings(&program, n);
	while (template_next(&t, &piece)) {
		if (piece.kind == PIECE_TEXT) {
			buf_add(&program, piece.text);
			continue;
		}
		if (!value(context, &piece, &words[4 + done]))
			return NULL;
		add_variable(&program, &places[done], done + 1);
		done++;
	}
	words[0] = words[3] = SPAN("sh");
	words[1] = SPAN("-c");
	words[2] = buf_span(&program);
	*nwords = n > 0 ? n + 4 : 3;
	return words;
}
