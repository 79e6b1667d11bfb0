#include "os/fold.h"

#include <fnmatch.h>

bool
fold_match(const char *glob, const char *text, enum fold_what what)
{
	int above = what == FOLD_ABOVE ? FNM_LEADING_DIR : 0;

	return fnmatch(glob, text, FNM_CASEFOLD | above) == 0;
}
