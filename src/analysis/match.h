/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matching: which events, modules and functions of all runs are the same
 * (DESIGN 8, passes 1 and 3). The result is a list of leaves: one for each
 * (event, module, name), with its cost in every run.
 */
#ifndef PD_ANALYSIS_MATCH_H
#define PD_ANALYSIS_MATCH_H

#include "profdiff/compare.h"

/* One function, or one leftover, over all runs. */
struct pd_leaf {
	pd_str name, module, file;
	uint32_t event;
	bool is_leftover;
	bool is_renamed; /* the user's map gave it this name */
	bool is_by_code; /* it has this name on the next side, where its code is */
	double *runs;    /* [all runs]; unknown where a run does not list it */
	double *calls;   /* [all runs]: how often it was called, or unknown; NULL: no run tells */
};

/* Leaves in the order of (event, leftovers last, name, module). Freed with its arena. */
struct pd_leaves {
	struct pd_leaf *items;
	uint32_t n;
};

/* All runs of all sides, in order, and how their events correspond. */
struct pd_matched {
	const struct pd_profile **runs; /* [n_runs] */
	uint32_t *side_of;              /* [n_runs] */
	uint32_t *event_of;             /* [n_events * n_runs]: the run's own event number */
	uint32_t n_runs, n_events;
};

/*
 * Fill c->events' names and units and ret_leaves; all memory is from the arena
 * of c. Errors as pd_compare().
 */
int pd_match(struct pd_comparison *c, const struct pd_side_input *sides,
	     const struct pd_compare_options *options, struct pd_diags *diags,
	     struct pd_matched *ret_matched, struct pd_leaves *ret_leaves,
	     struct pd_error *err) PD_MUST_USE;

#endif
