/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One event of a comparison, for stats.c alone: the first pass, and what the
 * second one reads of it.
 */
#ifndef PD_STATS_EVENT_H
#define PD_STATS_EVENT_H

#include "stats/counttest.h"
#include "stats/stats.h"

/* In canonical order of runs and in ticks; in the arena of the comparison. */
struct pd_stats_work {
	struct pd_counts counts;
	double *s;          /* [n_runs] size factors */
	double *side_s;     /* [n_sides] their sums */
	double *median_s;   /* [n_runs] those of PD_NORMALIZE_MEDIAN; NULL: too few rows */
	double *posterior;  /* [n_rows][PD_NOISE_N] noise of each row, unless mode is SINGLE */
	const double *weights; /* of the event */
	struct pd_tally *tallies; /* [n_sides] of the row at hand */
	enum pd_stats_mode mode;
};

/* First pass; the event lives in the arena. Errors as pd_stats_add(). */
PD_MUST_USE int pd_stats_event_init(struct pd_arena *arena, const struct pd_stats_options *options,
			      const struct pd_stats_problem *problem,
			      struct pd_stats_event *ret_event, struct pd_error *err);

/*
 * The pair of base and side next of a row, whose tallies have been made; false
 * where either is unknown.
 */
bool pd_stats_pair(const struct pd_stats_work *w, uint32_t next, struct pd_count_pair *ret_pair);

/* The noise of a row and side: PD_NOISE_N weights. A pd_posterior_fn of the work. */
const double *pd_stats_posterior(const void *work, size_t row, uint32_t side);

/* Whether rows of this role are tested, and in which family. */
bool pd_stats_family_of(const struct pd_counts *c, size_t row, enum pd_stats_family *ret_family);

#endif
