#include "host/pi/trail.h"

#include "base/map.h"
#include "base/name_hash.h"
#include "base/seen.h"
#include "host/pi/entry_events.h"
#include "os/bytes.h"

enum step_kind {
	STEP_CALLS,     /* an assistant's message: its calls */
	STEP_ELSEWHERE, /* MESSAGE_ABOUT_ASKED: depends on its call */
	STEP_READ,      /* a read that may be ours */
	STEP_EDITED,    /* the model changed a file */
	STEP_REFUSED,   /* it wanted to */
	STEP_ANSWERED,  /* the result of some other tool */
	STEP_USER,      /* the user has spoken */
	STEP_EDIT,      /* a context edit */
	STEP_REFRESH    /* an invalidation */
};

/* An entry on the way that matters. */
struct step {
	enum step_kind kind;
	bool dropped;       /* STEP_CALLS: it is not sent again */
	struct call *calls; /* STEP_CALLS */
	struct bill bill;   /* STEP_CALLS */
	struct span call;   /* of a result: its call's id */
	enum message_read read; /* STEP_READ: what it says */
	struct event *event;    /* and STEP_REFRESH */
	struct span target; /* STEP_EDIT: the entry it is about */
	bool replaced;      /* STEP_EDIT: that has another text now */
	struct span id;
	struct session_place place; /* STEP_ELSEWHERE */
};

/* Any entry on the way: its id, and the number of steps before it. */
struct print {
	uint64_t id_hash;
	size_t steps;
};

struct trail {
	struct arena *arena;
	struct arena *scratch; /* for one line at a time */
	const struct session_file *file;
	const struct focus *focus;
	struct step *steps; /* newest first, like all lists here */
	size_t nsteps, steps_room;
	struct print *prints;
	size_t nprints, prints_room;
	struct map *print_of; /* hash of an id -> its print; made by cut */
	struct seen *on_way;  /* ids of the entries on the way */
	struct seen *off_way; /* of the lines that were skipped */
	struct map *edited;   /* id -> enum edit, by find_edits */
	struct span wanted;   /* the next entry's id; empty: the way ends */
	bool asked;  /* an assistant's message was met */
	bool ragged; /* after the leaf is something unreadable */
	struct span leaf;
};

/* Add a step for the current entry, which has the wanted id. */
static struct step *
add_step(struct trail *trail, enum step_kind kind)
{
	struct step *step;

	trail->steps = arena_more(trail->arena, trail->steps, trail->nsteps,
	    &trail->steps_room, sizeof(*trail->steps));
	step = &trail->steps[trail->nsteps++];
	*step = (struct step){.kind = kind, .id = trail->wanted};
	return step;
}

/* A copy of EVENT, which was found in DOC, that lives as long as the trail. */
static struct event *
keep_event(struct trail *trail, const struct json_doc *doc,
    const struct event *event)
{
	struct event *kept = arena_alloc(trail->arena, sizeof(*kept));

	*kept = event_keep(doc, event, trail->arena);
	return kept;
}

/* Of a result that is not ours it only matters that it exists (T14). */
static void
add_answered(struct trail *trail, const struct json_doc *doc,
    const struct message *message)
{
	if (!trail->asked)
		add_step(trail, STEP_ANSWERED)->call =
		    text_keep(doc, message->call_id, trail->arena);
}

static void
add_read(struct trail *trail, const struct json_doc *doc,
    const struct message *message, struct session_place place)
{
	enum message_about about = message_about(doc, message, trail->focus);
	struct event event;
	struct step *step;

	if (about == MESSAGE_ABOUT_ANOTHER) {
		add_answered(trail, doc, message);
		return;
	}
	step = add_step(trail, STEP_ELSEWHERE);
	step->call = text_keep(doc, message->call_id, trail->arena);
	step->place = place;
	if (about == MESSAGE_ABOUT_ASKED)
		return;
	step->kind = STEP_READ;
	step->read = message_read_event(doc, message, trail->focus, &event);
	step->event = keep_event(trail, doc, &event);
}

