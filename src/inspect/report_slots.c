#include "inspect/report_slots.h"

struct report_slots
slots_new(struct report *report, const uint32_t *step_of,
    const struct map *file_of, struct arena *arena, struct arena *own)
{
	size_t steps = (size_t)report->nsteps + 1;
	size_t files = (size_t)report->nfiles + 1;
	struct report_slots slots = {
	    .report = report,
	    .step_of = step_of,
	    .file_of = file_of,
	    .arena = arena,
	    .scratch = arena_scratch(own),
	    .key_of = map_new(own, 64),
	    .first_key = arena_array(own, files, sizeof(*slots.first_key)),
	    .next_key = arena_array(own, steps, sizeof(*slots.next_key)),
	    .of = arena_array(own, steps, sizeof(*slots.of)),
	};

	/* A step makes at most one key. */
	report->keys = arena_array(arena, steps, sizeof(*report->keys));
	memset(slots.first_key, 0xff, files * sizeof(*slots.first_key));
	return slots;
}

uint32_t
slots_file(const struct report_slots *slots, struct span path)
{
	const uint64_t *found = map_find(slots->file_of, path);

	return found != NULL ? (uint32_t)*found : REPORT_NONE;
}

/* The name of a key in the map. */
static struct span
key_name(struct arena *arena, uint32_t file, struct span name,
    struct scope scope)
{
	uint64_t numbers[3] = {file, scope.first, scope.last};
	struct buf buf = buf_new(arena, sizeof(numbers) + name.n);

	buf_add(&buf, (struct span){(const char *)numbers, sizeof(numbers)});
	buf_add(&buf, name);
	return buf_span(&buf);
}

uint32_t
slots_find(const struct report_slots *slots, uint32_t file, struct span name,
    struct scope scope)
{
	const uint64_t *found = map_find(slots->key_of,
	    key_name(slots->scratch, file, name, scope));

	return found != NULL ? (uint32_t)*found : REPORT_NONE;
}

uint32_t
slots_make(struct report_slots *slots, uint32_t file, struct span name,
    struct scope scope)
{
	struct report *report = slots->report;
	uint32_t key = slots_find(slots, file, name, scope);

	if (key != REPORT_NONE)
		return key;
	if (report->nkeys == report->nsteps)
		return REPORT_NONE; /* the session is being rewritten */
	key = report->nkeys++;
	report->keys[key] = (struct report_key){file,
	    {arena_cstr(slots->arena, name), name.n}, scope};
	*map_at(slots->key_of, key_name(slots->arena, file, name, scope), 0) =
	    key;
	slots->next_key[key] = slots->first_key[file];
	slots->first_key[file] = key;
	return key;
}

static void
add_change(struct report_slots *slots, struct report_step *step, uint32_t key)
{
	struct report *report = slots->report;

	report->changes = arena_more(slots->arena, report->changes,
	    report->nchanges, &report->room, sizeof(*report->changes));
	if (step->nchanges++ == 0)
		step->changes_from = report->nchanges;
	report->changes[report->nchanges++] = (struct report_change){key,
	    slots->of[key].trusted, slots->of[key].hash};
}

void
slots_set(struct report_slots *slots, uint32_t key, const struct digest *hash,
    uint32_t node, struct report_step *step)
{
	struct report_slot *slot = &slots->of[key];
	bool same = slot->trusted == (hash != NULL) &&
	    (hash == NULL || digest_eq(&slot->hash, hash));

	if (hash != NULL && !slot->trusted)
		slots->trusted++;
	if (hash == NULL && slot->trusted)
		slots->trusted--;
	slot->trusted = hash != NULL;
	if (hash != NULL) {
		slot->hash = *hash;
		slot->step = slots->step_of[node];
	}
	if (!same && step != NULL)
		add_change(slots, step, key);
}

void
slots_sync(struct report_slots *slots, const struct trust *trust, uint32_t node,
    struct report_step *step)
{
	struct trust_item *items;
	size_t n = trust_list(trust, slots->scratch, &items);

	for (size_t i = 0; i < n; i++) {
		uint32_t file = slots_file(slots, items[i].path), key;

		if (file == REPORT_NONE)
			continue; /* no step is of it: the file has changed */
		key = slots_make(slots, file, items[i].name, items[i].scope);
		if (key == REPORT_NONE)
			continue;
		slots->of[key].listed = true;
		if (!slots->of[key].trusted ||
		    !digest_eq(&slots->of[key].hash, &items[i].hash))
			slots_set(slots, key, &items[i].hash, node, step);
	}
	for (uint32_t key = 0; key < slots->report->nkeys; key++) {
		if (slots->of[key].trusted && !slots->of[key].listed)
			slots_set(slots, key, NULL, node, step);
		slots->of[key].listed = false;
	}
}

void
slots_forget(struct report_slots *slots)
{
	memset(slots->of, 0,
	    ((size_t)slots->report->nkeys + 1) * sizeof(*slots->of));
	slots->trusted = 0;
}
