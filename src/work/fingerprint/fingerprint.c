#include "work/fingerprint/fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "os/times.h"
#include "path/cover.h"
#include "path/name.h"
#include "path/where.h"
#include "work/fingerprint/git.h"
#include "work/fingerprint/glob.h"

enum { FINGERPRINT_VERSION = 1 };

enum kind {
	KIND_GIT,
	KIND_GLOB,
	KIND_GLOB_CONTENT,
	KIND_FILE,
	KIND_ENV,
	KINDS
};

struct kind_facts {
	char prefix[8];
	bool finds; /* files: what follows the prefix is a path or a pattern */
	bool reads; /* and their content counts */
};

static const struct kind_facts kinds[KINDS] = {
    [KIND_GIT] = {"git:", false, false},
    [KIND_GLOB] = {"glob:", true, false},
    [KIND_GLOB_CONTENT] = {"glob!:", true, true},
    [KIND_FILE] = {"file:", true, true},
    [KIND_ENV] = {"env:", false, false},
};

/* The kind of SPEC and the text after its prefix; false if it has no prefix. */
static bool
take_apart(struct span spec, enum kind *kind, struct span *rest)
{
	for (int i = 0; i < KINDS; i++)
		if (span_starts(spec, span_str(kinds[i].prefix))) {
			*kind = (enum kind)i;
			*rest = span_from(spec, strlen(kinds[i].prefix));
			return true;
		}
	return false;
}

const char *
fingerprint_fault(struct span spec)
{
	struct span rest;
	enum kind kind;

	if (!take_apart(spec, &kind, &rest))
		return "a fingerprint begins with git:, glob:, glob!:, file: "
		       "or env:.";
	if (rest.n == 0)
		return "a fingerprint needs something after its prefix.";
	if (span_has(rest, '\0') || !utf8_valid(rest))
		return "a fingerprint must be text without NUL.";
	if (kind == KIND_GIT && !git_ref_valid(rest))
		return "a git ref must not begin with \"-\".";
	if (kind == KIND_ENV && span_has(rest, '='))
		return "the name of a variable must not hold \"=\".";
	return NULL;
}

bool
fingerprint_reads_files(struct span spec)
{
	struct span rest;
	enum kind kind;

	return take_apart(spec, &kind, &rest) && kinds[kind].reads;
}

bool
fingerprint_finds_files(struct span spec, struct span *path)
{
	enum kind kind;

	return take_apart(spec, &kind, path) && kinds[kind].finds;
}

/* ---- each kind: true, or false and *WHY ---- */

static bool
cannot(struct arena *arena, struct span *why, const char *what, int error)
{
	struct buf text = buf_new(arena, 128);

	buf_str(&text, what);
	if (error != 0) {
		buf_str(&text, ": ");
		buf_str(&text, strerror(error));
	}
	*why = buf_span(&text);
	return false;
}

static bool
add_git(struct hasher *hasher, struct span cwd, struct span ref,
    struct key *key, struct span *why)
{
	struct span name;

	switch (git_resolve(
	    hasher->arena, cwd, ref, hasher->still, &name)) {
	case GIT_FOUND:
		key_add(key, "commit", name);
		return true;
	case GIT_NO_REPOSITORY:
		key_add(key, "no repository", SPAN(""));
		return true;
	case GIT_UNKNOWN:
		break;
	}
	return cannot(hasher->arena, why, "git does not know it", 0);
}

static bool
add_env(struct hasher *hasher, struct span name, struct key *key)
{
	const char *value = getenv(arena_cstr(hasher->arena, name));

	if (value != NULL)
		key_add(key, "value", span_str(value));
	else
		key_add(key, "not set", SPAN(""));
	return true;
}

static const char *
absolute(struct arena *arena, struct span cwd, struct span path)
{
	return arena_cstr(arena, name_from(arena, cwd, path));
}

static bool
add_file(struct hasher *hasher, struct span cwd, struct span path,
    struct key *key, struct span *why)
{
	const char *name = absolute(hasher->arena, cwd, path);
	struct digest hash;

	still_path(hasher->still, cwd, path);
	errno = 0;
	switch (hash_file(hasher, AT_FDCWD, name, &hash, NULL)) {
	case HASHED:
		key_add_digest(key, "content", &hash);
		return true;
	case HASHED_ABSENT:
		key_add(key, "absent", SPAN(""));
		return true;
	case HASHED_DIRECTORY:
		return cannot(hasher->arena, why, "it is a directory", 0);
	case HASHED_NOT:
		break;
	}
	return cannot(hasher->arena, why, "it cannot be read", errno);
}

/* ---- matches ---- */

static void
add_time(struct key *key, const struct timespec *time)
{
	key_add_number(key, "seconds", (uint64_t)time->tv_sec);
	key_add_number(key, "nanoseconds", (uint64_t)time->tv_nsec);
}

static bool
add_content(struct hasher *hasher, struct span cwd,
    const struct glob_match *match, struct key *key, struct span *why)
{
	const char *name = absolute(hasher->arena, cwd, match->path);
	struct digest hash;

	/* Noted in both cases: which one it is depends on the time. */
	if (hash_known(hasher, &match->st, &hash))
		still_file(hasher->still, &match->st);
	else if (hash_file(hasher, AT_FDCWD, name, &hash, NULL) != HASHED)
		return cannot(hasher->arena, why,
		    "a file it matches cannot be read", errno);
	key_add_digest(key, "content", &hash);
	return true;
}

/* A link that leads to nothing counts by its text. */
static bool
add_link(struct hasher *hasher, struct span cwd, const struct glob_match *match,
    struct key *key, struct span *why)
{
	char *target = arena_alloc(hasher->arena, PATH_MAX);
	ssize_t n = readlink(
	    absolute(hasher->arena, cwd, match->path), target, PATH_MAX);

