/*
 * url.h -- file:// URLs in their plain forms.
 */
#ifndef READCACHE_PATH_URL_H
#define READCACHE_PATH_URL_H

#include "path/name.h"

/*
 * The path that URL names; URL begins with file://.  NAME_REFUSED where the
 * host refuses it too.  NAME_UNUSUAL for forms in which a URL parser does more
 * than decode: backslashes, blanks inside, drive letters, user names, ports,
 * numeric hosts.
 */
enum name_status url_to_path(struct arena *arena, struct span url,
    struct span *path, struct name_error *error);

#endif
