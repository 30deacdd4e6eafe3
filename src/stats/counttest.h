/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test of one row, two sides: the deviance of two Poisson counts, and its
 * tail under the row's own mixture of noise levels (the quasi-likelihood of
 * Wedderburn 1974 with a discrete prior on the dispersion).
 *
 * Invariant: exchanging base and next negates z and leaves p as it is, in all
 * bits. Source: STATS.md 4.5; pinned by test_stats_counttest.c and the golden
 * vectors.
 */
#ifndef PD_STATS_COUNTTEST_H
#define PD_STATS_COUNTTEST_H

#include "stats/noise.h"

/* The two sides of a row. */
struct pd_count_pair {
	double y_base, y_next; /* ticks over all runs of the side, >= 0 */
	double s_base, s_next; /* sums of size factors, > 0 */
	double n_runs;         /* of both sides */
};

struct pd_count_test {
	double z;                 /* signed root of the deviance; 0 where there are no ticks */
	double p;                 /* two-sided, in [0, 1]; 0 where it underflows */
	double v[PD_NOISE_N];     /* noise levels at the mean of both sides */
	double noise;             /* their mean under pi: variance over counting variance */
};

/*
 * bd0(o, e) = o log(o/e) + e - o, what a count o adds to half the deviance
 * where e is expected; e > 0 unless o is 0. By the series of Loader (2000)
 * near o = e, where plain logarithms lose eight digits.
 */
double pd_count_bd0(double o, double e);

/* The deviance of a pair if next/base is truly ratio, in [0, infinity]. */
double pd_count_deviance(const struct pd_count_pair *pair, double ratio);

/* The test of no difference. step_sq is the squared quantum of the pair, ticks^2 (4.14). */
void pd_count_test(const struct pd_count_pair *pair, double step_sq,
		   const double pi[PD_NOISE_N], struct pd_count_test *ret_test);

/* z alone. */
double pd_count_z(const struct pd_count_pair *pair);

#endif
