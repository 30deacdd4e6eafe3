/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions, against 40-digit arithmetic, and that GSL never reports an
 * error: its default handler would end the process.
 */
#include <gsl/gsl_errno.h>

#include "base/num.h"
#include "stats/dist.h"
#include "support/check.h"

static void test_normal(void **state)
{
	(void)state;
	assert_true(pd_dist_normal_tails(0) == 1);
	assert_close(pd_dist_normal_tails(0.5), 0.6170750774519737934, 1e-15);
	assert_close(pd_dist_normal_tails(-1.96), 0.0499957902964408683, 1e-15);
	assert_close(pd_dist_normal_tails(5), 5.73303143758387823e-7, 1e-15);
	assert_close(pd_dist_normal_tails(-20), 5.50724823721246739e-89, 1e-15);
	assert_close(pd_dist_normal_tails(37), 1.14511424450491536e-299, 1e-14);
	assert_true(pd_dist_normal_tails(39) == 0 && pd_dist_normal_tails(INFINITY) == 0);
	assert_true(isnan(pd_dist_normal_tails(PD_UNKNOWN)));
	assert_close(pd_dist_normal_density(0), 0.398942280401432678, 1e-15);
	assert_close(pd_dist_normal_density(2), 0.0539909665131880519, 1e-15);
	assert_true(pd_dist_normal_density(-40) == 0);
}

static void test_normal_critical(void **state)
{
	(void)state;
	assert_close(pd_dist_normal_critical(0.05), 1.95996398454005424, 1e-15);
	assert_close(pd_dist_normal_critical(1e-12), 7.13050684817132446, 1e-15);
	assert_true(pd_dist_normal_critical(1) == 0);
	assert_true(isnan(pd_dist_normal_critical(0)) && isnan(pd_dist_normal_critical(1.5)));
	assert_true(isnan(pd_dist_normal_critical(PD_UNKNOWN)));
}

static void test_t(void **state)
{
	(void)state;
	/* A Cauchy variable, and two degrees of freedom, have closed forms. */
	for (double t = 1e-3; t < 1e6; t *= 3) {
		assert_close(pd_dist_t_tails(t, 1), 2 / M_PI * atan(1 / t), 1e-13);
		assert_close(pd_dist_t_tails(-t, 2), 2 / (2 + t * t + t * sqrt(2 + t * t)), 1e-12);
	}
	/* What gsl_cdf_tdist_Q misses above 30 degrees of freedom (STATS.md, head). */
	assert_close(pd_dist_t_tails(5, 50), 7.43321224723257396e-6, 1e-12);
	assert_close(pd_dist_t_tails(2, 1e5), 0.0455029634575064633, 1e-11);
	assert_close(pd_dist_t_tails(10, 5e4), 1.60359338107032998e-23, 1e-10);
	assert_close(pd_dist_t_tails(1e-8, 17), 0.9999999921375654, 1e-15);
	assert_close(pd_dist_t_tails(2, 1e12), 0.0455002638966283692, 1e-10);
	assert_true(pd_dist_t_tails(0, 3) == 1 && pd_dist_t_tails(INFINITY, 3) == 0);
	assert_true(isnan(pd_dist_t_tails(1, 0)) && isnan(pd_dist_t_tails(PD_UNKNOWN, 3)));
	assert_true(isnan(pd_dist_t_tails(1, PD_UNKNOWN)));
}

static void test_t_critical(void **state)
{
	static const double df[] = {0.5, 1, 1.7, 3, 8.25, 40, 1e3, 1e5, 1e6};

	(void)state;
	assert_close(pd_dist_t_critical(0.05, 1), 12.7062047361747046, 1e-14);
	assert_close(pd_dist_t_critical(0.05, 10), 2.22813885198627475, 1e-14);
	assert_close(pd_dist_t_critical(0.05, 1e9), 1.95996398454005424, 1e-8);
	for (size_t i = 0; i < sizeof(df) / sizeof(df[0]); i++)
		for (double p = 1e-12; p < 1; p *= 7.3)
			assert_close(pd_dist_t_tails(pd_dist_t_critical(p, df[i]), df[i]), p, 1e-8);
	assert_true(pd_dist_t_critical(1, 4) == 0);
	assert_true(isnan(pd_dist_t_critical(0, 4)) && isnan(pd_dist_t_critical(0.05, -1)));
}

static void on_error(const char *reason, const char *file, int line, int code)
{
	(void)file;
	(void)line;
	(void)code;
	fail_msg("GSL reports: %s", reason);
}

/* No argument makes GSL report anything, whatever handler the program has. */
static void test_silence(void **state)
{
	static const double odd[] = {0, 5e-324, 1e-300, 1e-16, 1e-3, 0.5, 1, 2, 37, 1e3, 1e7,
				     1e16, 1e150, 1e200, INFINITY, NAN, -1, -INFINITY};
	gsl_error_handler_t *before = gsl_set_error_handler(on_error);
	double p;

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		for (size_t j = 0; j < sizeof(odd) / sizeof(odd[0]); j++) {
			p = pd_dist_t_tails(odd[i], odd[j]);
			assert_true(isnan(p) || (p >= 0 && p <= 1));
			p = pd_dist_t_critical(odd[i], odd[j]);
			assert_true(isnan(p) || p >= 0);
		}
		p = pd_dist_normal_tails(odd[i]);
		assert_true(isnan(p) || (p >= 0 && p <= 1));
		p = pd_dist_normal_critical(odd[i]);
		assert_true(isnan(p) || p >= 0);
	}
	gsl_set_error_handler(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal), cmocka_unit_test(test_normal_critical),
		cmocka_unit_test(test_t),      cmocka_unit_test(test_t_critical),
		cmocka_unit_test(test_silence),
	};

	return cmocka_run_group_tests_name("stats distributions", tests, NULL, NULL);
}
