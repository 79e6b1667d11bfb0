#include "os/clone.h"

bool
clone_bytes(int from, int to)
{
	(void)from;
	(void)to;
	return false;
}
