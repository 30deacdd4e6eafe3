/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices of replicate runs and what is drawn from them.
 */
#include "support/replicates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tsv.h"

static void out_of_memory(void)
{
	fprintf(stderr, "null_sim: out of memory\n");
	exit(1);
}

static void *array(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		out_of_memory();
	return p;
}

static void read_tsv(const char *folder, const char *name, struct pd_tsv *ret_table)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		out_of_memory();
	if (!pd_tsv_read(path, ret_table)) {
		fprintf(stderr, "null_sim: cannot read %s\n", path);
		exit(1);
	}
	free(path);
}

struct pd_replicates pd_replicates_read(const char *folder, const char *name)
{
	struct pd_replicates m = {0};
	struct pd_tsv t;

	read_tsv(folder, name, &t);
	m.n_rows = t.n_rows;
	m.names = array(t.n_rows, sizeof(*m.names));
	m.y = array(t.n_rows * PD_N_REPLICATES, sizeof(*m.y));
	m.mult = array(t.n_rows, sizeof(*m.mult));
	for (size_t g = 0; g < t.n_rows; g++) {
		m.names[g] = strdup(pd_tsv_text(&t, g, 0));
		m.mult[g] = 1;
		for (size_t r = 0; r < PD_N_REPLICATES; r++)
			m.y[g * PD_N_REPLICATES + r] = pd_tsv_number(&t, g, r + 1);
	}
	pd_tsv_done(&t);
	return m;
}

void pd_replicates_free(struct pd_replicates *m)
{
	for (size_t g = 0; g < m->n_rows; g++)
		free(m->names[g]);
	free(m->names);
	free(m->y);
	free(m->mult);
}

void pd_replicates_align(struct pd_replicates *a, struct pd_replicates *b)
{
	size_t n = a->n_rows;
	struct pd_replicates all = {
		.names = array(a->n_rows + b->n_rows, sizeof(*all.names)),
		.y = array((a->n_rows + b->n_rows) * PD_N_REPLICATES, sizeof(*all.y)),
		.mult = array(a->n_rows + b->n_rows, sizeof(*all.mult)),
	};

	for (size_t g = 0; g < n; g++) {
		all.names[g] = strdup(a->names[g]);
		all.mult[g] = 1;
	}
	for (size_t h = 0; h < b->n_rows; h++) {
		size_t g = 0;

		while (g < n && strcmp(all.names[g], b->names[h]) != 0)
			g++;
		if (g == n) {
			all.names[n] = strdup(b->names[h]);
			all.mult[n++] = 1;
		}
		memcpy(&all.y[g * PD_N_REPLICATES], &b->y[h * PD_N_REPLICATES],
		       sizeof(double[PD_N_REPLICATES]));
	}
	all.n_rows = n;
	pd_replicates_free(b);
	*b = all;
}

void pd_replicates_read_truth(const char *folder, struct pd_replicates *m)
{
	struct pd_tsv t;
	size_t col;

	read_tsv(folder, "golden/synth_truth.tsv", &t);
	col = pd_tsv_column(&t, "multB");
	for (size_t g = 0; g < m->n_rows; g++) {
		const char *name = strrchr(m->names[g], ':');

		for (size_t i = 0; name && i < t.n_rows; i++)
			if (strcmp(name + 1, pd_tsv_text(&t, i, 0)) == 0)
				m->mult[g] = pd_tsv_number(&t, i, col);
	}
	pd_tsv_done(&t);
}

struct pd_draw pd_draw_new(size_t n_rows, uint32_t n)
{
	struct pd_draw d = {
		.n = n,
		.y = array(n_rows * 2 * n, sizeof(*d.y)),
		.factor = array(n_rows, sizeof(*d.factor)),
	};

	for (uint32_t r = 0; r < 2 * n; r++)
		d.side[r] = r >= n;
	return d;
}

void pd_draw_free(struct pd_draw *d)
{
	free(d->y);
	free(d->factor);
}

void pd_draw_runs(struct pd_random *random, const struct pd_replicates *base,
		      const struct pd_replicates *next, double min_total, struct pd_draw *d)
{
	size_t runs[2 * PD_N_REPLICATES];
	uint32_t n = d->n;

	for (size_t r = 0; r < PD_N_REPLICATES; r++)
		runs[r] = runs[r + PD_N_REPLICATES] = r;
	pd_random_shuffle(random, runs, PD_N_REPLICATES);
	if (base != next) {
		pd_random_shuffle(random, runs + PD_N_REPLICATES, PD_N_REPLICATES);
		memcpy(runs + n, runs + PD_N_REPLICATES, n * sizeof(*runs));
	}
	d->n_rows = 0;
	for (size_t g = 0; g < next->n_rows; g++) {
		double *y = &d->y[d->n_rows * 2 * n], total = 0;

		for (uint32_t r = 0; r < n; r++) {
			y[r] = g < base->n_rows ? base->y[g * PD_N_REPLICATES + runs[r]] : 0;
			y[n + r] = next->y[g * PD_N_REPLICATES + runs[n + r]];
			total += y[r] + y[n + r];
		}
		if (total < min_total)
			continue;
		d->factor[d->n_rows++] = base == next ? 1 : next->mult[g];
	}
}

double pd_draw_mean(const struct pd_draw *d, size_t g)
{
	double sum = 0;

	for (uint32_t r = 0; r < 2 * d->n; r++)
		sum += d->y[g * 2 * d->n + r];
	return sum / (2 * d->n);
}

void pd_draw_spike(struct pd_random *random, struct pd_draw *d)
{
	static const double sizes[] = {1.1, 1.2, 1.5};
	uint32_t n = d->n;

	for (size_t g = 0; g < d->n_rows; g++) {
		double *y = &d->y[g * 2 * n], size;
		bool is_up;

		if (pd_random_uniform(random) >= (pd_draw_mean(d, g) < 20 ? .03 : .15))
			continue;
		size = sizes[pd_random_below(random, 3)];
		is_up = pd_random_below(random, 2);
		d->factor[g] = is_up ? size : 1 / size;
		for (uint32_t r = 0; r < n; r++) {
			double *thinned = &y[is_up ? r : n + r];

			*thinned = (double)pd_random_binomial(random, (uint64_t)*thinned, 1 / size);
		}
	}
}
