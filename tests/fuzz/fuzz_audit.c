/*
 * What the commands for recorded sessions make of a session file: the audit
 * of its answers, and the answers that readcache would have given.  Of these
 * no reader may fail to understand one.
 */
#include "memory_file.h"

#include "host/host.h"
#include "inspect/audit.h"
#include "inspect/replay.h"
#include "inspect/shadow.h"

#define HOME SPAN("/home/me")

static void
check_shadow(const struct session_records *records, enum policy policy,
    struct arena *arena)
{
	struct shadow shadow = shadow_run(records, policy, HOME, arena);
	uint64_t reads = 0, modes = 0, served = 0;

	for (size_t i = 0; i < shadow.nfiles; i++) {
		reads += shadow.files[i].reads;
		served += shadow.files[i].served_bytes;
	}
	for (int i = 0; i < MODE_COUNT; i++)
		modes += shadow.all.modes[i];
	/* Of some nobody knows the file. */
	EXPECT(reads <= shadow.all.reads);
	EXPECT(served <= shadow.all.served_bytes);
	EXPECT(modes == shadow.all.reads);
	EXPECT(shadow.all.served_bytes <= shadow.all.baseline_bytes);
	EXPECT(shadow.violations == 0);
}

static void
check_audit(const struct session_records *records, struct arena *arena)
{
	struct audit audit = audit_session(records, HOME, arena, NULL, NULL);

	EXPECT(audit.n <= audit.compact && audit.compact <= audit.answers);
	for (size_t i = 0; i < audit.n; i++)
		EXPECT(audit.violations[i].why.n > 0);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct history_where where = {
	    .here = {.cwd = SPAN("/nonexistent/project"), .home = HOME}};
	struct session_records records;
	struct replay replay;
	struct index index;

	if (host->index(arena, memory_file(input), NULL, NULL, &index) !=
	    INDEX_OK)
		return;
	records = host->records(&index, NULL, NULL);
	where.dirs = index.dirs;
	check_audit(&records, arena);
	check_shadow(&records, POLICY_STRICT, arena);
	check_shadow(&records, POLICY_COVERAGE, arena);
	if (replay_leaf(&index, index_last(&index), &where, arena, &replay))
		EXPECT(replay.files <= replay.ntrust);
}
