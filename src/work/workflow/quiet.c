#include "work/workflow/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/map.h"
#include "os/times.h"
#include "path/where.h"
#include "work/fingerprint/glob.h"
#include "work/stage/lockfile.h"
#include "work/stage/script.h"
#include "work/workflow/quiet_text.h"
#include "work/workflow/template.h"

/* How exactly the last use of a session is known; an older note is not used. */
#define GLANCES_MS ((uint64_t)60 * 60 * 1000)
#define RESULT_MAX ((size_t)64 * 1024)
/* What is known about a node in this run. */
struct glimpse {
	const struct quiet_node *noted; /* what the note says, or NULL */
	struct quiet_node seen;		/* its files before it was asked */
	bool was_same;			/* as noted when the run began */
	bool is_same;			/* as noted at its turn */
};

struct quiet_survey {
	struct work *work;
	const struct bundle *bundle;
	const struct given_input *given;
	size_t ngiven;
	struct quiet_text text;
	struct glimpse *glimpses; /* of each node */
	struct map *known;	  /* programs that were asked for */
	struct buf programs;
	struct span noted_programs; /* what the note says about them */
	bool was_whole;
	bool has_stirred;
	bool are_programs_same; /* as noted, when they were last looked at */
	bool is_programs_look_due;
};

/* ---- circumstances ---- */

/*
 * Add DIR, a directory of PATH, by its times: a new program in it may come
 * first, and so may an old one when the directory may be searched again.
 */
static void
add_path_dir(struct key *key, const char *dir)
{
	struct stat st;

	if (stat(dir, &st) != 0) {
		key_add_number(key, "error", (uint64_t)errno);
		return;
	}
	key_add_number(key, "inode", (uint64_t)st.st_ino);
	key_add_number(key, "seconds", (uint64_t)times_modified(&st)->tv_sec);
	key_add_number(
	    key, "nanoseconds", (uint64_t)times_modified(&st)->tv_nsec);
	key_add_number(key, "seconds", (uint64_t)times_changed(&st)->tv_sec);
	key_add_number(
	    key, "nanoseconds", (uint64_t)times_changed(&st)->tv_nsec);
}

/* Add PATH and its directories.  An empty entry is the command's directory. */
static void
add_path(struct key *key, struct arena *arena)
{
	const char *path = getenv("PATH");
	struct span rest = span_str(path != NULL ? path : "");

	key_add(key, "PATH", rest);
	for (bool more = path != NULL; more;) {
		const char *colon = memchr(rest.p, ':', rest.n);
		size_t n = colon != NULL ? (size_t)(colon - rest.p) : rest.n;

		add_path_dir(key,
		    n > 0 ? arena_cstr(arena, (struct span){rest.p, n}) : ".");
		more = colon != NULL;
		rest = span_from(rest, more ? n + 1 : n);
	}
}

/* A digest of everything besides files that a run depends on. */
static struct digest
circumstances(const struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, const struct span *env,
    size_t nenv)
{
	struct key key;

	key_begin(&key, "flow-quiet", 4);
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
are_same(struct work *work, struct span flow, struct span files)
{
	struct quiet_file file;
	struct quiet_facts now;
	struct stat st;

	while (quiet_next(&files, &file)) {
		if (!look(work, flow, &file, &st))
			return false;
		now = quiet_facts(&st);
		if (memcmp(&now, &file.facts, sizeof(now)) != 0)
			return false;
	}
	return files.n == 0;
}

/* Load the note of SOURCE, if it was left under the same circumstances. */
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
	       are_same(work, text->flow, text->programs);
}

