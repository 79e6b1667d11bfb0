#include "cli/explain.h"

#include <stdio.h>

#include "json/tree.h"
#include "serve/response.h"

struct saying {
	const char code[20]; /* arrays: no relocations at start-up */
	char text[96];
};

static const struct saying reasons[] = {
	{"first_read", "these lines were not shown on this branch before"},
	{"no_session", "no session was named, so nothing is known to be shown"},
	{"no_branch", "the session's branch cannot be told"},
	{"refreshed", "the lines were refreshed and not shown since"},
	{"moved", "the name led to another file when it was last read"},
	{"bypass", "the cache was to be left out"},
	{"same_file", "the file is the version that was shown"},
	{"same_lines", "the file has changed, but not in these lines"},
	{"lines_changed", "these lines have changed since they were shown"},
	{"changed", "the file has changed, and a diff says it shorter"},
	{"base_missing", "the version that was shown is not in the store"},
	{"diff_not_useful", "the file has changed, but a diff is not shorter"},
	{"diff_failed", "the file has changed, but no sound diff was found"},
	{"newer_view", "something else was shown of these lines since"},
	{"covered", "all of these lines were shown, and are as they were"},
	{"own_text", "the model's own changes are in place, and no others"},
	{"pieces", "most of these lines were shown, or the model wrote them"},
	{"own_edit", "the model changed the file since it saw these lines"},
	{"failed_edit", "an edit of the file was refused since"},
	{"repeat", "the same marker was given several times in a row"},
	{"sibling", "a shell or an unknown tool runs beside it"},
	{"marker_not_smaller", "a marker would not be shorter"},
	{"nested", "another tool made the call, not the model"},
	{"excluded", "files of this name are never cached"},
	{"no_line_shown", "its first line is too long to be shown"},
	{"settings_unread", "there are settings that cannot be used; see "
			    "readcache config"},
	{"no_key", "its real path cannot be told"},
};

static const struct saying delegates[] = {
	{"image", "it is an image"},
	{"not_utf8", "it is not UTF-8 text"},
	{"arguments", "the offset or the limit is unusual"},
	{"special_file", "it is not a regular file"},
	{"unreadable", "it cannot be read"},
	{"path", "its path is unusual"},
	{"too_large", "it is larger than 256 MiB"},
	{"out_of_memory", "there is not enough memory"},
	{"sibling", "a call beside it may change the file"},
	{"other_text", "what was delivered is not the plain read"},
};

/* What CODE means; CODE itself if it is not known. */
static const char *
meaning(struct arena *arena, const struct saying *sayings, size_t n,
    struct span code)
{
	for (size_t i = 0; i < n; i++)
		if (span_eq(code, span_str(sayings[i].code)))
			return sayings[i].text;
	return arena_cstr(arena, code);
}

static uint64_t
number(const struct answer *answer, const char *name)
{
	struct json_field f = {.name = span_str(name)};
	uint64_t value = 0;

	json_pick(&answer->doc, answer->decision, &f, 1);
	(void)tree_number(tree_parse(answer->doc.arena, f.value), &value);
	return value;
}

void
explain_decision(struct cli *cli, const struct answer *answer)
{
	struct arena *arena = cli->arena;
	struct span reason = answer_text(answer, answer->decision, "reason");
	uint64_t plain = number(answer, "baselineBytes");
	uint64_t served = number(answer, "servedBytes");

	(void)fprintf(stderr, "readcache: %s (%s): %s\n",
	    arena_cstr(arena, answer_text(answer, answer->decision, "mode")),
	    arena_cstr(arena, reason),
	    meaning(arena, reasons, sizeof(reasons) / sizeof(reasons[0]),
		reason));
	(void)fprintf(stderr,
	    "readcache: %llu bytes served instead of %llu, about %llu tokens "
	    "%s (" RESPONSE_ESTIMATOR ")\n",
	    (unsigned long long)served, (unsigned long long)plain,
	    (unsigned long long)((plain > served ? plain - served
						 : served - plain) /
		RESPONSE_BYTES_PER_TOKEN),
	    served > plain ? "lost" : "saved");
}

void
explain_delegate(struct cli *cli, const char *path, struct span reason)
{
	(void)fprintf(stderr,
	    "readcache: %s is left to the host's own read: %s\n",
	    cli_visible(cli, path),
	    meaning(cli->arena, delegates,
		sizeof(delegates) / sizeof(delegates[0]), reason));
}
