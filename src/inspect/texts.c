#include "inspect/texts.h"

#include "base/buf.h"
#include "base/lines.h"

struct texts
texts_new(struct arena *arena)
{
	return (struct texts){
	    .arena = arena,
	    .by_text = map_new(arena, 64),
	    .n = 1, /* 0 means no text */
	};
}

static void
append(struct texts *texts, struct span text)
{
	if (texts->n >= texts->room) {
		uint32_t room = texts->room > 0 ? texts->room * 2 : 64;
		struct span *list = arena_array(texts->arena, room,
		    sizeof(*list));

		if (texts->room > 0)
			memcpy(list, texts->list,
			    texts->n * sizeof(*list));
		texts->list = list;
		texts->room = room;
	}
	texts->list[texts->n++] = text;
}

uint32_t
texts_number(struct texts *texts, struct span text)
{
	const uint64_t *found = map_find(texts->by_text, text);
	struct span kept;

	if (found != NULL)
		return (uint32_t)*found;
	kept = (struct span){arena_cstr(texts->arena, text), text.n};
	*map_at(texts->by_text, kept, 0) = texts->n;
	append(texts, kept);
	return texts->n - 1;
}

/* Take the next line off the front of TEXT. */
static struct span
take_line(struct span *text)
{
	const char *lf = memchr(text->p, '\n', text->n);
	size_t size = lf != NULL ? (size_t)(lf - text->p) : text->n;
	struct span line = {text->p, size};

	*text = span_from(*text, lf != NULL ? size + 1 : size);
	return line;
}

struct column
texts_split(struct texts *texts, struct span text, struct arena *arena)
{
	uint64_t n = lines_count(text);
	struct column column = {arena_alloc(arena, n * sizeof(uint32_t)), n};

	for (uint64_t i = 0; i < n; i++)
		column.texts[i] = texts_number(texts, take_line(&text));
	return column;
}

struct column
texts_look_up(const struct texts *texts, struct span text,
    struct arena *arena)
{
	uint64_t n = lines_count(text);
	struct column column = {arena_alloc(arena, n * sizeof(uint32_t)), n};

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t *found = map_find(texts->by_text,
		    take_line(&text));

		column.texts[i] = found != NULL ? (uint32_t)*found : 0;
	}
	return column;
}

struct span
texts_join(const struct texts *texts, struct column column,
    struct arena *arena)
{
	struct buf out = buf_new(arena, 4096);

	for (uint64_t i = 0; i < column.n; i++) {
		if (i > 0)
			buf_char(&out, '\n');
		buf_add(&out, texts->list[column.texts[i]]);
	}
	return buf_span(&out);
}
