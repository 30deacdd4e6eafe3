/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact rank test of Mann and Whitney (1947), shown beside Welch's where
 * runs are many enough for it to say something.
 *
 * Source: STATS.md 4.12; pinned by test_stats_welch.c.
 */
#ifndef PD_STATS_RANK_H
#define PD_STATS_RANK_H

#include "profdiff/error.h"

enum { PD_RANK_MAX_PAIRS = 65536 }; /* the distribution takes pairs times runs to make */

/*
 * Distribution of U for two sizes, without ties. Zero-initialise it; free with
 * pd_rank_done().
 */
struct pd_rank {
	size_t n_base, n_next;
	double *below; /* P(U <= u) for u up to half of n_base n_next; NULL: none */
};

void pd_rank_done(struct pd_rank *r);
/*
 * Make it for these sizes, unless it is already; so rows of equal sizes share
 * one. Without a distribution where a side has no run or there are more than
 * PD_RANK_MAX_PAIRS pairs. PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_rank_prepare(struct pd_rank *r, size_t n_base, size_t n_next,
				struct pd_error *err);
/*
 * Two-sided p of values of these sizes; ties count one half. NaN without a
 * distribution.
 */
double pd_rank_p(const struct pd_rank *r, const double *base, const double *next);

#endif
