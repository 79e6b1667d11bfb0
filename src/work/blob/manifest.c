#include "work/blob/manifest.h"

#include <stdlib.h>

#include "base/scope.h"

void
manifest_add(struct arena *arena, struct manifest *manifest,
    const struct manifest_file *file)
{
	manifest->files = arena_more(arena, manifest->files, manifest->n,
	    &manifest->room, sizeof(*manifest->files));
	manifest->files[manifest->n++] = *file;
}

static int
by_path(const void *a, const void *b)
{
	return span_compare(((const struct manifest_file *)a)->path,
	    ((const struct manifest_file *)b)->path);
}

void
manifest_sort(struct manifest *manifest)
{
	if (manifest->n > 1)
		qsort(manifest->files, manifest->n, sizeof(*manifest->files),
		    by_path);
}

bool
manifest_comes_back(const struct manifest *manifest)
{
	for (size_t i = 0; i < manifest->n; i++)
		switch (manifest->files[i].mark) {
		case MANIFEST_FILE:
		case MANIFEST_PROGRAM:
		case MANIFEST_PRIVATE:
		case MANIFEST_PRIVATE_PROGRAM:
			break;
		case MANIFEST_LINK:
		case MANIFEST_EMPTY:
			return false;
		}
	return true;
}

/* ---- writing ---- */

static void
write_path(struct buf *out, struct span path)
{
	for (size_t i = 0; i < path.n; i++)
		switch (path.p[i]) {
		case '\\':
			buf_str(out, "\\\\");
			break;
		case '\n':
			buf_str(out, "\\n");
			break;
		default:
			buf_char(out, path.p[i]);
		}
}

struct span
manifest_write(struct arena *arena, const struct manifest *manifest)
{
	struct buf out = buf_new(arena, 128 * manifest->n + 1);
	char hex[DIGEST_HEX + 1];

	for (size_t i = 0; i < manifest->n; i++) {
		const struct manifest_file *file = &manifest->files[i];

		digest_hex(&file->hash, hex);
		buf_str(&out, hex);
		buf_char(&out, ' ');
		buf_u64(&out, file->size);
		buf_char(&out, ' ');
		buf_char(&out, (char)file->mark);
		buf_char(&out, ' ');
		write_path(&out, file->path);
		buf_char(&out, '\n');
	}
	return buf_span(&out);
}

/* ---- reading ---- */

/*
 * Take the text before the first C off TEXT, and C too.  False if there is no
 * C.
 */
static bool
take_until(struct span *text, char c, struct span *part)
{
	const char *end = memchr(text->p, c, text->n);

	if (end == NULL)
		return false;
	*part = (struct span){text->p, (size_t)(end - text->p)};
	*text = span_from(*text, part->n + 1);
	return true;
}

static bool
read_path(struct arena *arena, struct span text, struct span *path)
{
	struct buf out = buf_new(arena, text.n + 1);

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (c == '\0')
			return false;
		if (c == '\\') {
			i++;
			if (i == text.n ||
			    (text.p[i] != '\\' && text.p[i] != 'n'))
				return false;
			c = text.p[i] == 'n' ? '\n' : '\\';
		}
		buf_char(&out, c);
	}
	*path = buf_span(&out);
	return true;
}

/* Is PATH relative, without empty components, "." and ".."? */
static bool
stays_below(struct span path)
{
	struct span step;
	bool more = true;

	while (more) {
		more = take_until(&path, '/', &step);
		if (!more)
			step = path;
		if (step.n == 0 || span_eq(step, SPAN(".")) ||
		    span_eq(step, SPAN("..")))
			return false;
	}
	return true;
}

static bool
read_mark(struct span text, enum manifest_mark *mark)
{
	static const enum manifest_mark marks[] = {MANIFEST_FILE,
	    MANIFEST_PROGRAM, MANIFEST_PRIVATE, MANIFEST_PRIVATE_PROGRAM};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (text.n == 1 && text.p[0] == (char)marks[i]) {
			*mark = marks[i];
			return true;
		}
	return false;
}

static bool
read_file(struct arena *arena, struct span line, struct manifest_file *file)
{
	struct span hash, size, mark;

	if (!take_until(&line, ' ', &hash) || !take_until(&line, ' ', &size) ||
	    !take_until(&line, ' ', &mark) ||
	    !digest_parse(hash, &file->hash) ||
	    !number_parse(size, &file->size))
		return false;
	return read_mark(mark, &file->mark) &&
	       read_path(arena, line, &file->path) && stays_below(file->path);
}

bool
manifest_parse(struct arena *arena, struct span text, struct manifest *manifest)
{
	struct manifest_file file;
	struct span line;

	*manifest = (struct manifest){0};
	while (text.n > 0) {
		if (!take_until(&text, '\n', &line) ||
		    !read_file(arena, line, &file))
			return false;
		if (manifest->n > 0 &&
		    span_compare(
			manifest->files[manifest->n - 1].path, file.path) >= 0)
			return false;
		manifest_add(arena, manifest, &file);
	}
	return true;
}
