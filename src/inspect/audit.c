#include "inspect/audit.h"

#include <stdlib.h>

#include "diff/apply.h"
#include "inspect/recall.h"
#include "os/bytes.h"

enum { LOOK_BACK = 1024 }; /* sights searched for a missing text */

struct auditor {
	struct context *context;
	struct recall *recall;
	struct arena *keep;    /* for the result */
	struct arena *scratch; /* for one answer */
	struct audit audit;
	size_t room;
};

static struct scope
scope_of(const struct sight *sight, const struct answer_said *said)
{
	if (sight->result->has_meta)
		return sight->result->meta.read.scope;
	if (said->kind == SAID_SAME_LINES)
		return scope_range(said->first, said->last);
	return said->first > 0
	    ? scope_of_lines(said->first, said->last, said->total)
	    : scope_full();
}

static void
report(struct auditor *a, const struct sight *sight,
    const struct answer_said *said, struct span why)
{
	struct audit *audit = &a->audit;

	audit->violations = arena_more(a->keep, audit->violations, audit->n,
	    &a->room, sizeof(*audit->violations));
	audit->violations[audit->n++] = (struct audit_violation){
	    .node = context_node(a->context, sight),
	    .path = {arena_cstr(a->keep, sight->asked.name),
		sight->asked.name.n},
	    .scope = scope_of(sight, said),
	    .why = {arena_cstr(a->keep, why), why.n},
	};
}

/* Are the lines of an answer in pieces those of the metadata? */
static bool
agrees_in_lines(const struct answer_said *said, const struct event *read)
{
	return read->mode == (read->scope.kind == SCOPE_FULL
				     ? MODE_DIFF
				     : MODE_UNCHANGED_RANGE) &&
	    scope_eq(read->scope,
		scope_of_lines(said->first, said->last, said->total));
}

/* Does the metadata say the same as the text? */
static bool
metadata_agrees(const struct answer_said *said, const struct event *read)
{
	if (said->total != 0 && said->total != read->total)
		return false;
	switch (said->kind) {
	case SAID_SAME:
		return read->mode == MODE_UNCHANGED && read->pieces == 0 &&
		    read->scope.kind == SCOPE_FULL;
	case SAID_SAME_LINES:
		return read->mode == MODE_UNCHANGED_RANGE &&
		    scope_eq(read->scope,
			scope_range(said->first, said->last));
	case SAID_DIFF:
		return read->mode == MODE_DIFF && read->pieces == 0 &&
		    read->scope.kind == SCOPE_FULL;
	case SAID_WRITTEN:
	case SAID_EDITS:
		return read->pieces > 0 && agrees_in_lines(said, read);
	case SAID_PIECES:
		return read->pieces == said->npieces &&
		    agrees_in_lines(said, read);
	case SAID_UNKNOWN:
	case SAID_TEXT:
	case SAID_TOO_LONG:
		break;
	}
	return true;
}

static const char *
loss(enum sight_state state)
{
	switch (state) {
	case SIGHT_REPLACED:
		return "the text was replaced by another one";
	case SIGHT_OMITTED:
		return "the text was taken out of the context by an edit";
	case SIGHT_CALL_GONE:
		return "the text's call failed, was aborted or was edited";
	case SIGHT_COMPACTED:
		return "the text is before a compaction that did not keep it";
	case SIGHT_LOST:
		return "the text is before a silent loss of context";
	case SIGHT_UNREADABLE:
		return "the text is before an entry that cannot be understood";
	case SIGHT_SEEN:
		break;
	}
	return NULL;
}

/* Would a change by CALL_ID, if it were visible, have prevented FAULT? */
static bool
change_would_help(struct span call_id, const struct knowledge_fault *fault,
    const struct meta *claim)
{
	if (fault->kind == CLAIM_WRITTEN || fault->kind == CLAIM_OWN ||
	    fault->kind == CLAIM_EDITS)
		return true;
	if (fault->kind != CLAIM_CALL || claim == NULL)
		return false;
	for (size_t i = 0; i < claim->read.ncalls; i++)
		if (span_eq(claim->read.calls[i], call_id))
			return true;
	return false;
}

/* Would SIGHT, if it were visible, have prevented FAULT of a claim? */
static bool
would_help(const struct sight *sight, const struct knowledge_fault *fault,
    const struct meta *claim)
{
	const struct event *read = &sight->result->meta.read;
	bool full = read->scope.kind == SCOPE_FULL;

	if (sight->change)
		return change_would_help(
		    sight->result->call_id, fault, claim);
	if (!sight->result->has_meta)
		return fault->kind == CLAIM_NOTHING;
	if (!said_is_anchor(&sight->result->meta))
		return false;
	if (fault->kind == CLAIM_NO_BASE)
		return full;
	if (fault->kind == CLAIM_NEVER)
		return fault->first >= (full ? 1 : read->scope.first) &&
		       fault->first <= (full ? read->total : read->scope.last);
	if (fault->kind == CLAIM_NO_VERSION)
		return claim != NULL &&
		    (digest_eq(&read->served, &claim->read.served) ||
			digest_eq(&read->served, &claim->read.base));
	return fault->kind == CLAIM_NOTHING;
}

/* What became of the text that is missing; NULL if it never was there. */
static const char *
find_loss(const struct auditor *a, const struct context_subject *subject,
    uint32_t n, const struct knowledge_fault *fault, const struct meta *claim)
{
	const char *why = NULL;
	uint32_t least = n > LOOK_BACK ? n - LOOK_BACK : 0;

	while (n > least && why == NULL) {
		const struct sight *sight = &subject->sights[--n];

		if (would_help(sight, fault, claim))
			why = loss(context_state(a->context, sight));
	}
	return why;
}

