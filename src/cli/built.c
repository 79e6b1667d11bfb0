#include "cli/built.h"

#include <features.h>
#include <lmdb.h>
#include <openssl/opensslv.h>
#include <utf8proc.h>

#define TEXT_OF(n) #n
#define TEXT(n) TEXT_OF(n)

/* Before 3.0 there was only a sentence, with the date. */
#ifdef OPENSSL_VERSION_STR
#define OPENSSL "OpenSSL " OPENSSL_VERSION_STR
#else
#define OPENSSL OPENSSL_VERSION_TEXT
#endif

const char *
built_with(void)
{
	return OPENSSL
	    ", utf8proc " TEXT(UTF8PROC_VERSION_MAJOR) "." TEXT(
		UTF8PROC_VERSION_MINOR) "." TEXT(UTF8PROC_VERSION_PATCH)
	    ", LMDB " TEXT(MDB_VERSION_MAJOR) "." TEXT(
		MDB_VERSION_MINOR) "." TEXT(MDB_VERSION_PATCH)
#ifdef __GLIBC__
	    ", glibc " TEXT(__GLIBC__) "." TEXT(__GLIBC_MINOR__)
#endif
	    ;
}
