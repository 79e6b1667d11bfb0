/*
 * unit_state.h -- stores with a database, in the directory of the test program.
 */
#ifndef READCACHE_TESTS_UNIT_STATE_H
#define READCACHE_TESTS_UNIT_STATE_H

#include "unit_dir.h"

#include "store/state/home.h"
#include "store/state/state.h"

static inline struct store
unit_store(struct arena *arena, const char *name)
{
	struct store store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));

	store.keys = span_str(unit_path(arena, "keys"));
	return store;
}

/* The path of NAME in the directory of the database of STORE. */
static inline const char *
unit_in_home(struct store *store, const char *name)
{
	struct buf path = buf_new(store->arena, 256);
	struct state_place place;

	assert_true(state_place(store, &place));
	buf_add(&path, place.dir);
	buf_char(&path, '/');
	buf_str(&path, name);
	return arena_cstr(store->arena, buf_span(&path));
}

#endif
