/*
 * image.h -- would the host take it for an image?
 */
#ifndef READCACHE_FILE_IMAGE_H
#define READCACHE_FILE_IMAGE_H

#include "base/span.h"

/*
 * True for every format that the host recognises by content.  For formats that
 * cannot be text (PNG, JPEG) the first bytes are enough.
 */
bool image_sniff(struct span bytes);

#endif
