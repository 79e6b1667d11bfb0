#include "stage/work.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "finger/git.h"
#include "path/project.h"
#include "stage/lockfile.h"

bool
work_open(struct work *work, struct arena *arena, struct store *store,
    struct span root, enum dir_want want)
{
	*work = (struct work){
	    .arena = arena,
	    .store = store,
	    .root = root,
	    .kept = where_of(arena, root, store->root, WHERE_LEADS),
	    .top = open(
		arena_cstr(arena, root), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	    .modes = checkout_default(),
	    .flow = SPAN(""),
	    .locks = -1,
	};
	if (work->top < 0)
		return false;
	work->project = project_around(arena, work->kept.name, root);
	work->state = state_open(store, want);
	work->hasher = (struct hasher){.arena = arena, .state = work->state};
	work->look = content_look(&work->hasher, store);
	work->records = records_in(store);
	work->use = want == DIR_LOOK ? RECORD_LOOK : RECORD_USE;
	return true;
}

void
work_close(struct work *work)
{
	(void)state_flush(work->state);
	state_close(work->state);
	work->state = NULL;
	(void)close(work->top);
	work->top = -1;
}

/* Git is asked once, and only by those who share a store. */
static bool
knows_first(struct work *work)
{
	if (work->first_state == FIRST_UNASKED)
		work->first_state =
		    git_first(work->store->arena, work->project,
			&work->first)
			? FIRST_KNOWN
			: FIRST_NONE;
	return work->first_state == FIRST_KNOWN;
}

struct span
work_called(struct work *work, struct span dir)
{
	struct buf called;

	if (work->project.n == 0 ||
	    project_has_store(work->project, work->kept.name))
		return project_place(work->project, dir);
	if (!knows_first(work))
		return dir;
	called = buf_new(work->arena, dir.n + work->first.n + 2);
	buf_add(&called, work->first);
	buf_char(&called, ':');
	buf_add(&called, project_place(work->project, dir));
	return buf_span(&called);
}

int
work_locks(struct work *work, struct span flow, enum dir_want want)
{
	if (work->locks >= 0 && span_eq(work->flow, flow))
		return work->locks;
	arena_close_fd(work->store->arena, work->locks);
	work->flow = flow;
	work->locks = lockfile_dir(work->store, flow, want);
	return work->locks;
}
