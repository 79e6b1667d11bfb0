/* Workflow files: check them, save them under a name, clear their sessions. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/beneath.h"
#include "base/beside.h"
#include "base/write_all.h"
#include "cli/commands.h"
#include "cli/flow.h"

int
cli_flow_validate(struct flow_task *task)
{
	int status = cli_flow_open(task, task->arguments->names[0], DIR_LOOK);

	if (status != CLI_OK)
		return status;
	if (task->cli->json) {
		buf_str(&task->cli->out, "{\"valid\":true,\"nodes\":");
		buf_u64(&task->cli->out, task->bundle->graph.n);
		buf_str(&task->cli->out, "}\n");
	} else {
		cli_text(task->cli, task->bundle->source.shown);
		buf_str(&task->cli->out, ": valid, ");
		amount_count(&task->cli->out, task->bundle->graph.n, "node");
		buf_char(&task->cli->out, '\n');
	}
	return CLI_OK;
}

/* Write NAME in DIR, if it does not exist yet.  False: see errno. */
static bool
put_new(int dir, const char *name, struct span text)
{
	int fd = openat(dir, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	bool written;
	int error;

	if (fd < 0)
		return false;
	written = write_all(fd, text);
	error = errno;
	(void)close(fd);
	if (!written)
		(void)unlinkat(dir, name, 0);
	errno = error;
	return written;
}

/* Replace NAME in DIR; other names of the old file keep its content. */
static bool
put_over(struct arena *arena, int dir, const char *name, struct span text)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    !S_ISREG(st.st_mode)) {
		errno = ENOTSUP;
		return false;
	}
	return beside_put(arena, dir, name, text);
}

/*
 * Write the workflow to PATH, below the project.  A link on the way may have
 * come with the project, and must not lead out of it.  False: see errno.
 */
static bool
put_saved(struct flow_task *task, struct span path)
{
	struct arena *arena = task->cli->arena;
	struct span text = task->bundle->source.text;
	int root = open(arena_cstr(arena, task->root),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct beneath place;

	if (root < 0)
		return false;
	arena_own_fd(arena, root);
	if (!beneath_go(arena, root, span_from(path, task->root.n + 1),
		BENEATH_MAKE, &place))
		return false;
	arena_own_fd(arena, place.dir);
	return task->given->force
		   ? put_over(arena, place.dir, place.name, text)
		   : put_new(place.dir, place.name, text);
}

static int
write_saved(struct flow_task *task, struct span name)
{
	struct arena *arena = task->cli->arena;
	struct span path = source_saved_path(arena, task->root, name);

	if (!put_saved(task, path)) {
		if (errno == EEXIST)
			return cli_unusable(task->cli, arena_cstr(arena, name),
			    "there is a saved workflow of that name; --force "
			    "replaces it.");
		(void)cli_unusable(task->cli, arena_cstr(arena, path),
		    errno == ENOTSUP ? "it is not a regular file, so it is not "
				       "replaced; remove it."
		    : errno == EXDEV || errno == ELOOP || errno == ENOTDIR
			? "a link leads out of the project there; remove it."
			: strerror(errno));
		return CLI_STORE;
	}
	cli_text(task->cli, task->bundle->source.shown);
	buf_str(&task->cli->out, " is saved: readcache flow ");
	buf_add(&task->cli->out, name);
	buf_char(&task->cli->out, '\n');
	return CLI_OK;
}

int
cli_flow_save(struct flow_task *task)
{
	const struct flow_arguments *arguments = task->arguments;
	int status;

	if (arguments->nnames != 2)
		return cli_usage(
		    task->cli, "say which file to save, and under which name.");
	if (!source_name_ok(arguments->names[1]) ||
	    command_action(&cli_flow, arguments->names[1]) >= 0)
		return cli_usage(task->cli,
		    "a saved workflow's name has letters, digits, _, - and "
		    "dots, and is not a command of flow.");
	status = cli_flow_open(task, arguments->names[0], DIR_LOOK);
	if (status == CLI_OK)
		status = write_saved(task, arguments->names[1]);
	return status;
}

/*
 * Remove the kept results of SESSION's nodes.  The result is how many there
 * were.
 */
static size_t
remove_records(struct flow_task *task, const struct flow_session *session)
{
	size_t n = 0;

	for (size_t i = 0; i < session->n; i++)
		n += record_remove(&task->work.records, session->nodes[i].key);
	return n;
}

static int
clear_all(struct flow_task *task)
{
	size_t n;
	int status = cli_flow_open_store(task, DIR_USE);

	if (status != CLI_OK)
		return status;
	n = session_clear_all(&task->opened.store);
	buf_str(&task->cli->out, "cleared ");
	amount_count(&task->cli->out, n, "session");
	buf_char(&task->cli->out, '\n');
	return CLI_OK;
}

int
cli_flow_clear(struct flow_task *task)
{
	const struct flow_arguments *arguments = task->arguments;
	struct source source;
	struct flow_session session;
	const char *why;
	int status;

	if (task->given->all)
		return clear_all(task);
	status = cli_flow_open_store(task, DIR_USE);
	if (status != CLI_OK)
		return status;
	/* A file that is not valid any more still has a session. */
	why = source_load(
	    task->cli->arena, task->root, arguments->names[0], &source);
	if (why != NULL) {
		(void)fprintf(
		    stderr, "readcache: %s\n", cli_visible(task->cli, why));
		return CLI_USAGE;
	}
	session = session_load(&task->opened.store, &source);
	(void)remove_records(task, &session);
	buf_str(&task->cli->out, "cleared ");
	amount_count(&task->cli->out, session_clear(&session), "node");
	buf_char(&task->cli->out, '\n');
	return CLI_OK;
}
