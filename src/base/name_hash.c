#include "base/name_hash.h"

#include <sched.h>
#include <stdbool.h>

#include "os/random.h"

#include "base/sip.h"

uint64_t
name_hash_by(struct name_key key, struct span name)
{
	struct sip s = sip_begin(key.low, key.high);

	sip_feed(&s, name, 1);
	s.c ^= 0xff;
	return sip_end(&s, 3);
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
