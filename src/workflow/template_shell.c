/*
 * Values in a shell's text.
 *
 * A value must never become part of the program: what a node said may hold
 * quotes, semicolons, anything.  So it is handed over as an argument, put
 * into a variable (functions have arguments of their own), and the text gets
 * the variable: as it stands, it behaves as every variable of the shell does.
 * Inside of single quotes the shell would not look, so these are closed and
 * opened again around it.
 */
#include "workflow/template.h"

/* What the shell thinks of the next byte. */
enum quoting { QUOTE_NONE, QUOTE_SINGLE, QUOTE_DOUBLE };

static enum quoting
after_text(enum quoting quoting, struct span text)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (c == '\\' && quoting != QUOTE_SINGLE)
			i++;
		else if (c == '\'' && quoting != QUOTE_DOUBLE)
			quoting =
			    quoting == QUOTE_NONE ? QUOTE_SINGLE : QUOTE_NONE;
		else if (c == '"' && quoting != QUOTE_SINGLE)
			quoting =
			    quoting == QUOTE_NONE ? QUOTE_DOUBLE : QUOTE_NONE;
	}
	return quoting;
}

static void
add_variable(struct buf *text, enum quoting quoting, size_t number)
{
	buf_str(text, quoting == QUOTE_SINGLE ? "'\"" : "");
	buf_str(text, "${readcache_");
	buf_u64(text, number);
	buf_str(text, quoting == QUOTE_SINGLE ? "}\"'" : "}");
}

static size_t
count_references(struct span text)
{
	struct template t = template_of(text);
	struct piece piece;
	size_t n = 0;

	while (template_next(&t, &piece))
		n += piece.kind == PIECE_REFERENCE;
	return n;
}

/* "readcache_1=$1 readcache_2=$2; shift 2; " and TEXT. */
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

struct span *
template_shell(struct arena *arena, struct span text, template_value *value,
    void *context, size_t *nwords)
{
	size_t n = count_references(text), done = 0;
	struct span *words = arena_array(arena, n + 4, sizeof(*words));
	struct buf program = buf_new(arena, text.n + 64 * n);
	struct template t = template_of(text);
	enum quoting quoting = QUOTE_NONE;
	struct piece piece;

	if (n > 0)
		add_settings(&program, n);
	while (template_next(&t, &piece)) {
		if (piece.kind == PIECE_TEXT) {
			quoting = after_text(quoting, piece.text);
			buf_add(&program, piece.text);
			continue;
		}
		if (!value(context, &piece, &words[4 + done]))
			return NULL;
		add_variable(&program, quoting, ++done);
	}
	words[0] = words[3] = SPAN("sh");
	words[1] = SPAN("-c");
	words[2] = buf_span(&program);
	*nwords = n > 0 ? n + 4 : 3;
	return words;
}
