#include "file/image.h"

#include <stdint.h>

static uint32_t
little_endian(struct span s, size_t off, size_t bytes)
{
	uint32_t value = 0;

	for (size_t i = bytes; i > 0; i--)
		value = value << 8 | (unsigned char)s.p[off + i - 1];
	return value;
}

/* Check the header fields that the host checks after "BM". */
static bool
is_bitmap(struct span s)
{
	uint32_t size, pixels, header, planes, depth;
	size_t at;

	if (!span_starts(s, SPAN("BM")) || s.n < 26)
		return false;
	size = little_endian(s, 2, 4);
	pixels = little_endian(s, 10, 4);
	header = little_endian(s, 14, 4);
	if ((size != 0 && (size < 26 || pixels >= size)) ||
	    pixels < (uint64_t)header + 14)
		return false;
	if (header != 12 && (header < 40 || header > 124 || s.n < 30))
		return false;
	at = header == 12 ? 22 : 26;
	planes = little_endian(s, at, 2);
	depth = little_endian(s, at + 2, 2);
	return planes == 1 &&
	    (depth == 1 || depth == 4 || depth == 8 || depth == 16 ||
		depth == 24 || depth == 32);
}

bool
image_sniff(struct span bytes)
{
	if (span_starts(bytes, SPAN("\xff\xd8\xff")) ||
	    span_starts(bytes, SPAN("\x89PNG")) ||
	    span_starts(bytes, SPAN("GIF87a")) ||
	    span_starts(bytes, SPAN("GIF89a")))
		return true;
	if (span_starts(bytes, SPAN("RIFF")) && bytes.n >= 12)
		return span_starts(span_from(bytes, 8), SPAN("WEBP"));
	return is_bitmap(bytes);
}
