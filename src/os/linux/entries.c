#include "os/entries.h"

#include <sys/syscall.h>
#include <unistd.h>

bool
entries_may_be_link(const struct dirent *entry)
{
	return entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
}

bool
entries_links(int fd, char *room, size_t size,
    void (*found)(void *context, const char *name), void *context)
{
	ssize_t n;

	while ((n = getdents64(fd, room, size)) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *entry =
			    (const void *)(room + at);

			if (entry->d_type == DT_LNK ||
			    entry->d_type == DT_UNKNOWN)
				found(context, entry->d_name);
			at += entry->d_reclen;
		}
	return n == 0;
}
