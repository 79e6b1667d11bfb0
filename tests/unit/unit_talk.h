/*
 * unit_talk.h -- a reader who asks for lines of one file, and what is answered.
 */
#ifndef READCACHE_TESTS_UNIT_TALK_H
#define READCACHE_TESTS_UNIT_TALK_H

#include "unit_view.h"

#include "answer/answer.h"
#include "diff/useful.h"

/*
 * A reader and one file.  Whatever is answered is in the reader's context from
 * then on, and every version that was asked about is in the library.
 */
enum { VERSIONS_MAX = 64 };

struct talk {
	struct arena *arena;
	struct trust *trust;
	struct question question; /* all but the file and the lines */
	struct span versions[VERSIONS_MAX];
	size_t n;
};

static inline struct talk
talk_begin(struct arena *arena, enum policy policy)
{
	return (struct talk){
	    .arena = arena,
	    .trust = trust_new(arena),
	    .question =
		{
		    .path = SPAN("/w/a"),
		    .name = SPAN("/w/link"),
		    .asked = SPAN("link"),
		    .policy = policy,
		    .repeat = 100,
		    .diff_max_bytes = DIFF_MAX_BYTES,
		    .diff_max_lines = DIFF_MAX_LINES,
		},
	};
}

static inline bool
talk_find_version(void *context, const struct digest *hash, struct piece *piece)
{
	const struct talk *talk = context;

	for (size_t i = 0; i < talk->n; i++) {
		struct digest known = digest_of(talk->versions[i]);

		*piece = (struct piece){talk->versions[i], 1};
		if (digest_eq(&known, hash))
			return true;
	}
	return false;
}

static inline struct reply
talk_ask(struct talk *talk, struct span file, uint64_t offset, uint64_t limit)
{
	struct excerpt shown = unit_shown(talk->arena, file, offset, limit);
	struct question question = talk->question;
	struct library library = {talk_find_version, talk};
	struct reply answer;
	struct event event;

	question.hash = digest_of(file);
	question.shown = &shown;
	question.now = (struct piece){file, 1};
	answer = answer_make(talk->arena, &question, talk->trust, &library);
	event = answer.read;
	event.sealed = true;
	if (answer.verdict.mode != MODE_PLAIN)
		(void)trust_apply(talk->trust, &event);
	assert_true(talk->n < VERSIONS_MAX);
	talk->versions[talk->n++] = file;
	return answer;
}

static inline void
talk_check(const struct reply *answer, enum mode mode, const char *reason)
{
	assert_int_equal(answer->verdict.mode, mode);
	assert_string_equal(answer->verdict.reason, reason);
	assert_int_equal(answer->read.mode, mode);
}

#endif
