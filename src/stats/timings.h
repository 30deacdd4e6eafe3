/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of timings, rows by runs: benchmark results, times of functions, and
 * percents without counts. Each row is compared by Welch's test on logarithms,
 * with one false discovery control over the table.
 *
 * Invariant: the order of runs changes no bit of a result. Source: STATS.md
 * 4.12, 4.14; pinned by test_stats_timings.c and the golden vector `times`.
 */
#ifndef PD_STATS_TIMINGS_H
#define PD_STATS_TIMINGS_H

#include "base/arena.h"
#include "stats/verdict.h"
#include "stats/welch.h"

/* A value that stands for several runs; n = 0: none. */
struct pd_timing_summary {
	double mean, sd; /* sd NaN: not told */
	double n;        /* runs behind it */
};

/* Arrays are the caller's, and must live until the call returns. */
struct pd_timings_problem {
	size_t n_rows;
	uint32_t n_runs, n_sides;  /* side 0 is the base */
	const double *x;           /* [n_rows][n_runs] any unit, one a row; NaN: not measured */
	const uint32_t *side;      /* [n_runs], below n_sides */
	const struct pd_timing_summary *summaries; /* [n_rows][n_sides]; one with n > 0 is
						      read instead of x; NULL: none */
	const bool *is_higher_better; /* [n_rows]; NULL: lower is */
	double alpha;              /* .05 */
	double equiv_ratio;        /* .05: "same" is within [1/1.05, 1.05] */
};

/* One side of a row. */
struct pd_timing_side {
	double n;    /* runs measured */
	double mean; /* arithmetic; NaN where there are none */
	double sd;   /* NaN with one run */
};

/* A next side of a row against its base; what does not exist is NaN. */
struct pd_timing {
	double delta;          /* next less base, of the arithmetic means */
	double ratio;          /* welch.ratio; of arithmetic means where that is unknown */
	struct pd_welch welch; /* unknown where a value is not positive: it has no logarithm */
	double p_rank;         /* Mann-Whitney, where both sides have 4 runs or more */
	double q;              /* over all p of the table */
	double bound_ratio;    /* largest change left open, STATS.md 4.8 */
	enum pd_verdict verdict;
};

struct pd_timings {
	size_t n_tested, n_flagged;
	struct pd_timing_side *sides; /* [n_rows][n_sides] */
	struct pd_timing *rows;       /* [n_rows][n_sides - 1] */
	struct pd_welch *means;       /* [n_sides - 1] geometric mean of welch.ratio over rows */
	size_t *n_means;              /* [n_sides - 1] how many rows that were */
};

/*
 * Compare the table; the result lives in the arena. PD_ERR_USAGE for a run of
 * no side or an alpha outside (0, 1); PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_timings_compare(struct pd_arena *arena, const struct pd_timings_problem *p,
				   struct pd_timings *ret_timings, struct pd_error *err);

#endif
