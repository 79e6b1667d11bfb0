/*
 * serve.h -- requests from one descriptor, responses to another.
 */
#ifndef READCACHE_SERVE_SERVE_H
#define READCACHE_SERVE_SERVE_H

/*
 * Answer one request: everything up to the end of IN.  Returns the exit status.
 */
int serve_one(int in, int out);

/* Answer one request per line until IN ends.  Returns the exit status. */
int serve_lines(int in, int out);

#endif
