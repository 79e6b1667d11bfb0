/*
 * hex.h -- hexadecimal digits.
 */
#ifndef READCACHE_BASE_HEX_H
#define READCACHE_BASE_HEX_H

#include <stddef.h>
#include <stdint.h>

/* The value of digit C, or -1 if C is not a hexadecimal digit. */
static inline int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Write N bytes as 2 * N lowercase digits. */
static inline void
hex_write(const uint8_t *bytes, size_t n, char *hex)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
}

/* Decode 2 * N digits to N bytes.  All of HEX must be digits. */
static inline void
hex_read(const char *hex, size_t n, uint8_t *bytes)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(hex_value(hex[2 * i]) << 4 |
		    hex_value(hex[2 * i + 1]));
}

#endif
