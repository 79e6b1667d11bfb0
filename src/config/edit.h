/*
 * edit.h -- change one setting in the user's file.
 */
#ifndef READCACHE_CONFIG_EDIT_H
#define READCACHE_CONFIG_EDIT_H

#include "base/arena.h"

/*
 * Set NAME in the settings file PATH to the string VALUE, or remove it if
 * value.p is NULL.  Everything else in the file keeps its value.  The file and
 * the directories above it are made if needed; a link is followed.  NULL on
 * success; otherwise a sentence that says why nothing was changed.
 */
const char *config_edit(
    struct arena *arena, struct span path, const char *name, struct span value);

/*
 * Set NAME in the settings TEXT to the string VALUE, or remove it if value.p is
 * NULL.  Returns the new text; NULL if TEXT is not a JSON object.  No file is
 * touched.
 */
const struct span *config_edit_text(
    struct arena *arena, struct span text, const char *name, struct span value);

#endif
