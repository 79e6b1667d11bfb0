#include "os/fold.h"

#include <fnmatch.h>
#include <limits.h>
#include <string.h>

/* TEXT in small letters.  False if it is too long for any file's name. */
static bool
fold(const char *text, char room[PATH_MAX])
{
	size_t n = strlen(text);

	if (n >= PATH_MAX)
		return false;
	for (size_t i = 0; i <= n; i++)
		room[i] = text[i] >= 'A' && text[i] <= 'Z'
			      ? (char)(text[i] - 'A' + 'a')
			      : text[i];
	return true;
}

bool
fold_match(const char *glob, const char *text, enum fold_what what)
{
	char small_glob[PATH_MAX], small[PATH_MAX];

	if (!fold(glob, small_glob) || !fold(text, small))
		return false;
	if (fnmatch(small_glob, small, 0) == 0)
		return true;
	for (char *slash = strrchr(small, '/');
	     what == FOLD_ABOVE && slash != NULL; slash = strrchr(small, '/')) {
		*slash = '\0';
		if (fnmatch(small_glob, small, 0) == 0)
			return true;
	}
	return false;
}
