#include "base/copy.h"

#include <errno.h>
#include <unistd.h>

#include "base/write_all.h"
#include "os/clone.h"

enum { STEP_BYTES = 64 * 1024 };

/* Read once.  0 at the end; -1 on failure: errno says why. */
static ssize_t
read_step(int from, char *step, size_t n)
{
	ssize_t got;

	do
		got = read(from, step, n);
	while (got < 0 && errno == EINTR);
	return got;
}

bool
copy_and_hash(int from, int to, struct digest *hash)
{
	struct digest_state state;
	char step[STEP_BYTES];
	ssize_t n;

	digest_begin(&state);
	while ((n = read_step(from, step, sizeof(step))) > 0) {
		struct span bytes = {step, (size_t)n};

		digest_add(&state, bytes);
		if (!write_all(to, bytes))
			return false;
	}
	*hash = digest_end(&state);
	return n == 0;
}

static bool
copy_by_hand(int from, int to)
{
	char step[STEP_BYTES];
	ssize_t n;

	while ((n = read_step(from, step, sizeof(step))) > 0)
		if (!write_all(to, (struct span){step, (size_t)n}))
			return false;
	return n == 0;
}

bool
copy_bytes(int from, int to)
{
	/* Copying by hand continues where the system stopped. */
	return clone_bytes(from, to) || copy_by_hand(from, to);
}