static void
add_message(struct trail *trail, const struct json_doc *doc,
    const struct entry *entry, struct session_place place)
{
	struct message message = message_parse(doc, entry->message);
	struct step *step;

	switch (message.kind) {
	case MESSAGE_ASSISTANT:
		step = add_step(trail, STEP_CALLS);
		step->dropped = message.dropped;
		step->calls = message_calls(
		    doc, message.content, trail->focus, trail->arena);
		step->bill = bill_keep(doc, message_bill(doc, &message),
		    trail->arena);
		trail->asked = true;
		break;
	case MESSAGE_USER:
		/*
		 * It ends the turn of the message above it.  Other turns are
		 * over.
		 */
		if (!trail->asked)
			(void)add_step(trail, STEP_USER);
		break;
	case MESSAGE_READ_ERROR:
	case MESSAGE_OTHER_RESULT:
		add_answered(trail, doc, &message);
		break;
	case MESSAGE_READ_RESULT:
		add_read(trail, doc, &message, place);
		break;
	case MESSAGE_EDIT_ERROR:
	case MESSAGE_EDITED:
		step = add_step(trail, message.kind == MESSAGE_EDITED
			? STEP_EDITED
			: STEP_REFUSED);
		step->call = text_keep(doc, message.call_id, trail->arena);
		break;
	case MESSAGE_OTHER:
		break;
	}
}

static void
add_entry(struct trail *trail, const struct json_doc *doc,
    const struct entry *entry, struct session_place place)
{
	struct event event;
	struct step *step;

	trail->prints = arena_more(trail->arena, trail->prints, trail->nprints,
	    &trail->prints_room, sizeof(*trail->prints));
	trail->prints[trail->nprints++] = (struct print){
	    name_hash(entry->id), trail->nsteps};
	switch (entry->kind) {
	case ENTRY_MESSAGE:
		add_message(trail, doc, entry, place);
		break;
	case ENTRY_CONTEXT_EDIT:
		step = add_step(trail, STEP_EDIT);
		step->target = text_keep(doc, entry->target, trail->arena);
		step->replaced = entry->replaced;
		break;
	case ENTRY_CUSTOM:
		if (invalidation_parse(doc->arena, entry->data, &event))
			add_step(trail, STEP_REFRESH)->event =
			    keep_event(trail, doc, &event);
		break;
	case ENTRY_BOUNDARY:
	case ENTRY_OTHER:
		break;
	}
}

/*
 * Nothing above can be known (T8).  Lines further up may still have the ids of
 * entries on the way, so the file is searched to its beginning.
 */
static void
end_here(struct trail *trail)
{
	/* For those who remember: no later entry may have this id either. */
	if (trail->wanted.n > 0)
		(void)seen_add(trail->off_way, trail->wanted);
	trail->wanted = SPAN("");
}

/* A hash as a name for a map. */
static struct span
hash_name(const uint64_t *hash)
{
	return (struct span){(const char *)hash, sizeof(*hash)};
}

/* The number of the print with the id ID; NULL if there is none. */
static const uint64_t *
find_print(struct trail *trail, struct span id)
{
	uint64_t hash = name_hash(id);

	if (trail->print_of == NULL) {
		/* The way has ended: the prints do not move any more. */
		trail->print_of = map_new(trail->arena, trail->nprints);
		for (size_t i = 0; i < trail->nprints; i++)
			(void)map_at(trail->print_of,
			    hash_name(&trail->prints[i].id_hash), i);
	}
	return map_find(trail->print_of, hash_name(&hash));
}

/*
 * An older line has the same id as an entry on the way.  Only what is newer
 * than that entry counts (T8).
 */
static void
cut(struct trail *trail, struct span id)
{
	const uint64_t *found;

	end_here(trail);
	found = find_print(trail, id);
	if (found == NULL || *found >= trail->nprints)
		return; /* it was cut off before */
	trail->nprints = (size_t)*found;
	trail->nsteps = trail->prints[trail->nprints].steps;
}

enum walk_progress { WALK_ON, WALK_ENDS };

