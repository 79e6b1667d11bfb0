/*
 * visible.h -- foreign text for a terminal.
 *
 * Names, keys and messages that others have written may hold what a terminal
 * takes for commands, or what makes a line read otherwise than it is.
 */
#ifndef READCACHE_BASE_VISIBLE_H
#define READCACHE_BASE_VISIBLE_H

#include "base/buf.h"

/*
 * S with all of that spelled out: bytes that are no UTF-8 and controls (C0,
 * but for the tab, and DEL) as \x1b; controls of C1, marks that turn the
 * direction of writing, separators of lines and what cannot be seen (of no
 * width, tags) as \u{202e}.
 */
void visible_add(struct buf *out, struct span s);

#endif
