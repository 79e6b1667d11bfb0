#include "store/object.h"

#include <stdio.h>

#define PREFIX "sha256-"

void
object_name(const struct digest *hash, char name[OBJECT_NAME])
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hash, hex);
	(void)snprintf(name, OBJECT_NAME, PREFIX "%s.txt", hex);
}

bool
object_parse(const char *name, struct digest *hash)
{
	struct span text = span_str(name);

	if (text.n != OBJECT_NAME - 1 || !span_starts(text, SPAN(PREFIX)))
		return false;
	text = span_from(text, sizeof(PREFIX) - 1);
	return digest_parse((struct span){text.p, DIGEST_HEX}, hash) &&
	    strcmp(text.p + DIGEST_HEX, ".txt") == 0;
}
