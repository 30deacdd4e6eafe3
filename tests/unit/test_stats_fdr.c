/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * False discovery control.
 */
#include "base/num.h"
#include "stats/fdr.h"
#include "support/check.h"
#include "support/random.h"

static void test_textbook(void **state)
{
	/* The fifteen p values of Benjamini and Hochberg (1995), section 4.1; four are flagged. */
	static const double p[] = {.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344,
				   .0459, .3240, .4262, .5719, .6528, .7590, 1.000};
	double q[15];
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_fdr_adjust(p, 15, q, &err), 0);
	assert_close(q[0], .0015, 1e-14);
	assert_close(q[3], .0095 * 15 / 4, 1e-14);
	assert_close(q[4], .0201 * 15 / 5, 1e-14);
	assert_close(q[14], 1, 0);
	assert_int_equal(pd_fdr_n_tested(q, 15), 15);
	assert_int_equal(pd_fdr_n_flagged(q, 15, .05), 4);
}

static void test_unknown(void **state)
{
	double q[] = {PD_UNKNOWN, .04, PD_UNKNOWN, .01, .03};
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_fdr_adjust(q, 5, q, &err), 0);
	assert_true(isnan(q[0]) && isnan(q[2]));
	assert_close(q[1], .04, 1e-15);
	assert_close(q[3], .03, 1e-15);
	assert_close(q[4], .04, 1e-15); /* from the larger p: .03 3/2 is above it */
	assert_int_equal(pd_fdr_n_tested(q, 5), 3);
	assert_int_equal(pd_fdr_adjust(q, 0, q, &err), 0);
}

static void test_ties(void **state)
{
	double p[] = {.02, .5, .02, .02}, q[4];
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_fdr_adjust(p, 4, q, &err), 0);
	assert_true(q[0] == q[2] && q[2] == q[3]);
	assert_close(q[0], .02 * 4 / 3, 1e-15);
	p[0] = p[1] = p[2] = p[3] = 0;
	assert_int_equal(pd_fdr_adjust(p, 4, q, &err), 0);
	assert_true(q[0] == 0 && q[3] == 0);
}

/* The definition: the least p_j M/j over the p_j that are not smaller. */
static void test_definition(void **state)
{
	enum { N = 200 };
	struct pd_random random = {3};
	double p[N], q[N];
	struct pd_error err = {0};

	(void)state;
	for (int i = 0; i < N; i++)
		p[i] = pow(pd_random_uniform(&random), 2);
	assert_int_equal(pd_fdr_adjust(p, N, q, &err), 0);
	for (int i = 0; i < N; i++) {
		double least = 1;

		for (int j = 0; j < N; j++) {
			int rank = 0;

			for (int k = 0; k < N; k++)
				rank += p[k] <= p[j];
			if (p[j] >= p[i])
				least = fmin(least, p[j] * N / rank);
		}
		assert_close(q[i], least, 1e-14);
	}
}

static void test_level(void **state)
{
	(void)state;
	assert_close(pd_fdr_level(.05, false, 3, 8), .95, 1e-15);
	assert_close(pd_fdr_level(.05, true, 3, 8), .98125, 1e-15);
	assert_close(pd_fdr_level(.05, true, 1, 1), .95, 1e-15);
	assert_close(pd_fdr_level(.05, false, 0, 0), .95, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_textbook),   cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_ties),       cmocka_unit_test(test_definition),
		cmocka_unit_test(test_level),
	};

	return cmocka_run_group_tests_name("stats false discovery control", tests, NULL, NULL);
}
