#include "config/remark.h"

#include "base/utf8.h"

/* Enough to correct a file; a hostile one could cause thousands. */
#define REMARKS_MAX 32
#define QUOTE_MAX 60

void
remark_add(struct arena *arena, struct remarks *remarks, struct span file,
    struct span sentence)
{
	struct remark *remark;

	if (remarks->n == REMARKS_MAX)
		return;
	if (remarks->n == REMARKS_MAX - 1)
		sentence = SPAN("there is more to say, but this is enough.");
	remark = arena_array(arena, 1, sizeof(*remark));
	remark->file = file;
	remark->sentence = (struct span){arena_cstr(arena, sentence),
	    sentence.n};
	if (remarks->last != NULL)
		remarks->last->next = remark;
	else
		remarks->first = remark;
	remarks->last = remark;
	remarks->n++;
}

void
remark_quote(struct buf *buf, struct span text)
{
	size_t n = utf8_cut(text, text.n < QUOTE_MAX ? text.n : QUOTE_MAX);

	buf_char(buf, '"');
	buf_add(buf, (struct span){text.p, n});
	buf_str(buf, n < text.n ? "...\"" : "\"");
}
