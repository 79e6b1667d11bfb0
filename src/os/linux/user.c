#include "os/user.h"

#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

const char *
user_home(void)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user = NULL;

	if (file == NULL)
		return NULL;
	while ((user = fgetpwent(file)) != NULL && user->pw_uid != geteuid())
		;
	(void)fclose(file);
	return user != NULL ? user->pw_dir : NULL;
}
