#include "session/ahead.h"

#include <pthread.h>
#include <signal.h>

#include "base/slurp.h"

#define PIECE ((size_t)512 * 1024)
#define STACK ((size_t)128 * 1024)

enum ahead_turn {
	TURN_READS, /* the thread fills the piece */
	TURN_READY, /* the caller may take it */
	TURN_FAILED,
	TURN_ENDS
};

/* The lock guards the turn.  The turn guards everything after it. */
struct ahead {
	pthread_t thread;
	bool runs;
	pthread_mutex_t lock;
	pthread_cond_t turned;
	enum ahead_turn turn;

	int fd;
	uint64_t first;
	uint64_t at;	 /* the offset of the piece's end */
	char *pieces[2]; /* one is being read, one is in use */
	int which;	 /* the one that is being read */
	size_t n;	 /* its size */
};

/* Wait until the turn is no longer TURN.  Returns the new one. */
static enum ahead_turn
wait_for(struct ahead *ahead, enum ahead_turn turn)
{
	enum ahead_turn now;

	(void)pthread_mutex_lock(&ahead->lock);
	while ((now = ahead->turn) == turn)
		(void)pthread_cond_wait(&ahead->turned, &ahead->lock);
	(void)pthread_mutex_unlock(&ahead->lock);
	return now;
}

/* Change the turn.  TURN_ENDS is final. */
static void
give_turn(struct ahead *ahead, enum ahead_turn turn)
{
	(void)pthread_mutex_lock(&ahead->lock);
	if (ahead->turn != TURN_ENDS)
		ahead->turn = turn;
	(void)pthread_cond_signal(&ahead->turned);
	(void)pthread_mutex_unlock(&ahead->lock);
}

static void *
read_pieces(void *what)
{
	struct ahead *ahead = what;

	while (wait_for(ahead, TURN_READY) == TURN_READS) {
		bool done = slurp_at(ahead->fd, ahead->pieces[ahead->which],
		    ahead->n, ahead->at - ahead->n);

		give_turn(ahead, done ? TURN_READY : TURN_FAILED);
	}
	return NULL;
}

/* Signals are blocked in the new thread: the main thread handles them. */
static bool
start(struct ahead *ahead)
{
	pthread_attr_t attr;
	sigset_t all, before;
	bool done;

	if (pthread_attr_init(&attr) != 0)
		return false;
	(void)sigfillset(&all);
	done = pthread_attr_setstacksize(&attr, STACK) == 0 &&
	       pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
	if (done) {
		done = pthread_create(
			   &ahead->thread, &attr, read_pieces, ahead) == 0;
		(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	(void)pthread_attr_destroy(&attr);
	return done;
}

void
ahead_end(struct ahead *ahead)
{
	if (!ahead->runs)
		return;
	give_turn(ahead, TURN_ENDS);
	(void)pthread_join(ahead->thread, NULL);
	ahead->runs = false;
}

static void
end_with_arena(void *what)
{
	struct ahead *ahead = what;

	ahead_end(ahead);
	(void)pthread_cond_destroy(&ahead->turned);
	(void)pthread_mutex_destroy(&ahead->lock);
}

/* The size of the next piece. */
static size_t
next_size(const struct ahead *ahead)
{
	uint64_t left = ahead->at - ahead->first;

	return left < PIECE ? (size_t)left : PIECE;
}

struct ahead *
ahead_begin(struct arena *arena, int fd, uint64_t first, uint64_t at)
{
	struct ahead *ahead = arena_array(arena, 1, sizeof(*ahead));

	*ahead = (struct ahead){
	    .turn = TURN_READS, .fd = fd, .first = first, .at = at};
	for (size_t i = 0; i < 2; i++)
		ahead->pieces[i] = arena_alloc(arena, PIECE + AHEAD_ROOM);
	ahead->n = next_size(ahead);
	(void)pthread_mutex_init(&ahead->lock, NULL);
	(void)pthread_cond_init(&ahead->turned, NULL);
	/* Do this first: it may not return, and there is no thread yet. */
	arena_at_reset(arena, end_with_arena, ahead);
	ahead->runs = start(ahead);
	return ahead->runs ? ahead : NULL;
}

char *
ahead_piece(struct ahead *ahead, size_t *n)
{
	if (wait_for(ahead, TURN_READS) != TURN_READY)
		return NULL;
	*n = ahead->n;
	return ahead->pieces[ahead->which];
}

void
ahead_go_on(struct ahead *ahead)
{
	ahead->at -= ahead->n;
	ahead->which = 1 - ahead->which;
	ahead->n = next_size(ahead);
	if (ahead->n > 0)
		give_turn(ahead, TURN_READS);
}
