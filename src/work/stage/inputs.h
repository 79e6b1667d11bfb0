/*
 * inputs.h -- a stage's inputs as they are now.
 */
#ifndef READCACHE_WORK_STAGE_INPUTS_H
#define READCACHE_WORK_STAGE_INPUTS_H

#include "work/stage/facts.h"
#include "work/stage/stage.h"

struct stage_inputs {
	struct facts facts;	     /* sorted; without FACT_OUTPUT */
	bool resolved;		     /* all of them could be read */
	struct span unresolved, why; /* the first that could not be */
	struct digest key;	     /* if resolved */
	size_t nnamed;		     /* files that words after the first name */
};

/*
 * PATH in the form that facts have: normalized, and relative to the work's
 * root if it is below it, else absolute.
 */
struct span input_path(const struct work *work, struct span path);

/* PATH (as input_path makes it) as an absolute path. */
struct span input_absolute(const struct work *work, struct span path);

/*
 * Does PATH (as input_path makes it) look like a secret (exclude.h), or do the
 * user's settings exclude it?  No copy of such a file is kept.
 */
bool output_is_excluded(const struct work *work, struct span path);

/*
 * The place of the output PATH (as input_path makes it), absolute and without
 * links: a link in the project may lead to a directory of secrets.
 */
struct span output_real(const struct work *work, struct span path);

/*
 * Is a copy of OUT to be kept?  Not if it is excluded, by its name or by its
 * place: such an output is only compared.  For a directory its own name
 * decides; of the files in it, those that are excluded are left out later
 * (outputs_keep).
 */
bool output_is_kept(const struct work *work, const struct stage_out *out);

/* The name of the lock on PATH, as input_path makes it. */
struct digest path_lock(const struct work *work, struct span path);

/* Look at all inputs of STAGE as they are now. */
struct stage_inputs inputs_look(struct work *work, const struct stage *stage);

/*
 * Look at all inputs of STAGE as they are now; STILL notes what is met in PASS
 * (work/fingerprint/still.h).
 */
struct stage_inputs inputs_look_still(struct work *work,
    const struct stage *stage, struct still *still, enum still_pass pass);

#endif
