#include "host/pi/trail.h"

#include "base/map.h"
#include "base/name_hash.h"
#include "os/bytes.h"

/* An entry on the way that matters. */
struct step {
	enum {
		STEP_CALLS,     /* an assistant's message: its calls */
		STEP_ELSEWHERE, /* MESSAGE_ABOUT_ASKED: depends on its call */
		STEP_EDITED,    /* the model changed a file */
		STEP_ANSWERED,  /* the result of some other tool */
		STEP_USER,      /* the user has spoken */
		STEP_LINE       /* anything else: read the line again */
	} kind;
	bool dropped;       /* STEP_CALLS: it is not sent again */
	struct call *calls; /* STEP_CALLS */
	struct bill bill;   /* STEP_CALLS */
	struct span call;   /* of a result, unless STEP_LINE: its call's id */
	struct span id;
	struct session_place place;
};

/* Any entry on the way: its id, and the number of steps before it. */
struct print {
	uint64_t id_hash;
	size_t steps;
};

struct trail {
	struct arena *arena;
	struct arena *scratch; /* for one line at a time */
	struct session_file *file;
	const struct focus *focus;
	struct step *steps; /* newest first, like all lists here */
	size_t nsteps, steps_room;
	struct print *prints;
	size_t nprints, prints_room;
	struct seen *on_way;  /* ids of the entries on the way */
	struct seen *off_way; /* of the lines that were skipped */
	struct map *edited;   /* id -> enum edit */
	struct span wanted;   /* the next entry's id; empty above the root */
	bool asked;  /* an assistant's message was met */
	bool ragged; /* after the leaf is something unreadable */
	struct span leaf;
};

/* Add a step for the current entry, which has the wanted id. */
static struct step *
add_step(struct trail *trail, struct session_place place)
{
	struct step *step;

	trail->steps = arena_more(trail->arena, trail->steps, trail->nsteps,
	    &trail->steps_room, sizeof(*trail->steps));
	step = &trail->steps[trail->nsteps++];
	*step = (struct step){
	    .kind = STEP_LINE,
	    .id = trail->wanted,
	    .place = place,
	};
	return step;
}

/* Of a result that is not ours it only matters that it exists (T14). */
static void
add_answered(struct trail *trail, const struct json_doc *doc,
    const struct message *message, struct session_place place)
{
	struct step *step;

	if (trail->asked)
		return;
	step = add_step(trail, place);
	step->kind = STEP_ANSWERED;
	step->call = entry_keep(doc, message->call_id, trail->arena);
}

static void
add_message(struct trail *trail, const struct json_doc *doc,
    const struct entry *entry, struct session_place place)
{
	struct message message = message_parse(doc, entry->message);
	enum message_about about;
	struct step *step;

	switch (message.kind) {
	case MESSAGE_ASSISTANT:
		step = add_step(trail, place);
		step->kind = STEP_CALLS;
		step->dropped = message.dropped;
		step->calls = message_calls(doc, message.content,
		    trail->arena);
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
			add_step(trail, place)->kind = STEP_USER;
		break;
	case MESSAGE_OTHER_RESULT:
		add_answered(trail, doc, &message, place);
		break;
	case MESSAGE_READ_RESULT:
		about = message_about(doc, &message, trail->focus);
		if (about == MESSAGE_ABOUT_ANOTHER) {
			add_answered(trail, doc, &message, place);
			break;
		}
		step = add_step(trail, place);
		if (about == MESSAGE_ABOUT_OURS)
			break;
		step->kind = STEP_ELSEWHERE;
		step->call = entry_keep(doc, message.call_id, trail->arena);
		break;
	case MESSAGE_EDIT_ERROR:
		(void)add_step(trail, place);
		break;
	case MESSAGE_EDITED:
		step = add_step(trail, place);
		step->kind = STEP_EDITED;
		step->call = entry_keep(doc, message.call_id, trail->arena);
		break;
	case MESSAGE_OTHER:
		break;
	}
}

static void
add_entry(struct trail *trail, const struct json_doc *doc,
    const struct entry *entry, struct session_place place)
{
	trail->prints = arena_more(trail->arena, trail->prints, trail->nprints,
	    &trail->prints_room, sizeof(*trail->prints));
	trail->prints[trail->nprints++] = (struct print){
	    name_hash(entry->id), trail->nsteps};
	switch (entry->kind) {
	case ENTRY_MESSAGE:
		add_message(trail, doc, entry, place);
		break;
	case ENTRY_CONTEXT_EDIT:
		(void)map_at(trail->edited,
		    entry_keep(doc, entry->target, trail->arena),
		    entry->replaced ? EDIT_REPLACED : EDIT_OMITTED);
		(void)add_step(trail, place);
		break;
	case ENTRY_CUSTOM:
		(void)add_step(trail, place);
		break;
	case ENTRY_COMPACTION:
	case ENTRY_OTHER:
		break;
	}
}

/*
 * An older line has the same id as an entry on the way.  Only what is newer
 * than that entry counts (T8).
 */
static enum branch_state
cut(struct trail *trail, struct span id)
{
	uint64_t hash = name_hash(id);
	size_t i = 0;

	while (i < trail->nprints && trail->prints[i].id_hash != hash)
		i++;
	if (i == trail->nprints)
		return BRANCH_NO_LEAF; /* cannot happen: it is there */
	trail->nsteps = trail->prints[i].steps;
	return i > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
}

/* What is above cannot be known (T8). */
static enum branch_state
end_here(const struct trail *trail)
{
	return trail->nprints > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
}

