/*
 * Sealed texts: "KEY NUL TEXT".  What was sealed comes back byte for byte,
 * and nothing opens that was not sealed: not by another key, under another
 * name, in another store, nor with a byte changed.  TEXT is also the record
 * KEY, which is read from under a seal as it is without one.
 */
#include "fuzz.h"

#include "store/seal.h"
#include "store/store.h"
#include "work/record/record.h"

static struct store
guarded(struct arena *arena)
{
	struct store store = {.arena = arena,
	    .guarded = true,
	    .keyed = true,
	    .owner = OWNER_OURS};

	memset(store.id, '1', sizeof(store.id));
	memset(store.key, 7, sizeof(store.key));
	return store;
}

#define PLACE(dir, below, file)                                                \
	((struct seal_name){SPAN(dir), SPAN(below), file})
#define NAME PLACE("memo", "", "name")

/* A copy of TEXT, which may be opened in its place. */
static struct span
copy(struct arena *arena, struct span text)
{
	return (struct span){arena_cstr(arena, text), text.n};
}

static bool
opens(struct arena *arena, const struct store *store, struct seal_name name,
    struct span text)
{
	text = copy(arena, text);
	return seal_open(store, name, &text);
}

enum { FLIPPED_MAX = 160 };

/* Whatever is changed, it does not open. */
static void
check_forged(struct arena *arena, const struct store *store, struct span sealed)
{
	struct store other = *store;
	char *bytes = arena_cstr(arena, sealed);

	EXPECT(!opens(arena, store, PLACE("memo", "", "other"), sealed));
	EXPECT(!opens(arena, store, PLACE("stages", "", "name"), sealed));
	EXPECT(!opens(arena, store, PLACE("memo", "x", "name"), sealed));
	other.key[0]++;
	EXPECT(!opens(arena, &other, NAME, sealed));
	other = *store;
	other.id[0]++;
	EXPECT(!opens(arena, &other, NAME, sealed));
	other = *store;
	other.owner = OWNER_STRANGE;
	EXPECT(!opens(arena, &other, NAME, sealed));
	for (size_t i = 0; i < sealed.n && sealed.n <= FLIPPED_MAX; i++) {
		bytes[i] ^= 1;
		EXPECT(
		    !opens(arena, store, NAME, (struct span){bytes, sealed.n}));
		bytes[i] ^= 1;
	}
}

static void
check_sealed(struct arena *arena, const struct store *store, struct span text)
{
	struct span sealed = seal_text(store, NAME, text);
	struct span back = copy(arena, sealed);
	struct store named = {.arena = arena};

	EXPECT(seal_open(store, NAME, &back));
	EXPECT(span_eq(back, text));
	/* In a store that the user has named it is simply taken off. */
	back = copy(arena, sealed);
	EXPECT(seal_open(&named, NAME, &back));
	EXPECT(span_eq(back, text));
	check_forged(arena, store, sealed);
}

static void
check_record(struct arena *arena, const struct store *store, struct span key,
    struct span text)
{
	struct span back = seal_text(store, NAME, text);
	struct record plain, opened;
	bool good = record_read(arena, key, text, &plain);

	EXPECT(seal_open(store, NAME, &back));
	EXPECT(record_read(arena, key, back, &opened) == good);
	if (good)
		EXPECT(span_eq(plain.value, opened.value));
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct store store = guarded(arena);
	struct span key = fuzz_part(&input, '\0');

	/* The fuzzer cannot know the key. */
	EXPECT(!opens(arena, &store, NAME, input));
	check_sealed(arena, &store, input);
	check_record(arena, &store, key, input);
}
