/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Size factors. The weighted median is a selection, not a sort: the shift line
 * needs it in every comparison, for every run, three times over.
 */
#include "stats/scale.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/median.h"

#define MIN_MEAN     5.0    /* ticks a run; below, ratios are mostly chance */
#define RATIO_NOISE  0.0025 /* squared variation of a ratio apart from counting: .05^2 */
#define ROUNDS       3
#define WEIGHT_UNIT  0x1p28 /* weights are below 1/RATIO_NOISE and become whole numbers */

static void to_geometric_mean_1(double *s, uint32_t n)
{
	double sum = 0;

	for (uint32_t r = 0; r < n; r++)
		sum += log(s[r]);
	for (uint32_t r = 0; r < n; r++)
		s[r] = exp(log(s[r]) - sum / n);
}

void pd_scale_exposure(const struct pd_counts *c, enum pd_normalize how, double *ret_s)
{
	bool is_even = true;

	for (uint32_t r = 0; r < c->n_runs; r++) {
		ret_s[r] = c->exposure[r];
		is_even = is_even && ret_s[r] == ret_s[0];
	}
	if (how == PD_NORMALIZE_PER)
		return;
	/* Exactly 1: logarithms would leave a rounding error in every number shown. */
	for (uint32_t r = 0; is_even && r < c->n_runs; r++)
		ret_s[r] = 1;
	if (!is_even)
		to_geometric_mean_1(ret_s, c->n_runs);
}

/* The rows that are typical functions; returns how many. */
static size_t typical_rows(const struct pd_counts *c, size_t *rows)
{
	size_t n = 0;

	for (size_t g = 0; g < c->n_rows; g++) {
		double sum = 0;

		for (uint32_t r = 0; r < c->n_runs; r++)
			sum += c->y[g * c->n_runs + r];
		/* A NaN compares false. */
		if (pd_counts_is_part(c, g) && !c->is_idle[g] && sum / c->n_runs >= MIN_MEAN)
			rows[n++] = g;
	}
	return n;
}

/* One round: factors from the ratios of each run to the reference that s gives. */
static void refine(const struct pd_counts *c, const size_t *rows, size_t n_rows,
		   double *ref, struct pd_weighted *ratios, double *s)
{
	double sum_s = 0, sum_l = 0;

	for (uint32_t r = 0; r < c->n_runs; r++)
		sum_s += s[r];
	for (size_t k = 0; k < n_rows; k++) {
		ref[k] = 0;
		for (uint32_t r = 0; r < c->n_runs; r++)
			ref[k] += c->y[rows[k] * c->n_runs + r];
		ref[k] /= sum_s;
	}
	for (uint32_t r = 0; r < c->n_runs; r++) {
		for (size_t k = 0; k < n_rows; k++) {
			double w = ref[k] / (1 + ref[k] * RATIO_NOISE);

			ratios[k].x = (c->y[rows[k] * c->n_runs + r] + .5) / (ref[k] + .5);
			ratios[k].weight = (uint64_t)(w * WEIGHT_UNIT);
		}
		s[r] = log(pd_median_weighted(ratios, n_rows));
		sum_l += s[r];
	}
	for (uint32_t r = 0; r < c->n_runs; r++)
		s[r] = exp(s[r] - sum_l / c->n_runs);
}

int pd_scale_median(const struct pd_counts *c, double *ret_s, size_t *ret_n_rows,
		    struct pd_error *err)
{
	size_t n = c->n_rows ? c->n_rows : 1, n_rows;
	size_t *rows = calloc(n, sizeof(*rows));
	double *ref = calloc(n, sizeof(*ref));
	struct pd_weighted *ratios = calloc(n, sizeof(*ratios));
	int rc = 0;

	if (!rows || !ref || !ratios) {
		rc = pd_fail_nomem(err);
		goto out;
	}
	n_rows = typical_rows(c, rows);
	*ret_n_rows = n_rows;
	if (n_rows < PD_SCALE_MIN_ROWS)
		goto out;
	for (uint32_t r = 0; r < c->n_runs; r++)
		ret_s[r] = 1;
	for (int round = 0; round < ROUNDS; round++)
		refine(c, rows, n_rows, ref, ratios, ret_s);
out:
	free(rows);
	free(ref);
	free(ratios);
	return rc;
}

/* Whether a run of that side is unknown: its listed runs are in the caller's leftover. */
static bool is_cut(const struct pd_counts *c, const double *y, uint32_t side)
{
	for (uint32_t r = 0; r < c->n_runs; r++)
		if (c->side[r] == side && !pd_is_known(y[r]))
			return true;
	return false;
}

void pd_scale_column_sums(const struct pd_counts *c, bool with_idle, double *ret_ticks)
{
	memcpy(ret_ticks, c->leftover, c->n_runs * sizeof(*ret_ticks));
	for (size_t g = 0; g < c->n_rows; g++) {
		const double *y = &c->y[g * c->n_runs];
		double sum = 0;

		if (!pd_counts_is_part(c, g) || (c->is_idle[g] && !with_idle))
			continue;
		for (uint32_t r = 0; r < c->n_runs; r++)
			sum += y[r];
		for (uint32_t r = 0; r < c->n_runs; r++)
			if (pd_is_known(sum) || !is_cut(c, y, c->side[r]))
				ret_ticks[r] += y[r];
	}
}

bool pd_scale_total(const struct pd_counts *c, double *ret_s)
{
	pd_scale_column_sums(c, true, ret_s);
	for (uint32_t r = 0; r < c->n_runs; r++)
		if (!(ret_s[r] > 0))
			return false;
	to_geometric_mean_1(ret_s, c->n_runs);
	return true;
}
