/*
 * edit.h -- one setting in the user's file.
 */
#ifndef READCACHE_CONFIG_EDIT_H
#define READCACHE_CONFIG_EDIT_H

#include "base/arena.h"

/*
 * Set NAME in the settings file PATH to the string VALUE, or remove it (p is
 * NULL); everything else in it stays as it is.  The file and the directories
 * above it are made if need be; a link is followed.  NULL; or a sentence that
 * says why nothing was changed.
 */
const char *config_edit(
    struct arena *arena, struct span path, const char *name, struct span value);

/* The same for a text; NULL if it is no JSON object.  Pure. */
const struct span *config_edit_text(
    struct arena *arena, struct span text, const char *name, struct span value);

#endif
