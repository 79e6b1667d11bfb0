/*
 * readcache.h -- the read cache inside your own program.
 *
 * The library answers the same requests, with the same responses, as the
 * program `readcache serve`: one JSON text each (SPEC.md, section 2).
 *
 *	struct rc *rc = rc_open();
 *	const char *line;
 *	size_t n;
 *
 *	if (rc == NULL || rc_answer(rc, request, strlen(request), &line, &n) ==
 *	    RC_NO_MEMORY)
 *		...read the file yourself...
 *	fwrite(line, 1, n, stdout);
 *	rc_close(rc);
 *
 * Build with:  cc program.c $(pkg-config --cflags --libs readcache)
 *
 * Threads.  A handle is used by one thread at a time; it may be another one
 * each time.  Any number of handles may be in use at once.  They share nothing
 * but the store on the disk, which takes care of itself.
 *
 * The process.  The library installs no signal handler, starts no program and
 * ends nothing.  It does not confine the process as `readcache serve` does.
 * For a long session file a request may start a thread, which has ended when
 * rc_answer returns.  These things of the process count:
 *
 *   environment   HOME, XDG_CONFIG_HOME and the like are read in every request:
 *                 no other thread may change the environment meanwhile.
 *   umask         If it takes rights from the owner of a file, it is changed
 *                 for a moment when a directory of the store is made.
 *   SIGXFSZ       Under a limit on the size of files (RLIMIT_FSIZE) ignore or
 *                 handle this signal, or a store that meets the limit ends the
 *                 process.
 */
#ifndef READCACHE_H
#define READCACHE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A handle.  It remembers, in memory only, and only to be faster: the events of
 * the last session (so that a request may continue it by `session.after`), and
 * the hashes of files that it has read.  Everything that an answer rests on is
 * in the request, in the session file or in the store.
 */
struct rc;

enum rc_status {
	RC_OK = 0,       /* the response says ok: true */
	RC_FAILED = 1,   /* ok: false; a read of the file would fail, too */
	RC_UNUSABLE = 2, /* ok: false; the request cannot be understood */
	RC_NO_MEMORY = 3 /* out of memory: there is no response */
};

/* Make a handle.  NULL: out of memory. */
struct rc *rc_open(void);

/*
 * Answer one request: the N bytes at REQUEST, which are one JSON text of at
 * most 256 MiB.  They are not needed after the call, and need not end with
 * anything.
 *
 * *RESPONSE is one line of JSON of *RESPONSE_N bytes, the newline at its end
 * included.  A NUL follows, which is not counted.  It belongs to the handle, and lives until the next
 * rc_answer or rc_close with it.  With RC_NO_MEMORY it is NULL, and 0 bytes
 * long; the handle can still be used.
 *
 * A read may find that only the host can do it, for instance of an image.  Then
 * the response is `delegate`: read the file as if there were no cache.  That is
 * a right answer to everything that goes wrong.
 *
 * For a read with a session the version of the file is put into the store
 * before rc_answer returns.  If that fails, nothing else does.
 */
enum rc_status rc_answer(struct rc *rc, const char *request, size_t n,
    const char **response, size_t *response_n);

/* Release the handle and its last response.  NULL is allowed. */
void rc_close(struct rc *rc);

#ifdef __cplusplus
}
#endif

#endif
