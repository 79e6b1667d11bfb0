#include "work/exec/said.h"

#include "base/scope.h"
#include "base/write_all.h"

struct said
said_new(struct arena *arena)
{
	return (struct said){
	    .text = {buf_new(arena, 256), buf_new(arena, 256)},
	    .order = buf_new(arena, 64),
	};
}

/* Add the piece that has just ended to the order. */
static void
end_piece(struct said *said)
{
	if (said->order.n > 0)
		buf_char(&said->order, ' ');
	buf_u64(&said->order, said->run);
	said->run = 0;
}

enum { LARGE = 1024 * 1024 };

/*
 * Make room for MORE bytes.  The old buffer stays in the arena, so doubling a
 * large one would waste as much as it holds.  A large one grows by a factor of
 * 8 instead: room that is never written to costs nothing.
 */
static void
make_room(struct buf *text, size_t more)
{
	struct buf larger;

	if (text->room < LARGE || more <= text->room - text->n)
		return;
	larger = buf_new(text->arena, text->room * 8);
	buf_add(&larger, buf_span(text));
	*text = larger;
}

bool
said_add(struct said *said, enum said_stream stream, struct span bytes)
{
	size_t held = said->text[SAID_OUT].n + said->text[SAID_ERR].n;

	if (said->lost || bytes.n > SAID_MAX - held) {
		said->lost = true;
		return false;
	}
	if (bytes.n == 0)
		return true;
	if (stream != said->last) {
		end_piece(said);
		said->last = stream;
	}
	said->run += bytes.n;
	make_room(&said->text[stream], bytes.n);
	buf_add(&said->text[stream], bytes);
	return true;
}

struct span
said_order(struct said *said)
{
	if (said->text[SAID_OUT].n == 0 || said->text[SAID_ERR].n == 0)
		return SPAN("");
	if (said->run > 0)
		end_piece(said);
	return buf_span(&said->order);
}

/* Take the next number off ORDER.  False if it is not a number. */
static bool
next_length(struct span *order, uint64_t *length)
{
	const char *blank = memchr(order->p, ' ', order->n);
	size_t n = blank != NULL ? (size_t)(blank - order->p) : order->n;
	struct span digits = {order->p, n};

	*order = span_from(*order, blank != NULL ? n + 1 : n);
	return number_parse(digits, length);
}

/* Do the pieces of ORDER add up to exactly the lengths of TEXT? */
static bool
order_fits(struct span order, const struct span text[SAID_STREAMS])
{
	size_t left[SAID_STREAMS] = {text[SAID_OUT].n, text[SAID_ERR].n};
	enum said_stream stream = SAID_OUT;
	uint64_t length;

	while (order.n > 0) {
		if (!next_length(&order, &length) || length > left[stream])
			return false;
		left[stream] -= (size_t)length;
		stream = stream == SAID_OUT ? SAID_ERR : SAID_OUT;
	}
	return left[SAID_OUT] == 0 && left[SAID_ERR] == 0;
}

static bool
replay_in_order(struct span order, struct span text[SAID_STREAMS],
    const int fds[SAID_STREAMS])
{
	enum said_stream stream = SAID_OUT;
	uint64_t length;

	while (order.n > 0 && next_length(&order, &length)) {
		struct span piece = {text[stream].p, (size_t)length};

		if (!write_all(fds[stream], piece))
			return false;
		text[stream] = span_from(text[stream], piece.n);
		stream = stream == SAID_OUT ? SAID_ERR : SAID_OUT;
	}
	return true;
}

bool
said_replay(struct span out, struct span err, struct span order,
    const int fds[SAID_STREAMS])
{
	struct span text[SAID_STREAMS] = {out, err};

	if (order.n > 0 && order_fits(order, text))
		return replay_in_order(order, text, fds);
	return write_all(fds[SAID_OUT], out) && write_all(fds[SAID_ERR], err);
}
