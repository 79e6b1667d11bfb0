/*
 * image.h -- would the host take it for an image?
 */
#ifndef READCACHE_FILE_IMAGE_H
#define READCACHE_FILE_IMAGE_H

#include "base/span.h"

/*
 * True for everything the host recognises by content.  Formats that cannot
 * be text (PNG, JPEG) need only their first bytes.
 */
bool image_sniff(struct span bytes);

#endif
