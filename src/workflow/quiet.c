#include "workflow/quiet.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/map.h"
#include "finger/glob.h"
#include "path/where.h"
#include "stage/lockfile.h"
#include "stage/words.h"
#include "workflow/template.h"
#include "workflow/quiet_text.h"

/* So exactly is known when the session was last used. */
#define GLANCES_MS ((uint64_t)60 * 60 * 1000)
#define RESULT_MAX ((size_t)64 * 1024)
/* What is known of a node of this run. */
struct glimpse {
	struct quiet_node noted; /* by the note; no files: nothing */
	struct quiet_node seen;  /* before it was asked; the same */
	bool is_same;		 /* as noted */
};

struct quiet_survey {
	struct work *work;
	const struct bundle *bundle;
	struct quiet_text text;
	struct glimpse *glimpses; /* of each node */
	struct map *known;	  /* programs: 1 if they are in the text */
	size_t programs_room;
	bool was_whole;
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
are_same(struct work *work, struct span flow, const struct quiet_file *files,
    size_t n)
{
	struct stat st;

	for (size_t i = 0; i < n; i++)
		if (!look(work, flow, &files[i], &st) ||
		    !hash_same_facts(&st, &files[i].st))
			return false;
	return true;
}

/* The note of SOURCE, if it is of a run under the same circumstances. */
static bool
load(struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, struct quiet_text *text)
{
	uint64_t now = clock_now();
	struct digest digest;
	struct span bytes;

	if (!session_load_note(work->store, source, &bytes) ||
	    !quiet_read(work->arena, bytes, text) || now < text->accessed_ms ||
	    now - text->accessed_ms > GLANCES_MS)
		return false;
	digest =
	    circumstances(work, source, given, ngiven, text->env, text->nenv);
	return digest_eq(&digest, &text->circumstances) &&
	       are_same(work, text->flow, text->programs, text->nprograms);
}

bool
quiet_holds(struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, struct quiet *quiet)
{
	struct quiet_text text;

	if (!load(work, source, given, ngiven, &text) || !text.is_whole)
		return false;
	for (size_t i = 0; i < text.nnodes; i++)
		if (!are_same(work, text.flow, text.nodes[i].files,
			text.nodes[i].nfiles))
			return false;
	if (text.record.n > 0 && !record_exists(&work->records, text.record))
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
is_settled(const struct stat *st)
{
	return hash_is_settled(st, hash_now());
}

/* NAME among the files of a node, for which there is room. */
static bool
add_file(struct quiet_survey *survey, struct quiet_node *node,
    struct span name, bool is_lock)
{
	struct quiet_file *file = &node->files[node->nfiles++];

	*file = (struct quiet_file){.name = name, .is_lock = is_lock};
	return look(survey->work, survey->text.flow, file, &file->st) &&
	       S_ISREG(file->st.st_mode) && is_settled(&file->st);
}

static void
put_program(struct quiet_survey *survey, const struct quiet_file *file)
{
	struct quiet_text *text = &survey->text;

	text->programs = arena_more(survey->work->arena, text->programs,
	    text->nprograms, &survey->programs_room, sizeof(*file));
	text->programs[text->nprograms++] = *file;
}

static bool
add_program_file(struct quiet_survey *survey, struct span name, bool is_link)
{
	struct quiet_text *text = &survey->text;
	struct quiet_file file = {.name = name};

	for (size_t i = 0; i < text->nprograms; i++)
		if (span_eq(text->programs[i].name, name))
			return true; /* the same, or there would be no note */
	if (!look(survey->work, text->flow, &file, &file.st) ||
	    (!is_link && !S_ISREG(file.st.st_mode)) ||
	    !is_settled(&file.st))
		return false;
	put_program(survey, &file);
	return true;
}

/* A program and the links that lead to it. */
static bool
find_program(struct quiet_survey *survey, struct span word)
{
	struct work *work = survey->work;
	struct span path = words_program(work->arena, work->root, word);
	struct where where;

	if (path.n == 0)
		return false;
	where = where_of(work->arena, work->root, path, WHERE_LEADS);
	for (size_t i = 0; i < where.nlinks; i++)
		if (!add_program_file(survey, where.links[i], true))
			return false;
	return add_program_file(survey, where.name, false);
}

static bool
add_program(struct quiet_survey *survey, struct span word)
{
	enum { NEW, GOOD, BAD };
	uint64_t *known = map_at(survey->known, word, NEW);

	if (*known == NEW)
		*known = find_program(survey, word) ? GOOD : BAD;
	return *known == GOOD;
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
add_words(struct quiet_survey *survey, const struct node *node)
{
	if (!node->run_is_words)
		return add_program(survey, SPAN("sh"));
	for (size_t i = 0; i < node->run.n; i++) {
		struct span word = node->run.at[i];
		bool known = i > 0 && (!words_may_name(word) ||
					  is_among(word, &node->deps) ||
					  is_among(word, &node->code));

		if (template_refers(word))
			return false;
		for (size_t k = 0; k < node->nouts && i > 0; k++)
			known = known || span_eq(word, node->outs[k].path);
		if (i == 0 ? !add_program(survey, word) : !known)
			return false;
	}
	return node->run.n > 0;
}

static bool
add_names(struct quiet_survey *survey, struct quiet_node *to,
    const struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (glob_is_pattern(names->at[i]) ||
		    !add_file(survey, to, names->at[i], false))
			return false;
	return true;
}

/* The files of NODE as they are; false if it is nothing for a glance. */
static bool
see(struct quiet_survey *survey, const struct node *node,
    struct quiet_node *seen)
{
	size_t room = 1 + node->deps.n + node->code.n + node->nouts;

	if (!is_plain(node) || !add_words(survey, node))
		return false;
	*seen = (struct quiet_node){.id = node->id,
	    .files = arena_array(
		survey->work->arena, room, sizeof(*seen->files))};
	if (!add_file(survey, seen, node->id, true) ||
	    !add_names(survey, seen, &node->deps) ||
	    !add_names(survey, seen, &node->code))
		return false;
	for (size_t i = 0; i < node->nouts; i++)
		if (!add_file(survey, seen, node->outs[i].path, false))
			return false;
	return true;
}

/* What NOTE says of nodes, which are in the order of running in both. */
static void
take_note(struct quiet_survey *survey, const struct quiet_text *note)
{
	const struct graph *graph = &survey->bundle->graph;
	const struct node *nodes = survey->bundle->workflow.nodes;
	size_t at = 0;

	for (size_t k = 0; k < graph->n && at < note->nnodes; k++) {
		size_t i = graph->order[k];

		if (span_eq(nodes[i].id, note->nodes[at].id))
			survey->glimpses[i].noted = note->nodes[at++];
	}
	survey->was_whole = note->is_whole;
	for (size_t i = 0; i < note->nprograms; i++)
		put_program(survey, &note->programs[i]);
}

static void
list_env(struct quiet_text *text, struct arena *arena,
    const struct bundle *bundle)
{
	size_t n = 0;

	for (size_t i = 0; i < bundle->graph.n; i++)
		n += bundle->workflow.nodes[i].env.n;
	text->env = arena_array(arena, n, sizeof(*text->env));
	for (size_t i = 0; i < bundle->graph.n; i++) {
		const struct names *env = &bundle->workflow.nodes[i].env;

		for (size_t k = 0; k < env->n; k++)
			text->env[text->nenv++] = env->at[k];
	}
}

struct quiet_survey *
quiet_survey(struct work *work, const struct bundle *bundle,
    const struct given_input *given, size_t ngiven)
{
	struct arena *arena = work->arena;
	struct quiet_survey *survey = arena_array(arena, 1, sizeof(*survey));
	struct quiet_text note;

	survey->work = work;
	survey->bundle = bundle;
	survey->glimpses =
	    arena_array(arena, bundle->graph.n, sizeof(*survey->glimpses));
	survey->known = map_new(arena, 4);
	survey->text.flow = bundle->source.stages;
	list_env(&survey->text, arena, bundle);
	survey->text.circumstances = circumstances(work, &bundle->source, given,
	    ngiven, survey->text.env, survey->text.nenv);
	if (load(work, &bundle->source, given, ngiven, &note))
		take_note(survey, &note);
	return survey;
}

/* ---- its turn ---- */

/* Nobody looks at what it says, and what others say is not part of it. */
static bool
stands_alone(const struct flow_run *run, size_t i)
{
	const struct parents *parents = &run->bundle->graph.parents[i];

	for (size_t k = 0; k < parents->n; k++)
		if ((parents->at[k].why & EDGE_VALUE) != 0)
			return false;
	return !run->wanted[i];
}

static bool
ended_well(struct flow_run *run, struct span id)
{
	const struct session_node *known = session_find(&run->session, id);

	return known != NULL && known->ending == ENDED_WELL;
}

bool
quiet_passes(struct quiet_survey *survey, struct flow_run *run, size_t i,
    uint64_t *created_ms)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct glimpse *glimpse = &survey->glimpses[i];
	const struct quiet_node *noted = &glimpse->noted;

	glimpse->is_same =
	    noted->nfiles > 0 && are_same(survey->work, survey->text.flow,
				     noted->files, noted->nfiles);
	*created_ms = noted->created_ms;
	if (glimpse->is_same)
		return stands_alone(run, i) && ended_well(run, node->id);
	if (!see(survey, node, &glimpse->seen))
		glimpse->seen.nfiles = 0;
	return false;
}

/* ---- noting ---- */

/* Node I of RUN, as it is to be noted: had it nothing to do or even to read? */
static const struct quiet_node *
glimpse_of(const struct quiet_survey *survey, const struct flow_run *run,
    size_t i, uint64_t now)
{
	const struct node_run *node = &run->nodes[i];
	struct glimpse *glimpse = &survey->glimpses[i];

	if (node->outcome != OUTCOME_REUSED ||
	    node->verdict.tier != TIER_GENERATION)
		return NULL;
	if (glimpse->is_same)
		return &glimpse->noted;
	if (node->verdict.aged)
		glimpse->seen.created_ms = now - node->verdict.age_ms;
	return glimpse->seen.nfiles > 0 ? &glimpse->seen : NULL;
}

void
quiet_leave(const struct quiet_survey *survey, struct flow_run *run)
{
	const struct graph *graph = &run->bundle->graph;
	size_t last = graph->n - 1;
	struct quiet_text text;
	uint64_t now = clock_now();
	bool is_news = false;

	if (survey == NULL)
		return;
	text = survey->text;
	text.is_whole = true;
	text.nodes = arena_array(
	    survey->work->arena, graph->n, sizeof(*text.nodes));
	for (size_t k = 0; k < graph->n; k++) {
		size_t i = graph->order[k];
		const struct quiet_node *node =
		    glimpse_of(survey, run, i, now);

		text.is_whole = text.is_whole && node != NULL;
		is_news = is_news || (node != NULL &&
					 node != &survey->glimpses[i].noted);
		if (node == NULL)
			node = &survey->glimpses[i].noted;
		/* It is still so that with those files nothing is to do. */
		if (node->nfiles > 0)
			text.nodes[text.nnodes++] = *node;
	}
	text.accessed_ms = now;
	text.record = text.result = SPAN("");
	if (!run->values[last].known || run->values[last].out.n > RESULT_MAX)
		text.is_whole = false;
	if (text.is_whole) {
		text.record = run->nodes[last].record;
		text.result = run->values[last].out;
	}
	if (is_news || (text.is_whole && !survey->was_whole))
		(void)session_save_note(
		    &run->session, quiet_write(survey->work->arena, &text));
}
