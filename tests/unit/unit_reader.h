/*
 * unit_reader.h -- a reader of one file, and what it is told.
 */
#ifndef READCACHE_TESTS_UNIT_READER_H
#define READCACHE_TESTS_UNIT_READER_H

#include "unit.h"

#include "base/digest.h"
#include "base/lines.h"
#include "inspect/knowledge.h"

struct reader {
	struct arena *arena;
	struct knowledge *knowledge;
	struct budget *work;
};

static inline struct reader
reader_new(struct arena *arena)
{
	struct budget *work = arena_alloc(arena, sizeof(*work));

	*work = knowledge_budget(1 << 20);
	return (struct reader){arena, knowledge_new(arena, work), work};
}

static inline struct meta *
meta_of(struct arena *arena, enum mode mode, struct span version)
{
	struct meta *meta = arena_array(arena, 1, sizeof(*meta));

	meta->read.mode = mode;
	meta->read.served = digest_of(version);
	meta->read.total = lines_count(version);
	meta->text_hash = SPAN("");
	return meta;
}

/* TEXT as it stands in the context, read from line FIRST on. */
static inline struct known_answer
answer_of(struct reader *r, struct span text, uint64_t first, struct meta *meta)
{
	struct said_about about = {
	    .placed = true,
	    .first = first,
	    .limit = first > 1 ? lines_count(text) : 0,
	    .meta = meta,
	    .sealed = meta != NULL,
	    .hash = digest_of(text),
	};

	return (struct known_answer){
	    said_read(r->arena, text, &about), meta, meta != NULL, false};
}

static inline void
show(struct reader *r, struct span text, uint64_t first)
{
	struct known_answer answer = answer_of(r, text, first, NULL);

	knowledge_take(r->knowledge, &answer, r->arena);
}

/* Lines FIRST to LAST of VERSION, without a notice: meta tells the rest. */
static inline void
show_lines(struct reader *r, struct span version, uint64_t first, uint64_t last)
{
	struct meta *meta = meta_of(r->arena, MODE_FULL, version);
	struct known_answer answer = {.meta = meta, .sealed = true};

	meta->read.scope = scope_range(first, last);
	answer.said = (struct answer_said){.kind = SAID_TEXT,
	    .first = first,
	    .last = last,
	    .total = lines_count(version),
	    .text = SPAN("")};
	assert_true(lines_slice(version, first, last, &answer.said.text));
	knowledge_take(r->knowledge, &answer, r->arena);
}

/* A marker: about VERSION, by BASE; without a version no metadata. */
static inline struct known_answer
marker(struct reader *r, const char *text, const struct span *version,
    const struct span *base)
{
	struct meta *meta = NULL;

	if (version != NULL) {
		meta = meta_of(r->arena, MODE_UNCHANGED_RANGE, *version);
		meta->read.has_base = true;
		meta->read.base = digest_of(*base);
	}
	return answer_of(r, span_str(text), 1, meta);
}

static inline void
expect(struct reader *r, struct known_answer answer, const char *why)
{
	struct knowledge_fault fault =
	    knowledge_check(r->knowledge, &answer, r->arena);
	struct buf out = buf_new(r->arena, 64);

	knowledge_fault_write(&out, &fault);
	ASSERT_TEXT(buf_span(&out), why);
	knowledge_take(r->knowledge, &answer, r->arena);
}

#endif
