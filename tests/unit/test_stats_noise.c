/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The noise model.
 */
#include "stats/noise.h"
#include "support/check.h"
#include "support/random.h"

static void test_start(void **state)
{
	double w[PD_NOISE_N], sum = 0;

	(void)state;
	pd_noise_start(w);
	for (int k = 0; k < PD_NOISE_N; k++)
		sum += w[k];
	assert_close(sum, 1, 1e-15);
	assert_true(w[0] == .0125 && w[3] == .0125);
	assert_close(w[4], .2375, 1e-15);
	assert_close(w[13], .0095, 1e-15);
}

static void test_variance(void **state)
{
	double v[PD_NOISE_N];

	(void)state;
	pd_noise_variance(0, 0, v);
	for (int k = 0; k < PD_NOISE_N; k++)
		assert_true(v[k] == 1);
	pd_noise_variance(32, 0, v);
	assert_close(v[0], 1. / 32, 1e-15);
	assert_close(v[2], .5, 1e-15);
	assert_true(v[3] == 1 && v[4] == 1);
	assert_close(v[5], 1 + .0001 * 32, 1e-15);
	assert_close(v[13], 1 + 2.56 * 2.56 * 32, 1e-15);
	pd_noise_variance(1e15, 0.25, v);
	for (int k = 0; k < PD_NOISE_N; k++)
		assert_true(v[k] > 0.25);
}

static void test_rounding(void **state)
{
	(void)state;
	/* A value rounded to steps of q has variance q^2/12; in units of the mean. */
	assert_close(pd_noise_rounding(6, 10), 6. / 120, 1e-15);
	assert_true(pd_noise_rounding(6, 0) == 0);
}

static void test_record(void **state)
{
	struct pd_noise_record r = {3, 100, 7.5}, none = {0, 100, 7.5};
	double l[PD_NOISE_N] = {0}, e[PD_NOISE_N];

	(void)state;
	pd_noise_add_record(l, &none, 0);
	assert_true(l[0] == 0 && l[13] == 0);
	pd_noise_add_record(l, &r, 0);
	assert_close(l[0], -1.5 * log(.01) - 7.5 / (2 * .01), 1e-14);
	assert_close(l[4], -7.5 / 2, 1e-14);
	assert_close(l[9], -1.5 * log(1 + .16 * .16 * 100) - 7.5 / (2 * (1 + .16 * .16 * 100)),
		     1e-14);
	pd_noise_evidence(l, e);
	for (int k = 0; k < PD_NOISE_N; k++)
		assert_true(e[k] >= 0 && e[k] <= 1);
	assert_close(e[0] / e[4], exp(l[0] - l[4]), 1e-12);
	/* A second record multiplies the likelihoods; the extra variance is in them. */
	pd_noise_add_record(l, &r, 2);
	assert_close(l[4], -7.5 / 2 - 1.5 * log(3) - 7.5 / (2 * 3), 1e-14);
}

/* The definition, step by step. */
static void learn_by_definition(const double *e, size_t n, double w[PD_NOISE_N])
{
	double start[PD_NOISE_N];

	pd_noise_start(start);
	memcpy(w, start, sizeof(start));
	for (int step = 0; step < 200; step++) {
		double next[PD_NOISE_N] = {0};

		for (size_t g = 0; g < n; g++) {
			double sum = 0;

			for (int k = 0; k < PD_NOISE_N; k++)
				sum += e[g * PD_NOISE_N + k] * w[k];
			for (int k = 0; k < PD_NOISE_N; k++)
				next[k] += e[g * PD_NOISE_N + k] * w[k] / sum;
		}
		for (int k = 0; k < PD_NOISE_N; k++)
			w[k] = (next[k] + 10 * start[k]) / ((double)n + 10);
	}
}

static void test_learn(void **state)
{
	enum { N = 57 };
	struct pd_random random = {11};
	double e[N * PD_NOISE_N], w[PD_NOISE_N], expected[PD_NOISE_N], sum = 0;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		double l[PD_NOISE_N] = {0}, z = pd_random_normal(&random);
		struct pd_noise_record r = {2, 50 + (double)i, 40 * z * z};

		pd_noise_add_record(l, &r, 0);
		pd_noise_evidence(l, &e[i * PD_NOISE_N]);
	}
	pd_noise_learn(e, N, w);
	learn_by_definition(e, N, expected);
	for (int k = 0; k < PD_NOISE_N; k++) {
		assert_close(w[k], expected[k], 1e-12);
		assert_true(w[k] > 0);
		sum += w[k];
	}
	assert_close(sum, 1, 1e-14);
}

static void test_nothing_to_learn(void **state)
{
	double w[PD_NOISE_N], start[PD_NOISE_N];

	(void)state;
	pd_noise_learn(NULL, 0, w);
	pd_noise_start(start);
	assert_memory_equal(w, start, sizeof(w));
}

static void test_posterior(void **state)
{
	double w[PD_NOISE_N], e[PD_NOISE_N], pi[PD_NOISE_N], v[PD_NOISE_N], sum = 0;

	(void)state;
	pd_noise_start(w);
	for (int k = 0; k < PD_NOISE_N; k++)
		e[k] = 1;
	pd_noise_posterior(w, e, pi);
	for (int k = 0; k < PD_NOISE_N; k++)
		assert_close(pi[k], w[k], 1e-14);
	e[4] = 0;
	pd_noise_posterior(w, e, e);
	for (int k = 0; k < PD_NOISE_N; k++)
		sum += e[k];
	assert_true(e[4] == 0);
	assert_close(sum, 1, 1e-14);
	pd_noise_variance(0, 0, v);
	assert_close(pd_noise_mean(e, v), 1, 1e-14);
}

/* A row without any spread, and one with all of it: no weight is lost in an underflow. */
static void test_extremes(void **state)
{
	struct pd_noise_record flat = {7, 1e9, 0}, wild = {7, 1e9, 1e18};
	double l[PD_NOISE_N] = {0}, e[PD_NOISE_N], w[PD_NOISE_N], pi[PD_NOISE_N];

	(void)state;
	pd_noise_start(w);
	pd_noise_add_record(l, &flat, 0);
	pd_noise_evidence(l, e);
	pd_noise_posterior(w, e, pi);
	assert_true(pi[0] > .9 && isfinite(pi[13]));
	memset(l, 0, sizeof(l));
	pd_noise_add_record(l, &wild, 0);
	pd_noise_evidence(l, e);
	pd_noise_posterior(w, e, pi);
	assert_true(pi[13] > .9 && pi[0] == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_start),    cmocka_unit_test(test_variance),
		cmocka_unit_test(test_rounding), cmocka_unit_test(test_record),
		cmocka_unit_test(test_learn),    cmocka_unit_test(test_nothing_to_learn),
		cmocka_unit_test(test_posterior), cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests_name("stats noise model", tests, NULL, NULL);
}
