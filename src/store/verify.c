#include "store/verify.h"

#include <errno.h>
#include <unistd.h>

#include "base/slurp.h"
#include "store/dir.h"
#include "store/file.h"
#include "store/object.h"
#include "store/walk.h"

enum check { CHECK_GOOD, CHECK_GONE, CHECK_DAMAGED };

/*
 * Read into an arena that is emptied for each object, so that they do not add
 * up.
 */
static enum slurp
load(struct arena *scratch, int fd, struct span *bytes)
{
	if (setjmp(*arena_guard(scratch)) != 0)
		return SLURP_FAILED;
	return slurp(scratch, fd, OBJECT_MAX, bytes);
}

static enum check
check_open(struct arena *scratch, int fd, const struct digest *hash,
    enum verify_damage *damage)
{
	enum slurp got;
	struct digest actual;
	struct span bytes;

	got = load(scratch, fd, &bytes);
	switch (got) {
	case SLURP_OK:
		actual = digest_of(bytes);
		*damage = DAMAGE_HASH;
		return digest_eq(&actual, hash) ? CHECK_GOOD : CHECK_DAMAGED;
	case SLURP_SPECIAL:
		*damage = DAMAGE_NO_FILE;
		break;
	case SLURP_TOO_LARGE:
		*damage = DAMAGE_TOO_LARGE;
		break;
	case SLURP_FAILED:
		*damage = DAMAGE_UNREADABLE;
		break;
	}
	return CHECK_DAMAGED;
}

static enum check
check_object(struct arena *scratch, int objects,
    const struct walk_thing *thing, const struct digest *hash,
    enum verify_damage *damage)
{
	enum check check;
	int fd;

	*damage = DAMAGE_NO_FILE;
	if (!S_ISREG(thing->st.st_mode))
		return CHECK_DAMAGED; /* it is not even opened */
	*damage = DAMAGE_UNREADABLE;
	if (scratch == NULL)
		return CHECK_DAMAGED; /* out of memory */
	fd = file_open(objects, thing->name);
	if (fd < 0)
		return errno == ENOENT ? CHECK_GONE : CHECK_DAMAGED;
	check = check_open(scratch, fd, hash, damage);
	(void)close(fd);
	arena_reset(scratch);
	return check;
}

/*
 * The state of one pass.  The list of found objects is in the caller's arena.
 */
struct verify_pass {
	int objects;
	struct arena *arena, *scratch;
	enum verify_want want;
	struct verify_result result;
	struct verify_found **last;
};

static void
note(struct verify_pass *pass, const struct digest *hash,
    enum verify_damage damage, bool removed)
{
	struct verify_found *found = arena_array(pass->arena, 1,
	    sizeof(*found));

	*found = (struct verify_found){NULL, *hash, damage, removed};
	*pass->last = found;
	pass->last = &found->next;
	pass->result.damaged++;
}

static void
verify_one(struct verify_pass *pass, const struct walk_thing *thing,
    const struct digest *hash)
{
	enum verify_damage damage;
	bool removed;

	switch (check_object(pass->scratch, pass->objects, thing, hash,
	    &damage)) {
	case CHECK_GONE:
		return;
	case CHECK_GOOD:
		break;
	case CHECK_DAMAGED:
		removed = pass->want == VERIFY_REMOVE &&
		    damage != DAMAGE_UNREADABLE &&
		    unlinkat(pass->objects, thing->name, 0) == 0;
		note(pass, hash, damage, removed);
		break;
	}
	pass->result.objects++;
	pass->result.bytes += (uint64_t)thing->st.st_size;
}

struct verify_result
verify_run(struct store *store, enum verify_want want)
{
	struct verify_pass pass = {
	    .objects = dir_open(store, "objects",
		want == VERIFY_TELL ? DIR_LOOK : DIR_USE),
	    .arena = store->arena,
	    .scratch = arena_new(OBJECT_MAX * 4),
	    .want = want,
	};
	struct walk walk = walk_begin(pass.objects);
	struct walk_thing thing;
	struct digest hash;

	pass.last = &pass.result.found;
	while (walk_object(&walk, &thing, &hash))
		verify_one(&pass, &thing, &hash);
	pass.result.partial = walk.partial;
	walk_end(&walk);
	arena_free(pass.scratch);
	arena_close_fd(store->arena, pass.objects);
	return pass.result;
}

const char *
verify_damage_text(enum verify_damage damage)
{
	switch (damage) {
	case DAMAGE_HASH:
		return "its bytes have another hash";
	case DAMAGE_TOO_LARGE:
		return "it is larger than any object";
	case DAMAGE_NO_FILE:
		return "it is not a regular file";
	case DAMAGE_UNREADABLE:
		break;
	}
	return "it cannot be read";
}
