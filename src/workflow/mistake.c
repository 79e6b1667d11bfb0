#include "workflow/mistake.h"

#include <stdarg.h>

#define MISTAKES_MAX 64 /* nobody mends more at once */
#define NAME_MAX_BYTES 64
#define NEAR 2 /* letters that may differ */

void
mistake_add(struct mistakes *mistakes, struct span file, uint64_t line,
    struct span node, ...)
{
	struct buf sentence;
	struct mistake *mistake;
	const char *piece;
	va_list pieces;

	if (mistakes->n++ >= MISTAKES_MAX)
		return;
	sentence = buf_new(mistakes->arena, 96);
	va_start(pieces, node);
	while ((piece = va_arg(pieces, const char *)) != NULL)
		buf_str(&sentence, piece);
	va_end(pieces);
	mistake = arena_array(mistakes->arena, 1, sizeof(*mistake));
	*mistake =
	    (struct mistake){file, line, node, buf_span(&sentence), NULL};
	if (mistakes->last != NULL)
		mistakes->last->next = mistake;
	else
		mistakes->first = mistake;
	mistakes->last = mistake;
}

void
mistake_write(struct buf *buf, const struct mistake *mistake)
{
	buf_add(buf, mistake->file);
	buf_char(buf, ':');
	if (mistake->line > 0) {
		buf_u64(buf, mistake->line);
		buf_char(buf, ':');
	}
	if (mistake->node.n > 0) {
		buf_str(buf, " node '");
		buf_add(buf, mistake->node);
		buf_str(buf, "':");
	}
	buf_char(buf, ' ');
	buf_add(buf, mistake->sentence);
	buf_char(buf, '\n');
}

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* How many letters must be put in, left out or changed (Levenshtein). */
static size_t
distance(struct span a, struct span b)
{
	size_t row[NAME_MAX_BYTES + 1];

	for (size_t j = 0; j <= b.n; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			size_t above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1,
			    diagonal + (a.p[i - 1] != b.p[j - 1]));
			diagonal = above;
		}
	}
	return row[b.n];
}

const struct span *
mistake_nearest(struct span name, const struct span *names, size_t n)
{
	const struct span *found = NULL;
	size_t best = NEAR + 1;

	if (name.n > NAME_MAX_BYTES)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t far;

		if (names[i].n > NAME_MAX_BYTES)
			continue;
		far = distance(name, names[i]);
		/* Half of the letters must be right: "x" is near to nothing. */
		if (far < best && far * 2 <= names[i].n) {
			best = far;
			found = &names[i];
		}
	}
	return found;
}
