#include "work/workflow/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/lines.h"
#include "base/slurp.h"
#include "base/tag.h"
#include "base/write_all.h"
#include "os/random.h"
#include "store/file.h"
#include "store/place.h"

#define FILE_NAME "journal"
#define FILE_MODE 0600
#define LINES_MAX ((uint64_t)256 * 1024 * 1024)

enum { HEAD = JOURNAL_WORD + 1 }; /* the word and a newline */

void
journal_word(char word[JOURNAL_WORD + 1])
{
	unsigned char chance[JOURNAL_WORD / 2] = {0};

	/* Without randomness the pid makes the word unique. */
	if (!random_fill(chance, sizeof(chance)))
		(void)snprintf(
		    (char *)chance, sizeof(chance), "%lx", (long)getpid());
	for (size_t i = 0; i < sizeof(chance); i++)
		(void)snprintf(word + 2 * i, 3, "%02x", chance[i]);
}

void
journal_first(
    const struct store *store, const char *name, char word[JOURNAL_WORD + 1])
{
	const struct span parts[] = {
	    SPAN("journal"), {store->id, STORE_ID_HEX}, span_str(name)};
	struct digest mac;

	memset(word, '0', JOURNAL_WORD);
	word[JOURNAL_WORD] = '\0';
	if (!store->guarded)
		return;
	mac = mac_of(store->key, parts, sizeof(parts) / sizeof(parts[0]));
	hex_write(mac.bytes, JOURNAL_WORD / 2, word);
}

static int
open_it(int dir, int flags)
{
	return openat(dir, FILE_NAME, flags | FILE_SAFELY);
}

/* Is FD a journal with WORD?  *ST gets its facts. */
static bool
continues(int fd, const char *word, struct stat *st)
{
	char head[HEAD];

	/* A file with a second name may be somebody's. */
	return fstat(fd, st) == 0 && file_is_ours(st) && st->st_nlink == 1 &&
	       slurp_at(fd, head, HEAD, 0) &&
	       memcmp(head, word, JOURNAL_WORD) == 0 &&
	       head[JOURNAL_WORD] == '\n';
}

/* Read the complete lines of FD, which has SIZE bytes. */
static void
read_lines(
    struct arena *arena, int fd, uint64_t size, struct journal_lines *lines)
{
	char *text;
	size_t n;

	if (size <= lines->next || size - lines->next > LINES_MAX)
		return;
	n = (size_t)(size - lines->next);
	text = arena_alloc(arena, n);
	if (!slurp_at(fd, text, n, lines->next))
		return;
	/* The last line may still be being written. */
	while (n > 0 && text[n - 1] != '\n')
		n--;
	lines->text = (struct span){text, n};
	lines->next += n;
}

/* ---- the tag of a line ---- */

/* A blank and the digits, before the newline. */
enum { TAG_TEXT = 1 + 2 * sizeof(struct tag) };

/* The key of the tags in the journal with WORD. */
static struct tag
line_key(const struct store *store, const char *word)
{
	const struct span parts[] = {
	    SPAN("journal line"), {store->id, STORE_ID_HEX}, span_str(word)};
	struct digest mac =
	    mac_of(store->key, parts, sizeof(parts) / sizeof(parts[0]));
	struct tag key;

	memcpy(&key, mac.bytes, sizeof(key));
	return key;
}

static void
write_tag(struct tag key, struct span line, char text[TAG_TEXT])
{
	struct tag tag = tag_of(key, line);

	text[0] = ' ';
	hex_write((const uint8_t *)&tag, sizeof(tag), text + 1);
}

/* LINES, each with its tag.  In a store without seals there are none. */
static struct span
tag_lines(struct arena *arena, const struct store *store, const char *word,
    struct span lines)
{
	struct buf text;
	struct tag key;

	if (!store->guarded)
		return lines;
	key = line_key(store, word);
	text = buf_new(arena, lines.n + lines_count(lines) * TAG_TEXT);
	while (lines.n > 0) {
		struct span line = lines_take(&lines);
		char tag[TAG_TEXT];

		write_tag(key, line, tag);
		buf_add(&text, line);
		buf_add(&text, (struct span){tag, TAG_TEXT});
		buf_char(&text, '\n');
	}
	return buf_span(&text);
}

