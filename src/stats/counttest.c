/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test of one row.
 */
#include "stats/counttest.h"

#include <math.h>

#include "stats/dist.h"

#define N_TERMS 20 /* of Loader's series; .1^40 is far below an ulp */

double pd_count_bd0(double o, double e)
{
	double v, sum, term;

	if (o <= 0)
		return e;
	if (fabs(o - e) >= .1 * (o + e))
		return o * log(o / e) + e - o;
	v = (o - e) / (o + e);
	sum = (o - e) * v;
	term = 2 * o * v;
	for (int j = 1; j <= N_TERMS; j++) {
		double before = sum;

		term *= v * v;
		sum += term / (2 * j + 1);
		/* Terms shrink a hundredfold: what does not count now never will. */
		if (sum == before)
			break;
	}
	return sum;
}

double pd_count_deviance(const struct pd_count_pair *pair, double ratio)
{
	double n = pair->y_base + pair->y_next;
	/* Shares in these forms stay right where the ratio overflows or vanishes. */
	double e_base = n * (pair->s_base / (pair->s_base + ratio * pair->s_next));
	double e_next = n * (pair->s_next / (pair->s_base / ratio + pair->s_next));

	return 2 * (pd_count_bd0(pair->y_base, e_base) + pd_count_bd0(pair->y_next, e_next));
}

double pd_count_z(const struct pd_count_pair *pair)
{
	double rate_base = pair->y_base / pair->s_base;
	double rate_next = pair->y_next / pair->s_next;
	double z;

	if (rate_base == rate_next)
		return 0;
	z = sqrt(fmax(pd_count_deviance(pair, 1), 0));
	return rate_next > rate_base ? z : -z;
}

void pd_count_test(const struct pd_count_pair *pair, double step_sq,
		   const double pi[PD_NOISE_N], struct pd_count_test *ret_test)
{
	struct pd_count_test t = {.z = pd_count_z(pair)};
	double mean = (pair->y_base + pair->y_next) / pair->n_runs;

	pd_noise_variance(mean, pd_noise_rounding(step_sq, mean), t.v);
	for (int k = 0; k < PD_NOISE_N; k++)
		t.p += pi[k] * pd_dist_normal_tails(t.z / sqrt(t.v[k]));
	/* Weights add up to 1 but for rounding. */
	t.p = t.z == 0 ? 1 : fmin(t.p, 1);
	t.noise = pd_noise_mean(pi, t.v);
	*ret_test = t;
}
