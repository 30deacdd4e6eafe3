/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small comparisons for tests: from a matrix to the answer in one call.
 */
#ifndef PD_TESTS_STATS_CASE_H
#define PD_TESTS_STATS_CASE_H

#include "base/num.h"
#include "stats/stats.h"
#include "support/check.h"

static const uint32_t pd_two_by_two[] = {0, 0, 1, 1};

/* A problem of counts y [n_rows][n_runs] and nothing else. */
static inline struct pd_stats_problem pd_problem_of(const double *y, size_t n_rows,
						    const uint32_t *side, uint32_t n_runs)
{
	struct pd_stats_problem p = {.n_rows = n_rows, .n_runs = n_runs, .y = y, .side = side};

	for (uint32_t r = 0; r < n_runs; r++)
		if (side[r] >= p.n_sides)
			p.n_sides = side[r] + 1;
	return p;
}

/* The answer with default options; the caller frees it. */
static inline struct pd_stats *pd_compare_now(const struct pd_stats_problem *problems, size_t n)
{
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats *stats;
	struct pd_error err = {0};

	assert_int_equal(pd_stats_compare(problems, n, &options, &stats, &err), 0);
	return stats;
}

/* A row that is described, but not tested. */
static inline void pd_assert_no_test(const struct pd_stats_change *c)
{
	assert_true(isnan(c->z) && isnan(c->p) && isnan(c->q) && isnan(c->level));
	assert_true(isnan(c->ratio_lo) && isnan(c->delta_lo) && isnan(c->bound_ratio));
	assert_int_equal(c->verdict, PD_VERDICT_NONE);
}

enum { PD_N_BASIC = 40 };

/* Rows about 200 ticks with some noise; the last ones are up by half. */
static inline void pd_fill_basic(double *y, uint32_t n_runs)
{
	for (uint32_t g = 0; g < PD_N_BASIC; g++)
		for (uint32_t r = 0; r < n_runs; r++)
			y[g * n_runs + r] = (200 + g + (g * 7 + r * 5) % 13) *
					    (g >= PD_N_BASIC - 3 && 2 * r >= n_runs ? 1.5 : 1);
}

#endif
