#include "inspect/texts.h"

#include "base/buf.h"
#include "base/lines.h"

static void
append(struct texts *texts, struct span text)
{
	texts->list = arena_more(texts->arena, texts->list, texts->n,
	    &texts->room, sizeof(*texts->list));
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

struct texts
texts_new(struct arena *arena)
{
	struct texts texts = {
	    .arena = arena,
	    .by_text = map_new(arena, 64),
	};

	append(&texts, SPAN("")); /* TEXT_NONE */
	(void)texts_number(&texts, SPAN(TEXTS_HIDDEN));
	return texts;
}

bool
texts_hidden(struct column column)
{
	for (uint64_t i = 0; i < column.n; i++)
		if (column.texts[i] == TEXT_HIDDEN)
			return true;
	return false;
}

struct column
texts_split(struct texts *texts, struct span text, struct arena *arena)
{
	uint64_t n = lines_count(text);
	struct column column = {arena_alloc(arena, n * sizeof(uint32_t)), n};

	for (uint64_t i = 0; i < n; i++)
		column.texts[i] = texts_number(texts, lines_take(&text));
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
		    lines_take(&text));

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
