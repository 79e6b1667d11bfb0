#include "path/variants.h"

#include <strings.h>
#include <utf8proc.h>

#include "base/buf.h"

/* Does S begin with " AM." or " PM.", in any case? */
static bool
is_am_pm(struct span s)
{
	return s.n >= 4 &&
	    (strncasecmp(s.p, " am.", 4) == 0 ||
		strncasecmp(s.p, " pm.", 4) == 0);
}

static struct span
narrow_am_pm(struct arena *arena, struct span name)
{
	struct buf out = buf_new(arena, name.n + 8);

	for (size_t i = 0; i < name.n; i++) {
		if (is_am_pm(span_from(name, i)))
			buf_str(&out, "\xe2\x80\xaf"); /* U+202F */
		else
			buf_char(&out, name.p[i]);
	}
	return buf_span(&out);
}

static struct span
decomposed(struct arena *arena, struct span name)
{
	const utf8proc_option_t how = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
	const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)name.p;
	utf8proc_ssize_t n = (utf8proc_ssize_t)name.n, room;
	utf8proc_int32_t *points;

	/* Not utf8proc_map: it allocates memory outside of the arena. */
	room = utf8proc_decompose(bytes, n, NULL, 0, how);
	if (room < 0)
		return name;
	points = arena_array(arena, (size_t)room + 1, sizeof(*points));
	n = utf8proc_decompose(bytes, n, points, room, how);
	n = n >= 0 ? utf8proc_reencode(points, n, how) : n;
	return n >= 0 ? (struct span){(char *)points, (size_t)n} : name;
}

static struct span
curly_quotes(struct arena *arena, struct span name)
{
	struct buf out = buf_new(arena, name.n + 8);

	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '\'')
			buf_str(&out, "\xe2\x80\x99"); /* U+2019 */
		else
			buf_char(&out, name.p[i]);
	}
	return buf_span(&out);
}

size_t
variants(struct arena *arena, struct span name, struct span out[VARIANTS])
{
	struct span nfd = decomposed(arena, name);
	struct span all[VARIANTS] = {narrow_am_pm(arena, name), nfd,
	    curly_quotes(arena, name), curly_quotes(arena, nfd)};
	size_t n = 0;

	for (size_t i = 0; i < VARIANTS; i++)
		if (!span_eq(all[i], name))
			out[n++] = all[i];
	return n;
}

const char *
variants_library(void)
{
	return utf8proc_version();
}
