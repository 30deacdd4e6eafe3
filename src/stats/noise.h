/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The noise model: how much more than counting noise a function's ticks vary
 * from run to run. A count with mean m has variance m V, where V is one of 14
 * functions of m; how likely each is, is learned from all rows of a comparison
 * and updated by the row's own replicates.
 *
 *      V |                    . k = 14: 1 + (2.56)^2 m
 *        |             .            ...
 *      1 |-------------------------- k = 5: counting noise alone
 *        |       ` .
 *      0 |______________` .________ k = 1..4: min(1, h/m), locked to the timer
 *        0                        m
 *
 * Invariant: V > 0 always, and weights are positive and add up to 1.
 * Source: STATS.md 4.3, 4.4, 4.10, 4.14. The prior on a grid is the
 * nonparametric one of Kiefer and Wolfowitz (1956), fitted by EM (Dempster,
 * Laird and Rubin 1977); pinned by test_stats_noise.c and the golden vectors.
 */
#ifndef PD_STATS_NOISE_H
#define PD_STATS_NOISE_H

#include <stddef.h>

enum { PD_NOISE_N = 14 }; /* points of the grid; arrays of so many are indexed k - 1 */

/* Rows with a smaller mean over all runs teach nothing (ticks). */
#define PD_NOISE_MIN_MEAN 20.0

/* What replicates of one function said: degrees of freedom, mean ticks, Pearson sum. */
struct pd_noise_record {
	double d;    /* runs - 1; 0 is no record */
	double mean; /* ticks per run */
	double ss;   /* sum of (y - s rate)^2 / (s rate), STATS.md 4.2 */
};

/* The weights before anything is learned. */
void pd_noise_start(double ret_w[PD_NOISE_N]);

/*
 * Extra variance, in units of the mean, of values rounded to a step: step_sq /
 * (12 mean), where step_sq is the squared step in ticks^2. 0 where the mean is.
 */
double pd_noise_rounding(double step_sq, double mean);

/* V of every grid point at a mean >= 0 (ticks), plus an extra variance >= 0. */
void pd_noise_variance(double mean, double extra, double ret_v[PD_NOISE_N]);

/*
 * Add to l the log likelihood of every grid point given one record; extra as
 * above, at the record's mean. Nothing is added where d is 0.
 */
void pd_noise_add_record(double l[PD_NOISE_N], const struct pd_noise_record *r, double extra);

/* Log likelihoods to likelihoods, the largest of which is 1. */
void pd_noise_evidence(const double l[PD_NOISE_N], double ret_e[PD_NOISE_N]);

/*
 * Learn the weights: exactly 200 EM steps from the start weights, which stay in
 * as 10 rows' worth of belief. evidence is n_rows rows of PD_NOISE_N; with
 * none the start weights are returned. O(n_rows), about 5 us a row.
 */
void pd_noise_learn(const double *evidence, size_t n_rows, double ret_w[PD_NOISE_N]);

/* How likely each grid point is for one row: w e, scaled to add up to 1. May be in place. */
void pd_noise_posterior(const double w[PD_NOISE_N], const double e[PD_NOISE_N],
			double ret_pi[PD_NOISE_N]);

/* The mean of v under pi. */
double pd_noise_mean(const double pi[PD_NOISE_N], const double v[PD_NOISE_N]);

#endif
