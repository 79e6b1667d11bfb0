#include "work/workflow/quiet_text.h"

#include "os/times.h"
#include "work/workflow/quiet.h"

#define MAGIC SPAN("readcache quiet 3 " READCACHE_VERSION "\n")
#define COUNT_MAX ((uint64_t)10 * 1000 * 1000)

/* ---- writing ---- */

static void
put_number(struct buf *out, uint64_t number)
{
	buf_add(out, (struct span){(const char *)&number, sizeof(number)});
}

static void
put_span(struct buf *out, struct span s)
{
	put_number(out, s.n);
	buf_add(out, s);
}

/* ---- files ---- */

static uint64_t
nanoseconds(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

struct quiet_facts
quiet_facts(const struct stat *st)
{
	return (struct quiet_facts){
	    .dev = (uint64_t)st->st_dev,
	    .inode = (uint64_t)st->st_ino,
	    .size = (uint64_t)st->st_size,
	    .mtime = nanoseconds(times_modified(st)),
	    .ctime = nanoseconds(times_changed(st)),
	};
}

void
quiet_add(struct buf *files, const struct quiet_file *file)
{
	put_span(files, file->name);
	put_number(files, file->is_lock);
	buf_add(files, (struct span){(const char *)&file->facts,
			   sizeof(file->facts)});
}

struct span
quiet_write(struct arena *arena, const struct quiet_text *text)
{
	struct buf out = buf_new(arena, 4096 + 256 * text->nnodes);
	struct digest sum;
	char *room;

	buf_add(&out, MAGIC);
	room = buf_grow(&out, DIGEST_BYTES);
	(void)memset(room, 0, DIGEST_BYTES);
	put_number(&out, text->accessed_ms);
	put_span(&out, (struct span){(const char *)text->circumstances.bytes,
			   DIGEST_BYTES});
	put_number(&out, text->nenv);
	for (size_t i = 0; i < text->nenv; i++)
		put_span(&out, text->env[i]);
	put_number(&out, text->nnodes);
	for (size_t i = 0; i < text->nnodes; i++) {
		put_span(&out, text->nodes[i].id);
		put_number(&out, text->nodes[i].created_ms);
		put_span(&out, text->nodes[i].files);
	}
	put_number(&out, text->is_whole);
	put_span(&out, text->programs);
	put_span(&out, text->flow);
	put_span(&out, text->record);
	put_span(&out, text->result);
	sum = digest_of(span_from(buf_span(&out), MAGIC.n + DIGEST_BYTES));
	memcpy(out.p + MAGIC.n, sum.bytes, DIGEST_BYTES);
	return buf_span(&out);
}

/* ---- reading ---- */

/* The bytes that are left.  FINE becomes false when something is missing. */
struct quiet_reader {
	struct span rest;
	bool fine;
};

static uint64_t
take_number(struct quiet_reader *reader)
{
	uint64_t number = 0;

	reader->fine = reader->fine && reader->rest.n >= sizeof(number);
	if (!reader->fine)
		return 0;
	memcpy(&number, reader->rest.p, sizeof(number));
	reader->rest = span_from(reader->rest, sizeof(number));
	return number;
}

static struct span
take_span(struct quiet_reader *reader)
{
	uint64_t n = take_number(reader);
	struct span s = SPAN("");

	reader->fine = reader->fine && n <= reader->rest.n;
	if (!reader->fine)
		return s;
	s = (struct span){reader->rest.p, (size_t)n};
	reader->rest = span_from(reader->rest, (size_t)n);
	return s;
}

/* How many things follow; each has at least one byte. */
static size_t
take_count(struct quiet_reader *reader)
{
	uint64_t n = take_number(reader);

	reader->fine = reader->fine && n <= COUNT_MAX && n <= reader->rest.n;
	return reader->fine ? (size_t)n : 0;
}

bool
quiet_next(struct span *files, struct quiet_file *file)
{
	struct quiet_reader reader = {*files, files->n > 0};

	file->name = take_span(&reader);
	file->is_lock = take_number(&reader);
	if (!reader.fine || reader.rest.n < sizeof(file->facts))
		return false;
	memcpy(&file->facts, reader.rest.p, sizeof(file->facts));
	*files = span_from(reader.rest, sizeof(file->facts));
	return true;
}

/* Is the magic right, and the digest of everything after it? */
static bool
is_whole(struct span bytes)
{
	struct digest sum, told;

	if (bytes.n < MAGIC.n + DIGEST_BYTES || !span_starts(bytes, MAGIC))
		return false;
	memcpy(told.bytes, bytes.p + MAGIC.n, DIGEST_BYTES);
	sum = digest_of(span_from(bytes, MAGIC.n + DIGEST_BYTES));
	return digest_eq(&sum, &told);
}

bool
quiet_read(struct arena *arena, struct span bytes, struct quiet_text *text)
{
	struct quiet_reader reader = {bytes, is_whole(bytes)};
	struct span circumstances;

	*text = (struct quiet_text){0};
	if (!reader.fine)
		return false;
	reader.rest = span_from(bytes, MAGIC.n + DIGEST_BYTES);
	text->accessed_ms = take_number(&reader);
	circumstances = take_span(&reader);
	if (circumstances.n == DIGEST_BYTES)
		memcpy(
		    text->circumstances.bytes, circumstances.p, DIGEST_BYTES);
	text->nenv = take_count(&reader);
	text->env = arena_array(arena, text->nenv, sizeof(*text->env));
	for (size_t i = 0; i < text->nenv; i++)
		text->env[i] = take_span(&reader);
	text->nnodes = take_count(&reader);
	text->nodes = arena_array(arena, text->nnodes, sizeof(*text->nodes));
	for (size_t i = 0; i < text->nnodes; i++) {
		struct quiet_node *node = &text->nodes[i];

		node->id = take_span(&reader);
		node->created_ms = take_number(&reader);
		node->files = take_span(&reader);
	}
	text->is_whole = take_number(&reader) != 0;
	text->programs = take_span(&reader);
	text->flow = take_span(&reader);
	text->record = take_span(&reader);
	text->result = take_span(&reader);
	return reader.fine && reader.rest.n == 0;
}
