/*
 * fuzz.h -- what the fuzz targets here share.
 *
 * A target is one function, fuzz_one, that is handed an arena and an input of
 * exactly its size, so that the sanitizer sees a read behind its end.  What
 * must hold for every input is said by EXPECT.
 */
#ifndef READCACHE_TESTS_FUZZ_H
#define READCACHE_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

/* More than any input here needs: exhaustion is a finding. */
#define FUZZ_ARENA ((size_t)256 * 1024 * 1024)

#define EXPECT(condition)                                                      \
	do {                                                                   \
		if (!(condition))                                              \
			fuzz_fail(__FILE__, __LINE__, #condition);             \
	} while (0)

static inline void
fuzz_fail(const char *file, int line, const char *condition)
{
	(void)fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
	abort();
}

void fuzz_one(struct arena *arena, struct span input);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena *arena;
	struct span input = {size > 0 ? (const char *)data : "", size};

	if (arena == NULL)
		arena = arena_new(FUZZ_ARENA);
	EXPECT(arena != NULL);
	if (setjmp(*arena_guard(arena)) != 0)
		fuzz_fail(__FILE__, __LINE__, "memory is enough");
	fuzz_one(arena, input);
	arena_reset(arena);
	return 0;
}

/*
 * Cut the part before the first byte SEPARATOR off INPUT; all of it if there
 * is none.
 */
static inline struct span
fuzz_part(struct span *input, char separator)
{
	const char *end = memchr(input->p, separator, input->n);
	struct span part = *input;

	if (end == NULL) {
		*input = (struct span){input->p + input->n, 0};
		return part;
	}
	part.n = (size_t)(end - input->p);
	*input = span_from(*input, part.n + 1);
	return part;
}

#endif
