#include "inspect/versions.h"

/* All versions are forgotten when they take more than this. */
#define BYTES_MAX ((size_t)16 * 1024 * 1024)

enum { LOOK_BACK = 64 }; /* how many are searched for the same lines */

struct versions
versions_new(struct arena *arena)
{
	struct arena *own = arena_scratch(arena);

	return (struct versions){.arena = own, .by_hash = map_new(own, 16)};
}

static struct span
hash_name(const struct digest *hash)
{
	return (struct span){(const char *)hash->bytes, DIGEST_BYTES};
}

const struct version *
versions_find(const struct versions *versions, const struct digest *hash)
{
	const uint64_t *found = map_find(versions->by_hash, hash_name(hash));

	return found != NULL ? (const struct version *)(uintptr_t)*found
			     : NULL;
}

/* Does OLD have all lines of VERSION? */
static bool
holds(const struct version *old, const struct version *version)
{
	uint64_t skip = version->first - old->first;

	return version->first >= old->first &&
	    (old->whole || !version->whole) && (version->weak || !old->weak) &&
	    skip + version->lines.n <= old->lines.n &&
	    memcmp(old->lines.texts + skip, version->lines.texts,
		version->lines.n * sizeof(uint32_t)) == 0;
}

static void
make_room(struct versions *versions, size_t bytes)
{
	versions->bytes += bytes;
	if (versions->bytes <= BYTES_MAX)
		return;
	arena_reset(versions->arena);
	versions->by_hash = map_new(versions->arena, 16);
	versions->latest = NULL;
	versions->bytes = bytes;
}

void
versions_add(struct versions *versions, const struct version *version,
    bool shared)
{
	const struct version *old = versions_find(versions, &version->hash);
	size_t size = version->lines.n * sizeof(uint32_t);
	struct version *kept;
	int looks = 0;

	for (const struct version *v = old; v != NULL && looks++ < LOOK_BACK;
	     v = v->before)
		if (holds(v, version))
			return;
	if (!shared) {
		make_room(versions, size + 256);
		old = versions_find(versions, &version->hash);
	}
	kept = arena_alloc(versions->arena, sizeof(*kept));
	*kept = *version;
	kept->before = old;
	kept->older = versions->latest;
	versions->latest = kept;
	if (!shared) {
		kept->lines.texts = arena_alloc(versions->arena, size);
		memcpy(kept->lines.texts, version->lines.texts, size);
	}
	*map_at(versions->by_hash, hash_name(&kept->hash), 0) =
	    (uintptr_t)kept;
}
