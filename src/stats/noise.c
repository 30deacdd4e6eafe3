/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The noise grid and its EM. The 200 steps over all rows are what the whole
 * comparison costs most, so they are written in pairs of doubles.
 */
#include "stats/noise.h"

#include <math.h>
#include <string.h>

enum {
	N_LOCKED = 4, /* grid points below counting noise */
	N_CV = PD_NOISE_N - N_LOCKED,
	N_STEPS = 200,
	N_PAIRS = PD_NOISE_N / 2,
};

#define PRIOR_ROWS 10.0 /* what the start weights count as, in rows */
/* Likelihoods below exp of this are 0: subnormal numbers would slow the EM a hundredfold. */
#define MIN_LOG_EVIDENCE (-690.0)

static const double locked_ticks[N_LOCKED] = {1, 4, 16, 64};
/* Coefficients of variation from run to run. */
static const double cv[N_CV] = {0, .01, .02, .04, .08, .16, .32, .64, 1.28, 2.56};

/* Two lanes; any alignment of the memory they are loaded from. */
typedef double pair __attribute__((vector_size(16)));

void pd_noise_start(double ret_w[PD_NOISE_N])
{
	static const double share[N_CV] = {.25, .12, .10, .10, .12, .14, .09, .05, .02, .01};

	for (int k = 0; k < N_LOCKED; k++)
		ret_w[k] = .0125;
	for (int k = 0; k < N_CV; k++)
		ret_w[N_LOCKED + k] = .95 * share[k];
}

double pd_noise_rounding(double step_sq, double mean)
{
	return mean > 0 ? step_sq / (12 * mean) : 0;
}

void pd_noise_variance(double mean, double extra, double ret_v[PD_NOISE_N])
{
	for (int k = 0; k < N_LOCKED; k++)
		ret_v[k] = (mean > locked_ticks[k] ? locked_ticks[k] / mean : 1) + extra;
	for (int k = 0; k < N_CV; k++)
		ret_v[N_LOCKED + k] = 1 + cv[k] * cv[k] * mean + extra;
}

void pd_noise_add_record(double l[PD_NOISE_N], const struct pd_noise_record *r, double extra)
{
	double v[PD_NOISE_N];

	if (!(r->d > 0))
		return;
	pd_noise_variance(r->mean, extra, v);
	for (int k = 0; k < PD_NOISE_N; k++)
		l[k] -= 0.5 * (r->d * log(v[k]) + r->ss / v[k]);
}

void pd_noise_evidence(const double l[PD_NOISE_N], double ret_e[PD_NOISE_N])
{
	double max = l[0];

	for (int k = 1; k < PD_NOISE_N; k++)
		max = fmax(max, l[k]);
	for (int k = 0; k < PD_NOISE_N; k++)
		ret_e[k] = l[k] - max < MIN_LOG_EVIDENCE ? 0 : exp(l[k] - max);
}

static inline pair load(const double *p)
{
	pair x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* sum += e / (e . w) for one row. */
static inline void add_share(const double *e, const pair w[N_PAIRS], pair sum[N_PAIRS])
{
	pair even = load(e) * w[0];
	pair odd = load(e + 2) * w[1];
	double scale;

	for (int i = 2; i < N_PAIRS - 1; i += 2) {
		even += load(e + 2 * i) * w[i];
		odd += load(e + 2 * i + 2) * w[i + 1];
	}
	even += load(e + 2 * N_PAIRS - 2) * w[N_PAIRS - 1] + odd;
	scale = 1 / (even[0] + even[1]);
	for (int i = 0; i < N_PAIRS; i++)
		sum[i] += load(e + 2 * i) * (pair){scale, scale};
}

void pd_noise_learn(const double *evidence, size_t n_rows, double ret_w[PD_NOISE_N])
{
	double start[PD_NOISE_N], shares[PD_NOISE_N];
	pair w[N_PAIRS], sum[N_PAIRS];

	pd_noise_start(start);
	memcpy(ret_w, start, sizeof(start));
	if (!n_rows)
		return;
	for (int step = 0; step < N_STEPS; step++) {
		memcpy(w, ret_w, sizeof(w));
		memset(sum, 0, sizeof(sum));
		for (size_t g = 0; g < n_rows; g++)
			add_share(&evidence[g * PD_NOISE_N], w, sum);
		memcpy(shares, sum, sizeof(shares));
		for (int k = 0; k < PD_NOISE_N; k++)
			ret_w[k] = (ret_w[k] * shares[k] + PRIOR_ROWS * start[k]) /
				   ((double)n_rows + PRIOR_ROWS);
	}
}

void pd_noise_posterior(const double w[PD_NOISE_N], const double e[PD_NOISE_N],
			double ret_pi[PD_NOISE_N])
{
	double sum = 0;

	for (int k = 0; k < PD_NOISE_N; k++) {
		ret_pi[k] = w[k] * e[k];
		sum += ret_pi[k];
	}
	for (int k = 0; k < PD_NOISE_N; k++)
		ret_pi[k] /= sum;
}

double pd_noise_mean(const double pi[PD_NOISE_N], const double v[PD_NOISE_N])
{
	double sum = 0;

	for (int k = 0; k < PD_NOISE_N; k++)
		sum += pi[k] * v[k];
	return sum;
}
