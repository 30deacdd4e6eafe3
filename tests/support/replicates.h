/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices of replicate runs, and random comparisons drawn from them: the
 * protocols of STATS.md 3.1 and 3.2. For simulations: what cannot be read, or
 * allocated, ends the program with a message.
 */
#ifndef PD_TESTS_REPLICATES_H
#define PD_TESTS_REPLICATES_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"

enum { PD_N_REPLICATES = 20 };

/* A matrix of replicate runs. */
struct pd_replicates {
	size_t n_rows;
	char **names;
	double *y;    /* [n_rows][PD_N_REPLICATES] */
	double *mult; /* [n_rows] true change of synthB, 1 elsewhere */
};

/* What a comparison is drawn into. */
struct pd_draw {
	size_t n_rows;
	uint32_t n; /* runs a side */
	double *y;      /* [n_rows][2 n] */
	double *factor; /* [n_rows] true ratio of next over base */
	uint32_t side[2 * PD_N_REPLICATES];
};

/* FOLDER/NAME, a column a run; free with pd_replicates_free(). */
struct pd_replicates pd_replicates_read(const char *folder, const char *name);
void pd_replicates_free(struct pd_replicates *m);
/* Make b's rows a superset of a's in a's order, so that both have the same ones. */
void pd_replicates_align(struct pd_replicates *a, struct pd_replicates *b);
/* Set mult from FOLDER/golden/synth_truth.tsv. */
void pd_replicates_read_truth(const char *folder, struct pd_replicates *m);

/* Room for n runs a side of n_rows rows; free with pd_draw_free(). */
struct pd_draw pd_draw_new(size_t n_rows, uint32_t n);
void pd_draw_free(struct pd_draw *d);
/*
 * n random runs of base against n of next, other ones if both are the same
 * matrix; rows with fewer ticks than min_total are left out.
 */
void pd_draw_runs(struct pd_random *random, const struct pd_replicates *base,
		  const struct pd_replicates *next, double min_total, struct pd_draw *d);
/* Ticks per run of a row as it is. */
double pd_draw_mean(const struct pd_draw *d, size_t g);
/* Change some rows by thinning the other side: STATS.md 3.2. */
void pd_draw_spike(struct pd_random *random, struct pd_draw *d);

#endif
