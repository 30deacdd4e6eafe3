/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions, on GSL's incomplete beta and normal tail. The header says why
 * GSL's error handler is left alone.
 */
#include "stats/dist.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>

#include "base/num.h"

#define Z_MAX     38.5 /* the normal density beyond is below the smallest number */
#define DF_MIN    1e-2 /* far below, half of it is no number that GSL takes */
#define DF_NORMAL 1e7 /* above, GSL's incomplete beta is worse than the normal */

double pd_dist_normal_tails(double z)
{
	/* It underflows there, which costs more than the whole function elsewhere. */
	if (fabs(z) > Z_MAX)
		return 0;
	return 2 * gsl_cdf_ugaussian_Q(fabs(z));
}

double pd_dist_normal_density(double z)
{
	if (fabs(z) > Z_MAX)
		return 0;
	return exp(-0.5 * z * z) * (0.5 * M_SQRT1_2 * M_2_SQRTPI);
}

double pd_dist_normal_critical(double tails)
{
	if (!(tails > 0 && tails <= 1))
		return PD_UNKNOWN;
	return gsl_cdf_ugaussian_Qinv(0.5 * tails);
}

double pd_dist_t_tails(double t, double df)
{
	double t2 = t * t;

	if (!(df >= DF_MIN) || isnan(t))
		return PD_UNKNOWN;
	if (df > DF_NORMAL)
		return pd_dist_normal_tails(t);
	if (isinf(t2))
		return 0;
	/* The same function seen from the other end: df/(df+t2) near 1 has lost t2. */
	if (t2 < 1)
		return 1 - gsl_cdf_beta_P(t2 / (df + t2), 0.5, 0.5 * df);
	return gsl_cdf_beta_P(df / (df + t2), 0.5 * df, 0.5);
}

/* Logarithm of the density of Student's t. */
static double t_log_density(double t, double df)
{
	int sign;

	return lgamma_r(0.5 * (df + 1), &sign) - lgamma_r(0.5 * df, &sign) -
	       0.5 * log(df * M_PI) - 0.5 * (df + 1) * log1p(t * t / df);
}

double pd_dist_t_critical(double tails, double df)
{
	double z = pd_dist_normal_critical(tails);
	double lo = 0, hi = INFINITY; /* t is between them */
	double t = z;

	if (isnan(z) || !(df >= DF_MIN))
		return PD_UNKNOWN;
	if (df > DF_NORMAL || z == 0)
		return z;
	/*
	 * Newton on log tails against log t, where a heavy tail is a line and a
	 * light one a parabola. 200 steps are enough for the bisections alone.
	 */
	for (int i = 0; i < 200; i++) {
		double p = pd_dist_t_tails(t, df);
		double slope = 2 * exp(t_log_density(t, df)) * t / p;
		double next = t * exp((log(p) - log(tails)) / slope);

		if (p > tails)
			lo = t;
		else
			hi = t;
		if (!(next > lo && next < hi))
			next = isinf(hi) ? 2 * t : 0.5 * (lo + hi);
		if (fabs(next - t) <= 1e-14 * t)
			return next;
		t = next;
	}
	return t;
}
