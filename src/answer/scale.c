#include "answer/scale.h"

#include "os/bytes.h"

static struct span
hash_name(const struct digest *hash)
{
	return (struct span){(const char *)hash->bytes, DIGEST_BYTES};
}

struct library_version *
scale_loaded(const struct scale *s, const struct digest *hash)
{
	const uint64_t *found =
	    s->versions != NULL ? map_find(s->versions, hash_name(hash)) : NULL;

	return found != NULL ? (struct library_version *)(uintptr_t)*found
			     : NULL;
}

/* Get the text of VERSION.  A short session may name many large versions. */
static bool
load(struct scale *s, struct library_version *version)
{
	enum { BYTES = 256 }; /* a step: they are hashed */
	struct budget *budget = trust_budget(s->trust);

	return budget->left > 0 &&
	       s->library->load(
		   s->library->context, &version->hash, &version->piece) &&
	       budget_spend(budget, version->piece.text.n / BYTES);
}

struct library_version *
scale_load(struct scale *s, const struct digest *hash)
{
	struct library_version *version = scale_loaded(s, hash);

	if (version == NULL) {
		version = arena_array(s->arena, 1, sizeof(*version));
		version->hash = *hash;
		version->there = load(s, version);
		if (s->versions == NULL)
			s->versions = map_new(s->arena, 4);
		*map_at(s->versions, hash_name(&version->hash), 0) =
		    (uintptr_t)version;
	}
	return version;
}

const struct lines *
scale_lines(struct scale *s, struct library_version *version)
{
	if (!version->indexed)
		version->lines = lines_index(s->arena, version->piece.text);
	version->indexed = true;
	return &version->lines;
}

bool
scale_slice(struct scale *s, struct library_version *version, uint64_t first,
    uint64_t last, struct span *lines)
{
	uint64_t before = version->piece.first - 1;

	if (first <= before)
		return false;
	if (!version->looked) {
		version->looked = true;
		return lines_slice(
		    version->piece.text, first - before, last - before, lines);
	}
	return lines_find(
	    scale_lines(s, version), first - before, last - before, lines);
}

bool
scale_same(struct scale *s, struct span a, struct span b)
{
	enum { BYTES = 4096, LOOK = 8 }; /* a step; steps to find lines */

	return budget_spend(trust_budget(s->trust), a.n / BYTES + LOOK) &&
	       span_eq(a, b);
}

bool
scale_shows_end(const struct scale *s)
{
	return s->asked->shown->last == s->asked->shown->total;
}

bool
scale_may_compare(const struct question *q, uint64_t bytes, uint64_t lines)
{
	return bytes <= q->diff_max_bytes && lines <= q->diff_max_lines;
}

bool
scale_is_evidence(const struct scale *s, const struct trust_view *view)
{
	return view->shows && span_eq(view->path, s->asked->path) &&
	       span_eq(view->name, s->asked->name);
}

bool
scale_is_only_line(struct span text, struct span line)
{
	struct span rest = text;
	int n = 0;

	while (n < 2 && line.n > 0) {
		const char *found = bytes_find(rest.p, rest.n, line.p, line.n);
		const char *end;

		if (found == NULL)
			break;
		end = found + line.n;
		n += (found == text.p || found[-1] == '\n') &&
		     (end == text.p + text.n || *end == '\n');
		rest = span_from(text, (size_t)(found - text.p) + 1);
	}
	return n == 1;
}
