/*
 * Patterns, in a small tree of files.  What is found is what the simplest
 * matcher finds (naive_glob.h), each once and sorted.  And a workflow whose
 * nodes make these files has an edge from every one that is found.
 */
#include "naive_glob.h"
#include "temp_dir.h"

#include "base/utf8.h"
#include "work/fingerprint/glob.h"
#include "work/fingerprint/pattern.h"
#include "work/workflow/places.h"

enum { PATTERN_MAX = 48, EXPANDED_MAX = 256, DEPTH_MAX = 8 };

/* Every path in the tree, with what "**" must know of it. */
static const struct {
	char path[16];
	enum { FILE_HERE, REAL_DIR, LINKED } kind;
} tree[] = {
    {"a", FILE_HERE},
    {"b.c", FILE_HERE},
    {".h", FILE_HERE},
    {"\xc3\xa9", FILE_HERE},
    {"[x]", FILE_HERE},
    {"{y}", FILE_HERE},
    {"x*y", FILE_HERE},
    {"x\\y", FILE_HERE},
    {"1", FILE_HERE},
    {"12", FILE_HERE},
    {"d", REAL_DIR},
    {"d/a", FILE_HERE},
    {"d/b.c", FILE_HERE},
    {"d/.h", FILE_HERE},
    {"d/e", REAL_DIR},
    {"d/e/b.c", FILE_HERE},
    {"d/e/f", REAL_DIR},
    {"d/e/f/a", FILE_HERE},
    {".d", REAL_DIR},
    {".d/a", FILE_HERE},
    {"l", LINKED},
    {"l/a", FILE_HERE},
    {"l/b.c", FILE_HERE},
    {"l/.h", FILE_HERE},
    {"l/e", REAL_DIR},
    {"l/e/b.c", FILE_HERE},
    {"l/e/f", REAL_DIR},
    {"l/e/f/a", FILE_HERE},
    {"lost", LINKED},
};

enum { PATHS = sizeof(tree) / sizeof(tree[0]) };

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int made = temp_make();

	(void)argc;
	(void)argv;
	temp_link("l", "d");
	temp_link("lost", "nowhere");
	for (size_t i = 0; i < PATHS; i++)
		if (span_starts(span_str(tree[i].path), SPAN("l/")))
			continue;
		else if (tree[i].kind == REAL_DIR)
			temp_dir(tree[i].path);
		else if (tree[i].kind == FILE_HERE)
			temp_file(tree[i].path, SPAN("x"));
	return made;
}

/* ---- paths against patterns ---- */

struct steps {
	struct span at[PATTERN_MAX];
	size_t n;
};

static struct steps
steps_of(struct span path)
{
	struct steps steps = {.n = 0};

	while (path.n > 0) {
		struct span step = fuzz_part(&path, '/');

		if (step.n > 0)
			steps.at[steps.n++] = step;
	}
	return steps;
}

static int
kind_of(struct span path)
{
	for (size_t i = 0; i < PATHS; i++)
		if (span_eq(span_str(tree[i].path), path))
			return (int)tree[i].kind;
	return -1;
}

/* May "**" stand for the step K of PATH, as a directory that is entered? */
static bool
is_passed(struct span path, const struct steps *s, size_t k)
{
	struct span until = {
	    path.p, (size_t)(s->at[k].p + s->at[k].n - path.p)};

	return s->at[k].p[0] != '.' && kind_of(until) == REAL_DIR;
}

static bool
fits(struct span path, const struct steps *p, size_t i, const struct steps *s,
    size_t k)
{
	if (i == p->n)
		return k == s->n;
	if (k == s->n)
		return false;
	if (!span_eq(p->at[i], SPAN("**")))
		return naive_name(p->at[i], s->at[k]) &&
		       fits(path, p, i + 1, s, k + 1);
	/* At the end it is everything below. */
	if (i + 1 == p->n && k + 1 == s->n)
		return s->at[k].p[0] != '.';
	return (i + 1 < p->n && fits(path, p, i + 1, s, k)) ||
	       (is_passed(path, s, k) && fits(path, p, i, s, k + 1));
}

struct search {
	bool found[PATHS];
	bool above[PATHS]; /* it is spelled, as a directory to look into */
	bool is_odd; /* it leads elsewhere, or has other names for a path */
};

static bool
starts(const struct steps *p, const struct steps *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (i == p->n || !span_eq(p->at[i], s->at[i]))
			return false;
	return true;
}

