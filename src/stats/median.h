/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Medians by selection, in linear time. The arrays given are reordered.
 *
 * Source: Hoare (1961), with the three-way partition of Dijkstra (1976);
 * pinned by test_stats_scale.c.
 */
#ifndef PD_STATS_MEDIAN_H
#define PD_STATS_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/*
 * A value and its weight. Weights are whole numbers, so that their sums are
 * exact, and a median does not depend on the order of addition.
 */
struct pd_weighted {
	double x;
	uint64_t weight; /* the sum of all must fit, too */
};

/* The smallest x such that x and what is smaller have at least half of the weight; n > 0. */
double pd_median_weighted(struct pd_weighted *a, size_t n);

/* The middle value of n, the mean of the two middle ones of an even number; NaN for none. */
double pd_median(double *x, size_t n);

#endif