/* ENTRY is the wanted one. */
static enum walk_progress
take(struct trail *trail, const struct json_doc *doc,
    const struct entry *entry, struct session_place place)
{
	bool boundary = entry->kind == ENTRY_BOUNDARY;

	/* Does a later line also have its id? */
	if (seen_has(trail->off_way, trail->wanted)) {
		end_here(trail);
		return WALK_ON;
	}
	if (boundary ? seen_has(trail->on_way, trail->wanted)
		     : !seen_add(trail->on_way, trail->wanted)) {
		cut(trail, trail->wanted);
		return WALK_ON;
	}
	if (boundary)
		return WALK_ENDS;
	add_entry(trail, doc, entry, place);
	trail->wanted = text_keep(doc, entry->parent, trail->arena);
	return WALK_ON;
}

/* The id of LINE, which may not even be JSON; empty if it has none. */
static struct span
id_of(struct arena *scratch, struct span line)
{
	struct json_doc doc = json_doc(scratch);
	struct json_field f = {.name = SPAN("id")};
	struct json_text id;

	json_pick(&doc, line, &f, 1);
	return json_text(scratch, f.value, &id) ? id.text : SPAN("");
}

/* Skip a line that is not on the way.  Does an entry on it have its id? */
static void
pass_over(struct trail *trail, struct span id)
{
	if (id.n == 0)
		return;
	if (seen_has(trail->on_way, id))
		cut(trail, id);
	else
		(void)seen_add(trail->off_way, id);
}

/* Does LINE look like the wanted one?  pi writes the id near its start. */
static bool
looks_wanted(const struct trail *trail, struct span line)
{
	enum { FRONT = 128 };

	return bytes_find(line.p, line.n < FRONT ? line.n : FRONT,
		   trail->wanted.p, trail->wanted.n) != NULL;
}

/* Look at the next line towards the beginning. */
static enum walk_progress
look_at(struct trail *trail, struct span line, struct session_place place)
{
	struct json_doc doc;
	struct entry entry;
	struct span id;

	/* The most common case first: such a line is read only once. */
	if (trail->wanted.n > 0 && looks_wanted(trail, line) &&
	    entry_of_line(trail->scratch, line, &doc, &entry) &&
	    span_eq(entry.id, trail->wanted))
		return take(trail, &doc, &entry, place);

	id = id_of(trail->scratch, line);
	/* Lines above the end of the way have ids too. */
	if (trail->wanted.n == 0 || !span_eq(id, trail->wanted)) {
		pass_over(trail, id);
		return WALK_ON;
	}
	if (entry_of_line(trail->scratch, line, &doc, &entry))
		return take(trail, &doc, &entry, place);
	end_here(trail);
	return WALK_ON;
}

/*
 * If no leaf is named, it is the last line that pi can read.  As for pi, a
 * broken character does not break a line.  False: not this one.
 */
static bool
is_last(struct trail *trail, struct span line)
{
	if (!json_syntax(trail->scratch, line))
		return false;
	trail->wanted = text_keep(&(struct json_doc){.arena = trail->scratch},
	    id_of(trail->scratch, line), trail->arena);
	return true;
}

static enum branch_state
walk(struct trail *trail, struct reader *lines, bool has_leaf)
{
	struct session_place place;
	struct span line;

	while (reader_previous(lines, &line, &place)) {
		arena_reset(trail->scratch);
		if (!has_leaf && !is_last(trail, line)) {
			trail->ragged = true;
			continue;
		}
		has_leaf = true;
		if (trail->nprints == 0 && trail->wanted.n == 0)
			return BRANCH_NO_LEAF;
		if (trail->nprints == 0)
			trail->leaf = trail->wanted;
		if (look_at(trail, line, place) == WALK_ENDS)
			return BRANCH_OK;
	}
	if (lines->failed)
		return BRANCH_NO_FILE;
	/* The parent comes after its child: perhaps a circle. */
	if (trail->wanted.n > 0 &&
	    (seen_has(trail->off_way, trail->wanted) ||
		seen_has(trail->on_way, trail->wanted)))
		return BRANCH_CYCLE;
	return trail->nprints > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
}

/* Read a step's line again. */
static bool
add_line(struct trail *trail, const struct step *step, enum edit edit,
    struct events *events)
{
	struct json_doc doc;
	struct entry entry;
	struct span line;

