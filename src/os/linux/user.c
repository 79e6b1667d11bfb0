#include "os/user.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __GLIBC__
const char *
user_home(void)
{
	static _Thread_local char line[2 * PATH_MAX];
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd entry, *user = NULL;

	if (file == NULL)
		return NULL;
	while (fgetpwent_r(file, &entry, line, sizeof(line), &user) == 0 &&
	       user->pw_uid != geteuid())
		;
	(void)fclose(file);
	return user != NULL ? user->pw_dir : NULL;
}
#else
/* musl asks the same file, and loads no libraries. */
const char *
user_home(void)
{
	static _Thread_local char line[2 * PATH_MAX];
	struct passwd entry, *user = NULL;

	if (getpwuid_r(geteuid(), &entry, line, sizeof(line), &user) != 0)
		return NULL;
	return user != NULL ? user->pw_dir : NULL;
}
#endif
