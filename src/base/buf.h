/*
 * buf.h -- a buffer in an arena that grows as needed.
 */
#ifndef READCACHE_BASE_BUF_H
#define READCACHE_BASE_BUF_H

#include <stdint.h>

#include "base/arena.h"

struct buf {
	struct arena *arena;
	char *p;
	size_t n;
	size_t room;
};

/* An empty buffer with ROOM bytes set aside. */
struct buf buf_new(struct arena *arena, size_t room);

/* Append N bytes, and return where they are: the caller fills them. */
char *buf_grow(struct buf *buf, size_t n);

void buf_add(struct buf *buf, struct span s);
void buf_str(struct buf *buf, const char *s);
void buf_char(struct buf *buf, char c);
void buf_u64(struct buf *buf, uint64_t number);

/* What it holds now; valid until it grows. */
static inline struct span
buf_span(const struct buf *buf)
{
	return (struct span){buf->p, buf->n};
}

#endif