/* How many sights of SUBJECT are before the message that asked for SIGHT. */
static uint32_t
before_batch(const struct context_subject *subject, const struct sight *sight)
{
	uint32_t n = subject->n - 1;

	if (sight->asked_at == NODE_NONE)
		return n;
	return subject_before(subject, n, sight->asked_at + 1);
}

/* What is wrong with ANSWER, the latest sight of SUBJECT. */
static struct knowledge_fault
find_fault(struct auditor *a, struct context_subject *subject,
    const struct sight *sight, const struct known_answer *answer)
{
	uint32_t n = subject->n - 1, alone = before_batch(subject, sight);
	const struct knowledge *known = recall_know(a->recall, subject, n);
	struct knowledge_fault fault = {.kind = CLAIM_UNTOLD};

	if (known == NULL)
		return fault;
	fault = knowledge_check(known, answer, a->scratch);
	if (fault.kind == CLAIM_SOUND || alone == n)
		return fault;
	/* It may have been made at the same time as the others of its batch. */
	known = recall_know(a->recall, subject, alone);
	if (known != NULL &&
	    knowledge_check(known, answer, a->scratch).kind == CLAIM_SOUND)
		fault.kind = CLAIM_SOUND;
	return fault;
}

static void
judge(struct auditor *a, struct context_subject *subject,
    const struct sight *sight, const struct known_answer *answer)
{
	struct knowledge_fault fault = find_fault(a, subject, sight, answer);
	struct buf why = buf_new(a->scratch, 80);
	const char *lost;

	if (fault.kind == CLAIM_SOUND)
		return;
	lost = find_loss(a, subject, subject->n - 1, &fault, answer->meta);
	if (lost != NULL)
		buf_str(&why, lost);
	else
		knowledge_fault_write(&why, &fault);
	report(a, sight, &answer->said, buf_span(&why));
}

/* Can it be a marker or a diff?  Decided without decoding its text. */
static bool
may_be_compact(const struct auditor *a, const struct sight *sight)
{
	const struct record_result *result = sight->result;
	struct span line;

	if (result->has_meta && !said_is_anchor(&result->meta))
		return true;
	if (!result->has_text || (result->has_meta && result->sealed &&
		digest_eq(&result->text_hash, &result->meta.read.served)))
		return false;
	line = index_line(a->context->records->index,
	    context_node(a->context, sight), a->scratch);
	return bytes_find(line.p, line.n, "[readcache: ", 12) != NULL;
}

/* A diff that somebody has written into is not a claim any more. */
static bool
is_claim(const struct known_answer *answer)
{
	enum said_kind kind = answer->said.kind;

	return kind == SAID_SAME || kind == SAID_SAME_LINES ||
	    kind == SAID_WRITTEN || kind == SAID_EDITS ||
	    kind == SAID_PIECES ||
	    (kind == SAID_DIFF &&
		(!answer->altered || diff_sound(answer->said.text)));
}

/*
 * Count and judge the result at SIGHT.  SUBJECT is its file, NULL if unknown.
 */
static void
look_at(struct auditor *a, struct context_subject *subject,
    const struct sight *sight)
{
	const struct meta *meta = sight->result->has_meta
	    ? &sight->result->meta
	    : NULL;
	struct known_answer answer;

	arena_reset(a->scratch);
	if (!may_be_compact(a, sight))
		return;
	answer = recall_answer(a->context, sight, a->scratch);
	if (!is_claim(&answer)) {
		/* Another text in place of a marker claims nothing. */
		a->audit.compact += meta != NULL && !said_is_anchor(meta);
		return;
	}
	a->audit.compact++;
	if (subject == NULL)
		report(a, sight, &answer.said,
		    SPAN("nobody can tell which file it speaks of"));
	else if (sight->asked.misnamed)
		report(a, sight, &answer.said,
		    SPAN("its metadata speaks of another file than its call"));
	else if (meta != NULL && !metadata_agrees(&answer.said, &meta->read))
		report(a, sight, &answer.said,
		    SPAN("its metadata says something else than its text"));
	else
		judge(a, subject, sight, &answer);
}

static int
compare_violations(const void *left, const void *right)
{
	const struct audit_violation *a = left, *b = right;

	return (a->node > b->node) - (a->node < b->node);
}

struct audit
audit_session(const struct session_records *records, struct span home,
    struct arena *arena, index_progress *progress, void *context)
{
	const struct index *index = records->index;
	struct arena *own = arena_scratch(arena);
	struct auditor a = {.keep = arena, .scratch = arena_scratch(own)};

	a.context = context_new(records, home, own);
	a.recall = recall_new(a.context, own);
	for (uint32_t i = 0; i < index->n; i++)
		a.audit.answers += index->nodes[i].kind == NODE_READ_RESULT;
	while (context_next(a.context)) {
		look_at(&a, a.context->subject, &a.context->sight);
		if (progress != NULL)
			progress(context,
			    index->nodes[context_node(a.context,
				&a.context->sight)].offset,
			    index->bytes);
	}
	arena_reset(own);
	if (a.audit.n > 0)
		qsort(a.audit.violations, a.audit.n,
		    sizeof(*a.audit.violations), compare_violations);
	return a.audit;
}
