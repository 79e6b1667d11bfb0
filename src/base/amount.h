/*
 * amount.h -- numbers as people read and write them.
 */
#ifndef READCACHE_BASE_AMOUNT_H
#define READCACHE_BASE_AMOUNT_H

#include <stdint.h>
#include <time.h>

#include "base/buf.h"

/* Write "1.5 MiB", "812 bytes". */
void amount_bytes(struct buf *buf, uint64_t bytes);

/* Write "1 object", "2 objects". */
void amount_count(struct buf *buf, uint64_t n, const char *one);

/* Write "2026-11-16 04:01", in local time. */
void amount_time(struct buf *buf, time_t when);

/* Parse "4096", "512K", "20M", "1G".  False if TEXT is something else. */
bool amount_parse(const char *text, uint64_t *bytes);

#endif
