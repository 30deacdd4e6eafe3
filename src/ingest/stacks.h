/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folded stacks, added up: what each function costs itself, and with all that
 * it calls. Recursion counts once.
 */
#ifndef PD_INGEST_STACKS_H
#define PD_INGEST_STACKS_H

#include "base/arena.h"
#include "base/text.h"
#include "model/builder.h"

enum { PD_STACKS_COLUMNS = 2 }; /* counts of a stack at most */

struct pd_stacks_frame;
struct pd_stacks_name;
struct pd_stacks_slot;

/* Zero-initialise, then pd_stacks_init(); free with pd_stacks_done(). */
struct pd_stacks {
	uint32_t n_columns;
	uint32_t max_names;
	struct pd_buf path;             /* the last stack, with a ';' behind it */
	struct pd_stacks_frame *frames; /* of the path */
	uint32_t n_frames, cap_frames;
	struct pd_stacks_name *names; /* [0] is for frames without a name */
	double (*selves)[PD_STACKS_COLUMNS]; /* by name */
	uint32_t n_names, cap_names;
	bool has_unnamed; /* a leaf has no name */
	struct pd_stacks_slot *slots; /* open addressing */
	uint32_t n_slots;
	struct pd_arena bytes; /* of names */
	bool failed;           /* latched: out of memory */
	bool is_full;          /* latched: more names than allowed */
};

/* Whether a frame names no function: "[unknown]", an address, nothing. */
bool pd_stacks_is_unnamed(struct pd_span frame);
void pd_stacks_init(struct pd_stacks *s, uint32_t n_columns, const struct pd_limits *limits);
void pd_stacks_done(struct pd_stacks *s);
/* Whether a profiler found no symbol there: "[unknown]", an address, nothing. */
bool pd_stacks_is_unnamed(struct pd_span name);
/*
 * Add a stack: frames from the root to the leaf, with a ';' between them, and
 * n_columns counts. Frames may be empty.
 */
void pd_stacks_add(struct pd_stacks *s, struct pd_span stack, const double *counts);
/*
 * Tell the builder all of it, a run for each column, in the first event. What
 * has no name ("[unknown]", an address) is a leftover.
 */
void pd_stacks_tell(struct pd_stacks *s, struct pd_builder *b, const uint32_t *runs);

#endif
