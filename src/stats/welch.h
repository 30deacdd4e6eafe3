/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing timings, or anything that is no count: Welch's t test (1947) on
 * logarithms, the ratio of geometric means, and a geometric mean over rows.
 *
 * Invariant: a p is only given where both sides have two runs and at least one
 * of them varies. Source: STATS.md 4.12, 4.14; pinned by test_stats_welch.c.
 */
#ifndef PD_STATS_WELCH_H
#define PD_STATS_WELCH_H

#include <stdbool.h>
#include <stddef.h>

/* The logarithms of one side's values. */
struct pd_sample {
	double n;
	double mean; /* of the logarithms */
	double var;  /* n - 1 below the line; exactly 0 where all are equal; NaN for n = 1 */
};

/* Next against base. What does not exist is NaN. */
struct pd_welch {
	double ratio;     /* geometric mean of next over that of base */
	double lo, hi;    /* its interval */
	double se;        /* of the log ratio */
	double t, df, p;  /* df by Satterthwaite (1946) */
	bool is_constant; /* neither side varies: no test, "identical" runs */
};

/* No comparison: all NaN. */
struct pd_welch pd_welch_nothing(void);

/* The sample of n values; false unless n > 0 and all are positive and finite. Order is free. */
bool pd_sample_of(const double *x, size_t n, struct pd_sample *ret_sample);
/*
 * The sample of a summary by the delta method: mean, deviation, number of
 * values. An unknown deviation is that of one value. False unless mean is
 * positive and the rest makes sense.
 */
bool pd_sample_of_summary(double mean, double sd, double n, struct pd_sample *ret_sample);

/* Compare two samples, with an interval of level 1 - alpha. */
void pd_welch_compare(const struct pd_sample *base, const struct pd_sample *next, double alpha,
		      struct pd_welch *ret_welch);

/*
 * Geometric mean of the ratios of n rows, those without one left out; interval
 * and p if each of the others has an error. *ret_n is their number.
 */
void pd_welch_geomean(const struct pd_welch *rows, size_t n, double alpha,
		      struct pd_welch *ret_mean, size_t *ret_n);

#endif
