#include "work/stage/work.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "path/project.h"
#include "work/stage/lockfile.h"

/* Of many stages, as many excluded outputs are told. */
enum { WITHHELD_TOLD = 10 };

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

struct span
work_called(struct work *work, struct span dir)
{
	struct called called = called_of(work->store->arena, &work->known,
	    work->project, work->kept.name, dir);
	struct buf both;

	if (called.first.p == NULL)
		return called.dir;
	both = buf_new(work->arena, called.first.n + called.dir.n + 2);
	buf_add(&both, called.first);
	buf_char(&both, ':');
	buf_add(&both, called.dir);
	return buf_span(&both);
}

bool
work_shares(const struct work *work)
{
	return work->project.n == 0 ||
	       !project_has_store(work->project, work->kept.name);
}

bool
work_tells_unkept(struct work *work)
{
	return work->nunkept++ == 0 || !work->tells_first;
}

bool
work_tells_lock(struct work *work)
{
	return work->nlocks++ == 0 || !work->tells_first;
}

bool
work_tells_withheld(struct work *work)
{
	return work->nwithheld++ < WITHHELD_TOLD || !work->tells_first;
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
