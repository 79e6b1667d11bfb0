#include "store/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/slurp.h"
#include "os/random.h"
#include "store/file.h"
#include "store/key.h"
#include "store/place.h"

/* The text of the file: the id, a space, its mac, a line feed. */
enum { OWNER_TEXT = STORE_ID_HEX + 1 + DIGEST_HEX + 1, OWNER_MODE = 0600 };

bool
owner_key(struct store *store, enum dir_want want)
{
	if (!store->keyed)
		store->keyed = key_get(store->arena, store->keys,
		    want == DIR_MAKE ? KEY_MAKE : KEY_LOOK, store->key);
	return store->keyed;
}

bool
owner_key_is_unfit(struct store *store)
{
	return store->guarded && !owner_key(store, DIR_LOOK) && errno == EPERM;
}

static struct digest
mac_of_id(const struct store *store, struct span id)
{
	const struct span parts[] = {SPAN("owner"), id};

	return mac_of(store->key, parts, 2);
}

/* ---- the file ---- */

/*
 * Read the owner file in ROOT.  False: errno is ENOENT if it does not exist,
 * EPERM if it cannot be an owner file, else why it could not be read.
 */
static bool
read_text(int root, char text[OWNER_TEXT])
{
	int fd = file_open(root, OWNER_NAME);
	struct stat st;
	bool read = false;
	int error;

	if (fd < 0) {
		errno = errno == ELOOP || errno == ENXIO ? EPERM : errno;
		return false;
	}
	if (fstat(fd, &st) == 0) {
		errno = EPERM;
		read = S_ISREG(st.st_mode) && st.st_size == OWNER_TEXT &&
		       slurp_at(fd, text, OWNER_TEXT, 0);
	}
	error = errno;
	(void)close(fd);
	errno = error;
	return read;
}

/*
 * Does TEXT prove that the store is ours?  Then its id is copied to STORE.
 * False: errno is EPERM.
 */
static bool
is_ours(struct store *store, const char text[OWNER_TEXT])
{
	struct span id = {text, STORE_ID_HEX};
	struct span hex = {text + STORE_ID_HEX + 1, DIGEST_HEX};
	struct digest said, right = mac_of_id(store, id);

	errno = EPERM;
	if (!digest_parse(hex, &said) || !digest_eq(&said, &right))
		return false;
	memcpy(store->id, text, STORE_ID_HEX);
	return true;
}

/* ---- making it ours ---- */

/* A name that the root of a store of reads may have. */
static bool
is_of_reads(const char *name)
{
	static const char names[][16] = {".", "..", ".gitignore",
	    "CACHEDIR.TAG", DIR_STAMP, "objects", "tmp"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* A name that objects/ has if only reads have put something there. */
static bool
is_no_output(const char *name)
{
	return !digest_is_hex(span_str(name), 2);
}

/*
 * Does ROOT hold only what reads keep, each version checked by its hash?
 * False: errno is 0 if there is something else, or why we could not look.
 */
static bool
is_harmless(int root)
{
	bool harmless;
	int objects, error;

	if (!dir_has_only(root, is_of_reads))
		return false;
	objects = openat(
	    root, "objects", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (objects < 0) /* what is not a directory is not used either */
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
	harmless = dir_has_only(objects, is_no_output);
	error = errno;
	(void)close(objects);
	errno = error;
	return harmless;
}

/*
 * Make an id for STORE and the text of its owner file; "" without randomness.
 */
static struct span
make_text(struct store *store)
{
	struct buf text = buf_new(store->arena, OWNER_TEXT + 1);
	unsigned char random[STORE_ID_HEX / 2];
	char hex[DIGEST_HEX + 1];
	struct digest mac;

	if (!random_fill(random, sizeof(random)))
		return SPAN("");
	for (size_t i = 0; i < sizeof(random); i++) {
		(void)snprintf(hex, 3, "%02x", random[i]);
		buf_str(&text, hex);
	}
	mac = mac_of_id(store, buf_span(&text));
	digest_hex(&mac, hex);
	buf_char(&text, ' ');
	buf_str(&text, hex);
	buf_char(&text, '\n');
	return buf_span(&text);
}

/* Write the owner file.  If several processes do, the first one's id counts. */
static bool
mark(struct store *store, int root)
{
	struct span text = make_text(store);
	char there[OWNER_TEXT];

	store->owner = OWNER_OURS; /* so that tmp/ may be used here */
	return text.n == OWNER_TEXT &&
	       (place_once(store, root, OWNER_NAME, text, OWNER_MODE) ||
		   errno == EEXIST) &&
	       read_text(root, there) && is_ours(store, there);
}

/* What it means that the owner file or the key could not be read: see errno. */
static enum owner
why_unread(void)
{
	return errno == ENOENT || errno == EPERM ? OWNER_STRANGE
						 : OWNER_UNKNOWN;
}

static enum owner
judge(struct store *store, const char text[OWNER_TEXT])
{
	if (!owner_key(store, DIR_LOOK))
		return why_unread();
	return is_ours(store, text) ? OWNER_OURS : OWNER_STRANGE;
}

/* Make a store ours that has no owner file and nothing in it to be believed. */
static enum owner
take_over(struct store *store, int root)
{
	if (!owner_key(store, DIR_MAKE))
		return OWNER_KEYLESS;
	return mark(store, root) ? OWNER_OURS : why_unread();
}

static enum owner
find_out(struct store *store, int root, enum dir_want want)
{
	char text[OWNER_TEXT];

	if (read_text(root, text))
		return judge(store, text);
	if (errno != ENOENT)
		return why_unread();
	if (is_harmless(root))
		return want == DIR_MAKE ? take_over(store, root)
					: OWNER_UNASKED;
	if (errno != 0)
		return OWNER_UNKNOWN;
	/* Another process may have written the owner file since we looked. */
	return read_text(root, text) ? judge(store, text) : why_unread();
}

enum owner
owner_ask(struct store *store, int root, enum dir_want want)
{
	enum owner owner = store->owner;

	if (!store->guarded)
		return OWNER_OURS;
	if (owner == OWNER_UNASKED)
		owner = find_out(store, root, want);
	store->owner = owner != OWNER_UNKNOWN ? owner : OWNER_UNASKED;
	/*
	 * A store without an owner has nothing to be believed yet: treat it as
	 * ours.
	 */
	return owner != OWNER_UNASKED ? owner : OWNER_OURS;
}

bool
owner_take(struct store *store)
{
	int root = dir_root(store, DIR_USE);

	if (root < 0)
		return false;
	if (!owner_key(store, DIR_MAKE)) {
		errno = EACCES;
		return false;
	}
	if (unlinkat(root, OWNER_NAME, 0) != 0 && errno != ENOENT)
		return false;
	store->owner = mark(store, root) ? OWNER_OURS : OWNER_STRANGE;
	return store->owner == OWNER_OURS;
}
