/*
 * entries.h -- what a directory says about its entries, besides their names.
 */
#ifndef READCACHE_OS_ENTRIES_H
#define READCACHE_OS_ENTRIES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * May ENTRY be a symbolic link?  Not every file system says the type of an
 * entry; with the twin none does, and all may be links.
 */
bool entries_may_be_link(const struct dirent *entry);

/*
 * Read the whole directory FD, and call FOUND for every name in it that may be
 * a symbolic link.  The N bytes at ROOM are used meanwhile.  False if that
 * cannot be found out, whatever was found before; with the twin always.
 */
bool entries_links(int fd, char *room, size_t n,
    void (*found)(void *context, const char *name), void *context);

#endif
