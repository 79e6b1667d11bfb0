#include "os/user.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

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
