#include "workflow/quiet.h"

#include <fcntl.h>
#include <stdlib.h>

#include "finger/glob.h"
#include "path/where.h"
#include "stage/lockfile.h"
#include "stage/words.h"
#include "workflow/template.h"
#include "workflow/quiet_text.h"

/* Files that were touched within this time may change unseen. */
#define SETTLED_MS 20
/* So exactly is known when the session was last used. */
#define GLANCES_MS ((uint64_t)60 * 60 * 1000)
#define RESULT_MAX ((size_t)64 * 1024)

struct quiet_survey {
	struct work *work;
	const struct bundle *bundle;
	struct quiet_text text;
	size_t room;	     /* for its files */
	struct span program; /* of the last node that has one */
};

/* ---- circumstances ---- */

/* Where programs are looked for: one that is new there may come first. */
static void
add_path(struct key *key, struct arena *arena)
{
	const char *path = getenv("PATH");
	struct span rest = span_str(path != NULL ? path : "");

	key_add(key, "PATH", rest);
	while (rest.n > 0) {
		const char *colon = memchr(rest.p, ':', rest.n);
		size_t n = colon != NULL ? (size_t)(colon - rest.p) : rest.n;
		struct stat st;

		if (n > 0 &&
		    stat(arena_cstr(arena, (struct span){rest.p, n}), &st) ==
			0) {
			key_add_number(key, "inode", (uint64_t)st.st_ino);
			key_add_number(
			    key, "seconds", (uint64_t)st.st_mtim.tv_sec);
			key_add_number(key, "nanoseconds",
			    (uint64_t)st.st_mtim.tv_nsec);
		}
		rest = span_from(rest, colon != NULL ? n + 1 : n);
	}
}

/* Everything besides files that a run depends on. */
static struct digest
circumstances(const struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, const struct span *env,
    size_t nenv)
{
	struct key key;

	key_begin(&key, "flow-quiet", 2);
	key_add(&key, "path", source->path);
	key_add_digest(&key, "text", &source->hash);
	key_add(&key, "root", work->root);
	add_path(&key, work->arena);
	for (size_t i = 0; i < ngiven; i++) {
		key_add(&key, "input", given[i].name);
		key_add(&key, "value", given[i].value);
	}
	for (size_t i = 0; i < nenv; i++) {
		const char *value = getenv(arena_cstr(work->arena, env[i]));

		key_add(&key, "env", env[i]);
		if (value != NULL)
			key_add(&key, "value", span_str(value));
	}
	return key_end(&key);
}

/* ---- looking ---- */

static bool
look(struct work *work, struct span flow, const struct quiet_file *file,
    struct stat *st)
{
	char path[4096];

