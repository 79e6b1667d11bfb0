#include "unit_dir.h"

#include "work/blob/sweep.h"

#define HOUR (60 * 60)

/* A store with blobs, put there as a stage puts them. */
struct world {
	struct store store;
	struct hasher hasher;
	struct blobs blobs;
};

static void
make_world(struct arena *arena, const char *name, struct world *w)
{
	w->store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));
	w->hasher = (struct hasher){.arena = arena};
	w->blobs = blobs_in(&w->store, &w->hasher, DIR_MAKE);
	assert_true(w->blobs.objects >= 0);
}

static const char *
blob_path(struct arena *arena, struct world *w, const struct digest *hash)
{
	char name[BLOB_NAME];
	struct buf path = buf_new(arena, 256);

	blob_name(hash, name);
	buf_add(&path, w->store.root);
	buf_str(&path, "/objects/");
	buf_str(&path, name);
	return arena_cstr(arena, buf_span(&path));
}

static struct digest
add_blob(struct arena *arena, struct world *w, struct span bytes)
{
	struct digest hash = digest_of(bytes);
	char *path = arena_cstr(
	    arena, span_str(blob_path(arena, w, &hash)));
	char *slash = strrchr(path, '/');

	*slash = '\0';
	(void)mkdir(path, 0700);
	*slash = '/';
	unit_write_file(path, bytes);
	return hash;
}

static bool
is_there(struct arena *arena, struct world *w, const struct digest *hash)
{
	return access(blob_path(arena, w, hash), F_OK) == 0;
}

static struct span
text_with(struct arena *arena, const struct digest *hash, const char *behind)
{
	char hex[DIGEST_HEX + 1];
	struct buf text = buf_new(arena, 128);

	digest_hex(hash, hex);
	buf_str(&text, "{\"outs\":[{\"hash\":\"");
	buf_str(&text, hex);
	buf_str(&text, behind);
	buf_str(&text, "\"}]}");
	return buf_span(&text);
}

static void
what_nobody_needs_goes(struct arena *arena)
{
	struct world w;
	struct digest needed, lonely;
	struct sweep sweep;
	struct sweep_result result;

	make_world(arena, "plain", &w);
	needed = add_blob(arena, &w, SPAN("needed"));
	lonely = add_blob(arena, &w, SPAN("lonely"));
	sweep = sweep_begin(&w.blobs);
	sweep_need(&sweep, text_with(arena, &needed, ".x"));

	result = sweep_end(&sweep, time(NULL), GC_REMOVE);
	assert_int_equal(result.blobs, 2);
	assert_int_equal(result.gone, 0); /* young ones stay */

	result = sweep_end(&sweep, time(NULL) + 2 * HOUR, GC_TELL);
	assert_int_equal(result.gone, 1);
	assert_true(is_there(arena, &w, &lonely));

	result = sweep_end(&sweep, time(NULL) + 2 * HOUR, GC_REMOVE);
	assert_int_equal(result.gone, 1);
	assert_int_equal(result.gone_bytes, 6);
	assert_false(is_there(arena, &w, &lonely));
	assert_true(is_there(arena, &w, &needed));
}

static void
a_tree_needs_its_files(struct arena *arena)
{
	struct world w;
	struct digest file, tree;
	struct buf manifest = buf_new(arena, 128);
	char hex[DIGEST_HEX + 1];
	struct sweep sweep;

	make_world(arena, "tree", &w);
	file = add_blob(arena, &w, SPAN("in a tree"));
	digest_hex(&file, hex);
	buf_str(&manifest, hex);
	buf_str(&manifest, " 9 - name\n");
	tree = add_blob(arena, &w, buf_span(&manifest));
	sweep = sweep_begin(&w.blobs);
	sweep_need(&sweep, text_with(arena, &tree, ".dir"));
	assert_int_equal(
	    sweep_end(&sweep, time(NULL) + 2 * HOUR, GC_REMOVE).gone, 0);

	/* The manifest as a file is only itself. */
	sweep = sweep_begin(&w.blobs);
	sweep_need(&sweep, text_with(arena, &tree, ""));
	assert_int_equal(
	    sweep_end(&sweep, time(NULL) + 2 * HOUR, GC_REMOVE).gone, 1);
	assert_true(is_there(arena, &w, &tree));
}

/* A pipe in the place of a manifest stops nobody. */
static void
a_tree_that_is_no_file(struct arena *arena)
{
	struct world w;
	struct digest tree;
	struct sweep sweep;

	make_world(arena, "pipe", &w);
	tree = add_blob(arena, &w, SPAN("will be a pipe"));
	assert_int_equal(unlink(blob_path(arena, &w, &tree)), 0);
	assert_int_equal(mkfifo(blob_path(arena, &w, &tree), 0600), 0);
	sweep = sweep_begin(&w.blobs);
	sweep_need(&sweep, text_with(arena, &tree, ".dir"));
	(void)sweep_end(&sweep, time(NULL), GC_TELL);
	assert_true(is_there(arena, &w, &tree));
}

/* The versions of files that reads keep lie beside them. */
static void
versions_are_left_alone(struct arena *arena)
{
	struct world w;
	struct sweep sweep;
	struct digest hash = digest_of(SPAN("a version"));
	struct span bytes;

	make_world(arena, "versions", &w);
	assert_int_equal(
	    store_put(&w.store, &hash, SPAN("a version")), STORED_NOW);
	sweep = sweep_begin(&w.blobs);
	assert_int_equal(
	    sweep_end(&sweep, time(NULL) + 2 * HOUR, GC_REMOVE).blobs, 0);
	assert_true(store_get(&w.store, &hash, &bytes));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_nobody_needs_goes),
	    TEST(a_tree_needs_its_files),
	    TEST(a_tree_that_is_no_file),
	    TEST(versions_are_left_alone),
	};

	return RUN_TESTS_IN_DIR(tests);
}
