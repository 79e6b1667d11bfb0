/*
 * Short texts that people and other programs write: durations, times, sizes,
 * bytes as base64, names for a terminal, the order of what was said.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/base64.h"
#include "base/duration.h"
#include "base/near.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "path/exclude.h"
#include "work/exec/said.h"
#include "work/workflow/session_text.h"

/* The same by the floating point of the C library. */
static long double
duration_of(struct arena *arena, struct span text)
{
	char *unit;
	long double number = strtold(arena_cstr(arena, text), &unit);

	switch (unit[0] | 0x20) {
	case 's':
		return number * 1000;
	case 'h':
		return number * 3600 * 1000;
	case 'd':
		return number * 86400 * 1000;
	default:
		return unit[1] == '\0' ? number * 60 * 1000 : number;
	}
}

static void
check_duration(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, 32);
	uint64_t ms, again;

	if (!duration_parse(text, &ms))
		return;
	EXPECT(ms > 0 && ms <= NUMBER_MAX);
	/* What is less than a millisecond is cut; decimals are not exact. */
	EXPECT((long double)ms < duration_of(arena, text) + 0.01L &&
	       (long double)ms > duration_of(arena, text) - 1.01L);
	duration_write(&out, ms);
	EXPECT(duration_parse(buf_span(&out), &again));
	/* It is told in its largest unit, the rest is cut. */
	EXPECT(again <= ms && again > ms / 2);
}

static void
check_time(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, 32);
	uint64_t ms;

	if (!session_time_parse(text, &ms))
		return;
	session_time_write(&out, ms);
	EXPECT(span_eq(buf_span(&out), text));
}

static void
check_amount(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, 32);
	uint64_t bytes;

	if (span_has(text, '\0') ||
	    !amount_parse(arena_cstr(arena, text), &bytes))
		return;
	EXPECT(bytes <= NUMBER_MAX);
	amount_bytes(&out, bytes);
	EXPECT(out.n > 0);
}

static void
check_base64(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, text.n * 2);
	struct span bytes;

	base64_write(&out, text);
	EXPECT(base64_read(arena, buf_span(&out), &bytes));
	EXPECT(span_eq(bytes, text));
	if (!base64_read(arena, text, &bytes))
		return;
	out = buf_new(arena, text.n);
	base64_write(&out, bytes);
	EXPECT(span_eq(buf_span(&out), text));
}

/* What a terminal could take for a command is not in it; it is stable. */
static void
check_visible(struct arena *arena, struct span text)
{
	struct buf out = buf_new(arena, text.n), twice = buf_new(arena, text.n);

	visible_add(&out, text);
	EXPECT(utf8_valid(buf_span(&out)));
	for (size_t i = 0; i < out.n; i++) {
		unsigned char c = (unsigned char)out.p[i];

		EXPECT((c >= 0x20 && c != 0x7f) || c == '\t');
		if (c == 0xc2 && i + 1 < out.n) /* C1 */
			EXPECT((unsigned char)out.p[i + 1] >= 0xa0);
	}
	visible_add(&twice, buf_span(&out));
	EXPECT(span_eq(buf_span(&out), buf_span(&twice)));
}

/* Whatever the order says, all of both is said, and nothing else. */
static void
check_said(struct arena *arena, struct span order)
{
	static int fds[SAID_STREAMS] = {-1, -1};
	struct span texts[SAID_STREAMS] = {SPAN("0123456789"), SPAN("abcdef")};
	char *said = arena_alloc(arena, 64);

	for (int i = 0; i < SAID_STREAMS; i++) {
		if (fds[i] < 0)
			fds[i] = memfd_create("said", MFD_CLOEXEC);
		EXPECT(fds[i] >= 0 && ftruncate(fds[i], 0) == 0 &&
		       lseek(fds[i], 0, SEEK_SET) == 0);
	}
	EXPECT(said_replay(texts[SAID_OUT], texts[SAID_ERR], order, fds));
	for (int i = 0; i < SAID_STREAMS; i++) {
		ssize_t n = pread(fds[i], said, 64, 0);

		EXPECT(n >= 0);
		EXPECT(span_eq((struct span){said, (size_t)n}, texts[i]));
	}
}

static void
check_near(struct span text)
{
	const struct span names[] = {SPAN("stdout"), SPAN("stderr"),
	    SPAN("exit"), SPAN("json"), SPAN("fingerprint")};
	const struct span *near = near_name(text, names, 5);

	EXPECT(near == NULL || (near >= names && near < names + 5));
	for (size_t i = 0; i < 5; i++)
		if (span_eq(text, names[i]))
			EXPECT(near == NULL || near == &names[i]);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct scope scope;
	struct buf out = buf_new(arena, 32);

	check_duration(arena, input);
	check_time(arena, input);
	check_amount(arena, input);
	check_base64(arena, input);
	check_visible(arena, input);
	check_said(arena, input);
	check_near(input);
	(void)exclude_matches(input);
	if (scope_parse(input, &scope)) {
		scope_write(&out, scope);
		EXPECT(span_eq(buf_span(&out), input));
	}
}
