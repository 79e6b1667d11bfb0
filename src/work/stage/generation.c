#include "work/stage/generation.h"

#include "os/times.h"
#include "path/name.h"
#include "work/key/key.h"
#include "work/stage/lockfile.h"

/* ---- one path ---- */

/*
 * The name of PATH in the state: its absolute name, without following links,
 * which may change.
 */
static struct digest
path_name(const struct work *work, struct span path)
{
	struct span name = input_absolute(work, path);

	/* Outside of the root, but in the same project. */
	if (span_starts(path, SPAN("..")))
		name = name_normalize(work->arena, name);
	return digest_of(name);
}

static struct span
digest_span(const struct digest *digest)
{
	return (struct span){(const char *)digest->bytes, DIGEST_BYTES};
}

static uint64_t
generation_of(struct work *work, const struct digest *name)
{
	uint64_t generation = 0;
	struct span value;

	if (state_get(
		work->state, STATE_GENERATION, digest_span(name), &value) &&
	    value.n == sizeof(generation))
		memcpy(&generation, value.p, sizeof(generation));
	return generation;
}

void
generation_bump(struct work *work, struct span path)
{
	struct digest name = path_name(work, path);
	uint64_t generation = generation_of(work, &name) + 1;

	state_put(work->state, STATE_GENERATION, digest_span(&name),
	    (struct span){(const char *)&generation, sizeof(generation)});
}

/* ---- a stage's note ---- */

static struct digest
stage_id(const struct work *work, const struct stage *stage)
{
	struct key key;

	key_begin(&key, "note", 1);
	key_add(&key, "root", work->root);
	key_add(&key, "flow", stage->flow);
	key_add(&key, "name", stage->name);
	return key_end(&key);
}

static bool
is_path(enum fact_kind kind)
{
	return kind == FACT_DEP || kind == FACT_CODE || kind == FACT_WORD ||
	       kind == FACT_OUTPUT;
}

static void
add_generations(struct work *work, struct key *key, const struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		struct digest name;

		if (!is_path(facts->list[i].kind))
			continue;
		name = path_name(work, facts->list[i].name);
		key_add_digest(key, "path", &name);
		key_add_number(key, "generation", generation_of(work, &name));
	}
}

static struct digest
outputs_digest(const struct facts *outputs)
{
	struct key key;

	key_begin(&key, "outputs", 1);
	for (size_t i = 0; i < outputs->n; i++) {
		key_add(&key, "path", outputs->list[i].name);
		key_add(&key, "is", outputs->list[i].value);
	}
	return key_end(&key);
}

static int64_t
nanoseconds(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

bool
generation_now(struct work *work, const struct stage *stage,
    const struct stage_inputs *in, const struct facts *outputs,
    struct lifetime life, struct generation_note *note)
{
	struct key key;
	struct stat st;

	if (work->state == NULL ||
	    !lockfile_stat(work->store, work_locks(work, stage->flow, DIR_LOOK),
		stage->name, &st))
		return false;
	*note = (struct generation_note){
	    .key = in->key,
	    .outputs = outputs_digest(outputs),
	    .lock = {(int64_t)st.st_ino, (int64_t)st.st_size,
		nanoseconds(times_modified(&st)),
		nanoseconds(times_changed(&st))},
	    .life = life,
	};
	key_begin(&key, "generations", 1);
	add_generations(work, &key, &in->facts);
	add_generations(work, &key, outputs);
	note->paths = key_end(&key);
	return true;
}

bool
generation_noted(
    struct work *work, const struct stage *stage, struct generation_note *note)
{
	struct digest id = stage_id(work, stage);
	struct span value;

	if (!state_get(work->state, STATE_DEP, digest_span(&id), &value) ||
	    value.n != sizeof(*note))
		return false;
	memcpy(note, value.p, sizeof(*note));
	return true;
}

bool
generation_same(
    const struct generation_note *a, const struct generation_note *b)
{
	return digest_eq(&a->key, &b->key) &&
	       digest_eq(&a->outputs, &b->outputs) &&
	       digest_eq(&a->paths, &b->paths) &&
	       memcmp(a->lock, b->lock, sizeof(a->lock)) == 0;
}

void
generation_leave(struct work *work, const struct stage *stage,
    const struct generation_note *note)
{
	struct digest id = stage_id(work, stage);

	state_put(work->state, STATE_DEP, digest_span(&id),
	    (struct span){(const char *)note, sizeof(*note)});
}
