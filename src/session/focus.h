/*
 * focus.h -- the file that is asked about, and who may mean it.
 */
#ifndef READCACHE_SESSION_FOCUS_H
#define READCACHE_SESSION_FOCUS_H

#include "base/digest.h"
#include "base/span.h"

/*
 * The file that somebody asks about; if path is empty, every file.  BYTES and
 * their HASH save hashing a stored text that is equal to them.
 */
struct focus {
	struct span path, name;
	struct span bytes;
	struct digest hash;
	bool texts_left_out; /* the host may leave out texts that it checked */
};

/* The last component of PATH, without a range after it. */
struct span focus_part(struct span path);

/*
 * Is focus_part the last name of the file that PATH, as written in a call,
 * leads to?  Not if the host reads more into it: an @, a URL, other blanks, an
 * apostrophe, dots.
 */
bool focus_part_is_name(struct span path);

/*
 * May ASKED, the path in a call, lead to the file in focus?  Not if its last
 * name is another one.
 */
bool focus_asked(const struct focus *focus, struct span asked);

/*
 * Is the last part of PATH, which a read was recorded with, that of the file in
 * focus?
 */
bool focus_has_part(const struct focus *focus, struct span path);

#endif
