/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test of one row and its intervals.
 */
#include "stats/dist.h"
#include "stats/interval.h"
#include "support/check.h"
#include "support/random.h"

/* All weight on one level of noise. */
static void point(double pi[PD_NOISE_N], int k)
{
	memset(pi, 0, sizeof(double[PD_NOISE_N]));
	pi[k] = 1;
}

/* Pairs of every kind: equal, one-sided, tiny, huge, far apart. */
static const struct pd_count_pair pairs[] = {
	{100, 130, 4, 4, 8},    {1, 2, 1, 1, 2},         {3, 1e6, 3.9, 4.2, 8},
	{1e9, 1e9 + 10, 4, 4, 8}, {2500, 2500, .9, 1.2, 2}, {1e15, 2e15, 5, 5, 10},
	{.3, .2, 2, 2, 4},      {1e6, 1, 4, 1, 5},       {50, 70, 1e-3, 2e3, 4},
};

enum { N_PAIRS = sizeof(pairs) / sizeof(pairs[0]) };

static void test_bd0(void **state)
{
	(void)state;
	assert_true(pd_count_bd0(0, 3.5) == 3.5 && pd_count_bd0(7, 7) == 0);
	assert_close(pd_count_bd0(3, 1), 3 * log(3) - 2, 1e-14);
	/* Near o = e the terms are d^2/(2 e) - d^3/(6 e^2) + ... */
	assert_close(pd_count_bd0(1e6 + 1, 1e6), .5e-6 - 1e-12 / 6, 1e-9);
	for (double e = .5; e < 2; e *= 1.01) {
		long double o = 3;

		assert_close(pd_count_bd0(3, 3 * e), (double)(o * logl(1 / (long double)e) +
							      o * (long double)e - o), 1e-9);
	}
	assert_true(isinf(pd_count_bd0(1, 0)));
}

static void test_z(void **state)
{
	struct pd_count_pair p = {100, 130, 4, 4, 8};
	double d = 2 * (100 * log(100 / 115.) + 130 * log(130 / 115.));

	(void)state;
	assert_close(pd_count_z(&p), sqrt(d), 1e-13);
	p = (struct pd_count_pair){0, 0, 1, 1, 2};
	assert_true(pd_count_z(&p) == 0);
	p = (struct pd_count_pair){200, 100, 4, 2, 6};
	assert_true(pd_count_z(&p) == 0);
	p = (struct pd_count_pair){30, 0, 1, 1, 2};
	assert_close(pd_count_z(&p), -sqrt(2 * 30 * log(2)), 1e-14);
}

static struct pd_count_pair swapped(const struct pd_count_pair *p)
{
	return (struct pd_count_pair){p->y_next, p->y_base, p->s_next, p->s_base, p->n_runs};
}

/* Exchanging the sides negates z and changes no bit of p. */
static void test_swap(void **state)
{
	double pi[PD_NOISE_N];

	(void)state;
	pd_noise_start(pi);
	for (int i = 0; i < N_PAIRS; i++) {
		struct pd_count_pair mirror = swapped(&pairs[i]);
		struct pd_count_test there, back;

		pd_count_test(&pairs[i], 0, pi, &there);
		pd_count_test(&mirror, 0, pi, &back);
		assert_true(there.z == -back.z && there.p == back.p);
		assert_true(there.p >= 0 && there.p <= 1);
	}
}

static void test_p(void **state)
{
	struct pd_count_pair p = {100, 130, 4, 4, 8};
	double pi[PD_NOISE_N], m = 230. / 8;
	struct pd_count_test t;

	(void)state;
	point(pi, 4);
	pd_count_test(&p, 0, pi, &t);
	assert_close(t.p, pd_dist_normal_tails(t.z), 1e-14);
	assert_close(t.noise, 1, 1e-15);
	point(pi, 9);
	pd_count_test(&p, 0, pi, &t);
	assert_close(t.noise, 1 + .16 * .16 * m, 1e-14);
	assert_close(t.p, pd_dist_normal_tails(t.z / sqrt(t.noise)), 1e-14);
	/* Rounding to steps of 3 ticks adds 9/12 to the variance. */
	pd_count_test(&p, 9, pi, &t);
	assert_close(t.noise, 1 + .16 * .16 * m + .75 / m, 1e-14);
	point(pi, 4);
	p = (struct pd_count_pair){1e6, 2e6, 1, 1, 2};
	pd_count_test(&p, 0, pi, &t);
	assert_true(t.p == 0);
	p = (struct pd_count_pair){0, 0, 1, 1, 2};
	pd_count_test(&p, 9, pi, &t);
	assert_true(t.p == 1 && t.z == 0 && t.noise == 1);
}

