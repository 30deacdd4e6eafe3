/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdict words.
 */
#include "base/num.h"
#include "stats/verdict.h"
#include "support/check.h"

static void test_words(void **state)
{
	(void)state;
	assert_null(pd_verdict_word(PD_VERDICT_NONE));
	for (int v = PD_VERDICT_FEW; v < PD_N_VERDICTS; v++)
		assert_non_null(pd_verdict_word((enum pd_verdict)v));
	assert_string_equal(pd_verdict_word(PD_VERDICT_IMPROVED_MAYBE), "improved?");
	assert_string_equal(pd_verdict_word(PD_VERDICT_REGRESSED), "regressed");
	assert_string_equal(pd_verdict_word(PD_VERDICT_STANDOUT), "standout");
}

static void test_flagged(void **state)
{
	struct pd_evidence e = {.is_flagged = true, .lo = 1.1, .hi = 1.3, .equiv_ratio = .05};

	(void)state;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_REGRESSED);
	e.has_one_run = true;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_REGRESSED_MAYBE);
	e.is_better = true;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_IMPROVED_MAYBE);
	e.has_one_run = false;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_IMPROVED);
	/* However small the change is: a flagged row is never "same". */
	e.lo = .999;
	e.hi = .9995;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_IMPROVED);
}

static void test_unflagged(void **state)
{
	struct pd_evidence e = {.lo = .96, .hi = 1.04, .equiv_ratio = .05};

	(void)state;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_SAME);
	e.hi = 1.0501;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_UNCLEAR);
	e.hi = 1.05;
	e.lo = 1 / 1.05;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_SAME);
	e.lo = .952;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_UNCLEAR);
	e.equiv_ratio = .1;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_SAME);
	e.lo = 0;
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_UNCLEAR);
	e.lo = 1.01; /* not flagged, but p < alpha: still within the margin */
	assert_int_equal(pd_verdict_of(&e), PD_VERDICT_SAME);
}

static void test_single(void **state)
{
	(void)state;
	assert_int_equal(pd_verdict_of_single(.0099), PD_VERDICT_STANDOUT);
	assert_int_equal(pd_verdict_of_single(.01), PD_VERDICT_NONE);
}

static void test_bound(void **state)
{
	(void)state;
	assert_close(pd_verdict_bound(.9, 1.05), 1 / .9 - 1, 1e-15);
	assert_close(pd_verdict_bound(.98, 1.13), .13, 1e-14);
	assert_true(isinf(pd_verdict_bound(0, 1.1)) && isinf(pd_verdict_bound(.5, INFINITY)));
	assert_true(isnan(pd_verdict_bound(PD_UNKNOWN, 1.1)));
	assert_true(isnan(pd_verdict_bound(.9, PD_UNKNOWN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),     cmocka_unit_test(test_flagged),
		cmocka_unit_test(test_unflagged), cmocka_unit_test(test_single),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests_name("stats verdicts", tests, NULL, NULL);
}
