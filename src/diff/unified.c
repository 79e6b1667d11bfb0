#include "diff/unified.h"

#include <limits.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "diff/xdiff_abi.h"
#include "diff/xdiff_memory.h"

/* Where a diff is collected. */
struct collector {
	struct buf hunks;
	uint64_t lines;
	uint64_t changed;
	uint64_t removed, added; /* of the block being read */
};

static void
end_block(struct collector *c)
{
	c->changed += c->removed > c->added ? c->removed : c->added;
	c->removed = c->added = 0;
}

/* A line comes in pieces: its mark, its text, and what follows the text. */
static int
take_line(void *context, struct xdiff_text *pieces, int count)
{
	struct collector *c = context;

	switch (pieces[0].ptr[0]) {
	case '-':
		if (c->added > 0)
			end_block(c); /* xdiff writes - before + */
		c->removed++;
		break;
	case '+':
		c->added++;
		break;
	default:
		end_block(c);
		break;
	}
	c->lines++;
	for (int i = 0; i < count; i++) {
		struct span piece = {pieces[i].ptr, (size_t)pieces[i].size};

		/* "\ No newline at end of file" is a line of its own. */
		if (piece.n > 1 && piece.p[0] == '\n')
			c->lines++;
		buf_add(&c->hunks, piece);
	}
	return 0;
}

/*
 * The function name after @@: a line that begins with a letter, '_' or '$'.
 * This is xdiff's own rule, except that a name is cut between characters.  Half
 * a character would not be UTF-8.
 */
static long
find_function(const char *line, long size, char *out, long out_size,
    void *context)
{
	struct span name = {line, (size_t)size};
	char c = size > 0 ? line[0] : ' ';

	(void)context;
	if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		c == '$'))
		return -1;
	name.n = utf8_cut(name, (size_t)out_size);
	while (name.n > 0 && (unsigned char)name.p[name.n - 1] <= ' ')
		name.n--;
	memcpy(out, name.p, name.n);
	return (long)name.n;
}

static bool
compare(struct arena *arena, struct span old_text, struct span new_text,
    unsigned long flags, struct diff *diff)
{
	struct collector c = {.hunks = buf_new(arena, 4096)};
	struct xdiff_how how = {.flags = flags};
	struct xdiff_emit emit = {
	    .context_lines = 3,
	    .flags = XDIFF_EMIT_FUNCTIONS,
	    .find_function = find_function,
	};
	struct xdiff_out out = {.context = &c, .line = take_line};
	/* xdiff takes pointers to mutable text, but does not write to it. */
	struct xdiff_text a = {(char *)(uintptr_t)old_text.p,
	    (long)old_text.n};
	struct xdiff_text b = {(char *)(uintptr_t)new_text.p,
	    (long)new_text.n};

	if (old_text.n > LONG_MAX || new_text.n > LONG_MAX)
		return false;
	xdiff_memory_use(arena);
	if (XDIFF_ENTRY(&a, &b, &how, &emit, &out) != 0)
		return false;
	end_block(&c);
	*diff = (struct diff){buf_span(&c.hunks), c.lines, c.changed};
	return true;
}

bool
diff_make(struct arena *arena, struct span old_text, struct span new_text,
    struct diff *diff)
{
	return compare(arena, old_text, new_text,
	    XDIFF_HISTOGRAM | XDIFF_INDENT_HEURISTIC, diff);
}

bool
diff_match(struct arena *arena, struct span old_text, struct span new_text,
    struct diff *diff)
{
	return compare(arena, old_text, new_text, 0, diff);
}
