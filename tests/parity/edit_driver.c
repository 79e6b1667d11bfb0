/*
 * edit_driver -- tells what the engine makes of edits, for edits.mjs.
 *
 * In: texts, framed as frames.h says.  Each question is three of them:
 *
 *     edit or write, the arguments as JSON, the file
 *     fuzzy, nothing, a text
 *
 * Out: an answer for each question: A (the arguments say nothing), N (not
 * done), or Y and the new text.
 */
#include "../lib/frames.h"
#include "base/buf.h"
#include "diff/fuzzy.h"
#include "diff/replace.h"
#include "host/pi/own.h"
#include "json/json.h"

static struct span
yes(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, text.n + 1);

	buf_char(&out, 'Y');
	buf_add(&out, text);
	return buf_span(&out);
}

static struct span
answer(struct arena *arena, const struct span question[3])
{
	const struct own_change *own;
	struct replaced replaced;
	struct span fuzzy;

	if (span_eq(question[0], SPAN("fuzzy")))
		return fuzzy_text(arena, question[2], &fuzzy)
		    ? yes(arena, fuzzy) : SPAN("N");
	if (!json_valid(arena, question[1]))
		return SPAN("A");
	own = own_of_call(arena, question[0], question[1], SPAN("call_1"));
	if (own == NULL)
		return SPAN("A");
	if (own->kind == OWN_WRITE)
		return yes(arena, own->content);
	return replace_apply(arena, question[2], own->list, own->n, &replaced)
	    ? yes(arena, replaced.text) : SPAN("N");
}

/* Outside of main, whose locals a longjmp may lose. */
static void
serve(struct arena *arena)
{
	struct span question[3];

	while (frame_read(arena, &question[0]) &&
	       frame_read(arena, &question[1]) &&
	       frame_read(arena, &question[2])) {
		frame_write(answer(arena, question));
		arena_reset(arena);
	}
}

int
main(void)
{
	struct arena *arena = arena_new((size_t)1024 * 1024 * 1024);

	if (arena == NULL || setjmp(*arena_guard(arena)) != 0)
		return 1;
	serve(arena);
	arena_free(arena);
	return 0;
}
