#include "serve/ledger.h"

#include <stdlib.h>

/* An event under one of its names, and the event before it of that name. */
struct link {
	size_t event;
	uint64_t before; /* a link, or NO_LINK */
};

#define NO_LINK UINT64_MAX

/* The name of events that may be about any file.  No path is empty. */
#define ANY SPAN("")

enum { NAMES_MAX = 5 };

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

	ledger->links = arena_more(ledger->arena, ledger->links,
	    ledger->nlinks, &ledger->room, sizeof(*ledger->links));
	ledger->links[ledger->nlinks] = (struct link){event, *last};
	*last = ledger->nlinks++;
}

/* The name under which a call for the path ASKED is found (focus_asked). */
static struct span
asked_part(struct span asked)
{
	return focus_part_is_name(asked) ? focus_part(asked) : ANY;
}

/* The names under which EVENT is found.  Returns how many. */
static size_t
names_of(const struct event *event, struct span names[NAMES_MAX])
{
	size_t n = 0;

	switch (event->kind) {
	case EVENT_READ:
	case EVENT_SIGHTING:
		names[n++] = event->path;
		names[n++] = focus_part(event->path);
		if (!span_eq(event->name, event->path)) {
			names[n++] = event->name;
			names[n++] = focus_part(event->name);
		}
		if (event->asked.n > 0)
			names[n++] = asked_part(event->asked);
		break;
	case EVENT_INVALIDATE:
		names[n++] = event->path;
		break;
	case EVENT_EDITED:
		names[n++] = asked_part(event->name);
		break;
	case EVENT_BLIND:
	case EVENT_EDIT_FAILED:
	case EVENT_FORGET:
		names[n++] = ANY; /* where they lead may change */
		break;
	}
	return n;
}

void
ledger_enter(struct ledger *ledger)
{
	struct span names[NAMES_MAX];

	for (; ledger->entered < ledger->events.n; ledger->entered++) {
		size_t i = ledger->entered;
		size_t n = names_of(&ledger->events.list[i], names);

		for (size_t k = 0; k < n; k++)
			enter(ledger, i, names[k]);
	}
}

/* Remove the last event, which is the last link of each of its names. */
static void
leave(struct ledger *ledger)
{
	struct span names[NAMES_MAX];
	size_t n = names_of(&ledger->events.list[--ledger->entered], names);

	while (n > 0)
		*map_at(ledger->last, names[--n], NO_LINK) =
		    ledger->links[--ledger->nlinks].before;
}

void
ledger_cut(struct ledger *ledger, size_t n, struct turn turn)
{
	while (ledger->entered > n)
		leave(ledger);
	ledger->events.n = n;
	ledger->events.turn = turn;
}

/*
 * Add the events under NAME, without the first FROM of all, to FOUND, which has
 * N.  Returns how many.
 */
static size_t
collect(const struct ledger *ledger, struct span name, size_t from,
    size_t *found, size_t n)
{
	const uint64_t *last = map_find(ledger->last, name);
	uint64_t at = last != NULL ? *last : NO_LINK;

	for (; at != NO_LINK && ledger->links[at].event >= from;
	     at = ledger->links[at].before) {
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
    size_t from, struct events *to)
{
	size_t n = 0, *found = NULL;

	if (focus == NULL) {
		for (size_t i = from; i < ledger->events.n; i++)
			events_append(to, &ledger->events.list[i]);
		return;
	}
	/* Count first, then fill. */
	for (int fill = 0; fill < 2; fill++) {
		if (fill)
			found = arena_array(to->arena, n, sizeof(*found));
		n = collect(ledger, focus->path, from, found, 0);
		n = collect(ledger, focus->name, from, found, n);
		/*
		 * A read by the same last part shows where that name leads now.
		 */
		n = collect(ledger, focus_part(focus->path), from, found, n);
		n = collect(ledger, focus_part(focus->name), from, found, n);
		n = collect(ledger, ANY, from, found, n);
	}
	qsort(found, n, sizeof(*found), by_number);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || found[i] != found[i - 1])
			events_append(to, &ledger->events.list[found[i]]);
}
