/*
 * Fingerprints, and the files of a git repository that somebody else made:
 * "SPEC NUL HEAD NUL PACKED-REFS NUL REFS/HEADS/MAIN NUL COMMONDIR".  What is
 * resolved is resolved again to the same, and only the name of an object is
 * taken for one.  No program is there to be asked.
 */
#include "temp_dir.h"

#include "work/fingerprint/fingerprint.h"
#include "work/fingerprint/git.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int made = temp_make();

	(void)argc;
	(void)argv;
	EXPECT(setenv("PATH", "/nonexistent", 1) == 0);
	EXPECT(unsetenv("GIT_DIR") == 0);
	temp_dir(".git");
	temp_dir(".git/refs");
	temp_dir(".git/refs/heads");
	temp_file("a.txt", SPAN("text"));
	temp_dir("d");
	temp_file("d/b.txt", SPAN("more"));
	return made;
}

/* The file NAME holds the next part of INPUT, or is not there. */
static void
put_part(const char *name, struct span *input)
{
	struct span part = fuzz_part(input, '\0');

	if (part.n > 0)
		temp_file(name, part);
	else
		(void)unlink(temp_path(name));
}

static bool
is_object(struct span name)
{
	for (size_t i = 0; i < name.n; i++)
		if (memchr("0123456789abcdef", name.p[i], 16) == NULL)
			return false;
	return name.n == 40 || name.n == 64;
}

/* It would go through all of the machine. */
static bool
leads_away(struct span spec)
{
	const char *colon = memchr(spec.p, ':', spec.n);
	struct span rest = colon != NULL
			       ? span_from(spec, (size_t)(colon + 1 - spec.p))
			       : spec;

	return (rest.n > 0 && rest.p[0] == '/') || span_has(rest, '{') ||
	       memmem(rest.p, rest.n, "..", 2) != NULL ||
	       memmem(rest.p, rest.n, "\\.", 2) != NULL;
}

static void
check_spec(struct arena *arena, struct span spec)
{
	struct hasher hasher = {.arena = arena};
	struct fingerprint fingerprint, again;

	if (fingerprint_fault(spec) != NULL || leads_away(spec))
		return;
	fingerprint = fingerprint_resolve(&hasher, span_str(dir), spec);
	again = fingerprint_resolve(&hasher, span_str(dir), spec);
	EXPECT(fingerprint.resolved == again.resolved);
	if (fingerprint.resolved)
		EXPECT(digest_eq(&fingerprint.digest, &again.digest));
	else
		EXPECT(fingerprint.why.n > 0);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span spec = fuzz_part(&input, '\0'), name = SPAN("");
	struct span ref = spec;

	put_part(".git/HEAD", &input);
	put_part(".git/packed-refs", &input);
	put_part(".git/refs/heads/main", &input);
	put_part(".git/commondir", &input);
	check_spec(arena, spec);
	if (span_starts(spec, SPAN("git:")))
		ref = span_from(spec, 4);
	/* Only what is found in files: a process takes its time. */
	if (git_ref_valid(ref) && ref.n < 64 &&
	    git_resolve(arena, span_str(dir), ref, NULL, &name) == GIT_FOUND)
		EXPECT(is_object(name));
}
