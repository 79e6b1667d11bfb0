#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/memory.h"
#include "os/sanitized.h"

/*
 * Under AddressSanitizer every allocation gets a block of its own: a bump
 * allocator would hide the overflow of one allocation into the next.
 */
#define BLOCK_BYTES (SANITIZED ? (size_t)0 : (size_t)64 * 1024)

#define LARGE_PAGE ((uintptr_t)2 * 1024 * 1024)

struct block {
	struct block *next;
	size_t size; /* bytes after this header */
	alignas(max_align_t) char bytes[];
};

struct arena_ending {
	struct arena_ending *next;
	void (*end)(void *what);
	void *what;
};

struct arena {
	jmp_buf guard;        /* not used by a scratch */
	struct arena *parent; /* of a scratch, else NULL */
	struct arena *scratches, *next;
	struct block *blocks; /* newest first; allocation is from the newest */
	size_t used;          /* bytes of the newest block given out */
	size_t total;         /* bytes of all blocks */
	size_t limit;
	int fds[16]; /* a request holds a handful at a time */
	size_t nfds;
	struct arena_ending *endings; /* latest first */
};

struct arena *
arena_new(size_t limit)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	if (arena != NULL)
		arena->limit = limit;
	return arena;
}

/* Jump to the guard of the outermost parent. */
__attribute__((noreturn)) static void
exhausted(struct arena *arena)
{
	while (arena->parent != NULL)
		arena = arena->parent;
	longjmp(arena->guard, 1);
}

struct arena *
arena_scratch(struct arena *parent)
{
	struct arena *scratch = arena_new(parent->limit);

	if (scratch == NULL)
		exhausted(parent);
	scratch->parent = parent;
	scratch->next = parent->scratches;
	parent->scratches = scratch;
	return scratch;
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

	for (; arena->endings != NULL; arena->endings = arena->endings->next)
		arena->endings->end(arena->endings->what);
	while (arena->scratches != NULL) {
		struct arena *scratch = arena->scratches;

		arena->scratches = scratch->next;
		arena_free(scratch);
	}
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

/*
 * For a block of many megabytes: one page fault for every 4 KiB takes
 * noticeable time.
 */
static void
ask_for_large_pages(struct block *block, size_t size)
{
	uintptr_t from = ((uintptr_t)block + LARGE_PAGE - 1) & -LARGE_PAGE;
	uintptr_t to = ((uintptr_t)block + size) & -LARGE_PAGE;

	if (size >= 2 * LARGE_PAGE)
		memory_large_pages((void *)from, to - from);
}

/*
 * An arena that has grown to this size gets whole large pages.  Thousands of
 * small ones would cost a page fault each, and that again in every new process.
 */
#define GROWN ((size_t)16 * 1024 * 1024)

/*
 * Make a block for at least *SIZE bytes; in a grown arena it may be larger, and
 * *SIZE then says how large.  NULL: out of memory.
 */
static struct block *
new_block(const struct arena *arena, size_t *size)
{
	size_t large = LARGE_PAGE - sizeof(struct block);
	struct block *block;

	if (!SANITIZED && arena->total >= GROWN && *size <= large &&
	    large <= arena->limit - arena->total) {
		block = aligned_alloc(LARGE_PAGE, LARGE_PAGE);
		if (block != NULL) {
			memory_large_pages(block, LARGE_PAGE);
			*size = large;
			return block;
		}
	}
	block = malloc(sizeof(*block) + *size);
	if (block != NULL)
		ask_for_large_pages(block, *size);
	return block;
}

static void
add_block(struct arena *arena, size_t need)
{
	size_t size = need > BLOCK_BYTES ? need : BLOCK_BYTES;
	struct block *block;

	if (size > arena->limit - arena->total)
		exhausted(arena);
	block = new_block(arena, &size);
	if (block == NULL)
		exhausted(arena);
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
		exhausted(arena);
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
		exhausted(arena);
	p = arena_alloc(arena, count * size);
	return memset(p, 0, count * size);
}

void *
arena_grow(struct arena *arena, void *list, size_t n, size_t *room,
    size_t size)
{
	void *more;

	*room = *room > 0 ? *room * 2 : 16;
	more = arena_array(arena, *room, size);
	if (n > 0)
		memcpy(more, list, n * size);
	return more;
}

char *
arena_cstr(struct arena *arena, struct span s)
{
	char *copy = arena_alloc(arena, s.n + 1);

	if (s.n > 0) /* an empty span's pointer may be NULL */
		memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	return copy;
}

void
arena_own_fd(struct arena *arena, int fd)
{
	if (arena->nfds == sizeof(arena->fds) / sizeof(arena->fds[0])) {
		(void)close(fd);
		exhausted(arena);
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

void
arena_at_reset(struct arena *arena, void (*end)(void *what), void *what)
{
	struct arena_ending *ending = arena_alloc(arena, sizeof(*ending));

	*ending = (struct arena_ending){arena->endings, end, what};
	arena->endings = ending;
}
