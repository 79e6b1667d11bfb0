#include "work/workflow/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/slurp.h"
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
		(void)snprintf((char *)chance, sizeof(chance), "%lx",
		    (long)getpid());
	for (size_t i = 0; i < sizeof(chance); i++)
		(void)snprintf(word + 2 * i, 3, "%02x", chance[i]);
}

void
journal_first(const struct store *store, const char *name,
    char word[JOURNAL_WORD + 1])
{
	const struct span parts[] = {SPAN("journal"),
	    {store->id, STORE_ID_HEX}, span_str(name)};
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

bool
journal_read(struct arena *arena, int dir, const char *word,
    struct journal_lines *lines)
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
	(void)close(fd);
	return ours;
}

/*
 * Add LINES to the journal FD with the facts ST, in DIR.  *NEXT is where it
 * then ends.
 */
static bool
append(struct store *store, int dir, int fd, const struct stat *st,
    struct span lines, uint64_t *next)
{
	struct buf text = buf_new(store->arena, lines.n + 1);
	char last;

	*next = (uint64_t)st->st_size;
	/* A line that was cut short must not swallow the next one. */
	if (!slurp_at(fd, &last, 1, *next - 1) || last != '\n')
		buf_char(&text, '\n');
	buf_add(&text, lines);
	*next += buf_span(&text).n;
	return file_is_alone(dir, FILE_NAME, st) &&
	       write_all(fd, buf_span(&text));
}

static bool
replace(
    struct store *store, int dir, const char *word, struct span lines)
{
	struct buf text = buf_new(store->arena, lines.n + HEAD);

	buf_str(&text, word);
	buf_char(&text, '\n');
	buf_add(&text, lines);
	return place_file(store, dir, FILE_NAME, buf_span(&text), FILE_MODE);
}

bool
journal_add(struct store *store, int dir, const char *word, struct span lines,
    uint64_t *next)
{
	int fd = open_it(dir, O_RDWR | O_APPEND);
	struct stat st;
	bool done;

	if (fd >= 0 && continues(fd, word, &st)) {
		done = append(store, dir, fd, &st, lines, next);
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
