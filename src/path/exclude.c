#include "path/exclude.h"

#include <fnmatch.h>

static const char *const patterns[] = {
	".env*", "*.pem", "*.key", "*.p12", "*.pfx", "*.crt", "*.cer", "*.der",
	"*.pk8", "id_rsa", "id_ed25519", ".npmrc", ".netrc",
};

bool
exclude_matches(struct arena *arena, struct span path)
{
	const char *slash = memrchr(path.p, '/', path.n);
	size_t from = slash != NULL ? (size_t)(slash - path.p) + 1 : 0;
	const char *name = arena_cstr(arena, span_from(path, from));

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (fnmatch(patterns[i], name, FNM_CASEFOLD) == 0)
			return true;
	return false;
}
