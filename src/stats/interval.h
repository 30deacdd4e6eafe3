/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Confidence intervals of a row's ratio and difference, from the same mixture
 * as its test, so that the ratio's interval excludes 1 exactly where p is below
 * 1 - level.
 *
 *      z(rho)|              /        z is the signed root of the deviance
 *        zc  |- - - - - -.'          D(rho); 0 at the estimate
 *         0  |-------.'----- rho
 *       -zc  |- -.'
 *            | /lo       hi
 *
 * Source: STATS.md 4.7 (profile likelihood); pinned by test_stats_interval.c
 * and the golden vectors.
 */
#ifndef PD_STATS_INTERVAL_H
#define PD_STATS_INTERVAL_H

#include "stats/counttest.h"

/*
 * The critical value zc: under noise levels v with weights pi the two tails
 * beyond it add up to tails (1 - level, in (0, 1)).
 */
double pd_interval_critical(const double pi[PD_NOISE_N], const double v[PD_NOISE_N], double tails);

/*
 * The ratios next/base with D = zc^2 below and above the estimate. No ticks in
 * base: *ret_hi is infinite; none in next: *ret_lo is 0; none at all: both.
 * A bound beyond e^700 is infinite, or 0. zc > 0.
 */
void pd_interval_ratio(const struct pd_count_pair *pair, double zc, double *ret_lo,
		       double *ret_hi);

/* The difference of the rates next - base, ticks per run, less and plus zc times its error. */
void pd_interval_delta(const struct pd_count_pair *pair, double zc, double *ret_lo,
		       double *ret_hi);

/* The error of counting alone, two of them: ticks per run (4.10). */
double pd_interval_sampling(const struct pd_count_pair *pair);

#endif
