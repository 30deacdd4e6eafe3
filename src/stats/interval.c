/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Confidence intervals. Both equations are smooth and monotone, so Newton's
 * kind of step inside a bracket needs three to six evaluations where halving
 * needs sixty.
 */
#include "stats/interval.h"

#include <math.h>

#include "stats/dist.h"

enum { MAX_STEPS = 200 }; /* bisections alone would do with fewer */

#define MAX_LOG_RATIO 700.0 /* exp of more is no number; such a bound is infinite, or 0 */

#define NEGLIGIBLE    1e-17 /* of the tails: less than the rounding of their sum */

/* The terms of a mixture that can matter to its tails. */
struct mixture {
	int n;
	double weight[PD_NOISE_N];     /* pi */
	double inverse_sd[PD_NOISE_N]; /* 1/sqrt(V) */
	double x_max;                  /* beyond so many sd a term has no tail */
};

/* The two tails of a mixture beyond z, and their derivatives. */
struct tails {
	double sum, slope, bend; /* slope is minus the first derivative, bend the second */
};

static struct tails tails_beyond(const struct mixture *m, double z)
{
	struct tails t = {0};

	for (int k = 0; k < m->n; k++) {
		double x = z * m->inverse_sd[k], density;

		if (x > m->x_max)
			continue;
		density = 2 * m->weight[k] * pd_dist_normal_density(x) * m->inverse_sd[k];
		t.sum += m->weight[k] * pd_dist_normal_tails(x);
		t.slope += density;
		t.bend += density * x * m->inverse_sd[k];
	}
	return t;
}

double pd_interval_critical(const double pi[PD_NOISE_N], const double v[PD_NOISE_N], double tails)
{
	struct mixture m = {.x_max = pd_dist_normal_critical(NEGLIGIBLE * tails)};
	double lo = 0, v_max = 0, mean_sd = 0, hi, z;

	for (int k = 0; k < PD_NOISE_N; k++) {
		double sd = sqrt(v[k]);

		v_max = fmax(v_max, v[k]);
		mean_sd += pi[k] * sd;
		if (pi[k] <= NEGLIGIBLE * tails)
			continue;
		m.weight[m.n] = pi[k];
		m.inverse_sd[m.n++] = 1 / sd;
	}
	hi = 40 * sqrt(v_max);
	z = mean_sd * pd_dist_normal_critical(tails);
	for (int i = 0; i < MAX_STEPS && hi - lo > 1e-15 * hi; i++) {
		struct tails t = tails_beyond(&m, z);
		double f = t.sum - tails, step;

		if (f > 0)
			lo = z;
		else
			hi = z;
		/* Halley (1694): the error is cubed in each step. */
		step = 2 * f * t.slope / (2 * t.slope * t.slope - f * t.bend);
		if (!(z + step > lo && z + step < hi))
			step = 0.5 * (lo + hi) - z;
		else if (fabs(step) <= 1e-6 * z)
			return z + step;
		z += step;
	}
	return z;
}

/*
 * The log ratio where the root of the deviance is zc, on the side of the
 * estimate that sign says; both sides have ticks.
 */
static double solve_ratio(const struct pd_count_pair *pair, double zc, double sign)
{
	double n = pair->y_base + pair->y_next;
	double inner = log(pair->y_next / pair->s_next * (pair->s_base / pair->y_base));
	double outer = sign * INFINITY;
	double t = inner + sign * zc * sqrt(1 / pair->y_base + 1 / pair->y_next);

	for (int i = 0; i < MAX_STEPS; i++) {
		double ratio, expected, root, step;

		t = sign * fmin(sign * t, MAX_LOG_RATIO);
		ratio = exp(t);
		expected = n * pair->s_next / (pair->s_base / ratio + pair->s_next);
		root = sqrt(fmax(pd_count_deviance(pair, ratio), 0));
		if (root < zc && sign * t >= MAX_LOG_RATIO)
			return sign * INFINITY;
		/* The derivative of D is 2 (expected - y), so that of its root is this over it. */
		step = (zc - root) * root / (expected - pair->y_next);
		if (root < zc)
			inner = t;
		else
			outer = t;
		if (!(sign * (t + step - inner) > 0 && sign * (outer - t - step) > 0)) {
			if (root == zc || fabs(step) <= 1e-14)
				return t;
			step = isinf(outer) ? sign : 0.5 * (inner + outer) - t;
		} else if (fabs(step) <= 1e-7) {
			return t + step;
		}
		t += step;
	}
	return t;
}

void pd_interval_ratio(const struct pd_count_pair *pair, double zc, double *ret_lo,
		       double *ret_hi)
{
	double scale = pair->s_base / pair->s_next;

	*ret_lo = 0;
	*ret_hi = INFINITY;
	if (pair->y_base > 0 && pair->y_next > 0) {
		*ret_lo = exp(solve_ratio(pair, zc, -1));
		*ret_hi = exp(solve_ratio(pair, zc, 1));
	} else if (pair->y_base > 0) {
		/* D is 2 y log(1 + rho s_next/s_base) there: no iteration is needed. */
		*ret_hi = scale * expm1(zc * zc / (2 * pair->y_base));
	} else if (pair->y_next > 0) {
		*ret_lo = scale / expm1(zc * zc / (2 * pair->y_next));
	}
}

void pd_interval_delta(const struct pd_count_pair *pair, double zc, double *ret_lo,
		       double *ret_hi)
{
	double delta = pair->y_next / pair->s_next - pair->y_base / pair->s_base;
	double error = 0.5 * zc * pd_interval_sampling(pair);

	*ret_lo = delta - error;
	*ret_hi = delta + error;
}

double pd_interval_sampling(const struct pd_count_pair *pair)
{
	return 2 * sqrt(pair->y_base / (pair->s_base * pair->s_base) +
			pair->y_next / (pair->s_next * pair->s_next));
}
