#include "answer/answer.h"

#include "answer/render.h"
#include "answer/weigh.h"

/* The facts about the lines.  Where the answer is plain none is needed. */
static struct weighed
find_facts(struct arena *arena, const struct question *q,
    const struct trust *trust, const struct library *library)
{
	if (q->bar != BAR_NONE)
		return (struct weighed){.base = BASE_NEVER};
	if (trust == NULL)
		return (struct weighed){
		    .base = q->no_trust, .scope = excerpt_scope(q->shown)};
	return weigh(arena, q, trust, library);
}

static struct evidence
evidence_of(const struct question *q, const struct weighed *facts)
{
	return (struct evidence){
	    .bar = q->bar,
	    .scope = facts->scope.kind,
	    .base = facts->base,
	    .newer = facts->newer,
	    .change = facts->change,
	    .cover = facts->cover,
	    .pause = facts->pause,
	    .beside = q->beside,
	    .marker = facts->marker,
	    .piece = facts->piece,
	};
}

static struct span
write_text(struct arena *arena, const struct question *q,
    struct decided verdict, const struct weighed *facts)
{
	struct buf text;

	if (verdict.pieced) {
		text = buf_new(arena, 256);
		pieces_render(&text, q->shown, &facts->pieces, facts->again);
		return buf_span(&text);
	}
	switch (verdict.mode) {
	case MODE_DIFF:
		text = buf_new(arena, facts->diff.hunks.n + 256);
		render_diff(&text, &facts->diff, q->shown->total, q->asked);
		return buf_span(&text);
	case MODE_UNCHANGED:
	case MODE_UNCHANGED_RANGE:
		text = buf_new(arena, 160);
		render_marker(&text, q->shown, weighed_elsewhere(facts),
		    facts->again);
		return buf_span(&text);
	case MODE_FULL:
	case MODE_FALLBACK:
	case MODE_PLAIN:
	case MODE_COUNT:
		break;
	}
	return excerpt_text(arena, q->shown);
}

/*
 * Which lines the model sees.  A diff of the whole file was asked for as a
 * page; if something forbids it the page is sent, and covers no more than that.
 */
static struct scope
scope_of(const struct question *q, enum mode mode, const struct weighed *facts)
{
	return mode_is_compact(mode) ? facts->scope : excerpt_scope(q->shown);
}

static struct event
event_of(const struct question *q, enum mode mode, const struct weighed *facts)
{
	return (struct event){
	    .kind = EVENT_READ,
	    .path = q->path,
	    .name = q->name,
	    .scope = scope_of(q, mode, facts),
	    .mode = mode,
	    .has_base = facts->base == BASE_SAME ||
			facts->base == BASE_DIFFERS ||
			facts->cover == COVER_ALL,
	    .served = q->hash,
	    .base = facts->base_hash,
	    .total = q->shown->total,
	    .bytes = excerpt_bytes(q->shown),
	};
}

/* What a pieced answer says besides, of itself and of what it rests on. */
static void
add_pieces(struct arena *arena, struct event *read,
    const struct weighed *facts)
{
	struct rests *rests = arena_alloc(arena, sizeof(*rests));

	*rests = facts->rests;
	read->has_base = true;
	read->pieces = (uint16_t)facts->pieces.n;
	read->rests = rests;
	read->calls = facts->trace.calls;
	read->ncalls = (uint8_t)facts->trace.ncalls;
}

struct reply
answer_make(struct arena *arena, const struct question *question,
    const struct trust *trust, const struct library *library)
{
	struct weighed facts = find_facts(arena, question, trust, library);
	struct reply answer = {
	    .verdict = decide(evidence_of(question, &facts))};
	enum mode mode = answer.verdict.mode;

	answer.text = write_text(arena, question, answer.verdict, &facts);
	answer.read = event_of(question, mode, &facts);
	if (answer.verdict.pieced)
		add_pieces(arena, &answer.read, &facts);
	if (mode != MODE_PLAIN)
		event_delivers(&answer.read, answer.text);
	if (mode_is_compact(mode))
		answer.rests = facts.rests;
	return answer;
}
