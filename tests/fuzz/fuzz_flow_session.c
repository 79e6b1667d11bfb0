/*
 * What is remembered of a workflow: "SESSION NUL JOURNAL NUL NOTE".  Of each,
 * what was read is the same when it is written and read again.  The note's
 * sum is put right before, or nothing would get past it.
 */
#include "fuzz.h"

#include "base/map.h"
#include "work/workflow/quiet_text.h"
#include "work/workflow/session_text.h"

struct place {
	struct store store;
	struct source source;
	struct flow_session session;
};

static struct flow_session *
new_session(struct arena *arena)
{
	struct place *place = arena_array(arena, 1, sizeof(*place));

	place->store.arena = arena;
	place->source.path = SPAN("/p/flow.json");
	place->session = (struct flow_session){.store = &place->store,
	    .source = &place->source,
	    .ids = map_new(arena, 8)};
	memset(place->session.journal, 'a', JOURNAL_WORD);
	return &place->session;
}

static void
same_node(const struct session_node *a, const struct session_node *b)
{
	EXPECT(span_eq(a->id, b->id));
	EXPECT(a->ending == b->ending);
	EXPECT(digest_eq(&a->config, &b->config));
	EXPECT(digest_eq(&a->stamp, &b->stamp));
	EXPECT(a->cached_ms == b->cached_ms);
	EXPECT(a->took_ms == b->took_ms);
	EXPECT(span_eq(a->run, b->run) && span_eq(a->key, b->key));
	EXPECT(span_eq(a->type, b->type) && span_eq(a->error, b->error));
	EXPECT(a->nabove == b->nabove);
	for (size_t i = 0; i < a->nabove; i++) {
		EXPECT(span_eq(a->above[i].id, b->above[i].id));
		EXPECT(digest_eq(&a->above[i].stamp, &b->above[i].stamp));
	}
}

static void
same_session(const struct flow_session *a, const struct flow_session *b)
{
	EXPECT(a->created_ms == b->created_ms);
	EXPECT(a->accessed_ms == b->accessed_ms);
	EXPECT(strcmp(a->journal, b->journal) == 0);
	EXPECT(a->n == b->n);
	for (size_t i = 0; i < a->n; i++)
		same_node(&a->nodes[i], &b->nodes[i]);
}

/* A whole session and the lines of its journal, by both ways of writing. */
static void
check_session(struct arena *arena, struct span text, struct span lines)
{
	struct flow_session *first = new_session(arena);
	struct flow_session *whole = new_session(arena);
	struct flow_session *jotted = new_session(arena);
	struct buf journal = buf_new(arena, 256);

	(void)session_read(first, arena, text);
	session_read_lines(first, arena, lines);
	EXPECT(session_read(whole, arena, session_write(first, arena)));
	same_session(first, whole);
	for (size_t i = 0; i < first->n; i++) {
		EXPECT(session_find(first, first->nodes[i].id) ==
		       &first->nodes[i]);
		session_write_line(&journal, &first->nodes[i]);
	}
	session_read_lines(jotted, arena, buf_span(&journal));
	EXPECT(jotted->n == first->n);
	for (size_t i = 0; i < first->n; i++)
		same_node(&first->nodes[i], &jotted->nodes[i]);
}

/* NOTE with the magic and the sum that it should have. */
static struct span
mended(struct arena *arena, struct span note)
{
	struct quiet_text nothing = {.programs = SPAN(""),
	    .flow = SPAN(""),
	    .record = SPAN(""),
	    .result = SPAN("")};
	struct span empty = quiet_write(arena, &nothing);
	size_t magic = (size_t)((const char *)memchr(empty.p, '\n', empty.n) +
				1 - empty.p);
	struct buf out = buf_new(arena, note.n + 128);
	struct digest sum = digest_of(note);

	buf_add(&out, (struct span){empty.p, magic});
	buf_add(
	    &out, (struct span){(const char *)sum.bytes, sizeof(sum.bytes)});
	buf_add(&out, note);
	return buf_span(&out);
}

/* As many files as there are bytes for, each as it was. */
static void
check_files(struct arena *arena, struct span files)
{
	struct buf again = buf_new(arena, files.n);
	struct span rest = files;
	struct quiet_file file;

	while (quiet_next(&rest, &file))
		quiet_add(&again, &file);
	EXPECT(again.n + rest.n == files.n);
	EXPECT(span_starts(files, buf_span(&again)));
}

static void
check_note(struct arena *arena, struct span note)
{
	struct quiet_text text, again;
	struct quiet_file file;
	struct span written;

	(void)quiet_read(arena, note, &text);
	if (!quiet_read(arena, mended(arena, note), &text))
		return;
	written = quiet_write(arena, &text);
	EXPECT(quiet_read(arena, written, &again));
	EXPECT(span_eq(quiet_write(arena, &again), written));
	EXPECT(again.nnodes == text.nnodes);
	for (size_t i = 0; i < again.nnodes; i++)
		while (quiet_next(&again.nodes[i].files, &file))
			EXPECT(file.name.n <= note.n);
	EXPECT(span_eq(again.result, text.result));
	check_files(arena, text.programs);
	for (size_t i = 0; i < text.nnodes; i++)
		check_files(arena, text.nodes[i].files);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span session = fuzz_part(&input, '\0');
	struct span journal = fuzz_part(&input, '\0');

	check_session(arena, session, journal);
	check_note(arena, input);
}