	arena_reset(trail->scratch);
	if (!session_file_at(trail->file, trail->scratch, step->place, &line))
		return false;
	if (!entry_of_line(trail->scratch, line, &doc, &entry) ||
	    !span_eq(entry.id, step->id))
		return false;
	entry_add(events, &doc, &entry, edit, 0);
	return true;
}

/* CALLS of the arena FROM, so that they live as long as TO. */
static struct call *
calls_keep(struct call *calls, struct arena *from, struct arena *to)
{
	struct json_doc doc = json_doc(from);
	struct call *first = NULL, **end = &first;

	if (from == to)
		return calls;
	for (; calls != NULL; calls = calls->next) {
		*end = arena_alloc(to, sizeof(**end));
		**end = call_keep(&doc, calls, to);
		end = &(*end)->next;
	}
	return first;
}

/* Add the event of a step.  False if its line has changed since. */
static bool
add_event(struct trail *trail, const struct step *step, struct events *events)
{
	const uint64_t *found = map_find(trail->edited, step->id);
	enum edit edit = found != NULL ? (enum edit)*found : EDIT_NONE;
	struct json_doc doc = json_doc(trail->arena);
	struct span call = text_keep(&doc, step->call, events->arena);
	struct bill bill;

	switch (step->kind) {
	case STEP_CALLS:
		bill = bill_keep(&doc, step->bill, events->arena);
		events_add_calls(events,
		    calls_keep(step->calls, trail->arena, events->arena),
		    step->dropped || edit != EDIT_NONE, &bill, 0);
		return true;
	case STEP_READ:
		events_add_read(events, &doc, step->read, step->event, call,
		    edit, 0);
		return true;
	case STEP_EDITED:
		events_add_edited(events, call, edit, 0);
		return true;
	case STEP_REFUSED:
		events_add_refused(events, call, 0);
		return true;
	case STEP_ANSWERED:
		events_add_answered(events, call);
		return true;
	case STEP_USER:
		events_add_user(events);
		return true;
	case STEP_ELSEWHERE:
		if (events_elsewhere(events, call)) {
			events_add_answered(events, call);
			return true;
		}
		break;
	case STEP_EDIT:
		events_add_context_edit(events, step->target.n > 0, 0);
		return true;
	case STEP_REFRESH:
		events_add_event(events, &doc, step->event, 0);
		return true;
	}
	return add_line(trail, step, edit, events);
}

/* What the context edits on the way do.  Of several the latest counts. */
static void
find_edits(struct trail *trail)
{
	trail->edited = map_new(trail->arena, 4);
	for (size_t i = 0; i < trail->nsteps; i++)
		if (trail->steps[i].kind == STEP_EDIT)
			(void)map_at(trail->edited, trail->steps[i].target,
			    trail->steps[i].replaced ? EDIT_REPLACED
						     : EDIT_OMITTED);
}

/* From the boundary to the leaf.  False if the file has changed since. */
static bool
add_events(struct trail *trail, struct events *events)
{
	find_edits(trail);
	for (size_t i = trail->nsteps; i > 0; i--)
		if (!add_event(trail, &trail->steps[i - 1], events))
			return false;
	return true;
}

enum branch_state
trail_events(const struct session_file *file, const struct session *session,
    const struct branch_ids *ids, struct events *events,
    struct branch_end *end)
{
	struct reader lines = reader_from_end(file->arena, file->fd,
	    file->first, (uint64_t)file->st.st_size);
	struct trail trail = {
	    .arena = file->arena,
	    .scratch = arena_scratch(file->arena),
	    .file = file,
	    .focus = events->focus,
	    .on_way = ids->on_way,
	    .off_way = ids->off_way,
	    .wanted = session->leaf == LEAF_ID ? session->leaf_id : SPAN(""),
	};
	enum branch_state state =
	    walk(&trail, &lines, session->leaf == LEAF_ID);

	reader_rest(&lines);
	end_here(&trail);
	*end = (struct branch_end){trail.leaf, trail.ragged};
	if (state == BRANCH_OK && !add_events(&trail, events))
		return BRANCH_NO_FILE;
	return state;
}