static void test_critical(void **state)
{
	struct pd_random random = {8};

	(void)state;
	for (int i = 0; i < 3000; i++) {
		double mean = pow(10, 6 * pd_random_uniform(&random)), sum = 0, p = 0, zc;
		double tails = .2 * pow(10, -7 * pd_random_uniform(&random));
		double pi[PD_NOISE_N], v[PD_NOISE_N];

		for (int k = 0; k < PD_NOISE_N; k++) {
			pi[k] = pow(pd_random_uniform(&random), 20);
			sum += pi[k];
		}
		for (int k = 0; k < PD_NOISE_N; k++)
			pi[k] /= sum;
		pd_noise_variance(mean, 0, v);
		zc = pd_interval_critical(pi, v, tails);
		for (int k = 0; k < PD_NOISE_N; k++)
			p += pi[k] * pd_dist_normal_tails(zc / sqrt(v[k]));
		assert_close(p, tails, 1e-12);
	}
}

/* The bounds are where the root of the deviance is zc, on both sides of the estimate. */
static void test_ratio(void **state)
{
	static const double zcs[] = {.002, .3, 1.96, 4, 30};

	(void)state;
	for (int i = 0; i < N_PAIRS; i++) {
		const struct pd_count_pair *p = &pairs[i];
		double estimate = p->y_next / p->s_next / (p->y_base / p->s_base);

		for (int j = 0; j < 5; j++) {
			double zc = zcs[j], lo, hi;

			/* The difference of two counts of 1e15 has lost half of its digits. */
			double tolerance = 1e-10 + 1e-15 * sqrt(p->y_base) / zc;

			pd_interval_ratio(p, zc, &lo, &hi);
			assert_true(lo < estimate && estimate < hi);
			if (lo > 0)
				assert_close(sqrt(pd_count_deviance(p, lo)), zc, tolerance);
			if (hi < 1e5)
				assert_close(sqrt(pd_count_deviance(p, hi)), zc, tolerance);
		}
	}
}

static void test_ratio_swap(void **state)
{
	(void)state;
	for (int i = 0; i < N_PAIRS; i++) {
		struct pd_count_pair mirror = swapped(&pairs[i]);
		double lo, hi, mirror_lo, mirror_hi;

		pd_interval_ratio(&pairs[i], 2.5, &lo, &hi);
		pd_interval_ratio(&mirror, 2.5, &mirror_lo, &mirror_hi);
		/* Not to all bits: see edge_of_step(). */
		assert_close(1 / mirror_lo, hi, 1e-7);
		assert_close(1 / mirror_hi, lo, 1e-7);
	}
}

static void test_one_sided(void **state)
{
	struct pd_count_pair gone = {30, 0, 2, 3, 5}, new = {0, 30, 2, 3, 5};
	struct pd_count_pair none = {0, 0, 2, 3, 5};
	double lo, hi;

	(void)state;
	pd_interval_ratio(&gone, 2, &lo, &hi);
	assert_true(lo == 0);
	assert_close(pd_count_deviance(&gone, hi), 4, 1e-12);
	pd_interval_ratio(&new, 2, &lo, &hi);
	assert_true(isinf(hi));
	assert_close(pd_count_deviance(&new, lo), 4, 1e-12);
	pd_interval_ratio(&none, 2, &lo, &hi);
	assert_true(lo == 0 && isinf(hi));
}

/* Noise so wide that a bound is no number: infinite or 0, and no endless search. */
static void test_beyond(void **state)
{
	struct pd_count_pair up = {1, 1e6, 1, 1, 2}, down = swapped(&up);
	double lo, hi;

	(void)state;
	pd_interval_ratio(&up, 3500, &lo, &hi);
	assert_true(isinf(hi) && lo > 0 && lo < .01);
	pd_interval_ratio(&down, 3500, &lo, &hi);
	assert_true(lo == 0 && hi > 100 && hi < INFINITY);
}

static void test_delta(void **state)
{
	struct pd_count_pair p = {100, 130, 4, 5, 9};
	double lo, hi, se = sqrt(100 / 16. + 130 / 25.);

	(void)state;
	pd_interval_delta(&p, 2, &lo, &hi);
	assert_close(lo, 1 - 2 * se, 1e-13);
	assert_close(hi, 1 + 2 * se, 1e-13);
	assert_close(pd_interval_sampling(&p), 2 * se, 1e-14);
	p = (struct pd_count_pair){53727, 103744, 1, 1, 2};
	assert_close(pd_interval_sampling(&p), 2 * sqrt(53727 + 103744), 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bd0),       cmocka_unit_test(test_z),
		cmocka_unit_test(test_swap),      cmocka_unit_test(test_p),
		cmocka_unit_test(test_critical),  cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_ratio_swap), cmocka_unit_test(test_one_sided),
		cmocka_unit_test(test_beyond),    cmocka_unit_test(test_delta),
	};

	return cmocka_run_group_tests_name("stats test and intervals", tests, NULL, NULL);
}
