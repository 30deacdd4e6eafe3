/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole runs. Nothing here changes a verdict: runs are warned of, not dropped.
 */
#include "stats/runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "stats/median.h"

enum { MIN_RUNS_CHECK = 3 }; /* with fewer, nobody can say which one is odd */

#define MAX_DEVIATION   0.20  /* of a log size factor: .04 to .14 are common */
#define MAX_SCORE       3.0   /* the largest of 5 good runs is below 2, 99 times of 100 */
#define CHI2_MEDIAN     .4549 /* median of chi squared with one degree of freedom */
#define MAX_SHIFT       0.03  /* |F - 1|, where the interval excludes 1 */
#define MAX_SHIFT_ALONE 0.10  /* where a side has one run */

struct pd_shift pd_runs_no_shift(void)
{
	return (struct pd_shift){PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN, false};
}

/* The logarithms of a side's factors over its exposure as a sample. */
static struct pd_sample sample_of_factors(const struct pd_counts *c, const double *median_s,
					  uint32_t side)
{
	struct pd_sample sample = {.n = c->n_side_runs[side], .var = PD_UNKNOWN};
	double first = PD_UNKNOWN, sum = 0, sum_sq = 0;

	for (uint32_t r = 0; r < c->n_runs; r++) {
		double x = log(median_s[r] / c->exposure[r]);

		if (c->side[r] != side)
			continue;
		if (!pd_is_known(first))
			first = x;
		sum += x - first;
		sum_sq += (x - first) * (x - first);
	}
	sample.mean = first + sum / sample.n;
	if (sample.n > 1)
		sample.var = fmax(sum_sq - sum * sum / sample.n, 0) / (sample.n - 1);
	return sample;
}

void pd_runs_shift(const struct pd_counts *c, const double *median_s, uint32_t next, double alpha,
		   struct pd_shift *ret_shift)
{
	struct pd_sample b = sample_of_factors(c, median_s, 0);
	struct pd_sample n = sample_of_factors(c, median_s, next);
	struct pd_shift shift = pd_runs_no_shift();
	struct pd_welch w;
	double excess;

	pd_welch_compare(&b, &n, alpha, &w);
	shift.ratio = w.ratio;
	/* Factors that do not vary at all leave no doubt about the shift. */
	shift.lo = w.is_constant ? w.ratio : w.lo;
	shift.hi = w.is_constant ? w.ratio : w.hi;
	excess = fabs(shift.ratio - 1);
	if (pd_is_known(shift.lo))
		shift.is_large = excess > MAX_SHIFT && (shift.lo > 1 || shift.hi < 1);
	else
		shift.is_large = excess > MAX_SHIFT_ALONE;
	*ret_shift = shift;
}

/* Deviations of the side's runs; buffer is [n_runs]. */
static void check_factors(const struct pd_counts *c, const double *median_s, uint32_t side,
			  double *buffer, struct pd_run_check *checks)
{
	size_t n = 0;
	double middle;

	for (uint32_t r = 0; r < c->n_runs; r++)
		if (c->side[r] == side)
			buffer[n++] = log(median_s[r] / c->exposure[r]);
	middle = pd_median(buffer, n);
	for (uint32_t r = 0; r < c->n_runs; r++)
		if (c->side[r] == side)
			checks[r].deviation = log(median_s[r] / c->exposure[r]) - middle;
}

/* What the scores of one side are made of. */
struct residuals {
	size_t n;      /* rows that count */
	size_t *rows;  /* [n_rows] which */
	double *rate;  /* [n_rows] */
	double *noise; /* [n_rows] mean noise level V */
	double *x;     /* [n_rows] squared residuals of one run */
};

/* The rows whose mean on the side is high enough to learn from. */
static void collect(const struct pd_counts *c, const double *s, const double *side_s,
		    uint32_t side, struct pd_tally *tallies, pd_posterior_fn *posterior,
		    const void *arg, struct residuals *ret)
{
	double step_sq = c->step_sq[side] / c->n_side_runs[side], v[PD_NOISE_N];

	ret->n = 0;
	for (size_t g = 0; g < c->n_rows; g++) {
		double mean;

		if (!pd_counts_is_part(c, g))
			continue;
		pd_counts_tally(c, g, s, side_s, tallies);
		mean = tallies[side].record.mean;
		if (mean < PD_NOISE_MIN_MEAN)
			continue;
		pd_noise_variance(mean, pd_noise_rounding(step_sq, mean), v);
		ret->rows[ret->n] = g;
		ret->rate[ret->n] = tallies[side].rate;
		ret->noise[ret->n++] = pd_noise_mean(posterior(arg, g, side), v);
	}
}

static void check_residuals(const struct pd_counts *c, const double *s, const double *side_s,
			    uint32_t side, struct residuals *in, struct pd_run_check *checks)
{
	for (uint32_t r = 0; r < c->n_runs; r++) {
		if (c->side[r] != side)
			continue;
		for (size_t i = 0; i < in->n; i++) {
			double expected = s[r] * in->rate[i];
			double d = c->y[in->rows[i] * c->n_runs + r] - expected;

			in->x[i] = d * d / (expected * in->noise[i] * (1 - s[r] / side_s[side]));
		}
		checks[r].score = pd_median(in->x, in->n) / CHI2_MEDIAN;
	}
}

static void check_side(const struct pd_counts *c, const double *s, const double *side_s,
		       const double *median_s, uint32_t side, struct residuals *in,
		       double *buffer, struct pd_run_check *checks)
{
	check_residuals(c, s, side_s, side, in, checks);
	if (median_s)
		check_factors(c, median_s, side, buffer, checks);
	for (uint32_t r = 0; r < c->n_runs; r++)
		if (c->side[r] == side)
			checks[r].is_bad = fabs(checks[r].deviation) > MAX_DEVIATION ||
					   checks[r].score > MAX_SCORE;
}

int pd_runs_check(const struct pd_counts *c, const double *s, const double *side_s,
		  const double *median_s, pd_posterior_fn *posterior, const void *arg,
		  struct pd_run_check *ret_checks, struct pd_error *err)
{
	size_t n = c->n_rows ? c->n_rows : 1;
	struct residuals in = {
		.rows = calloc(n, sizeof(*in.rows)),
		.rate = calloc(n, sizeof(*in.rate)),
		.noise = calloc(n, sizeof(*in.noise)),
		.x = calloc(n, sizeof(*in.x)),
	};
	struct pd_tally *tallies = calloc(c->n_sides, sizeof(*tallies));
	double *buffer = calloc(c->n_runs, sizeof(*buffer));
	int rc = 0;

	if (!in.rows || !in.rate || !in.noise || !in.x || !tallies || !buffer)
		rc = pd_fail_nomem(err);
	for (uint32_t r = 0; !rc && r < c->n_runs; r++)
		ret_checks[r] = (struct pd_run_check){PD_UNKNOWN, PD_UNKNOWN, false};
	for (uint32_t i = 0; !rc && i < c->n_sides; i++) {
		if (c->n_side_runs[i] < MIN_RUNS_CHECK)
			continue;
		collect(c, s, side_s, i, tallies, posterior, arg, &in);
		check_side(c, s, side_s, median_s, i, &in, buffer, ret_checks);
	}
	free(in.rows);
	free(in.rate);
	free(in.noise);
	free(in.x);
	free(tallies);
	free(buffer);
	return rc;
}