/* Remove the tag of LINE.  False if it is needed, but missing or wrong. */
static bool
take_tag(const struct store *store, struct tag key, struct span *line)
{
	struct span bare = {line->p, line->n - TAG_TEXT};
	char right[TAG_TEXT];

	if (line->n < TAG_TEXT || bare.p[bare.n] != ' ' ||
	    !digest_is_hex(span_from(*line, bare.n + 1), TAG_TEXT - 1))
		return !store->guarded;
	if (store->guarded) {
		write_tag(key, bare, right);
		if (memcmp(right, bare.p + bare.n, TAG_TEXT) != 0)
			return false;
	}
	*line = bare;
	return true;
}

/* Keep, in place, the lines of TEXT that we have written, without their tags.
 */
static struct span
open_lines(const struct store *store, const char *word, struct span text)
{
	struct tag key = {0, 0};
	char *to = (char *)(uintptr_t)text.p;
	const char *end;
	size_t n = 0;

	if (store->guarded && (!store->keyed || store->owner != OWNER_OURS))
		return SPAN("");
	if (store->guarded)
		key = line_key(store, word);
	while ((end = memchr(text.p, '\n', text.n)) != NULL) {
		struct span line = {text.p, (size_t)(end - text.p)};

		text = span_from(text, line.n + 1);
		if (!take_tag(store, key, &line))
			continue;
		(void)memmove(to + n, line.p, line.n);
		n += line.n;
		to[n++] = '\n';
	}
	return (struct span){to, n};
}

/* ---- reading and writing ---- */

bool
journal_read(struct arena *arena, const struct store *store, int dir,
    const char *word, struct journal_lines *lines)
{
	int fd = open_it(dir, O_RDONLY);
	struct stat st;
	bool ours;

	lines->text = SPAN("");
	lines->next = lines->from > 0 ? lines->from : HEAD;
	if (fd < 0)
		return true;
	ours = continues(fd, word, &st);
	if (ours)
		read_lines(arena, fd, (uint64_t)st.st_size, lines);
	lines->text = open_lines(store, word, lines->text);
	(void)close(fd);
	return ours;
}

/*
 * Add LINES to the journal FD with the facts ST, in DIR.  *NEXT is where it
 * then ends.
 */
static bool
append(int dir, int fd, const struct stat *st, struct span lines,
    uint64_t *next)
{
	/* A line that was cut short must not swallow the next one. */
	struct span end = SPAN("\n");
	char last;

	if (slurp_at(fd, &last, 1, (uint64_t)st->st_size - 1) && last == '\n')
		end = SPAN("");
	*next = (uint64_t)st->st_size + end.n + lines.n;
	return file_is_alone(dir, FILE_NAME, st) && write_all(fd, end) &&
	       write_all(fd, lines);
}

static bool
replace(struct store *store, int dir, const char *word, struct span lines)
{
	char head[HEAD];
	const struct span pieces[] = {{head, HEAD}, lines};

	memcpy(head, word, JOURNAL_WORD);
	head[JOURNAL_WORD] = '\n';
	return place_pieces(store, dir, FILE_NAME, pieces, 2, FILE_MODE);
}

bool
journal_add(struct arena *arena, struct store *store, int dir,
    const char *word, struct span lines, uint64_t *next)
{
	int fd = open_it(dir, O_RDWR | O_APPEND);
	struct stat st;
	bool done;

	lines = tag_lines(arena, store, word, lines);
	if (fd >= 0 && continues(fd, word, &st)) {
		done = append(dir, fd, &st, lines, next);
	} else {
		done = replace(store, dir, word, lines);
		*next = HEAD + lines.n;
	}
	if (fd >= 0)
		(void)close(fd);
	return done;
}

void
journal_remove(int dir)
{
	(void)unlinkat(dir, FILE_NAME, 0);
}
