/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of whole runs: the typical shift between sides, and runs unlike
 * their sisters.
 *
 * Source: STATS.md 4.9; the shift is a Welch (1947) test on log size factors;
 * pinned by test_stats_runs.c.
 */
#ifndef PD_STATS_RUNS_H
#define PD_STATS_RUNS_H

#include "stats/counts.h"
#include "stats/welch.h"

/* How much slower the typical function is in a next side: load, frequency, unequal work? */
struct pd_shift {
	double ratio;  /* F, next over base; NaN with fewer than PD_SCALE_MIN_ROWS rows */
	double lo, hi; /* its interval; NaN where a side has one run */
	bool is_large; /* worth a warning */
};

/* A run against the others of its side; NaN for sides with fewer than three runs. */
struct pd_run_check {
	double deviation; /* of its log size factor from the side's median; NaN without factors */
	double score;     /* Q: median of its squared residuals, 1 for a good run */
	bool is_bad;      /* |deviation| > .20 or score > 3 */
};

/*
 * The shift of side next, from the size factors [n_runs] of
 * PD_NORMALIZE_MEDIAN, relative to the known exposure; interval of level
 * 1 - alpha.
 */
void pd_runs_shift(const struct pd_counts *c, const double *median_s, uint32_t next, double alpha,
		   struct pd_shift *ret_shift);

/* The shift where there are no such factors. */
struct pd_shift pd_runs_no_shift(void);

/* Noise levels: the posterior of a row and side, PD_NOISE_N numbers. */
typedef const double *pd_posterior_fn(const void *arg, size_t row, uint32_t side);

/*
 * Check all runs. s and side_s are the size factors of the comparison; median_s
 * those of PD_NORMALIZE_MEDIAN or NULL; posterior(arg, row, side) tells the
 * noise of a row. ret_checks is [n_runs], in the order of c's columns.
 * PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_runs_check(const struct pd_counts *c, const double *s, const double *side_s,
			      const double *median_s, pd_posterior_fn *posterior, const void *arg,
			      struct pd_run_check *ret_checks, struct pd_error *err);

#endif
