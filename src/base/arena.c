#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Under AddressSanitizer every allocation gets a block of its own: a bump
 * allocator would hide the overflow of one allocation into the next.
 */
#if defined(__SANITIZE_ADDRESS__)
#define BLOCK_BYTES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCK_BYTES 0
#endif
#endif
#ifndef BLOCK_BYTES
#define BLOCK_BYTES ((size_t)64 * 1024)
#endif

struct block {
	struct block *next;
	size_t size; /* bytes behind this header */
	alignas(max_align_t) char bytes[];
};

struct arena {
	jmp_buf guard;
	struct block *blocks; /* newest first; allocation is from the newest */
	size_t used;          /* bytes of the newest block given out */
	size_t total;         /* bytes of all blocks */
	size_t limit;
	int fds[16]; /* a request holds a handful at a time */
	size_t nfds;
};

struct arena *
arena_new(size_t limit)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	if (arena != NULL)
		arena->limit = limit;
	return arena;
}

/* Free all blocks from BLOCK on. */
static void
free_blocks(struct block *block)
{
	while (block != NULL) {
		struct block *next = block->next;

		free(block);
		block = next;
	}
}

void
arena_reset(struct arena *arena)
{
	struct block *keep = arena->blocks;

	while (arena->nfds > 0)
		(void)close(arena->fds[--arena->nfds]); /* opened to read */

	/* An ordinary block serves the next request without a system call. */
	if (keep != NULL && keep->size == BLOCK_BYTES) {
		free_blocks(keep->next);
		keep->next = NULL;
		arena->total = keep->size;
	} else {
		free_blocks(keep);
		arena->blocks = NULL;
		arena->total = 0;
	}
	arena->used = 0;
}

void
arena_free(struct arena *arena)
{
	if (arena == NULL)
		return;
	arena_reset(arena);
	free_blocks(arena->blocks);
	free(arena);
}

jmp_buf *
arena_guard(struct arena *arena)
{
	return &arena->guard;
}

static void
add_block(struct arena *arena, size_t need)
{
	size_t size = need > BLOCK_BYTES ? need : BLOCK_BYTES;
	struct block *block;

	if (size > arena->limit - arena->total)
		longjmp(arena->guard, 1);
	block = malloc(sizeof(*block) + size);
	if (block == NULL)
		longjmp(arena->guard, 1);
	block->next = arena->blocks;
	block->size = size;
	arena->blocks = block;
	arena->total += size;
	arena->used = 0;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	size_t need;
	void *p;

	if (size > SIZE_MAX - sizeof(struct block) - align)
		longjmp(arena->guard, 1);
	need = (size + align - 1) / align * align;
	if (arena->blocks == NULL ||
	    need > arena->blocks->size - arena->used || BLOCK_BYTES == 0)
		add_block(arena, need);
	p = arena->blocks->bytes + arena->used;
	arena->used += need;
	return p;
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
	void *p;

	if (size != 0 && count > SIZE_MAX / size)
		longjmp(arena->guard, 1);
	p = arena_alloc(arena, count * size);
	return memset(p, 0, count * size);
}

char *
arena_cstr(struct arena *arena, struct span s)
{
	char *copy = arena_alloc(arena, s.n + 1);

	memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	return copy;
}

void
arena_own_fd(struct arena *arena, int fd)
{
	if (arena->nfds == sizeof(arena->fds) / sizeof(arena->fds[0])) {
		(void)close(fd);
		longjmp(arena->guard, 1);
	}
	arena->fds[arena->nfds++] = fd;
}

void
arena_close_fd(struct arena *arena, int fd)
{
	for (size_t i = 0; i < arena->nfds; i++) {
		if (arena->fds[i] != fd)
			continue;
		arena->fds[i] = arena->fds[--arena->nfds];
		(void)close(fd);
		return;
	}
}
