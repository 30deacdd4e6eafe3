/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Welch's test on logarithms.
 */
#include "stats/welch.h"

#include <math.h>

#include "base/num.h"
#include "stats/dist.h"

struct pd_welch pd_welch_nothing(void)
{
	return (struct pd_welch){
		.ratio = PD_UNKNOWN,
		.lo = PD_UNKNOWN,
		.hi = PD_UNKNOWN,
		.se = PD_UNKNOWN,
		.t = PD_UNKNOWN,
		.df = PD_UNKNOWN,
		.p = PD_UNKNOWN,
	};
}

bool pd_sample_of(const double *x, size_t n, struct pd_sample *ret_sample)
{
	struct pd_sample s = {.n = (double)n, .var = PD_UNKNOWN};
	double sum = 0, sum_sq = 0, least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0 && isfinite(x[i])))
			return false;
		least = fmin(least, x[i]);
	}
	if (!n)
		return false;
	/* About the least value: equal values have variance 0, not a rounding error. */
	for (size_t i = 0; i < n; i++)
		sum += log(x[i] / least);
	for (size_t i = 0; i < n; i++) {
		double d = log(x[i] / least) - sum / s.n;

		sum_sq += d * d;
	}
	s.mean = log(least) + sum / s.n;
	if (n > 1)
		s.var = sum_sq / (s.n - 1);
	*ret_sample = s;
	return true;
}

bool pd_sample_of_summary(double mean, double sd, double n, struct pd_sample *ret_sample)
{
	if (!(mean > 0 && isfinite(mean) && n >= 1) || sd < 0 || isinf(sd))
		return false;
	*ret_sample = (struct pd_sample){n, log(mean), PD_UNKNOWN};
	if (n > 1)
		ret_sample->var = (sd / mean) * (sd / mean);
	return true;
}

/* Interval and test of a log ratio with a standard error. */
static void test(double log_ratio, double alpha, struct pd_welch *w)
{
	double half = pd_dist_t_critical(alpha, w->df) * w->se;

	w->t = log_ratio / w->se;
	w->p = pd_dist_t_tails(w->t, w->df);
	w->lo = exp(log_ratio - half);
	w->hi = exp(log_ratio + half);
}

void pd_welch_compare(const struct pd_sample *base, const struct pd_sample *next, double alpha,
		      struct pd_welch *ret_welch)
{
	struct pd_welch w = pd_welch_nothing();
	double b = base->var / base->n, n = next->var / next->n;

	w.ratio = exp(next->mean - base->mean);
	if (pd_is_known(b) && pd_is_known(n)) {
		w.se = sqrt(b + n);
		w.is_constant = !(w.se > 0);
	}
	if (w.se > 0) {
		/* In shares of their sum: squares of small variances would vanish. */
		double share = b / (b + n), rest = n / (b + n);

		w.df = 1 / (share * share / (base->n - 1) + rest * rest / (next->n - 1));
		test(next->mean - base->mean, alpha, &w);
	}
	*ret_welch = w;
}

void pd_welch_geomean(const struct pd_welch *rows, size_t n, double alpha,
		      struct pd_welch *ret_mean, size_t *ret_n)
{
	struct pd_welch w = pd_welch_nothing();
	double k = 0, sum = 0, sum_var = 0, sum_df = 0, mean;

	for (size_t i = 0; i < n; i++) {
		double var = rows[i].se * rows[i].se;

		if (!(rows[i].ratio > 0))
			continue;
		k++;
		sum += log(rows[i].ratio);
		sum_var += var;
		if (var > 0)
			sum_df += var * var / rows[i].df;
	}
	*ret_n = (size_t)k;
	mean = sum / k;
	if (k > 0)
		w.ratio = exp(mean);
	if (k > 0 && pd_is_known(sum_var)) {
		w.se = sqrt(sum_var) / k;
		w.is_constant = !(w.se > 0);
	}
	if (w.se > 0) {
		w.df = sum_var * sum_var / sum_df;
		test(mean, alpha, &w);
	}
	*ret_mean = w;
}
