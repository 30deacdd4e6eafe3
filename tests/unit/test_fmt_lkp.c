/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of the test robot's comparisons: means, deviations, repetitions,
 * functions, what is better.
 */
#include "support.h"

#include <stdio.h>

#define HEAD "aaaa bbbb\n---------------- ------------------\n  %stddev  %change  %stddev\n"

static const struct pd_metric *metric_of(const struct pd_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_metrics; i++)
		if (!strcmp(pd_strtab_get(&p->strings, p->metrics[i].name), name))
			return &p->metrics[i];
	fail_msg("no metric %s", name);
	return NULL;
}

static void test_sides(void **state)
{
	struct ut_reading r = ut_read("a 5.0% regression of x.ops on:\n" HEAD
				      " 100 \xc2\xb1  5%  -10.0%  90 +- 4%  x.ops\n"
				      " 1.5e+10  +1.0  2.5e+10  x.rate%\n", NULL, NULL);
	const struct pd_metric *m;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.diags.n, 0);
	assert_int_equal(r.profiles.n, 2);
	assert_string_equal(r.profiles.items[0]->format, "lkp");
	assert_string_equal(r.profiles.items[1]->section, "bbbb");
	m = metric_of(r.profiles.items[0], "x.ops");
	assert_true(m->values[0] == 100 && m->sd == 5);
	assert_int_equal(m->better, PD_BETTER_HIGHER);
	assert_false(pd_is_known(m->n_summarized));
	m = metric_of(r.profiles.items[1], "x.ops");
	assert_true(m->values[0] == 90 && fabs(m->sd - 3.6) < 1e-9);
	m = metric_of(r.profiles.items[1], "x.rate%");
	assert_true(m->values[0] == 2.5e10 && !pd_is_known(m->sd));
	assert_string_equal(pd_strtab_get(&r.profiles.items[1]->strings, m->unit), "percent");
	ut_reading_done(&r);
}

/* Rows of failures tell how many repetitions there were, and undo the division by n. */
static void test_repetitions(void **state)
{
	struct ut_reading r = ut_read(HEAD " :4  50%  2:4  dmesg.BUG\n"
				      " 100 ? 10%  +10.0%  110  x.ops\n", "lkp", NULL);
	const struct pd_metric *m = metric_of(r.profiles.items[1], "dmesg.BUG");

	(void)state;
	assert_true(m->values[0] == 50);
	assert_int_equal(m->better, PD_BETTER_LOWER);
	m = metric_of(r.profiles.items[0], "x.ops");
	assert_true(m->n_summarized == 4 && fabs(m->sd - 10 * sqrt(4 / 3.0)) < 1e-9);
	ut_reading_done(&r);
}

static void test_functions(void **state)
{
	struct ut_reading r = ut_read(HEAD " 6.5 +1.0 7.5 perf-profile.self.cycles-pp.foo\n"
				      " 9.0 -1.0 8.0 perf-profile.children.cycles-pp.foo\n"
				      " 1.0 +0.0 1.0 perf-profile.calltrace.cycles-pp.foo.bar\n",
				      "lkp", NULL);
	const struct pd_profile *p = r.profiles.items[1];

	(void)state;
	assert_int_equal(p->n_metrics, 3);
	assert_int_equal(p->n_events, 1);
	assert_int_equal(p->events[0].unit, PD_UNIT_PERCENT);
	assert_true(p->events[0].total == 100);
	assert_string_equal(pd_strtab_get(&p->strings, p->funcs[0].name), "foo");
	assert_true(pd_profile_weight(p, 0, 0)->self == 7.5);
	assert_true(pd_profile_weight(p, 0, 0)->inclusive == 8);
	assert_true(pd_profile_weight(p, 1, 0)->self == 92.5); /* [unlisted] */
	ut_reading_done(&r);
}

static void test_bad_rows(void **state)
{
	struct ut_reading r = ut_read(HEAD " 1 +1.0% 2 a.b\n 1 +1.0% 2 +1.0% 3 a.c\n"
				      " 1 +1.0% x a.d\n 1 +1.0% 2 a.b\n", NULL, NULL);

	(void)state;
	assert_int_equal(r.diags.n, 3);
	assert_int_equal(r.profiles.items[0]->n_metrics, 1);
	ut_reading_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sides),
		cmocka_unit_test(test_repetitions),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_bad_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