enum walk_progress { WALK_ON, WALK_ENDS };

/* ENTRY is the wanted one.  *STATE is the branch's state if it ends here. */
static enum walk_progress
take(struct trail *trail, const struct json_doc *doc,
    const struct entry *entry, struct session_place place,
    enum branch_state *state)
{
	bool boundary = entry->kind == ENTRY_COMPACTION;

	/* Does a later line also have its id? */
	*state = end_here(trail);
	if (seen_has(trail->off_way, trail->wanted))
		return WALK_ENDS;
	if (boundary ? seen_has(trail->on_way, trail->wanted)
		     : !seen_add(trail->on_way, trail->wanted)) {
		*state = cut(trail, trail->wanted);
		return WALK_ENDS;
	}
	*state = BRANCH_OK;
	if (boundary)
		return WALK_ENDS;
	add_entry(trail, doc, entry, place);
	trail->wanted = entry_keep(doc, entry->parent, trail->arena);
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
static enum walk_progress
pass_over(struct trail *trail, struct span id, enum branch_state *state)
{
	if (id.n > 0 && seen_has(trail->on_way, id)) {
		*state = cut(trail, id);
		return WALK_ENDS;
	}
	if (id.n > 0)
		(void)seen_add(trail->off_way, id);
	return WALK_ON;
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
look_at(struct trail *trail, struct span line, struct session_place place,
    enum branch_state *state)
{
	struct json_doc doc;
	struct entry entry;
	struct span id;

	/* Lines above a root have ids too. */
	if (trail->wanted.n == 0)
		return pass_over(
		    trail, id_of(trail->scratch, line), state);
	/* The most common case first: such a line is read only once. */
	if (looks_wanted(trail, line) &&
	    json_judge(trail->scratch, line, &doc) &&
	    entry_parse(&doc, line, &entry) &&
	    span_eq(entry.id, trail->wanted))
		return take(trail, &doc, &entry, place, state);

	id = id_of(trail->scratch, line);
	if (span_eq(id, trail->wanted)) {
		*state = end_here(trail);
		if (!json_judge(trail->scratch, line, &doc) ||
		    !entry_parse(&doc, line, &entry))
			return WALK_ENDS;
		return take(trail, &doc, &entry, place, state);
	}
	return pass_over(trail, id, state);
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
	trail->wanted = entry_keep(&(struct json_doc){.arena = trail->scratch},
	    id_of(trail->scratch, line), trail->arena);
	return true;
}

static enum branch_state
walk(struct trail *trail, bool has_leaf)
{
	enum branch_state state = BRANCH_NO_LEAF;
	struct session_place place;
	struct span line;

	while (session_file_before(trail->file, &line, &place)) {
		arena_reset(trail->scratch);
		if (!has_leaf && !is_last(trail, line)) {
			trail->ragged = true;
			continue;
		}
		has_leaf = true;
		if (trail->nprints == 0)
			trail->leaf = trail->wanted;
		if ((trail->nprints == 0 && trail->wanted.n == 0) ||
		    look_at(trail, line, place, &state) == WALK_ENDS)
			return state;
	}
	if (trail->file->failed)
		return BRANCH_NO_FILE;
	if (trail->wanted.n == 0)
		return end_here(trail); /* at the root */
	/* The parent comes after its child: perhaps a circle. */
	if (seen_has(trail->off_way, trail->wanted) ||
	    seen_has(trail->on_way, trail->wanted))
		return BRANCH_CYCLE;
	return end_here(trail);
}

enum branch_state
trail_find(struct arena *arena, struct session_file *file,
    const struct session *session, const struct focus *focus,
    const struct trail_ids *ids, struct trail **trail)
{
	enum branch_state state;
	struct trail *found = arena_array(arena, 1, sizeof(*found));

	*trail = found;
	*found = (struct trail){
	    .arena = arena,
	    .scratch = arena_scratch(arena),
	    .file = file,
	    .focus = focus,
	    .on_way = ids->on_way,
	    .off_way = ids->off_way,
	    .edited = map_new(arena, 4),
	    .wanted = session->leaf == LEAF_ID ? session->leaf_id : SPAN(""),
	};
	state = walk(found, session->leaf == LEAF_ID);
	session_file_rest(file);
	if (found->wanted.n > 0)
		(void)seen_add(found->off_way, found->wanted);
	return state;
}

struct span
trail_leaf(const struct trail *trail)
{
	return trail->leaf;
}

bool
trail_ragged(const struct trail *trail)
{
	return trail->ragged;
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
	line = json_trim(line);
	if (!json_judge(trail->scratch, line, &doc) ||
	    !entry_parse(&doc, line, &entry) || !span_eq(entry.id, step->id))
		return false;
	events_add(events, &doc, &entry, edit, 0);
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
	struct span call = entry_keep(&doc, step->call, events->arena);
	struct bill bill;

	switch (step->kind) {
	case STEP_CALLS:
		bill = bill_keep(&doc, step->bill, events->arena);
		events_add_calls(events,
		    calls_keep(step->calls, trail->arena, events->arena),
		    step->dropped || edit != EDIT_NONE, &bill, 0);
		return true;
	case STEP_EDITED:
		events_add_edited(events, call, 0);
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
	case STEP_LINE:
		break;
	}
	return add_line(trail, step, edit, events);
}

bool
trail_events(struct trail *trail, struct events *events)
{
	for (size_t i = trail->nsteps; i > 0; i--)
		if (!add_event(trail, &trail->steps[i - 1], events))
			return false;
	return true;
}
