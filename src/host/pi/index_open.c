#include "host/pi/index_open.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/slurp.h"
#include "host/pi/entry.h"
#include "host/pi/forks.h"
#include "host/pi/session_file.h"

#define PROGRESS_BYTES ((uint64_t)4 * 1024 * 1024)

static struct span
copy(struct arena *arena, struct span text)
{
	return (struct span){arena_cstr(arena, text), text.n};
}

/* Read the header, a session's first line.  False if it is not one. */
static bool
read_header(struct index *index, const struct json_doc *doc, struct span line)
{
	struct session_header header;

	if (!session_header(doc, line, &header))
		return false;
	index->version = header.version;
	index->cwd = copy(index->arena, header.cwd);
	forks_dirs(&index->dirs, index->arena, index->cwd,
	    copy(index->arena, header.parent));
	return true;
}

static enum node_kind
message_kind(const struct json_doc *doc, struct span message)
{
	switch (message_parse(doc, message).kind) {
	case MESSAGE_USER:
		return NODE_USER;
	case MESSAGE_ASSISTANT:
		return NODE_ASSISTANT;
	case MESSAGE_READ_RESULT:
		return NODE_READ_RESULT;
	case MESSAGE_READ_ERROR:
		return NODE_READ_ERROR;
	case MESSAGE_EDIT_ERROR:
		return NODE_EDIT_ERROR;
	case MESSAGE_EDITED:
		return NODE_EDITED;
	case MESSAGE_OTHER_RESULT:
		return NODE_TOOL_RESULT;
	case MESSAGE_OTHER:
		break;
	}
	return NODE_OTHER;
}

static enum node_kind
kind_of(const struct json_doc *doc, const struct entry *entry)
{
	switch (entry->kind) {
	case ENTRY_MESSAGE:
		return message_kind(doc, entry->message);
	case ENTRY_BOUNDARY:
		return NODE_COMPACTION;
	case ENTRY_CONTEXT_EDIT:
		return NODE_CONTEXT_EDIT;
	case ENTRY_CUSTOM:
		return NODE_CUSTOM;
	case ENTRY_OTHER:
		break;
	}
	return NODE_OTHER;
}

static void
add_line(struct index *index, struct span line, struct session_place place,
    uint32_t number)
{
	struct json_doc doc;
	struct entry entry;
	struct index_node node;
	bool valid = json_judge(index->scratch, line, &doc);

	if (!valid && !json_syntax(index->scratch, line)) {
		index->skipped++;
		return;
	}
	if (!valid)
		doc = json_doc(index->scratch);
	if (!entry_parse(&doc, line, &entry) && index->version > 1)
		return; /* not in the tree: neither a parent nor a child */
	node = (struct index_node){
	    .offset = place.offset,
	    .size = (uint32_t)place.size,
	    .line = number,
	    .kind = kind_of(&doc, &entry),
	    .unreadable = !valid,
	};
	if (index->version < 2)
		index_add_linear(index, node);
	else
		index_add(index, node, entry.id, entry.parent);
}

/* Read all lines.  False if the first entry is not a header. */
static bool
read_lines(struct index *index, index_progress *progress, void *context)
{
	struct reader lines = reader_from_start(index->arena, index->fd, 0,
	    READER_TO_END, READER_ROOM);
	bool header = false;
	uint64_t told = 0;
	struct session_place place;
	struct span line;

	while (reader_next(&lines, &line, &place)) {
		if (progress != NULL && place.offset - told >= PROGRESS_BYTES)
			progress(context, told = place.offset, index->bytes);
		arena_reset(index->scratch);
		if (header) {
			add_line(index, line, place, lines.number);
		} else if (json_syntax(index->scratch, line)) {
			struct json_doc doc = json_doc(index->scratch);

			header = read_header(index, &doc, line);
			if (!header)
				return false;
		} else {
			index->skipped++;
		}
	}
	arena_reset(index->scratch);
	index_finish(index);
	return header && !lines.failed;
}

enum index_open
index_open(struct arena *arena, struct span path, index_progress *progress,
    void *context, struct index *index)
{
	struct stat st;
	int fd = slurp_open(arena_cstr(arena, path));

	if (fd < 0)
		return INDEX_CANNOT_READ;
	arena_own_fd(arena, fd);
	if (fstat(fd, &st) != 0)
		return INDEX_CANNOT_READ;
	*index = (struct index){
	    .arena = arena,
	    .scratch = arena_scratch(arena),
	    .fd = fd,
	    .bytes = (uint64_t)st.st_size,
	};
	index_make_room(index);
	errno = 0;
	if (read_lines(index, progress, context))
		return INDEX_OK;
	return errno != 0 ? INDEX_CANNOT_READ : INDEX_NO_SESSION;
}

struct span
index_time(const struct index *index, uint32_t node, struct arena *arena)
{
	struct json_field f = {.name = SPAN("timestamp")};
	struct json_doc doc = json_doc(arena);
	struct json_text text;

	json_pick(&doc, index_line(index, node, arena), &f, 1);
	return json_text(arena, f.value, &text) ? text.text : SPAN("");
}
