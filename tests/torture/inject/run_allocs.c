#include "run.h"
#include "symbols.h"

static const char *const allocators[] = {
    "malloc", "calloc", "realloc", "reallocarray"};

enum { ALLOCATORS = sizeof(allocators) / sizeof(allocators[0]) };

/* Return NULL from a function that has just been called. */
static void
return_null(const struct tracee *tracee)
{
	struct user_regs_struct registers = tracee_registers(tracee);

	registers.rax = 0;
	registers.rip = tracee_word(tracee, registers.rsp);
	registers.rsp += sizeof(uint64_t);
	tracee_set_registers(tracee, &registers);
}

static const struct breakpoint *
met(const struct run *run, const struct breakpoint *points)
{
	uint64_t rip = tracee_registers(&run->tracee).rip;

	for (size_t i = 0; i < ALLOCATORS; i++)
		if (points[i].address == rip)
			return &points[i];
	return NULL;
}

void
run_allocs(struct run *run)
{
	struct breakpoint points[ALLOCATORS];

	for (size_t i = 0; i < ALLOCATORS; i++) {
		uint64_t at = symbol_in_use(run->tracee.pid, allocators[i]);

		points[i] = (struct breakpoint){0, 0};
		if (at != 0)
			points[i] = breakpoint_set(&run->tracee, at);
	}
	while (tracee_next_break(&run->tracee)) {
		const struct breakpoint *point = met(run, points);

		if (point == NULL)
			give_up("a trap that is none of ours");
		run->counted++;
		if (run->counted < run->plan.number) {
			breakpoint_pass(&run->tracee, point);
			continue;
		}
		run->fired = true;
		return_null(&run->tracee);
		if (run->plan.onwards)
			continue;
		for (size_t i = 0; i < ALLOCATORS; i++)
			if (points[i].address != 0)
				breakpoint_clear(&run->tracee, &points[i]);
		tracee_release(&run->tracee);
		return;
	}
}