/* Is it "." or "..", however it is written? */
static bool
is_dots(struct span step)
{
	size_t dots = 0;

	for (size_t i = 0; i < step.n; i++)
		if (step.p[i] == '.')
			dots++;
		else if (step.p[i] != '\\')
			return false;
	return dots == 1 || dots == 2;
}

static void
search_one(void *context, struct span pattern)
{
	struct search *search = context;
	struct steps p;

	while (span_starts(pattern, SPAN("./")))
		pattern = span_from(pattern, 2);
	p = steps_of(pattern);
	for (size_t i = 0; i < p.n; i++)
		search->is_odd = search->is_odd || is_dots(p.at[i]) ||
				 p.at[i].p[p.at[i].n - 1] == '\\';
	search->is_odd =
	    search->is_odd || (pattern.n > 0 && pattern.p[0] == '/');
	for (size_t i = 0; i < PATHS && !search->is_odd; i++) {
		struct span path = span_str(tree[i].path);
		struct steps s = steps_of(path);

		if (p.n > 0 && fits(path, &p, 0, &s, 0))
			search->found[i] = true;
		if (starts(&p, &s))
			search->above[i] = true;
	}
}

/* ---- who makes what is found ---- */

static void
note_maker(void *context, const struct made *made)
{
	bool *met = context;

	met[made->node] = true;
}

/* Is the path I, or a directory above it, found, or spelled out? */
static bool
is_meant(struct span pattern, const struct search *search, size_t i)
{
	struct span path = span_str(tree[i].path);

	for (size_t k = 0; k < PATHS; k++) {
		struct span dir_above = span_str(tree[k].path);

		if (search->found[k] && span_starts(path, dir_above) &&
		    (path.n == dir_above.n || path.p[dir_above.n] == '/'))
			return true;
	}
	/* A link is the directory that it leads to; "./" is one. */
	return !glob_is_pattern(pattern) || search->above[i] ||
	       span_has(pattern, 'l');
}

/* A node for each file that is no directory and lies behind no link. */
static void
check_edges(
    struct arena *arena, struct span pattern, const struct search *search)
{
	struct node_out outs[PATHS];
	struct node nodes[PATHS] = {0};
	struct workflow workflow = {.nodes = nodes, .nnodes = PATHS};
	bool met[PATHS] = {false};

	for (size_t i = 0; i < PATHS; i++) {
		outs[i] = (struct node_out){span_str(tree[i].path), true};
		nodes[i].outs = &outs[i];
		nodes[i].nouts =
		    tree[i].kind == FILE_HERE && tree[i].path[0] != 'l';
	}
	places_read(places_of(arena, span_str(dir), &workflow, NULL), pattern,
	    note_maker, met);
	for (size_t i = 0; i < PATHS; i++) {
		EXPECT(!search->found[i] || nodes[i].nouts == 0 || met[i]);
		EXPECT(!met[i] || is_meant(pattern, search, i));
	}
}

/* More braces than may be nested, whether they are closed or not. */
static bool
is_too_deep(struct span pattern)
{
	enum { NESTED_MAX = 32 };
	size_t n = 0;

	for (size_t i = 0; i < pattern.n; i++)
		n += pattern.p[i] == '{';
	return n > NESTED_MAX;
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct search search = {.is_odd = false};
	struct naive_braces braces = {
	    arena, search_one, &search, 0, EXPANDED_MAX};
	struct glob_list list;
	const char *fault;

	if (input.n > PATTERN_MAX || span_has(input, '\0') ||
	    !utf8_valid(input))
		return;
	naive_expand(&braces, input, 0);
	if (search.is_odd || braces.n > EXPANDED_MAX)
		return;
	fault = glob_find(arena, span_str(dir), input, NULL, &list);
	if (fault != NULL && is_too_deep(input))
		return;
	EXPECT(fault == NULL);
	for (size_t i = 0; i < list.n; i++) {
		size_t k = 0;

		while (k < PATHS &&
		       !span_eq(span_str(tree[k].path), list.items[i].path))
			k++;
		EXPECT(k < PATHS && search.found[k]);
		EXPECT(i == 0 || span_compare(list.items[i - 1].path,
				     list.items[i].path) < 0);
	}
	for (size_t i = 0; i < PATHS; i++)
		list.n -= search.found[i];
	EXPECT(list.n == 0);
	check_edges(arena, input, &search);
}
