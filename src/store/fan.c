#include "store/fan.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FAN = 256 };

struct fan {
	int fds[FAN];
	int spare; /* one that is not kept */
	int most;  /* descriptors from this number on are not kept */
};

static void
drop(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

static void
close_all(void *what)
{
	struct fan *fan = what;

	for (size_t i = 0; i < FAN; i++)
		drop(&fan->fds[i]);
	drop(&fan->spare);
}

/* Half of the descriptors that a process may have are left to others. */
static int
most_kept(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 2 * 1024)
		return 1024;
	return (int)(limit.rlim_cur / 2);
}

static struct fan *
fan_of(struct store *store)
{
	struct fan *fan = store->fan;

	if (fan != NULL)
		return fan;
	fan = arena_array(store->arena, 1, sizeof(*fan));
	for (size_t i = 0; i < FAN; i++)
		fan->fds[i] = -1;
	fan->spare = -1;
	fan->most = most_kept();
	arena_at_reset(store->arena, close_all, fan);
	store->fan = fan;
	return fan;
}

int
fan_open(struct store *store, int objects, const struct digest *hash,
    enum dir_want want)
{
	struct fan *fan = fan_of(store);
	int *kept = &fan->fds[hash->bytes[0]], fd;
	char name[3];

	if (*kept >= 0)
		return *kept;
	(void)snprintf(name, sizeof(name), "%02x", hash->bytes[0]);
	fd = dir_enter(objects, name, want);
	if (fd < fan->most)
		return *kept = fd;
	drop(&fan->spare);
	return fan->spare = fd;
}

void
fan_forget(struct store *store, const struct digest *hash)
{
	if (store->fan != NULL)
		drop(&store->fan->fds[hash->bytes[0]]);
}
