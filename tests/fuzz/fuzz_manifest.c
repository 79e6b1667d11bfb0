/*
 * Manifests, and what a lock says a path holds: "CONTENT NUL MANIFEST".  What
 * is taken is what would be written, and no name in it leads elsewhere.
 */
#include "fuzz.h"

#include "work/blob/content.h"
#include "work/blob/manifest.h"

static void
check_content(struct span text)
{
	char again[CONTENT_TEXT];
	struct content content, second;

	if (!content_parse(text, &content))
		return;
	content_write(&content, again);
	EXPECT(span_eq(span_str(again), text));
	EXPECT(content_parse(span_str(again), &second));
	EXPECT(content_eq(&content, &second));
}

static bool
is_below(struct span path)
{
	if (path.n == 0 || path.p[0] == '/' || span_has(path, '\0'))
		return false;
	do {
		struct span part = fuzz_part(&path, '/');

		if (part.n == 0 || span_eq(part, SPAN(".")) ||
		    span_eq(part, SPAN("..")))
			return false;
	} while (path.n > 0);
	return path.p[-1] != '/';
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span content = fuzz_part(&input, '\0');
	struct manifest manifest;

	check_content(content);
	if (!manifest_parse(arena, input, &manifest))
		return;
	EXPECT(manifest_comes_back(&manifest));
	EXPECT(span_eq(manifest_write(arena, &manifest), input));
	for (size_t i = 0; i < manifest.n; i++) {
		EXPECT(is_below(manifest.files[i].path));
		EXPECT(i == 0 || span_compare(manifest.files[i - 1].path,
				     manifest.files[i].path) < 0);
	}
	manifest_sort(&manifest);
	EXPECT(span_eq(manifest_write(arena, &manifest), input));
}
