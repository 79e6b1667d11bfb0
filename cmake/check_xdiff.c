/*
 * Run at configure time: does the library make the diff it should through
 * the types of xdiff_abi.h?  Exit status 0 if so.
 */
#include "diff/xdiff_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef XDIFF_FROM_LIBGIT2
static void *
take(size_t n, const char *file, int line)
{
	(void)file, (void)line;
	return malloc(n);
}

static void *
resize(void *p, size_t n, const char *file, int line)
{
	(void)file, (void)line;
	return realloc(p, n);
}

static void
leave(void *p)
{
	free(p);
}

#include "diff/xdiff_table.h"
#endif

static int functions_asked;

static long
find_function(const char *line, long size, char *out, long out_size,
    void *context)
{
	(void)line, (void)size, (void)out_size, (void)context;
	functions_asked++;
	memcpy(out, "name", 4);
	return 4;
}

static char text[1024];

static int
take_line(void *context, struct xdiff_text *pieces, int count)
{
	(void)context;
	for (int i = 0; i < count; i++)
		strncat(text, pieces[i].ptr, (size_t)pieces[i].size);
	return 0;
}

int
main(void)
{
	char old_text[] = "f\n1\n2\n3\n4\n5\n6\nend";
	char new_text[] = "f\n1\n2\n3\n4\n5\nsix\nend\n";
	const char *expected = "@@ -4,5 +4,5 @@ name\n 3\n 4\n 5\n-6\n-end\n"
			       "\\ No newline at end of file\n+six\n+end\n";
	struct xdiff_text a = {old_text, (long)strlen(old_text)};
	struct xdiff_text b = {new_text, (long)strlen(new_text)};
	struct xdiff_how how = {
	    .flags = XDIFF_HISTOGRAM | XDIFF_INDENT_HEURISTIC};
	struct xdiff_emit emit = {.context_lines = 3,
	    .flags = XDIFF_EMIT_FUNCTIONS,
	    .find_function = find_function};
	struct xdiff_out out = {.line = take_line};

	if (XDIFF_ENTRY(&a, &b, &how, &emit, &out) != 0)
		return 1;
	return strcmp(text, expected) == 0 && functions_asked > 0 ? 0 : 2;
}
