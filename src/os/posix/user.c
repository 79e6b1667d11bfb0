#include "os/user.h"

#include <pwd.h>
#include <stddef.h>
#include <unistd.h>

const char *
user_home(void)
{
	const struct passwd *user = getpwuid(geteuid());

	return user != NULL ? user->pw_dir : NULL;
}
