/*
 * The settings of the work cache.
 */
#include "base/duration.h"
#include "config/config.h"
#include "os/bytes.h"

const char *
config_work_name(enum config_work setting)
{
	switch (setting) {
	case WORK_TTL:
		return "ttl";
	case WORK_ITERATION:
		return "iterationMode";
	case WORK_CHECKOUT:
	case WORK_SETTINGS:
		break;
	}
	return "checkoutMode";
}

const char *
config_work_wants(enum config_work setting)
{
	switch (setting) {
	case WORK_TTL:
		return "a number with its unit, as in 30m, 24h or 7d";
	case WORK_ITERATION:
		return "on or off";
	case WORK_CHECKOUT:
	case WORK_SETTINGS:
		break;
	}
	return "one or more of hardlink, symlink and copy, with commas "
	       "between them";
}

static bool
is_mode(struct span word)
{
	return span_eq(word, SPAN("hardlink")) ||
	       span_eq(word, SPAN("symlink")) || span_eq(word, SPAN("copy"));
}

/* Words separated by commas, each at most once. */
static bool
are_modes(struct span text)
{
	struct span rest = text;

	for (;;) {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct span word = {
		    rest.p, comma != NULL ? (size_t)(comma - rest.p) : rest.n};

		if (!is_mode(word) ||
		    bytes_find(rest.p + word.n, rest.n - word.n, word.p,
			word.n) != NULL)
			return false;
		if (comma == NULL)
			return true;
		rest = span_from(rest, word.n + 1);
	}
}

bool
config_work_valid(enum config_work setting, struct span text)
{
	uint64_t ms;

	switch (setting) {
	case WORK_TTL:
		return duration_parse(text, &ms);
	case WORK_ITERATION:
		return span_eq(text, SPAN("on")) || span_eq(text, SPAN("off"));
	case WORK_CHECKOUT:
	case WORK_SETTINGS:
		break;
	}
	return are_modes(text);
}

uint64_t
config_session_ttl(const struct config *config)
{
	uint64_t ms = 0;

	(void)duration_parse(config->work[WORK_TTL].value, &ms);
	return ms;
}

bool
config_iterates(const struct config *config)
{
	return span_eq(config->work[WORK_ITERATION].value, SPAN("on"));
}
