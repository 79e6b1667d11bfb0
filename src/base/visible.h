/*
 * visible.h -- foreign text for a terminal.
 *
 * Names, keys and messages that others have written may contain characters that
 * a terminal takes for commands, or that make a line look different from what
 * it says.
 */
#ifndef READCACHE_BASE_VISIBLE_H
#define READCACHE_BASE_VISIBLE_H

#include "base/buf.h"

/*
 * Append S with such characters spelled out.  As \x1b: bytes that are not
 * UTF-8, DEL, and the controls below 0x20 except the tab.  As \u{202e}: the C1
 * controls, marks that change the direction of writing, line separators, and
 * invisible characters (of zero width, tags).
 */
void visible_add(struct buf *out, struct span s);

#endif
