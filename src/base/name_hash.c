#include "base/name_hash.h"

#include <sched.h>
#include <stdbool.h>

#include "os/random.h"

#include "base/sip.h"

static inline void
take(struct sip *s, uint64_t word)
{
	s->d ^= word;
	sip_stir(s);
	s->a ^= word;
}

uint64_t
name_hash_by(struct name_key key, struct span name)
{
	struct sip s = sip_begin(key.low, key.high);
	uint64_t last = (uint64_t)name.n << 56, word;

	for (; name.n >= sizeof(word); name = span_from(name, sizeof(word))) {
		memcpy(&word, name.p, sizeof(word));
		take(&s, word);
	}
	for (size_t i = 0; i < name.n; i++)
		last |= (uint64_t)(unsigned char)name.p[i] << 8 * i;
	take(&s, last);
	s.c ^= 0xff;
	sip_stir(&s);
	sip_stir(&s);
	sip_stir(&s);
	return s.a ^ s.b ^ s.c ^ s.d;
}

/*
 * The system may have given these bytes to other parts of the process, too.
 * That is no risk: a hash does not reveal its key.
 */
static struct name_key
draw_key(void)
{
	unsigned char bytes[RANDOM_KEY];
	struct name_key key = {0, 0};

	if (random_key(bytes))
		memcpy(&key, bytes, sizeof(key));
	else
		key.low = (uintptr_t)&key; /* better than nothing */
	return key;
}

/*
 * One key for the process: what one thread has put into a map another finds.
 * Not by pthread_once, which wakes waiting threads by a system call although
 * there are none, and ends the process if that call fails.
 */
static struct name_key process_key;
enum { KEY_NONE, KEY_BEING_DRAWN, KEY_DRAWN };
static int key_state = KEY_NONE;

static void
draw_process_key(void)
{
	int before = KEY_NONE;

	if (__atomic_compare_exchange_n(&key_state, &before, KEY_BEING_DRAWN,
		false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		process_key = draw_key();
		__atomic_store_n(&key_state, KEY_DRAWN, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&key_state, __ATOMIC_ACQUIRE) != KEY_DRAWN)
		(void)sched_yield();
}

uint64_t
name_hash(struct span name)
{
	uint64_t number;

	if (__atomic_load_n(&key_state, __ATOMIC_ACQUIRE) != KEY_DRAWN)
		draw_process_key();
	number = name_hash_by(process_key, name);
	return number != 0 ? number : 1;
}
