#include "cli/session.h"

#include <errno.h>

#include "cli/progress.h"
#include "host/host.h"

bool
cli_session(struct cli *cli, struct arena *arena, const char *file,
    struct index *index)
{
	struct progress progress = progress_begin(file);
	enum index_open opened;

	errno = 0;
	opened = host->index(arena, span_str(file), progress_tell, &progress,
	    index);
	progress_end(&progress);
	switch (opened) {
	case INDEX_OK:
		return true;
	case INDEX_CANNOT_READ:
		(void)cli_unusable(cli, file,
		    errno != 0 ? strerror(errno) : "it is not a regular file");
		break;
	case INDEX_NO_SESSION:
		(void)cli_unusable(cli, file,
		    host->no_session);
		break;
	}
	return false;
}

uint32_t
cli_leaf(struct cli *cli, const struct index *index, const char *file,
    const char *id)
{
	uint32_t leaf = id != NULL ? index_find(index, span_str(id))
				   : index_last(index);

	if (leaf == NODE_NONE)
		(void)cli_unusable(cli, file,
		    id != NULL ? "it has no such entry, or more than one"
			       : "it has no entries");
	return leaf;
}
