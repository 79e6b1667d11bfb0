#include "os/confine.h"

/*
 * POSIX has nothing for it.  A system that has (a sandbox, pledge) gets a file
 * of this name in its folder.
 */
bool
confine(void)
{
	return false;
}

bool
confine_works(void)
{
	return false;
}