	if (n < 0)
		return cannot(hasher->arena, why,
		    "a link it matches cannot be read", errno);
	key_add(key, "link", (struct span){target, (size_t)n});
	return true;
}

/*
 * Directories count by their name only.  Files that come and go in them are in
 * the list themselves if they match.
 */
static bool
add_match(struct hasher *hasher, struct span cwd, bool content,
    const struct glob_match *match, struct key *key, struct span *why)
{
	mode_t mode = match->st.st_mode;

	key_add(key, "path", match->path);
	if (S_ISDIR(mode)) {
		key_add(key, "directory", SPAN(""));
		return true;
	}
	if (S_ISLNK(mode))
		return add_link(hasher, cwd, match, key, why);
	if (!content) {
		key_add_number(key, "size", (uint64_t)match->st.st_size);
		add_time(key, times_modified(&match->st));
		return true;
	}
	if (!S_ISREG(mode))
		return cannot(hasher->arena, why,
		    "something it matches is not a regular file", 0);
	return add_content(hasher, cwd, match, key, why);
}

/* The places that the work makes itself: its outputs are not its inputs. */
static struct cover *
made_places(struct hasher *hasher)
{
	struct cover *made;

	if (hasher->nmade == 0)
		return NULL;
	made = cover_new(hasher->arena, hasher->nmade);
	for (size_t i = 0; i < hasher->nmade; i++)
		cover_add(made, hasher->made[i]);
	return made;
}

static bool
add_matches(struct hasher *hasher, struct span cwd, struct span pattern,
    bool content, struct key *key, struct span *why)
{
	struct glob_list list;
	const char *fault =
	    glob_find(hasher->arena, cwd, pattern, hasher->still, &list);
	struct cover *made = made_places(hasher);
	struct span real = SPAN("");

	if (fault != NULL) {
		*why = span_str(fault);
		return false;
	}
	for (size_t i = 0; i < list.n; i++) {
		struct span path = list.items[i].path;

		if (made != NULL && cover_find(made,
					where_along(hasher->arena, cwd, path,
					    WHERE_ITSELF, &real)
					    .name,
					COVER_NONE) != COVER_NONE)
			continue;
		if (!add_match(hasher, cwd, content, &list.items[i], key, why))
			return false;
	}
	return true;
}

/* ---- all kinds ---- */

static bool
add_value(struct hasher *hasher, struct span cwd, enum kind kind,
    struct span rest, struct key *key, struct span *why)
{
	switch (kind) {
	case KIND_GIT:
		return add_git(hasher, cwd, rest, key, why);
	case KIND_GLOB:
		return add_matches(hasher, cwd, rest, false, key, why);
	case KIND_GLOB_CONTENT:
		return add_matches(hasher, cwd, rest, true, key, why);
	case KIND_FILE:
		return add_file(hasher, cwd, rest, key, why);
	case KIND_ENV:
	case KINDS:
		break;
	}
	return add_env(hasher, rest, key);
}

struct fingerprint
fingerprint_resolve(struct hasher *hasher, struct span cwd, struct span spec)
{
	struct fingerprint fingerprint = {.spec = spec};
	struct span rest;
	struct key key;
	enum kind kind;

	if (!take_apart(spec, &kind, &rest)) {
		fingerprint.why = span_str(fingerprint_fault(spec));
		return fingerprint;
	}
	still_subject(hasher->still, spec);
	key_begin(&key, "finger", FINGERPRINT_VERSION);
	fingerprint.resolved =
	    add_value(hasher, cwd, kind, rest, &key, &fingerprint.why);
	fingerprint.digest = key_end(&key);
	return fingerprint;
}

/* ---- before and after ---- */

/* Resolve all fingerprints again.  False if one is different now: *WHICH. */
static bool
all_as_known(struct hasher *hasher, struct span cwd,
    const struct fingerprint *fingerprints, size_t n, struct span *which)
{
	for (size_t i = 0; i < n; i++) {
		struct fingerprint now =
		    fingerprint_resolve(hasher, cwd, fingerprints[i].spec);

		*which = fingerprints[i].spec;
		if (!now.resolved || !fingerprints[i].resolved ||
		    !digest_eq(&now.digest, &fingerprints[i].digest))
			return false;
	}
	return true;
}

struct still *
fingerprint_watch(struct hasher *hasher, struct span cwd,
    const struct fingerprint *fingerprints, size_t n)
{
	struct still *still;
	struct span which;

	if (n == 0)
		return NULL;
	still = still_new(hasher->arena);
	still_look(still, STILL_BEFORE);
	hasher->still = still;
	/*
	 * If one is already different, that is noted here and shows at the
	 * end.
	 */
	if (!all_as_known(hasher, cwd, fingerprints, n, &which))
		still_subject(still, which);
	hasher->still = NULL;
	return still;
}

enum still_verdict
fingerprint_kept_still(struct hasher *hasher, struct span cwd,
    const struct fingerprint *fingerprints, size_t n, struct still *still,
    struct span *which)
{
	enum still_verdict verdict = STILL_CHANGED;

	if (n == 0)
		return STILL_SAME;
	still_look(still, STILL_AFTER);
	hasher->still = still;
	if (all_as_known(hasher, cwd, fingerprints, n, which))
		verdict = still_judge(still, which);
	hasher->still = NULL;
	still_end(still);
	return verdict;
}

void
fingerprint_add(struct key *key, const struct fingerprint *fingerprint)
{
	key_add(key, "fingerprint", fingerprint->spec);
	key_add_digest(key, "resolved", &fingerprint->digest);
}
