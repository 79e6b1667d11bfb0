/*
 * serve.h -- requests from a descriptor, responses to another.
 */
#ifndef READCACHE_SERVE_SERVE_H
#define READCACHE_SERVE_SERVE_H

/* One request, to the end of IN.  Gives the exit status. */
int serve_one(int in, int out);

/* One request per line, until IN ends.  Gives the exit status. */
int serve_lines(int in, int out);

#endif
