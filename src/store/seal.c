#include "store/seal.h"

#include <stdint.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/slurp.h"
#include "store/file.h"
#include "store/place.h"

#define MEMBER ",\"seal\":\""
#define LINE "\nseal "
#define TEXT_MAX ((size_t)256 * 1024 * 1024)
#define TEXT_MODE 0600

/*
 * A text in two parts, with the seal between them.  The second part of a JSON
 * object is its last brace and what follows; of any other text it is empty.
 */
struct sealed_parts {
	struct span front, back;
	bool object;
};

static struct sealed_parts
split(struct span text)
{
	size_t end = text.n;

	while (end > 0 && text.p[end - 1] == '\n')
		end--;
	if (end > 1 && text.p[end - 1] == '}')
		return (struct sealed_parts){
		    {text.p, end - 1}, span_from(text, end - 1), true};
	return (struct sealed_parts){text, SPAN(""), false};
}

static struct digest
mac(const struct store *store, struct seal_name name,
    const struct sealed_parts *parts)
{
	const struct span all[] = {SPAN("seal"), {store->id, STORE_ID_HEX},
	    name.dir, name.below, span_str(name.file), parts->front,
	    parts->back};

	return mac_of(store->key, all, sizeof(all) / sizeof(all[0]));
}

enum { PIECES = 5 };

/*
 * The pieces that make up TEXT with its seal, and how many they are.  HEX is
 * room for the seal's digits.
 */
static size_t
pieces_of(const struct store *store, struct seal_name name, struct span text,
    char hex[DIGEST_HEX + 1], struct span pieces[PIECES])
{
	struct sealed_parts parts = split(text);
	struct digest seal;

	pieces[0] = text;
	if (!store->guarded)
		return 1;
	seal = mac(store, name, &parts);
	digest_hex(&seal, hex);
	pieces[0] = parts.front;
	pieces[1] = parts.object ? SPAN(MEMBER) : SPAN(LINE);
	pieces[2] = span_str(hex);
	pieces[3] = parts.object ? SPAN("\"") : SPAN("\n");
	pieces[4] = parts.back;
	return PIECES;
}

struct span
seal_text(const struct store *store, struct seal_name name, struct span text)
{
	struct buf out = buf_new(store->arena, text.n + 128);
	char hex[DIGEST_HEX + 1];
	struct span pieces[PIECES];
	size_t n = pieces_of(store, name, text, hex, pieces);

	for (size_t i = 0; i < n; i++)
		buf_add(&out, pieces[i]);
	return buf_span(&out);
}

/*
 * Remove the seal from the end of FRONT, where it stands between the text
 * BEFORE and the character AFTER.  False if there is no seal.
 */
static bool
take_off(
    struct span *front, struct span before, char after, struct digest *seal)
{
	size_t n = before.n + DIGEST_HEX + 1;
	struct span end;

	if (front->n < n)
		return false;
	end = span_from(*front, front->n - n);
	if (!span_starts(end, before) || end.p[n - 1] != after ||
	    !digest_parse((struct span){end.p + before.n, DIGEST_HEX}, seal))
		return false;
	front->n -= n;
	return true;
}

/*
 * Join PARTS again, in place.  They are parts of one text that was read, whose
 * bytes are the caller's; the second part moves to where the seal was.
 */
static struct span
join(const struct sealed_parts *parts)
{
	char *end = (char *)(uintptr_t)(parts->front.p + parts->front.n);

	(void)memmove(end, parts->back.p, parts->back.n);
	return (struct span){parts->front.p, parts->front.n + parts->back.n};
}

/* Split TEXT into its parts without the seal; false if there is no seal. */
static bool
find_seal(struct span text, struct sealed_parts *parts, struct digest *seal)
{
	*parts = split(text);
	return take_off(&parts->front,
	    parts->object ? SPAN(MEMBER) : SPAN(LINE),
	    parts->object ? '"' : '\n', seal);
}

bool
seal_open(const struct store *store, struct seal_name name, struct span *text)
{
	struct digest seal, right;
	struct sealed_parts parts;
	bool sealed = find_seal(*text, &parts, &seal);

	if (!store->guarded) {
		if (sealed)
			*text = join(&parts);
		return true;
	}
	if (!sealed || store->owner != OWNER_OURS || !store->keyed)
		return false;
	right = mac(store, name, &parts);
	if (!digest_eq(&seal, &right))
		return false;
	*text = join(&parts);
	return true;
}

bool
seal_again(struct store *store, int dir, struct seal_name name)
{
	int fd = file_open(dir, name.file);
	struct digest seal;
	struct sealed_parts parts;
	struct span text;
	bool read;

	if (fd < 0)
		return false;
	read = slurp(store->arena, fd, TEXT_MAX, &text) == SLURP_OK;
	(void)close(fd);
	if (!read)
		return false;
	if (find_seal(text, &parts, &seal))
		text = join(&parts);
	return seal_file(store, dir, name, text, TEXT_MODE);
}

bool
seal_file(struct store *store, int dir, struct seal_name name, struct span text,
    mode_t mode)
{
	char hex[DIGEST_HEX + 1];
	struct span pieces[PIECES];
	/*
	 * Written in pieces: a joined copy would stay in the arena to the end.
	 */
	size_t n = pieces_of(store, name, text, hex, pieces);

	return place_pieces(store, dir, name.file, pieces, n, mode);
}
