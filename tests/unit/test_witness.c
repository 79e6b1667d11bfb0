#include "unit_dir.h"

#include "host/host.h"
#include "inspect/witness.h"

/* One file's three texts, each in a read result of its own: nodes 0, 1, 2. */
#define ONE "a\nb\nc\n"
#define TWO "a\nB\nc\n"
#define PART "b\nc" /* lines 2 and 3 of ONE */

#define RESULT(id, parent, text)                                               \
	"{\"type\":\"message\",\"id\":\"" id "\",\"parentId\":" parent         \
	",\"message\":{\"role\":\"toolResult\",\"toolName\":\"read\","         \
	"\"toolCallId\":\"c\",\"content\":[{\"type\":\"text\",\"text\":\""     \
	text "\"}]}}\n"

static const char session[] =
    "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n"
    RESULT("e0", "null", "a\\nb\\nc\\n")
    RESULT("e1", "\"e0\"", "a\\nB\\nc\\n")
    RESULT("e2", "\"e1\"", "b\\nc\\n\\n[1 more lines in file. "
			   "Use offset=4 to continue.]");

static bool
load(void *context, const struct digest *hash, struct piece *piece)
{
	struct digest one = digest_of(SPAN(ONE)), two = digest_of(SPAN(TWO));

	(void)context;
	*piece = (struct piece){SPAN(ONE), 1};
	if (digest_eq(hash, &two))
		piece->text = SPAN(TWO);
	return digest_eq(hash, &one) || digest_eq(hash, &two);
}

static const struct library library = {load, NULL};

struct scene {
	struct arena *arena;
	struct index index;
	struct session_records records;
	struct witness *witness;
	struct events events;
};

static void
scene_open(struct arena *arena, const char *name, struct scene *scene)
{
	const char *path = unit_path(arena, name);

	unit_write_file(path, span_str(session));
	scene->arena = arena;
	assert_int_equal(host->index(arena, span_str(path), NULL, NULL,
			     &scene->index),
	    INDEX_OK);
	scene->records = host->records(&scene->index, NULL, NULL);
	scene->witness = witness_new(&scene->records, &library, arena);
	scene->events = events_new(arena, NULL);
}

static struct event
event(enum mode mode, struct scope scope, uint32_t at, struct span base,
    struct span served)
{
	return (struct event){
	    .kind = EVENT_READ,
	    .mode = mode,
	    .scope = scope,
	    .at = at,
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/a"),
	    .has_base = true,
	    .base = digest_of(base),
	    .served = digest_of(served),
	    .total = 4,
	};
}

/* Is the marker for the whole of VERSION, or for lines 2-3, understood? */
static bool
agrees(struct scene *scene, struct span version, bool whole)
{
	struct event claim = event(
	    whole ? MODE_UNCHANGED : MODE_UNCHANGED_RANGE,
	    whole ? scope_full() : scope_range(2, 3), 0, version, version);
	struct span text = whole ? SPAN("[readcache: unchanged, 4 lines]")
				 : SPAN("[readcache: unchanged in lines 2-3 "
					"of 4]");

	return witness_agrees(scene->witness, &scene->events, &claim, text,
	    arena_scratch(scene->arena));
}

static void
show(struct scene *scene, enum mode mode, struct scope scope, uint32_t at,
    struct span base, struct span served)
{
	struct event seen = event(mode, scope, at, base, served);

	events_append(&scene->events, &seen);
}

static void
nothing_shown(struct arena *arena)
{
	struct scene scene;

	scene_open(arena, "nothing.jsonl", &scene);
	assert_false(agrees(&scene, SPAN(ONE), true));
	assert_false(agrees(&scene, SPAN(ONE), false));
}

static void
a_text_and_a_diff(struct arena *arena)
{
	struct scene scene;

	scene_open(arena, "diff.jsonl", &scene);
	show(&scene, MODE_FULL, scope_full(), 0, SPAN(ONE), SPAN(ONE));
	assert_true(agrees(&scene, SPAN(ONE), true));
	assert_true(agrees(&scene, SPAN(ONE), false));
	assert_false(agrees(&scene, SPAN(TWO), true));
	show(&scene, MODE_DIFF, scope_full(), 1, SPAN(ONE), SPAN(TWO));
	assert_true(agrees(&scene, SPAN(TWO), true));
	assert_false(agrees(&scene, SPAN(ONE), true));
}

static void
a_part_is_not_the_whole(struct arena *arena)
{
	struct scene scene;

	scene_open(arena, "part.jsonl", &scene);
	show(&scene, MODE_FULL, scope_range(2, 3), 2, SPAN(ONE), SPAN(ONE));
	assert_true(agrees(&scene, SPAN(ONE), false));
	assert_false(agrees(&scene, SPAN(ONE), true));
}

static void
what_was_taken_away(struct arena *arena)
{
	struct scene scene;

	scene_open(arena, "gone.jsonl", &scene);
	show(&scene, MODE_FULL, scope_full(), 0, SPAN(ONE), SPAN(ONE));
	assert_true(agrees(&scene, SPAN(ONE), true));
	/* An edit made it a sighting: the reader begins anew. */
	scene.events.list[0].kind = EVENT_SIGHTING;
	witness_forget(scene.witness);
	assert_false(agrees(&scene, SPAN(ONE), true));
}

static void
an_unknown_text(struct arena *arena)
{
	const struct event blind = {.kind = EVENT_BLIND,
	    .name = SPAN("/w/a")};
	struct scene scene;

	scene_open(arena, "blind.jsonl", &scene);
	show(&scene, MODE_FULL, scope_full(), 0, SPAN(ONE), SPAN(ONE));
	events_append(&scene.events, &blind);
	assert_false(agrees(&scene, SPAN(ONE), true));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_shown),
		TEST(a_text_and_a_diff),
		TEST(a_part_is_not_the_whole),
		TEST(what_was_taken_away),
		TEST(an_unknown_text),
	};

	return RUN_TESTS_IN_DIR(tests);
}
