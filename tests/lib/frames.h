/*
 * frames.h -- texts in a pipe, for the drivers that driver.mjs asks.
 *
 * A text comes after its length: four bytes, the lowest first.  The length
 * UINT32_MAX asks for all answers so far.
 */
#ifndef READCACHE_TESTS_FRAMES_H
#define READCACHE_TESTS_FRAMES_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

static inline bool
frame_length(uint32_t *length)
{
	unsigned char b[4];

	if (fread(b, 1, sizeof(b), stdin) != sizeof(b))
		return false;
	*length = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
		  (uint32_t)b[3] << 24;
	return true;
}

/* The next text; false at the end, or if it is cut off. */
static inline bool
frame_read(struct arena *arena, struct span *text)
{
	uint32_t length;
	char *bytes;

	while (frame_length(&length)) {
		if (length == UINT32_MAX) {
			(void)fflush(stdout);
			continue;
		}
		bytes = arena_alloc(arena, length);
		*text = (struct span){bytes, length};
		return fread(bytes, 1, length, stdin) == length;
	}
	return false;
}

static inline void
frame_write(struct span text)
{
	for (int i = 0; i < 4; i++)
		(void)putchar((int)(text.n >> 8 * i & 0xff));
	(void)fwrite(text.p, 1, text.n, stdout);
}

#endif
