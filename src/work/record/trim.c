#include "work/record/trim.h"

#include <stdlib.h>

#define HOUR (60 * 60)
#define DAY (24 * HOUR)

/* The state of one pass. */
struct trimming {
	struct records *records;
	struct state *state;
	enum gc_want want;
	struct trim_result result;
};

static void
take_away(struct trimming *k, const struct record_info *info)
{
	if (k->want == GC_REMOVE) {
		if (!record_remove(k->records, info->key))
			return;
		state_drop(k->state, STATE_RECORD, info->key);
	}
	k->result.gone++;
	k->result.gone_bytes += info->bytes;
}

static bool
is_over(const struct record_info *info, uint64_t max_days, time_t now)
{
	if (info->sound &&
	    clock_judge(&info->life, 0, (uint64_t)now * 1000) == STALE_EXPIRED)
		return true;
	if (gc_is_recent(now, info->used, HOUR))
		return false;
	return !info->sound ||
	       !gc_is_recent(now, info->used,
		   (time_t)(max_days < 36500 ? max_days : 36500) * DAY);
}

static int
by_last_use(const void *a, const void *b)
{
	time_t x = ((const struct record_info *)a)->used;
	time_t y = ((const struct record_info *)b)->used;

	return (x > y) - (x < y);
}

/*
 * Remove records that are expired, unused for too long or damaged.  The others
 * are moved to the front of LIST.
 * In a directory that other programs use, theirs are left out.
 */
static void
drop_over(
    struct trimming *k, struct record_list *list, uint64_t max_days, time_t now)
{
	bool shared = dir_is_shared(k->records->store);
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct record_info *info = &list->items[i];

		if (shared && info->claim != CLAIM_OURS)
			continue;
		k->result.records++;
		k->result.bytes += info->bytes;
		k->result.damaged += !info->sound;
		if (is_over(info, max_days, now))
			take_away(k, info);
		else
			list->items[n++] = *info;
	}
	list->n = n;
}

struct trim_result
trim_run(struct records *records, struct state *state,
    const struct gc_limits *limits, enum gc_want want)
{
	struct trimming k = {records, state, want, {0}};
	struct record_list list = record_list(records, state);
	time_t now = time(NULL);
	uint64_t bytes;
	size_t left;

	drop_over(&k, &list, limits->max_days, now);
	left = list.n;
	bytes = k.result.bytes - k.result.gone_bytes;
	if (left > TRIM_RECORDS || bytes > limits->max_bytes)
		qsort(list.items, list.n, sizeof(*list.items), by_last_use);
	for (size_t i = 0;
	     i < list.n && (left > TRIM_RECORDS || bytes > limits->max_bytes);
	     i++) {
		const struct record_info *info = &list.items[i];

		if (gc_is_recent(now, info->used, HOUR))
			break; /* all others were used later */
		take_away(&k, info);
		left--;
		bytes -= info->bytes;
	}
	return k.result;
}
