/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * False discovery control over a family of tests: Benjamini and Hochberg (1995),
 * and the confidence level that belongs to what it selects, Benjamini and
 * Yekutieli (2005). STATS.md 4.6, 4.7; pinned by test_stats_fdr.c.
 */
#ifndef PD_STATS_FDR_H
#define PD_STATS_FDR_H

#include <stdbool.h>

#include "profdiff/error.h"

/*
 * The q values of n p values: ret_q[i] is the lowest false discovery rate at
 * which test i is flagged, min over the p that are not smaller of p M/rank,
 * capped at 1. A NaN is no test: it counts in no M and gets a NaN. ret_q has n
 * elements and may be p itself. Equal p get equal q. O(n log n).
 * PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_fdr_adjust(const double *p, size_t n, double *ret_q, struct pd_error *err);

/* Known values of q: the number M of tests. */
size_t pd_fdr_n_tested(const double *q, size_t n);
/* The number R of tests with q <= alpha. */
size_t pd_fdr_n_flagged(const double *q, size_t n, double alpha);

/*
 * Confidence level of the interval of a test: 1 - alpha where it is not
 * flagged, 1 - alpha R/M where it is, so that on average at most a share alpha
 * of the intervals of flagged rows misses the truth.
 */
double pd_fdr_level(double alpha, bool is_flagged, size_t n_flagged, size_t n_tested);

#endif
