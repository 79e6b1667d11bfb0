#include "wire/ledger.h"

#include <stdlib.h>

/* An event under one of its names, and the one before it under the same. */
struct link {
	size_t event;
	uint64_t before; /* a link, or NO_LINK */
};

#define NO_LINK UINT64_MAX

/* The name of the events that may concern any file: no path is empty. */
#define ANY SPAN("")

void
ledger_init(struct ledger *ledger, struct arena *arena, bool left_out)
{
	*ledger = (struct ledger){
	    .arena = arena,
	    .everything =
		{
		    .path = SPAN(""),
		    .name = SPAN(""),
		    .bytes = SPAN(""),
		    .hash = digest_of(SPAN("")),
		    .texts_left_out = left_out,
		},
	    .last = map_new(arena, 64),
	};
	ledger->events = events_new(arena, &ledger->everything);
}

static void
enter(struct ledger *ledger, size_t event, struct span name)
{
	uint64_t *last = map_at(ledger->last, name, NO_LINK);

	if (ledger->nlinks == ledger->room) {
		size_t room = ledger->room > 0 ? ledger->room * 2 : 128;
		struct link *links = arena_array(ledger->arena, room,
		    sizeof(*links));

		if (ledger->nlinks > 0)
			memcpy(links, ledger->links,
			    ledger->nlinks * sizeof(*links));
		ledger->links = links;
		ledger->room = room;
	}
	ledger->links[ledger->nlinks] = (struct link){event, *last};
	*last = ledger->nlinks++;
}

void
ledger_enter(struct ledger *ledger)
{
	for (; ledger->entered < ledger->events.n; ledger->entered++) {
		size_t i = ledger->entered;
		const struct event *event = &ledger->events.list[i];

		switch (event->kind) {
		case EVENT_READ:
		case EVENT_SIGHTING:
			enter(ledger, i, event->path);
			if (!span_eq(event->name, event->path))
				enter(ledger, i, event->name);
			if (event->asked.n > 0)
				enter(ledger, i, ANY); /* its name is asked */
			break;
		case EVENT_INVALIDATE:
			enter(ledger, i, event->path);
			break;
		case EVENT_BLIND:
		case EVENT_EDIT_FAILED:
		case EVENT_FORGET:
			enter(ledger, i, ANY); /* where they lead may change */
			break;
		}
	}
}

void
ledger_cut(struct ledger *ledger, size_t n, struct asking *asking)
{
	ledger->events.n = n;
	ledger->events.asking = asking;
	ledger->entered = ledger->nlinks = 0;
	ledger->last = map_new(ledger->arena, 64);
	ledger_enter(ledger);
}

/* Add the events under NAME to FOUND, which holds N. */
static size_t
collect(const struct ledger *ledger, struct span name, size_t *found, size_t n)
{
	const uint64_t *last = map_find(ledger->last, name);
	uint64_t at = last != NULL ? *last : NO_LINK;

	for (; at != NO_LINK; at = ledger->links[at].before) {
		if (found != NULL)
			found[n] = ledger->links[at].event;
		n++;
	}
	return n;
}

static int
by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

void
ledger_find(const struct ledger *ledger, const struct focus *focus,
    struct events *to)
{
	size_t n = 0, *found = NULL;

	if (focus == NULL) {
		for (size_t i = 0; i < ledger->events.n; i++)
			events_append(to, &ledger->events.list[i]);
		return;
	}
	/* Once to count them, once to fill. */
	for (int fill = 0; fill < 2; fill++) {
		if (fill)
			found = arena_array(to->arena, n, sizeof(*found));
		n = collect(ledger, focus->path, found, 0);
		n = collect(ledger, focus->name, found, n);
		n = collect(ledger, ANY, found, n);
	}
	qsort(found, n, sizeof(*found), by_number);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || found[i] != found[i - 1])
			events_append(to, &ledger->events.list[found[i]]);
}
