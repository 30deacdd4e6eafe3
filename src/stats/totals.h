/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals: all ticks of a side, and those apart from idle functions, compared as
 * one row of timings. No q and no verdict: a total answers no question of its
 * own.
 *
 * Invariant: a side's mean is the sum of the means of its rows and leftover.
 * Source: STATS.md 4.9, 4.12; pinned by test_stats_runs.c.
 */
#ifndef PD_STATS_TOTALS_H
#define PD_STATS_TOTALS_H

#include "stats/counts.h"
#include "stats/welch.h"

/* Event's unit, scaled. */
struct pd_total {
	double *mean;            /* [n_sides] ticks over the sum of size factors */
	double *sd;              /* [n_sides] of the scaled runs; NaN with one */
	double *delta;           /* [n_sides - 1] next less base */
	double *ratio;           /* [n_sides - 1] of geometric means; NaN unless base is positive */
	struct pd_welch *change; /* [n_sides - 1] test and interval, if any */
};

/*
 * Totals of size factors s [n_runs], in the arena; intervals of level
 * 1 - alpha. PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_totals_compare(struct pd_arena *arena, const struct pd_counts *c,
				  const double *s, bool with_idle, double alpha,
				  struct pd_total *ret_total, struct pd_error *err);

#endif
