#include "cli/clear.h"

#include <errno.h>
#include <unistd.h>

#include "store/dir.h"
#include "store/file.h"
#include "store/object.h"
#include "store/state/state.h"
#include "store/walk.h"
#include "work/record/file.h"

/* ---- the names that a store gives ---- */

typedef bool is_name(const char *name);

static bool
is_version(const char *name)
{
	struct digest hash;

	return object_parse(name, &hash);
}

static bool
is_fan(const char *name)
{
	return digest_is_hex(span_str(name), 2);
}

static bool
is_output(const char *name)
{
	return digest_is_hex(span_str(name), DIGEST_HEX - 2);
}

static bool
is_temp(const char *name)
{
	return digest_is_hex(span_str(name), TEMP_DIGITS);
}

static bool
is_flow(const char *name)
{
	return digest_is_hex(span_str(name), DIGEST_HEX);
}

static bool
ends_with(struct span name, struct span end)
{
	return name.n > end.n && span_eq(span_from(name, name.n - end.n), end);
}

static bool
is_record(const char *name)
{
	struct span key = span_str(name);

	if (strcmp(name, DIR_STAMP) == 0)
		return true;
	if (!ends_with(key, SPAN(".json")))
		return false;
	key.n -= sizeof(".json") - 1;
	return record_key_valid(key);
}

/* What a stage or a flow may be called: as work/stage/check.c says. */
static bool
is_stage(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_@.-";

	return name[0] != '.' && name[strspn(name, letters)] == '\0';
}

static bool
is_lock(const char *name)
{
	return is_stage(name) && ends_with(span_str(name), SPAN(".lock"));
}

static bool
is_of_session(const char *name)
{
	return strcmp(name, "metadata.json") == 0 ||
	       strcmp(name, "journal") == 0 || strcmp(name, "quiet") == 0;
}

static bool
is_none(const char *name)
{
	(void)name;
	return false;
}

/* A directory of the root, and what may be in it. */
struct clear_place {
	char name[8];
	is_name *file, *dir;
	is_name *below; /* files in those directories */
};

static const struct clear_place parts[] = {
    {"objects", is_version, is_fan, is_output},
    {"memo", is_record, is_none, is_none},
    {"stages", is_none, is_stage, is_lock},
    {"flows", is_none, is_flow, is_of_session},
    {"tmp", is_temp, is_none, is_none},
};

/* ---- removing them ---- */

struct clearing {
	struct store *store;
	struct records records;
	bool shared; /* a name alone proves little: dir_is_shared */
	struct clear_result result;
};

/* Note that NAME, in the directory DIR of the part PART, stays. */
static void
leave(struct clearing *c, const char *part, const char *dir, const char *name)
{
	struct buf path;

	if (c->result.left++ > 0)
		return;
	path = buf_new(c->store->arena, 256);
	buf_str(&path, part);
	buf_char(&path, '/');
	if (dir[0] != '\0') {
		buf_str(&path, dir);
		buf_char(&path, '/');
	}
	buf_str(&path, name);
	c->result.first = buf_span(&path);
}

/* Remove the record in the file NAME, which proves that it is one. */
static bool
remove_record(struct clearing *c, const char *name)
{
	struct span key = span_str(name);

	if (!ends_with(key, SPAN(".json")))
		return false;
	key.n -= sizeof(".json") - 1;
	return record_remove(&c->records, key);
}

/*
 * Records, locks and sessions have names that other programs' files may have
 * too, unlike hashes and random names.
 */
static bool
remove_by_name(struct clearing *c, int fd, const char *name, is_name *is_ours)
{
	if (c->shared && is_ours == is_record)
		return remove_record(c, name);
	if (c->shared && (is_ours == is_lock || is_ours == is_of_session))
		return false;
	return unlinkat(fd, name, 0) == 0;
}

static bool
remove_file(struct clearing *c, int fd, const struct walk_thing *thing,
    is_name *is_ours)
{
	if (!is_ours(thing->name) || !file_is_ours(&thing->st) ||
	    !remove_by_name(c, fd, thing->name, is_ours))
		return false;
	c->result.gone++;
	return true;
}

/* Clear the directory NAME in FD, a directory of PART. */
static void
clear_below(
    struct clearing *c, const struct clear_place *part, int fd, const char *name)
{
	int below = dir_enter(fd, name, DIR_LOOK);
	struct walk walk = walk_begin(below);
	struct walk_thing thing;

	while (walk_any(&walk, &thing))
		if (!remove_file(c, below, &thing, part->below))
			leave(c, part->name, name, thing.name);
	walk_end(&walk);
	if (below >= 0)
		(void)close(below);
	/* It stays if something in it does. */
	(void)unlinkat(fd, name, AT_REMOVEDIR);
}

static void
clear_in(struct clearing *c, const struct clear_place *part)
{
	int fd = dir_open(c->store, part->name, DIR_LOOK);
	struct walk walk = walk_begin(fd);
	struct walk_thing thing;

	while (walk_any(&walk, &thing)) {
		char name[256];

		if (S_ISDIR(thing.st.st_mode) && part->dir(thing.name) &&
		    strlen(thing.name) < sizeof(name)) {
			/* THING lasts until the next one only. */
			(void)strcpy(name, thing.name);
			clear_below(c, part, fd, name);
		} else if (!remove_file(c, fd, &thing, part->file)) {
			leave(c, part->name, "", thing.name);
		}
	}
	walk_end(&walk);
	arena_close_fd(c->store->arena, fd);
}

struct clear_result
clear_store(struct store *store)
{
	struct clearing c = {
	    store, records_in(store), dir_is_shared(store), {0, 0, SPAN("")}};

	(void)state_remove(store);
	state_tidy(store);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		clear_in(&c, &parts[i]);
	return c.result;
}