bool
quiet_holds(struct work *work, const struct source *source,
    const struct given_input *given, size_t ngiven, struct quiet *quiet)
{
	const struct quiet_text *note = &quiet->note;
	size_t n = 0;

	*quiet = (struct quiet){0};
	quiet->is_known = load(work, source, given, ngiven, &quiet->note);
	if (!quiet->is_known || !note->is_whole)
		return false;
	while (n < note->nnodes &&
	       are_same(work, note->flow, note->nodes[n].files))
		n++;
	quiet->nsame = n;
	return n == note->nnodes &&
	       (note->record.n == 0 ||
		   record_exists(&work->records, note->record));
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

/*
 * Add the file NAME as it is now to FILES.  False if a note cannot rely on it.
 */
static bool
add_file(struct quiet_survey *survey, struct buf *files, struct span name,
    bool is_lock)
{
	struct quiet_file file = {.name = name, .is_lock = is_lock};
	struct stat st;

	if (!look(survey->work, survey->text.flow, &file, &st) ||
	    !S_ISREG(st.st_mode) || !is_settled(&st))
		return false;
	file.facts = quiet_facts(&st);
	quiet_add(files, &file);
	return true;
}

static bool
add_program_file(struct quiet_survey *survey, struct span name, bool is_link)
{
	struct span known = buf_span(&survey->programs);
	struct quiet_file file;
	struct stat st;

	while (quiet_next(&known, &file))
		if (span_eq(file.name, name))
			return true; /* already noted, and checked */
	file = (struct quiet_file){.name = name};
	if (!look(survey->work, survey->text.flow, &file, &st) ||
	    (!is_link && !S_ISREG(st.st_mode)) || !is_settled(&st))
		return false;
	file.facts = quiet_facts(&st);
	quiet_add(&survey->programs, &file);
	return true;
}

/* Add the file PATH and the links that lead to it. */
static bool
add_program_place(struct quiet_survey *survey, struct span path)
{
	struct work *work = survey->work;
	struct where where =
	    where_of(work->arena, work->root, path, WHERE_LEADS);

	for (size_t i = 0; i < where.nlinks; i++)
		if (!add_program_file(survey, where.links[i], true))
			return false;
	return add_program_file(survey, where.name, false);
}

/*
 * Add what runs the file PATH, if it is a script.  False if the note would not
 * see that another file is needed.
 */
static bool
add_script(struct quiet_survey *survey, struct span path)
{
	struct work *work = survey->work;
	struct script_files files = script_files(work->arena, work->root, path);

	for (size_t i = 0; i < files.n; i++) {
		const struct script_file *file = &files.at[i];

		if (file->what != WORD_FILE ||
		    (file->is_searched &&
			words_has_rival(
			    work->arena, work->root, file->word, file->path)) ||
		    !add_program_place(survey, file->path))
			return false;
	}
	return true;
}

/* Add a program with all that it takes to start it. */
static bool
find_program(struct quiet_survey *survey, struct span word)
{
	struct work *work = survey->work;
	struct span path;

	return words_program(work->arena, work->root, word, &path) ==
		   WORD_FILE &&
	       !words_has_rival(work->arena, work->root, word, path) &&
	       add_program_place(survey, path) && add_script(survey, path);
}

/* As add_script, for the file that WORD names. */
static bool
add_word_script(struct quiet_survey *survey, struct span word)
{
	struct work *work = survey->work;
	struct span path;

	return words_file(work->arena, work->root, word, &path) != WORD_FILE ||
	       add_script(survey, path);
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
 * Add the files of the command's words.  False if a word may become the name
 * of a file one day, unless that file is noted anyway.
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
		if (i == 0 ? !add_program(survey, word)
			   : !known || !add_word_script(survey, word))
			return false;
	}
	return node->run.n > 0;
}

static bool
add_names(
    struct quiet_survey *survey, struct buf *files, const struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (glob_is_pattern(names->at[i]) ||
		    !add_file(survey, files, names->at[i], false))
			return false;
	return true;
}

/*
 * Add the files of NODE as they are now.  False if it is not suited for a
 * note.
 */
static bool
see(struct quiet_survey *survey, const struct node *node, struct buf *files)
{
	if (!is_plain(node) || !add_words(survey, node) ||
	    !add_file(survey, files, node->id, true) ||
	    !add_names(survey, files, &node->deps) ||
	    !add_names(survey, files, &node->code))
		return false;
	for (size_t i = 0; i < node->nouts; i++)
		if (!add_file(survey, files, node->outs[i].path, false))
			return false;
	return true;
}

/* Take what was noted about the nodes.  Both lists are in running order. */
static void
take_note(struct quiet_survey *survey, const struct quiet *quiet)
{
	const struct graph *graph = &survey->bundle->graph;
	const struct node *nodes = survey->bundle->workflow.nodes;
	const struct quiet_text *note = &quiet->note;
	size_t at = 0;

	for (size_t k = 0; k < graph->n && at < note->nnodes; k++) {
		struct glimpse *glimpse = &survey->glimpses[graph->order[k]];

		if (!span_eq(nodes[graph->order[k]].id, note->nodes[at].id))
			continue;
		glimpse->noted = &note->nodes[at];
		glimpse->was_same = at < quiet->nsame;
		at++;
	}
	survey->was_whole = note->is_whole;
	buf_add(&survey->programs, note->programs);
	survey->noted_programs = note->programs;
	survey->are_programs_same = true; /* or there would be no note */
}