	if (file->is_lock)
		return lockfile_stat(work->store,
		    work_locks(work, flow, DIR_LOOK), file->name, st);
	if (file->name.n >= sizeof(path))
		return false;
	memcpy(path, file->name.p, file->name.n);
	path[file->name.n] = '\0';
	return fstatat(work->top, path, st, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool
is_as_noted(struct work *work, const struct quiet_text *text)
{
	struct stat st;

	for (size_t i = 0; i < text->nfiles; i++)
		if (!look(work, text->flow, &text->files[i], &st) ||
		    !hash_same_facts(&st, &text->files[i].st))
			return false;
	return text->record.n == 0 ||
	       record_exists(&work->records, text->record);
}

bool
quiet_holds(struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, struct quiet *quiet)
{
	uint64_t now = clock_now();
	struct quiet_text text;
	struct digest digest;
	struct span bytes;

	if (!session_load_note(work->store, source, &bytes) ||
	    !quiet_read(work->arena, bytes, &text) || now < text.accessed_ms ||
	    now - text.accessed_ms > GLANCES_MS)
		return false;
	digest =
	    circumstances(work, source, given, ngiven, text.env, text.nenv);
	if (!digest_eq(&digest, &text.circumstances) ||
	    !is_as_noted(work, &text))
		return false;
	*quiet = (struct quiet){text.nodes, text.nnodes, text.result};
	return true;
}

/* ---- surveying ---- */

static bool
is_plain(const struct node *node)
{
	return node_is_stage(node) && node->scope != NODE_OFF &&
	       !node->has_ttl && node->fingerprint.n == 0;
}

static bool
is_settled(const struct stat *st, uint64_t now_ms)
{
	uint64_t bound = now_ms - SETTLED_MS;

	return (uint64_t)st->st_mtim.tv_sec * 1000 +
		       (uint64_t)st->st_mtim.tv_nsec / 1000000 <
		   bound &&
	       (uint64_t)st->st_ctim.tv_sec * 1000 +
		       (uint64_t)st->st_ctim.tv_nsec / 1000000 <
		   bound;
}

static struct quiet_file *
next_file(struct quiet_survey *survey)
{
	struct quiet_text *text = &survey->text;

	text->files = arena_more(survey->work->arena, text->files,
	    text->nfiles, &survey->room, sizeof(*text->files));
	return &text->files[text->nfiles++];
}

static bool
add_file(
    struct quiet_survey *survey, struct span name, bool is_lock, uint64_t now)
{
	struct quiet_file *file = next_file(survey);

	*file = (struct quiet_file){.name = name, .is_lock = is_lock};
	return look(survey->work, survey->text.flow, file, &file->st) &&
	       S_ISREG(file->st.st_mode) && is_settled(&file->st, now);
}

/* A program with the links that lead to it. */
static bool
add_program(struct quiet_survey *survey, struct span word, uint64_t now)
{
	struct work *work = survey->work;
	struct where where;
	struct span path;

	if (span_eq(word, survey->program))
		return true; /* as of the node before */
	survey->program = word;
	path = words_program(work->arena, work->root, word);
	if (path.n == 0)
		return false;
	where = where_of(work->arena, work->root, path, WHERE_LEADS);
	for (size_t i = 0; i < where.nlinks; i++) {
		struct quiet_file *file = next_file(survey);

		*file = (struct quiet_file){.name = where.links[i]};
		if (!look(work, survey->text.flow, file, &file->st) ||
		    !is_settled(&file->st, now))
			return false;
	}
	return add_file(survey, where.name, false, now);
}

static bool
is_among(struct span word, const struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (span_eq(word, names->at[i]))
			return true;
	return false;
}

/*
 * Words that may become the name of a file one day are nothing for a glance,
 * unless they are noted anyway.
 */
static bool
add_words(struct quiet_survey *survey, const struct node *node, uint64_t now)
{
	if (!node->run_is_words)
		return add_program(survey, SPAN("sh"), now);
	for (size_t i = 0; i < node->run.n; i++) {
		struct span word = node->run.at[i];
		bool known = i > 0 && (!words_may_name(word) ||
					  is_among(word, &node->deps) ||
					  is_among(word, &node->code));

		if (template_refers(word))
			return false;
		for (size_t k = 0; k < node->nouts && i > 0; k++)
			known = known || span_eq(word, node->outs[k].path);
		if (i == 0 ? !add_program(survey, word, now) : !known)
			return false;
	}
	return node->run.n > 0;
}

static bool
add_names(struct quiet_survey *survey, const struct names *names, uint64_t now)
{
	for (size_t i = 0; i < names->n; i++)
		if (glob_is_pattern(names->at[i]) ||
		    !add_file(survey, names->at[i], false, now))
			return false;
	return true;
}

static bool
add_node(struct quiet_survey *survey, const struct node *node, uint64_t now)
{
	struct quiet_text *text = &survey->text;

	text->nodes[text->nnodes++].id = node->id;
	for (size_t i = 0; i < node->env.n; i++)
		text->env[text->nenv++] = node->env.at[i];
	if (!add_file(survey, node->id, true, now) ||
	    !add_names(survey, &node->deps, now) ||
	    !add_names(survey, &node->code, now) ||
	    !add_words(survey, node, now))
		return false;
	for (size_t i = 0; i < node->nouts; i++)
		if (!add_file(survey, node->outs[i].path, false, now))
			return false;
	return true;
}

static void
make_room(struct quiet_survey *survey)
{
	struct arena *arena = survey->work->arena;
	struct quiet_text *text = &survey->text;
	size_t env = 0, n = survey->bundle->graph.n;

	for (size_t i = 0; i < n; i++) {
		const struct node *node = &survey->bundle->workflow.nodes[i];

		env += node->env.n;
	}
	text->nodes = arena_array(arena, n, sizeof(*text->nodes));
	text->env = arena_array(arena, env, sizeof(*text->env));
}

struct quiet_survey *
quiet_survey(struct work *work, const struct bundle *bundle,
    const struct given_input *given, size_t ngiven)
{
	struct quiet_survey *survey;
	uint64_t now = clock_now();

	for (size_t i = 0; i < bundle->graph.n; i++)
		if (!is_plain(&bundle->workflow.nodes[i]))
			return NULL;
	survey = arena_array(work->arena, 1, sizeof(*survey));
	survey->work = work;
	survey->bundle = bundle;
	survey->text.flow = bundle->source.stages;
	survey->program = SPAN("");
	make_room(survey);
	for (size_t k = 0; k < bundle->graph.n; k++)
		if (!add_node(survey,
			&bundle->workflow.nodes[bundle->graph.order[k]], now))
			return NULL;
	survey->text.circumstances = circumstances(work, &bundle->source, given,
	    ngiven, survey->text.env, survey->text.nenv);
	return survey;
}

/* ---- noting ---- */

void
quiet_leave(const struct quiet_survey *survey, struct flow_run *run)
{
	const struct graph *graph = &run->bundle->graph;
	size_t last = graph->n - 1;
	struct quiet_text text;
	uint64_t now = clock_now();

	if (survey == NULL)
		return;
	text = survey->text;
	for (size_t k = 0; k < graph->n; k++) {
		const struct node_run *node = &run->nodes[graph->order[k]];

		if (node->outcome != OUTCOME_REUSED ||
		    node->verdict.tier != TIER_GENERATION)
			return;
		if (node->verdict.aged)
			text.nodes[k].created_ms = now - node->verdict.age_ms;
	}
	text.accessed_ms = now;
	text.record = run->nodes[last].record;
	text.result = run->values[last].out;
	if (!run->values[last].known || text.result.n > RESULT_MAX)
		return;
	(void)session_save_note(
	    &run->session, quiet_write(survey->work->arena, &text));
}
