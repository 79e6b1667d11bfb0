#include "work/workflow/mistake.h"

#include <stdarg.h>

#define MISTAKES_MAX 64 /* more are counted, not kept */

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

bool
mistakes_are_full(const struct mistakes *mistakes)
{
	return mistakes->n >= MISTAKES_MAX;
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
