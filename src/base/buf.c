#include "base/buf.h"

struct buf
buf_new(struct arena *arena, size_t room)
{
	struct buf buf = {.arena = arena, .room = room > 0 ? room : 1};

	buf.p = arena_alloc(arena, buf.room);
	return buf;
}

char *
buf_grow(struct buf *buf, size_t n)
{
	char *at;

	if (n > buf->room - buf->n) {
		size_t room = buf->room + (n > buf->room ? n : buf->room);
		char *p = arena_alloc(buf->arena, room);

		memcpy(p, buf->p, buf->n);
		buf->p = p;
		buf->room = room;
	}
	at = buf->p + buf->n;
	buf->n += n;
	return at;
}

void
buf_add(struct buf *buf, struct span s)
{
	memcpy(buf_grow(buf, s.n), s.p, s.n);
}

void
buf_str(struct buf *buf, const char *s)
{
	buf_add(buf, span_str(s));
}

void
buf_char(struct buf *buf, char c)
{
	*buf_grow(buf, 1) = c;
}

void
buf_u64(struct buf *buf, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	buf_add(buf, (struct span){digits + at, sizeof(digits) - at});
}
