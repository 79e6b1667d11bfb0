#include "os/user.h"

#include <limits.h>
#include <pwd.h>
#include <stddef.h>
#include <unistd.h>

const char *
user_home(void)
{
	static _Thread_local char line[2 * PATH_MAX];
	struct passwd entry, *user = NULL;

	if (getpwuid_r(geteuid(), &entry, line, sizeof(line), &user) != 0)
		return NULL;
	return user != NULL ? user->pw_dir : NULL;
}