static void
list_env(
    struct quiet_text *text, struct arena *arena, const struct bundle *bundle)
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
    const struct given_input *given, size_t ngiven, const struct quiet *quiet)
{
	struct arena *arena = work->arena;
	struct quiet_survey *survey = arena_array(arena, 1, sizeof(*survey));

	survey->work = work;
	survey->bundle = bundle;
	survey->given = given;
	survey->ngiven = ngiven;
	survey->glimpses =
	    arena_array(arena, bundle->graph.n, sizeof(*survey->glimpses));
	survey->known = map_new(arena, 4);
	survey->programs = buf_new(arena, 512);
	survey->text.flow = bundle->source.stages;
	list_env(&survey->text, arena, bundle);
	survey->text.circumstances = circumstances(work, &bundle->source, given,
	    ngiven, survey->text.env, survey->text.nenv);
	/* The workflow may have been changed meanwhile. */
	if (quiet->is_known &&
	    digest_eq(&quiet->note.circumstances, &survey->text.circumstances))
		take_note(survey, quiet);
	return survey;
}

/* ---- its turn ---- */

/* Is its output not used, and does it use no output of others? */
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

/* Are all programs as noted, and does PATH find the same ones? */
static bool
look_at_programs(const struct quiet_survey *survey)
{
	const struct quiet_text *text = &survey->text;
	struct digest now = circumstances(survey->work, &survey->bundle->source,
	    survey->given, survey->ngiven, text->env, text->nenv);

	return digest_eq(&now, &text->circumstances) &&
	       are_same(survey->work, text->flow, survey->noted_programs);
}

/*
 * A node of this run may have made a program.  They are looked at again only if
 * a node has done something since they were.
 */
static bool
are_programs_same(struct quiet_survey *survey)
{
	if (survey->is_programs_look_due && survey->are_programs_same)
		survey->are_programs_same = look_at_programs(survey);
	survey->is_programs_look_due = false;
	return survey->are_programs_same;
}

static bool
is_as_noted(struct quiet_survey *survey, const struct glimpse *glimpse)
{
	if (glimpse->noted == NULL)
		return false;
	if (glimpse->was_same && !survey->has_stirred)
		return true;
	return are_programs_same(survey) &&
	       are_same(survey->work, survey->text.flow, glimpse->noted->files);
}

bool
quiet_passes(struct quiet_survey *survey, struct flow_run *run, size_t i,
    uint64_t *created_ms)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct glimpse *glimpse = &survey->glimpses[i];
	struct buf files;

	glimpse->is_same = is_as_noted(survey, glimpse);
	if (glimpse->is_same) {
		*created_ms = glimpse->noted->created_ms;
		return stands_alone(run, i) && ended_well(run, node->id);
	}
	files = buf_new(survey->work->arena, 256);
	glimpse->seen = (struct quiet_node){.id = node->id, .files = SPAN("")};
	if (see(survey, node, &files))
		glimpse->seen.files = buf_span(&files);
	return false;
}

void
quiet_stirs(struct quiet_survey *survey)
{
	if (survey != NULL)
		survey->has_stirred = survey->is_programs_look_due = true;
}

/* ---- noting ---- */

/*
 * What is to be noted about node I; NULL unless it had nothing to do or to
 * read.
 */
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
		return glimpse->noted;
	if (node->verdict.aged)
		glimpse->seen.created_ms = now - node->verdict.age_ms;
	return glimpse->seen.files.n > 0 ? &glimpse->seen : NULL;
}

void
quiet_leave(const struct quiet_survey *survey, struct flow_run *run)
{
	const struct graph *graph = &run->bundle->graph;
	size_t last = graph->n - 1;
	struct quiet_text text;
	uint64_t now = clock_now();
	bool is_news = false;

	if (survey == NULL) {
		if (run->failed && run->engine->options.mode == ENGINE_RUN)
			session_drop_note(&run->session);
		return;
	}
	text = survey->text;
	text.programs = buf_span(&survey->programs);
	text.is_whole = true;
	text.nodes =
	    arena_array(survey->work->arena, graph->n, sizeof(*text.nodes));
	for (size_t k = 0; k < graph->n; k++) {
		size_t i = graph->order[k];
		const struct quiet_node *node = glimpse_of(survey, run, i, now);

		text.is_whole = text.is_whole && node != NULL;
		is_news = is_news || node == &survey->glimpses[i].seen;
		/*
		 * It still holds that with those files there is nothing to do.
		 */
		if (node == NULL)
			node = survey->glimpses[i].noted;
		if (node != NULL)
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
