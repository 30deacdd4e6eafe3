/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts: the ticks of one event, functions by runs, as the statistics see
 * them. Checked, divided into ticks, and with the runs in an order that
 * depends on their contents alone, so that neither the order of runs nor that
 * of the two sides changes a single bit of any result.
 *
 *   caller's runs    A1 A2 B1 B2   (side 0 0 1 1)
 *   columns here     B1 A2 B2 A1   (side 1 0 1 0, run 2 1 3 0)
 *
 * Source: STATS.md 4.0, 4.2, 4.14; pinned by test_stats_counts.c.
 */
#ifndef PD_STATS_COUNTS_H
#define PD_STATS_COUNTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "stats/noise.h"

/* What a row is to the statistics; each one is described (mean, deviation, delta). */
enum pd_row_role {
	PD_ROW_PLAIN,    /* tested; in the size factors, the noise model and the totals */
	PD_ROW_FILTERED, /* taken out of the comparison: as plain, but not tested */
	PD_ROW_MEMBER,   /* of a group that is tested in its stead: in nothing else */
	PD_ROW_BESIDE,   /* an inline group: tested in a family of its own, in nothing else */
};

/* Values above this would overflow in a square of a square. */
#define PD_STATS_Y_MAX 1e60

/* One event. Arrays are the caller's, and must live until the call returns. */
struct pd_stats_problem {
	size_t n_rows;
	uint32_t n_runs, n_sides;   /* each side has a run; side 0 is the base */
	const double *y;            /* [n_rows][n_runs], event's unit, >= 0; NaN: a cut list */
	const uint32_t *side;       /* [n_runs], below n_sides */
	const double *exposure;     /* [n_runs], > 0: sampling rate or work; NULL: 1 each */
	const double *leftover;     /* [n_runs], event's unit: cost that is in no row; NULL: 0 */
	const double *quantum;      /* [n_runs], event's unit: step of the values where they are
				       coarser than one tick (4.14); NULL: none */
	const unsigned char *role;  /* [n_rows], enum pd_row_role; NULL: plain */
	const bool *is_idle;        /* [n_rows]; NULL: none is */
	const struct pd_noise_record *history; /* [n_rows], in ticks; NULL: none */
	double tick;                /* event's units that make one tick (c of 4.14); 0: 1 */
};

/* The same in canonical form; in ticks. Lives in an arena. */
struct pd_counts {
	size_t n_rows;
	uint32_t n_runs, n_sides;
	double tick;           /* event's units of a tick */
	double *y;             /* [n_rows][n_runs]; NaN: unknown */
	uint32_t *side;        /* [n_runs] of each column */
	uint32_t *run;         /* [n_runs] the caller's run of each column */
	uint32_t *n_side_runs; /* [n_sides] */
	double *exposure;      /* [n_runs] */
	double *leftover;      /* [n_runs] */
	double *step_sq;       /* [n_sides] squared quantum, summed over the side's runs */
	unsigned char *role;   /* [n_rows] */
	bool *is_idle;         /* [n_rows] */
	struct pd_noise_record *history; /* [n_rows]; NULL: none */
};

/* One side of a row (STATS.md 4.2). */
struct pd_tally {
	bool is_known; /* all of its runs are; if not, the rest is 0 */
	double y;      /* ticks over all runs */
	double rate;   /* ticks per run after scaling: y over the sum of the size factors */
	struct pd_noise_record record; /* mean, and d and ss where it has replicates */
};

/*
 * Check the problem and copy it into the arena. PD_ERR_USAGE says what is
 * wrong with it: no side or run, a negative or too large number, a bad role.
 */
PD_MUST_USE int pd_counts_init(struct pd_arena *arena, const struct pd_stats_problem *problem,
			       struct pd_counts *ret_counts, struct pd_error *err);

/* Whether the row is a part of the whole: of size factors, noise model and totals. */
bool pd_counts_is_part(const struct pd_counts *c, size_t row);

/* Sum of the size factors s [n_runs] of each side [n_sides]. */
void pd_counts_side_scale(const struct pd_counts *c, const double *s, double *ret_side_s);

/* The sides [n_sides] of a row, given the size factors of runs and sides. */
void pd_counts_tally(const struct pd_counts *c, size_t row, const double *s, const double *side_s,
		     struct pd_tally *ret_tallies);

/* Deviation of the scaled ticks of one side (runs - 1 below the line); NaN with one run. */
double pd_counts_sd(const struct pd_counts *c, size_t row, const double *s, uint32_t side);

/* Mean of a row over all runs of its known sides, ticks; NaN if there are none. */
double pd_counts_mean(const struct pd_counts *c, const struct pd_tally *tallies);

/* Mean squared quantum over the runs of all sides, or of two; ticks^2. */
double pd_counts_step_sq(const struct pd_counts *c);
double pd_counts_pair_step_sq(const struct pd_counts *c, uint32_t base, uint32_t next);

#endif
