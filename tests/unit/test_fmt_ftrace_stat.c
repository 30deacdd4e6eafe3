/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of trace_stat: calls, times, variance, which tables are one run,
 * and what a comparison makes of calls.
 */
#include "support.h"

#include <stdio.h>

#define HEAD "  Function  Hit  Time  Avg  s^2\n  --------  ---  ----  ---  ---\n"

static void test_one_run(void **state)
{
	struct ut_reading r = ut_read(HEAD "  foo  4  10.000 us  2.500 us  1.000 us\n"
				      HEAD "  foo  2  3.000 us  1.500 us\n     0.500 us\n"
				      HEAD, NULL, NULL);
	const struct pd_profile *p;
	const struct pd_weight *w;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 1);
	p = r.profiles.items[0];
	assert_int_equal(p->n_funcs, 1);
	assert_true(p->funcs[0].n_calls == 6);
	w = pd_profile_weight(p, 0, 0);
	assert_true(w->inclusive == 13000 && !pd_is_known(w->self));
	/* sum of x^2 is s^2 (n - 1) + (sum of x)^2 / n, of each processor */
	assert_true(w->sum_sq == 3e6 + 1e8 / 4 + 0.5e6 + 9e6 / 2);
	assert_false(pd_is_known(p->events[0].total));
	assert_int_equal(p->events[0].unit, PD_UNIT_NS);
	ut_reading_done(&r);
}

static void test_runs(void **state)
{
	struct ut_reading r = ut_read("Before:\n" HEAD "  foo  1  1.0 us  1.0 us  0.0 us\n"
				      "After:\n" HEAD "  foo  3  6.0 us  2.0 us  0.0 us\n", NULL,
				      NULL);

	(void)state;
	assert_int_equal(r.profiles.n, 2);
	assert_string_equal(r.profiles.items[1]->section, "After");
	assert_true(r.profiles.items[0]->funcs[0].n_calls == 1);
	assert_true(r.profiles.items[1]->funcs[0].n_calls == 3);
	ut_reading_done(&r);
}

/* A variance that the kernel's 64 bits cannot have held tells nothing. */
static void test_overflow(void **state)
{
	struct ut_reading r = ut_read(HEAD "  foo  10294  672147607 us  65295.08 us  77380.23 us\n",
				      NULL, NULL);

	(void)state;
	assert_false(pd_is_known(pd_profile_weight(r.profiles.items[0], 0, 0)->sum_sq));
	ut_reading_done(&r);
}

static void test_hits_only(void **state)
{
	struct ut_reading r = ut_read("  Function   Hit\n  --------   ---\n  foo  7\n", NULL, NULL);
	const struct pd_profile *p = r.profiles.items[0];

	(void)state;
	assert_int_equal(p->events[0].unit, PD_UNIT_CALLS);
	assert_true(pd_profile_weight(p, 0, 0)->self == 7);
	ut_reading_done(&r);
}

/* Costs that are inclusive only are compared as such, with calls beside them. */
static void test_comparison(void **state)
{
	struct ut_reading base = ut_read(HEAD "  foo  4  10.0 us  2.5 us  0.0 us\n", NULL, NULL);
	struct ut_reading next = ut_read(HEAD "  foo  8  24.0 us  3.0 us  0.0 us\n", NULL, NULL);
	const struct pd_side_input sides[] = {
		{.label = "a", .runs = base.profiles.items, .n_runs = 1},
		{.label = "b", .runs = next.profiles.items, .n_runs = 1},
	};
	const struct pd_compare_options options = {0};
	struct pd_comparison *c = NULL;
	struct pd_diags diags = {0};
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_compare(sides, 2, &options, &diags, &c, &err), PD_OK);
	assert_true(c->is_inclusive && c->has_calls);
	assert_false(c->events[0].is_counted); /* calls are no samples */
	assert_int_equal(c->n_rows, 1);
	assert_true(c->rows[0].changes[1].delta == 14000);
	assert_true(pd_row_calls(c, &c->rows[0], 0) == 4);
	assert_true(pd_row_calls(c, &c->rows[0], 1) == 8);
	pd_comparison_free(c);
	ut_reading_done(&base);
	ut_reading_done(&next);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_run),   cmocka_unit_test(test_runs),
		cmocka_unit_test(test_overflow),  cmocka_unit_test(test_hits_only),
		cmocka_unit_test(test_comparison),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
