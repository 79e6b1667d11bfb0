#include "base/utf8.h"
#include "finger/finger.h"
#include "path/where.h"
#include "stage/inputs.h"

enum { NAME_LONGEST = 200 };

static bool
is_name_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '@' || c == '.' ||
	       c == '-';
}

bool
stage_name_ok(struct span name)
{
	if (name.n == 0 || name.n > NAME_LONGEST || name.p[0] == '.' ||
	    memmem(name.p, name.n, "..", 2) != NULL)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!is_name_char(name.p[i]))
			return false;
	return true;
}

/* What is wrong, with the name of it. */
static const char *
fault(const struct work *work, const char *before, struct span name,
    const char *behind)
{
	struct buf out = buf_new(work->arena, 128 + name.n);

	buf_str(&out, before);
	buf_add(&out, name);
	buf_str(&out, behind);
	return arena_cstr(work->arena, buf_span(&out));
}

/* BEFORE NAME BETWEEN OTHER, and a full stop. */
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
	if (span_has(path, '\0') || !utf8_valid(path))
		return fault(work, "the path ", path,
		    " is no UTF-8 text, so it cannot be recorded.");
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

/* An output must have a place of its own. */
static const char *
check_place(const struct work *work, struct span out, const struct where *made)
{
	struct where root = place_of(work, SPAN("."), WHERE_LEADS);

	if (out.p[0] == '/')
		return fault(work, "the output ", out,
		    " is outside of the project; name one that is in it.");
	if (span_eq(out, SPAN(".")) || where_within(root.name, made->name))
		return "the project itself cannot be an output; name what the "
		       "command makes.";
	if (where_meets(made, &work->kept))
		return fault(work, "the output ", out,
		    " overlaps with the store; name another place.");
	return NULL;
}

/* An output that is an input could never be up to date. */
static const char *
check_apart(const struct work *work, struct span out, const struct where *made,
    const struct span *inputs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct where leads = place_of(work, inputs[i], WHERE_LEADS),
			     itself = place_of(work, inputs[i], WHERE_ITSELF);

		if (!where_meets(made, &leads) && !where_meets(made, &itself))
			continue;
		if (where_within(made->name, leads.name) ||
		    where_within(made->name, itself.name))
			return fault_of_two(work, "the output ", out,
			    " is also an input, or in one: ", inputs[i]);
		return fault_of_two(work, "the output ", out,
		    " has an input in it, or on the way to it, and is made "
		    "anew by every run: ",
		    inputs[i]);
	}
	return NULL;
}

/* Outputs before INDEX: two commands' hands on one place are one too many. */
static const char *
check_once(const struct work *work, const struct stage *stage, size_t index,
    const struct where *made)
{
	for (size_t i = 0; i < index; i++) {
		struct where other =
		    place_of(work, stage->outs[i].path, WHERE_ITSELF);

		if (where_meets(made, &other) || where_meets(&other, made))
			return fault_of_two(work, "the output ",
			    stage->outs[index].path,
			    " is named twice, or lies in another one, or "
			    "around it: ",
			    stage->outs[i].path);
	}
	return NULL;
}

static const char *
check_out(const struct work *work, const struct stage *stage, size_t index)
{
	const char *wrong = check_path(work, stage->outs[index].path);
	struct where made;
	struct span out;

	if (wrong != NULL)
		return wrong;
	out = input_path(work, stage->outs[index].path);
	made = place_of(work, stage->outs[index].path, WHERE_ITSELF);
	wrong = check_place(work, out, &made);
	if (wrong == NULL)
		wrong = check_once(work, stage, index, &made);
	if (wrong == NULL)
		wrong =
		    check_apart(work, out, &made, stage->deps, stage->ndeps);
	if (wrong == NULL)
		wrong =
		    check_apart(work, out, &made, stage->code, stage->ncode);
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
			    "\" is no name of a variable.");
	for (size_t i = 0; i < stage->nfingerprints && wrong == NULL; i++)
		wrong = finger_fault(stage->fingerprints[i]);
	return wrong;
}

const char *
stage_check_files(const struct work *work, const struct stage *stage)
{
	const char *wrong = check_paths(work, stage->deps, stage->ndeps);

	if (wrong == NULL)
		wrong = check_paths(work, stage->code, stage->ncode);
	for (size_t i = 0; i < stage->nouts && wrong == NULL; i++)
		wrong = check_out(work, stage, i);
	return wrong;
}

const char *
stage_check(const struct work *work, const struct stage *stage)
{
	const char *wrong;

	if (!stage_name_ok(stage->flow) || !stage_name_ok(stage->name))
		return fault(work, "\"", stage->name,
		    "\" is no name for a stage: letters, digits and _ @ . - "
		    "only, at most 200, no \"..\" and no dot at the "
		    "beginning.");
	if (stage->argc == 0 || stage->argv[0].n == 0)
		return "there is no command to run.";
	wrong = stage_check_files(work, stage);
	return wrong != NULL ? wrong : check_rest(work, stage);
}
