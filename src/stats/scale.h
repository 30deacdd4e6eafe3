/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Size factors: how much work, or time, a run stands for against the others.
 * A rate is ticks over the sum of the size factors of the side's runs.
 *
 * Invariant: every factor is positive; but for PD_NORMALIZE_PER their geometric
 * mean is 1. Source: STATS.md 4.1. `median` is a precision-weighted median of
 * ratios, after Anders and Huber (2010); pinned by test_stats_scale.c.
 */
#ifndef PD_STATS_SCALE_H
#define PD_STATS_SCALE_H

#include "stats/counts.h"

enum pd_normalize {
	PD_NORMALIZE_NONE,   /* exposure, to a geometric mean of 1 */
	PD_NORMALIZE_MEDIAN, /* the typical function is the same in every run */
	PD_NORMALIZE_TOTAL,  /* all ticks are: only on request, with a warning */
	PD_NORMALIZE_PER,    /* exposure as it is: rates are per unit of it */
	PD_N_NORMALIZE,
};

#define PD_SCALE_MIN_ROWS 30 /* fewer are no typical function */

/* Factors [n_runs] of PD_NORMALIZE_NONE or PD_NORMALIZE_PER. */
void pd_scale_exposure(const struct pd_counts *c, enum pd_normalize how, double *ret_s);

/*
 * Factors [n_runs] of PD_NORMALIZE_MEDIAN, from rows with at least 5 ticks a
 * run that are known in all runs and not idle. *ret_n_rows is their number;
 * below PD_SCALE_MIN_ROWS ret_s is left alone. PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_scale_median(const struct pd_counts *c, double *ret_s, size_t *ret_n_rows,
				struct pd_error *err);

/* Factors [n_runs] of PD_NORMALIZE_TOTAL; false, and no factors, if a run has no ticks. */
bool pd_scale_total(const struct pd_counts *c, double *ret_s);

/*
 * Ticks of each run [n_runs]: the known sides of all rows that are parts, and
 * the leftover; idle rows only if asked for.
 */
void pd_scale_column_sums(const struct pd_counts *c, bool with_idle, double *ret_ticks);

#endif
