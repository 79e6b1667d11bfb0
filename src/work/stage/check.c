#include <limits.h>

#include "base/utf8.h"
#include "os/bytes.h"
#include "path/cover.h"
#include "work/fingerprint/fingerprint.h"
#include "work/fingerprint/glob.h"
#include "work/stage/inputs.h"

enum { NAME_LONGEST = 200 };

static bool
is_name_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '@' || c == '.' ||
	       c == '-';
}

/*
 * Is NAME valid for a stage or a flow?  [A-Za-z0-9_@.-], no "..", not more
 * than 200 bytes, no dot at its beginning.
 */
static bool
name_ok(struct span name)
{
	if (name.n == 0 || name.n > NAME_LONGEST || name.p[0] == '.' ||
	    bytes_find(name.p, name.n, "..", 2) != NULL)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!is_name_char(name.p[i]))
			return false;
	return true;
}

/* The sentence BEFORE NAME AFTER. */
static const char *
fault(const struct work *work, const char *before, struct span name,
    const char *after)
{
	struct buf out = buf_new(work->arena, 128 + name.n);

	buf_str(&out, before);
	buf_add(&out, name);
	buf_str(&out, after);
	return arena_cstr(work->arena, buf_span(&out));
}

/* The sentence BEFORE NAME BETWEEN OTHER, with a full stop. */
static const char *
fault_of_two(const struct work *work, const char *before, struct span name,
    const char *between, struct span other)
{
	struct buf out = buf_new(work->arena, 128 + name.n + other.n);

	buf_str(&out, between);
	buf_add(&out, other);
	buf_char(&out, '.');
	return fault(work, before, name,
	    arena_cstr(work->arena, buf_span(&out)));
}

static const char *
check_path(const struct work *work, struct span path)
{
	if (path.n == 0)
		return "a path is empty.";
	if (path.n >= PATH_MAX && !glob_is_pattern(path))
		return "a path has more than 4095 bytes, which no file can "
		       "have.";
	if (span_has(path, '\0') || !utf8_valid(path))
		return fault(work, "the path ", path,
		    " is not UTF-8 text, so it cannot be recorded.");
	return NULL;
}

static const char *
check_paths(const struct work *work, const struct span *paths, size_t n)
{
	const char *wrong = NULL;

	for (size_t i = 0; i < n && wrong == NULL; i++)
		wrong = check_path(work, paths[i]);
	return wrong;
}

static struct where
place_of(const struct work *work, struct span path, enum where_last last)
{
	return where_among(
	    work->arena, work->root, path, last, work->links);
}

/* The outputs of a stage, and for each the first thing it clashes with. */
struct clashes {
	const struct work *work;
	const struct stage *stage;
	struct where *outs;
	struct cover *made;  /* the places of OUTS */
	size_t *twice;	     /* an earlier output, or COVER_NONE */
	size_t *deps, *code; /* an input, or COVER_NONE */
};

static size_t *
none_yet(struct arena *arena, size_t n)
{
	size_t *numbers = arena_array(arena, n, sizeof(*numbers));

	for (size_t i = 0; i < n; i++)
		numbers[i] = COVER_NONE;
	return numbers;
}

static void
note(size_t *first, size_t out, size_t other)
{
	if (out != COVER_NONE && other < first[out])
		first[out] = other;
}

/* ---- outputs and outputs ---- */

/* Output OUT has the place NAME.  Note it if another output has that place. */
static void
note_twice(struct clashes *c, size_t out, struct span name)
{
	size_t other = cover_find(c->made, name, out);

	if (other != COVER_NONE)
		note(c->twice, out > other ? out : other,
		    out > other ? other : out);
}

static void
find_twice(struct clashes *c)
{
	for (size_t i = 0; i < c->stage->nouts; i++) {
		note_twice(c, i, c->outs[i].name);
		for (size_t k = 0; k < c->outs[i].nlinks; k++)
			note_twice(c, i, c->outs[i].links[k]);
	}
}

/* ---- outputs and inputs ---- */

/* Note the outputs that contain input number INPUT, or are on the way to it. */
static void
note_used(struct clashes *c, size_t *first, size_t input, struct where *used)
{
	note(first, cover_find(c->made, used->name, COVER_NONE), input);
	for (size_t k = 0; k < used->nlinks; k++)
		note(first, cover_find(c->made, used->links[k], COVER_NONE),
		    input);
}

/*
 * Find outputs that overlap with inputs: such a stage would never be up to
 * date.
 */
static void
find_apart(
    struct clashes *c, size_t *first, const struct span *inputs, size_t n)
{
	struct cover *read;

	if (n == 0)
		return;
	read = cover_new(c->work->arena, 2 * n);
	for (size_t i = 0; i < n; i++) {
		struct where leads = place_of(c->work, inputs[i], WHERE_LEADS),
			     itself =
				 place_of(c->work, inputs[i], WHERE_ITSELF);

		cover_add(read, leads.name); /* its number is 2i */
		cover_add(read, itself.name);
		note_used(c, first, i, &leads);
		note_used(c, first, i, &itself);
	}
	for (size_t i = 0; i < c->stage->nouts; i++) {
		size_t found = cover_find(read, c->outs[i].name, COVER_NONE);

		if (found != COVER_NONE)
			note(first, i, found / 2);
	}
}

