/*
 * ranges.h -- locks on ranges of bytes of a file.
 *
 * They belong to the open file: its copies (dup, a descriptor that was sent to
 * another process) hold them too, a second open of the same file does not. They
 * end with the last copy.  Nothing needs to be at those bytes.
 *
 * POSIX.1-2008 has no such locks.  The twin cannot lock anything: whoever needs
 * a lock there has flock only.
 */
#ifndef READCACHE_OS_RANGES_H
#define READCACHE_OS_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum range_kind { RANGE_SHARED, RANGE_EXCLUSIVE };

/* Not beyond the largest offset of a file, 2^63 - 1. */
struct byte_range {
	uint64_t start, length;
	enum range_kind kind;
};

enum range_wait { RANGE_TRY, RANGE_WAIT };

/*
 * Lock RANGE of the file FD, which is open for reading and writing.  0, or an
 * errno: EAGAIN if it is not free and WAIT is RANGE_TRY; EINTR if a signal came
 * first; ENOSYS with the twin.
 */
int ranges_lock(int fd, const struct byte_range *range, enum range_wait wait);

/*
 * Find a lock of another open file by which RANGE cannot be locked.  False if
 * there is none, or if the system does not say.
 */
bool ranges_find(
    int fd, const struct byte_range *range, struct byte_range *found);

/* Give up all locks of FD and its copies. */
void ranges_unlock(int fd);

/*
 * Does the process PID have a lock on the file FD that begins at START?  Also
 * true if the system does not say.
 */
bool ranges_has(int fd, long pid, uint64_t start);

#endif
