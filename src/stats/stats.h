/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The comparison of one report: for each function and each next side, how much
 * it changed against the base and how sure that is.
 *
 *   problem (one event) --pd_stats_add--> event: size factors, noise model, p
 *   problem (another)   --pd_stats_add--> event
 *                         pd_stats_finish: q over all events, intervals, verdicts
 *
 * Events are problems of their own; only the false discovery control is shared.
 * Rows that stand beside the others (PD_ROW_BESIDE) are a second family with a
 * control of their own.
 *
 * Invariants: results are pure functions of the problems; permuting runs
 * permutes scale and runs and leaves all other bits alone; exchanging two sides
 * mirrors everything (z, p, q, delta in all bits; ratio bounds beyond 1e6, which
 * say nothing, to 1e-7). What does not exist is NaN. Source: STATS.md 4; pinned by
 * test_stats_golden.c and test_stats_rules.c.
 */
#ifndef PD_STATS_STATS_H
#define PD_STATS_STATS_H

#include "stats/counts.h"
#include "stats/runs.h"
#include "stats/scale.h"
#include "stats/totals.h"
#include "stats/verdict.h"

#define PD_STATS_MIN_TICKS 20.0 /* of both sides together; fewer are not tested (4.6) */

struct pd_stats_options {
	enum pd_normalize normalize;
	double alpha;       /* false discovery rate, and 1 - level of intervals; in (0, 1) */
	double equiv_ratio; /* margin of "same"; > 0 */
};

#define PD_STATS_OPTIONS_DEFAULT                                               \
	{                                                                      \
		.normalize = PD_NORMALIZE_NONE, .alpha = 0.05, .equiv_ratio = 0.05, \
	}

/* What the noise was learned from. */
enum pd_stats_mode {
	PD_STATS_REPLICATES, /* a side has two runs or more */
	PD_STATS_HISTORY,    /* none has, but a row has a record of earlier runs */
	PD_STATS_SINGLE,     /* neither: no intervals, no verdicts */
};

/* A family of rows with one false discovery control. */
enum pd_stats_family {
	PD_STATS_MAIN,   /* PD_ROW_PLAIN */
	PD_STATS_BESIDE, /* PD_ROW_BESIDE */
	PD_STATS_N_FAMILIES,
};

/* One side of a row; NaN where the row is unknown there. */
struct pd_stats_side {
	double mean; /* rate: event's unit per run, scaled */
	double sd;   /* of the scaled runs; NaN with one run */
};

/*
 * A next side of a row against the base. In mode SINGLE there are no intervals,
 * no q and no bound, and p is a ranking. A row that is not tested (member,
 * filtered, unknown on either side) has delta, ratio and sampling alone.
 */
struct pd_stats_change {
	double delta;              /* next - base, event's unit per run */
	double ratio;              /* next/base; infinite where base is 0; NaN where both are */
	double delta_lo, delta_hi; /* event's unit per run */
	double ratio_lo, ratio_hi; /* 0 and infinity where open */
	double level;              /* of both intervals */
	double z;                  /* signed root of the deviance */
	double p, q;               /* q only for rows with PD_STATS_MIN_TICKS */
	double noise;              /* variance over counting variance, mean of the noise model */
	double bound_ratio;        /* largest change left open; infinite where an end is */
	double sampling;           /* mode SINGLE: two errors of counting alone, event's unit */
	enum pd_verdict verdict;
};

struct pd_stats_work; /* what pd_stats_finish() still needs; private to stats.c */

/* The answer for one problem. */
struct pd_stats_event {
	size_t n_rows;
	uint32_t n_runs, n_sides;
	enum pd_stats_mode mode;
	double *scale;               /* [n_runs] size factors, in the caller's order of runs */
	bool has_fallen_back;        /* the normalization asked for was impossible: NONE was used */
	size_t n_typical;            /* rows that size factors of MEDIAN and the shift come from */
	size_t n_models;             /* 1; in mode SINGLE one for each next side */
	double *weights;             /* [n_models][PD_NOISE_N] learned noise model */
	size_t *n_learned;           /* [n_models] rows it was learned from */
	struct pd_stats_side *sides; /* [n_rows][n_sides] */
	struct pd_stats_change *changes; /* [n_rows][n_sides - 1] */
	struct pd_shift *shifts;     /* [n_sides - 1] */
	struct pd_run_check *runs;   /* [n_runs], in the caller's order of runs */
	struct pd_total total, busy; /* with and without idle rows */
	struct pd_stats_work *work;
};

/* The answer for one report. */
struct pd_stats {
	struct pd_arena arena;
	struct pd_stats_options options;
	struct pd_stats_event *events; /* in the order of pd_stats_add() */
	size_t n_events, cap_events;
	size_t n_tested[PD_STATS_N_FAMILIES];  /* M: pairs of row and next side with a q */
	size_t n_flagged[PD_STATS_N_FAMILIES]; /* R: those of them with q <= alpha */
	size_t n_ranked[PD_STATS_N_FAMILIES];  /* pairs in mode SINGLE that could be marked */
};

/* Begin a comparison; free it with pd_stats_free(). PD_ERR_USAGE: bad options; PD_ERR_NOMEM. */
PD_MUST_USE int pd_stats_new(const struct pd_stats_options *options, struct pd_stats **ret_stats,
			     struct pd_error *err);
/* NULL allowed. */
void pd_stats_free(struct pd_stats *stats);

/*
 * First pass over one event: everything but q, level, intervals, bound and
 * verdict. Nothing of problem is kept. At least two sides. PD_ERR_USAGE: see
 * pd_counts_init(); PD_ERR_NOMEM. After a failure only pd_stats_free() is left.
 */
PD_MUST_USE int pd_stats_add(struct pd_stats *stats, const struct pd_stats_problem *problem,
			     struct pd_error *err);
/*
 * Second pass over all events. Call once. Events in mode SINGLE take part in
 * no false discovery control. PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_stats_finish(struct pd_stats *stats, struct pd_error *err);

/* All of it for n_problems events. */
PD_MUST_USE int pd_stats_compare(const struct pd_stats_problem *problems, size_t n_problems,
				 const struct pd_stats_options *options,
				 struct pd_stats **ret_stats, struct pd_error *err);

/*
 * The noise history of one side: ret_records [n_rows] of a problem with a
 * single side of two runs or more, size factors as PD_NORMALIZE_NONE. d is 0
 * for rows without ticks and unknown ones. PD_ERR_USAGE, PD_ERR_NOMEM.
 */
PD_MUST_USE int pd_stats_history(const struct pd_stats_problem *problem,
				 struct pd_noise_record *ret_records, struct pd_error *err);

#endif
