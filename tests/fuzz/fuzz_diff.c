/*
 * Diffs: "OLD NUL NEW NUL HUNKS".  What is made of OLD and NEW turns the one
 * into the other; HUNKS is a diff that somebody else made.
 */
#include "fuzz.h"

#include "base/lines.h"
#include "diff/apply.h"
#include "diff/unified.h"

/* Does every row say what stands in its line? */
static void
check_rows(struct span hunks, struct span old_text, struct span new_text)
{
	struct diff_rows rows = diff_rows(hunks);
	struct diff_row row;
	struct span line;

	while (diff_next_row(&rows, &row)) {
		if (row.sign != '+') {
			EXPECT(lines_slice(
			    old_text, row.old_line, row.old_line, &line));
			EXPECT(span_eq(line, row.text));
		}
		if (row.sign != '-') {
			EXPECT(lines_slice(
			    new_text, row.new_line, row.new_line, &line));
			EXPECT(span_eq(line, row.text));
		}
	}
	EXPECT(!rows.broken);
}

static void
check_made(struct arena *arena, struct span old_text, struct span new_text)
{
	struct diff diff;
	struct span applied;

	EXPECT(diff_make(arena, old_text, new_text, &diff));
	EXPECT((diff.hunks.n == 0) == span_eq(old_text, new_text));
	if (diff.hunks.n == 0)
		return;
	EXPECT(diff_sound(diff.hunks));
	EXPECT(diff_applies(diff.hunks, old_text, new_text));
	EXPECT(diff_apply(arena, diff.hunks, old_text, &applied));
	EXPECT(span_eq(applied, new_text));
	/* No other text comes out of it. */
	EXPECT(!diff_applies(diff.hunks, old_text, old_text));
	EXPECT(diff.changed > 0 && diff.changed <= diff.lines);
	check_rows(diff.hunks, old_text, new_text);
}

static void
check_foreign(struct arena *arena, struct span hunks, struct span old_text,
    struct span new_text)
{
	bool sound = diff_sound(hunks);
	struct span applied;

	if (!diff_apply(arena, hunks, old_text, &applied)) {
		EXPECT(!diff_applies(hunks, old_text, new_text));
		return;
	}
	EXPECT(sound || hunks.n == 0); /* nothing changes nothing */
	EXPECT(diff_applies(hunks, old_text, applied));
	EXPECT(diff_applies(hunks, old_text, new_text) ==
	       span_eq(applied, new_text));
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span old_text = fuzz_part(&input, '\0');
	struct span new_text = fuzz_part(&input, '\0');

	check_made(arena, old_text, new_text);
	check_foreign(arena, input, old_text, new_text);
}