static struct clashes
find_clashes(const struct work *work, const struct stage *stage)
{
	struct clashes c = {
	    .work = work,
	    .stage = stage,
	    .outs = arena_array(work->arena, stage->nouts, sizeof(*c.outs)),
	    .made = cover_new(work->arena, stage->nouts),
	    .twice = none_yet(work->arena, stage->nouts),
	    .deps = none_yet(work->arena, stage->nouts),
	    .code = none_yet(work->arena, stage->nouts),
	};

	for (size_t i = 0; i < stage->nouts; i++) {
		c.outs[i] =
		    place_of(work, stage->outs[i].path, WHERE_ITSELF);
		cover_add(c.made, c.outs[i].name);
	}
	find_twice(&c);
	find_apart(&c, c.deps, stage->deps, stage->ndeps);
	find_apart(&c, c.code, stage->code, stage->ncode);
	return c;
}

/* ---- what is said ---- */

/* Is the output at a place where it may be?  NULL, or a sentence. */
static const char *
tell_place(const struct work *work, struct span out, const struct where *made,
    const struct where *root)
{
	if (out.p[0] == '/')
		return fault(work, "the output ", out,
		    " is outside of the project; name one that is in it.");
	if (span_eq(out, SPAN(".")) || where_within(root->name, made->name))
		return "the project itself cannot be an output; name what the "
		       "command makes.";
	if (where_meets(made, &work->kept))
		return fault(work, "the output ", out,
		    " overlaps with the store; name another place.");
	return NULL;
}

static const char *
tell_twice(const struct work *work, struct span out, struct span other)
{
	return fault_of_two(work, "the output ", out,
	    " is named twice, or lies in another one, or around it: ", other);
}

static const char *
tell_apart(const struct work *work, struct span out, const struct where *made,
    struct span input)
{
	struct where leads = place_of(work, input, WHERE_LEADS),
		     itself = place_of(work, input, WHERE_ITSELF);

	if (where_within(made->name, leads.name) ||
	    where_within(made->name, itself.name))
		return fault_of_two(work, "the output ", out,
		    " is also an input, or in one: ", input);
	return fault_of_two(work, "the output ", out,
	    " has an input in it, or on the way to it, and is made anew by "
	    "every run: ",
	    input);
}

static const char *
check_out(const struct clashes *c, size_t index, const struct where *root)
{
	const struct stage *stage = c->stage;
	struct span out = input_path(c->work, stage->outs[index].path);
	const struct where *made = &c->outs[index];
	const char *wrong = tell_place(c->work, out, made, root);

	if (wrong != NULL)
		return wrong;
	if (c->twice[index] != COVER_NONE)
		return tell_twice(c->work, stage->outs[index].path,
		    stage->outs[c->twice[index]].path);
	if (c->deps[index] != COVER_NONE)
		return tell_apart(
		    c->work, out, made, stage->deps[c->deps[index]]);
	if (c->code[index] != COVER_NONE)
		return tell_apart(
		    c->work, out, made, stage->code[c->code[index]]);
	return NULL;
}

static const char *
check_outs(const struct work *work, const struct stage *stage)
{
	const char *wrong = NULL;
	struct clashes clashes;
	struct where root;

	for (size_t i = 0; i < stage->nouts && wrong == NULL; i++)
		wrong = check_path(work, stage->outs[i].path);
	if (wrong != NULL || stage->nouts == 0)
		return wrong;
	clashes = find_clashes(work, stage);
	root = place_of(work, SPAN("."), WHERE_LEADS);
	for (size_t i = 0; i < stage->nouts && wrong == NULL; i++)
		wrong = check_out(&clashes, i, &root);
	return wrong;
}

static const char *
check_rest(const struct work *work, const struct stage *stage)
{
	const char *wrong = NULL;

	for (size_t i = 0; i < stage->argc; i++)
		if (span_has(stage->argv[i], '\0'))
			return "a word of the command holds a NUL.";
	for (size_t i = 0; i < stage->nenv; i++)
		if (stage->env[i].n == 0 || span_has(stage->env[i], '=') ||
		    span_has(stage->env[i], '\0') || !utf8_valid(stage->env[i]))
			return fault(work, "\"", stage->env[i],
			    "\" is not the name of a variable.");
	for (size_t i = 0; i < stage->nfingerprints && wrong == NULL; i++)
		wrong = fingerprint_fault(stage->fingerprints[i]);
	return wrong;
}

const char *
stage_check_files(const struct work *work, const struct stage *stage)
{
	const char *wrong = check_paths(work, stage->deps, stage->ndeps);

	if (wrong == NULL)
		wrong = check_paths(work, stage->code, stage->ncode);
	return wrong != NULL ? wrong : check_outs(work, stage);
}

const char *
stage_check(const struct work *work, const struct stage *stage)
{
	const char *wrong;

	if (!name_ok(stage->flow) || !name_ok(stage->name))
		return fault(work, "\"", stage->name,
		    "\" is not a name for a stage: letters, digits and _ @ . - "
		    "only, at most 200, no \"..\" and no dot at the "
		    "beginning.");
	if (stage->argc == 0 || stage->argv[0].n == 0)
		return "there is no command to run.";
	wrong = stage_check_files(work, stage);
	return wrong != NULL ? wrong : check_rest(work, stage);
}
